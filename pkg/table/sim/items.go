package sim

import (
	"bytes"
	"time"

	"headless/pkg/table"
)

// partition has the items of one partition key.
type partition struct {
	items  order
	reads  bucket
	writes bucket
}

// stored is an item with its history, for eventual reads and transactions. A nil item does not
// exist.
type stored struct {
	item    *table.Item
	before  *table.Item // the item before the time changed
	changed time.Time
	held    bool // locked by a transaction
}

// bucket limits units per second. Its capacity is the units of one second.
type bucket struct {
	left float64
	at   time.Time
}

// take takes units if any are left at this rate; 0 means no limit. A large request may make the
// rest negative.
func (b *bucket) take(n, rate float64, now time.Time) bool {
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
		p = &partition{}
		t.partitions[name] = p
	}
	return p
}

// of returns the record of an item, even if the item does not exist.
func (t *Table) of(key table.Key) *stored {
	return t.partition(key.Partition).items.make(key.Sort)
}

// peek returns the item in the table, even if it has expired; nil if it does not exist.
func (t *Table) peek(key table.Key, now time.Time) *table.Item {
	p := t.partitions[key.Partition]
	if p == nil {
		return nil
	}
	s := p.items.get(key.Sort)
	if s == nil {
		return nil
	}
	return s.physical(now, t.opts.Late)
}

func (s *stored) physical(now time.Time, late time.Duration) *table.Item {
	if s.item != nil && !s.item.Live(now.Add(-late)) {
		return nil
	}
	return s.item
}

// seen returns the item as a read finds it. An eventual read may find the previous state.
func (s *stored) seen(eventual bool, lag time.Duration, now time.Time) *table.Item {
	item := s.item
	if eventual && now.Sub(s.changed) < lag {
		item = s.before
	}
	if item == nil || !item.Live(now) {
		return nil
	}
	return item
}

// set replaces an item and adds a record to the stream.
func (t *Table) set(key table.Key, item *table.Item, now time.Time) {
	s := t.of(key)
	s.before, s.item, s.changed = s.item, item, now
	if !t.opts.NoStream {
		t.stream = append(t.stream, Record{Key: key, Old: s.before, New: item})
	}
	if s.before != nil {
		t.replaced = append(t.replaced, replacement{key, now})
	}
	for len(t.replaced) > 0 && now.Sub(t.replaced[0].at) > t.opts.Lag {
		t.settle(t.replaced[0].key, now)
		t.replaced = t.replaced[1:]
	}
}

// replacement is when an item was replaced or deleted.
type replacement struct {
	key table.Key
	at  time.Time
}

// settle forgets the state of an item that no read can see any more.
func (t *Table) settle(key table.Key, now time.Time) {
	items := &t.partitions[key.Partition].items
	s := items.get(key.Sort)
	if s == nil || s.held || now.Sub(s.changed) <= t.opts.Lag {
		return
	}
	if s.before = nil; s.item == nil {
		items.remove(key.Sort)
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
		if next.Expires == 0 {
			next.Expires = op.Item.Expires
		}
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
