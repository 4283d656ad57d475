package store

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
)

// While documents are moved to a new generation of the index (see Reindex), they are found by the rows that are the same in all generations or, where a
// query needs others, by looking at each that is still in an earlier one. Earlier generations are always read first: a document only ever moves from there
// to the current one, so it is seen at least once.

// maxExact is how many documents are looked at for an exact total alone.
const maxExact = 2000

// findMoving answers a query while documents are being moved.
func (l *lister) findMoving(ctx context.Context) (found, error) {
	f, err := l.findBoth(ctx)
	if err != nil && !errors.Is(err, errReindexing) || err == nil && !l.torn {
		return f, err
	}
	left, failed := l.s.counts(ctx, l.old, counterTotal)
	if failed != nil {
		return found{}, failed
	}
	if left[0] > l.s.maxScan || err == nil && left[0] > maxExact {
		f.estimate = true
		return f, err
	}
	return l.findByScan(ctx)
}

// findBoth plans a query over the rows of all generations.
func (l *lister) findBoth(ctx context.Context) (found, error) {
	l.both, l.torn = true, false
	defer func() { l.both = false }()
	if !l.usable(defaultPath) {
		return found{}, errReindexing
	}
	f, err := l.findCurrent(ctx, nil)
	if errors.Is(err, errNotIndexed) {
		err = errReindexing
	}
	return f, err
}

// findByScan looks at each document of earlier generations.
func (l *lister) findByScan(ctx context.Context) (found, error) {
	extra, err := l.scanOld(ctx)
	if err != nil {
		return found{}, err
	}
	f, err := l.collect(ctx, l.unordered().ordered(nil), extra)
	if !errors.Is(err, errNotIndexed) {
		return f, err
	}
	f, err = l.findCurrent(ctx, extra)
	f.estimate = true // what moves meanwhile is counted twice
	return f, err
}

// usable tells whether rows exist for a path wherever the query looks.
func (l *lister) usable(path string) bool {
	return !l.both || !slices.ContainsFunc(l.c.earlier, func(e Earlier) bool { return !slices.Contains(e.Paths, path) })
}

// earlier are the spaces of earlier generations where documents of a space still are, if the query looks there.
func (l *lister) earlier(space string) []string {
	if !l.both {
		return nil
	}
	return earlierSpaces(l.c.earlier, space)
}

// earlierSpaces are what a space was in earlier generations.
func earlierSpaces(earlier []Earlier, space string) []string {
	model, rest, _ := strings.Cut(space, "#")
	id, _, _ := strings.Cut(model, ".")
	spaces := make([]string, len(earlier))
	for i, e := range earlier {
		spaces[i] = id + "." + strconv.Itoa(e.Gen) + "#" + rest
	}
	return spaces
}

// totals adds up counters over where the query looks.
func (l *lister) totals(ctx context.Context, names ...string) (totals []int, err error) {
	var earlier []string
	for _, space := range l.spaces {
		earlier = append(earlier, l.earlier(space)...)
	}
	totals, l.torn, err = l.s.movingCounts(ctx, earlier, l.spaces, names...)
	return totals, err
}

// movingCounts adds up counters over spaces of earlier generations and of the current one. The earlier ones are read first, so that what moves
// meanwhile is counted twice rather than not at all, and again afterwards: torn tells that something did move, whenever it was tried.
func (s *Store) movingCounts(ctx context.Context, earlier, current []string, names ...string) (totals []int, torn bool, err error) {
	left, err := s.counts(ctx, earlier, names...)
	if err != nil {
		return nil, false, err
	}
	for range 3 {
		if totals, err = s.counts(ctx, current, names...); err != nil {
			return nil, false, err
		}
		for i := range totals {
			totals[i] += left[i]
		}
		again, err := s.counts(ctx, earlier, names...)
		if err != nil || slices.Equal(again, left) {
			return totals, false, err
		}
		left = again
	}
	return totals, true, nil
}

// scanOld finds the matching documents of earlier generations by looking at each of them, sorted in the list's order.
func (l *lister) scanOld(ctx context.Context) ([]*record, error) {
	m := &merged{}
	for _, space := range l.old {
		m.streams = append(m.streams, &stream{t: l.s.table, space: space, path: defaultPath, chunk: maxChunk})
	}
	records, err := take(ctx, m.next, nil, l.s.maxScan+1)
	if err != nil {
		return nil, err
	}
	if len(records) > l.s.maxScan {
		return nil, errReindexing
	}
	for _, r := range records {
		r.scalars, r.row = nil, "" // made for another index
	}
	if err := l.c.load(ctx, l.s.table, records); err != nil {
		return nil, err
	}
	kept := records[:0]
	for _, r := range records {
		ok, err := l.place(r)
		if err != nil {
			return nil, err
		}
		if ok {
			kept = append(kept, r)
		}
	}
	matching, err := l.matching(ctx, kept)
	if err != nil {
		return nil, err
	}
	return l.sortRecords(ctx, matching)
}

// place finds where a loaded document belongs in the current generation; ok tells whether the list looks there.
func (l *lister) place(r *record) (ok bool, err error) {
	if r.item == nil {
		return false, nil
	}
	if err := l.c.decoded(r); err != nil {
		return false, err
	}
	r.version, r.space = r.item.Version, l.c.space(r.doc)
	return slices.Contains(l.spaces, r.space), nil
}

// withExtra adds documents of earlier generations, unless they were moved to the current one between the two reads.
func withExtra(read, matching, extra []*record) []*record {
	if len(extra) == 0 {
		return matching
	}
	moved := make(map[uuid.UUID]bool, len(read))
	for _, r := range read {
		moved[r.id] = true
	}
	matching = slices.Clone(matching)
	for _, r := range extra {
		if !moved[r.id] {
			matching = append(matching, r)
		}
	}
	return matching
}

var errReindexing = &cms.Error{Code: cms.CodeUnavailable, RetryAfter: 10 * time.Second,
	Message: "The model was changed and its index is being built. Try again soon."}

// currently reads through a model's index, and does so again where the model got a new generation meanwhile: entries that moved to it
// are not found in the former one. This process learns of a new generation before it moves anything; where another process
// moves entries while a request here is under way, that one request may miss some.
func currently[T any](s *Store, m *Model, read func(*Model) (T, error)) (T, error) {
	for {
		result, err := read(m)
		site := s.CachedSite()
		if site == nil {
			return result, err
		}
		newer := site.ModelByID(m.ID)
		if newer == nil || newer.Gen <= m.Gen {
			return result, err
		}
		m = newer
	}
}
