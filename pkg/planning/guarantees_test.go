package planning_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
	"headless/pkg/planning"
	"headless/pkg/planning/bulk"
	"headless/pkg/review"
	"headless/pkg/table"
)

// work is something planned whose effect is that all entries of a world are published.
type work struct {
	name    string
	entries int
	plan    func(w *world, at time.Time) (ref string)
	run     func(p *process, ref string) error
	check   func(w *world, ref string)
}

var works = []work{
	{"schedule", 1, planEntry,
		func(p *process, ref string) error {
			_, err := p.schedules.Fire(context.Background(),
				ref)
			return err
		}, noCheck},
	{"job", 3, planJob,
		func(p *process, ref string) error {
			_,
				err := p.jobs.Work(context.Background(), ref)
			return err
		}, checkJob},
	{"release", 3, planRelease,
		func(p *process, ref string) error {
			_, err := p.releases.Work(context.Background(),
				ref)
			return err
		}, checkRelease},
}

func noCheck(*world, string) {}

func planEntry(w *world, at time.Time) string {
	w.t.Helper()
	body := map[string]any{"publish_at": at.Format(time.RFC3339)}
	_, err := w.schedules.Put(context.Background(), editor, "posts", w.entries[0], body)
	w.must(err)
	now, err := w.store.Site.Site(context.Background())
	w.must(err)
	return now.Models["posts"].ID + "/" + w.entries[0]
}

func planJob(w *world, _ time.Time) string {
	w.t.Helper()
	ids := []any{}
	for _, id := range w.entries {
		ids = append(ids, id)
	}
	j, err := w.jobs.Create(context.Background(), editor,
		map[string]any{"action": "publish", "model": "posts", "ids": ids})
	w.must(err)
	return j.ID
}

func checkJob(w *world, ref string) {
	w.t.Helper()
	j, err := w.jobs.Get(context.Background(), cms.Actor{}, ref)
	w.must(err)
	if j.Status != bulk.Done || j.Done != len(w.entries) || j.Total != j.Done || len(j.Failed) != 0 {
		w.t.Errorf("job %+v", j)
	}
}

func planRelease(w *world, at time.Time) string {
	w.t.Helper()
	var items []string
	for _, id := range w.entries {
		items = append(items, fmt.Sprintf(`{"model": "posts", "id": %q, "action": "publish"}`, id))
	}
	text := fmt.Sprintf(`{"name": "R", "publish_at": %q, "items": [%s]}`, at.Format(time.RFC3339),
		strings.Join(items, ","))
	r, err := w.releases.Create(context.Background(), editor, w.body(text))
	w.must(err)
	return r.ID
}

func checkRelease(w *world, ref string) {
	w.t.Helper()
	r, err := w.releases.Get(context.Background(), ref)
	w.must(err)
	events := w.events(cms.EventReleasePublished)
	if r.Status != planning.ReleasePublished || r.Done != len(w.entries) || len(r.Problems) != 0 ||
		events[ref] != 1 {
		w.t.Errorf("release %+v, events %v", r, events)
	}
}

// planned is a world in which something is due.
func (k work) planned(t *testing.T) (*world, *cmstest.Clock, string) {
	t.Helper()
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	w := newWorld(t, c, k.entries)
	ref := k.plan(w, c.Now().Add(time.Minute))
	c.Advance(time.Minute)
	return w, c, ref
}

// TestFaultAtEveryCall lets each call of a worker to the table fail in turn. Another worker then
// finishes the plans within 90 seconds (extensions §4), and each entry is published exactly
// once.
func TestFaultAtEveryCall(t *testing.T) {
	faults := map[string]table.FaultKind{"throttled": table.Throttled,
		"answer lost": table.AnswerLost, "crash before": table.CrashBefore, "crash after": table.CrashAfter}
	for _, k := range works {
		for name, fault := range faults {
			t.Run(k.name+"/"+name, func(t *testing.T) {
				for n, done := 1, false; !done && !t.Failed(); n++ {
					w, c, ref := k.planned(t)
					faulty := table.NewFaulty(w.table, table.FaultAt(n, fault))
					_, err := newProcess(faulty, c.Now).timers.Due(context.Background())
					if done = faulty.Calls() < n; done && err != nil {
						t.Fatalf("without a fault: %v", err)
					}
					if done && n < 15 {
						t.Errorf("only %d calls", n-1)
					}
					if took := w.settle(c); took > 90*time.Second {
						t.Errorf("took %s", took)
					}
					w.publishedOnce()
					k.check(w, ref)
					if t.Failed() {
						t.Logf("fault at call %d", n)
					}
				}
			})
		}
	}
}

