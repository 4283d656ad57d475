package table_test

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"headless/pkg/must"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

func openBolt(t *testing.T) *bolt.Table {
	t.Helper()
	tab, err := bolt.Open(filepath.Join(t.TempDir(), "test.db"), bolt.WithoutSync())
	must.Do(t, err)
	t.Cleanup(func() {
		if err := tab.Close(); err != nil {
			t.Error(err)
		}
	})
	return tab
}

func sized(sort string, bytes int) table.Item {
	i := table.Item{Key: table.Key{Partition: "p", Sort: sort}}
	i.Body = make([]byte, bytes-i.Size()-len(table.AttrBody))
	return i
}

func TestCounting(t *testing.T) {
	tab := table.NewCounting(openBolt(t))
	ctx := t.Context()
	key := func(s string) table.Key { return table.Key{Partition: "p", Sort: s} }
	put := func(i table.Item) table.Op { return table.Op{Kind: table.Put, Item: i} }
	for _, step := range []struct {
		name string
		call func() error
		want table.Usage
	}{
		{"put 1 KB", func() error { return tab.Write(ctx, []table.Op{put(sized("a", 1024))}) },
			table.Usage{Calls: 1, RoundTrips: 1, WriteUnits: 1}},
		{"put more", func() error { return tab.Write(ctx, []table.Op{put(sized("b", 5000))}) },
			table.Usage{Calls: 1, RoundTrips: 1, WriteUnits: 5}},
		{"replace by less",
			func() error { return tab.Write(ctx, []table.Op{put(sized("b", 4097))}) },
			table.Usage{Calls: 1, RoundTrips: 1, WriteUnits: 5}},
		{"transaction", func() error {
			return tab.Write(ctx, []table.Op{
				put(sized("c", 1025)),
				{Kind: table.Check, Item: table.Item{Key: key("b")}, If: table.Present},
				{Kind: table.Add, Item: table.Item{Key: key("n"), Count: 1}},
				{Kind: table.Delete, Item: table.Item{Key: key("none")}},
			})
		}, table.Usage{Calls: 1, RoundTrips: 1, WriteUnits: 2 * (2 + 5 + 1 + 1)}},
		{"get", func() error { _, err := tab.Get(ctx, table.Strong, key("b")); return err },
			table.Usage{Calls: 1, RoundTrips: 1, ReadUnits: 2}},
		{"get eventually",
			func() error {
				_, err := tab.Get(ctx, table.Eventual, key("a"), key("b"),
					key("none"))
				return err
			},
			table.Usage{Calls: 1, RoundTrips: 1, ReadUnits: 2}},
		{"query",
			func() error { _, err := tab.Query(ctx, table.Range{Partition: "p"}); return err },
			table.Usage{Calls: 1, RoundTrips: 1, ReadUnits: 2}},
		{"query eventually", func() error {
			_, err := tab.Query(ctx, table.Range{Partition: "p", Prefix: "a", Eventual: true})
			return err
		},
			table.Usage{Calls: 1, RoundTrips: 1, ReadUnits: 0.5}},
		{"add", func() error { _, err := tab.Add(ctx, key("c"), 1, 10, 0); return err },
			table.Usage{Calls: 1, RoundTrips: 1, WriteUnits: 1}},
		{"batch", func() error {
			var puts []table.Item
			for i := range 30 {
				puts = append(puts, sized(fmt.Sprint("x", i), 1500))
			}
			return tab.BatchWrite(ctx, puts, []table.Key{key("b")})
		}, table.Usage{Calls: 2, RoundTrips: 1, WriteUnits: 30*2 + 5}},
		{"nothing", func() error { _, err := tab.Get(ctx, table.Strong); return err }, table.Usage{}},
	} {
		tab.Reset()
		if err := step.call(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if got := tab.Snapshot(); got != step.want {
			t.Errorf("%s: %+v, want %+v", step.name, got, step.want)
		}
	}
}

func TestCountingRoundTrips(t *testing.T) {
	tab := table.NewCounting(table.NewFaulty(openBolt(t), table.Latency(10*time.Millisecond)))
	get := func() {
		if _, err := tab.Get(t.Context(), table.Strong, table.Key{Partition: "p", Sort: "a"}); err != nil {
			t.Error(err)
		}
	}
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(get)
	}
	wg.Wait()
	get()
	if got, want := tab.Snapshot(), (table.Usage{Calls: 6, RoundTrips: 2, ReadUnits: 6}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestCountingPages(t *testing.T) {
	tab := table.NewCounting(openBolt(t))
	var puts []table.Item
	for i := range 25 {
		puts = append(puts, sized(fmt.Sprintf("%02d", i), 100<<10))
	}
	must.Do(t, tab.BatchWrite(t.Context(), puts, nil))
	tab.Reset()
	if _, err := tab.Query(t.Context(), table.Range{Partition: "p"}); err != nil {
		t.Fatal(err)
	}
	if got, want := tab.Snapshot(), (table.Usage{Calls: 3, RoundTrips: 3, ReadUnits: 25 * 25}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
