package tabletest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"headless/pkg/table"
)

// testConditions tries every condition with every kind, alone and within a transaction.
func testConditions(t *testing.T, tab table.Table) {
	for _, test := range []struct {
		name    string
		have    *table.Item
		op      table.Op
		applies bool
	}{
		{"put always absent", nil, table.Op{}, true},
		{"put always present", &table.Item{Version: 1}, table.Op{}, true},
		{"put absent absent", nil, table.Op{If: table.Absent}, true},
		{"put absent present", &table.Item{Version: 1}, table.Op{If: table.Absent}, false},
		{"put present absent", nil, table.Op{If: table.Present}, false},
		{"put present present", &table.Item{Version: 1}, table.Op{If: table.Present}, true},
		{"put version absent", nil, table.Op{If: table.VersionIs, Version: 1}, false},
		{"put version other", &table.Item{Version: 2}, table.Op{If: table.VersionIs, Version: 1}, false},
		{"put version same", &table.Item{Version: 1}, table.Op{If: table.VersionIs, Version: 1}, true},
		{"put version zero absent", nil, table.Op{If: table.VersionIs}, false},
		{"put version zero other", &table.Item{Version: 1}, table.Op{If: table.VersionIs}, false},
		{"put version zero same", &table.Item{}, table.Op{If: table.VersionIs}, true},
		{"delete present absent", nil, table.Op{Kind: table.Delete, If: table.Present}, false},
		{"delete present present", &table.Item{}, table.Op{Kind: table.Delete, If: table.Present}, true},
		{"delete version same", &table.Item{Version: 5},
			table.Op{Kind: table.Delete, If: table.VersionIs, Version: 5}, true},
		{"delete version other", &table.Item{Version: 4},
			table.Op{Kind: table.Delete, If: table.VersionIs, Version: 5}, false},
		{"add present absent", nil, table.Op{Kind: table.Add, If: table.Present}, false},
		{"add present present", &table.Item{Count: 1}, table.Op{Kind: table.Add, If: table.Present}, true},
		{"add absent absent", nil, table.Op{Kind: table.Add, If: table.Absent}, true},
		{"add absent present", &table.Item{Count: 1}, table.Op{Kind: table.Add, If: table.Absent}, false},
		{"add version other", &table.Item{Version: 4},
			table.Op{Kind: table.Add, If: table.VersionIs, Version: 5}, false},
		{"check absent absent", nil, table.Op{Kind: table.Check, If: table.Absent}, true},
		{"check absent present", &table.Item{}, table.Op{Kind: table.Check, If: table.Absent}, false},
		{"check version same", &table.Item{Version: 3},
			table.Op{Kind: table.Check, If: table.VersionIs, Version: 3}, true},
		{"check version other", &table.Item{Version: 4},
			table.Op{Kind: table.Check, If: table.VersionIs, Version: 3}, false},
	} {
		for _, alone := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/alone=%t", test.name, alone), func(t *testing.T) {
				checkCondition(t, tab, test.have, test.op, test.applies, alone)
			})
		}
	}
}

func checkCondition(t *testing.T, tab table.Table, have *table.Item, op table.Op, applies, alone bool) {
	k, beside := key(t.Name(), "subject"), item(t.Name(), "beside", "x")
	var before table.Item
	if have != nil {
		before = *have
		before.Key, before.Body = k, []byte("before")
		mustWrite(t, tab, put(before))
	}
	op.Item = table.Item{Key: k, Version: 9, Count: 2, Body: []byte("after")}
	ops, index := []table.Op{op}, 0
	if !alone {
		ops, index = []table.Op{put(beside), op}, 1
	}
	if applies {
		index = -1
	}
	wantFailing(t, tab.Write(t.Context(), ops), index)

	got := mustGet(t, tab, k, beside.Key)
	if written := got[1] != nil; written != (applies && !alone) {
		t.Errorf("the operation beside it: applied=%t", written)
	}
	want := &before
	switch {
	case !applies || op.Kind == table.Check:
		if have == nil {
			want = nil
		}
	case op.Kind == table.Put:
		want = &op.Item
	case op.Kind == table.Delete:
		want = nil
	case have == nil:
		want = &table.Item{Key: k, Count: 2}
	default:
		want.Count += 2
	}
	if want == nil {
		if got[0] != nil {
			t.Errorf("got %s, want nothing", summary(*got[0]))
		}
		return
	}
	wantItem(t, got[0], *want)
}

