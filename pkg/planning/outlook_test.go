package planning_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
	"headless/pkg/planning/bulk"
	"headless/pkg/site"
)

// TestForesee counts what readers will see of jobs: entries of a locale that is not active stay hidden, and
// translations count with their page.
func TestForesee(t *testing.T) {
	w := newWorld(t, cmstest.NewClock(time.Now()), 0)
	ctx, use := context.Background(), w.jobs.Entries
	w.locale(`{"code": "de", "name": "German"}`)
	w.locale(`{"code": "fr", "name": "French"}`)
	w.model(`{"slug": "pages", "name": "Pages",
		"localized": true, "fields": [{"name": "body", "type": "text", "required": true}]}`)
	var ids []string
	add := func(body string) string {
		t.Helper()
		create := use.Create
		if !strings.Contains(body, "body") {
			create = use.CreateIncomplete
		}
		e, err := create(ctx, editor, "pages", w.body(body))
		w.must(err)
		ids = append(ids, e.ID)
		return e.ID
	}
	live := add(`{"title": "Live", "data": {"body": "a"}, "status": "published"}`)
	add(`{"title": "Da", "locale": "de", "data": {"body": "a"}, "status": "published",
		"translation_of": "` + live + `"}`)
	add(`{"title": "Hidden", "locale": "fr", "data": {"body": "a"}, "status": "published",
		"translation_of": "` + live + `"}`)
	locales := &site.Locales{Store: w.store.Site, InUse: use.LocaleInUse}
	_, err := locales.Update(ctx, editor, "fr", w.body(`{"is_active": false}`), nil)
	w.must(err)
	changed := add(`{"title": "Changed", "data": {"body": "a"}, "status": "published"}`)
	add(`{"title": "Draft", "data": {"body": "a"}}`)
	add(`{"title": "Incomplete"}`)
	w.draft("pages", changed, `{"data": {"body": "b"}}`)
	for action, want := range map[string]bulk.Outlook{
		`"publish"`:                             {Appear: 1, Change: 1, Refused: 1},
		`"unpublish"`:                           {Pages: 2, With: 1},
		`"delete"`:                              {Pages: 2, With: 1},
		`"set", "set": {"data": {"body": "c"}}`: {Change: 3},
	} {
		want.Total, want.Tried = 6, 6
		for _, by := range []string{`"ids": ["` + strings.Join(ids, `","`) + `"]`, `"filter": {}`} {
			got, err := w.jobs.Foresee(ctx, editor, w.body(`{"model": "pages", "action": `+action+`, `+by+`}`))
			if err != nil || got != want {
				t.Errorf("%s of %s: %+v, %v", action, by[:6], got, err)
			}
		}
	}
	// Who may not publish changes no published entry.
	as := cms.WithPermissions(ctx, &cms.Permissions{})
	got, err := w.jobs.Foresee(as, editor, w.body(`{"model": "pages", "action": "archive", "ids": ["`+live+`"]}`))
	if err == nil && got.Pages > 0 {
		t.Errorf("without permission: %+v", got)
	}
}

// TestForeseeRefusals knows what stops a change beside its own content: approvals that are missing, slugs that are
// taken, and entries below in a tree, unless they leave before the one above them.
func TestForeseeRefusals(t *testing.T) {
	w := newWorld(t, cmstest.NewClock(time.Now()), 0)
	ctx, use := context.Background(), w.jobs.Entries
	for _, model := range []string{`"slug": "news", "name": "News", "review": 1`,
		`"slug": "pages", "name": "Pages", "tree": true`} {
		w.model(`{` + model + `, "fields": [{"name": "body", "type": "text"}]}`)
	}
	add := func(by cms.Actor, model, body string) string {
		t.Helper()
		e, err := use.Create(ctx, by, model, w.body(`{"title": "T", `+body+`}`))
		w.must(err)
		return e.ID
	}
	draft, live := add(editor, "news", `"slug": "a"`), add(cms.Actor{}, "news", `"slug": "b", "status": "published"`)
	clash := add(editor, "posts", `"slug": "c"`)
	add(editor, "posts", `"slug": "d"`)
	w.draft("posts", clash, `{"slug": "e"}`)
	add(editor, "posts", `"slug": "e"`)
	above := add(editor, "pages", `"status": "published"`)
	below := add(editor, "pages", `"status": "published", "parent": "`+above+`"`)
	for _, v := range []struct {
		model, action, ids string
		want               bulk.Outlook
	}{
		{"news", "publish", draft + " " + live, bulk.Outlook{Waiting: 1}},
		{"news", "set", draft + " " + live, bulk.Outlook{Waiting: 1}},
		{"news", "unpublish", live, bulk.Outlook{Pages: 1}},
		{"posts", "publish", clash, bulk.Outlook{Refused: 1}},
		{"posts", "delete", clash + " " + draft, bulk.Outlook{Refused: 1}}, // the second is of another model
		{"pages", "archive", above, bulk.Outlook{Refused: 1}},
		{"pages", "archive", above + " " + below, bulk.Outlook{Refused: 1, Pages: 1}},
		{"pages", "delete", below + " " + above, bulk.Outlook{Pages: 1}}, // the first is archived,
	} {
		body := map[string]any{"model": v.model, "action": v.action}
		for _, id := range strings.Fields(v.ids) {
			list, _ := body["ids"].([]any)
			body["ids"] = append(list, id)
			v.want.Total++
			v.want.Tried++
		}
		if v.action == "set" {
			body["set"] = map[string]any{}
		}
		foreseen, err := w.jobs.Foresee(ctx, editor, body)
		if err != nil || foreseen != v.want {
			t.Errorf("%s of %s: %+v, want %+v, %v", v.action, v.model, foreseen, v.want, err)
		}
		delete(body, "set")
		if v.action == "set" {
			body["set"] = map[string]any{"data": map[string]any{"body": "new"}}
		}
		j, err := w.jobs.Create(ctx, editor, body)
		w.must(err)
		_, err = w.jobs.Work(ctx, j.ID)
		w.must(err)
		if j, err = w.jobs.Get(ctx, editor, j.ID); err != nil || len(j.Failed) != v.want.Waiting+v.want.Refused {
			t.Errorf("%s of %s fails for %v, %v", v.action, v.model, j.Failed, err)
		}
	}
}
