package table_test

import (
	"math"
	"strings"
	"testing"

	"headless/pkg/table"
)

func TestSize(t *testing.T) {
	for _, test := range []struct {
		item table.Item
		want int
	}{
		{table.Item{Key: table.Key{Partition: "ab", Sort: "c"}}, 2 + 2 + 2 + 1},
		{table.Item{Version: 1}, 4 + 1 + 2},
		{table.Item{Version: 12}, 4 + 1 + 2},
		{table.Item{Version: 123}, 4 + 1 + 3},
		{table.Item{Version: 1000}, 4 + 1 + 2},
		{table.Item{Count: -1}, 4 + 1 + 3},
		{table.Item{Expires: 1_800_000_000}, 4 + 1 + 2},
		{table.Item{Version: math.MaxInt64}, 4 + 1 + 11},
		{table.Item{Body: make([]byte, 10)}, 4 + 1 + 10},
	} {
		if got := test.item.Size(); got != test.want {
			t.Errorf("%+v: %d, want %d", test.item, got, test.want)
		}
	}
}

func TestBounds(t *testing.T) {
	for _, test := range []struct {
		r      table.Range
		lo, hi string
		ok     bool
	}{
		{table.Range{}, "", "", true},
		{table.Range{Prefix: "a"}, "a", "b", true},
		{table.Range{Prefix: "a\xff"}, "a\xff", "b", true},
		{table.Range{Prefix: "\xff"}, "\xff", "", true},
		{table.Range{Prefix: "a", From: "ab", To: "ac"}, "ab", "ac", true},
		{table.Range{Prefix: "b", From: "a", To: "d"}, "b", "c", true},
		{table.Range{Prefix: "b", From: "c"}, "c", "c", false},
		{table.Range{Prefix: "b", To: "b"}, "b", "b", false},
		{table.Range{From: "b", To: "a"}, "b", "a", false},
		{table.Range{Prefix: "\xff", To: "\xff\x00"}, "\xff", "\xff\x00", true},
	} {
		if lo, hi, ok := test.r.Bounds(); lo != test.lo || hi != test.hi || ok != test.ok {
			t.Errorf("%+v: %q, %q, %t", test.r, lo, hi, ok)
		}
	}
}

func TestCheckOps(t *testing.T) {
	k := table.Key{Partition: "p", Sort: "s"}
	if err := table.CheckOps([]table.Op{{Kind: table.Check, Item: table.Item{Key: k}}}); err == nil ||
		!strings.Contains(err.Error(), "checks nothing") {
		t.Errorf("a check without condition: %v", err)
	}
	many := make([]table.Op, 20)
	for i := range many {
		many[i].Item.Key = table.Key{Partition: "p", Sort: strings.Repeat("s", i+1)}
	}
	if err := table.CheckOps(many); err != nil {
		t.Error(err)
	}
	many[19].Item.Key = many[4].Item.Key
	if err := table.CheckOps(many); err == nil || !strings.Contains(err.Error(), "keys 4 and 19") {
		t.Errorf("the same key twice: %v", err)
	}
}
