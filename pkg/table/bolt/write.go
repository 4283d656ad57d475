package bolt

import (
	"context"

	"headless/pkg/table"
)

const (
	maxGroup   = 256     // requests in one commit
	groupBytes = 8 << 20 // bytes in one commit, so that nobody waits long for large writes of others
	batchChunk = 5000    // operations of a BatchWrite in one request
)

// request is a Write that waits for its commit.
type request struct {
	ctx    context.Context
	ops    []table.Op
	answer chan error // has room for one
}

// Write implements table.Table. If ctx ends during the commit, the operations may have been
// applied, and their bodies may still be read for a while.
func (t *Table) Write(ctx context.Context, ops []table.Op) error {
	if err := table.CheckOps(ops); err != nil {
		return err
	}
	return t.submit(ctx, &request{ops: ops})
}

// BatchWrite implements table.Table.
func (t *Table) BatchWrite(ctx context.Context, puts []table.Item, deletes []table.Key) error {
	if err := table.CheckBatch(puts, deletes); err != nil {
		return err
	}
	ops := make([]table.Op, 0, min(len(puts)+len(deletes), batchChunk))
	for i := range len(puts) + len(deletes) {
		if i < len(puts) {
			ops = append(ops, table.Op{Kind: table.Put, Item: puts[i]})
		} else {
			ops = append(ops, table.Op{Kind: table.Delete, Item: table.Item{Key: deletes[i-len(puts)]}})
		}
		if len(ops) == batchChunk {
			if err := t.submit(ctx, &request{ops: ops}); err != nil {
				return err
			}
			ops = make([]table.Op, 0, batchChunk)
		}
	}
	return t.submit(ctx, &request{ops: ops})
}

// Add implements table.Table, in memory.
func (t *Table) Add(ctx context.Context, key table.Key, delta, limit, expires int64) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if err := key.Validate(); err != nil {
		return 0, err
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.closed {
		return 0, errClosed
	}
	return t.counters.addDelta(key, delta, limit, expires, t.now())
}

// submit sends a request to the writer and waits for the result.
func (t *Table) submit(ctx context.Context, r *request) error {
	if err := ctx.Err(); err != nil || len(r.ops) == 0 {
		return err
	}
	r.ctx, r.answer = ctx, make(chan error, 1)
	if err := t.enqueue(r); err != nil {
		return err
	}
	select {
	case err := <-r.answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *Table) enqueue(r *request) error {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.closed {
		return errClosed
	}
	select {
	case t.queue <- r:
		return nil
	case <-r.ctx.Done():
		return r.ctx.Err()
	}
}
