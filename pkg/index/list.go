package index

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/index/totals"
	"headless/pkg/table"
)

// Limits of one list query. Beyond MaxCollect it fails with QUERY_NOT_INDEXED.
const (
	MaxCollect = 16_000 // rows read to answer
	maxCounted = 10_000 // matches up to which a total is always exact
)

// ListQuery asks for a page of a list. Filters and sort have been checked against the model.
type ListQuery struct {
	db.Paging
	Cursor  string
	Sort    []query.SortField // nil: the default order
	Filters []query.Filter    // joined by AND; the spaces already select status and locale
	// Hits, if not nil, are the only documents to list: the results of a text search. Without Sort
	// they are listed by score.
	Hits []Hit
	Text string // the text that was searched for Hits

	Labels *Labels // only documents with these labels; nil: all

	Scores *Scores // the order, in place of Sort

	Beside bool // also read the row Collection.Beside of each document

	Scope []string // identifies the set of documents; a cursor works only with its set

	Plan *Plan // nil, or set to how the list is found, also if it is refused
}

// Hit is a document that a text search found.
type Hit struct {
	ID      uuid.UUID
	Version int64 // 0 if it is not known
	Space   string
	Score   float64
	Item    *table.Item // the document, if it was read after the hit was found
}

// lister answers one list query.
type lister struct {
	*source // of its rows
	db      *db.DB
	q       ListQuery
	matcher *matcher
}

func newLister(s *db.DB, b *bodies, spaces []string, q ListQuery, after string, labels *Labels) *lister {
	at := &cursor{order{b.c, q.Sort}, after}
	m := &matcher{sorter{at, b}, q.Filters, q.Labels}
	if labels != nil {
		m.labels = nil // the rows have them
	}
	// The first read fetches the rows to skip, the page, and one more to know whether the page is the last.
	rows := min(q.Offset()+q.PerPage+1, maxChunk)
	return &lister{&source{at, b.t, spaces, rows, labels}, s, q, m}
}

// with returns a lister of another query, as a part of the same work.
func (l *lister) with(q ListQuery, after string, labels *Labels) *lister {
	return newLister(l.db, l.matcher.bodies, l.spaces, q, after, labels)
}

// labelled returns the same query, which reads rows in the default order by labels.
func (l *lister) labelled() *lister { return l.with(l.q, l.after, l.q.Labels) }

// List answers a query over a collection.
func List(ctx context.Context, s *db.DB, c *Collection, spaces []string, q ListQuery) (db.Page[*Record], error) {
	check := queryCheck(q, c.Spec.Order)
	after, err := s.DecodeCursor(ctx, check, q.Cursor)
	if err != nil {
		return db.Page[*Record]{}, err
	}
	if after != "" {
		q.Page = 1
	}
	l := newLister(s, &bodies{c: c, t: s.Table}, spaces, q, after, nil)
	// A change that commits after the rows and before the bodies are read may move a document away.
	// Then the list is read again.
	for try := 0; ; try++ {
		page, complete, err := l.runQuery(ctx, check)
		if errors.Is(err, ErrNotIndexed) && c.buildsFor(&q) {
			err = ErrReindexing
		}
		if err != nil || complete || try == 3 {
			return page, err
		}
	}
}

func (l *lister) runQuery(ctx context.Context, check []byte) (page db.Page[*Record], complete bool, err error) {
	l.matcher.progress = progress{}
	found, err := l.findRecords(ctx)
	if err != nil {
		return page, false, err
	}
	page = db.Page[*Record]{Paging: l.q.Paging, Total: found.total, Estimate: found.estimate}
	if err := l.c.loadBodies(ctx, l.t, found.page); err != nil {
		return page, false, err
	}
	page.Items = make([]*Record, 0, len(found.page))
	complete = !l.matcher.moved
	for _, r := range found.page {
		ok, err := l.c.current(r, l.q.Filters)
		if err != nil {
			return page, false, err
		}
		if !ok {
			complete = false
			continue
		}
		page.Items = append(page.Items, r)
	}
	if found.more && len(found.page) > 0 {
		page.Next, err = l.db.EncodeCursor(ctx, check, found.page[len(found.page)-1].key)
	}
	return page, complete, err
}

// found is the result of a strategy: the records of the page, before their bodies are read.
type found struct {
	page     []*Record
	total    int
	estimate bool
	more     bool // there are records after the page
}

// findRecords chooses a strategy and runs it.
func (l *lister) findRecords(ctx context.Context) (found, error) {
	if l.q.Scores != nil {
		return l.findScored(ctx)
	}
	if l.q.Labels != nil {
		return l.findLabelled(ctx)
	}
	if l.q.Hits != nil {
		return l.findHits(ctx)
	}
	if ids, others := idsOf(l.q.Filters); ids != nil {
		q := l.q
		q.Hits, q.Filters = ids, others
		return l.with(q, l.after, nil).findHits(ctx)
	}
	if f, ok, err := l.findContiguous(ctx); ok || err != nil {
		return f, err
	}
	return l.findPlanned(ctx)
}

// findContiguous answers queries whose result is one range of rows in order: no filter, or one
// counted equality in the default order. It reads rows and counters in one round trip, without a plan.
// It returns false for other queries, and if the plan is asked for.
func (l *lister) findContiguous(ctx context.Context) (found, bool, error) {
	if len(l.q.Filters) > 1 || len(l.q.Sort) > 1 || !l.streamable() || l.q.Plan != nil {
		return found{}, false, nil
	}
	names := []string{totals.All}
	m := l.ordered()
	if len(l.q.Filters) == 1 {
		eq, ok := l.c.equality(l.q.Filters[0])
		if !ok || !eq.counted || len(eq.values) != 1 || len(l.q.Sort) > 0 {
			return found{}, false, nil
		}
		names = []string{eq.counter(0)}
		if eq.list {
			names = append(names, totals.Overflow+eq.path)
		}
		m = l.byEquality(eq)
	}
	var counts []int
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) { counts, err = totals.Of(gctx, l.db, l.spaces, names...); return err })
	g.Go(func() error { return m.fillStreams(gctx) })
	if err := g.Wait(); err != nil {
		return found{}, false, err
	}
	if len(counts) > 1 && counts[1] > 0 {
		return found{}, false, nil
	}
	f, err := l.walk(ctx, m, counts[0])
	return f, true, err
}

var ErrNotIndexed = cms.Errorf(cms.CodeQueryNotIndexed,

	"This query would have to look at more than %d entries. "+

		"Filter by equality on a field that has few entries of the value, sort by that field, use "+

		"cursor instead of a high page, or declare a composite index in the model (indexes).",

	MaxCollect)

// ErrReindexing is returned for queries that need the new index of a changed model before it is
// complete.
var ErrReindexing = &cms.Error{Code: cms.CodeUnavailable, RetryAfter: 10 * time.Second,

	Message: "The model was changed and its index is being built. Try again soon."}

// buildsFor reports whether a query could use rows that are still being built.
func (c *Collection) buildsFor(q *ListQuery) bool {
	if c.Building == nil {
		return false
	}
	return slices.ContainsFunc(q.Filters, func(f query.Filter) bool { return c.Building(f.Path) }) ||
		slices.ContainsFunc(q.Sort, func(f query.SortField) bool { return c.Building(f.Path) })
}
