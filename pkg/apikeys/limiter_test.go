package apikeys

import (
	"context"
	"path/filepath"
	"testing"
	"time"

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

func openTable(t *testing.T, opts ...bolt.Option) table.Table {
	t.Helper()
	tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), append(opts, bolt.WithoutSync())...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tb.Close(); err != nil {
			t.Error(err)
		}
	})
	return tb
}
