package db

import (
	"context"
	"errors"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// Rehearsal evaluates transactions one after the other without writing them, each on the state that
// the ones before it would leave. It is used by one goroutine.
type Rehearsal struct {
	db   *DB
	rows map[table.Key]*table.Item // nil: absent
	left map[table.Key]bool        // rows that the transactions would change
	// Before finds rows that earlier rehearsals have left, nil for absent ones. A nil Before finds none.
	Before func(ctx context.Context, keys []table.Key) (map[table.Key]*table.Item, error)
	// Ours reports whether the last transaction was refused because of a row that one before it would change.
	Ours bool
}

// Rehearse starts a rehearsal on the stored state.
func (s *DB) Rehearse() *Rehearsal {
	return &Rehearsal{db: s, rows: map[table.Key]*table.Item{}, left: map[table.Key]bool{}}
}

// Commit returns the error that DB.Commit would return after the transactions before, or nil if it
// would succeed. It runs the checks of the transaction, as DB.Commit does.
func (r *Rehearsal) Commit(ctx context.Context, t *Tx) error {
	r.Ours = false
	if err := t.checkPermitted(cms.PermissionsOf(ctx)); err != nil {
		return err
	}
	for _, check := range t.checks {
		if err := check(cms.WithPermissions(ctx, nil)); err != nil {
			return err
		}
	}
	t.placeRests()
	if err := table.CheckOps(t.Ops); errors.Is(err, table.ErrTooLarge) {
		return cms.Errorf(cms.CodePayloadTooLarge, "This is larger than one stored item can hold.")
	}
	if err := r.Read(ctx, t); err != nil {
		return err
	}
	for i, op := range t.Ops {
		if holds(op, r.rows[op.Item.Key]) {
			continue
		}
		r.Ours = r.left[op.Item.Key]
		t.DB = r.db.Over(r.Table(), nil) // which a repair reads
		err := refusedCommit(ctx, t.failure[i])
		if _, reserves := t.failure[i].(*Repair); reserves && r.Ours && errors.Is(err, ErrOvertaken) {
			continue // a transaction before has reserved the row for the same owner
		}
		return err
	}
	for _, op := range t.Ops {
		switch item := op.Item; op.Kind {
		case table.Put:
			r.leave(item.Key, &item)
		case table.Delete:
			r.leave(item.Key, nil)
		}
	}
	for _, rest := range t.later {
		for i := range rest.lines {
			r.leave(rest.lines[i].key(), nil)
		}
	}
	return nil
}

// Table returns the table as the transactions would leave it, for reads. Only Get sees them.
func (r *Rehearsal) Table() table.Table { return rehearsed{r.db.Table, r.rows} }

// rehearsed is a table as transactions that are not written would leave it. Only Get sees them.
type rehearsed struct {
	table.Table
	rows map[table.Key]*table.Item
}

func (t rehearsed) Get(ctx context.Context, c table.Consistency, keys ...table.Key) ([]*table.Item, error) {
	items, err := t.Table.Get(ctx, c, keys...)
	for i := range items {
		if row, known := t.rows[keys[i]]; known {
			items[i] = row
		}
	}
	return items, err
}

func (r *Rehearsal) leave(key table.Key, item *table.Item) { r.rows[key], r.left[key] = item, true }

// Left returns the rows that the transactions would change, nil for those that they delete.
func (r *Rehearsal) Left() map[table.Key]*table.Item {
	left := map[table.Key]*table.Item{}
	for key := range r.left {
		left[key] = r.rows[key]
	}
	return left
}

// CommitAlone is Commit for changes of which none reads what another one leaves. Those that follow see only which rows
// the transaction would reserve or delete.
func (r *Rehearsal) CommitAlone(ctx context.Context, t *Tx) error {
	err := r.Commit(ctx, t)
	for i, op := range t.Ops {
		if _, reserves := t.failure[i].(*Repair); !reserves && op.Kind != table.Delete {
			delete(r.rows, op.Item.Key)
			delete(r.left, op.Item.Key)
		}
	}
	return err
}

// Read fetches the rows on which transactions have conditions, so that Commit need not read them one
// transaction after the other. It skips rows that are known, and transactions that are nil.
func (r *Rehearsal) Read(ctx context.Context, txs ...*Tx) error {
	var keys []table.Key
	wanted := map[table.Key]bool{}
	for _, t := range txs {
		if t == nil {
			continue
		}
		for _, op := range t.Ops {
			if _, known := r.rows[op.Item.Key]; op.If != table.Always && !known && !wanted[op.Item.Key] {
				wanted[op.Item.Key], keys = true, append(keys, op.Item.Key)
			}
		}
	}
	if r.Before != nil {
		known, err := r.Before(ctx, keys)
		if err != nil {
			return err
		}
		for key, item := range known {
			r.leave(key, item)
		}
		keys = slices.DeleteFunc(keys, func(key table.Key) bool { return r.left[key] })
	}
	items, err := r.db.Table.Get(ctx, table.Strong, keys...)
	for i, item := range items {
		r.rows[keys[i]] = item
	}
	return err
}

// holds reports whether the condition of an operation holds for an item; nil means no item.
func holds(op table.Op, item *table.Item) bool {
	switch op.If {
	case table.Absent:
		return item == nil
	case table.Present:
		return item != nil
	case table.VersionIs:
		return item != nil && item.Version == op.Version
	}
	return true
}
