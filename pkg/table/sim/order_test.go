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
	o := newOrder()
	var want []string
	for n := range 20_000 {
		k := key()
		i, found := slices.BinarySearch(want, k)
		if found && random.IntN(2) == 0 {
			o.Delete(at(k))
			want = slices.Delete(want, i, i+1)
		} else {
			o.Set(pack(k, nil))
			if !found {
				want = slices.Insert(want, i, k)
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
		if got := keys(o, lo, hi, false); !slices.Equal(got, some) {
			t.Fatalf("after %d changes from %q to %q:\n got %q\nwant %q", n, lo, hi, got, some)
		}
		slices.Reverse(some)
		if got := keys(o, lo, hi, true); !slices.Equal(got, some) {
			t.Fatalf("after %d changes from %q to %q in reverse:\n got %q\nwant %q", n, lo, hi, got, some)
		}
	}
	for _, k := range want {
		o.Delete(at(k))
	}
	if left := append(keys(o, "", "", true), keys(o, "a", "b", false)...); len(left) != 0 {
		t.Errorf("an empty order has %q", left)
	}
}

func keys(o *order, lo, hi string, reverse bool) (keys []string) {
	for r := range between(o, lo, hi, reverse) {
		keys = append(keys, r.sort())
	}
	return keys
}
