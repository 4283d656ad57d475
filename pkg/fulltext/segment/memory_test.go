package segment

import (
	"runtime"
	"testing"
)

// TestShortListMemory: most lists of a segment have one or two documents, and a flush encodes a hundred of them for
// each text. Each took 3 KB of memory, a quarter of all that a create took.
func TestShortListMemory(t *testing.T) {
	const times, most = 1000, 256
	l := List{Numbers: []uint32{3, 8}, Weights: []byte{1, 200}, Table: []string{"word"}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range times {
		l.encode("word")
	}
	runtime.ReadMemStats(&after)
	if n := (after.TotalAlloc - before.TotalAlloc) / times; n > most {
		t.Errorf("a list of two documents takes %d bytes of memory, want %d at most", n, most)
	}
}
