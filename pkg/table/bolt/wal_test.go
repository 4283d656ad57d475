package bolt

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"headless/pkg/table"
)

// abandon stops a table as a crash does: the records of its log do not reach the file.
func abandon(t *testing.T, tab *Table) {
	t.Helper()
	if err := tab.db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := tab.Close(); err == nil && tab.view.Load().recent.Len() > 0 {
		t.Fatal("the table was closed without an error")
	}
}

func writePair(t *testing.T, tab *Table, n int) {
	t.Helper()
	keys := pair(n)
	ops := []table.Op{{Item: table.Item{Key: keys[0], Version: int64(n)}}, {Item: table.Item{Key: keys[1]}}}
	if err := tab.Write(t.Context(), ops); err != nil {
		t.Fatal(err)
	}
}

// pairs counts the writes of writePair that are there, and expects each to be whole.
func pairs(t *testing.T, tab *Table) int {
	t.Helper()
	a, errA := tab.Query(t.Context(), table.Range{Partition: "a"})
	b, errB := tab.Query(t.Context(), table.Range{Partition: "b"})
	if errA != nil || errB != nil || len(a) != len(b) {
		t.Fatalf("%d and %d items, %v, %v", len(a), len(b), errA, errB)
	}
	return len(a)
}

// TestCutLog opens a table whose log was cut at each of its bytes: every write that is whole in it
// is there, and nothing of a cut one.
func TestCutLog(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; make check leaves it out")
	}
	path := filepath.Join(t.TempDir(), "test.db")
	tab, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var ends []int64 // of the records
	for n := range 2 {
		writePair(t, tab, n)
		ends = append(ends, tab.log.size)
	}
	abandon(t, tab)
	log, err := os.ReadFile(segmentPath(path, 1))
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range int64(len(log) + 1) {
		path := filepath.Join(t.TempDir(), "test.db")
		if err := errors.Join(os.WriteFile(path, file, 0o600),
			os.WriteFile(segmentPath(path, 1), log[:cut], 0o600)); err != nil {
			t.Fatal(err)
		}
		tab, err := Open(path, WithoutSync())
		if err != nil {
			t.Fatal(err)
		}
		whole := 0
		for whole < len(ends) && ends[whole] <= cut {
			whole++
		}
		if got := pairs(t, tab); got != whole {
			t.Errorf("cut at %d: %d writes, want %d", cut, got, whole)
		}
		if err := tab.Close(); err != nil {
			t.Fatal(err)
		}
		for n, err := range segments(path) {
			t.Errorf("cut at %d: segment %d is left, %v", cut, n, err)
		}
	}
}

// TestSegments opens tables with the segments that a crash may leave, and with one that only a
// fault of the disk leaves.
func TestSegments(t *testing.T) {
	record := func(key string, value []byte) []byte {
		l := &wal{path: filepath.Join(t.TempDir(), "x"), noSync: true}
		if err := errors.Join(l.next(), l.append(appendChange(make([]byte, recordHeader), []byte(key), value))); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(segmentPath(l.path, 1))
		l.end()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	value := func(version int64) []byte { return appendValue(nil, &table.Item{Version: version}) }
	one, two, gone := record("p\x00s", value(1)), record("p\x00s", value(2)), record("p\x00s", nil)
	cut := two[:len(two)-1]
	for name, c := range map[string]struct {
		segments [][]byte
		flushed  uint64
		want     int64 // version of the item; 0: no item
		err      string
	}{
		"none":                        {},
		"in order":                    {segments: [][]byte{one, two}, want: 2},
		"deleted":                     {segments: [][]byte{one, gone}},
		"cut at the end":              {segments: [][]byte{one, cut}, want: 1},
		"in the file already":         {segments: [][]byte{one}, flushed: 1},
		"first one in the file":       {segments: [][]byte{gone, two}, flushed: 1, want: 2},
		"cut before another one":      {segments: [][]byte{cut, one}, err: "damaged"},
		"empty after the flushed one": {segments: [][]byte{one, nil}, flushed: 1},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "test.db")
			tab, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			err = errors.Join(tab.write(flush{newLayer(), c.flushed}), tab.Close())
			for i, b := range c.segments {
				err = errors.Join(err, os.WriteFile(segmentPath(path, uint64(i+1)), b, 0o600))
			}
			if err != nil {
				t.Fatal(err)
			}
			tab, err = Open(path)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("got %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got, err := tab.Get(t.Context(), table.Strong, table.Key{Partition: "p", Sort: "s"})
			if err != nil || (got[0] == nil) != (c.want == 0) || got[0] != nil && got[0].Version != c.want {
				t.Errorf("got %v, %v", got[0], err)
			}
			if err := tab.Close(); err != nil {
				t.Fatal(err)
			}
			for n, err := range segments(path) {
				t.Errorf("segment %d is left, %v", n, err)
			}
		})
	}
}

