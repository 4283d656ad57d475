package fulltext

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/table"
	"headless/pkg/table/sim"
)

// ranksWorld is a text index with the index rows of a space, whose default order is a long text.
type ranksWorld struct {
	*Texts
	t        *testing.T
	counting *table.Counting
	keys     []string
}

const ranksSpace = "m.1#-#published"

func newRanksWorld(t *testing.T) *ranksWorld {
	t.Helper()
	counting := table.NewCounting(sim.New(sim.Options{}))
	w := &ranksWorld{Texts: NewTexts(db.New(counting, time.Now)), t: t, counting: counting}
	w.BinSize = 1
	return w
}

// add brings entries into the ranks, in their order.
func (w *ranksWorld) add(entries int) {
	w.t.Helper()
	var rows, pending []table.Item
	for range entries {
		var id uuid.UUID
		copy(id[:], fmt.Sprintf("%016d", len(w.keys)))
		key := fmt.Sprintf("%s %08d", strings.Repeat("a long beginning ", 20), len(w.keys)) + string(id[:])
		w.keys = append(w.keys, key)
		rows = append(rows, table.Item{Key: table.Key{
			Partition: index.RowPartition(ranksSpace, index.DefaultPath), Sort: key}})
		p := PendingChange{Ranked: Ranked{ranksSpace, key}}
		pending = append(pending, table.Item{Key: PendingKey("m.1", id), Version: 1, Body: p.Encode()})
	}
	w.write(rows)
	w.merge(pending)
}

func (w *ranksWorld) write(items []table.Item) {
	w.t.Helper()
	if err := w.Table.BatchWrite(w.t.Context(), items, nil); err != nil {
		w.t.Fatal(err)
	}
}

// merge merges changes and returns what that costs.
func (w *ranksWorld) merge(pending []table.Item) (writeUnits float64) {
	w.t.Helper()
	w.write(pending)
	w.counting.Reset()
	if n, err := w.MergeText(w.t.Context(), "m.1"); err != nil || n != len(pending) {
		w.t.Fatalf("%d of %d merged: %v", n, len(pending), err)
	}
	return w.counting.Snapshot().WriteUnits
}

func (w *ranksWorld) size() int {
	w.t.Helper()
	items, _, err := w.Ranks(w.t.Context(), []string{ranksSpace})
	if err != nil {
		w.t.Fatal(err)
	}
	return items[0].Size()
}

// TestRanksStaySmall counts so many entries that a bin for each few of them would not fit into an
// item any more.
func TestRanksStaySmall(t *testing.T) {
	w := newRanksWorld(t)
	for range 120 {
		w.add(40)
	}
	if size := w.size(); size > 160<<10 {
		t.Errorf("the ranks of %d entries have %d bytes", len(w.keys), size)
	}
	for _, skip := range []int{0, 1, 700, 2500, 4799} {
		from, passed, err := w.StartsOf(t.Context(), "m.1", []string{ranksSpace}, skip)
		if err != nil {
			t.Fatal(err)
		}
		before := 0
		for _, key := range w.keys {
			if key < from[ranksSpace] {
				before++
			}
		}
		if before != passed || passed > skip || skip-passed > len(w.keys)/8 {
			t.Errorf("before %d entries: begins at %d, where %d are passed", skip, before, passed)
		}
	}
}

// TestTextEditLeavesRanks finds that the merge of a text whose entry stays in its place costs the
// same, however many entries there are.
func TestTextEditLeavesRanks(t *testing.T) {
	w := newRanksWorld(t)
	edit := func() float64 {
		var id uuid.UUID
		copy(id[:], w.keys[0][len(w.keys[0])-16:])
		ranked := Ranked{ranksSpace, w.keys[0]}
		p := PendingChange{Counted: ranked, Ranked: ranked}
		return w.merge([]table.Item{{Key: PendingKey("m.1", id), Version: 2, Body: p.Encode()}})
	}
	w.add(10)
	few := edit()
	w.add(800)
	if many := edit(); many != few {
		t.Errorf("one edit takes %.0f write units of 10 entries, %.0f of %d", few, many, len(w.keys))
	}
}

// TestThrottledMerge has each call of a merge throttled once: it does not keep others from merging
// until its lease is over.
func TestThrottledMerge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for n, done := 1, false; !done; n++ {
			w := newRanksWorld(t)
			var pending []table.Item
			for i := range 20 {
				id := uuid.UUID{byte(i)}
				p := PendingChange{Ranked: Ranked{ranksSpace, "key" + string(id[:])}}
				pending = append(pending, table.Item{Key: PendingKey("m.1", id), Version: 1,
					Body: p.Encode()})
			}
			w.write(pending)
			faulty := table.NewFaulty(w.counting, table.FaultAt(n, table.Throttled))
			first, _ := NewTexts(db.New(faulty, time.Now)).MergeText(t.Context(), "m.1")
			done = faulty.Calls() < n
			then, err := w.MergeText(t.Context(), "m.1")
			if first+then != len(pending) || err != nil {
				t.Errorf("call %d throttled: %d and then %d merged, want %d; %v", n, first, then,
					len(pending), err)
			}
		}
	})
}
