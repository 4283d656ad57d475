package index

import (
	"maps"
	"slices"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/index/sortkey"
	"headless/pkg/table"
)

// source opens streams of the records of a list.
type source struct {
	*cursor
	t      table.Table
	spaces []string
	chunk  int     // rows that the first read of a stream fetches
	labels *Labels // if not nil, rows in the default order are read by these labels
}

// streamable reports whether rows exist in the order of the first sort field.
func (s *source) streamable() bool {
	path := s.path()
	if _, fixed := s.c.Fixed(s.spaces[0], path); fixed || path == DefaultPath {
		return true
	}
	return s.c.Spec.findPath(path) >= 0
}

// ordered streams all records in the order of the first sort field, from the cursor on.
func (s *source) ordered() *merged {
	m := &merged{reverse: s.reverse()}
	for _, space := range s.spaces {
		rows := s.stream(space, s.path(), "", "")
		rows.reverse = m.reverse
		if v, fixed := s.c.Fixed(space, rows.path); fixed {
			rows.path, rows.prefix = DefaultPath, string(sortkey.Encode(query.Value{Kind: cms.ValueText, Text: v}))
		}
		if s.bound(rows, "") {
			m.streams = append(m.streams, s.byLabel(rows)...)
		}
	}
	if s.labels != nil { // a document may get another label while rows are read
		m.seen = map[uuid.UUID]bool{}
	}
	return m
}

// byEquality streams the records with a value at a path in the default order, from the cursor on.
func (s *source) byEquality(eq equality) *merged {
	m := &merged{}
	if len(eq.values) > 1 && eq.list {
		m.seen = map[uuid.UUID]bool{}
	}
	for _, space := range s.spaces {
		for i := range eq.values {
			prefix := string(eq.keyOf(i))
			rows := s.stream(space, eq.path, prefix, sortkey.After(prefix))
			rows.strip = len(prefix)
			if s.bound(rows, prefix) {
				m.streams = append(m.streams, rows)
			}
		}
	}
	return m
}

// stream returns the rows of a space at a path in a range of sort keys.
func (s *source) stream(space, path, from, to string) *stream {
	return &stream{t: s.t, space: space, path: path, from: from, to: to, chunk: s.chunk}
}

// valueRange is a range of the index rows of a path.
type valueRange struct{ path, from, to string }

// byRange streams the rows of a range.
func (s *source) byRange(r valueRange) *merged {
	m := &merged{}
	for _, space := range s.spaces {
		m.streams = append(m.streams, s.stream(space, r.path, r.from, r.to))
	}
	return m
}

// whole returns the source without cursor and in the default order. Its records are sorted afterwards.
func (s source) whole() *source {
	s.cursor = &cursor{order: order{c: s.c}}
	return &s
}

// byLabel splits a stream of rows in the default order into one stream for each label.
func (s *source) byLabel(rows *stream) []*stream {
	if s.labels == nil || rows.path != DefaultPath {
		return []*stream{rows}
	}
	var streams []*stream
	counts := s.labels.Counts[rows.space]
	for _, label := range slices.Sorted(maps.Keys(counts)) {
		if counts[label] > 0 {
			of := *rows
			of.path += label
			streams = append(streams, &of)
		}
	}
	return streams
}
