package journal

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"headless/pkg/must"
	"headless/pkg/table"
)

// world is a journal with a clock, and the items that it should have.
type world struct {
	t      *testing.T
	folder string
	now    time.Time
	tab    *Table
	random *rand.Rand
	want   []table.Item
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, folder: t.TempDir(), now: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC),
		random: rand.New(rand.NewPCG(1, 2))}
	w.open()
	t.Cleanup(func() { _ = w.tab.Close() })
	return w
}

func (w *world) open() {
	w.t.Helper()
	tab, err := Open(w.folder, func() time.Time { return w.now })
	must.Do(w.t, err)
	w.tab = tab
}

// add adds lines of about this time, some of them late, which expire after 30 days.
func (w *world) add(n int) {
	w.t.Helper()
	var items []table.Item
	for range n {
		w.now = w.now.Add(time.Duration(w.random.IntN(1000)) * time.Millisecond)
		at := w.now.Add(-time.Duration(w.random.IntN(60)) * time.Second)
		items = append(items, table.Item{
			Key: table.Key{Partition: fmt.Sprint("p", w.random.IntN(2)),
				Sort: fmt.Sprintf("%d-%d", at.UnixNano(), w.random.Int())},
			Body: make([]byte, w.random.IntN(3000)), Expires: at.AddDate(0, 0, 30).Unix(),
		})
	}
	must.Do(w.t, w.tab.BatchWrite(w.t.Context(), items, nil))
	w.want = append(w.want, items...)
}

// check compares random ranges.
func (w *world) check() {
	w.t.Helper()
	for range 20 {
		r := table.Range{Partition: "p0", Reverse: w.random.IntN(2) == 0, Limit: w.random.IntN(30)}
		for _, bound := range []*string{&r.From, &r.To} {
			if len(w.want) > 0 && w.random.IntN(2) == 0 {
				*bound = w.want[w.random.IntN(len(w.want))].Sort
			}
		}
		var want []string
		for _, i := range w.want {
			if i.Partition == r.Partition && i.Sort >= r.From && (r.To == "" || i.Sort < r.To) && i.Live(w.now) {
				want = append(want, i.Sort)
			}
		}
		slices.Sort(want)
		if r.Reverse {
			slices.Reverse(want)
		}
		if r.Limit > 0 {
			want = want[:min(r.Limit, len(want))]
		}
		got, err := w.tab.Query(w.t.Context(), r)
		if err != nil || !slices.EqualFunc(got, want, func(i table.Item, s string) bool { return i.Sort == s }) {
			w.t.Fatalf("%+v: %d items, want %d, %v", r, len(got), len(want), err)
		}
	}
}

// TestQueries compares queries with the plain meaning of a range over 40 days, in which the journal
// is closed, killed and opened again.
func TestQueries(t *testing.T) {
	w := newWorld(t)
	for range 80 {
		w.add(1 + w.random.IntN(60))
		w.now = w.now.Add(12 * time.Hour)
		if w.random.IntN(3) > 0 {
			if w.random.IntN(2) == 0 {
				must.Do(t, w.tab.Close())
			}
			w.open()
		}
		w.check()
	}
	files, err := filepath.Glob(filepath.Join(w.folder, "*"))
	if err != nil || len(files) > 2*2*32 {
		t.Errorf("%d files are left, %v", len(files), err)
	}
	if _, err := w.tab.Query(t.Context(), table.Range{Partition: "p0", Prefix: "\xff"}); err != nil {
		t.Error(err)
	}
}

// TestCutFile opens a journal whose file was cut at each of its bytes: what is whole is there.
func TestCutFile(t *testing.T) {
	w := newWorld(t)
	var ends []int64
	for range 3 {
		item := table.Item{Key: table.Key{Partition: "p", Sort: fmt.Sprint(len(ends))}, Body: []byte("line")}
		must.Do(t, w.tab.BatchWrite(t.Context(), []table.Item{item}, nil))
		ends = append(ends, w.tab.file.size)
	}
	name := w.tab.file.path
	whole, err := os.ReadFile(name)
	must.Do(t, err)
	for cut := range len(whole) + 1 {
		w.folder = t.TempDir()
		must.Do(t, os.WriteFile(filepath.Join(w.folder, filepath.Base(name)), whole[:cut], 0o600))
		w.open()
		want := 0
		for want < len(ends) && ends[want] <= int64(cut) {
			want++
		}
		for range 2 { // the second time with the index that the first one stored
			got, err := w.tab.Query(t.Context(), table.Range{Partition: "p"})
			if err != nil || len(got) != want {
				t.Errorf("cut at %d: %d items, want %d, %v", cut, len(got), want, err)
			}
			w.open()
		}
	}
}

// TestTwice adds an item again, as a copy that was interrupted does: it is listed once.
func TestTwice(t *testing.T) {
	w := newWorld(t)
	w.add(10)
	for range 2 {
		must.Do(t, w.tab.BatchWrite(t.Context(), w.want, nil))
	}
	w.check()
}

func TestOnlyAdds(t *testing.T) {
	w := newWorld(t)
	key := table.Key{Partition: "p", Sort: "s"}
	_, errGet := w.tab.Get(t.Context(), table.Strong, key)
	_, errAdd := w.tab.Add(t.Context(), key, 1, 1, 0)
	for _, err := range []error{errGet, errAdd, w.tab.Write(t.Context(), []table.Op{{Item: table.Item{Key: key}}}),
		w.tab.BatchWrite(t.Context(), nil, []table.Key{key})} {
		if err == nil {
			t.Error("an operation that the journal does not have succeeded")
		}
	}
	must.Do(t, w.tab.Close())
	_, err := w.tab.Query(t.Context(), table.Range{Partition: "p"})
	for _, err := range []error{err, w.tab.BatchWrite(t.Context(), []table.Item{{Key: key}}, nil)} {
		if !errors.Is(err, table.ErrUnavailable) {
			t.Errorf("after Close: %v", err)
		}
	}
}