// TestLayers compares reads with a map, while changes move from the log into the file and the
// table is closed or abandoned and opened again.
func TestLayers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	r := rand.New(rand.NewPCG(1, 2))
	want := map[string]int64{}
	var tab *Table
	open := func() {
		var err error
		if tab, err = Open(path, flushingFrom(1+r.Int64N(4000))); err != nil {
			t.Fatal(err)
		}
	}
	open()
	for step := range 1500 {
		sort := fmt.Sprintf("%02d", r.IntN(60))
		key := table.Key{Partition: "p", Sort: sort}
		op := table.Op{Item: table.Item{Key: key, Version: int64(step + 1)}}
		if r.IntN(3) == 0 {
			op.Kind = table.Delete
			delete(want, sort)
		} else {
			want[sort] = op.Item.Version
		}
		if err := tab.Write(t.Context(), []table.Op{op}); err != nil {
			t.Fatal(err)
		}
		switch r.IntN(100) {
		case 0:
			if err := tab.Close(); err != nil {
				t.Fatal(err)
			}
			open()
		case 1:
			waitFlushing(t, tab)
			abandon(t, tab)
			open()
		}
		expect(t, tab, r, want)
	}
	if err := tab.Close(); err != nil {
		t.Fatal(err)
	}
}

// waitFlushing waits until no flush runs.
func waitFlushing(t *testing.T, tab *Table) {
	t.Helper()
	waitUntil(t, "a flush does not end", func() bool { return tab.view.Load().flushing == nil })
}

// expect compares a random range, in both directions, and one item.
func expect(t *testing.T, tab *Table, r *rand.Rand, want map[string]int64) {
	t.Helper()
	q := table.Range{Partition: "p", From: fmt.Sprintf("%02d", r.IntN(60)),
		To: fmt.Sprintf("%02d", r.IntN(70)), Reverse: r.IntN(2) == 0, Limit: r.IntN(8)}
	var sorts []string
	for _, sort := range slices.Sorted(maps.Keys(want)) {
		if sort >= q.From && sort < q.To {
			sorts = append(sorts, sort)
		}
	}
	if q.Reverse {
		slices.Reverse(sorts)
	}
	if q.Limit > 0 {
		sorts = sorts[:min(q.Limit, len(sorts))]
	}
	got, err := tab.Query(t.Context(), q)
	if err != nil || len(got) != len(sorts) {
		t.Fatalf("%+v: got %v, %v, want %v", q, got, err, sorts)
	}
	for i, item := range got {
		if item.Sort != sorts[i] || item.Version != want[item.Sort] {
			t.Fatalf("%+v: got %v, want %s of %d", q, item, sorts[i], want[sorts[i]])
		}
	}
	one, err := tab.Get(t.Context(), table.Strong, table.Key{Partition: "p", Sort: "07"})
	if err != nil || (one[0] == nil) != (want["07"] == 0) || one[0] != nil && one[0].Version != want["07"] {
		t.Fatalf("got %v, %v, want %d", one[0], err, want["07"])
	}
}

// TestSnapshots reads while every commit is put into the file at once: the two items that each
// write changes together always have one version.
func TestSnapshots(t *testing.T) {
	tab := openTest(t, flushingFrom(1))
	both := []table.Key{{Partition: "p", Sort: "a"}, {Partition: "p", Sort: "b"}}
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for ctx.Err() == nil {
				got, err := tab.Get(t.Context(), table.Strong, both...)
				if err != nil {
					t.Error(err)
					return
				}
				if got[0] != nil && (got[1] == nil || got[0].Version != got[1].Version) {
					t.Errorf("half of a write: %v, %v", got[0], got[1])
				}
				list, err := tab.Query(t.Context(), table.Range{Partition: "p"})
				if err != nil || len(list) == 1 || len(list) == 2 && list[0].Version != list[1].Version {
					t.Errorf("half of a write: %v, %v", list, err)
				}
			}
		})
	}
	for n := range 300 {
		ops := []table.Op{{Item: table.Item{Key: both[0], Version: int64(n)}},
			{Item: table.Item{Key: both[1], Version: int64(n)}}}
		if n%10 == 9 {
			ops[0].Kind, ops[1].Kind = table.Delete, table.Delete
		}
		if err := tab.Write(t.Context(), ops); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	wg.Wait()
}

// TestReadBehindFlush has a reader that waits between the view and the file until a flush has
// begun: the file may have changes that the view lacks, so both are read again.
func TestReadBehindFlush(t *testing.T) {
	tab := openTest(t, flushingFrom(1))
	before := tab.view.Load()
	writePair(t, tab, 1)
	for {
		now := tab.view.Load()
		begun, ended := now.flushing != nil, now.flushes > before.flushes
		if (begun || ended) && tab.current(before) {
			t.Fatal("a read would see the later changes of the file below the earlier ones of the view")
		}
		if ended {
			return
		}
		runtime.Gosched()
	}
}

// TestSlowFile has a file that takes no changes for a while: writes go on, and all of them reach
// the file afterwards.
func TestSlowFile(t *testing.T) {
	tab := openTest(t, flushingFrom(1))
	held, err := tab.db.Begin(true) // nobody else can write to the file
	if err != nil {
		t.Fatal(err)
	}
	for n := range 50 {
		writePair(t, tab, n)
	}
	if got := pairs(t, tab); got != 50 {
		t.Errorf("%d writes are seen, want 50", got)
	}
	if err := held.Rollback(); err != nil {
		t.Fatal(err)
	}
	waitFlushed(t, tab)
	if items, _ := stored(t, tab); items != 100 {
		t.Errorf("%d items are in the file, want 100", items)
	}
}
