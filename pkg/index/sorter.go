package index

import (
	"context"
	"slices"
	"strings"
)

// sorter sorts records that were not read in the order of their list.
type sorter struct {
	*cursor
	*bodies
}

// complete completes the order of a stream that is sorted by the first field only: it sorts the
// records with the same first value.
func (s *sorter) complete(m *merged) func(context.Context) (*Record, error) {
	if len(s.sort) < 2 {
		return m.nextRecord
	}
	g := &grouper{sorter: s, m: m}
	return g.nextRecord
}

type grouper struct {
	*sorter
	m     *merged
	ready []*Record
	ahead *Record // first of the next group
}

func (g *grouper) nextRecord(ctx context.Context) (*Record, error) {
	for len(g.ready) == 0 {
		if err := g.readGroup(ctx); err != nil {
			return nil, err
		}
		if g.ready == nil {
			return nil, nil
		}
	}
	r := g.ready[0]
	g.ready = g.ready[1:]
	return r, nil
}

// readGroup reads and sorts one group; it sets ready to nil at the end.
func (g *grouper) readGroup(ctx context.Context) (err error) {
	g.ready = nil
	if g.ahead == nil {
		if g.ahead, err = g.m.nextRecord(ctx); g.ahead == nil || err != nil {
			return err
		}
	}
	first := group(g.ahead.key)
	for g.ahead != nil && group(g.ahead.key) == first {
		if g.ready = append(g.ready, g.ahead); len(g.ready) > MaxCollect {
			return ErrNotIndexed
		}
		if g.ahead, err = g.m.nextRecord(ctx); err != nil {
			return err
		}
	}
	if g.ready, err = g.sortRecords(ctx, g.ready); err != nil {
		return err
	}
	g.ready = g.from(g.dropMoved(g.ready, first))
	return nil
}

// dropMoved drops the records that a change has moved out of their group since their rows were
// read. If a page ended with such a record, its cursor would point to another group. The list is
// then read again.
func (s *sorter) dropMoved(records []*Record, first string) []*Record {
	return slices.DeleteFunc(records, func(r *Record) bool {
		moved := group(r.key) != first
		s.moved = s.moved || moved
		return moved
	})
}

// sortRecords sets the keys of records and sorts them. It drops records that were deleted in the
// meantime.
func (s *sorter) sortRecords(ctx context.Context, records []*Record) ([]*Record, error) {
	if err := s.setKeys(ctx, records); err != nil {
		return nil, err
	}
	records = slices.DeleteFunc(records, func(r *Record) bool {
		s.moved = s.moved || r.gone
		return r.gone
	})
	reverse := s.reverse()
	slices.SortFunc(records, func(a, b *Record) int {
		c := strings.Compare(a.key, b.key)
		if reverse {
			return -c
		}
		return c
	})
	return records, nil
}

// setKeys computes the keys of records that were not read in the list's order. It reads their
// bodies if the rows do not hold the values.
func (s *sorter) setKeys(ctx context.Context, records []*Record) error {
	var bodies []*Record
	for _, r := range records {
		if r.sortKey != "" {
			r.key = r.sortKey
			continue
		}
		if ok, err := s.setKey(r); err != nil {
			return err
		} else if !ok {
			bodies = append(bodies, r)
		}
	}
	return s.each(ctx, bodies, func(r *Record) error {
		if r.Item == nil {
			r.gone = true
			return nil
		}
		_, err := s.setKey(r)
		return err
	})
}
