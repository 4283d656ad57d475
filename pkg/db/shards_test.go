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

// check is of one of equal items.
var check = table.Op{Kind: table.Check, If: table.Absent}

func fence(shard int) table.Key { return table.Key{Partition: "X", Sort: fmt.Sprint(shard)} }

// TestSpread has 200 processes check one of equal items twice a second each and count: few of them
// meet another, and no change is lost.
func TestSpread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		old := refused(t, func(tx *db.Tx) { // as before processes kept to their shards
			at := check
			at.Item.Key = fence(rand.IntN(32))
			tx.Do(at, nil)
		})
		now := refused(t, func(tx *db.Tx) { tx.DoSpread(check, fence, nil) })
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
				tx.Count(db.Counter{Space: "space#en", Name: "n"}, 1)
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
	rows, err := tab.Query(t.Context(), table.Range{Partition: db.ChangesPartition("space")})
	if err != nil || len(rows) != processes*changes {
		t.Errorf("%d change rows, want %d; %v", len(rows), processes*changes, err)
	}
	return float64(u.Conflicts) / float64(u.Requests)
}

// TestSpreadInProcess finds that one writer after the other uses one of the items.
func TestSpreadInProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		process := db.New(sim.New(sim.AWS()), time.Now)
		used := map[table.Key]bool{}
		for range 20 {
			tx := process.Begin()
			tx.DoSpread(check, fence, nil)
			tx.Put(table.Item{Key: table.Key{Partition: "E", Sort: fmt.Sprint(rand.Int64())}})
			if err := process.Commit(t.Context(), tx); err != nil {
				t.Error(err)
			}
			used[tx.Ops[0].Item.Key] = true
		}
		if len(used) != 1 {
			t.Errorf("%d items for one writer", len(used))
		}
	})
}
