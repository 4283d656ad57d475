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
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/planning/bulk"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// ran starts a job, lets it end, and returns it.
func (w *world) ran(c *cmstest.Clock, actor cms.Actor, body string) bulk.Job {
	w.t.Helper()
	j, err := w.jobs.Create(context.Background(), actor, w.body(body))
	w.must(err)
	c.Advance(time.Second)
	w.settle(c)
	j, err = w.jobs.Get(context.Background(), actor, j.ID)
	w.must(err)
	if c.Advance(time.Second); j.Status != bulk.Done || len(j.Failed) > 0 {
		w.t.Fatalf("job %+v", j)
	}
	return j
}

func takeBack(of string) string { return `{"action": "revert", "model": "posts", "of": "` + of + `"}` }

// TestTakeBackLargeJob takes back a job over more entries than a request may name. What somebody has saved since stays,
// and the job names it.
func TestTakeBackLargeJob(t *testing.T) {
	const entries = 10_050
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	w := newWorld(t, c, entries)
	ctx := context.Background()
	now, err := w.store.Site.Site(ctx)
	w.must(err)
	job := w.ran(c, editor, `{"action": "archive", "model": "posts", "filter": {}}`)
	for _, id := range w.entries[:20] {
		_, err := w.schedules.Entries.Update(ctx, editor, "posts", id, w.body(`{"title": "Later"}`), nil)
		w.must(err)
	}
	undo, err := w.jobs.Create(ctx, editor, w.body(takeBack(job.ID)))
	w.must(err)
	w.settle(c)
	undo, err = w.jobs.Get(ctx, editor, undo.ID)
	w.must(err)
	if undo.Status != bulk.Done || undo.Done != entries || len(undo.Failed) != 20 ||
		undo.Failed[0].Code != cms.CodeConflict || !slices.Contains(w.entries[:20], undo.Failed[0].ID) {
		t.Errorf("job %+v", undo)
	}
	held := slice.Map(w.entries, func(id string) content.Reference {
		return content.Reference{Model: now.Models["posts"], ID: id}
	})
	all, err := w.store.Content.EntriesByID(ctx, held)
	w.must(err)
	archived := 0
	for _, e := range all {
		if e.Status == cms.StatusArchived {
			archived++
		}
	}
	if archived != 20 {
		t.Errorf("%d entries are archived", archived)
	}
}

// wide notes how many rows of jobs a query returns at most.
type wide struct {
	table.Table
	rows int
}

func (t *wide) Query(ctx context.Context, r table.Range) ([]table.Item, error) {
	rows, err := t.Table.Query(ctx, r)
	if strings.HasPrefix(r.Partition, "JOB#") {
		t.rows = max(t.rows, len(rows))
	}
	return rows, err
}

// published makes a world in which three entries are published, and a job over three chunks that has unpublished
// them. It left all others as they were.
func published(t *testing.T, c *cmstest.Clock) (w *world, job bulk.Job) {
	w = newWorld(t, c, 1_040)
	entries := w.entries
	w.entries = []string{entries[0], entries[520], entries[1_039]}
	for _, id := range w.entries {
		_, err := w.schedules.Entries.Publish(context.Background(), editor, "posts", id, editing.PublishOptions{}, nil)
		w.must(err)
	}
	return w, w.ran(c, editor, `{"action": "unpublish", "model": "posts", "filter": {}}`)
}

