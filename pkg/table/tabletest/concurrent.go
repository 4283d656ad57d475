package tabletest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"headless/pkg/table"
)

const writers = 64

// together runs work in all writers at once.
func together(work func(writer int)) {
	var wg sync.WaitGroup
	start := make(chan struct{})
	for w := range writers {
		wg.Go(func() {
			<-start
			work(w)
		})
	}
	close(start)
	wg.Wait()
}

// testOneWinner has all writers claim the same items, alone and in transactions.
func testOneWinner(t *testing.T, tab table.Table) {
	for round := range 3 {
		claimed := item("claim", fmt.Sprint(round), "")
		second := item("claim", fmt.Sprint(round, " second"), "")
		var winners atomic.Int64
		var winner atomic.Int64
		together(func(w int) {
			mine := claimed
			mine.Version = int64(w + 1)
			ops := []table.Op{{Kind: table.Put, Item: mine, If: table.Absent}}
			if round > 0 {
				also := second
				also.Version = mine.Version
				ops = append(ops, put(also))
			}
			err := tab.Write(t.Context(), ops)
			var failed *table.ConditionError
			switch {
			case err == nil:
				winners.Add(1)
				winner.Store(mine.Version)
			case !errors.As(err, &failed) || failed.Index != 0:
				t.Errorf("writer %d: %v", w, err)
			}
		})
		if n := winners.Load(); n != 1 {
			t.Errorf("round %d: %d winners", round, n)
		}
		claimed.Version, second.Version = winner.Load(), winner.Load()
		got := mustGet(t, tab, claimed.Key, second.Key)
		wantItem(t, got[0], claimed)
		if round > 0 {
			wantItem(t, got[1], second)
		}
	}
}

// testNoLostWrite has all writers replace a pair of items by optimistic locking until each has had
// its turn.
func testNoLostWrite(t *testing.T, tab table.Table) {
	a, b := key("pair", "a"), key("pair", "b")
	mustWrite(t, tab, put(table.Item{Key: a, Version: 1}), put(table.Item{Key: b, Version: 1}))
	together(func(w int) {
		for {
			got, err := tab.Get(t.Context(), table.Strong, a)
			if err != nil {
				t.Errorf("writer %d: %v", w, err)
				return
			}
			old := got[0].Version
			body := fmt.Appendf(nil, "writer %d", w)
			err = tab.Write(t.Context(), []table.Op{
				{Kind: table.Put, Item: table.Item{Key: a, Version: old + 1, Body: body},
					If: table.VersionIs, Version: old},
				{Kind: table.Put, Item: table.Item{Key: b, Version: old + 1, Body: body},
					If: table.VersionIs, Version: old},
				{Kind: table.Put, Item: table.Item{Key: key("history", fmt.Sprintf("%03d", old+1)),
					Body: body}, If: table.Absent},
			})
			var failed *table.ConditionError
			if err == nil {
				return
			}
			if !errors.As(err, &failed) {
				t.Errorf("writer %d: %v", w, err)
				return
			}
		}
	})
	got := mustGet(t, tab, a, b)
	if got[0].Version != writers+1 || got[1].Version != writers+1 || string(got[0].Body) != string(got[1].Body) {
		t.Errorf("torn or lost: %s, %s", summary(*got[0]), summary(*got[1]))
	}
	history := mustQuery(t, tab, table.Range{Partition: "history"})
	seen := make(map[string]bool)
	for _, it := range history {
		seen[string(it.Body)] = true
	}
	if len(history) != writers || len(seen) != writers {
		t.Errorf("%d writes of %d writers, want %d of each", len(history), len(seen), writers)
	}
}

// testExactCounter adds in transactions beside a put.
func testExactCounter(t *testing.T, tab table.Table) {
	const each = 4
	counter := key("count", "total")
	together(func(w int) {
		for i := range each {
			err := tab.Write(t.Context(), []table.Op{
				{Kind: table.Add, Item: table.Item{Key: counter, Count: 3}},
				{Kind: table.Put, Item: item("counted", fmt.Sprint(w, "/", i), "x"), If: table.Absent},
			})
			if err != nil {
				t.Errorf("writer %d: %v", w, err)
			}
		}
	})
	if got := mustGet(t, tab, counter)[0]; got == nil || got.Count != 3*each*writers {
		t.Errorf("counter is %v, want %d", got, 3*each*writers)
	}
	if n := len(mustQuery(t, tab, table.Range{Partition: "counted"})); n != each*writers {
		t.Errorf("%d items, want %d", n, each*writers)
	}
}

// testAddConcurrently has all writers share a limit.
func testAddConcurrently(t *testing.T, tab table.Table) {
	const limit, each = 100, 5
	_, future := times()
	var granted, denied atomic.Int64
	var seen [limit + 1]atomic.Int64
	together(func(w int) {
		for range each {
			n, err := tab.Add(t.Context(), key("limit", "shared"), 1, limit, future)
			switch {
			case err == nil && n >= 1 && n <= limit:
				granted.Add(1)
				seen[n].Add(1)
			case errors.Is(err, table.ErrLimit):
				denied.Add(1)
			default:
				t.Errorf("writer %d: %d, %v", w, n, err)
			}
		}
	})
	if g, d := granted.Load(), denied.Load(); g != limit || d != writers*each-limit {
		t.Errorf("%d granted, %d denied, want %d and %d", g, d, limit, writers*each-limit)
	}
	for n := 1; n <= limit; n++ {
		if c := seen[n].Load(); c != 1 {
			t.Errorf("count %d was returned %d times", n, c)
		}
	}
}
