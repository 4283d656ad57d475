package store

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sort"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
)

// equality is a filter that a range of index rows answers: the rows of a path with one of some values.
type equality struct {
	path    string
	values  [][]cms.Value // alternatives; each holds one value, or one for each part of a composite index
	list    bool
	counted bool
	covers  []int // the filters that it answers
}

func (e *equality) key(i int) []byte {
	if len(e.values[i]) > 1 {
		return compositeKey(e.values[i])
	}
	return encode(e.values[i][0])
}

func (e *equality) counter(i int) string { return valueCounter(e.path, e.values[i]...) }

// maxAlternatives is how many values of an in filter are looked up one by one.
const maxAlternatives = 20

// equality tells whether a filter is an equality on an indexed path.
func (l *lister) equality(f cms.Filter) (equality, bool) {
	i := l.c.spec.find(f.Path)
	if i < 0 || l.c.spec.paths[i].parts != nil {
		return equality{}, false
	}
	p := &l.c.spec.paths[i]
	eq := equality{path: p.path, list: p.list, counted: p.counted}
	info, ok := l.c.lookup(f.Path)
	if !ok {
		return equality{}, false
	}
	switch {
	case f.Op == cms.OpNull && f.Values[0] == "true":
		eq.values = [][]cms.Value{{{}}}
		return eq, true
	case f.Op != cms.OpEq && f.Op != cms.OpIn, len(f.Values) > maxAlternatives:
		return equality{}, false
	}
	var values []cms.Value
	for _, s := range f.Values {
		if v, ok := cms.ParseValue(info.Kind, s); ok {
			values = append(values, v)
		}
	}
	keys := map[string]bool{}
	for _, v := range distinct(values) {
		if key := string(encode(v)); !keys[key] { // texts that differ in case alone share their rows
			keys[key] = true
			eq.values = append(eq.values, []cms.Value{v})
		} else {
			eq.counted = false
		}
	}
	return eq, len(eq.values) > 0
}

// equalities lists the ways to answer filters by ranges of rows: each filter alone, and composite indexes.
func (l *lister) equalities() []equality {
	var all []equality
	single := map[string]int{}
	for i, f := range l.q.Filters {
		if f.Op == cms.OpEq {
			single[f.Path] = i
		}
		if eq, ok := l.equality(f); ok {
			eq.covers = []int{i}
			all = append(all, eq)
		}
	}
	for i := range l.c.spec.paths {
		p := &l.c.spec.paths[i]
		if eq, ok := l.composite(p, single); ok {
			all = append(all, eq)
		}
	}
	return all
}

// composite tells whether the filters fix every part of a composite index.
func (l *lister) composite(p *indexedPath, single map[string]int) (equality, bool) {
	if p.parts == nil {
		return equality{}, false
	}
	eq := equality{path: p.path, counted: true}
	var values []cms.Value
	for _, part := range p.parts {
		i, ok := single[part]
		info, known := l.c.lookup(part)
		if !ok || !known {
			return equality{}, false
		}
		v, ok := cms.ParseValue(info.Kind, l.q.Filters[i].Values[0])
		if !ok {
			return equality{}, false
		}
		values, eq.covers = append(values, v), append(eq.covers, i)
	}
	eq.values = [][]cms.Value{values}
	return eq, true
}

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
	totals, err := l.s.counts(ctx, l.spaces, names...)
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
			return l.walk(ctx, l.ordered(extra), known+len(extra))
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
	if err := l.sortRecords(ctx, matching); err != nil {
		return found{}, err
	}
	return l.cut(matching), nil
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

// byRange streams the rows that a comparison on an indexed path selects.
func (l *lister) byRange() (*merged, bool) {
	for _, f := range l.q.Filters {
		i := l.c.spec.find(f.Path)
		if i < 0 || l.c.spec.paths[i].list {
			continue
		}
		info, ok := l.c.lookup(f.Path)
		if !ok {
			continue
		}
		v, ok := cms.ParseValue(info.Kind, f.Values[0])
		if !ok {
			continue
		}
		from, to := "", string([]byte{tagMissing})
		key := string(encode(v))
		switch f.Op {
		case cms.OpLt, cms.OpLte:
			to = after(key) // values too long for a key share that of their beginnings: the filter decides
		case cms.OpGt, cms.OpGte:
			from = key
		default:
			continue
		}
		m := &merged{}
		for _, space := range l.spaces {
			m.streams = append(m.streams, &stream{t: l.s.table, space: space, path: f.Path, from: from, to: to, chunk: maxChunk})
		}
		return m, true
	}
	return nil, false
}

