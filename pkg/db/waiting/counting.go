package waiting

import "sync"

// Counting is what a process remembers about the merges of counters. The zero value is empty and
// ready for use.
type Counting struct {
	Pace    Pace
	mu      sync.Mutex
	settled map[string]int64
}

// Settled reports whether this process saw earlier that the merge of this version of a collection's
// state was done.
func (c *Counting) Settled(collection string, version int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	seen, ok := c.settled[collection]
	return ok && seen == version
}

// Settle records that the merge of this version of a collection's state is done.
func (c *Counting) Settle(collection string, version int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.settled == nil {
		c.settled = map[string]int64{}
	}
	c.settled[collection] = version
}
