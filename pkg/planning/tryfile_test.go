package planning_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
	"headless/pkg/planning/bulk"
	"headless/pkg/table"
)

// goods makes a model with a unique field and two entries, and returns a file for it: its rows take slugs and unique
// values of those entries, leave them for later rows, take those of rows far above them, and change one entry twice.
func (w *world) goods() (file string) {
	w.t.Helper()
	w.model(`{"slug": "goods", "name": "Goods", "fields": [{"name": "code", "type": "text", "unique": true}]}`)
	var ids []string
	for _, code := range []string{"old", "kept"} {
		ids = append(ids, w.entry("goods", `{"title": "`+code+`", "data": {"code": "`+code+`"}}`))
	}
	var b strings.Builder
	b.WriteString("id,title,slug,data.code\n" + ids[0] + ",Moved,moved,new\n")
	for i := range 130 {
		fmt.Fprintf(&b, ",Row %d,,code-%d\n", i, i%100) // the last 30 repeat codes
	}
	for _, row := range []string{",Old code,,old", ",Other,row-5,", ",Kept,,kept", ",New,,new", ",Row 1,,last",
		ids[0] + ",Moved again,moved,new"} {
		b.WriteString(row + "\n")
	}
	return b.String()
}

// tryFile starts a job with a file.
func (w *world) tryFile(file string, dry bool) bulk.Job {
	w.t.Helper()
	j, err := w.jobs.ImportCSV(context.Background(), editor, "goods", strings.NewReader(file),
		bulk.CSVOptions{Publish: true, DryRun: dry}, nil)
	w.must(err)
	return j
}

// ended lets timers go on until none is left, and returns the result of a job.
func (w *world) ended(c *cmstest.Clock, id string) *bulk.CSVResult {
	w.t.Helper()
	w.settle(c)
	j, err := w.jobs.Get(context.Background(), editor, id)
	w.must(err)
	if j.Status != bulk.Done {
		w.t.Fatalf("job %+v", j)
	}
	return j.Result
}

// TestTriedFileInParts tries a file in several short invocations, and after a fault at each of its writes. It finds
// what a job finds that saves the file.
func TestTriedFileInParts(t *testing.T) {
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	base := newWorld(t, c, 0)
	file := base.goods()
	saved := base.copied(t, c)
	want := saved.ended(c, saved.tryFile(file, false).ID)
	if want.Created != 102 || want.Updated != 3 || len(want.Failed) != 32 {
		t.Fatalf("saved: %+v", want)
	}
	t.Run("short", func(t *testing.T) {
		w := base.copied(t, c)
		j := w.tryFile(file, true)
		ticking := func() time.Time { // each look at the clock takes a while, so the work ends after some rows
			c.Advance(100 * time.Millisecond)
			return c.Now()
		}
		parts := 0
		for next := cms.At(c.Now()); !next.IsZero() && parts < 500; parts++ {
			var err error
			next, err = newProcess(w.table, ticking).jobs.Work(context.Background(), j.ID)
			w.must(err)
		}
		if got := w.ended(c, j.ID); parts < 4 || !reflect.DeepEqual(got, want) {
			t.Errorf("in %d parts:\n%+v, saved\n%+v", parts, got, want)
		}
	})
	for name, fault := range map[string]table.FaultKind{"throttled": table.Throttled, "answer lost": table.AnswerLost,
		"crash before": table.CrashBefore, "crash after": table.CrashAfter} {
		t.Run(name, func(t *testing.T) {
			for n, done := 1, false; !done && !t.Failed(); n++ {
				w := base.copied(t, c)
				j := w.tryFile(file, true)
				writes := 0
				faulty := table.NewFaulty(w.table, func(call table.Call) (f table.Fault) {
					if call.Method == "Write" {
						if writes++; writes == n {
							f.Kind = fault
						}
					}
					return f
				})
				_, _ = newProcess(faulty, c.Now).timers.Due(context.Background())
				if done = writes < n; done && n < 8 {
					t.Errorf("only %d writes", writes)
				}
				if got := w.ended(c, j.ID); !reflect.DeepEqual(got, want) {
					t.Errorf("after a fault at write %d:\n%+v, saved\n%+v", n, got, want)
				}
				_ = w.table.Close()
			}
		})
	}
}
