package db_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/db"
	"headless/pkg/table"
	"headless/pkg/table/sim"
)

var counter = table.Key{Partition: "C#space", Sort: "n"}

// oldCount adds to one of 32 shards at random, as before processes kept to theirs.
func oldCount(t *db.Tx) {
	t.Add(table.Key{Partition: counter.Partition, Sort: db.CounterPrefix(counter.Sort) +
		fmt.Sprint(rand.IntN(32))}, 1)
}

// TestSpread has 200 processes change one counter twice a second each and check one of equal items:
// few of them meet another, and no change is lost.
func TestSpread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fence := func(shard int) table.Key {
			return table.Key{Partition: "X", Sort: fmt.Sprint(shard)}
		}
		check := table.Op{Kind: table.Check, If: table.Absent}
		old := refused(t, oldCount)
		now := refused(t, func(tx *db.Tx) {
			tx.Count(counter, 1)
			tx.DoSpread(check, fence, nil)
		})
		t.Logf("refused: %.1f %% with shards at random, %.1f %% now", 100*old, 100*now)
		if old < 0.15 || now > 0.05 {
			t.Error("too many are refused, or the instrument does not tell")
		}
	})
}

func refused(t *testing.T, change func(*db.Tx)) float64 {
	opts := sim.AWS()
	opts.HoldMin, opts.HoldMax = 20*time.Millisecond, 20*time.Millisecond
	opts.KeyWrites, opts.TableWrites = 10_000, 10_000
	const processes, changes = 200, 20
	tab := sim.New(opts)
	var wg sync.WaitGroup
	for p := range processes {
		wg.Go(func() {
			process := db.New(tab, time.Now)
			time.Sleep(time.Duration(p) * 500 * time.Millisecond / processes)
			for n := range changes {
				tx := process.Begin()
				tx.Put(table.Item{Key: table.Key{Partition: fmt.Sprint("E#", p), Sort: fmt.Sprint(n)}})
				change(tx)
				if err := process.Commit(t.Context(), tx); err != nil {
					t.Error(err)
				}
				time.Sleep(500 * time.Millisecond)
			}
		})
	}
	wg.Wait()
	u := tab.Usage()
	items, err := tab.Query(t.Context(), table.Range{Partition: counter.Partition,
		Prefix: db.CounterPrefix(counter.Sort)})
	total := int64(0)
	for _, item := range items {
		total += item.Count
	}
	if err != nil || total != processes*changes {
		t.Errorf("counted %d, want %d; %v", total, processes*changes, err)
	}
	return float64(u.Conflicts) / float64(u.Requests)
}

// TestSpreadInProcess finds that one writer after the other uses one item of a counter.
func TestSpreadInProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tab := sim.New(sim.AWS())
		process := db.New(tab, time.Now)
		count := func() {
			tx := process.Begin()
			tx.Count(counter, 1)
			tx.Put(table.Item{Key: table.Key{Partition: "E", Sort: fmt.Sprint(rand.Int64())}})
			if err := process.Commit(t.Context(), tx); err != nil {
				t.Error(err)
			}
		}
		for range 20 {
			count()
		}
		items, err := tab.Query(t.Context(), table.Range{Partition: counter.Partition})
		if err != nil || len(items) != 1 {
			t.Errorf("%d items for one writer; %v", len(items), err)
		}
	})
}
