package index

import (
	"context"
	"strings"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"headless/pkg/table"
)

// stream returns the records of one space in the order of one path. It reads rows as needed.
type stream struct {
	t     table.Table
	space string
	path  string
	// Added before each key, if all records of the space have the same value of the sort field.
	prefix  string
	strip   int    // bytes removed from each sort key: the value that all rows of the range share
	from    string // inclusive
	to      string // exclusive
	reverse bool
	chunk   int
	last    string // the sort key read last
	buffer  []table.Item
	ended   bool
}

// maxChunk is how many rows are read at once.
const maxChunk = 1000

// fillRows reads the next rows if none are buffered.
func (s *stream) fillRows(ctx context.Context) error {
	if len(s.buffer) > 0 || s.ended {
		return nil
	}
	r := table.Range{Partition: RowPartition(s.space, s.path), From: s.from, To: s.to,
		Reverse: s.reverse, Limit: s.chunk}
	if s.last != "" && s.reverse {
		r.To = s.last
	} else if s.last != "" {
		r.From = s.last + "\x00"
	}
	rows, err := s.t.Query(ctx, r)
	if err != nil {
		return err
	}
	if s.ended = len(rows) < s.chunk; !s.ended {
		s.last = rows[len(rows)-1].Sort
	}
	s.buffer = rows
	s.chunk = min(2*s.chunk, maxChunk)
	return nil
}

func (s *stream) head() (key string, ok bool) {
	if len(s.buffer) == 0 {
		return "", false
	}
	return s.keyOf(s.buffer[0].Sort), true
}

// keyOf returns the key of a row in the list's order.
func (s *stream) keyOf(sort string) string {
	if s.prefix == "" {
		return sort[s.strip:]
	}
	return s.prefix + sort[s.strip:]
}

func (s *stream) pop() *Record {
	item := s.buffer[0]
	s.buffer = s.buffer[1:]
	r := &Record{Space: s.space, version: item.Version, key: s.keyOf(item.Sort), path: s.path,
		row: item.Sort, scalars: item.Body}
	copy(r.ID[:], item.Sort[len(item.Sort)-16:])
	if r.scalars == nil {
		r.scalars = []byte{}
	}
	return r
}

// merged returns the records of several streams in one order, each document once.
type merged struct {
	streams []*stream
	reverse bool
	seen    map[uuid.UUID]bool // nil if no document can come twice
}

// backwards returns the same streams in reverse order, from their other end, with nothing read yet.
func (m *merged) backwards() *merged {
	b := &merged{reverse: !m.reverse}
	if m.seen != nil {
		b.seen = map[uuid.UUID]bool{}
	}
	for _, s := range m.streams {
		b.streams = append(b.streams, &stream{t: s.t, space: s.space, path: s.path,
			prefix: s.prefix, strip: s.strip,
			from: s.from, to: s.to, reverse: b.reverse, chunk: maxChunk})
	}
	return b
}

// expect makes the first reads large enough for a known number of rows.
func (m *merged) expect(rows int) {
	for _, s := range m.streams {
		s.chunk = min(max(s.chunk, rows/len(m.streams)+1), maxChunk)
	}
}

// fillStreams reads the next rows of all streams in one round trip.
func (m *merged) fillStreams(ctx context.Context) error {
	if len(m.streams) == 1 {
		return m.streams[0].fillRows(ctx)
	}
	g, ctx := errgroup.WithContext(ctx)
	for _, s := range m.streams {
		g.Go(func() error { return s.fillRows(ctx) })
	}
	return g.Wait()
}

// nextRecord returns the next record in order, nil at the end.
func (m *merged) nextRecord(ctx context.Context) (*Record, error) {
	for {
		r, err := m.anyRecord(ctx)
		if r == nil || err != nil || m.seen == nil {
			return r, err
		}
		if !m.seen[r.ID] {
			m.seen[r.ID] = true
			return r, nil
		}
	}
}

func (m *merged) anyRecord(ctx context.Context) (*Record, error) {
	if err := m.fillStreams(ctx); err != nil {
		return nil, err
	}
	var first *stream
	var best string
	for _, s := range m.streams {
		if key, ok := s.head(); ok && (first == nil || m.isBefore(key, best)) {
			first, best = s, key
		}
	}
	if first == nil {
		return nil, nil
	}
	return first.pop(), nil
}

func (m *merged) isBefore(a, b string) bool {
	if m.reverse {
		return strings.Compare(a, b) > 0
	}
	return a < b
}