// TestTakeBackAfterFaults lets each call to the table of a worker that takes a job back fail in turn, also between the
// steps that copy its ids. Another worker goes on, no step reads more rows than a chunk has, and each entry is
// published once.
func TestTakeBackAfterFaults(t *testing.T) {
	begin := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	c := cmstest.NewClock(begin)
	base, job := published(t, c)
	for name, fault := range map[string]table.FaultKind{"answer lost": table.AnswerLost, "crash before": table.CrashBefore,
		"crash after": table.CrashAfter} {
		t.Run(name, func(t *testing.T) {
			for n, done := 1, false; !done && !t.Failed(); n++ {
				w := base.copied(t, c)
				counted := &wide{Table: w.table}
				ctx := context.Background()
				j, err := w.jobs.Create(ctx, editor, w.body(takeBack(job.ID)))
				w.must(err)
				faulty := table.NewFaulty(counted, table.FaultAt(n, fault))
				_, _ = newProcess(faulty, c.Now).timers.Due(ctx)
				if done = faulty.Calls() < n; done && n < 30 {
					t.Errorf("only %d calls", n-1)
				}
				w.settle(c)
				j, err = w.jobs.Get(ctx, editor, j.ID)
				w.must(err)
				events := w.events(cms.EventEntryPublished)
				for _, id := range w.entries {
					if events[id] != 2 {
						t.Errorf("fault at call %d: %s was published %d times", n, id, events[id])
					}
				}
				if j.Status != bulk.Done || j.Done != 3 || j.Total != 3 || len(j.Failed) > 0 || counted.rows > 500 ||
					w.statuses() != "published Post, published Post, published Post" {
					t.Errorf("fault at call %d: job %+v, %d rows, %s", n, j, counted.rows, w.statuses())
				}
				_ = w.table.Close()
			}
		})
	}
}

// TestTakeBackTakenBack takes jobs back, and takes that back: it is then as after the job.
func TestTakeBackTakenBack(t *testing.T) {
	for _, body := range []string{`"action": "publish"`, `"action": "unpublish"`, `"action": "archive"`,
		`"action": "set", "set": {"data": {"body": "set"}}`, `"action": "delete"`,
		`"action": "replace_text", "find": "Post", "replace": "Page"`} {
		t.Run(body, func(t *testing.T) {
			c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
			w := newWorld(t, c, 4)
			ctx, use := context.Background(), w.schedules.Entries
			for _, id := range w.entries[2:] {
				_, err := use.Publish(ctx, editor, "posts", id, editing.PublishOptions{}, nil)
				w.must(err)
			}
			if !strings.Contains(body, "publish") {
				w.draft("posts", w.entries[3], `{"title": "Post draft"}`)
			}
			look := func() (list []string) {
				for _, id := range w.entries {
					d, err := use.DraftOrLive(ctx, "posts", id)
					if cms.CodeOf(err) == cms.CodeEntryNotFound {
						continue
					}
					w.must(err)
					list = append(list, fmt.Sprint(d.Live.Status, d.Live.Title, d.Live.Data, d.Entry.Title, d.Entry.Data))
				}
				return list
			}
			before := look()
			c.Advance(time.Second)
			job := w.ran(c, editor, `{"model": "posts", "filter": {}, `+body+`}`)
			after := look()
			if slices.Equal(before, after) {
				t.Fatal("the job changed nothing")
			}
			for range 2 {
				for _, want := range [][]string{before, after} {
					w.must(w.jobs.MayTakeBack(ctx, editor, job.ID))
					was := job.ID
					job = w.ran(c, editor, takeBack(was))
					if got := look(); !slices.Equal(got, want) {
						t.Errorf("%s, then\n%q, want\n%q", job.Action, got, want)
					}
					if _, err := w.jobs.Create(ctx, editor, w.body(takeBack(was))); cms.CodeOf(err) != cms.CodeConflict ||
						w.jobs.MayTakeBack(ctx, editor, was) == nil {
						t.Errorf("taken back twice: %v", err)
					}
				}
			}
		})
	}
}

