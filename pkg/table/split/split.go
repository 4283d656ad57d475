// Package split stores some partitions of a table in a second table. Data that is written
// constantly and may be lost can so be kept out of the main table.
package split

import (
	"context"
	"errors"
	"strings"

	"headless/pkg/table"
)

// Table is a table.Table over two tables. One Write may only change one of them.
type Table struct {
	main, second table.Table
	prefix       string
}

var _ table.Table = (*Table)(nil)

// New stores the partitions that start with prefix in second, and all others in main. Close closes
// both.
func New(main, second table.Table, prefix string) *Table {
	return &Table{main: main, second: second, prefix: prefix}
}

func (t *Table) tableOf(partition string) table.Table {
	if strings.HasPrefix(partition, t.prefix) {
		return t.second
	}
	return t.main
}

// Get implements table.Table.
func (t *Table) Get(ctx context.Context, c table.Consistency, keys ...table.Key) ([]*table.Item, error) {
	var secondKeys []table.Key
	var at []int
	for i, key := range keys {
		if strings.HasPrefix(key.Partition, t.prefix) {
			secondKeys, at = append(secondKeys, key), append(at, i)
		}
	}
	if len(secondKeys) == len(keys) && len(keys) > 0 {
		return t.second.Get(ctx, c, keys...)
	}
	items, err := t.main.Get(ctx, c, keys...)
	if err != nil || len(secondKeys) == 0 {
		return items, err
	}
	found, err := t.second.Get(ctx, c, secondKeys...)
	if err != nil {
		return nil, err
	}
	for i, item := range found {
		items[at[i]] = item
	}
	return items, nil
}

// Query implements table.Table.
func (t *Table) Query(ctx context.Context, r table.Range) ([]table.Item, error) {
	return t.tableOf(r.Partition).Query(ctx, r)
}

var errBoth = errors.New("split: a write touches both tables")

// Write implements table.Table.
func (t *Table) Write(ctx context.Context, ops []table.Op) error {
	if len(ops) == 0 {
		return t.main.Write(ctx, ops)
	}
	to := t.tableOf(ops[0].Item.Partition)
	for i := range ops {
		if t.tableOf(ops[i].Item.Partition) != to {
			return errBoth
		}
	}
	return to.Write(ctx, ops)
}

// Add implements table.Table.
func (t *Table) Add(ctx context.Context, key table.Key, delta, limit, expires int64) (int64, error) {
	return t.tableOf(key.Partition).Add(ctx, key, delta, limit, expires)
}

// BatchWrite implements table.Table.
func (t *Table) BatchWrite(ctx context.Context, puts []table.Item, deletes []table.Key) error {
	var mainPuts, secondPuts []table.Item
	var mainDeletes, secondDeletes []table.Key
	for _, item := range puts {
		if t.tableOf(item.Partition) == t.second {
			secondPuts = append(secondPuts, item)
		} else {
			mainPuts = append(mainPuts, item)
		}
	}
	for _, key := range deletes {
		if t.tableOf(key.Partition) == t.second {
			secondDeletes = append(secondDeletes, key)
		} else {
			mainDeletes = append(mainDeletes, key)
		}
	}
	if len(mainPuts)+len(mainDeletes) > 0 || len(puts)+len(deletes) == 0 {
		if err := t.main.BatchWrite(ctx, mainPuts, mainDeletes); err != nil {
			return err
		}
	}
	if len(secondPuts)+len(secondDeletes) == 0 {
		return nil
	}
	return t.second.BatchWrite(ctx, secondPuts, secondDeletes)
}

// Close implements table.Table.
func (t *Table) Close() error { return errors.Join(t.main.Close(), t.second.Close()) }
