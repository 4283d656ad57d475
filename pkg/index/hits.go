package index

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sort"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms/query"
	"headless/pkg/slice"
)

// findHits lists the documents that a search found, or that a filter on id names, if they match the
// other filters.
func (l *lister) findHits(ctx context.Context) (found, error) {
	l.q.Plan.set(step{way: planHits, rows: len(l.q.Hits)}, "", -1)
	scored := len(l.q.Sort) == 0
	if scored && len(l.q.Filters) == 0 && len(l.q.Hits) > 0 && l.q.Hits[0].Space != "" &&
		l.q.Hits[0].Score != 0 {
		return l.bestHits(), nil
	}
	if len(l.q.Hits) > MaxCollect {
		return found{}, ErrNotIndexed
	}
	matching, ok, err := l.hitsByRows(ctx)
	if err == nil && !ok {
		matching, err = l.matcher.matchHits(ctx, slice.Map(l.q.Hits, l.q.record), l.spaces)
	}
	if err != nil {
		return found{}, err
	}
	if scored && len(l.q.Hits) > 0 && l.q.Hits[0].Score != 0 {
		return l.cutByScore(matching), nil
	}
	sorted, err := l.matcher.sortRecords(ctx, matching)
	return l.cut(sorted), err
}

// bestHits returns the page of hits that need no filtering and no other order.
func (l *lister) bestHits() found {
	f := found{total: len(l.q.Hits)}
	hits := l.q.Hits
	if l.after != "" {
		hits = slices.DeleteFunc(hits, func(h Hit) bool { return scoreKey(l.q.record(h)) <= l.after })
	}
	from := min(l.q.Offset(), len(hits))
	to := min(from+l.q.PerPage, len(hits))
	f.more = to < len(hits)
	BestFirst(hits, to, ByScore)
	for _, h := range hits[from:to] {
		r := l.q.record(h)
		r.key = scoreKey(r)
		f.page = append(f.page, r)
	}
	return f
}

// ByScore compares hits by score, the best first, then by id.
func ByScore(a, b *Hit) int {
	if c := cmp.Compare(b.Score, a.Score); c != 0 {
		return c
	}
	return bytes.Compare(a.ID[:], b.ID[:])
}

// selectUpTo is the largest number of best hits that are selected without sorting all hits.
const selectUpTo = 300

// BestFirst moves the n best hits to the front, in order. The order of the others is undefined. A
// search may have many hits, of which a page shows few.
func BestFirst[T any](hits []T, n int, compare func(a, b *T) int) {
	if n > selectUpTo {
		// Not slices.SortFunc: its code for each type would be 20 KB of each function.
		sort.Slice(hits, func(i, j int) bool { return compare(&hits[i], &hits[j]) < 0 })
		return
	}
	for i := range hits {
		at := i
		if i >= n {
			if at = n - 1; at < 0 || compare(&hits[i], &hits[at]) >= 0 {
				continue
			}
			hits[i], hits[at] = hits[at], hits[i]
		}
		for ; at > 0 && compare(&hits[at], &hits[at-1]) < 0; at-- {
			hits[at], hits[at-1] = hits[at-1], hits[at]
		}
	}
}

// record returns the record of a hit. The row beside a document is read together with that, so a
// list with Beside reads the document again.
func (q *ListQuery) record(h Hit) *Record {
	r := &Record{ID: h.ID, version: h.Version, Space: h.Space, Score: h.Score}
	if !q.Beside {
		r.Item = h.Item
	}
	return r
}

// idsOf returns the ids of a filter on id, and the other filters; nil if there is no such filter.
func idsOf(filters []query.Filter) (hits []Hit, others []query.Filter) {
	for i, f := range filters {
		if f.Path != "id" || f.Op != query.OpEq && f.Op != query.OpIn {
			continue
		}
		hits = []Hit{}
		for _, v := range f.Values {
			if id, err := uuid.Parse(v); err == nil && strings.EqualFold(id.String(), v) &&
				!slices.Contains(hits, Hit{ID: id}) {
				hits = append(hits, Hit{ID: id})
			}
		}
		return hits, append(filters[:i:i], filters[i+1:]...)
	}
	return nil, filters
}

// rowsPerBody is about how many index rows cost as much as one document.
const rowsPerBody = 20

// hitsByRows finds the matching hits through index rows, which have the values for filters and
// sorting. ok is false if reading the documents costs less.
func (l *lister) hitsByRows(ctx context.Context) (matching []*Record, ok bool, err error) {
	hits := l.q.Hits
	if len(hits) <= LoadChunk || hits[0].Space == "" {
		return nil, false, nil
	}
	n, err := l.count(ctx)
	if err != nil {
		return nil, false, err
	}
	all := l.whole()
	m, rows := all.ordered(), n.all
	if n.best != nil && n.best.counted && n.rows < rows {
		m, rows = all.byEquality(*n.best), n.rows
	}
	if rows > MaxCollect || rows > rowsPerBody*len(hits) {
		return nil, false, nil
	}
	for _, s := range m.streams {
		s.chunk = maxChunk
	}
	records, err := takeRecords(ctx, m.nextRecord, nil, MaxCollect+1)
	if err != nil || len(records) > MaxCollect {
		return nil, false, err
	}
	scores := make(map[uuid.UUID]float64, len(hits))
	for _, h := range hits {
		scores[h.ID] = h.Score
	}
	var kept []*Record
	for _, r := range newestEach(records) {
		if score, found := scores[r.ID]; found {
			r.Score = score
			kept = append(kept, r)
		}
	}
	matching, err = l.matcher.keepMatching(ctx, kept)
	return matching, true, err
}
