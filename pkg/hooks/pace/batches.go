package pace

import (
	"sync"
	"time"
)

const (
	// MaxBatch is the largest batch. The messages of SQS come in batches of as many.
	MaxBatch = 10
	// maxReceivers bounds how many receivers are remembered.
	maxReceivers = 10_000
)

// Batches are how many requests to each receiver are worth sending one after the other, by how long
// its latest ones took. The zero value is ready for use, by several goroutines at a time.
type Batches struct {
	mu    sync.Mutex
	sizes map[string]int // those above 1
}

// Size is the size of the next batch for a receiver, 1 for one that is not known.
func (b *Batches) Size(receiver string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(1, b.sizes[receiver])
}

// Note sets the size so that requests which take as long as the latest ones, each, fill a time.
func (b *Batches) Note(receiver string, fill, each time.Duration) {
	size := min(int(fill/max(each, 1)), MaxBatch)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.sizes == nil || len(b.sizes) >= maxReceivers {
		b.sizes = map[string]int{}
	}
	if delete(b.sizes, receiver); size > 1 {
		b.sizes[receiver] = size
	}
}
