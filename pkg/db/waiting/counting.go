package waiting

import "sync"

// Counting is what a process knows of the change rows of counters. The zero value knows nothing.
type Counting struct {
	Pace    Pace
	mu      sync.Mutex
	settled map[string]int64
}

// Settled reports whether the process saw before that the merge of a state was done.
func (c *Counting) Settled(collection string, version int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	seen, ok := c.settled[collection]
	return ok && seen == version
}

// Settle notes that the merge of a state is done.
func (c *Counting) Settle(collection string, version int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.settled == nil {
		c.settled = map[string]int64{}
	}
	c.settled[collection] = version
}