// TestTakeBackOfTree restores the pages that a job deleted below another one at their places.
func TestTakeBackOfTree(t *testing.T) {
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	w := newWorld(t, c, 0)
	ids := w.section()
	ctx := context.Background()
	now, err := w.store.Site.Site(ctx)
	w.must(err)
	look := func() (list []string) {
		for _, id := range ids {
			e, err := w.store.Content.Entry(ctx, now.Models["pages"], id)
			if err != nil {
				return nil
			}
			list = append(list, fmt.Sprint(e.Status, e.ParentID(), e.TreePosition()))
		}
		return list
	}
	before := look()
	for _, action := range []string{"delete", "unpublish"} {
		job := w.ran(c, editor, `{"action": "`+action+`", "model": "pages", "children": "down",
			"ids": ["`+ids[2]+`", "`+ids[0]+`", "`+ids[1]+`"]}`)
		if slices.Equal(look(), before) {
			t.Fatal("the job changed nothing")
		}
		w.ran(c, editor, `{"action": "revert", "model": "pages", "of": "`+job.ID+`"}`)
		if got := look(); !slices.Equal(got, before) {
			t.Errorf("%s taken back:\n%q, before it\n%q", action, got, before)
		}
	}
}

// TestTakeBackAfterRoomWasMade takes back jobs over a page that got another position, to make room for another page,
// before the job or after it. The page keeps that position, since the job did not move it.
func TestTakeBackAfterRoomWasMade(t *testing.T) {
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	w := newWorld(t, c, 0)
	id, ctx, position := w.section()[2], context.Background(), 10.0
	now, err := w.store.Site.Site(ctx)
	w.must(err)
	pages := now.Models["pages"]
	makeRoom := func() {
		rec, err := w.store.Content.EntryForChange(ctx, pages, id)
		w.must(err)
		tx := w.store.Site.Begin()
		content.Reposition(tx, pages, rec, position)
		w.must(w.store.Site.Commit(ctx, tx))
	}
	for _, action := range []string{`"unpublish"`, `"set", "set": {"seo": {"title": "S"}}`} {
		for _, before := range []bool{true, false} {
			if position++; before {
				makeRoom()
			}
			job := w.ran(c, editor, `{"action": `+action+`, "model": "pages", "ids": ["`+id+`"]}`)
			if !before {
				makeRoom()
			}
			w.ran(c, editor, `{"action": "revert", "model": "pages", "of": "`+job.ID+`"}`)
			e, err := w.store.Content.Entry(ctx, pages, id)
			w.must(err)
			if e.TreePosition() != position || e.SEO.Title != "" || e.Status != cms.StatusPublished {
				t.Errorf("%s, room was made before it: %v: %s at %v, want %v", action, before, e.Status, e.TreePosition(), position)
			}
		}
	}
}

// TestTakeBackByOthers lets somebody else who may change the entries take a job back, by own rights.
func TestTakeBackByOthers(t *testing.T) {
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	w := newWorld(t, c, 3)
	ctx := context.Background()
	job := w.ran(c, editor, `{"action": "publish", "model": "posts", "filter": {}}`)
	other := cms.Actor{Name: "other@example.com", Source: cms.SourceAdmin, UserID: "other"}
	reads := cms.Rule{Models: []string{"posts"}, Actions: []cms.Action{cms.ActionRead}}
	for code, rules := range map[cms.Code][]cms.Rule{cms.CodeForbidden: {reads}, cms.CodeNotFound: nil} {
		as := cms.WithPermissions(ctx, cms.NewPermissions(rules))
		if err := w.jobs.MayTakeBack(as, other, job.ID); cms.CodeOf(err) != code {
			t.Errorf("may take back: %v, want %s", err, code)
		}
		if _, err := w.jobs.Create(as, other, w.body(takeBack(job.ID))); err == nil {
			t.Errorf("taken back without the rights of %v", rules)
		}
	}
	w.activate(other, false)
	failed, err := w.jobs.Create(ctx, other, w.body(takeBack(job.ID)))
	w.must(err)
	w.settle(c)
	if failed, err = w.jobs.Get(ctx, other, failed.ID); err != nil || failed.Status != bulk.Failed ||
		w.statuses() != "published Post, published Post, published Post" {
		t.Errorf("without an account: %+v %v %s", failed, err, w.statuses())
	}
	w.activate(other, true)
	if w.ran(c, other, takeBack(job.ID)); w.statuses() != "draft Post, draft Post, draft Post" {
		t.Errorf("by somebody else: %s", w.statuses())
	}
}