// TestRivalAtEveryCall lets a second worker, for which the first is away too long, do everything
// before each call of the first in turn.
func TestRivalAtEveryCall(t *testing.T) {
	for _, k := range works {
		t.Run(k.name, func(t *testing.T) {
			for n, done := 1, false; !done && !t.Failed(); n++ {
				w, c, ref := k.planned(t)
				rival := func() {
					c.Advance(31 * time.Second) // behind the lease
					if err := k.run(newProcess(w.table, c.Now), ref); err != nil {
						t.Errorf("the rival: %v", err)
					}
				}
				faulty := table.NewFaulty(w.table, func(call table.Call) table.Fault {
					if call.N == n {
						return table.Fault{Before: rival}
					}
					return table.Fault{}
				})
				err := k.run(newProcess(faulty, c.Now), ref)
				done = faulty.Calls() < n
				if err != nil {
					t.Errorf("the first: %v", err)
				}
				w.settle(c)
				w.publishedOnce()
				k.check(w, ref)
				if t.Failed() {
					t.Logf("rival before call %d", n)
				}
			}
		})
	}
}

// TestWorkersRace lets workers begin at once.
func TestWorkersRace(t *testing.T) {
	for _, k := range works {
		t.Run(k.name, func(t *testing.T) {
			w, c, ref := k.planned(t)
			var group sync.WaitGroup
			for range 4 {
				group.Go(func() {
					if _, err := newProcess(w.table, c.Now).timers.Due(context.Background()); err != nil {
						t.Error(err)
					}
				})
			}
			group.Wait()
			w.settle(c)
			w.publishedOnce()
			k.check(w, ref)
		})
	}
}

// TestLateness finds a planned change made at its time, and after a standstill if it is at most 24
// hours late.
func TestLateness(t *testing.T) {
	for _, test := range []struct {
		late time.Duration
		made bool
	}{{0, true}, {time.Hour, true}, {24 * time.Hour, true},
		{24*time.Hour + time.Millisecond, false}, {72 * time.Hour, false}} {
		t.Run(test.late.String(), func(t *testing.T) {
			c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
			w := newWorld(t, c, 1)
			ref := planEntry(w, c.Now().Add(time.Minute))
			c.Advance(time.Minute - time.Millisecond)
			if _, err := w.timers.Due(context.Background()); err != nil ||
				len(w.events(cms.EventEntryPublished)) != 0 {
				t.Fatal("it was made before its time", err)
			}
			c.Advance(time.Millisecond + test.late)
			if err := works[0].run(w.process, ref); err != nil {
				t.Fatal(err)
			}
			if w.settle(c); test.made {
				w.publishedOnce()
				return
			}
			planned, err := w.schedules.Get(context.Background(), "posts", w.entries[0])
			w.must(err)
			failed := w.events(cms.EventEntryScheduleFailed)[w.entries[0]]
			if planned.Error == nil || planned.Error.Code != cms.CodeUnavailable || failed != 1 ||
				len(w.events(cms.EventEntryPublished)) != 0 {
				t.Errorf("planned %+v, %d failures", planned, failed)
			}
		})
	}
}

