package benchsim

import (
	"context"
	"errors"
	"flag"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/editing"
	"headless/pkg/must"
	"headless/pkg/rooms"
)

var reindexed = flag.Int("reindexed", 1000, "entries whose index is built anew")

// The sweeper begins to build every five minutes, each time as a new process. It may take 290 seconds,
// of which tasks leave the last minute.
const sweeps, sweep = 5 * time.Minute, 230 * time.Second

// TestReindex builds the index of a model anew, and says what that means for a million entries.
func TestReindex(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLoad(t)
		var wg sync.WaitGroup
		for w := range 8 {
			wg.Go(func() {
				for n := w; n < *reindexed; n += 8 {
					if err := l.save(t.Context(), l.entries, w, n); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		fields := []any{
			map[string]any{"name": "text", "type": "text", "searchable": true}, map[string]any{"name": "num", "type": "number"},
			map[string]any{"name": "flag", "type": "boolean"}, map[string]any{"name": "day", "type": "date"},
		}
		if _, err := l.models.Update(t.Context(), l.actor, "things", map[string]any{"fields": fields}, nil); err != nil {
			t.Fatal(err)
		}
		l.table.Reset()
		start, runs := time.Now(), 0
		used, _ := usage(t)
		for err := context.DeadlineExceeded; errors.Is(err, context.DeadlineExceeded); runs++ {
			time.Sleep(time.Until(start.Add(time.Duration(runs) * sweeps)))
			ctx, cancel := context.WithTimeout(t.Context(), sweep)
			err = (&editing.Entries{Store: rooms.New(l.table, time.Now).Content}).Reindex(ctx)
			cancel()
			if err != nil && !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
		}
		took, n := time.Since(start), float64(*reindexed)
		u := l.table.Usage()
		million := func(d time.Duration) time.Duration { return time.Duration(float64(d) * 1e6 / n).Round(time.Minute) }
		processor, memory := usage(t)
		t.Logf("%d entries: %v in %d sweeps, %.1f read and %.1f write units each; a million take %v of %v sweeps on "+
			"DynamoDB and %v of a processor of this machine; table and program had %d MB", *reindexed, took.Round(time.Second),
			runs, u.ReadUnits/n, u.WriteUnits/n,
			million(took-time.Duration(runs-1)*(sweeps-sweep)), sweep, million(processor-used), memory>>10)
	})
}

// usage returns the processor time of this process and the most memory that it had, in KiB, those of
// the simulated table included.
func usage(t *testing.T) (processor time.Duration, memory int64) {
	t.Helper()
	var u syscall.Rusage
	must.Do(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), int64(u.Maxrss)
}
