package tabletest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"headless/pkg/table"
)

func times() (past, future int64) {
	now := time.Now()
	return now.Add(-time.Minute).Unix(), now.Add(time.Hour).Unix()
}

func testExpiry(t *testing.T, tab table.Table) {
	past, future := times()
	dead := table.Item{Key: key("x", "dead"), Version: 3, Count: 40, Body: []byte("dead"), Expires: past}
	live := table.Item{Key: key("x", "live"), Version: 3, Body: []byte("live"), Expires: future}
	set := func() { t.Helper(); mustWrite(t, tab, put(dead), put(live)) }

	set()
	if mustGet(t, tab, dead.Key)[0] != nil {
		t.Error("an expired item was read")
	}
	got := mustGet(t, tab, dead.Key, live.Key)
	if got[0] != nil {
		t.Error("an expired item was read in a batch")
	}
	wantItem(t, got[1], live)

	for _, test := range []struct {
		name  string
		op    table.Op
		holds bool
		want  *table.Item // nil: absent afterwards
	}{
		{"absent", table.Op{If: table.Absent, Item: table.Item{Version: 1}}, true, &table.Item{Version: 1}},
		{"present", table.Op{If: table.Present}, false, nil},
		{"version", table.Op{If: table.VersionIs, Version: 3}, false, nil},
		{"delete present", table.Op{Kind: table.Delete, If: table.Present}, false, nil},
		{"delete", table.Op{Kind: table.Delete}, true, nil},
		{"check absent", table.Op{Kind: table.Check, If: table.Absent}, true, nil},
		{"check present", table.Op{Kind: table.Check, If: table.Present}, false, nil},
		{"add", table.Op{Kind: table.Add, Item: table.Item{Count: 2, Expires: future}}, true,
			&table.Item{Count: 2, Expires: future}},
		{"add for ever", table.Op{Kind: table.Add, Item: table.Item{Count: 2}}, true, &table.Item{Count: 2}},
		{"add absent", table.Op{Kind: table.Add, Item: table.Item{Count: 2}, If: table.Absent},
			true, &table.Item{Count: 2}},
		{"add present", table.Op{Kind: table.Add, Item: table.Item{Count: 2}, If: table.Present}, false, nil},
	} {
		for _, alone := range []bool{true, false} {
			set()
			test.op.Item.Key = dead.Key
			ops, failing := []table.Op{test.op}, 0
			if !alone {
				// The other condition holds, so that an Add which has to start afresh does so
				// beside it.
				ops = []table.Op{{Kind: table.Check, Item: live, If: table.VersionIs, Version: 3}, test.op}
				failing = 1
			}
			if test.holds {
				failing = -1
			}
			t.Run(fmt.Sprintf("%s/alone=%t", test.name, alone), func(t *testing.T) {
				wantFailing(t, tab.Write(t.Context(), ops), failing)
				got := mustGet(t, tab, dead.Key)[0]
				if test.want == nil {
					if got != nil {
						t.Errorf("got %s, want nothing", summary(*got))
					}
					return
				}
				test.want.Key = dead.Key
				wantItem(t, got, *test.want)
			})
		}
	}
	set()
	wantFailing(t, tab.Write(t.Context(), []table.Op{
		{Kind: table.Add, Item: table.Item{Key: dead.Key, Count: 1}},
		{Kind: table.Check, Item: live, If: table.Absent},
	}), 1)
}

// testExpiredQuery has expired items where the limit counts.
func testExpiredQuery(t *testing.T, tab table.Table) {
	past, future := times()
	var puts []table.Item
	var want []string
	for i := range 40 {
		it := item("x", fmt.Sprintf("%02d", i), "x")
		if i%4 == 3 {
			it.Expires = future
			want = append(want, it.Sort)
		} else {
			it.Expires = past
		}
		puts = append(puts, it)
	}
	mustBatch(t, tab, puts, nil)
	for _, limit := range []int{0, 1, 3, 10, 11} {
		r := table.Range{Partition: "x", Limit: limit}
		wantSorts(t, r, mustQuery(t, tab, r), expectedKeys(want, r))
		r = table.Range{Partition: "x", Limit: limit, From: "05", To: "36", Reverse: true}
		back := expectedKeys(want, r)
		wantSorts(t, r, mustQuery(t, tab, r), slices.Clone(back))
	}
}

func testAdd(t *testing.T, tab table.Table) {
	past, future := times()
	k := key("limit", "a")
	for i, step := range []struct {
		delta, limit, expires int64
		want                  int64
		err                   error
	}{
		{2, 1, future, 0, table.ErrLimit}, // not created
		{1, 3, future, 1, nil},
		{2, 3, future, 3, nil},
		{1, 3, future, 0, table.ErrLimit},
		{1, 4, future, 4, nil},
		{-2, 3, future, 2, nil},
		{0, 3, future, 2, nil},
		{-5, 3, future, -3, nil},
	} {
		got, err := tab.Add(t.Context(), k, step.delta, step.limit, step.expires)
		if got != step.want || !errors.Is(err, step.err) {
			t.Errorf("step %d: %d, %v; want %d, %v", i, got, err, step.want, step.err)
		}
	}
	// A counter whose time is over starts again.
	old := key("limit", "old")
	for i, step := range []struct{ delta, limit, expires, want int64 }{
		{5, 5, past, 5}, {5, 5, past, 5}, {2, 5, future, 2}, {2, 5, past, 4},
	} {
		got, err := tab.Add(t.Context(), old, step.delta, step.limit, step.expires)
		if got != step.want || err != nil {
			t.Errorf("step %d of the old counter: %d, %v; want %d", i, got, err, step.want)
		}
	}
	if _, err := tab.Add(t.Context(), key("limit", "past"), 1, 5, past); err != nil {
		t.Error(err)
	}
	if _, err := tab.Add(t.Context(), key("limit", "past"), 6, 5, past); !errors.Is(err, table.ErrLimit) {
		t.Errorf("got %v, want ErrLimit", err)
	}
}
