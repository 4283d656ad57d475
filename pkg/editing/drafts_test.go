package editing

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/content/drafted"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

// contentWorld is entries of one model on a real store.
type contentWorld struct {
	*Entries
	t     *testing.T
	table *table.Counting
	actor cms.Actor
}

const articles = `{"slug": "articles", "name": "Articles", "localized": true, "fields": [
	{"name": "body", "type": "textarea", "required": true, "max": 3000}, {"name": "code", "type": "text", "pattern": "^[A-Z]+$", "min": 2, "max": 5},
	{"name": "count", "type": "number", "min": 1, "max": 9}, {"name": "kind", "type": "select", "options": ["a", "b"]}, {"name": "sku", "type": "text", "unique": true},
	{"name": "more", "type": "relation", "model": "articles"}, {"name": "when", "type": "date"}, {"name": "flag", "type": "boolean"}]}`

func newContentWorld(t *testing.T, models ...string) *contentWorld {
	t.Helper()
	tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	w := &contentWorld{t: t, table: table.NewCounting(tb),
		actor: cms.Actor{Name: "ed@example.com", Source: cms.SourceAdmin}}
	w.Entries = &Entries{Store: content.New(w.table, time.Now)}
	t.Cleanup(func() {
		if err := w.Store.Close(); err != nil {
			t.Error(err)
		}
	})
	locales := &site.Locales{Store: w.Store.Store, InUse: w.LocaleInUse}
	must.Do(t, locales.EnsureDefault(t.Context()))
	for _, code := range []string{"de", "fr"} {
		if _, err := locales.Create(t.Context(), w.actor,
			w.body(`{"code": "`+code+`", "name": "`+code+`", "native_name": "`+code+`", "direction": "ltr"}`)); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range append([]string{articles}, models...) {
		if _, err := (&site.Models{Store: w.Store.Store, HasEntries: w.ModelHasEntries}).Create(t.Context(), w.actor,
			w.body(m)); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func (w *contentWorld) body(text string) map[string]any {
	w.t.Helper()
	body, err := cms.DecodeObject([]byte(text))
	if err != nil {
		w.t.Fatalf("%s: %v", text, err)
	}
	return body
}

func (w *contentWorld) create(text string) *cms.Entry {
	w.t.Helper()
	e, err := w.Create(w.t.Context(), w.actor, "articles", w.body(text))
	if err != nil {
		w.t.Fatalf("%s: %v", text, err)
	}
	return e
}

func (w *contentWorld) draft(id, text string) *Drafted {
	w.t.Helper()
	d, err := w.SaveDraft(w.t.Context(), w.actor, "articles", id, w.body(text), nil)
	if err != nil {
		w.t.Fatalf("%s: %v", text, err)
	}
	return d
}

func codeOf(err error) cms.Code {
	if e, ok := errors.AsType[*cms.Error](err); ok {
		return e.Code
	}
	if err != nil {
		return "OTHER"
	}
	return ""
}

func TestDraftLife(t *testing.T) {
	w := newContentWorld(t)
	ctx := t.Context()
	live := w.create(`{"title": "Live", "status": "published", "data": {"body": "b"}}`)
	d := w.draft(live.ID, `{"title": "New", "status": "archived", "data": {"count": 100, "code": "x"}}`)
	if d.Entry.Title != "New" || d.Entry.Status != cms.StatusPublished || d.Info.Version != 1 ||
		d.Info.BaseVersion != 1 {
		t.Errorf("draft %+v %+v", d.Entry, d.Info)
	}
	d = w.draft(live.ID, `{"data": {"body": null, "code": "ABC"}}`)
	if d.Entry.Title != "New" || d.Entry.Data["body"] != nil || d.Info.Version != 2 {
		t.Errorf("second save %+v %+v", d.Entry, d.Info)
	}
	if _, err := w.Publish(ctx, w.actor, "articles", live.ID, PublishOptions{},
		nil); codeOf(err) != cms.CodeValidationFailed {
		t.Errorf("an incomplete draft is published: %v", err)
	}
	w.draft(live.ID, `{"data": {"body": "c", "count": 3}}`)
	e, err := w.Publish(ctx, w.actor, "articles", live.ID, PublishOptions{}, nil)
	if err != nil || e.Title != "New" || e.Data["body"] != "c" || e.Version != 2 ||
		e.PublishedAt != live.PublishedAt {
		t.Fatalf("published %+v, %v", e, err)
	}
	if _, err := w.Draft(ctx, "articles", live.ID); codeOf(err) != cms.CodeNotFound {
		t.Errorf("the draft is still there: %v", err)
	}
	if d = w.draft(live.ID, `{"title": "Again"}`); d.Info.Version != 1 || d.Info.BaseVersion != 2 {
		t.Errorf("a new draft starts at %+v", d.Info)
	}
	kept, each := w.Store.DraftRevisions(ctx, w.model("articles"), live.ID, 4)
	var numbers []int64
	for r, err := range each {
		must.Do(t, err)
		numbers = append(numbers, r.Number)
	}
	if kept != 4 || !slices.Equal(numbers, []int64{4, 3, 2, 1}) {
		t.Errorf("%d revisions %v", kept, numbers)
	}
	if err := w.DiscardDraft(ctx, w.actor, "articles", live.ID, nil); err != nil {
		t.Error(err)
	}
	if err := w.DiscardDraft(ctx, w.actor, "articles", live.ID, nil); codeOf(err) != cms.CodeNotFound {
		t.Errorf("discarded twice: %v", err)
	}
	r, err := w.RestoreDraftRevision(ctx, w.actor, "articles", live.ID, 4, nil)
	if err != nil || r.Entry.Title != "Again" || r.Info.Version != 1 {
		t.Errorf("restored %+v, %v", r, err)
	}
}

// TestHistoryWhileStoreFails reads the history of an entry while each of the calls fails. Up to the error it is right.
func TestHistoryWhileStoreFails(t *testing.T) {
	w := newContentWorld(t)
	ctx := t.Context()
	e := w.create(`{"title": "First", "data": {"body": "b"}}`)
	w.draft(e.ID, `{"title": "Draft"}`)
	_, err := w.Update(ctx, w.actor, "articles", e.ID, w.body(`{"title": "Second"}`), nil)
	must.Do(t, err)
	read := func(fails int) (events []string, err error) {
		failing := *w.Entries
		failing.Store = w.Store.Over(table.NewFaulty(w.table, func(c table.Call) table.Fault {
			if c.N == fails {
				return table.Fault{Kind: table.Throttled}
			}
			return table.Fault{}
		}), nil)
		_, each, err := failing.Revisions(ctx, "articles", e.ID)
		if err != nil {
			return nil, err
		}
		for r, err := range each {
			if err != nil {
				return events, err
			}
			events = append(events, r.Event)
		}
		return events, nil
	}
	want := []string{"entry.updated", "entry.draft_saved", "entry.created"}
	for n := 1; ; n++ {
		events, err := read(n)
		if len(events) > len(want) || !slices.Equal(events, want[:len(events)]) {
			t.Errorf("call %d fails: %v", n, events)
		}
		if err == nil {
			break
		}
	}
}

func (w *contentWorld) model(slug string) *site.Model {
	site, err := w.Store.Site(w.t.Context())
	must.Do(w.t, err)
	return site.Models[slug]
}

// TestOutdatedDrafts tells which saves of an entry outdate its draft.
func TestOutdatedDrafts(t *testing.T) {
	w := newContentWorld(t)
	ctx := t.Context()
	for name, x := range map[string]struct {
		since func(id string) error
		base  string
		want  cms.Code
	}{
		"nothing": {func(string) error { return nil }, "", ""},
		"content": {func(id string) error { return w.put(id, `{"data": {"body": "x"}}`) }, "",
			cms.CodePreconditionFailed},
		"slug": {func(id string) error { return w.put(id, `{"slug": "other-`+id[24:]+`"}`) }, "",
			cms.CodePreconditionFailed},
		"status": {func(id string) error { return w.put(id, `{"status": "archived"}`) }, "", ""},
		"looked at": {func(id string) error {
			return errors.Join(w.put(id, `{"title": "T2"}`), w.more(id, `{"base_version": 2}`))
		}, "", ""},
		"older again": {func(id string) error {
			return errors.Join(w.put(id, `{"title": "T2"}`), w.more(id, `{"base_version": 1}`))
		}, "", cms.CodePreconditionFailed},
		"trash": {func(id string) error {
			err := w.Delete(ctx, w.actor, "articles", id, nil)
			_, restored := w.RestoreFromTrash(ctx, w.actor, id)
			return errors.Join(err, restored)
		}, "", ""},
	} {
		e := w.create(`{"title": "T ` + name + `", "data": {"body": "b"}}`)
		w.draft(e.ID, `{"title": "D"}`)
		if err := x.since(e.ID); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := w.Publish(ctx, w.actor, "articles", e.ID, PublishOptions{}, nil); codeOf(err) != x.want {
			t.Errorf("%s: %v, want %q", name, err, x.want)
		}
		if x.want == "" {
			continue
		}
		if got, err := w.Publish(ctx, w.actor, "articles", e.ID, PublishOptions{Force: true}, nil); err != nil ||
			got.Title != "D" {
			t.Errorf("%s, forced: %v", name, err)
		}
	}
}

func (w *contentWorld) put(id, text string) error {
	_, err := w.Update(w.t.Context(), w.actor, "articles", id, w.body(text), nil)
	return err
}

func (w *contentWorld) more(id, text string) error {
	_, err := w.SaveDraft(w.t.Context(), w.actor, "articles", id, w.body(text), nil)
	return err
}

// TestDraftChecks tells what a draft and an incomplete entry may hold.
func TestDraftChecks(t *testing.T) {
	w := newContentWorld(t)
	e := w.create(`{"title": "T", "data": {"body": "b"}}`)
	none := "00000000-0000-4000-8000-000000000000"
	for text, want := range map[string]struct{ draft, create bool }{
		`{"title": "T"}`: {true, true}, `{"title": ""}`: {false, false},
		`{"title": "T", "slug": "A B"}`:                    {false, false},
		`{"title": "T", "data": {"code": "x"}}`:            {true, true},
		`{"title": "T", "data": {"code": "TOOLONG"}}`:      {false, false},
		`{"title": "T", "data": {"count": 100}}`:           {true, false},
		`{"title": "T", "data": {"count": "1"}}`:           {false, false},
		`{"title": "T", "data": {"kind": "c"}}`:            {false, false},
		`{"title": "T", "data": {"nope": 1}}`:              {false, false},
		`{"title": "T", "data": {"nope": null}}`:           {false, false},
		`{"title": "T", "data": {"more": "` + none + `"}}`: {true, false},
		`{"title": "T", "status": "published"}`:            {true, false},
		`{"title": "T", "locale": "de"}`:                   {false, true},
		`{"title": "T", "locale": "en"}`:                   {true, true},
		`{"title": "T", "nope": 1}`:                        {false, false},
		`{"title": "T", "data": {"when": "yesterday"}}`:    {false, false},
		`{"title": "T", "data": null}`:                     {true, true},
	} {
		if err := w.more(e.ID, text); (err == nil) != want.draft || err != nil &&
			codeOf(err) != cms.CodeValidationFailed {
			t.Errorf("draft %s: %v", text, err)
		}
		if _, err := w.CreateIncomplete(t.Context(), w.actor, "articles", w.body(text)); (err == nil) != want.create ||
			err != nil && codeOf(err) != cms.CodeValidationFailed {
			t.Errorf("create %s: %v", text, err)
		}
	}
}

// TestDraftCost counts the write units of a saved draft, of a first and of a later one.
func TestDraftCost(t *testing.T) {
	w := newContentWorld(t)
	e := w.create(`{"title": "T", "status": "published", "data": {"body": "b"}}`)
	for i := range 25 {
		w.table.Reset()
		w.draft(e.ID,
			`{"title": "A new title", "data": {"body": "Some words of a paragraph", "code": "ABC", "count": 3, "kind": "a", "sku": "s", "when": "2026-01-01", "flag": true}}`)
		if units := w.table.Snapshot().WriteUnits; units > 12 {
			t.Errorf("save %d: %v write units, want at most 12", i+1, units)
		}
	}
}

// TestFirstDraftBesideChange saves the first draft of an entry while a change of its status or locale is about to be
// committed: the list that previews of all drafts read has the present state of the entry.
func TestFirstDraftBesideChange(t *testing.T) {
	w := newContentWorld(t)
	now, err := w.Store.Site(t.Context())
	must.Do(t, err)
	m := now.Models["articles"]
	for i, c := range []struct{ was, change string }{
		{"archived", `{"status": "published"}`}, {"archived", `{"status": "draft"}`},
		{"published", `{"locale": "de"}`}, {"draft", `{"locale": "de"}`},
	} {
		t.Run(c.was+c.change, func(t *testing.T) {
			e := w.create(`{"title": "T` + strconv.Itoa(i) + `", "status": "` + c.was + `", "data": {"body": "b"}}`)
			entries, saved := *w.Entries, false
			entries.Follow = func(_ context.Context, _ *site.Model, tx *db.Tx) error {
				tx.Check(func(context.Context) error { // the last one
					if !saved {
						saved = true
						w.draft(e.ID, `{"title": "D"}`)
					}
					return nil
				})
				return nil
			}
			e, err := entries.Update(t.Context(), w.actor, "articles", e.ID, w.body(c.change), nil)
			must.Do(t, err)
			list := drafted.Lists(m, nil)[0]
			row, err := w.table.Get(t.Context(), table.Strong, drafted.Key(m.ID, e.ID))
			must.Do(t, err)
			if got, err := list.Read(*row[0]); err != nil || got.Outside || got.Locale != e.Locale {
				t.Errorf("the list says %+v, %v", got, err)
			}
		})
	}
}

// TestBaseBeforeSharedChange: a page that was open while a translation changed a shared field saves its draft with the
// version that it has seen. The draft is not outdated, unless it changes that field too, or somebody changed the entry
// itself.
func TestBaseBeforeSharedChange(t *testing.T) {
	w := newContentWorld(t, `{"slug": "goods", "name": "Goods", "localized": true, "fields": [
		{"name": "price", "type": "number", "translatable": false}, {"name": "text", "type": "text"}]}`)
	for name, c := range map[string]struct {
		changed, draft string // of another member, of the page
		itself         string // change of the entry itself
		outdated       bool
	}{
		"another field":       {changed: `{"price": 2}`, draft: `{"text": "new"}`},
		"the same value":      {changed: `{"price": 2}`, draft: `{"price": 2, "text": "new"}`},
		"another value":       {changed: `{"price": 2}`, draft: `{"price": 3}`, outdated: true},
		"changed here":        {changed: `{}`, itself: `{"price": 2}`, draft: `{"text": "new"}`, outdated: true},
		"changed here beside": {changed: `{"price": 2}`, itself: `{"text": "a"}`, draft: `{"text": "b"}`, outdated: true},
	} {
		t.Run(name, func(t *testing.T) {
			en, err := w.Create(t.Context(), w.actor, "goods", w.body(`{"title": "One", "data": {"price": 1}}`))
			must.Do(t, err)
			de, err := w.Create(t.Context(), w.actor, "goods", w.body(fmt.Sprintf(
				`{"title": "Eins", "locale": "de", "translation_of": %q}`, en.ID)))
			must.Do(t, err)
			if c.itself != "" {
				_, err = w.Update(t.Context(), w.actor, "goods", en.ID, w.body(`{"data": `+c.itself+`}`), nil)
				must.Do(t, err)
			}
			_, err = w.Update(t.Context(), w.actor, "goods", de.ID, w.body(`{"data": `+c.changed+`}`), nil)
			must.Do(t, err)
			d, err := w.SaveDraft(t.Context(), w.actor, "goods", en.ID,
				w.body(`{"base_version": 1, "data": `+c.draft+`}`), nil)
			must.Do(t, err)
			if d.Outdated != c.outdated {
				t.Errorf("outdated: %v, based on %d", d.Outdated, d.Info.BaseVersion)
			}
			_, err = w.Publish(t.Context(), w.actor, "goods", en.ID, PublishOptions{}, nil)
			if refused := codeOf(err) == cms.CodePreconditionFailed; refused != c.outdated {
				t.Errorf("publish: %v", err)
			}
		})
	}
}

// TestRestoreWhileClosed restores an entry while its model or its locale is being deleted, which may still be
// refused.
func TestRestoreWhileClosed(t *testing.T) {
	w := newContentWorld(t)
	ctx := t.Context()
	e := w.create(`{"title": "T", "data": {"body": "b"}}`)
	must.Do(t, w.Delete(ctx, w.actor, "articles", e.ID, nil))
	for name, put := range map[string]func(tx *db.Tx, now *site.Site, open bool){
		"model": func(tx *db.Tx, now *site.Site, open bool) { site.PutOpen(tx, now, *now.Models["articles"], open) },
		"locale": func(tx *db.Tx, now *site.Site, open bool) {
			site.PutOpenLocales(tx, now, open, *now.Locale(e.Locale))
		},
	} {
		set := func(open bool) {
			must.Do(t, site.ChangeSite(ctx, w.Store.Store, func(now *site.Site, tx *db.Tx) error {
				put(tx, now, open)
				return nil
			}))
		}
		set(false)
		if _, err := w.RestoreFromTrash(ctx, w.actor, e.ID); codeOf(err) != cms.CodeUnavailable {
			t.Errorf("while the %s is closed: %v", name, err)
		}
		set(true)
	}
	_, err := w.RestoreFromTrash(ctx, w.actor, e.ID)
	must.Do(t, err)
}
