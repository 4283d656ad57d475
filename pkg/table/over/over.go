// Package over lays changes over a table without writing them: reads see the changes, and later writes go to the
// table below. The changes may be loaded when they are first needed, while the table below is read.
package over

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"strings"
	"sync"

	"headless/pkg/table"
)

// Table is a table.Table with changes laid over it. Close does nothing.
type Table struct {
	table.Table
	load Load
	mu   sync.RWMutex
	rows map[string]map[string]*table.Item // by partition and sort key; nil: deleted
}

var _ table.Table = (*Table)(nil)

// Load starts to read the changes of some rows, and returns a function that waits until they are laid over
// the table. A key without a sort key stands for its partition. most is an upper bound of the number of changed rows.
type Load func(keys ...table.Key) (wait func() error, most int)

// New lays nothing over a table yet. load is called before each read.
func New(below table.Table, load Load) *Table {
	return &Table{Table: below, load: load, rows: map[string]map[string]*table.Item{}}
}

// Lay lays operations over the table. Their conditions do not count, and an Add is not supported. Whatever the
// order, a row that one operation deletes and another one puts is put: entries take slugs that others leave.
func (t *Table) Lay(ops []table.Op) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, op := range ops {
		key := op.Item.Key
		if t.rows[key.Partition] == nil {
			t.rows[key.Partition] = map[string]*table.Item{}
		}
		switch item := op.Item; op.Kind {
		case table.Put:
			t.rows[key.Partition][key.Sort] = &item
		case table.Delete:
			if t.rows[key.Partition][key.Sort] == nil {
				t.rows[key.Partition][key.Sort] = nil
			}
		}
	}
}

// Get implements table.Table.
func (t *Table) Get(ctx context.Context, c table.Consistency, keys ...table.Key) ([]*table.Item, error) {
	wait, _ := t.load(keys...)
	items, at, below := make([]*table.Item, len(keys)), []int{}, []table.Key{}
	t.mu.RLock()
	for i, key := range keys {
		if _, ok := t.rows[key.Partition][key.Sort]; !ok {
			at, below = append(at, i), append(below, key)
		}
	}
	t.mu.RUnlock()
	var err error
	if len(below) > 0 {
		var found []*table.Item
		found, err = t.Table.Get(ctx, c, below...)
		for i, item := range found {
			items[at[i]] = item
		}
	}
	if err := cmp.Or(wait(), err); err != nil {
		return nil, err
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	for i, key := range keys {
		if laid, ok := t.rows[key.Partition][key.Sort]; ok {
			if items[i] = nil; laid != nil {
				item := *laid
				items[i] = &item
			}
		}
	}
	return items, nil
}

// Query implements table.Table.
func (t *Table) Query(ctx context.Context, r table.Range) ([]table.Item, error) {
	wait, most := t.load(table.Key{Partition: r.Partition})
	_, changed := t.laidWithin(r)
	below := r
	if r.Limit > 0 {
		below.Limit += max(most, len(changed)) // as many rows may be hidden
	}
	rows, err := t.Table.Query(ctx, below)
	if err := cmp.Or(wait(), err); err != nil {
		return nil, err
	}
	laid, changed := t.laidWithin(r)
	if r.Limit > 0 && len(rows) == below.Limit && r.Limit+len(changed) > below.Limit {
		return t.Query(ctx, r) // more rows are hidden than was known before
	}
	rows = slices.DeleteFunc(rows, func(row table.Item) bool { return changed[row.Sort] })
	rows = append(rows, laid...)
	sort.Slice(rows, func(i, j int) bool { // which, unlike slices.SortFunc, is not made for each type
		if r.Reverse {
			i, j = j, i
		}
		return rows[i].Sort < rows[j].Sort
	})
	if r.Limit > 0 && len(rows) > r.Limit {
		rows = rows[:r.Limit]
	}
	return rows, nil
}

// laidWithin returns the rows of a range that are laid over the table, and the sort keys of all changes
// in it.
func (t *Table) laidWithin(r table.Range) (laid []table.Item, changed map[string]bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for sort, item := range t.rows[r.Partition] {
		if sort < r.From || r.To != "" && sort >= r.To || !strings.HasPrefix(sort, r.Prefix) {
			continue
		}
		if changed == nil {
			changed = map[string]bool{}
		}
		if changed[sort] = true; item != nil {
			laid = append(laid, *item)
		}
	}
	return laid, changed
}

// Close implements table.Table. The table below stays open.
func (t *Table) Close() error { return nil }
