package sim

import (
	"bytes"
	"cmp"
	"time"

	"headless/pkg/table"
)

// partition has the items of one partition key.
type partition struct {
	items  *order
	reads  bucket
	writes bucket
}

// recent is what reads and transactions need to know of an item that changed lately or is locked.
type recent struct {
	before  *table.Item // the item before the time changed; nil: there was none
	changed time.Time
	held    bool // locked by a transaction
}

// bucket limits units per second. Its capacity is the units of one second.
type bucket struct {
	left float64
	at   time.Time
}

// takeUnits takes units if any are left at this rate; 0 means no limit. A large request may make the
// rest negative.
func (b *bucket) takeUnits(n, rate float64, now time.Time) bool {
	if rate == 0 {
		return true
	}
	if b.at.IsZero() {
		b.left = rate
	} else {
		b.left = min(rate, b.left+now.Sub(b.at).Seconds()*rate)
	}
	b.at = now
	if b.left <= 0 {
		return false
	}
	b.left -= n
	return true
}

func (t *Table) partition(name string) *partition {
	p := t.partitions[name]
	if p == nil {
		p = &partition{items: newOrder()}
		t.partitions[name] = p
	}
	return p
}

// recently returns the record of the latest change of an item, even if it never changed.
func (t *Table) recently(key table.Key) *recent {
	r := t.recent[key]
	if r == nil {
		r = &recent{}
		t.recent[key] = r
	}
	return r
}

// isHeld reports whether a transaction has locked an item.
func (t *Table) isHeld(key table.Key) bool {
	r := t.recent[key]
	return r != nil && r.held
}

// itemCopy returns a copy of the item in the table, nil if there is none.
func (t *Table) itemCopy(key table.Key) *table.Item {
	if p := t.partitions[key.Partition]; p != nil {
		if r, ok := p.items.Get(at(key.Sort)); ok {
			return r.itemCopy(key.Partition)
		}
	}
	return nil
}

// peek returns a copy of the item in the table, even if it has expired; nil if it does not exist.
func (t *Table) peek(key table.Key, now time.Time) *table.Item {
	return physical(t.itemCopy(key), now, t.opts.Late)
}

func physical(item *table.Item, now time.Time, late time.Duration) *table.Item {
	if item != nil && !item.Live(now.Add(-late)) {
		return nil
	}
	return item
}

// asSeen returns an item of the table as a read finds it. An eventual read may find the previous
// state.
func (t *Table) asSeen(key table.Key, item *table.Item, eventual bool, lag time.Duration, now time.Time) *table.Item {
	if r := t.recent[key]; eventual && r != nil && now.Sub(r.changed) < lag {
		if item = r.before; item != nil {
			c := copyOf(item)
			item = &c
		}
	}
	if item == nil || !item.Live(now) {
		return nil
	}
	return item
}

// setItem replaces an item and adds a record to the stream.
func (t *Table) setItem(key table.Key, item *table.Item, now time.Time) {
	r := t.recently(key)
	r.before, r.changed = t.itemCopy(key), now
	t.partition(key.Partition).items.Set(pack(key.Sort, item))
	if !t.opts.NoStream {
		t.stream = append(t.stream, Record{Key: key, Old: r.before, New: item})
	}
	t.changes = append(t.changes, change{key, now})
	for len(t.changes) > 0 && now.Sub(t.changes[0].at) > t.opts.Lag {
		t.forgetUnseen(t.changes[0].key, now)
		t.changes = t.changes[1:]
	}
}

// change is when an item changed.
type change struct {
	key table.Key
	at  time.Time
}

// forgetUnseen forgets the state of an item that no read can see any more.
func (t *Table) forgetUnseen(key table.Key, now time.Time) {
	r := t.recent[key]
	if r == nil || r.held || now.Sub(r.changed) <= t.opts.Lag {
		return
	}
	delete(t.recent, key)
	if t.itemCopy(key) == nil {
		t.partition(key.Partition).items.Delete(at(key.Sort))
	}
}

func copyOf(item *table.Item) table.Item {
	c := *item
	c.Body = bytes.Clone(item.Body)
	return c
}

// result returns the item after an operation; nil means absent.
func result(op *table.Op, have *table.Item, now time.Time) *table.Item {
	if have != nil && !have.Live(now) {
		have = nil
	}
	switch op.Kind {
	case table.Delete:
		return nil
	case table.Check:
		return have
	case table.Add:
		next := table.Item{Key: op.Item.Key}
		if have != nil {
			next = *have
		}
		next.Count += op.Item.Count
		next.Expires = cmp.Or(next.Expires, op.Item.Expires)
		return &next
	}
	next := copyOf(&op.Item)
	return &next
}

func holds(op *table.Op, have *table.Item, now time.Time) bool {
	live := have != nil && have.Live(now)
	switch op.If {
	case table.Absent:
		return !live
	case table.Present:
		return live
	case table.VersionIs:
		return live && have.Version == op.Version
	}
	return true
}
