package bolt

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"headless/pkg/must"
	"headless/pkg/table"
)

func stored(t *testing.T, tab *Table) (items, expiry int) {
	t.Helper()
	err := tab.db.View(func(tx *bbolt.Tx) error {
		items, expiry = tx.Bucket(itemsBucket).Stats().KeyN, tx.Bucket(expiryBucket).Stats().KeyN
		return nil
	})
	must.Do(t, err)
	return items, expiry
}

// waitFlushed waits until everything is in the file.
func waitFlushed(t *testing.T, tab *Table) {
	t.Helper()
	waitUntil(t, "changes are not put into the file", func() bool {
		v := tab.view.Load()
		return v.flushing == nil && v.recent.Len() == 0
	})
}

func waitUntil(t *testing.T, otherwise string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(otherwise)
		}
	}
}

func TestPurge(t *testing.T) {
	var seconds atomic.Int64
	seconds.Store(1000)
	tab := openTest(t, flushingFrom(1), WithClock(func() time.Time { return time.Unix(seconds.Load(), 0) }))
	var puts []table.Item
	for i := range 30 {
		puts = append(puts, table.Item{Key: table.Key{Partition: "p", Sort: fmt.Sprint(i)},
			Expires: int64(1000 + i)})
	}
	puts[5].Expires, puts[6].Expires = 0,
		5000 // written again below, so that the index is out of date for them
	stale := []table.Item{puts[5], puts[6]}
	stale[0].Expires, stale[1].Expires = 1002, 1003
	for _, batch := range [][]table.Item{stale, puts} {
		must.Do(t, tab.BatchWrite(t.Context(), batch, nil))
	}
	for i := range 10 {
		if _, err := tab.Add(t.Context(), table.Key{Partition: "c", Sort: fmt.Sprint(i)}, 1, 1, int64(1001+i)); err != nil {
			t.Fatal(err)
		}
	}
	waitFlushed(t, tab)
	seconds.Store(1007)
	tab.purge()
	if items, expiry := stored(t, tab); items != 24 || expiry != 23 {
		t.Errorf("%d items and %d index entries are left, want 24 and 23", items, expiry)
	}
	counters := 0
	for i := range tab.counters.shards {
		counters += len(tab.counters.shards[i].m)
	}
	if counters != 3 {
		t.Errorf("%d counters are left, want 3", counters)
	}
	seconds.Store(9000)
	tab.purge()
	got, err := tab.Query(t.Context(), table.Range{Partition: "p"})
	if err != nil || len(got) != 1 || got[0].Sort != "5" {
		t.Errorf("left: %v, %v", got, err)
	}
	if items, expiry := stored(t, tab); items != 1 || expiry != 0 {
		t.Errorf("%d items and %d index entries are left, want 1 and 0", items, expiry)
	}
}
