package sim

import (
	"bytes"
	"slices"
	"time"

	"headless/pkg/table"
)

// partition has the items of one partition key, ordered by their sort keys.
type partition struct {
	sorts  []string
	items  map[string]*stored
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

// bucket limits units per second; a rate of 0 means no limit. Its capacity is the units of one
// second.
type bucket struct {
	rate, left float64
	at         time.Time
}

// take takes units if any are left. A large request may make the rest negative.
func (b *bucket) take(n float64, now time.Time) bool {
	if b.rate == 0 {
		return true
	}
	if b.at.IsZero() {
		b.left = b.rate
	} else {
		b.left = min(b.rate, b.left+now.Sub(b.at).Seconds()*b.rate)
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
		p = &partition{items: map[string]*stored{}, reads: bucket{rate: t.opts.KeyReads},
			writes: bucket{rate: t.opts.KeyWrites}}
		t.partitions[name] = p
	}
	return p
}

// of returns the record of an item, even if the item does not exist.
func (t *Table) of(key table.Key) *stored {
	p := t.partition(key.Partition)
	s := p.items[key.Sort]
	if s == nil {
		s = &stored{}
		p.items[key.Sort] = s
		at, _ := slices.BinarySearch(p.sorts, key.Sort)
		p.sorts = slices.Insert(p.sorts, at, key.Sort)
	}
	return s
}

// peek returns the item in the table, even if it has expired; nil if it does not exist.
func (t *Table) peek(key table.Key, now time.Time) *table.Item {
	p := t.partitions[key.Partition]
	if p == nil || p.items[key.Sort] == nil {
		return nil
	}
	return p.items[key.Sort].physical(now, t.opts.Late)
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
	t.stream = append(t.stream, Record{Key: key, Old: s.before, New: item})
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
