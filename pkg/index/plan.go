package index

import (
	"context"
	"errors"

	"headless/pkg/index/totals"
)

// counted is what the counters say about a query.
type counted struct {
	best  *equality // the equality with the fewest rows, nil if there is none
	rows  int       // of it
	total int       // the exact total of the list if a counter has it, else -1
	all   int       // number of documents
}

// findPlanned answers any query: it reads the counters of all equalities, then runs the plan.
func (l *lister) findPlanned(ctx context.Context) (found, error) {
	n, err := l.count(ctx)
	if err != nil {
		return found{}, err
	}
	return l.runPlan(ctx, n)
}

// count reads the counters of a query.
func (l *lister) count(ctx context.Context) (counted, error) {
	eqs := l.c.equalities(l.q.Filters)
	names := []string{totals.All}
	for _, eq := range eqs {
		for i := range eq.values {
			names = append(names, eq.counter(i))
		}
		names = append(names, totals.Overflow+eq.path)
	}
	counts, err := totals.Of(ctx, l.db, l.spaces, names...)
	if err != nil {
		return counted{}, err
	}
	return cheapest(eqs, counts, len(l.q.Filters)), nil
}

// cheapest finds the equality with the fewest rows. counts has the number of documents, then for each equality
// those of its values, and that of the documents that have more values than rows.
func cheapest(eqs []equality, counts []int, filters int) counted {
	n := counted{total: -1, all: counts[0]}
	for i, at := 0, 1; i < len(eqs); i++ {
		eq, rows := &eqs[i], 0
		for range eq.values {
			rows, at = rows+counts[at], at+1
		}
		overflow := counts[at]
		at++
		if !eq.counted {
			rows = n.all // unknown; but useful if there are few documents
		}
		if overflow == 0 && (n.best == nil || rows < n.rows || rows == n.rows && eq.counted && !n.best.counted) {
			n.best, n.rows = eq, rows
		}
	}
	switch {
	case filters == 0:
		n.total = n.all
	case n.best != nil && n.best.counted && len(n.best.covers) == filters && !(n.best.list && len(n.best.values) > 1):
		n.total = n.rows
	}
	return n
}

// The ways to answer a query.
const (
	planNothing = "none"    // nothing matches
	planWalk    = "walk"    // read rows in the order of the list, up to the end of the page
	planCollect = "collect" // read rows, keep those that match, and sort them
	planCount   = "count"   // read rows in the order of the list, and count those that match
	planHits    = "hits"    // look up the entries of a search or of a filter on id
	planLabels  = "labels"  // read the rows of labels
	planRefused = "refused" // all of them would read too many rows
)

// step is a way to answer a query.
type step struct {
	way      string
	equality *equality // whose rows are read; nil for others
	compared *valueRange
	rows     int // that it is expected to read
}

// shape has the facts about a query that decide its plan.
type shape struct {
	page     int         // rows up to the end of the page, and one more
	sorts    int         // number of sort fields
	rows     bool        // there are rows in the order of the first sort field
	compared *valueRange // the rows for a filter that compares, nil if there are none
}

// planOf returns the steps of which the first one answers the query that does not read too many rows. None means
// that the query would read too many.
func planOf(q shape, n counted) (steps []step) {
	inOrder := step{way: planWalk, rows: q.page * max(1, n.all/max(1, n.total))}
	ofBest := step{way: planCollect, equality: n.best, rows: n.rows}
	switch {
	case n.total == 0:
		return []step{{way: planNothing}}
	case n.total > 0 && q.rows && q.sorts < 2 && (n.best == nil || inOrder.rows < n.rows):
		return []step{inOrder}
	case n.total > 0 && q.sorts == 0 && n.best != nil:
		return []step{{way: planWalk, equality: n.best, rows: q.page}}
	case n.best != nil && n.best.counted && n.rows <= MaxCollect:
		return []step{ofBest}
	}
	if q.compared != nil {
		steps = append(steps, step{way: planCollect, compared: q.compared, rows: n.all})
	}
	if n.best != nil && !n.best.counted {
		steps = append(steps, ofBest)
	}
	switch {
	case n.total > 0 && q.rows:
		steps = append(steps, inOrder)
	case n.all <= MaxCollect:
		steps = append(steps, step{way: planCollect, rows: n.all})
	case q.rows && q.sorts < 2:
		steps = append(steps, step{way: planCount, rows: n.all})
	}
	return steps
}

// runPlan answers the query by the first step of its plan that does not read too many rows.
func (l *lister) runPlan(ctx context.Context, n counted) (found, error) {
	q := shape{l.q.Offset() + l.q.PerPage + 1, len(l.q.Sort), l.streamable(), l.c.comparison(l.q.Filters)}
	for _, s := range planOf(q, n) {
		l.q.Plan.set(s, l.path(), n.total)
		f, err := l.runStep(ctx, s, n.total)
		if !errors.Is(err, ErrNotIndexed) {
			return f, err
		}
	}
	l.q.Plan.set(step{way: planRefused, rows: n.all}, "", n.total)
	return found{}, ErrNotIndexed
}

func (l *lister) runStep(ctx context.Context, s step, total int) (found, error) {
	switch {
	case s.way == planNothing:
		return found{}, nil
	case s.way == planCount:
		return l.walkCounting(ctx, l.ordered())
	case s.way == planWalk && s.equality != nil:
		return l.walk(ctx, l.byEquality(*s.equality), total)
	case s.way == planWalk:
		m := l.ordered()
		if len(l.q.Sort) < 2 {
			m.expect(s.rows)
		}
		return l.walk(ctx, m, total)
	case s.compared != nil:
		return l.collectRecords(ctx, l.byRange(*s.compared))
	case s.equality != nil:
		return l.collectRecords(ctx, l.whole().byEquality(*s.equality))
	}
	return l.collectRecords(ctx, l.whole().ordered())
}
