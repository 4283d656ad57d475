package planning_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
	"headless/pkg/editing"
	"headless/pkg/planning"
	"headless/pkg/planning/bulk"
	"headless/pkg/review"
	"headless/pkg/site"
	"headless/pkg/table"
)

// released makes and publishes a release: it publishes a new entry and the draft of a published one, and unpublishes a
// third one. It also returns the former state of the entries.
func (w *world) released(c *cmstest.Clock) (release string, before []string) {
	w.t.Helper()
	ctx, use := context.Background(), w.schedules.Entries
	for _, id := range w.entries[1:] {
		_, err := use.Publish(ctx, editor, "posts", id, editing.PublishOptions{}, nil)
		w.must(err)
	}
	w.draft("posts", w.entries[1], `{"title": "New", "data": {"body": "b"}}`)
	var items []any
	for i, action := range []string{"publish", "publish", "unpublish"} {
		items = append(items, map[string]any{"model": "posts", "id": w.entries[i], "action": action})
	}
	release = w.release(items...)
	before = w.shown()
	c.Advance(time.Hour)
	w.publish(c, release)
	return release, before
}

func (w *world) publish(c *cmstest.Clock, release string) {
	w.t.Helper()
	_, err := w.releases.Publish(context.Background(), editor, release)
	w.must(err)
	w.settle(c)
	if r, err := w.releases.Get(context.Background(), release); err != nil || r.Status != planning.ReleasePublished {
		w.t.Fatal(r, err)
	}
}

// shown says of each entry its status, title, and the title of its draft.
func (w *world) shown() (list []string) {
	w.t.Helper()
	for _, id := range w.entries {
		d, err := w.schedules.Entries.DraftOrLive(context.Background(), "posts", id)
		w.must(err)
		list = append(list, fmt.Sprint(d.Live.Status, " ", d.Live.Title, " ", d.Live.PublishedAt, " ", d.Entry.Title, " ",
			d.Entry.Data["body"]))
	}
	return list
}

// statuses gives the status and the published title of each entry.
func (w *world) statuses() string {
	w.t.Helper()
	var list []string
	for _, text := range w.shown() {
		words := strings.Fields(text)
		list = append(list, words[0]+" "+words[1])
	}
	return strings.Join(list, ", ")
}

// TestUndoRelease takes back what a release changed. Readers see again what they saw before, and the release can be
// published again, with the same result.
func TestUndoRelease(t *testing.T) {
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	w := newWorld(t, c, 3)
	ctx := context.Background()
	if _, err := w.jobs.UndoRelease(ctx, editor, editor.UserID); cms.CodeOf(err) != cms.CodeNotFound {
		t.Errorf("no such release: %v", err)
	}
	id, before := w.released(c)
	o, err := w.jobs.ForeseeUndo(ctx, editor, id)
	w.must(err)
	if o != (bulk.Outlook{Total: 3, Tried: 3, Appear: 1, Change: 1, Pages: 1}) {
		t.Errorf("foreseen: %+v", o)
	}
	j, err := w.jobs.UndoRelease(ctx, editor, id)
	w.must(err)
	if _, err := w.jobs.UndoRelease(ctx, editor, id); cms.CodeOf(err) != cms.CodeConflict {
		t.Errorf("a second Undo while one runs: %v", err)
	}
	w.settle(c)
	if j, err = w.jobs.Get(ctx, editor, j.ID); err != nil || j.Status != bulk.Done || len(j.Failed) > 0 {
		t.Errorf("job: %+v %v", j, err)
	}
	if got := w.shown(); !slices.Equal(got, before) {
		t.Errorf("after Undo\n%q, before the release\n%q", got, before)
	}
	r, err := w.releases.Get(ctx, id)
	w.must(err)
	if r.Status != planning.ReleaseOpen || r.Done != 0 || len(r.Items) != 3 || !r.PublishedAt.IsZero() {
		t.Errorf("release: %+v", r)
	}
	if _, err := w.jobs.UndoRelease(ctx, editor, id); cms.CodeOf(err) != cms.CodeConflict {
		t.Errorf("Undo of an open release: %v", err)
	}
	w.publish(c, id)
	if got := w.statuses(); got != "published Post, published New, draft Post" {
		t.Errorf("published again: %s", got)
	}
}

// TestUndoReleaseInReview takes back the publication of an entry whose review somebody has asked for since. The request
// is then for the draft that comes back.
func TestUndoReleaseInReview(t *testing.T) {
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	w := newWorld(t, c, 3)
	ctx, reviews := context.Background(), &review.Reviews{Entries: w.schedules.Entries}
	id, before := w.released(c)
	_, err := reviews.Ask(ctx, editor, "posts", w.entries[1], nil)
	w.must(err)
	_, err = w.jobs.UndoRelease(ctx, editor, id)
	w.must(err)
	w.settle(c)
	if got := w.shown(); !slices.Equal(got, before) {
		t.Errorf("after Undo\n%q, before the release\n%q", got, before)
	}
	if r, err := reviews.Get(ctx, "posts", w.entries[1]); err != nil || r.State != "requested" || r.Version != "d2" {
		t.Errorf("the review: %+v %v", r, err)
	}
}

