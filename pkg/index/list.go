package index

import (
	"context"
	"errors"
	"slices"
	"strings"
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
	ID    uuid.UUID
	Space string
	Score float64
	Item  *table.Item // the document, if it was read after the hit was found
}

// lister answers one list query.
type lister struct {
	db        *db.DB
	c         *Collection
	q         ListQuery
	spaces    []string // to list
	check     []byte   // digest of the query, for cursors
	after     string   // key of the last document of the previous page
	bodyBytes int      // size of the documents read so far, as stored
	docBytes  int      // the same, unpacked
	bodies    int      // number of these documents
	moved     bool     // a concurrent change moved a document while the list was read
	labelled  bool     // rows in the default order are read by labels
	probed    int      // documents whose labels were looked up
}

// List answers a query over a collection.
func List(ctx context.Context, s *db.DB, c *Collection, spaces []string,
	q ListQuery) (db.Page[*Record], error) {
	l := &lister{db: s, c: c, q: q, spaces: spaces, check: queryCheck(q, c.Spec.Order)}
	var err error
	if l.after, err = s.DecodeCursor(ctx, l.check, q.Cursor); err != nil {
		return db.Page[*Record]{}, err
	}
	if l.after != "" {
		l.q.Page = 1
	}
	// A change that commits after the rows and before the bodies are read may move a document away.
	// Then the list is read again.
	for try := 0; ; try++ {
		page, complete, err := l.runQuery(ctx)
		if errors.Is(err, ErrNotIndexed) && l.usesBuilding() {
			err = ErrReindexing
		}
		if err != nil || complete || try == 3 {
			return page, err
		}
	}
}

func (l *lister) runQuery(ctx context.Context) (page db.Page[*Record], complete bool, err error) {
	l.moved, l.bodyBytes, l.docBytes, l.bodies, l.probed = false, 0, 0, 0, 0
	found, err := l.findRecords(ctx)
	if err != nil {
		return page, false, err
	}
	page = db.Page[*Record]{Paging: l.q.Paging, Total: found.total, Estimate: found.estimate}
	if err := l.c.loadBodies(ctx, l.db.Table, found.page); err != nil {
		return page, false, err
	}
	page.Items = make([]*Record, 0, len(found.page))
	complete = !l.moved
	for _, r := range found.page {
		ok, err := l.c.current(r, l)
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
		page.Next, err = l.db.EncodeCursor(ctx, l.check, found.page[len(found.page)-1].key)
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
	if ids := l.idFilter(); ids != nil {
		l.q.Hits = ids
		return l.findHits(ctx)
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
	m := l.orderedStream()
	if len(l.q.Filters) == 1 {
		eq, ok := l.equality(l.q.Filters[0])
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

// walk reads matching records in order up to the end of the page. The total is known.
func (l *lister) walk(ctx context.Context, m *merged, total int) (found, error) {
	f := found{total: total}
	skip := l.q.Offset()
	if skip >= total && l.after == "" {
		return f, nil
	}
	if skip > total/2 && l.after == "" && len(l.q.Sort) < 2 && skip > l.firstChunk() {
		return l.walkBack(ctx, m.backwards(), total)
	}
	next := l.inOrder(m)
	pending := make([]*Record, 0, LoadChunk)
	for rows := 0; ; {
		var err error
		pending, err = takeRecords(ctx, next, pending[:0], min(LoadChunk, max(1, skip+l.q.PerPage+1-len(f.page))))
		if err != nil || len(pending) == 0 {
			return f, err
		}
		if rows += len(pending); rows > MaxCollect+l.q.PerPage {
			return f, ErrNotIndexed
		}
		matching, err := l.keepMatching(ctx, pending)
		if err != nil {
			return f, err
		}
		for _, r := range matching {
			if skip > 0 {
				skip--
				continue
			}
			if len(f.page) == l.q.PerPage {
				f.more = true
				return f, nil
			}
			f.page = append(f.page, r)
		}
	}
}

// takeRecords gathers up to n records.
func takeRecords(ctx context.Context, next func(context.Context) (*Record, error), into []*Record,
	n int) ([]*Record, error) {
	for len(into) < n {
		r, err := next(ctx)
		if err != nil {
			return nil, err
		}
		if r == nil {
			break
		}
		into = append(into, r)
	}
	return into, nil
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

// usesBuilding reports whether the query could use rows that are still being built.
func (l *lister) usesBuilding() bool {
	if l.c.Building == nil {
		return false
	}
	return slices.ContainsFunc(l.q.Filters, func(f query.Filter) bool { return l.c.Building(f.Path) }) ||
		slices.ContainsFunc(l.q.Sort, func(f query.SortField) bool { return l.c.Building(f.Path) })
}

// walkBack reads a page in the second half of a list backwards from the end of the list.
func (l *lister) walkBack(ctx context.Context, m *merged, total int) (found, error) {
	remaining := max(0, total-l.q.Offset()-l.q.PerPage) // matches after the page
	last := *l
	last.q.Paging = db.Paging{Page: 1, PerPage: total - l.q.Offset()}
	if last.q.PerPage > MaxCollect {
		return found{}, ErrNotIndexed
	}
	f, err := last.walk(ctx, m, total)
	if err != nil {
		return f, err
	}
	f.page = f.page[min(remaining, len(f.page)):]
	slices.Reverse(f.page)
	f.more = remaining > 0
	return f, nil
}

// idFilter removes a filter on id from the query and returns its ids; nil if there is no such
// filter.
func (l *lister) idFilter() []Hit {
	for i, f := range l.q.Filters {
		if f.Path != "id" || f.Op != query.OpEq && f.Op != query.OpIn {
			continue
		}
		l.q.Filters = append(l.q.Filters[:i:i], l.q.Filters[i+1:]...)
		hits := []Hit{}
		for _, v := range f.Values {
			if id, err := uuid.Parse(v); err == nil && strings.EqualFold(id.String(), v) &&
				!slices.Contains(hits, Hit{ID: id}) {
				hits = append(hits, Hit{ID: id})
			}
		}
		return hits
	}
	return nil
}
