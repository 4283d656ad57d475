package benchsim

import (
	"flag"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

var reindexed = flag.Int("reindexed", 1000, "entries whose index is built anew")

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
		start, used := time.Now(), processorTime(t)
		if err := l.entries.Reindex(t.Context()); err != nil {
			t.Fatal(err)
		}
		took, n := time.Since(start), float64(*reindexed)
		u := l.table.Usage()
		million := func(d time.Duration) time.Duration { return time.Duration(float64(d) * 1e6 / n).Round(time.Minute) }
		t.Logf("%d entries: %.1f read and %.1f write units each; a million take %v on DynamoDB and %v of a processor of this machine",
			*reindexed, u.ReadUnits/n, u.WriteUnits/n, million(took), million(processorTime(t)-used))
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