// TestUndoReleaseKeepsChanges leaves an entry as it is that somebody has changed since, names it, and takes back the
// rest. The next publication of the release does not touch it.
func TestUndoReleaseKeepsChanges(t *testing.T) {
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	w := newWorld(t, c, 3)
	ctx := context.Background()
	id, _ := w.released(c)
	_, err := w.schedules.Entries.SaveDraft(ctx, editor, "posts", w.entries[1], w.body(`{"title": "Later"}`), nil)
	w.must(err)
	j, err := w.jobs.UndoRelease(ctx, editor, id)
	w.must(err)
	w.settle(c)
	j, err = w.jobs.Get(ctx, editor, j.ID)
	w.must(err)
	if len(j.Failed) != 1 || j.Failed[0].ID != w.entries[1] || j.Failed[0].Code != cms.CodeConflict {
		t.Errorf("kept: %+v", j.Failed)
	}
	if got := w.statuses(); got != "draft Post, published New, published Post" {
		t.Errorf("after Undo: %s", got)
	}
	w.publish(c, id)
	if got := w.statuses(); got != "published Post, published New, draft Post" {
		t.Errorf("published again: %s", got)
	}
}

// TestUndoReleaseAfterFaults lets each call to the table of a worker that takes a release back fail in turn. Another
// worker goes on, and all is as it was before the release.
func TestUndoReleaseAfterFaults(t *testing.T) {
	for name, fault := range map[string]table.FaultKind{"answer lost": table.AnswerLost, "crash before": table.CrashBefore,
		"crash after": table.CrashAfter} {
		t.Run(name, func(t *testing.T) {
			for n, done := 1, false; !done && !t.Failed(); n++ {
				c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
				w := newWorld(t, c, 3)
				ctx := context.Background()
				id, before := w.released(c)
				j, err := w.jobs.UndoRelease(ctx, editor, id)
				w.must(err)
				faulty := table.NewFaulty(w.table, table.FaultAt(n, fault))
				_, _ = newProcess(faulty, c.Now).timers.Due(ctx)
				done = faulty.Calls() < n
				w.settle(c)
				r, err := w.releases.Get(ctx, id)
				w.must(err)
				if j, err = w.jobs.Get(ctx, editor, j.ID); err != nil || len(j.Failed) > 0 ||
					r.Status != planning.ReleaseOpen || !slices.Equal(w.shown(), before) {
					t.Errorf("after a fault at call %d: %+v %+v %q", n, j, r, w.shown())
				}
			}
		})
	}
}

// undoLast publishes a release of one item, takes it back, and returns the job.
func (w *world) undoLast(c *cmstest.Clock, item string) bulk.Job {
	w.t.Helper()
	ctx := context.Background()
	r, err := w.releases.Create(ctx, editor, w.body(`{"name": "R", "items": [`+item+`]}`))
	w.must(err)
	w.publish(c, r.ID)
	j, err := w.jobs.UndoRelease(ctx, editor, r.ID)
	w.must(err)
	w.settle(c)
	j, err = w.jobs.Get(ctx, editor, j.ID)
	w.must(err)
	return j
}

// TestUndoReleaseOfTree gives the pages of a tree back their states and places. It takes back each change of a page
// that was changed twice, all at the same time, and the publication of a page after those of the pages below it.
func TestUndoReleaseOfTree(t *testing.T) {
	const publish, unpublish = `"action": "publish"`, `"action": "unpublish"`
	for name, of := range map[string]struct {
		drafts  bool           // before the release
		items   []int          // positions of the pages
		actions map[int]string // by position
		changes int
	}{
		"up":   {items: []int{0}, actions: map[int]string{0: unpublish + `, "children": "up"`}, changes: 3},
		"down": {items: []int{0}, actions: map[int]string{0: unpublish + `, "children": "down"`}, changes: 4},
		"up and out": {items: []int{0, 1}, actions: map[int]string{0: unpublish + `, "children": "up"`,
			1: unpublish + `, "children": "down"`}, changes: 5},
		"published from below": {drafts: true, items: []int{3, 1, 0},
			actions: map[int]string{3: publish, 1: publish, 0: publish}, changes: 3},
	} {
		t.Run(name, func(t *testing.T) {
			c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
			w := newWorld(t, c, 0)
			ids := w.section()
			now, err := w.store.Site.Site(context.Background())
			w.must(err)
			for _, id := range slices.Backward(ids) {
				if of.drafts {
					_, err := w.schedules.Entries.Unpublish(context.Background(), editor, "pages", id, nil)
					w.must(err)
				}
			}
			look := func() (list []string) {
				for _, id := range ids {
					e, err := w.store.Content.Entry(context.Background(), now.Models["pages"], id)
					w.must(err)
					list = append(list, fmt.Sprint(e.Status, e.ParentID(), e.TreePosition(), e.PublishedAt))
				}
				return list
			}
			before := look()
			var items []string
			for _, i := range of.items {
				items = append(items, fmt.Sprintf(`{"model": "pages", "id": %q, %s}`, ids[i], of.actions[i]))
			}
			j := w.undoLast(c, strings.Join(items, ", "))
			if j.Status != bulk.Done || len(j.Failed) > 0 || j.Total != of.changes || j.Done != of.changes ||
				!slices.Equal(look(), before) {
				t.Errorf("job %+v\n%q, before the release\n%q", j, look(), before)
			}
		})
	}
}