// TestAddressesInEvents: events about a page below another one name its whole address, also after a save that sends
// the parent back, and of changes that do not save it.
func TestAddressesInEvents(t *testing.T) {
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	w, ctx := newWorld(t, c, 0), t.Context()
	w.model(`{"slug": "pages", "name": "Pages", "tree": true, "url": "/{path}", "fields": []}`)
	above := w.entry("pages", `{"title": "Above"}`)
	below := w.entry("pages", `{"title": "Below", "status": "published", "parent": "`+above+`"}`)
	_, err := w.schedules.Entries.Update(ctx, editor, "pages", below, w.body(`{"parent": "`+above+`"}`), nil)
	w.must(err)
	w.draft("pages", below, `{"slug": "above"}`) // which is taken
	_, err = w.schedules.Put(ctx, editor, "pages", below, map[string]any{"publish_at": "2030-01-01T00:01:00Z"})
	w.must(err)
	reviews := &review.Reviews{Entries: w.schedules.Entries}
	_, err = reviews.Ask(ctx, editor, "pages", below, map[string]any{})
	w.must(err)
	_, err = reviews.Return(ctx, editor, "pages", below, map[string]any{"version": "d1", "note": "Not yet."})
	w.must(err)
	c.Advance(time.Minute)
	w.settle(c)
	for _, kind := range []string{cms.EventEntryPublished, cms.EventEntryUpdated, cms.EventEntryReviewRequested,
		cms.EventEntryReturned, cms.EventEntryScheduleFailed} {
		data := w.data(kind)
		if len(data) != 1 || data[0].URL != "/above/below" {
			t.Errorf("%s: %+v", kind, data)
		}
	}
}

// TestLateRelease finds a release that is more than 24 hours late failed, with nothing published.
func TestLateRelease(t *testing.T) {
	w, c, ref := works[2].planned(t)
	c.Advance(24*time.Hour + time.Millisecond)
	w.settle(c)
	r, err := w.releases.Get(context.Background(), ref)
	w.must(err)
	if r.Status != planning.ReleaseFailed || len(r.Problems) != 3 ||
		len(w.events(cms.EventEntryPublished)) != 0 || w.events(cms.EventReleaseFailed)[ref] != 1 {
		t.Errorf("release %+v", r)
	}
}

// TestStoppedJob finds that a job that is stopped before a worker's next step does nothing more,
// and cannot be stopped again.
func TestStoppedJob(t *testing.T) {
	w, c, ref := works[1].planned(t)
	w.must(w.jobs.Stop(context.Background(), editor, ref))
	w.settle(c)
	j, err := w.jobs.Get(context.Background(), cms.Actor{}, ref)
	w.must(err)
	if j.Status != bulk.Stopped || len(w.events(cms.EventEntryPublished)) != 0 {
		t.Errorf("job %+v", j)
	}
	var refused *cms.Error
	if err := w.jobs.Stop(context.Background(), editor, ref); !errors.As(err, &refused) ||
		refused.Code != cms.CodeConflict {
		t.Errorf("stopped again: %v", err)
	}
}

// TestRivalCrashes lets a second worker, which took the timer at the same instant, overtake the
// first and then crash.
func TestRivalCrashes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; make check leaves it out")
	}
	for _, k := range works[1:] {
		t.Run(k.name, func(t *testing.T) {
			for n := 1; n <= 14 && !t.Failed(); n++ {
				for m := 1; m <= 14 && !t.Failed(); m++ {
					w, c, ref := k.planned(t)
					rival := func() {
						faulty := table.NewFaulty(w.table, table.FaultAt(m, table.CrashAfter))
						_ = k.run(newProcess(faulty, c.Now), ref) // it is gone
					}
					overtaken := table.NewFaulty(w.table, func(call table.Call) table.Fault {
						if call.N == n {
							return table.Fault{Before: rival}
						}
						return table.Fault{}
					})
					if _, err := newProcess(overtaken, c.Now).timers.Due(context.Background()); err != nil {
						t.Error(err)
					}
					if took := w.settle(c); took > 90*time.Second {
						t.Errorf("took %s", took)
					}
					w.publishedOnce()
					k.check(w, ref)
					if t.Failed() {
						t.Logf("rival before call %d, gone after its call %d", n, m)
					}
				}
			}
		})
	}
}
