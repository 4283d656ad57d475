// Package tabletest is the conformance suite of package table, which every adapter passes.
package tabletest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"headless/pkg/must"
	"headless/pkg/table"
)

// Run runs the suite. open gives an empty table that nobody else uses and closes it when the test
// ends.
func Run(t *testing.T, open func(t *testing.T) table.Table) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, table.Table)
	}{
		{"round trip", testRoundTrip},
		{"get many", testGetMany},
		{"key order", testKeyOrder},
		{"ranges", testRanges},
		{"large query", testLargeQuery},
		{"conditions", testConditions},
		{"failing operation", testFailingOperation},
		{"large transaction", testLargeTransaction},
		{"add in write", testAddInWrite},
		{"invalid arguments", testInvalid},
		{"sizes", testSizes},
		{"batch write", testBatchWrite},
		{"expiry", testExpiry},
		{"expired query", testExpiredQuery},
		{"one winner", testOneWinner},
		{"no lost write", testNoLostWrite},
		{"exact counter", testExactCounter},
		{"add", testAdd},
		{"add concurrently", testAddConcurrently},
		{"cancellation", testCancellation},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, open(t)) })
	}
}

func key(partition, sort string) table.Key { return table.Key{Partition: partition, Sort: sort} }

func item(partition, sort string, body string) table.Item {
	i := table.Item{Key: key(partition, sort)}
	if body != "" {
		i.Body = []byte(body)
	}
	return i
}

func put(i table.Item) table.Op { return table.Op{Kind: table.Put, Item: i} }

func mustWrite(t *testing.T, tab table.Table, ops ...table.Op) {
	t.Helper()
	must.Do(t, tab.Write(t.Context(), ops))
}

func mustBatch(t *testing.T, tab table.Table, puts []table.Item, deletes []table.Key) {
	t.Helper()
	must.Do(t, tab.BatchWrite(t.Context(), puts, deletes))
}

func mustGet(t *testing.T, tab table.Table, keys ...table.Key) []*table.Item {
	t.Helper()
	items, err := tab.Get(t.Context(), table.Strong, keys...)
	must.Do(t, err)
	if len(items) != len(keys) {
		t.Fatalf("%d items for %d keys", len(items), len(keys))
	}
	return items
}

func mustQuery(t *testing.T, tab table.Table, r table.Range) []table.Item {
	t.Helper()
	items, err := tab.Query(t.Context(), r)
	must.Do(t, err)
	return items
}

func sorts(items []table.Item) []string {
	list := make([]string, len(items))
	for i := range items {
		list[i] = items[i].Sort
	}
	return list
}

func wantSorts(t *testing.T, r table.Range, items []table.Item, want []string) {
	t.Helper()
	if got := sorts(items); !slices.Equal(got, want) {
		t.Errorf("%+v:\ngot  %q\nwant %q", r, got, want)
	}
}

func wantItem(t *testing.T, got *table.Item, want table.Item) {
	t.Helper()
	if got == nil {
		t.Fatalf("no item %v", want.Key)
	}
	if got.Key != want.Key || got.Version != want.Version || got.Count != want.Count ||
		got.Expires != want.Expires || !slices.Equal(got.Body, want.Body) || (got.Body == nil) != (want.Body == nil) {
		t.Errorf("got %+v, want %+v", summary(*got), summary(want))
	}
}

func summary(i table.Item) string {
	return fmt.Sprintf("{%q %q v%d n%d x%d %d bytes}", i.Partition, i.Sort, i.Version, i.Count,
		i.Expires, len(i.Body))
}

// wantFailing checks that the error names an operation; -1 stands for success.
func wantFailing(t *testing.T, err error, index int) {
	t.Helper()
	var failed *table.ConditionError
	switch {
	case index < 0 && err != nil:
		t.Errorf("unexpected error %v", err)
	case index >= 0 && !errors.As(err, &failed):
		t.Errorf("got error %v, want condition %d to fail", err, index)
	case index >= 0 && failed.Index != index:
		t.Errorf("condition %d failed, want %d", failed.Index, index)
	}
}

func testCancellation(t *testing.T, tab table.Table) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancelLate := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancelLate()
	for name, call := range map[string]func(context.Context) error{
		"Get": func(ctx context.Context) error {
			_, err := tab.Get(ctx, table.Strong, key("p", "a"), key("p", "b"))
			return err
		},
		"Query": func(ctx context.Context) error {
			_, err := tab.Query(ctx, table.Range{Partition: "p"})
			return err
		},
		"Write": func(ctx context.Context) error {
			return tab.Write(ctx, []table.Op{put(item("p", "a", "x")), put(item("p", "b", "x"))})
		},
		"Add": func(ctx context.Context) error {
			_, err := tab.Add(ctx, key("c", "a"), 1, 10, 0)
			return err
		},
		"BatchWrite": func(ctx context.Context) error {
			return tab.BatchWrite(ctx, []table.Item{item("p", "c", "x")}, nil)
		},
	} {
		if err := call(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want canceled", name, err)
		}
		if err := call(late); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: got %v, want deadline exceeded", name, err)
		}
	}
	for i, got := range mustGet(t, tab, key("p", "a"), key("p", "b"), key("p", "c")) {
		if got != nil {
			t.Errorf("item %d was written after its context ended", i)
		}
	}
}
