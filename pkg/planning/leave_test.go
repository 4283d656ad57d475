package planning_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/planning"
	"headless/pkg/planning/bulk"
	"headless/pkg/table"
)

// section makes a tree of published entries: a root, two below it, and one below the first of these. It
// returns their ids, the root first.
func (w *world) section() (ids []string) {
	w.t.Helper()
	w.model(`{"slug": "pages", "name": "Pages", "tree": true}`)
	for i, parent := range []int{-1, 0, 0, 1} {
		above := "null"
		if parent >= 0 {
			above = fmt.Sprintf("%q", ids[parent])
		}
		ids = append(ids, w.entry("pages",
			fmt.Sprintf(`{"title": "Page %d", "status": "published", "parent": %s}`, i, above)))
	}
	return ids
}

// TestLeaveDownAfterFaults lets each call to the table of a worker that deletes a section fail in turn. Another
// worker then deletes the rest, each entry once and the root last.
func TestLeaveDownAfterFaults(t *testing.T) {
	for name, fault := range map[string]table.FaultKind{"answer lost": table.AnswerLost, "crash before": table.CrashBefore,
		"crash after": table.CrashAfter} {
		t.Run(name, func(t *testing.T) {
			for n, done := 1, false; !done && !t.Failed(); n++ {
				c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
				w := newWorld(t, c, 0)
				ids := w.section()
				started, err := w.jobs.Leave(context.Background(), editor, bulk.Exit{Action: bulk.ActionDelete, Model: "pages",
					ID: ids[0], Children: "down", Change: func(ctx context.Context, s *editing.Entries) error {
						return s.Delete(ctx, editor, "pages", ids[0], nil)
					}})
				w.must(err)
				faulty := table.NewFaulty(w.table, table.FaultAt(n, fault))
				_, _ = newProcess(faulty, c.Now).timers.Due(context.Background())
				if done = faulty.Calls() < n; done && n < 15 {
					t.Errorf("only %d calls", n-1)
				}
				w.deletedUpwards(ids)
				w.settle(c)
				j, err := w.jobs.Get(context.Background(), cms.Actor{}, started.ID)
				w.must(err)
				if events := w.events(cms.EventEntryDeleted); j.Status != bulk.Done || j.Done != len(ids) || j.Total != j.Done ||
					len(j.Failed) > 0 || len(events) != len(ids) {
					t.Errorf("fault at call %d: job %+v, deleted %v", n, j, events)
				} else {
					for id, times := range events {
						if times != 1 {
							t.Errorf("fault at call %d: %s was deleted %d times", n, id, times)
						}
					}
				}
			}
		})
	}
}

// deletedUpwards checks that no entry was deleted before those below it.
func (w *world) deletedUpwards(ids []string) {
	w.t.Helper()
	now, err := w.store.Site.Site(context.Background())
	w.must(err)
	var gone [4]bool
	for i, id := range ids {
		_, err := w.store.Content.Entry(context.Background(), now.Models["pages"], id)
		gone[i] = err != nil && cms.CodeOf(content.EntryNotFound(err)) == cms.CodeEntryNotFound
		if err != nil && !gone[i] {
			w.t.Fatal(err)
		}
	}
	if gone[0] && !(gone[1] && gone[2]) || gone[1] && !gone[3] {
		w.t.Errorf("an entry was deleted before those below it: %v", gone)
	}
}

// TestLeaveUpAfterFaults repeats a deletion whose request ended anywhere on the way: no entry is lost, and each
// moved once.
func TestLeaveUpAfterFaults(t *testing.T) {
	for n, done := 1, false; !done && !t.Failed(); n++ {
		c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
		w := newWorld(t, c, 0)
		ids := w.section()
		leave := func(p *process) error {
			_, err := p.jobs.Leave(context.Background(), editor, bulk.Exit{Action: bulk.ActionDelete, Model: "pages",
				ID: ids[0], Children: "up", Change: func(ctx context.Context, s *editing.Entries) error {
					return s.Delete(ctx, editor, "pages", ids[0], nil)
				}})
			return err
		}
		faulty := table.NewFaulty(w.table, table.FaultAt(n, table.CrashAfter))
		err := leave(newProcess(faulty, c.Now))
		if done = faulty.Calls() < n; done {
			w.must(err)
		} else if err = leave(newProcess(w.table, c.Now)); err != nil && cms.CodeOf(err) != cms.CodeEntryNotFound {
			t.Fatal(errors.Join(fmt.Errorf("fault at call %d", n), err))
		}
		now, err := w.store.Site.Site(context.Background())
		w.must(err)
		for i, parent := range map[int]string{1: "", 2: "", 3: ids[1]} {
			e, err := w.store.Content.Entry(context.Background(), now.Models["pages"], ids[i])
			w.must(err)
			if moved := i < 3; e.ParentID() != parent || moved && e.Version != 2 || e.Status != cms.StatusPublished {
				t.Errorf("fault at call %d: page %d below %q in version %d", n, i, e.ParentID(), e.Version)
			}
		}
	}
}

// TestReleaseOfSection publishes a release that unpublishes a section, the root first. Without one of the
// entries below, nothing is done.
func TestReleaseOfSection(t *testing.T) {
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	w := newWorld(t, c, 0)
	ids := w.section()
	for _, n := range []int{3, 4} {
		var items []string
		for _, id := range ids[:n] {
			items = append(items, fmt.Sprintf(`{"model": "pages", "id": %q, "action": "unpublish"}`, id))
		}
		r, err := w.releases.Create(context.Background(), editor,
			w.body(`{"name": "R", "items": [`+strings.Join(items, ",")+`]}`))
		w.must(err)
		_, err = w.releases.Publish(context.Background(), editor, r.ID)
		w.must(err)
		w.settle(c)
		if r, err = w.releases.Get(context.Background(), r.ID); err != nil ||
			(r.Status == planning.ReleasePublished) != (n == 4) {
			t.Errorf("%d of 4: release %+v, %v", n, r, err)
		}
	}
	if events := w.events(cms.EventEntryUnpublished); len(events) != len(ids) {
		t.Errorf("unpublished %v", events)
	}
}
