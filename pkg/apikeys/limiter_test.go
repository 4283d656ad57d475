package apikeys

import (
	"context"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"headless/pkg/must"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

// TestLimitOfManyProcesses: what all processes let through is never more than the limit, and takes
// few writes.
func TestLimitOfManyProcesses(t *testing.T) {
	now := time.Unix(1_700_000_000, 0).Truncate(time.Minute)
	clock := func() time.Time { return now }
	tb := openTable(t, bolt.WithClock(clock))
	counting := table.NewCounting(tb)
	var processes []*Store
	for range 5 {
		processes = append(processes, New(counting, clock))
	}
	for _, limit := range []int64{1, 7, 1000, 60_000} {
		now = now.Add(time.Minute)
		counting.Reset()
		passed := int64(0)
		for refused := 0; refused < len(processes); {
			refused = 0
			for _, p := range processes {
				n, ok, err := p.Count(context.Background(), "k", limit)
				switch {
				case err != nil:
					t.Fatal(err)
				case ok && n <= limit:
					passed++
				default:
					refused++
				}
			}
		}
		if passed != limit {
			t.Errorf("limit %d: %d passed", limit, passed)
		}
		if u := counting.Snapshot(); limit >= 1000 && u.WriteUnits > float64(limit)/5 {
			t.Errorf("limit %d: %.0f write units", limit, u.WriteUnits)
		}
	}
}

// TestLimitOfManyRequests: requests at once of one process pass the limit as those one by one do, whether or
// not the process has counted before.
func TestLimitOfManyRequests(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	clock := func() time.Time { return now }
	s := New(openTable(t, bolt.WithClock(clock)), clock)
	for _, want := range []int64{20, 0} {
		var passed atomic.Int64
		var group sync.WaitGroup
		for range 64 {
			group.Go(func() {
				n, ok, err := s.Count(t.Context(), "k", 20)
				if err != nil {
					t.Error(err)
				} else if ok && n <= 20 {
					passed.Add(1)
				}
			})
		}
		if group.Wait(); passed.Load() != want {
			t.Errorf("%d passed, want %d", passed.Load(), want)
		}
	}
}

func openTable(t *testing.T, opts ...bolt.Option) table.Table {
	t.Helper()
	tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), append(opts, bolt.WithoutSync())...)
	must.Do(t, err)
	t.Cleanup(func() {
		if err := tb.Close(); err != nil {
			t.Error(err)
		}
	})
	return tb
}
