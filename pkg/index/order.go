package index

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/index/sortkey"
)

// The order of a list. A record's key is the encoded values of the sort fields, then its default
// order, then its id. If the first sort field descends, the list is in the reverse order of the
// keys. All strategies give the same keys, so a cursor works with any of them.

func (l *lister) reverse() bool { return len(l.q.Sort) > 0 && l.q.Sort[0].Desc }

// sortPath returns the path whose rows are in the order of the list's first sort field.
func (l *lister) sortPath() string {
	if len(l.q.Sort) == 0 {
		return DefaultPath
	}
	return l.q.Sort[0].Path
}

// streamable reports whether rows exist in the order of the first sort field.
func (l *lister) streamable() bool {
	path := l.sortPath()
	if _, fixed := l.c.Fixed(l.spaces[0], path); fixed || path == DefaultPath {
		return true
	}
	return l.c.Spec.findPath(path) >= 0
}

// orderedStream streams all records in the order of the first sort field, from the cursor on.
func (l *lister) orderedStream() *merged {
	m := &merged{reverse: l.reverse()}
	for _, space := range l.spaces {
		s := &stream{t: l.db.Table, space: space, path: l.sortPath(), reverse: m.reverse,
			chunk: l.firstChunk()}
		if v, fixed := l.c.Fixed(space, s.path); fixed {
			s.path, s.prefix = DefaultPath, string(sortkey.Encode(query.Value{Kind: cms.ValueText, Text: v}))
		}
		if l.bound(s, "") {
			m.streams = append(m.streams, l.labelStreams(s)...)
		}
	}
	if l.labelled { // a document may get another label while rows are read
		m.seen = map[uuid.UUID]bool{}
	}
	return m
}

// byEquality streams the records with a value at a path in the default order, from the cursor on.
func (l *lister) byEquality(eq equality) *merged {
	m := &merged{}
	if len(eq.values) > 1 && eq.list {
		m.seen = map[uuid.UUID]bool{}
	}
	for _, space := range l.spaces {
		for i := range eq.values {
			prefix := string(eq.keyOf(i))
			s := &stream{t: l.db.Table, space: space, path: eq.path, from: prefix,
				to: sortkey.After(prefix), strip: len(prefix), chunk: l.firstChunk()}
			if l.bound(s, prefix) {
				m.streams = append(m.streams, s)
			}
		}
	}
	return m
}

// firstChunk returns how many rows the first read fetches: those to skip, the page, and one more to
// know whether the page is the last.
func (l *lister) firstChunk() int { return min(l.q.Offset()+l.q.PerPage+1, maxChunk) }

// bound starts a stream after the cursor. It returns false if the stream has no rows there. With
// several sort fields, it starts the stream at the group of the cursor's first value; afterCursor
// drops the records before the cursor later.
func (l *lister) bound(s *stream, rangePrefix string) bool {
	if l.after == "" {
		return true
	}
	key := l.after
	if len(l.q.Sort) > 1 {
		return l.boundGroup(s)
	}
	rest, inside := strings.CutPrefix(key, s.prefix)
	if !inside {
		return (s.prefix > key) != s.reverse
	}
	if s.reverse {
		s.to = rangePrefix + rest
	} else {
		s.from = rangePrefix + rest + "\x00"
	}
	return true
}

// boundGroup starts a stream at the group of the cursor.
func (l *lister) boundGroup(s *stream) bool {
	group := l.group(l.after)
	switch {
	case s.prefix != "": // the whole stream is one group
		own := l.group(s.prefix)
		return own == group || (own > group) != s.reverse
	case s.reverse:
		s.to = sortkey.After(strings.TrimSuffix(group,
			sortkey.TextEnd)) // texts that are cut here are longer in rows
	default:
		s.from = group
	}
	return true
}

// group returns the beginning of a key that is equal for all records of a group: those with the
// same first value, which are sorted together. With several sort fields, fewer bytes of a long text
// are compared than rows hold.
func (l *lister) group(key string) string {
	v := key[:sortkey.Len(key)]
	limit := sortkey.MaxText / len(l.q.Sort)
	if v[0] != sortkey.TagText || len(v) < limit+3 {
		return v
	}
	end := 1 + limit
	if v[end-1] == 0 && v[end] == 0xFF {
		end++ // appendText does not cut between a zero and its escape
	}
	return v[:end] + sortkey.TextEnd
}

// inOrder completes the order of a stream that is sorted by the first field only: it sorts the
// records with the same first value.
func (l *lister) inOrder(m *merged) func(context.Context) (*Record, error) {
	if len(l.q.Sort) < 2 {
		return m.nextRecord
	}
	g := &grouper{l: l, m: m}
	return g.nextRecord
}

type grouper struct {
	l     *lister
	m     *merged
	group []*Record
	ahead *Record // first of the next group
}