func testFailingOperation(t *testing.T, tab table.Table) {
	mustWrite(t, tab, put(table.Item{Key: key("p", "here"), Version: 3}))
	holds := table.Op{Kind: table.Check, Item: table.Item{Key: key("p", "here")}, If: table.Present}
	for _, test := range []struct {
		fails []int // operations whose condition does not hold
		want  int
	}{{nil, -1}, {[]int{1}, 1}, {[]int{99}, 99}, {[]int{50, 3, 70}, 3}} {
		ops := []table.Op{holds}
		for i := 1; i < table.MaxOps; i++ {
			ops = append(ops, put(item("p", fmt.Sprint(i), "x")))
		}
		for _, i := range test.fails {
			ops[i].If = table.VersionIs
			ops[i].Version = 77
		}
		wantFailing(t, tab.Write(t.Context(), ops), test.want)
		if test.want < 0 {
			continue
		}
		var keys []table.Key
		for i := range ops[1:] {
			keys = append(keys, ops[i+1].Item.Key)
		}
		for i, it := range mustGet(t, tab, keys...) {
			if it != nil && len(test.fails) > 0 && it.Version != 0 {
				t.Fatalf("operation %d was applied", i+1)
			}
		}
	}
}

func testLargeTransaction(t *testing.T, tab table.Table) {
	var ops []table.Op
	for i := range table.MaxOps {
		it := item(fmt.Sprint("p", i%5), fmt.Sprint(i), strings.Repeat("x", 1000))
		switch it.Version = 1; i % 4 {
		case 0:
			ops = append(ops, put(it))
		case 1:
			ops = append(ops, table.Op{Kind: table.Put, Item: it, If: table.Absent})
		case 2:
			ops = append(ops, table.Op{Kind: table.Add, Item: table.Item{Key: it.Key, Count: int64(i)}})
		case 3:
			ops = append(ops, table.Op{Kind: table.Check, Item: table.Item{Key: it.Key}, If: table.Absent})
		}
	}
	mustWrite(t, tab, ops...)
	var keys []table.Key
	for i := range ops {
		keys = append(keys, ops[i].Item.Key)
	}
	for i, it := range mustGet(t, tab, keys...) {
		if ops[i].Kind == table.Check {
			if it != nil {
				t.Errorf("check %d created an item", i)
			}
			continue
		}
		wantItem(t, it, ops[i].Item)
	}
	if err := tab.Write(t.Context(), append(ops, put(item("p", "101", "x")))); err == nil {
		t.Error("101 operations were accepted")
	}
}

func testAddInWrite(t *testing.T, tab table.Table) {
	k := key("count", "a")
	add := func(n, expires int64) {
		t.Helper()
		mustWrite(t, tab,
			table.Op{Kind: table.Add, Item: table.Item{Key: k, Count: n, Expires: expires}},
			put(item("p", "x", "y")))
	}
	add(5, 0)
	add(-7, 0)
	wantItem(t, mustGet(t, tab, k)[0], table.Item{Key: k, Count: -2})
	future := time.Now().Add(time.Hour).Unix()
	add(2, future)
	wantItem(t, mustGet(t, tab, k)[0], table.Item{Key: k, Expires: future})
	add(1, future+10)
	wantItem(t, mustGet(t, tab, k)[0], table.Item{Key: k, Count: 1, Expires: future})
	mustWrite(t, tab, put(table.Item{Key: k, Version: 4, Count: 10, Body: []byte("b")}))
	mustWrite(t, tab, table.Op{Kind: table.Add, Item: table.Item{Key: k, Count: 1}, If: table.VersionIs, Version: 4})
	wantItem(t, mustGet(t, tab, k)[0], table.Item{Key: k, Version: 4, Count: 11, Body: []byte("b")})
}

