package sim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestOrder compares an order with a sorted list while keys come and go.
func TestOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	key := func() string { return fmt.Sprintf("%04x", random.IntN(4000)) }
	var o order
	var want []string
	for n := range 20_000 {
		k := key()
		at, found := slices.BinarySearch(want, k)
		if found && random.IntN(2) == 0 {
			o.removeRow(k)
			want = slices.Delete(want, at, at+1)
		} else {
			o.putRow(pack(k, nil))
			if !found {
				want = slices.Insert(want, at, k)
			}
		}
		if n%100 != 0 {
			continue
		}
		lo, hi := key(), key()
		if n%300 == 0 {
			hi = ""
		}
		from, _ := slices.BinarySearch(want, lo)
		to, _ := slices.BinarySearch(want, hi)
		if hi == "" {
			to = len(want)
		}
		some := slices.Clone(want[from:max(from, to)])
		if got := keys(&o, lo, hi, false); !slices.Equal(got, some) {
			t.Fatalf("after %d changes from %q to %q:\n got %q\nwant %q", n, lo, hi, got, some)
		}
		slices.Reverse(some)
		if got := keys(&o, lo, hi, true); !slices.Equal(got, some) {
			t.Fatalf("after %d changes from %q to %q in reverse:\n got %q\nwant %q", n, lo, hi, got, some)
		}
	}
	for _, chunk := range o.chunks {
		if len(chunk) > chunkSize {
			t.Errorf("a chunk has %d rows", len(chunk))
		}
	}
	for _, k := range want {
		o.removeRow(k)
	}
	if len(o.chunks) != 0 {
		t.Errorf("%d chunks are left", len(o.chunks))
	}
	if left := append(keys(&o, "", "", true), keys(&o, "a", "b", false)...); len(left) != 0 {
		t.Errorf("an empty order has %q", left)
	}
}

func keys(o *order, lo, hi string, reverse bool) (keys []string) {
	for r := range o.between(lo, hi, reverse) {
		keys = append(keys, r.sort())
	}
	return keys
}
