package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.etcd.io/bbolt"

	"headless/pkg/must"
	"headless/pkg/table"
)

// abandon stops a table as a crash does: the records of its log do not reach the file.
func abandon(t *testing.T, tab *Table) {
	t.Helper()
	must.Do(t, tab.db.Close())
	if err := tab.Close(); err == nil && tab.view.Load().recent.Len() > 0 {
		t.Fatal("the table was closed without an error")
	}
}

func writePair(t *testing.T, tab *Table, n int) {
	t.Helper()
	keys := pair(n)
	ops := []table.Op{{Item: table.Item{Key: keys[0], Version: int64(n)}}, {Item: table.Item{Key: keys[1]}}}
	must.Do(t, tab.Write(t.Context(), ops))
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
// is there, and nothing of a cut one. Behind the cut, the file ends or has the records of a segment
// that was written there before.
func TestCutLog(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; make check leaves it out")
	}
	log, ends := logOfPairs(t, 1, 0, 1)
	older, _ := logOfPairs(t, 7, 0, 11, 12) // would continue the first record of log
	for cut := range int64(len(log) + 1) {
		for _, behind := range [][]byte{nil, older[cut:]} {
			left := slices.Concat(log[:cut], behind)
			want := 0 // writes that are whole: some bytes behind the cut may be the same
			for want < len(ends) && bytes.HasPrefix(left, log[:ends[want]]) {
				want++
			}
			path := filepath.Join(t.TempDir(), "test.db")
			must.Do(t, os.WriteFile(segmentPath(path, 1), left, 0o600))
			tab, err := Open(path, WithoutSync())
			must.Do(t, err)
			if got := pairs(t, tab); got != want {
				t.Errorf("cut at %d, %d bytes behind: %d writes, want %d", cut, len(behind), got, want)
			}
			must.Do(t, tab.Close())
			for n, err := range segments(path) {
				t.Errorf("cut at %d: segment %d is left, %v", cut, n, err)
			}
		}
	}
}

// logOfPairs writes pairs to a new table, and returns that segment of its log, and where each record
// of it ends.
func logOfPairs(t *testing.T, segment uint64, numbers ...int) (log []byte, ends []int64) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.db")
	tab, err := Open(path)
	must.Do(t, err)
	must.Do(t, errors.Join(tab.writeFlush(flush{newLayer(), segment - 1}), tab.Close()))
	if tab, err = Open(path); err != nil {
		t.Fatal(err)
	}
	for _, n := range numbers {
		writePair(t, tab, n)
		ends = append(ends, tab.log.size)
	}
	abandon(t, tab)
	if log, err = os.ReadFile(segmentPath(path, segment)); err != nil {
		t.Fatal(err)
	}
	return log, ends
}

// setting returns a record that sets the item p, s to a version; 0 deletes it.
func setting(version int64) []byte {
	var value []byte
	if version > 0 {
		value = encodeValue(&table.Item{Version: version})
	}
	return appendChange(make([]byte, recordHeader), []byte("p\x00s"), value)
}

// logOf returns segments, each with records that set the item p, s to versions. A negative version
// fails and is left behind the end.
func logOf(t *testing.T, versions ...[]int64) (files [][]byte) {
	t.Helper()
	l := &wal{path: filepath.Join(t.TempDir(), "x"), noSync: true}
	for i, of := range versions {
		must.Do(t, l.nextSegment())
		for _, v := range of {
			before := end{l.size, l.sum}
			must.Do(t, l.append(setting(max(v, -v))))
			if v < 0 {
				l.size, l.sum = before.size, before.sum
			}
		}
		b, err := os.ReadFile(segmentPath(l.path, uint64(i+1)))
		must.Do(t, err)
		files = append(files, b)
	}
	l.close()
	return files
}

// olderSegment returns a segment of the format before, which had no headers.
func olderSegment(versions ...int64) (file []byte) {
	for _, v := range versions {
		record := setting(v)
		binary.LittleEndian.PutUint32(record, uint32(len(record)-recordHeader))
		binary.LittleEndian.PutUint32(record[4:], crc32.Checksum(record[recordHeader:], castagnoli))
		file = append(file, record...)
	}
	return file
}

func cut(file []byte) []byte { return file[:len(file)-1] }

// TestSegments opens tables with the segments that a crash may leave, and with one that only a
// fault of the disk leaves.
func TestSegments(t *testing.T) {
	two, same := logOf(t, []int64{1}, []int64{2}), logOf(t, []int64{1, 2, 3})[0]
	gone, begun := logOf(t, []int64{1}, []int64{0}), logOf(t, []int64{1}, nil)
	failed, deep := logOf(t, []int64{1, -2}, []int64{3}), logOf(t, nil, nil, []int64{1}, []int64{4})
	for name, c := range map[string]struct {
		segments [][]byte
		flushed  uint64
		want     int64 // version of the item; 0: no item
		err      string
	}{
		"none":                            {},
		"in order":                        {segments: two, want: 2},
		"deleted":                         {segments: gone},
		"cut at the end":                  {segments: [][]byte{two[0], cut(two[1])}, want: 1},
		"in the file already":             {segments: two[:1], flushed: 1},
		"first one in the file":           {segments: two, flushed: 1, want: 2},
		"cut before another one":          {segments: [][]byte{cut(two[0]), two[1]}, err: "damaged"},
		"empty after another one":         {segments: begun, want: 1},
		"empty after the flushed one":     {segments: begun, flushed: 1},
		"used again and not begun":        {segments: [][]byte{two[0], same}, want: 1},
		"used again, not begun, in front": {segments: [][]byte{two[1], two[1]}, err: "damaged"},
		"used again, with a record":       {segments: [][]byte{slices.Concat(two[0], same[len(two[0]):])}, want: 1},
		"a failed record behind the last": {segments: failed, want: 3},
		"the same, and nothing after it":  {segments: failed[:1], want: 2},
		"of different logs":               {segments: [][]byte{two[0], deep[1]}, err: "damaged"},
		"zeros":                           {segments: [][]byte{make([]byte, 100)}},
		"older":                           {segments: [][]byte{olderSegment(1, 2), olderSegment(3)}, want: 3},
		"older, cut at the end":           {segments: [][]byte{olderSegment(1), cut(olderSegment(2))}, want: 1},
		"older, cut before another one":   {segments: [][]byte{cut(olderSegment(1)), olderSegment(2)}, err: "damaged"},
		"older, empty after the flushed":  {segments: [][]byte{olderSegment(1), nil}, flushed: 1},
	} {
		t.Run(name, func(t *testing.T) { openSegments(t, c.segments, c.flushed, c.want, c.err) })
	}
}

