package planning_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/editing/takeback"
	"headless/pkg/planning/bulk"
	"headless/pkg/settings"
	"headless/pkg/site"
	"headless/pkg/table"
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

// TestTakeBackReplacement takes the replacement of a file back, and then that undo. Each call to the table of the
// worker of one of these jobs fails in turn. Entries, drafts and settings are as before each time, and nothing
// counts as changed since.
func TestTakeBackReplacement(t *testing.T) {
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	base, ctx := newWorld(t, c, 3), context.Background()
	base.model(`{"slug": "pages", "name": "Pages", "fields": [{"name": "body", "type": "text"}]}`)
	text := func(file string) string { return `{"data": {"body": "/media/` + file + `"}}` }
	for _, id := range base.entries[:2] {
		_, err := base.schedules.Entries.Update(ctx, editor, "posts", id, base.body(text(oldFile)), nil)
		base.must(err)
	}
	for _, id := range base.entries[1:] {
		base.draft("posts", id, text(oldFile))
	}
	page := base.entry("pages", `{"title": "Page", "data": {"body": "/media/`+oldFile+`"}}`)
	_, err := (&settings.Settings{Store: base.store.Site}).Update(ctx, editor, []any{map[string]any{
		"group": "site", "key": "logo", "value": oldFile}, map[string]any{"group": "site", "key": "icon", "value": oldFile},
	}, nil)
	base.must(err)
	look := func(w *world) string {
		var all []string
		for _, id := range append(slices.Clone(w.entries), page) {
			model := map[bool]string{true: "pages", false: "posts"}[id == page]
			d, err := w.schedules.Entries.DraftOrLive(ctx, model, id)
			w.must(err)
			all = append(all, fmt.Sprint(d.Live.Data["body"], d.Entry.Data["body"]))
		}
		now, err := w.store.Site.Site(ctx)
		w.must(err)
		for _, v := range now.Settings {
			if v.Key == "logo" || v.Key == "icon" {
				all = append(all, v.Value)
			}
		}
		return strings.Join(all, " ")
	}
	before := look(base)
	after := strings.ReplaceAll(before, oldFile, newFile)
	for killed, name := range []string{"the job", "the undo", "the undo of the undo"} {
		for _, fault := range []table.FaultKind{table.AnswerLost, table.CrashBefore, table.CrashAfter} {
			t.Run(name, func(t *testing.T) {
				for n, done := 1, false; !done && !t.Failed(); n += 2 {
					w, job := base.copied(t, c), bulk.Job{}
					w.jobs.Texts = map[string]takeback.PutText{
						cms.AreaSettings: (&settings.Settings{Store: w.store.Site}).PutText}
					w.jobs.Entries.MediaTypes = func(context.Context, []string) (map[string]string, error) {
						return map[string]string{newFile: "image/png"}, nil
					}
					for step, want := range []string{after, before, after} {
						if step == 0 {
							job, err = w.jobs.Replace(ctx, editor, oldFile, map[string]any{"with": newFile})
						} else {
							body := strings.Replace(takeBack(job.ID), "posts", "media", 1)
							job, err = w.jobs.Create(ctx, editor, w.body(body))
						}
						w.must(err)
						if step == killed {
							faulty := table.NewFaulty(w.table, table.FaultAt(n, fault))
							first := newProcess(faulty, c.Now)
							first.jobs.Texts = w.jobs.Texts
							_, _ = first.timers.Due(ctx)
							if done = faulty.Calls() < n; done && n < 20 {
								t.Errorf("only %d calls", n-1)
							}
						}
						w.settle(c)
						job, err = w.jobs.Get(ctx, editor, job.ID)
						w.must(err)
						if now := look(w); job.Status != bulk.Done || job.Done != 6 || len(job.Failed) > 0 || now != want {
							t.Errorf("fault at call %d: step %d is %+v, with %s, want %s", n, step, job, now, want)
						}
						c.Advance(time.Second)
					}
				}
			})
		}
	}
}