func testInvalid(t *testing.T, tab table.Table) {
	for name, k := range map[string]table.Key{
		"no partition": key("", "s"), "no sort": key("p", ""), "nul": key("p\x00q", "s"),
		"not utf-8":      key("p\xff", "s"),
		"long sort":      key("p", strings.Repeat("s", table.MaxSortBytes+1)),
		"long partition": key(strings.Repeat("p", 2000), "s"),
	} {
		if err := tab.Write(t.Context(), []table.Op{put(table.Item{Key: k})}); err == nil {
			t.Errorf("%s: written", name)
		}
		if err := tab.BatchWrite(t.Context(), []table.Item{{Key: k}}, nil); err == nil {
			t.Errorf("%s: batch written", name)
		}
		if _, err := tab.Get(t.Context(), table.Strong, k); err == nil {
			t.Errorf("%s: read", name)
		}
	}
	twice := item("p", "twice", "x")
	if err := tab.Write(t.Context(), []table.Op{put(twice), put(twice)}); err == nil {
		t.Error("the same key twice in one write")
	}
	if err := tab.BatchWrite(t.Context(), []table.Item{twice}, []table.Key{twice.Key}); err == nil {
		t.Error("the same key twice in one batch")
	}
	if _, err := tab.Get(t.Context(), table.Strong, twice.Key, twice.Key); err == nil {
		t.Error("the same key twice in one get")
	}
}

func testSizes(t *testing.T, tab table.Table) {
	full := table.Item{Key: key("size", "full"), Version: 12345, Count: -678}
	full.Body = bytes.Repeat([]byte{7}, table.MaxItemBytes-full.Size()-1)
	if full.Size() != table.MaxItemBytes {
		t.Fatalf("size %d, want %d", full.Size(), table.MaxItemBytes)
	}
	over := full
	over.Body = append(bytes.Clone(full.Body), 7)
	beside := item("size", "beside", "x")
	for name, write := range map[string]func(table.Item) error{
		"alone": func(i table.Item) error { return tab.Write(t.Context(), []table.Op{put(i)}) },
		"transaction": func(i table.Item) error {
			return tab.Write(t.Context(), []table.Op{put(i), put(beside)})
		},
		"batch": func(i table.Item) error { return tab.BatchWrite(t.Context(), []table.Item{i}, nil) },
	} {
		if err := write(full); err != nil {
			t.Errorf("%s: full item: %v", name, err)
		}
		wantItem(t, mustGet(t, tab, full.Key)[0], full)
		if err := write(over); !errors.Is(err, table.ErrTooLarge) {
			t.Errorf("%s: got %v, want ErrTooLarge", name, err)
		}
	}
	var ops []table.Op
	for i := range 11 {
		ops = append(ops, put(table.Item{Key: key("size", fmt.Sprint(i)), Body: full.Body}))
	}
	if err := tab.Write(t.Context(), ops); !errors.Is(err, table.ErrTooLarge) {
		t.Errorf("4.4 MB in one write: got %v, want ErrTooLarge", err)
	}
	mustWrite(t, tab, ops[:10]...)
}

func testBatchWrite(t *testing.T, tab table.Table) {
	const n = 130
	var puts []table.Item
	var deletes []table.Key
	for i := range n {
		puts = append(puts, item("batch", fmt.Sprintf("%03d", i), "x"))
	}
	mustBatch(t, tab, puts, nil)
	mustBatch(t, tab, nil, nil)
	for i := range n {
		if i%2 == 0 {
			deletes = append(deletes, puts[i].Key)
		}
	}
	puts = []table.Item{item("batch", "001", "changed"), item("batch", "new", "x")}
	mustBatch(t, tab, puts, deletes)
	got := mustQuery(t, tab, table.Range{Partition: "batch"})
	if len(got) != n/2+1 || string(got[0].Body) != "changed" || got[n/2].Sort != "new" {
		t.Errorf("%d items: %q", len(got), sorts(got))
	}
}
