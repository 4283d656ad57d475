package sim

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/must"
	"headless/pkg/table"
	"headless/pkg/table/tabletest"
)

func TestConformance(t *testing.T) {
	for name, opts := range map[string]Options{
		"kind": {},
		"conflict": {HoldMin: 100 * time.Microsecond, HoldMax: time.Millisecond, Unprocessed: 0.05,
			Late: time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			tabletest.Run(t, func(*testing.T) table.Table { return New(opts) })
		})
	}
}

func key(sort string) table.Key { return table.Key{Partition: "p", Sort: sort} }

func put(sort string, version int64) table.Op {
	return table.Op{Kind: table.Put, Item: table.Item{Key: key(sort), Version: version}}
}

// TestChecksConflict: a check in one transaction refuses a check of the same item in another, and
// both are billed.
func TestChecksConflict(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tab := New(AWS())
		check := table.Op{Kind: table.Check, Item: table.Item{Key: key("shared")}, If: table.Absent}
		var wg sync.WaitGroup
		for _, own := range []string{"a", "b"} {
			wg.Go(func() {
				if err := tab.Write(t.Context(), []table.Op{check, put(own, 1)}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if u := tab.Usage(); u.Conflicts == 0 || u.WriteUnits < 12 {
			t.Errorf("%+v", u)
		}
	})
}

// TestHalfATransaction: a batch may see half of a transaction.
func TestHalfATransaction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := AWS()
		opts.Unprocessed = 0
		tab := New(opts)
		torn := 0
		for version := range int64(50) {
			done := make(chan error, 1)
			go func() { done <- tab.Write(t.Context(), []table.Op{put("a", version), put("b", version)}) }()
			for range 10 {
				items, err := tab.Get(t.Context(), table.Strong, key("a"), key("b"))
				must.Do(t, err)
				if (items[0] == nil) != (items[1] == nil) || items[0] != nil &&
					items[0].Version != items[1].Version {
					torn++
				}
			}
			must.Do(t, <-done)
		}
		if torn == 0 {
			t.Error("no half transaction was seen")
		}
	})
}

// TestThroughput: a partition key gives 1,000 write units a second, and an eventual read may be
// late.
func TestThroughput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tab := New(AWS())
		start := time.Now()
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				for range 100 {
					if _, err := tab.Add(t.Context(), key("n"), 1, 1<<40, 0); err != nil &&
						!errors.Is(err, table.ErrUnavailable) {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if rate := 5000 / time.Since(start).Seconds(); rate > 1300 {
			t.Errorf("%.0f writes a second of one key", rate)
		}
		if u := tab.Usage(); u.Throttled == 0 {
			t.Errorf("%+v", u)
		}
	})
}

// TestDeadConnections: all requests but a count are made again.
func TestDeadConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tab := New(AWS())
		tab.Freeze(1)
		if err := tab.Write(t.Context(), []table.Op{put("a", 1)}); err != nil {
			t.Error(err)
		}
		tab.Freeze(1)
		if _, err := tab.Add(t.Context(), key("n"), 1, 10, 0); !errors.Is(err, table.ErrUnavailable) {
			t.Errorf("%v, want unavailable", err)
		}
	})
}

// TestStream: records of an item come in order, with repeats, and failed ones come again.
func TestStream(t *testing.T) {
	tab := New(Options{Seed: 3})
	for version := range int64(100) {
		must.Do(t, tab.Write(t.Context(), []table.Op{put("a", version)}))
	}
	seen, calls, highest := 0, 0, int64(-1)
	tab.Deliver(0, 10, func(records []Record) []int {
		calls++
		for i, r := range records {
			if r.New.Version > highest+1 {
				t.Fatalf("version %d after %d", r.New.Version, highest)
			}
			if seen++; calls == 3 && i == 5 {
				return []int{5}
			}
			highest = max(highest, r.New.Version)
		}
		return nil
	})
	if highest != 99 || seen <= 100 {
		t.Errorf("%d seen, up to version %d", seen, highest)
	}
}