// TestTakeBackReplacedInPart takes the replacement of a deleted entry back: the links to it are there again. What
// somebody has changed since stays and is named, also where it is a part of an entry.
func TestTakeBackReplacedInPart(t *testing.T) {
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	w, ctx := newWorld(t, c, 0), context.Background()
	w.model(`{"slug": "pages", "name": "Pages", "fields": [{"name": "next", "type": "relation", "model": "pages"}]}`)
	from, with := w.entry("pages", `{"title": "From"}`), w.entry("pages", `{"title": "With"}`)
	next := func(id string) string { return `{"title": "Page", "data": {"next": "` + id + `"}}` }
	kept, live, both, whole := w.entry("pages", next(from)), w.entry("pages", next(from)), w.entry("pages", next(from)),
		w.entry("pages", next(from))
	entries := w.schedules.Entries
	for _, id := range []string{live, both, kept} {
		_, err := entries.Publish(ctx, editor, "pages", id, editing.PublishOptions{}, nil)
		w.must(err)
		w.draft("pages", id, `{"title": "Draft", "data": {"next": "`+from+`"}}`)
	}
	w.must(entries.Delete(ctx, editor, "pages", from, nil))
	job, err := w.jobs.ReplaceEntry(ctx, editor, map[string]any{"from": from, "with": with})
	w.must(err)
	w.settle(c)
	c.Advance(time.Second)
	w.draft("pages", both, `{"title": "Later"}`)
	_, err = entries.Update(ctx, editor, "pages", live, w.body(`{"title": "Later"}`), nil)
	w.must(err)
	_, err = entries.Update(ctx, editor, "pages", whole, w.body(`{"title": "Later"}`), nil)
	w.must(err)
	undo, err := w.jobs.Create(ctx, editor, w.body(`{"action": "revert", "model": "pages", "of": "`+job.ID+`"}`))
	w.must(err)
	w.settle(c)
	undo, err = w.jobs.Get(ctx, editor, undo.ID)
	w.must(err)
	var named []string
	for _, f := range undo.Failed {
		if named = append(named, f.ID); !f.Stays || f.Model != "pages" {
			t.Errorf("failure %+v", f)
		}
	}
	if undo.Status != bulk.Done || undo.Done != 4 || !slices.Equal(slices.Sorted(slices.Values(named)),
		slices.Sorted(slices.Values([]string{live, both, whole}))) {
		t.Errorf("job %+v", undo)
	}
	for id, want := range map[string][2]string{kept: {from, from}, live: {with, from}, both: {from, with},
		whole: {with, with}} {
		d, err := entries.DraftOrLive(ctx, "pages", id)
		if w.must(err); d.Live.Data["next"] != want[0] || d.Entry.Data["next"] != want[1] {
			t.Errorf("entry %s leads to %v, its draft to %v", d.Live.Title, d.Live.Data["next"], d.Entry.Data["next"])
		}
	}
}

// TestTakeBackReplacedTwice replaces a file in an entry that refers to it again before the job ends, so that the job
// names the entry twice. The undo takes it back once, and nothing counts as changed since.
func TestTakeBackReplacedTwice(t *testing.T) {
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	w, ctx := newWorld(t, c, 2), context.Background()
	entries := *w.jobs.Entries
	entries.MediaTypes = func(context.Context, []string) (map[string]string, error) {
		return map[string]string{newFile: "image/png"}, nil
	}
	refer := func(id, before string) {
		_, err := entries.Update(ctx, editor, "posts", id,
			map[string]any{"data": map[string]any{"body": before + "/media/" + oldFile}}, nil)
		w.must(err)
	}
	refer(w.entries[0], "")
	refer(w.entries[1], "")
	working, steps := entries, 0
	working.Follow = func(context.Context, *site.Model, *db.Tx) error {
		if steps++; steps == 2 { // one entry is done
			now, err := w.store.Site.Site(ctx)
			w.must(err)
			for _, id := range w.entries {
				if e, err := w.store.Content.Entry(ctx, now.Models["posts"], id); err == nil &&
					e.Data["body"] == "/media/"+newFile {
					refer(id, "again ")
				}
			}
		}
		return nil
	}
	jobs := &bulk.Jobs{Store: w.jobs.Store, Entries: &working}
	job, err := jobs.Replace(ctx, editor, oldFile, map[string]any{"with": newFile})
	w.must(err)
	_, err = jobs.Work(ctx, job.ID)
	w.must(err)
	c.Advance(time.Second)
	undo, err := w.jobs.Create(ctx, editor, w.body(strings.Replace(takeBack(job.ID), "posts", "media", 1)))
	w.must(err)
	w.settle(c)
	undo, err = w.jobs.Get(ctx, editor, undo.ID)
	if w.must(err); undo.Status != bulk.Done || undo.Total != 3 || undo.Done != 3 || len(undo.Failed) > 0 {
		t.Errorf("job %+v", undo)
	}
	now, err := w.store.Site.Site(ctx)
	w.must(err)
	var bodies []string
	for _, id := range w.entries {
		e, err := w.store.Content.Entry(ctx, now.Models["posts"], id)
		w.must(err)
		bodies = append(bodies, fmt.Sprint(e.Data["body"]))
	}
	slices.Sort(bodies)
	if want := []string{"/media/" + oldFile, "again /media/" + oldFile}; !slices.Equal(bodies, want) {
		t.Errorf("the texts are %q", bodies)
	}
}
