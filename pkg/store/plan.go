package store

import (
	"context"
	"slices"

	"github.com/google/uuid"
)

// findPlanned answers any query: it reads the counters of all equalities, then takes the cheapest way within the budget.
func (l *lister) findPlanned(ctx context.Context, extra []*record) (found, error) {
	eqs := l.equalities()
	names := []string{counterTotal}
	for _, eq := range eqs {
		for i := range eq.values {
			names = append(names, eq.counter(i))
		}
		names = append(names, counterOverflow+eq.path)
	}
	totals, err := l.totals(ctx, names...)
	if err != nil {
		return found{}, err
	}
	all := totals[0]
	var best *equality
	bestRows, at := 0, 1
	for i := range eqs {
		eq := &eqs[i]
		rows := 0
		for range eq.values {
			rows, at = rows+totals[at], at+1
		}
		overflow := totals[at]
		at++
		if !eq.counted {
			rows = all // nobody knows; better than nothing where all is little
		}
		if overflow == 0 && (best == nil || rows < bestRows || rows == bestRows && eq.counted && !best.counted) {
			best, bestRows = eq, rows
		}
	}
	known := -1 // the exact total, where a counter tells it
	if len(l.q.Filters) == 0 {
		known = all
	} else if best != nil && best.counted && len(best.covers) == len(l.q.Filters) && !(best.list && len(best.values) > 1) {
		known = bestRows
	}
	if known == 0 && len(extra) == 0 {
		return found{}, nil
	}
	return l.choose(ctx, best, bestRows, known, all, extra)
}

// choose takes the cheapest way.
func (l *lister) choose(ctx context.Context, best *equality, bestRows, known, all int, extra []*record) (found, error) {
	page := l.q.Offset() + l.q.PerPage + 1
	if known >= 0 && l.streamable() && len(l.q.Sort) < 2 {
		expected := page
		if known > 0 {
			expected = page * max(1, all/known)
		}
		if expected < bestRows || best == nil {
			m := l.ordered(extra)
			m.expect(expected)
			return l.walk(ctx, m, known+len(extra))
		}
	}
	if known >= 0 && len(l.q.Sort) == 0 && best != nil {
		return l.walk(ctx, l.byEquality(*best, extra), known+len(extra))
	}
	if best != nil && best.counted && bestRows <= maxCollect {
		return l.collect(ctx, l.unordered().byEquality(*best, nil), extra)
	}
	if m, ok := l.byRange(); ok {
		f, err := l.collect(ctx, m, extra)
		if err != errNotIndexed {
			return f, err
		}
	}
	if best != nil && !best.counted {
		f, err := l.collect(ctx, l.unordered().byEquality(*best, nil), extra)
		if err != errNotIndexed {
			return f, err
		}
	}
	if known >= 0 && l.streamable() {
		return l.walk(ctx, l.ordered(extra), known+len(extra))
	}
	return l.collectAll(ctx, all, extra)
}

// collectAll looks at every document: in the list's order where rows have it, so that a page can be answered though the total is an estimate.
func (l *lister) collectAll(ctx context.Context, all int, extra []*record) (found, error) {
	if all <= maxCollect {
		return l.collect(ctx, l.unordered().ordered(nil), extra)
	}
	if !l.streamable() || len(l.q.Sort) > 1 {
		return found{}, errNotIndexed
	}
	return l.walkCounting(ctx, l.ordered(extra))
}

// unordered is the same query from its start and in the default order, for reading what is sorted afterwards.
func (l *lister) unordered() *lister {
	all := *l
	all.after, all.q.Sort = "", nil
	return &all
}

// collect reads all records of a stream, keeps those that match, sorts them and cuts out the page.
func (l *lister) collect(ctx context.Context, m *merged, extra []*record) (found, error) {
	for _, s := range m.streams {
		s.chunk = maxChunk
	}
	records, err := take(ctx, m.next, nil, maxCollect+1)
	if err != nil {
		return found{}, err
	}
	if len(records) > maxCollect {
		return found{}, errNotIndexed
	}
	records = newestEach(records)
	matching, err := l.matching(ctx, records)
	if err != nil {
		return found{}, err
	}
	matching = withExtra(records, matching, extra)
	sorted, err := l.sortRecords(ctx, matching)
	if err != nil {
		return found{}, err
	}
	return l.cut(sorted), nil
}

// newestEach keeps one record of each document: one that moved from a space to another while they were read came twice.
func newestEach(records []*record) []*record {
	newest := make(map[uuid.UUID]int64, len(records))
	for _, r := range records {
		newest[r.id] = max(newest[r.id], r.version)
	}
	if len(newest) == len(records) {
		return records
	}
	return slices.DeleteFunc(records, func(r *record) bool { return r.version < newest[r.id] })
}

// cut takes the page out of the complete sorted list.
func (l *lister) cut(sorted []*record) found {
	f := found{total: len(sorted)}
	rest := l.afterCursor(sorted)
	from := min(l.q.Offset(), len(rest))
	to := min(from+l.q.PerPage, len(rest))
	f.page, f.more = rest[from:to], to < len(rest)
	return f
}

// walkCounting goes through the list in order within the budget, counting the matches. Past maxCounted matches the total is an estimate.
func (l *lister) walkCounting(ctx context.Context, m *merged) (found, error) {
	var f found
	skip := l.q.Offset()
	for rows := 0; rows <= maxCollect; rows += maxChunk {
		records, err := take(ctx, m.next, nil, maxChunk)
		if err != nil {
			return f, err
		}
		matching, err := l.matching(ctx, records)
		if err != nil {
			return f, err
		}
		for _, r := range matching {
			if f.total++; f.total <= skip {
				continue
			}
			if len(f.page) < l.q.PerPage {
				f.page = append(f.page, r)
			} else {
				f.more = true
			}
		}
		if len(records) < maxChunk {
			return f, nil
		}
		if f.total >= maxCounted && f.more {
			f.estimate = true
			return f, nil
		}
	}
	return found{}, errNotIndexed
}