// match evaluates the filters on a record; known is false where its body must be read first.
func (l *lister) match(r *record) (ok, known bool, err error) {
	unknown := false
	for _, f := range l.q.Filters {
		values, known, err := l.c.values(r, f.Path)
		if err != nil {
			return false, true, err
		}
		if !known {
			unknown = true
			continue
		}
		info, found := l.c.lookup(f.Path)
		if !found || !f.MatchValues(info.Kind, values, CompareText) {
			return false, true, nil
		}
	}
	return !unknown, !unknown, nil
}

// matching keeps the records that meet the filters, reading the bodies of those whose rows do not tell.
func (l *lister) matching(ctx context.Context, records []*record) ([]*record, error) {
	if len(l.q.Filters) == 0 {
		return records, nil
	}
	var bodies []*record
	drop := map[*record]bool{}
	for _, r := range records {
		ok, known, err := l.match(r)
		if err != nil {
			return nil, err
		}
		if !known {
			bodies = append(bodies, r)
		} else if !ok {
			drop[r] = true
		}
	}
	if err := l.c.load(ctx, l.s.table, bodies); err != nil {
		return nil, err
	}
	for _, r := range bodies {
		if r.item == nil {
			drop[r] = true
			continue
		}
		if ok, _, err := l.match(r); err != nil {
			return nil, err
		} else if !ok {
			drop[r] = true
		}
	}
	if len(drop) == 0 {
		return records, nil
	}
	return slices.DeleteFunc(slices.Clone(records), func(r *record) bool { return drop[r] }), nil
}

// findHits lists the documents that a search found or a filter names, after the other filters.
func (l *lister) findHits(ctx context.Context) (found, error) {
	byScore := len(l.q.Sort) == 0
	if byScore && len(l.q.Filters) == 0 && len(l.q.Hits) > 0 && l.q.Hits[0].Space != "" {
		return l.bestHits(), nil
	}
	if len(l.q.Hits) > maxCollect {
		return found{}, errNotIndexed
	}
	records := make([]*record, 0, len(l.q.Hits))
	for _, h := range l.q.Hits {
		records = append(records, h.record())
	}
	if err := l.c.load(ctx, l.s.table, records); err != nil {
		return found{}, err
	}
	kept := records[:0]
	for _, r := range records {
		ok, err := l.place(r)
		if err != nil {
			return found{}, err
		}
		if ok {
			kept = append(kept, r)
		}
	}
	matching, err := l.matching(ctx, kept)
	if err != nil {
		return found{}, err
	}
	if byScore && len(l.q.Hits) > 0 && l.q.Hits[0].Score != 0 {
		return l.cutByScore(matching), nil
	}
	if err := l.sortRecords(ctx, matching); err != nil {
		return found{}, err
	}
	return l.cut(matching), nil
}

// bestHits takes the page out of hits that need no further look.
func (l *lister) bestHits() found {
	hits := l.q.Hits
	slices.SortFunc(hits, func(a, b Hit) int {
		if c := cmp.Compare(b.Score, a.Score); c != 0 {
			return c
		}
		return bytes.Compare(a.ID[:], b.ID[:])
	})
	from := l.q.Offset()
	if l.after != "" {
		from = sort.Search(len(hits), func(i int) bool { return scoreKey(hits[i].record()) > l.after })
	}
	from = min(from, len(hits))
	to := min(from+l.q.PerPage, len(hits))
	f := found{total: len(hits), more: to < len(hits)}
	for _, h := range hits[from:to] {
		r := h.record()
		r.key = scoreKey(r)
		f.page = append(f.page, r)
	}
	return f
}

func (h Hit) record() *record { return &record{id: h.ID, space: h.Space, score: h.Score} }

// cutByScore takes the page out of hits in the order of their scores.
func (l *lister) cutByScore(records []*record) found {
	for _, r := range records {
		r.key = scoreKey(r)
	}
	slices.SortFunc(records, func(a, b *record) int { return strings.Compare(a.key, b.key) })
	return l.cut(records)
}
