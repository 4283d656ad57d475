package sim

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/table"
)

// These tests keep small copies of how the first version used the table, with the faults that it
// had on DynamoDB and emulators never showed. Each must keep failing here in the way that it did:
// they prove the instrument.

const oldShards = 8

func siteRow(shard int) table.Key {
	return table.Key{Partition: fmt.Sprint("CONFIG#", shard), Sort: "v"}
}

func counterRow(shard int) table.Key {
	return table.Key{Partition: "C#space", Sort: fmt.Sprint("n", shard)}
}

// oldSave checks the configuration of the site and adds to a counter, each one of eight, in the
// transaction of an entry.
func oldSave(id string, shard int) []table.Op {
	return []table.Op{
		{Kind: table.Check, Item: table.Item{Key: siteRow(shard)}, If: table.Absent},
		{Kind: table.Add, Item: table.Item{Key: counterRow(shard), Count: 1}},
		{Kind: table.Put, Item: table.Item{Key: table.Key{Partition: "E#" + id, Sort: "a"}},
			If: table.Absent},
	}
}

// newSave touches nothing that other saves touch.
func newSave(id string, _ int) []table.Op {
	return []table.Op{
		{Kind: table.Put, Item: table.Item{Key: table.Key{Partition: "E#" + id, Sort: "a"}},
			If: table.Absent},
		{Kind: table.Put, Item: table.Item{Key: table.Key{Partition: "Q#" + id, Sort: "a"}},
			If: table.Absent},
	}
}

// hotWriters has 200 writers save for some seconds and tells how many saves succeeded a second, and
// the share of refused attempts.
func hotWriters(t *testing.T, save func(id string, shard int) []table.Op) (rate, refused float64) {
	const writers, span = 200, 5 * time.Second
	opts := AWS()
	opts.HoldMin, opts.HoldMax = 20*time.Millisecond, 20*time.Millisecond
	tab := New(opts)
	var saved atomic.Int64
	var wg sync.WaitGroup
	end := time.Now().Add(span)
	for w := range writers {
		wg.Go(func() {
			for n := 0; time.Now().Before(end); n++ {
				err := tab.Write(t.Context(), save(fmt.Sprint(w, ".", n), (w+n)%oldShards))
				if err == nil {
					saved.Add(1)
				} else if !errors.Is(err, table.ErrUnavailable) {
					t.Error(err)
				}
				time.Sleep(250 * time.Millisecond) // a writer has more to do than to save
			}
		})
	}
	wg.Wait()
	u := tab.Usage()
	return float64(saved.Load()) / span.Seconds(), float64(u.Conflicts+u.Throttled) / float64(u.Requests)
}

// TestOldHotItems: items that all saves share make most attempts fail.
func TestOldHotItems(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		oldRate, oldRefused := hotWriters(t, oldSave)
		newRate, newRefused := hotWriters(t, newSave)
		t.Logf("shared items: %.0f saves/s, %.0f %% of attempts refused; none shared: %.0f saves/s, %.0f %%",
			oldRate, 100*oldRefused, newRate, 100*newRefused)
		if oldRefused < 0.4 || newRefused > 0.02 || newRate < 1.2*oldRate {
			t.Error("the instrument does not tell them apart")
		}
	})
}

// TestOldSiteChange: a change of the configuration that needs all eight copies at once starves
// beside an importer.
func TestOldSiteChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, test := range map[string]struct {
			save  func(id string, shard int) []table.Op
			works bool
		}{"old": {oldSave, false}, "new": {newSave, true}} {
			tab := New(AWS())
			var stop atomic.Bool
			var wg sync.WaitGroup
			for w := range 16 {
				wg.Go(func() {
					for n := 0; !stop.Load(); n++ {
						_ = tab.Write(t.Context(),
							test.save(fmt.Sprint(w, ".", n), (w+n)%oldShards)) // one in a hundred gives up
					}
				})
			}
			time.Sleep(time.Second)
			failed := 0
			for version := range int64(10) {
				var ops []table.Op
				for shard := range oldShards {
					ops = append(ops,
						table.Op{Kind: table.Put, Item: table.Item{Key: siteRow(shard), Version: version}})
				}
				if err := tab.Write(t.Context(), ops); err != nil {
					failed++
				}
				for shard := range oldShards { // as it was: the importer reads the new version
					_ = tab.BatchWrite(t.Context(), nil, []table.Key{siteRow(shard)})
				}
			}
			stop.Store(true)
			wg.Wait()
			t.Logf("%s: %d of 10 changes of the site failed", name, failed)
			if test.works && failed > 0 || !test.works && failed < 5 {
				t.Errorf("%s: %d of 10 failed", name, failed)
			}
		}
	})
}

// TestOldLimitCounter: one counter item for each request of a key ends at 1,000 requests a second.
func TestOldLimitCounter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rate := func(block int64) float64 {
			tab := New(AWS())
			var passed atomic.Int64
			var wg sync.WaitGroup
			end := time.Now().Add(3 * time.Second)
			for range 100 {
				wg.Go(func() {
					for time.Now().Before(end) {
						if _, err := tab.Add(t.Context(), key("limit"), block, 1<<40, 0); err == nil {
							passed.Add(block)
						}
					}
				})
			}
			wg.Wait()
			return float64(passed.Load()) / 3
		}
		one, blocks := rate(1), rate(16)
		t.Logf("one by one: %.0f requests/s of a key; in blocks of 16: %.0f", one, blocks)
		if one > 1400 || blocks < 10_000 {
			t.Error("the instrument does not tell them apart")
		}
	})
}
