package bolt

import (
	"errors"
	"path/filepath"
	"testing"

	"headless/pkg/must"
	"headless/pkg/table"
)

func openTest(t testing.TB, opts ...Option) *Table {
	t.Helper()
	tab, err := Open(filepath.Join(t.TempDir(), "test.db"), opts...)
	must.Do(t, err)
	t.Cleanup(func() {
		if err := tab.Close(); err != nil {
			t.Error(err)
		}
	})
	return tab
}

func TestReopenKeepsItems(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	key := table.Key{Partition: "p", Sort: "s"}
	first, err := Open(path)
	must.Do(t, err)
	put := table.Op{Kind: table.Put, Item: table.Item{Key: key, Version: 7, Body: []byte("body")},
		If: table.Absent}
	must.Do(t, first.Write(t.Context(), []table.Op{put}))
	for range 2 {
		must.Do(t, first.Close())
	}
	if err := first.Write(t.Context(), []table.Op{put}); !errors.Is(err, table.ErrUnavailable) {
		t.Fatalf("write after close: %v", err)
	}
	if _, err := first.Get(t.Context(), table.Strong, key); !errors.Is(err, table.ErrUnavailable) {
		t.Fatalf("get after close: %v", err)
	}
	second, err := Open(path)
	must.Do(t, err)
	defer second.Close()
	items, err := second.Get(t.Context(), table.Strong, key)
	if err != nil || items[0] == nil || items[0].Version != 7 || string(items[0].Body) != "body" {
		t.Fatalf("got %v, %v", items, err)
	}
}

// TestShortLivedItems: an item that is deleted before it is in the file leaves nothing behind. Deletions used to
// stay in the layer, and each query of the next timer or event stepped over thousands of them.
func TestShortLivedItems(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	var tab *Table
	reopen := func() {
		var err error
		if tab, err = Open(path); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { tab.Close() })
	}
	write := func(kind table.OpKind, sort string) {
		t.Helper()
		op := table.Op{Kind: kind, Item: table.Item{Key: table.Key{Partition: "p", Sort: sort}}}
		must.Do(t, tab.Write(t.Context(), []table.Op{op}))
	}
	reopen()
	write(table.Put, "in the file")
	write(table.Put, "also")
	must.Do(t, tab.Close())
	reopen()
	for range 100 {
		write(table.Put, "soon deleted")
		write(table.Delete, "soon deleted")
	}
	if n := tab.view.Load().recent.Len(); n != 0 {
		t.Errorf("the layer has %d changes, want none", n)
	}
	write(table.Delete, "in the file")
	items, err := tab.Query(t.Context(), table.Range{Partition: "p"})
	if err != nil || len(items) != 1 || items[0].Key.Sort != "also" {
		t.Errorf("got %v %v, want the item that is left", items, err)
	}
}
