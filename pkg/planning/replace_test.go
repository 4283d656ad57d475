package planning_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
	"headless/pkg/db"
	"headless/pkg/planning/bulk"
	"headless/pkg/site"
)

const (
	oldFile = "0190a000-0000-7000-8000-000000000001"
	newFile = "0190a000-0000-7000-8000-000000000002"
)

// TestReplaceLateReference refers to a file from one more entry while the job replaces it: the job
// ends when nothing leads to the file.
func TestReplaceLateReference(t *testing.T) {
	c := cmstest.NewClock(time.Now()) // rows expire by it
	w := newWorld(t, c, 3)
	ctx, entries := context.Background(), *w.jobs.Entries
	entries.MediaTypes = func(context.Context, []string) (map[string]string, error) {
		return map[string]string{newFile: "image/png"}, nil
	}
	refer := func(id string) {
		_, err := entries.Update(ctx, editor, "posts", id,
			map[string]any{"data": map[string]any{"body": "see /media/" + oldFile}}, nil)
		w.must(err)
	}
	refer(w.entries[0])
	refer(w.entries[1])
	working, late := entries, false
	working.Follow = func(context.Context, *site.Model, *db.Tx) error {
		if !late {
			late = true
			refer(w.entries[2])
		}
		return nil
	}
	jobs := &bulk.Jobs{Store: w.jobs.Store, Entries: &working}
	j, err := jobs.Replace(ctx, editor, oldFile, map[string]any{"with": newFile})
	w.must(err)
	_, err = jobs.Work(ctx, j.ID)
	w.must(err)
	if j, err = jobs.Get(ctx, cms.Actor{}, j.ID); err != nil || j.Status != bulk.Done || j.Total != 3 ||
		j.Done != 3 || len(j.Failed) != 0 {
		t.Errorf("the job: %+v, %v", j, err)
	}
	now, err := w.store.Site.Site(ctx)
	w.must(err)
	for _, id := range w.entries {
		if e, err := w.store.Content.Entry(ctx, now.Models["posts"], id); err != nil ||
			e.Data["body"] != "see /media/"+newFile {
			t.Errorf("the entry says %v, %v", e.Data["body"], err)
		}
	}
}

// TestReplaceOwn replaces links to an entry, and leaves those of the entry and of its draft to itself.
func TestReplaceOwn(t *testing.T) {
	c := cmstest.NewClock(time.Now()) // rows expire by it
	w, ctx := newWorld(t, c, 0), t.Context()
	w.model(`{"slug": "pages", "name": "Pages", "fields": [{"name": "text", "type": "richtext"}]}`)
	from, with := w.entry("pages", `{"title": "From"}`), w.entry("pages", `{"title": "With"}`)
	text := func(id string) string { return "[it](cms://entry/" + id + ")" }
	other := w.entry("pages", `{"title": "Other", "data": {"text": "`+text(from)+`"}}`)
	for _, id := range []string{from, other} {
		w.draft("pages", id, `{"data": {"text": "`+text(from)+`"}}`)
	}
	j, err := w.jobs.ReplaceEntry(ctx, editor, map[string]any{"from": from, "with": with})
	w.must(err)
	_, err = w.jobs.Work(ctx, j.ID)
	w.must(err)
	now, err := w.store.Site.Site(ctx)
	w.must(err)
	for id, want := range map[string]string{from: text(from), other: text(with)} {
		d, err := w.store.Content.Draft(ctx, now.Models["pages"], id)
		if w.must(err); d.Changes.Data["text"] != want {
			t.Errorf("the draft says %v, want %s", d.Changes.Data["text"], want)
		}
	}
}

// TestReplaceRefused looks again past what cannot be changed: it fails once.
func TestReplaceRefused(t *testing.T) {
	c := cmstest.NewClock(time.Now()) // rows expire by it
	w := newWorld(t, c, 2)
	ctx, entries := context.Background(), *w.jobs.Entries
	entries.MediaTypes = func(context.Context, []string) (map[string]string, error) {
		return map[string]string{newFile: "image/png"}, nil
	}
	for _, id := range w.entries {
		_, err := entries.Update(ctx, editor, "posts", id,
			map[string]any{"data": map[string]any{"body": "/media/" + oldFile}}, nil)
		w.must(err)
	}
	working := entries
	working.Follow = func(_ context.Context, _ *site.Model, tx *db.Tx) error {
		for _, e := range tx.Events() {
			if data, err := json.Marshal(e.Data); err != nil || strings.Contains(string(data), w.entries[0]) {
				return cms.Errorf(cms.CodeConflict, "Not this one.")
			}
		}
		return nil
	}
	jobs := &bulk.Jobs{Store: w.jobs.Store, Entries: &working}
	j, err := jobs.Replace(ctx, editor, oldFile, map[string]any{"with": newFile})
	w.must(err)
	_, err = jobs.Work(ctx, j.ID)
	w.must(err)
	if j, err = jobs.Get(ctx, cms.Actor{}, j.ID); err != nil || j.Status != bulk.Done || j.Total != 2 ||
		j.Done != 2 || len(j.Failed) != 1 {
		t.Errorf("the job: %+v, %v", j, err)
	}
}
