package analysis

import (
	"fmt"
	"sync"
	"testing"
)

// TestStemCache stems more words than are remembered, from several goroutines: stems stay the same
// and the memory bounded.
func TestStemCache(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			s := newStemmer("en")
			for i := range 2*maxStems + 10 {
				s.stem(fmt.Sprintf("%c%c%c%cing", 'b'+i%20, 'a'+i/20%20, 'b'+i/400%20, 'b'+i/8000%20))
				if got := s.stem("running"); got != "run" {
					t.Errorf("running became %q", got)
					return
				}
			}
		})
	}
	wg.Wait()
	if n := len(knownStems("en").byWord); n == 0 || n > maxStems {
		t.Errorf("%d stems are remembered", n)
	}
}
