package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	bberrors "go.etcd.io/bbolt/errors"

	"headless/pkg/table"
)

// Get implements table.Table. It reads all keys from one snapshot.
func (t *Table) Get(ctx context.Context, _ table.Consistency, keys ...table.Key) ([]*table.Item, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := table.CheckKeys(keys); err != nil {
		return nil, err
	}
	now := t.now()
	items := make([]*table.Item, len(keys))
	err := t.readSnapshot(func(s snapshot) error {
		var buf []byte
		for i, key := range keys {
			buf = appendKey(buf[:0], key)
			value := s.valueOf(buf)
			if value == nil {
				continue
			}
			item, err := decodeValue(value)
			if err != nil {
				return err
			}
			if !item.Live(now) {
				continue
			}
			item.Key, item.Body = key, bytes.Clone(item.Body)
			items[i] = &item
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return items, nil
}

// Query implements table.Table. All items come from one snapshot.
func (t *Table) Query(ctx context.Context, r table.Range) ([]table.Item, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	lo, hi, ok := r.Bounds()
	if !ok {
		return nil, nil
	}
	var items []table.Item
	err := t.readSnapshot(func(s snapshot) (err error) {
		items, err = t.collectItems(ctx, newWalk(&s, r.Partition, lo, hi, r.Reverse), r)
		return err
	})
	if err != nil {
		return nil, err
	}
	return items, nil
}

// collectItems copies the live items of a walk, up to the limit of the range.
func (t *Table) collectItems(ctx context.Context, w *walk, r table.Range) ([]table.Item, error) {
	now := t.now()
	var items []table.Item
	if r.Limit > 0 {
		items = make([]table.Item, 0, min(r.Limit, 64))
	}
	for n := 1; ; n++ {
		key, value := w.nextItem()
		if key == nil || (r.Limit > 0 && len(items) == r.Limit) {
			return items, nil
		}
		if n%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		item, err := decodeValue(value)
		if err != nil {
			return nil, err
		}
		if !item.Live(now) {
			continue
		}
		item.Key = table.Key{Partition: r.Partition, Sort: string(key[len(r.Partition)+1:])}
		item.Body = bytes.Clone(item.Body)
		items = append(items, item)
	}
}

// unavailable converts errors of the engine to the errors of the port.
func unavailable(err error) error {
	switch {
	case err == nil, errors.Is(err, table.ErrUnavailable):
		return err
	case errors.Is(err, bberrors.ErrDatabaseNotOpen):
		return errClosed
	case errors.Is(err, errCorrupt), errors.Is(err, context.Canceled),
		errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return fmt.Errorf("%w: bolt: %w", table.ErrUnavailable, err)
}
