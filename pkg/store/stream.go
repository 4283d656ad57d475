package store

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"headless/pkg/table"
)

// stream gives the records of one space in the order of one path, reading on as needed.
type stream struct {
	t       table.Table
	space   string
	earlier []string // spaces of earlier generations of the index, whose rows for the path are the same
	path    string
	prefix  string // put before each key, where all records of the space share the value that is sorted by
	strip   int    // taken off each sort key: the value that all rows of the range share
	from    string // inclusive
	to      string // exclusive
	reverse bool
	chunk   int
	last    string // the sort key read last
	buffer  []row
	ended   bool
}

// row is an index row.
type row struct {
	table.Item
	earlier bool // of an earlier generation: what it carries is for another index
}

// maxChunk is how many rows are read at once.
const maxChunk = 1000

// fill reads the next rows when none are buffered.
func (s *stream) fill(ctx context.Context) error {
	if len(s.buffer) > 0 || s.ended {
		return nil
	}
	// A document moves from an earlier generation to the current one, where its row stands at the same place. So the current
	// one is read last, and nothing counts beyond the place to which all were read.
	var read [][]row
	end := ""
	for _, space := range append(slices.Clone(s.earlier), s.space) {
		items, err := s.read(ctx, space)
		if err != nil {
			return err
		}
		rows := make([]row, len(items))
		for i, item := range items {
			rows[i] = row{item, space != s.space}
		}
		if last := len(items) - 1; len(items) == s.chunk && (end == "" || s.before(items[last].Sort, end)) {
			end = items[last].Sort
		}
		read = append(read, rows)
	}
	s.ended, s.last = end == "", end
	s.buffer = s.joined(read)
	s.chunk = min(2*s.chunk, maxChunk)
	return nil
}

// read reads the next rows of the stream in one space.
func (s *stream) read(ctx context.Context, space string) ([]table.Item, error) {
	r := table.Range{Partition: rowPartition(space, s.path), From: s.from, To: s.to, Reverse: s.reverse, Limit: s.chunk}
	if s.last != "" && s.reverse {
		r.To = s.last
	} else if s.last != "" {
		r.From = s.last + "\x00"
	}
	return s.t.Query(ctx, r)
}

// before tells whether a row stands before another in the direction of the stream.
func (s *stream) before(a, b string) bool { return a != b && (a < b) != s.reverse }

// joined brings the rows of several generations into one order, up to where all were read. A row that is in two is taken from the later one.
func (s *stream) joined(read [][]row) []row {
	if len(read) == 1 {
		return read[0]
	}
	var all []row
	for _, rows := range slices.Backward(read) {
		for _, r := range rows {
			if s.ended || !s.before(s.last, r.Sort) {
				all = append(all, r)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b row) int {
		switch {
		case a.Sort == b.Sort:
			return 0
		case s.before(a.Sort, b.Sort):
			return -1
		}
		return 1
	})
	return slices.CompactFunc(all, func(a, b row) bool { return a.Sort == b.Sort })
}

func (s *stream) head() (key string, ok bool) {
	if len(s.buffer) == 0 {
		return "", false
	}
	return s.keyOf(s.buffer[0].Sort), true
}

// keyOf is the place of a row in the list's order.
func (s *stream) keyOf(sort string) string {
	if s.prefix == "" {
		return sort[s.strip:]
	}
	return s.prefix + sort[s.strip:]
}

func (s *stream) pop() *record {
	item := s.buffer[0]
	s.buffer = s.buffer[1:]
	r := &record{space: s.space, version: item.Version, key: s.keyOf(item.Sort), path: s.path, row: item.Sort, scalars: item.Body}
	copy(r.id[:], item.Sort[len(item.Sort)-16:])
	switch {
	case item.earlier:
		r.scalars = nil
	case r.scalars == nil:
		r.scalars = []byte{}
	}
	return r
}

// merged gives the records of several streams in one order, each document once.
type merged struct {
	streams []*stream
	extra   []*record // records of earlier generations, sorted in the same order
	reverse bool
	seen    map[uuid.UUID]bool // nil where no document can come twice
}

// backwards is the same from its other end, not read yet.
func (m *merged) backwards() *merged {
	b := &merged{reverse: !m.reverse, extra: slices.Clone(m.extra)}
	slices.Reverse(b.extra)
	if m.seen != nil {
		b.seen = map[uuid.UUID]bool{}
	}
	for _, s := range m.streams {
		b.streams = append(b.streams, &stream{t: s.t, space: s.space, earlier: s.earlier, path: s.path, prefix: s.prefix, strip: s.strip,
			from: s.from, to: s.to, reverse: b.reverse, chunk: maxChunk})
	}
	return b
}

// expect sets how many rows the first reads fetch, where that many have to be looked at.
func (m *merged) expect(rows int) {
	for _, s := range m.streams {
		s.chunk = min(max(s.chunk, rows/len(m.streams)+1), maxChunk)
	}
}

// fill makes every stream ready, in one round trip for all.
func (m *merged) fill(ctx context.Context) error {
	if len(m.streams) == 1 {
		return m.streams[0].fill(ctx)
	}
	g, ctx := errgroup.WithContext(ctx)
	for _, s := range m.streams {
		g.Go(func() error { return s.fill(ctx) })
	}
	return g.Wait()
}

// next is the next record in order, nil at the end.
func (m *merged) next(ctx context.Context) (*record, error) {
	for {
		r, err := m.any(ctx)
		if r == nil || err != nil || m.seen == nil {
			return r, err
		}
		if !m.seen[r.id] {
			m.seen[r.id] = true
			return r, nil
		}
	}
}

func (m *merged) any(ctx context.Context) (*record, error) {
	if err := m.fill(ctx); err != nil {
		return nil, err
	}
	var first *stream
	var best string
	for _, s := range m.streams {
		if key, ok := s.head(); ok && (first == nil || m.before(key, best)) {
			first, best = s, key
		}
	}
	if len(m.extra) > 0 && (first == nil || m.before(m.extra[0].key, best)) {
		r := m.extra[0]
		m.extra = m.extra[1:]
		return r, nil
	}
	if first == nil {
		return nil, nil
	}
	return first.pop(), nil
}

func (m *merged) before(a, b string) bool {
	if m.reverse {
		return strings.Compare(a, b) > 0
	}
	return a < b
}