func openSegments(t *testing.T, files [][]byte, flushed uint64, want int64, failure string) {
	path := filepath.Join(t.TempDir(), "test.db")
	tab, err := Open(path)
	must.Do(t, err)
	err = errors.Join(tab.writeFlush(flush{newLayer(), flushed}), tab.Close())
	for i, b := range files {
		err = errors.Join(err, os.WriteFile(segmentPath(path, uint64(i+1)), b, 0o600))
	}
	must.Do(t, err)
	tab, err = Open(path)
	if failure != "" {
		if err == nil || !strings.Contains(err.Error(), failure) {
			t.Fatalf("got %v", err)
		}
		return
	}
	must.Do(t, err)
	got, err := tab.Get(t.Context(), table.Strong, table.Key{Partition: "p", Sort: "s"})
	if err != nil || (got[0] == nil) != (want == 0) || got[0] != nil && got[0].Version != want {
		t.Errorf("got %v, %v", got[0], err)
	}
	must.Do(t, tab.Close())
	for n, err := range segments(path) {
		t.Errorf("segment %d is left, %v", n, err)
	}
}

// TestRecycled flushes again and again: the log has one spare segment at most, and does not grow.
func TestRecycled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	tab, err := Open(path, flushingFrom(500), WithoutSync())
	must.Do(t, err)
	for n := range 200 {
		writePair(t, tab, n)
		if n%20 == 19 { // a flush takes all that was written meanwhile, and the writes are fast
			waitFlushing(t, tab)
		}
	}
	must.Do(t, tab.Close())
	if tab.log.segment < 5 { // nobody writes any more
		t.Errorf("only %d segments were begun", tab.log.segment)
	}
	if _, err := os.Stat(sparePath(path)); err != nil {
		t.Errorf("no segment is kept: %v", err)
	}
	again, err := Open(path)
	must.Do(t, err)
	defer again.Close()
	if got := pairs(t, again); got != 200 {
		t.Errorf("%d writes are left, want 200", got)
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
		op := table.Op{Item: table.Item{Key: key, Version: int64(step + 1), Body: make([]byte, r.IntN(runBytes))}}
		if r.IntN(3) == 0 {
			op.Kind = table.Delete
			delete(want, sort)
		} else {
			want[sort] = op.Item.Version
		}
		must.Do(t, tab.Write(t.Context(), []table.Op{op}))
		switch r.IntN(100) {
		case 0:
			must.Do(t, tab.Close())
			open()
		case 1:
			waitFlushing(t, tab)
			abandon(t, tab)
			open()
		case 2: // crash between two transactions of a flush
			waitFlushing(t, tab)
			_, scattered, err := tab.runs(tab.view.Load().recent)
			must.Do(t, err)
			err = tab.db.Update(func(tx *bbolt.Tx) error { return putChanges(tx, scattered, fillOfScattered) })
			must.Do(t, err)
			abandon(t, tab)
			open()
		}
		expect(t, tab, r, want)
	}
	must.Do(t, tab.Close())
}

// TestFullPages flushes items as entries are saved: those of one partition come in order, those of the
// other anywhere.
func TestFullPages(t *testing.T) {
	tab := openTest(t, WithoutSync())
	r := rand.New(rand.NewPCG(3, 4))
	value := encodeValue(&table.Item{Version: 1, Body: make([]byte, 250)})
	const flushes, rows = 40, 300
	for f := range flushes {
		changes := newLayer()
		for i := range rows {
			changes.Set(string(appendKey(nil, table.Key{Partition: "anywhere", Sort: fmt.Sprint(r.Uint64())})), value)
			sort := fmt.Sprintf("%09d", f*rows+i)
			changes.Set(string(appendKey(nil, table.Key{Partition: "in order", Sort: sort})), value)
		}
		must.Do(t, tab.writeFlush(flush{changes, 0}))
	}
	err := tab.db.View(func(tx *bbolt.Tx) error {
		s := tx.Bucket(itemsBucket).Stats()
		// Pages that are cut in halves at random are ln 2 full.
		if fill := float64(s.LeafInuse) / float64(s.LeafAlloc); s.KeyN != 2*flushes*rows || fill < 0.77 {
			t.Errorf("the pages of %d items are %.2f full", s.KeyN, fill)
		}
		return nil
	})
	must.Do(t, err)
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
		must.Do(t, tab.Write(t.Context(), ops))
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
	must.Do(t, err)
	for n := range 50 {
		writePair(t, tab, n)
	}
	if got := pairs(t, tab); got != 50 {
		t.Errorf("%d writes are seen, want 50", got)
	}
	must.Do(t, held.Rollback())
	waitFlushed(t, tab)
	if items, _ := stored(t, tab); items != 100 {
		t.Errorf("%d items are in the file, want 100", items)
	}
}
