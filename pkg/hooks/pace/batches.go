package pace

import (
	"sync"
	"time"
)

const (
	// maxBatch is the largest batch. SQS delivers at most as many messages together.
	maxBatch = 10
	// maxReceivers bounds how many receivers are remembered.
	maxReceivers = 10_000
)

// Batches holds how many requests one worker should send to each receiver, one after the other.
// This depends on how long the receiver's latest requests took. The zero value is ready for use.
// Batches is safe for concurrent use.
type Batches struct {
	mu    sync.Mutex
	sizes map[string]int // those above 1
}

// Size returns the size of the next batch for a receiver; 1 if none was noted.
func (b *Batches) Size(receiver string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(1, b.sizes[receiver])
}

// Note sets the size of a receiver's batches to the number of requests that fit into the time fill
// if each of them takes the time each.
func (b *Batches) Note(receiver string, fill, each time.Duration) {
	size := min(int(fill/max(each, 1)), maxBatch)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.sizes == nil || len(b.sizes) >= maxReceivers {
		b.sizes = map[string]int{}
	}
	if delete(b.sizes, receiver); size > 1 {
		b.sizes[receiver] = size
	}
}
