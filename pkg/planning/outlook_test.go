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
	locales := &site.Locales{Store: w.store.Site, InUse: use.LocaleInUse}
	for _, body := range []string{`{"code": "de", "name": "German"}`,
		`{"code": "fr", "name": "French"}`} {
		_, err := locales.Create(ctx, editor, w.body(body))
		w.must(err)
	}
	_, err := (&site.Models{Store: w.store.Site, HasEntries: use.ModelHasEntries}).Create(ctx, editor, w.body(
		`{"slug": "pages", "name": "Pages",
		"localized": true, "fields": [{"name": "body", "type": "text", "required": true}]}`))
	w.must(err)
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
	_, err = locales.Update(ctx, editor, "fr", w.body(`{"is_active": false}`), nil)
	w.must(err)
	changed := add(`{"title": "Changed", "data": {"body": "a"}, "status": "published"}`)
	add(`{"title": "Draft", "data": {"body": "a"}}`)
	add(`{"title": "Incomplete"}`)
	_, err = use.SaveDraft(ctx, editor, "pages", changed, w.body(`{"data": {"body": "b"}}`), nil)
	w.must(err)
	for action, want := range map[string]bulk.Outlook{
		`"publish"`:                             {Appear: 1, Change: 1, Refused: 1},
		`"unpublish"`:                           {Pages: 2, With: 1},
		`"delete"`:                              {Pages: 2, With: 1},
		`"set", "set": {"data": {"body": "c"}}`: {Change: 3},
	} {
		want.Total, want.Tried = 6, 6
		for _, by := range []string{`"ids": ["` + strings.Join(ids, `","`) + `"]`, `"filter": {}`} {
			got, err := w.jobs.Foresee(ctx, w.body(`{"model": "pages", "action": `+action+`, `+by+`}`))
			if err != nil || got != want {
				t.Errorf("%s of %s: %+v, %v", action, by[:6], got, err)
			}
		}
	}
	// Who may not publish changes no published entry.
	as := cms.WithPermissions(ctx, &cms.Permissions{})
	got, err := w.jobs.Foresee(as, w.body(`{"model": "pages", "action": "archive", "ids": ["`+live+`"]}`))
	if err == nil && got.Pages > 0 {
		t.Errorf("without permission: %+v", got)
	}
}
