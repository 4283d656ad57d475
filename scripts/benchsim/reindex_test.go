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
	"headless/pkg/rooms"
)

var reindexed = flag.Int("reindexed", 1000, "entries whose index is built anew")

// The sweeper begins to build every five minutes, each time as a new process that ends after four.
const sweeps, sweep = 5 * time.Minute, 4 * time.Minute

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
		start, used, runs := time.Now(), processorTime(t), 0
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
		t.Logf("%d entries: %v in %d sweeps, %.1f read and %.1f write units each; a million take %v of %v sweeps on DynamoDB and %v of a processor of this machine",
			*reindexed, took.Round(time.Second), runs, u.ReadUnits/n, u.WriteUnits/n,
			million(took-time.Duration(runs-1)*(sweeps-sweep)), sweep, million(processorTime(t)-used))
	})
}

// processorTime returns the processor time of this process, that of the simulated table included.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
