package index

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"headless/pkg/cms/query"
	"headless/pkg/index/sortkey"
)

// cursor is the place in the order of a list where a page starts.
type cursor struct {
	order
	after string // key of the last document of the previous page; "" at the start of the list
}

// queryCheck returns a digest of everything that decides which documents a list contains, and in
// which order.
func queryCheck(q ListQuery, defaultOrder []query.SortField) []byte {
	h := sha256.New()
	fmt.Fprintf(h, "%v %v %q %q %q %t", q.Sort, defaultOrder, q.Filters, q.Text, q.Scope, q.Hits != nil)
	if q.Labels != nil {
		fmt.Fprintf(h, " %q", q.Labels.Name)
	}
	if q.Scores != nil {
		fmt.Fprintf(h, " by %q", q.Scores.Name)
	}
	return h.Sum(nil)
}

// scoreKey returns the sort key of a hit: the best score first, then by id.
func scoreKey(r *Record) string {
	return string(binary.BigEndian.AppendUint64(nil, math.MaxUint64-math.Float64bits(r.Score))) + string(r.ID[:])
}

// bound starts a stream after the cursor. It returns false if the stream has no rows there. With
// several sort fields, it starts the stream at the group of the cursor's first value; from
// drops the records before the cursor later.
func (c *cursor) bound(s *stream, rangePrefix string) bool {
	if c.after == "" {
		return true
	}
	key := c.after
	if len(c.sort) > 1 {
		return c.boundGroup(s)
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
func (c *cursor) boundGroup(s *stream) bool {
	first := group(c.after)
	switch {
	case s.prefix != "": // the whole stream is one group
		own := group(s.prefix)
		return own == first || (own > first) != s.reverse
	case s.reverse:
		s.to = sortkey.After(first)
	default:
		s.from = first
	}
	return true
}

// from returns the records of a sorted list after the cursor.
func (c *cursor) from(records []*Record) []*Record {
	if c.after == "" {
		return records
	}
	reverse := c.reverse()
	i := slices.IndexFunc(records, func(r *Record) bool {
		if reverse {
			return r.key < c.after
		}
		return r.key > c.after
	})
	if i < 0 {
		return []*Record{}
	}
	return records[i:]
}
