package index

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/uuid"
)

// TestBestFirst compares the selected hits with a sort of all, for small and large selections and
// with many equal scores.
func TestBestFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		hits := make([]Hit, r.IntN(700))
		for i := range hits {
			hits[i] = Hit{ID: uuid.New(), Score: float64(r.IntN(20))}
		}
		want := slices.Clone(hits)
		slices.SortFunc(want, func(a, b Hit) int { return ByScore(&a, &b) })
		n := r.IntN(len(hits) + 1)
		BestFirst(hits, n, ByScore)
		if !slices.Equal(hits[:n], want[:n]) {
			t.Fatalf("the best %d of %d hits are wrong", n, len(hits))
		}
		slices.SortFunc(hits, func(a, b Hit) int { return ByScore(&a, &b) })
		if !slices.Equal(hits, want) {
			t.Fatal("hits were lost")
		}
	}
}
