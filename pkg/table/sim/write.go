package sim

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"headless/pkg/table"
)

const (
	writeUnit  = 1 << 10
	writeBatch = 25

	parallelism = 8 // batches at the same time, as in package dynamo
)

func units(size, unit int) float64 { return float64(max(1, (size+unit-1)/unit)) }

// Write implements table.Table: one plain operation, or a transaction.
func (t *Table) Write(ctx context.Context, ops []table.Op) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := table.CheckOps(ops); err != nil || len(ops) == 0 {
		return err
	}
	if len(ops) == 1 && ops[0].Plain() {
		return t.request(ctx, false, func() error { return t.plain(&ops[0]) })
	}
	return t.request(ctx, false, func() error { return t.transact(ctx, ops) })
}

// plain applies one operation outside of a transaction. It is refused if a transaction has locked
// the item.
func (t *Table) plain(op *table.Op) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	have := t.peek(op.Item.Key, now)
	next := result(op, have, now)
	if err := t.pay(op.Item.Key.Partition, cost(have, next), now); err != nil {
		return err
	}
	if t.isHeld(op.Item.Key) {
		t.usage.Conflicts++
		return errConflict
	}
	if !holds(op, have, now) {
		return &table.ConditionError{Index: 0}
	}
	t.setItem(op.Item.Key, next, now)
	return nil
}

// transact locks all items, waits, and applies the operations in two halves. Reads may happen
// between these.
func (t *Table) transact(ctx context.Context, ops []table.Op) error {
	order, hold, err := t.lockItems(ops)
	if err != nil {
		return err
	}
	half := hold / 8
	_ = pause(context.WithoutCancel(ctx), hold-half)
	t.applyOps(ops, order[:len(order)/2])
	_ = pause(context.WithoutCancel(ctx), half)
	t.applyOps(ops, order[len(order)/2:])
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range ops {
		t.recently(ops[i].Item.Key).held = false
		t.forgetUnseen(ops[i].Item.Key, time.Now())
	}
	return nil
}

// lockItems locks the items of a transaction if none is locked. The attempt is billed in any case.
func (t *Table) lockItems(ops []table.Op) (order []int, hold time.Duration, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	for i := range ops {
		have := t.peek(ops[i].Item.Key, now)
		if err := t.pay(ops[i].Item.Key.Partition, 2*cost(have, result(&ops[i], have, now)), now); err != nil {
			return nil, 0, err
		}
	}
	for i := range ops {
		if t.isHeld(ops[i].Item.Key) {
			t.usage.Conflicts++
			return nil, 0, errConflict
		}
	}
	for i := range ops {
		if !holds(&ops[i], t.peek(ops[i].Item.Key, now), now) {
			return nil, 0, &table.ConditionError{Index: i}
		}
	}
	for i := range ops {
		t.recently(ops[i].Item.Key).held = true
	}
	hold = t.opts.HoldMin
	if spread := t.opts.HoldMax - t.opts.HoldMin; spread > 0 {
		hold += time.Duration(t.random.Int64N(int64(spread)))
	}
	return t.random.Perm(len(ops)), hold, nil
}

func (t *Table) applyOps(ops []table.Op, which []int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	for _, i := range which {
		if op := &ops[i]; op.Kind != table.Check {
			t.setItem(op.Item.Key, result(op, t.peek(op.Item.Key, now), now), now)
		}
	}
}

// pay takes write units of a partition key and of the table.
func (t *Table) pay(partition string, n float64, now time.Time) error {
	t.usage.WriteUnits += n
	if !t.partition(partition).writes.takeUnits(n, t.opts.KeyWrites, now) ||
		!t.writes.takeUnits(n, t.opts.TableWrites, now) {
		t.usage.Throttled++
		return errThrottled
	}
	return nil
}

func cost(have, next *table.Item) float64 {
	size := 0
	if have != nil {
		size = have.Size()
	}
	if next != nil {
		size = max(size, next.Size())
	}
	return units(size, writeUnit)
}

// Add implements table.Table. It does not retry after a lost response.
func (t *Table) Add(ctx context.Context, key table.Key, delta, limit, expires int64) (count int64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if err := key.Validate(); err != nil {
		return 0, err
	}
	err = t.request(ctx, true, func() error {
		t.mu.Lock()
		defer t.mu.Unlock()
		now := time.Now()
		op := table.Op{Kind: table.Add, Item: table.Item{Key: key, Count: delta, Expires: expires}}
		have := t.peek(key, now)
		next := result(&op, have, now)
		if err := t.pay(key.Partition, cost(have, next), now); err != nil {
			return err
		}
		if t.isHeld(key) {
			t.usage.Conflicts++
			return errConflict
		}
		if next.Count > limit {
			return table.ErrLimit
		}
		t.setItem(key, next, now)
		count = next.Count
		return nil
	})
	if err != nil {
		return 0, err
	}
	return count, nil
}

// BatchWrite implements table.Table. It retries items that a transaction has locked.
func (t *Table) BatchWrite(ctx context.Context, puts []table.Item, deletes []table.Key) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := table.CheckBatch(puts, deletes); err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(parallelism)
	for rest := range slices.Chunk(table.BatchOps(puts, deletes), writeBatch) {
		g.Go(func() error {
			return t.request(ctx, false, func() (err error) {
				var left []table.Op
				for i := range rest {
					if e := t.plain(&rest[i]); e != nil {
						left, err = append(left, rest[i]), e
					}
				}
				rest = left
				return err
			})
		})
	}
	return g.Wait()
}
