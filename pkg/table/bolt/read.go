package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"go.etcd.io/bbolt"
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
	err := t.db.View(func(tx *bbolt.Tx) error {
		bucket := tx.Bucket(itemsBucket)
		var buf []byte
		for i, key := range keys {
			buf = appendKey(buf[:0], key)
			value := bucket.Get(buf)
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
		return nil, unavailable(err)
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
	err := t.db.View(func(tx *bbolt.Tx) error {
		var err error
		items, err = t.collect(ctx, newWalk(tx, r.Partition, lo, hi, r.Reverse), r)
		return err
	})
	if err != nil {
		return nil, unavailable(err)
	}
	return items, nil
}

// collect copies the live items of a walk, up to the limit of the range.
func (t *Table) collect(ctx context.Context, w *walk, r table.Range) ([]table.Item, error) {
	now := t.now()
	var items []table.Item
	if r.Limit > 0 {
		items = make([]table.Item, 0, min(r.Limit, 64))
	}
	for n := 1; ; n++ {
		key, value := w.next()
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

// walk steps through the keys from lo (inclusive) to hi (exclusive) in either direction.
type walk struct {
	cursor  *bbolt.Cursor
	lo, hi  []byte
	reverse bool
	started bool
}

func newWalk(tx *bbolt.Tx, partition, lo, hi string, reverse bool) *walk {
	w := &walk{cursor: tx.Bucket(itemsBucket).Cursor(), reverse: reverse}
	w.lo = appendKey(nil, table.Key{Partition: partition, Sort: lo})
	if hi != "" {
		w.hi = appendKey(nil, table.Key{Partition: partition, Sort: hi})
	} else {
		w.hi = append(slices.Clone([]byte(partition)), 1) // the end of the partition
	}
	return w
}

func (w *walk) next() (key, value []byte) {
	switch {
	case w.started && w.reverse:
		key, value = w.cursor.Prev()
	case w.started:
		key, value = w.cursor.Next()
	case w.reverse:
		if key, _ = w.cursor.Seek(w.hi); key == nil {
			key, value = w.cursor.Last()
		} else {
			key, value = w.cursor.Prev()
		}
	default:
		key, value = w.cursor.Seek(w.lo)
	}
	w.started = true
	if key == nil || bytes.Compare(key, w.lo) < 0 || bytes.Compare(key, w.hi) >= 0 {
		return nil, nil
	}
	return key, value
}

// unavailable converts errors of the engine to the errors of the port.
func unavailable(err error) error {
	switch {
	case errors.Is(err, bberrors.ErrDatabaseNotOpen):
		return errClosed
	case errors.Is(err, errCorrupt), errors.Is(err, context.Canceled),
		errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return fmt.Errorf("%w: bolt: %w", table.ErrUnavailable, err)
}
