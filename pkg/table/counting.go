package table

import (
	"context"
	"sync"
	"time"
)

// Counting measures the cost of calls on DynamoDB, with any adapter, by DynamoDB's size formulas.
//
// To get the size of a replaced item, it first reads the item from the inner table; such reads are
// not counted. It does not see expired items that an adapter leaves out. Retries of the adapter
// count once. Checks in a transaction count as writes. Very quick parallel calls may run one after
// the other and then count as several round trips. To measure those, wrap a Faulty with a delay of
// some milliseconds.
type Counting struct {
	inner Table

	mu    sync.Mutex
	usage Usage
	calls []interval
}

var _ Table = (*Counting)(nil)

// NewCounting wraps a table. Close closes the inner table.
func NewCounting(inner Table) *Counting { return &Counting{inner: inner} }

// Reset sets all counts to zero.
func (c *Counting) Reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.usage, c.calls = Usage{}, nil
}

// Snapshot returns the cost of the calls that have ended since the last Reset.
func (c *Counting) Snapshot() Usage {
	c.mu.Lock()
	defer c.mu.Unlock()
	u := c.usage
	u.RoundTrips = depth(c.calls)
	return u
}

// noteCall adds a call that started at start and ends now. trips of its requests ran one after the
// other.
func (c *Counting) noteCall(start time.Time, calls, trips int, read, write float64) {
	end := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.usage.Calls += calls
	c.usage.ReadUnits += read
	c.usage.WriteUnits += write
	c.calls = append(c.calls, interval{start, end, trips})
}

// Get implements Table.
func (c *Counting) Get(ctx context.Context, how Consistency, keys ...Key) ([]*Item, error) {
	start := time.Now()
	items, err := c.inner.Get(ctx, how, keys...)
	if calls, read := getCost(items, how); calls > 0 {
		c.noteCall(start, calls, 1, read, 0)
	}
	return items, err
}

// Query implements Table.
func (c *Counting) Query(ctx context.Context, r Range) ([]Item, error) {
	start := time.Now()
	items, err := c.inner.Query(ctx, r)
	calls, read := queryCost(items, Consistency(r.Eventual))
	c.noteCall(start, calls, calls, read, 0)
	return items, err
}

// Write implements Table.
func (c *Counting) Write(ctx context.Context, ops []Op) error {
	if len(ops) == 0 {
		return c.inner.Write(ctx, ops)
	}
	write, err := c.opsCost(ctx, ops)
	if err != nil {
		return err
	}
	if len(ops) > 1 || !ops[0].Plain() {
		write *= 2 // prepare and commit
	}
	start := time.Now()
	err = c.inner.Write(ctx, ops)
	c.noteCall(start, 1, 1, 0, write)
	return err
}

func (c *Counting) opsCost(ctx context.Context, ops []Op) (float64, error) {
	keys := make([]Key, len(ops))
	for i := range ops {
		keys[i] = ops[i].Item.Key
	}
	before, err := c.inner.Get(ctx, Strong, keys...)
	if err != nil {
		return 0, err
	}
	write := 0.0
	for i := range ops {
		write += opUnits(&ops[i], before[i])
	}
	return write, nil
}

// Add implements Table.
func (c *Counting) Add(ctx context.Context, key Key, delta, limit, expires int64) (int64, error) {
	start := time.Now()
	count, err := c.inner.Add(ctx, key, delta, limit, expires)
	after := Item{Key: key, Count: count, Expires: expires}
	c.noteCall(start, 1, 1, 0, units(after.Size(), writeUnit))
	return count, err
}

// BatchWrite implements Table.
func (c *Counting) BatchWrite(ctx context.Context, puts []Item, deletes []Key) error {
	ops := BatchOps(puts, deletes)
	if len(ops) == 0 {
		return c.inner.BatchWrite(ctx, puts, deletes)
	}
	write, err := c.opsCost(ctx, ops)
	if err != nil {
		return err
	}
	start := time.Now()
	err = c.inner.BatchWrite(ctx, puts, deletes)
	c.noteCall(start, (len(ops)+writeBatch-1)/writeBatch, 1, 0, write)
	return err
}

// Close implements Table.
func (c *Counting) Close() error { return c.inner.Close() }