func (g *grouper) nextRecord(ctx context.Context) (*Record, error) {
	for len(g.group) == 0 {
		if err := g.readGroup(ctx); err != nil {
			return nil, err
		}
		if g.group == nil {
			return nil, nil
		}
	}
	r := g.group[0]
	g.group = g.group[1:]
	return r, nil
}

// readGroup reads and sorts one group; it sets g.group to nil at the end.
func (g *grouper) readGroup(ctx context.Context) (err error) {
	g.group = nil
	if g.ahead == nil {
		if g.ahead, err = g.m.nextRecord(ctx); g.ahead == nil || err != nil {
			return err
		}
	}
	first := g.l.group(g.ahead.key)
	for g.ahead != nil && g.l.group(g.ahead.key) == first {
		if g.group = append(g.group, g.ahead); len(g.group) > MaxCollect {
			return ErrNotIndexed
		}
		if g.ahead, err = g.m.nextRecord(ctx); err != nil {
			return err
		}
	}
	if g.group, err = g.l.sortRecords(ctx, g.group); err != nil {
		return err
	}
	g.group = g.l.afterCursor(g.l.dropMoved(g.group, first))
	return nil
}

// dropMoved drops the records that a change has moved out of their group since their rows were
// read. If a page ended with such a record, its cursor would point to another group. The list is
// then read again.
func (l *lister) dropMoved(records []*Record, group string) []*Record {
	return slices.DeleteFunc(records, func(r *Record) bool {
		moved := l.group(r.key) != group
		l.moved = l.moved || moved
		return moved
	})
}

// sortRecords sets the keys of records and sorts them. It drops records that were deleted in the
// meantime.
func (l *lister) sortRecords(ctx context.Context, records []*Record) ([]*Record, error) {
	if err := l.setKeys(ctx, records); err != nil {
		return nil, err
	}
	records = slices.DeleteFunc(records, func(r *Record) bool {
		l.moved = l.moved || r.gone
		return r.gone
	})
	reverse := l.reverse()
	slices.SortFunc(records, func(a, b *Record) int {
		c := strings.Compare(a.key, b.key)
		if reverse {
			return -c
		}
		return c
	})
	return records, nil
}

// afterCursor returns the records of a sorted list after the cursor.
func (l *lister) afterCursor(records []*Record) []*Record {
	if l.after == "" {
		return records
	}
	reverse := l.reverse()
	i := slices.IndexFunc(records, func(r *Record) bool {
		if reverse {
			return r.key < l.after
		}
		return r.key > l.after
	})
	if i < 0 {
		return []*Record{}
	}
	return records[i:]
}

// setKeys computes the keys of records that were not read in the list's order. It reads their
// bodies if the rows do not hold the values.
func (l *lister) setKeys(ctx context.Context, records []*Record) error {
	var bodies []*Record
	for _, r := range records {
		if r.sortKey != "" {
			r.key = r.sortKey
			continue
		}
		if ok, err := l.setKey(r); err != nil {
			return err
		} else if !ok {
			bodies = append(bodies, r)
		}
	}
	return l.eachBody(ctx, bodies, func(r *Record) error {
		if r.Item == nil {
			r.gone = true
			return nil
		}
		_, err := l.setKey(r)
		return err
	})
}

func (l *lister) setKey(r *Record) (ok bool, err error) {
	var key []byte
	for _, f := range l.q.Sort {
		values, ok, err := l.c.valuesAt(r, f.Path)
		if !ok || err != nil {
			return false, err
		}
		var v query.Value
		if len(values) > 0 {
			v = values[0]
		}
		from := len(key)
		key = sortkey.Append(key, v, sortkey.MaxText/len(l.q.Sort))
		if f.Desc != l.q.Sort[0].Desc {
			sortkey.Invert(key[from:])
		}
	}
	order, ok, err := l.orderOf(r)
	if !ok || err != nil {
		return false, err
	}
	r.key = string(key) + order + string(r.ID[:])
	return true, nil
}

// orderOf returns the encoded default order of a record, from its row (between value and id) or its
// body.
func (l *lister) orderOf(r *Record) (order string, ok bool, err error) {
	if r.row != "" {
		return l.c.Spec.rowOrder(r), true, nil
	}
	if r.Item == nil {
		return "", false, nil
	}
	if err := l.c.Decoded(r); err != nil {
		return "", false, err
	}
	return string(l.c.Spec.orderKey(r.Doc)), true, nil
}

// rowOrder returns the encoded default order in the row of a record: between value and id.
func (s *IndexSpec) rowOrder(r *Record) string {
	from := 0
	for range s.rowValues(r.path) {
		from += sortkey.Len(r.row[from:])
	}
	return r.row[from : len(r.row)-len(r.ID)]
}

// rowValues returns how many encoded values the rows of a path start with.
func (s *IndexSpec) rowValues(path string) int {
	if strings.HasPrefix(path, DefaultPath) { // with a label or without
		return 0
	}
	if i := s.findPath(path); i >= 0 && s.Paths[i].Parts != nil {
		return len(s.Paths[i].Parts)
	}
	return 1
}
