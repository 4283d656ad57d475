package planning_test

import (
	"context"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
	"headless/pkg/editing/takeback"
	"headless/pkg/planning/bulk"
	"headless/pkg/table"
)

// TestTakeBackTranslations lets each call to the table of a worker that takes a file from translators back fail in
// turn. Another worker goes on; each entry and alternative text is as before once, and nothing counts as changed since.
func TestTakeBackTranslations(t *testing.T) {
	begin := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	c := cmstest.NewClock(begin)
	base := newWorld(t, c, 3)
	ctx := context.Background()
	base.draft("posts", base.entries[1], `{"title": "First"}`)
	base.draft("posts", base.entries[2], `{"title": "First"}`)
	base.draft("posts", base.entries[2], `{"title": "Second"}`)
	job, err := base.jobs.Record(ctx, editor, bulk.ActionTranslate, "posts",
		[]string{base.entries[0], base.entries[1], base.entries[2], takeback.Item(cms.AreaMedia, oldFile)},
		map[string]takeback.Saved{
			base.entries[0]: {Version: 1, Created: true}, base.entries[1]: {Draft: 1, First: true},
			base.entries[2]:                       {Draft: 2},
			takeback.Item(cms.AreaMedia, oldFile): {Text: &takeback.Text{Locale: "en", Was: "was", Now: "now"}}})
	base.must(err)
	for name, fault := range map[string]table.FaultKind{"answer lost": table.AnswerLost, "crash before": table.CrashBefore,
		"crash after": table.CrashAfter} {
		t.Run(name, func(t *testing.T) {
			for n, done := 1, false; !done && !t.Failed(); n++ {
				w, alt := base.copied(t, c), "now"
				texts := map[string]takeback.PutText{cms.AreaMedia: func(_ context.Context, _ cms.Actor, _, _, text string,
					ok func(string) error) error {
					if err := ok(alt); err != nil {
						return err
					}
					alt = text
					return nil
				}}
				w.jobs.Texts = texts
				j, err := w.jobs.Create(ctx, editor, w.body(takeBack(job.ID)))
				w.must(err)
				faulty := table.NewFaulty(w.table, table.FaultAt(n, fault))
				first := newProcess(faulty, c.Now)
				first.jobs.Texts = texts
				_, _ = first.timers.Due(ctx)
				if done = faulty.Calls() < n; done && n < 20 {
					t.Errorf("only %d calls", n-1)
				}
				w.settle(c)
				j, err = w.jobs.Get(ctx, editor, j.ID)
				w.must(err)
				if j.Status != bulk.Done || j.Done != 4 || len(j.Failed) > 0 || alt != "was" {
					t.Errorf("fault at call %d: job %+v, alternative text %q", n, j, alt)
				}
				_, err = w.schedules.Entries.DraftOrLive(ctx, "posts", w.entries[0])
				if cms.CodeOf(err) != cms.CodeEntryNotFound {
					t.Errorf("fault at call %d: the new entry: %v", n, err)
				}
				for i, want := range map[int]string{1: "Post", 2: "First"} {
					d, err := w.schedules.Entries.DraftOrLive(ctx, "posts", w.entries[i])
					w.must(err)
					if d.Entry.Title != want || (d.Info == nil) != (i == 1) {
						t.Errorf("fault at call %d: entry %d has the title %q", n, i, d.Entry.Title)
					}
				}
				again, err := w.jobs.Create(ctx, editor, w.body(takeBack(j.ID)))
				w.must(err)
				w.settle(c)
				again, err = w.jobs.Get(ctx, editor, again.ID)
				w.must(err)
				if again.Status != bulk.Done || again.Done != 4 || len(again.Failed) > 0 || alt != "now" {
					t.Errorf("fault at call %d: the undo of the undo %+v, alternative text %q", n, again, alt)
				}
				for i, want := range []string{"Post", "First", "Second"} {
					d, err := w.schedules.Entries.DraftOrLive(ctx, "posts", w.entries[i])
					w.must(err)
					if d.Entry.Title != want || (d.Info == nil) != (i == 0) {
						t.Errorf("fault at call %d: after both, entry %d has the title %q", n, i, d.Entry.Title)
					}
				}
				_ = w.table.Close()
			}
		})
	}
}
