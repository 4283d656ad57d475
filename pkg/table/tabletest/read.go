package tabletest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"headless/pkg/table"
)

func testRoundTrip(t *testing.T, tab table.Table) {
	future := time.Now().Add(time.Hour).Unix()
	for i, want := range []table.Item{
		item("p", "plain", "body"),
		item("p", "no body", ""),
		{Key: key("Ärger/日本", "\x00\xff\x80"), Version: math.MaxInt64, Count: math.MinInt64,
			Body: []byte{0, 255, '"'}, Expires: future},
		{Key: key("p", "negative"), Version: -1, Count: -100},
		{Key: key(strings.Repeat("p", 1024), strings.Repeat("\xff", table.MaxSortBytes)), Version: 1},
	} {
		mustWrite(t, tab, put(item(want.Partition, want.Sort, "old")))
		mustWrite(t, tab, put(want), put(item("other", fmt.Sprint(i), "x")))
		wantItem(t, mustGet(t, tab, want.Key)[0], want)
		queried := mustQuery(t, tab, table.Range{Partition: want.Partition, Prefix: want.Sort})
		if len(queried) != 1 {
			t.Fatalf("query found %d items", len(queried))
		}
		wantItem(t, &queried[0], want)
		mustWrite(t, tab, table.Op{Kind: table.Delete, Item: table.Item{Key: want.Key}})
		if mustGet(t, tab, want.Key)[0] != nil {
			t.Errorf("%v is still there", want.Key)
		}
	}
	mustWrite(t, tab, table.Op{Kind: table.Delete, Item: item("p", "never was", "")})
	mustWrite(t, tab)
}

func testGetMany(t *testing.T, tab table.Table) {
	const n = 250
	var puts []table.Item
	var keys []table.Key
	for i := range n {
		it := item(fmt.Sprint("p", i%7), fmt.Sprint(i), fmt.Sprint("body ", i))
		keys = append(keys, it.Key)
		if i%3 != 0 {
			puts = append(puts, it)
		}
	}
	mustBatch(t, tab, puts, nil)
	if got := mustGet(t, tab); len(got) != 0 {
		t.Errorf("%d items for no keys", len(got))
	}
	for _, c := range []table.Consistency{table.Strong, table.Eventual} {
		got, err := tab.Get(t.Context(), c, keys...)
		if err != nil || len(got) != n {
			t.Fatalf("%d items, %v", len(got), err)
		}
		for i, it := range got {
			if (it == nil) != (i%3 == 0) || it != nil &&
				(it.Key != keys[i] || string(it.Body) != fmt.Sprint("body ", i)) {
				t.Fatalf("element %d is %v", i, it)
			}
		}
	}
}

func testKeyOrder(t *testing.T, tab table.Table) {
	random := rand.New(rand.NewPCG(1, 2))
	want := []string{"\x00", "\x00\x00", "\x00\xff", "\x01", "a", "a\x00", "a\x00b", "aa", "b", "é",
		"\xff", "\xff\x00", "\xff\xff"}
	for range 200 {
		b := make([]byte, 1+random.IntN(12))
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		want = append(want, string(b))
	}
	slices.Sort(want)
	want = slices.Compact(want)
	var puts []table.Item
	for _, i := range random.Perm(len(want)) {
		puts = append(puts, item("order", want[i], "x"))
	}
	for _, near := range []string{"orde", "order ", "order\x01", "orderz", "ordes"} {
		puts = append(puts, item(near, "a", "not in the partition"))
	}
	mustBatch(t, tab, puts, nil)
	all := table.Range{Partition: "order"}
	wantSorts(t, all, mustQuery(t, tab, all), want)
	all.Reverse = true
	slices.Reverse(want)
	wantSorts(t, all, mustQuery(t, tab, all), want)
}

// testRanges compares queries with the plain meaning of a range.
func testRanges(t *testing.T, tab table.Table) {
	sorted := []string{"\x00", "a", "a/1", "a/2", "a/2/x", "a/3", "a0", "b", "b\xff", "b\xff\xff",
		"c", "\xff", "\xff\xff", "\xff\xffz"}
	var puts []table.Item
	for _, s := range sorted {
		puts = append(puts, item("r", s, s))
	}
	mustBatch(t, tab, puts, nil)
	bounds := []string{"", "a", "a/2", "a/2\x00", "b\xff", "c", "\xff\xff"}
	for _, prefix := range []string{"", "a/", "b\xff", "\xff", "none"} {
		for _, from := range bounds {
			for _, to := range bounds {
				for _, limit := range []int{0, 1, 3} {
					r := table.Range{Partition: "r", Prefix: prefix, From: from, To: to,
						Limit: limit, Eventual: limit == 3}
					wantSorts(t, r, mustQuery(t, tab, r), expectedKeys(sorted, r))
					r.Reverse = true
					wantSorts(t, r, mustQuery(t, tab, r), expectedKeys(sorted, r))
				}
			}
		}
	}
	for _, at := range []string{"a", "b\xff", "\xff"} { // bounds longer than any key
		long := at + strings.Repeat("\x00", table.MaxSortBytes)
		for _, r := range []table.Range{{Partition: "r", From: long}, {Partition: "r", To: long},
			{Partition: "r", From: "a", To: long, Reverse: true}, {Partition: "r", Prefix: long}} {
			wantSorts(t, r, mustQuery(t, tab, r), expectedKeys(sorted, r))
		}
	}
	if got := mustQuery(t, tab, table.Range{Partition: "empty"}); len(got) != 0 {
		t.Errorf("%d items in an empty partition", len(got))
	}
}

func expectedKeys(sorted []string, r table.Range) []string {
	var want []string
	for _, s := range sorted {
		if strings.HasPrefix(s, r.Prefix) && s >= r.From && (r.To == "" || s < r.To) {
			want = append(want, s)
		}
	}
	if r.Reverse {
		slices.Reverse(want)
	}
	if r.Limit > 0 {
		want = want[:min(r.Limit, len(want))]
	}
	return want
}

// testLargeQuery reads more than DynamoDB answers at once.
func testLargeQuery(t *testing.T, tab table.Table) {
	const n = 50
	var puts []table.Item
	var want []string
	for i := range n {
		s := fmt.Sprintf("%03d", i)
		want = append(want, s)
		puts = append(puts, item("large", s, s+strings.Repeat("x", 60_000)))
	}
	mustBatch(t, tab, puts, nil)
	for _, limit := range []int{0, 45} {
		r := table.Range{Partition: "large", Limit: limit}
		got := mustQuery(t, tab, r)
		wantSorts(t, r, got, want[:n-n%45*min(limit, 1)])
		for _, it := range got {
			if !strings.HasPrefix(string(it.Body), it.Sort) || len(it.Body) != 60_003 {
				t.Fatalf("wrong body of %q", it.Sort)
			}
		}
	}
	r := table.Range{Partition: "large", From: "001", To: "049", Reverse: true, Limit: 47}
	back := slices.Clone(want[2:49])
	slices.Reverse(back)
	wantSorts(t, r, mustQuery(t, tab, r), back)
	keys := make([]table.Key, n)
	for i := range keys {
		keys[i] = puts[i].Key
	}
	for i, it := range mustGet(t, tab, keys...) {
		wantItem(t, it, puts[i])
	}
}
