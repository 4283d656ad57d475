package index

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"headless/pkg/index/totals"
)

// planned is what the counters say about a query.
type planned struct {
	best     *equality // the equality with the fewest rows, nil if there is none
	bestRows int
	known    int // the exact total if a counter has it, else -1
	all      int // number of documents
}

// findPlanned answers any query: it reads the counters of all equalities, then runs the cheapest
// strategy within the limits.
func (l *lister) findPlanned(ctx context.Context) (found, error) {
	p, err := l.plan(ctx)
	if err != nil || p.known == 0 {
		return found{}, err
	}
	return l.runCheapest(ctx, p.best, p.bestRows, p.known, p.all)
}

func (l *lister) plan(ctx context.Context) (planned, error) {
	eqs := l.equalities()
	names := []string{totals.All}
	for _, eq := range eqs {
		for i := range eq.values {
			names = append(names, eq.counter(i))
		}
		names = append(names, totals.Overflow+eq.path)
	}
	counts, err := totals.Of(ctx, l.db, l.spaces, names...)
	if err != nil {
		return planned{}, err
	}
	all := counts[0]
	var best *equality
	bestRows, at := 0, 1
	for i := range eqs {
		eq := &eqs[i]
		rows := 0
		for range eq.values {
			rows, at = rows+counts[at], at+1
		}
		overflow := counts[at]
		at++
		if !eq.counted {
			rows = all // unknown; but useful if there are few documents
		}
		if overflow == 0 && (best == nil || rows < bestRows || rows == bestRows && eq.counted &&
			!best.counted) {
			best, bestRows = eq, rows
		}
	}
	known := -1 // the exact total, if a counter has it
	switch {
	case len(l.q.Filters) == 0:
		known = all
	case best != nil && best.counted && len(best.covers) == len(l.q.Filters) &&
		!(best.list && len(best.values) > 1):
		known = bestRows
	}
	return planned{best, bestRows, known, all}, nil
}

// runCheapest runs the cheapest strategy.
func (l *lister) runCheapest(ctx context.Context, best *equality, bestRows, known, all int) (found, error) {
	page := l.q.Offset() + l.q.PerPage + 1
	if known >= 0 && l.streamable() && len(l.q.Sort) < 2 {
		expected := page
		if known > 0 {
			expected = page * max(1, all/known)
		}
		if expected < bestRows || best == nil {
			m := l.orderedStream()
			m.expect(expected)
			return l.walk(ctx, m, known)
		}
	}
	if known >= 0 && len(l.q.Sort) == 0 && best != nil {
		return l.walk(ctx, l.byEquality(*best), known)
	}
	if best != nil && best.counted && bestRows <= MaxCollect {
		return l.collectRecords(ctx, l.withoutOrder().byEquality(*best))
	}
	if m, ok := l.byRange(); ok {
		f, err := l.collectRecords(ctx, m)
		if !errors.Is(err, ErrNotIndexed) {
			return f, err
		}
	}
	if best != nil && !best.counted {
		f, err := l.collectRecords(ctx, l.withoutOrder().byEquality(*best))
		if !errors.Is(err, ErrNotIndexed) {
			return f, err
		}
	}
	if known >= 0 && l.streamable() {
		return l.walk(ctx, l.orderedStream(), known)
	}
	return l.collectAll(ctx, all)
}

// collectAll reads all documents. If there are more than MaxCollect, it reads them in the list's
// order, if rows have that order. So it can return the page, even if the total is an estimate.
func (l *lister) collectAll(ctx context.Context, all int) (found, error) {
	if all <= MaxCollect {
		return l.collectRecords(ctx, l.withoutOrder().orderedStream())
	}
	if !l.streamable() || len(l.q.Sort) > 1 {
		return found{}, ErrNotIndexed
	}
	return l.walkCounting(ctx, l.orderedStream())
}

// withoutOrder returns the same query without cursor and in the default order. Its records are sorted
// afterwards.
func (l *lister) withoutOrder() *lister {
	all := *l
	all.after, all.q.Sort = "", nil
	return &all
}

// collectRecords reads all records of a stream, keeps those that match, sorts them and returns the page.
func (l *lister) collectRecords(ctx context.Context, m *merged) (found, error) {
	for _, s := range m.streams {
		s.chunk = maxChunk
	}
	records, err := takeRecords(ctx, m.nextRecord, nil, MaxCollect+1)
	if err != nil {
		return found{}, err
	}
	if len(records) > MaxCollect {
		return found{}, ErrNotIndexed
	}
	records = newestEach(records)
	matching, err := l.keepMatching(ctx, records)
	if err != nil {
		return found{}, err
	}
	sorted, err := l.sortRecords(ctx, matching)
	if err != nil {
		return found{}, err
	}
	return l.cut(sorted), nil
}

// newestEach keeps one record of each document. A document that moved to another space while the
// rows were read appears twice.
func newestEach(records []*Record) []*Record {
	newest := make(map[uuid.UUID]int64, len(records))
	for _, r := range records {
		newest[r.ID] = max(newest[r.ID], r.version)
	}
	if len(newest) == len(records) {
		return records
	}
	return slices.DeleteFunc(records, func(r *Record) bool { return r.version < newest[r.ID] })
}

// cut returns the page of the complete sorted list.
func (l *lister) cut(sorted []*Record) found {
	f := found{total: len(sorted)}
	rest := l.afterCursor(sorted)
	from := min(l.q.Offset(), len(rest))
	to := min(from+l.q.PerPage, len(rest))
	f.page, f.more = rest[from:to], to < len(rest)
	return f
}

// walkCounting reads the list in order within the limits and counts the matches. After maxCounted
// matches, the total is an estimate.
func (l *lister) walkCounting(ctx context.Context, m *merged) (found, error) {
	var f found
	skip := l.q.Offset()
	for rows := 0; rows <= MaxCollect; rows += maxChunk {
		records, err := takeRecords(ctx, m.nextRecord, nil, maxChunk)
		if err != nil {
			return f, err
		}
		matching, err := l.keepMatching(ctx, records)
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
	return found{}, ErrNotIndexed
}