// TestUndoReleaseOfSharedFields gives the translations of an entry the shared values back that they had before.
func TestUndoReleaseOfSharedFields(t *testing.T) {
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	w := newWorld(t, c, 0)
	ctx, use := context.Background(), w.schedules.Entries
	w.locale(`{"code": "de", "name": "German"}`)
	w.model(`{"slug": "goods", "name": "Goods", "localized": true,
		"fields": [{"name": "price", "type": "number", "translatable": false}]}`)
	one := w.entry("goods", `{"title": "One", "status": "published", "data": {"price": 1}}`)
	other := w.entry("goods", `{"title": "Eins", "locale": "de", "translation_of": "`+one+`"}`)
	w.draft("goods", one, `{"data": {"price": 2}}`)
	price := func(id string) string {
		d, err := use.DraftOrLive(ctx, "goods", id)
		w.must(err)
		return fmt.Sprintf("%v %v", d.Live.Data["price"], d.Entry.Data["price"])
	}
	j := w.undoLast(c, `{"model": "goods", "id": "`+one+`", "action": "publish"}`)
	if got := price(one) + ", " + price(other); len(j.Failed) > 0 || got != "1 2, 1 1" {
		t.Errorf("prices: %s, job %+v", got, j)
	}
}

// TestUndoReleaseByLostRights changes nothing for somebody who lost the account after the job began. Another Undo goes
// on later.
func TestUndoReleaseByLostRights(t *testing.T) {
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	w := newWorld(t, c, 3)
	ctx := context.Background()
	id, before := w.released(c)
	after := w.shown()
	for _, can := range []bool{false, true} {
		j, err := w.jobs.UndoRelease(ctx, editor, id)
		w.must(err)
		w.activate(editor, can)
		w.settle(c)
		j, err = w.jobs.Get(ctx, editor, j.ID)
		w.must(err)
		want, status := after, bulk.Failed
		if can {
			want, status = before, bulk.Done
		}
		if got := w.shown(); j.Status != status || !slices.Equal(got, want) {
			t.Errorf("active: %v, job %+v, %q", can, j, got)
		}
	}
}

// TestUndoReleaseOfNothing refuses a release that changed nothing, as it does one of a version that kept no record.
func TestUndoReleaseOfNothing(t *testing.T) {
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	w := newWorld(t, c, 1)
	ctx := context.Background()
	r, err := w.releases.Create(ctx, editor,
		w.body(`{"name": "R", "items": [{"model": "posts", "id": "`+w.entries[0]+`", "action": "unpublish"}]}`))
	w.must(err)
	w.publish(c, r.ID)
	if _, err := w.jobs.UndoRelease(ctx, editor, r.ID); cms.CodeOf(err) != cms.CodeConflict {
		t.Errorf("Undo of nothing: %v", err)
	}
}

// TestUndoReleaseNeedsNoApproval publishes again what a release unpublished, in a model whose publications need an
// approval, since readers have seen it before.
func TestUndoReleaseNeedsNoApproval(t *testing.T) {
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	w := newWorld(t, c, 1)
	ctx, use := context.Background(), w.schedules.Entries
	_, err := use.Publish(ctx, editor, "posts", w.entries[0], editing.PublishOptions{}, nil)
	w.must(err)
	_, err = (&site.Models{Store: w.store.Site, HasEntries: use.ModelHasEntries}).Update(ctx, editor, "posts",
		w.body(`{"review": 1}`), nil)
	w.must(err)
	if j := w.undoLast(c, `{"model": "posts", "id": "`+w.entries[0]+`", "action": "unpublish"}`); len(j.Failed) > 0 ||
		w.statuses() != "published Post" {
		t.Errorf("job %+v, %s", j, w.statuses())
	}
}
