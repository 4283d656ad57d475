package bolt

import (
	"cmp"
	"runtime"
	"time"

	"headless/pkg/table"
)

// writeLoop is the only writer of the log and of the layers. It commits all waiting requests
// together, with one disk sync.
func (t *Table) writeLoop() {
	for {
		select {
		case first, ok := <-t.queue:
			if !ok {
				t.flushAll()
				return
			}
			t.commit(t.gather(first))
		case err := <-t.flushed:
			t.endFlush(err)
		}
		t.flushLarge()
	}
}

// gather returns the first request and those that wait after it. Writers that are about to send
// theirs may do so first: each commit saves a disk sync.
func (t *Table) gather(first *request) []*request {
	group, size := []*request{first}, first.size()
	for yields := 0; len(group) < maxGroup && size < groupBytes; {
		select {
		case r, ok := <-t.queue:
			if !ok {
				return group // the loop detects the closed queue next
			}
			group, size = append(group, r), size+r.size()
		default:
			if yields == gatherYields {
				return group
			}
			yields++
			runtime.Gosched()
		}
	}
	return group
}

// gatherYields is how often a commit lets other goroutines run before it begins. On an idle machine
// that costs nothing.
const gatherYields = 3

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
	w := writer{now: t.now(), record: t.record[:recordHeader]}
	err := t.readSnapshot(func(s snapshot) error {
		w.snapshot = snapshot{&view{recent: s.recent.Copy(), flushing: s.flushing}, s.items}
		for i, r := range group {
			if answers[i] = r.ctx.Err(); answers[i] != nil {
				continue
			}
			failed, err := w.failingOp(r.ops)
			if err == nil && failed == nil {
				err = w.applyOps(r.ops)
			}
			if err != nil {
				return err
			}
			answers[i] = failed
		}
		return nil
	})
	if err == nil && len(w.record) > recordHeader {
		err = t.storeWriter(&w)
	}
	if t.record = w.record; cap(t.record) > recordRoom {
		t.record = make([]byte, recordHeader)
	}
	for i, r := range group {
		if err != nil {
			answers[i] = unavailable(err) // failed conditions too: they may depend on changes that were dropped
		}
		r.answer <- answers[i]
	}
}

// recordRoom is the largest memory for a record that is kept for the next one.
const recordRoom = 1 << 20

// storeWriter makes the changes of a writer durable, and shows them to readers.
func (t *Table) storeWriter(w *writer) error {
	if err := t.log.append(w.record); err != nil {
		return err
	}
	v := t.view.Load()
	t.view.Store(&view{recent: w.recent, flushing: v.flushing, flushes: v.flushes})
	return nil
}

// writer applies requests to a layer that readers do not see yet, and records the changes.
type writer struct {
	snapshot
	record []byte
	now    time.Time
}

// failingOp returns the *table.ConditionError of the first operation whose condition does not hold.
func (w *writer) failingOp(ops []table.Op) (failed, err error) {
	var buf []byte
	for i := range ops {
		op := &ops[i]
		if op.If == table.Always {
			continue
		}
		buf = appendKey(buf[:0], op.Item.Key)
		have, err := w.live(buf)
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

// live reads a live item without its key; nil if it does not exist.
func (w *writer) live(key []byte) (*table.Item, error) {
	value := w.valueOf(key)
	if value == nil {
		return nil, nil
	}
	item, err := decodeValue(value)
	if err != nil || !item.Live(w.now) {
		return nil, err
	}
	return &item, nil
}

func (w *writer) applyOps(ops []table.Op) error {
	for i := range ops {
		item := &ops[i].Item
		key := appendKey(nil, item.Key)
		switch ops[i].Kind {
		case table.Put:
			w.setItem(key, encodeValue(item))
		case table.Delete:
			w.setItem(key, nil)
		case table.Add:
			have, err := w.live(key)
			if err != nil {
				return err
			}
			w.setItem(key, encodeValue(sum(have, item)))
		}
	}
	return nil
}

// sum is an item after an Add; have is nil if there was none.
func sum(have, by *table.Item) *table.Item {
	if have == nil {
		return &table.Item{Count: by.Count, Expires: by.Expires}
	}
	have.Count += by.Count
	have.Expires = cmp.Or(have.Expires, by.Expires)
	return have
}

// setItem changes an item; it is deleted if value is nil. The layer keeps a deletion only of an item that
// is below it: else each read of the partition would step over it.
func (w *writer) setItem(key, value []byte) {
	if value == nil && w.below(key) == nil {
		w.recent.Delete(string(key))
	} else {
		w.recent.Set(string(key), value)
	}
	w.record = appendChange(w.record, key, value)
}
