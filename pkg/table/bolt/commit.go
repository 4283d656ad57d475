package bolt

import (
	"errors"
	"time"

	"go.etcd.io/bbolt"

	"headless/pkg/table"
)

// writeLoop is the only writer of the file. It commits all waiting requests together, with one disk
// sync.
func (t *Table) writeLoop() {
	defer close(t.done)
	ticker := time.NewTicker(purgeInterval)
	defer ticker.Stop()
	for {
		select {
		case first, ok := <-t.queue:
			if !ok {
				return
			}
			t.commit(t.gather(first))
		case <-ticker.C:
			t.purge()
		}
	}
}

// gather returns the first request and those that wait after it.
func (t *Table) gather(first *request) []*request {
	group, size := []*request{first}, first.size()
	for len(group) < maxGroup && size < groupBytes {
		select {
		case r, ok := <-t.queue:
			if !ok {
				return group // the loop detects the closed queue next
			}
			group, size = append(group, r), size+r.size()
		default:
			return group
		}
	}
	return group
}

func (r *request) size() int {
	n := 0
	for i := range r.ops {
		n += len(r.ops[i].Item.Body)
	}
	return n
}

// commit applies the requests in order, so that each sees the changes of those before it. It
// responds after all of them are on disk.
func (t *Table) commit(group []*request) {
	answers := make([]error, len(group))
	now := t.now()
	err := t.db.Update(func(tx *bbolt.Tx) error {
		changed := false
		w := writer{items: tx.Bucket(itemsBucket), expiry: tx.Bucket(expiryBucket), now: now}
		for i, r := range group {
			if answers[i] = r.ctx.Err(); answers[i] != nil {
				continue
			}
			failed, err := w.failing(r.ops)
			if err != nil {
				return err
			}
			if failed != nil {
				answers[i] = failed
				continue
			}
			if err := w.apply(r.ops); err != nil {
				return err
			}
			changed = true
		}
		if !changed {
			return errNothing
		}
		return nil
	})
	for i, r := range group {
		if err != nil && err != errNothing {
			answers[i] = unavailable(err) // failed conditions too: they may depend on changes that were rolled back
		}
		r.answer <- answers[i]
	}
}

// errNothing rolls back a transaction without changes, which saves its disk sync.
var errNothing = errors.New("bolt: nothing changed")

// writer changes items in a transaction.
type writer struct {
	items, expiry *bbolt.Bucket
	now           time.Time
}

// failing returns the *table.ConditionError of the first operation whose condition does not hold.
func (w *writer) failing(ops []table.Op) (failed, err error) {
	var buf []byte
	for i := range ops {
		op := &ops[i]
		if op.If == table.Always {
			continue
		}
		buf = appendKey(buf[:0], op.Item.Key)
		have, err := w.get(buf)
		if err != nil {
			return nil, err
		}
		holds := have != nil
		switch op.If {
		case table.Absent:
			holds = have == nil
		case table.VersionIs:
			holds = have != nil && have.Version == op.Version
		}
		if !holds {
			return &table.ConditionError{Index: i}, nil
		}
	}
	return nil, nil
}

// get reads a live item without its key; nil if it does not exist.
func (w *writer) get(key []byte) (*table.Item, error) {
	value := w.items.Get(key)
	if value == nil {
		return nil, nil
	}
	item, err := decodeValue(value)
	if err != nil || !item.Live(w.now) {
		return nil, err
	}
	return &item, nil
}

func (w *writer) apply(ops []table.Op) error {
	for i := range ops {
		item := &ops[i].Item
		key := appendKey(nil, item.Key) // the engine uses the key until the commit
		var err error
		switch ops[i].Kind {
		case table.Put:
			err = w.put(key, item)
		case table.Delete:
			err = w.items.Delete(key)
		case table.Add:
			err = w.add(key, item)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) add(key []byte, by *table.Item) error {
	have, err := w.get(key)
	if err != nil {
		return err
	}
	if have == nil {
		have = &table.Item{}
	}
	have.Count += by.Count
	if have.Expires == 0 {
		have.Expires = by.Expires
	}
	return w.put(key, have)
}

func (w *writer) put(key []byte, item *table.Item) error {
	if item.Expires > 0 {
		if err := w.expiry.Put(expiryKey(item.Expires, key), nil); err != nil {
			return err
		}
	}
	return w.items.Put(key, appendValue(nil, item))
}
