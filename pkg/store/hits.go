package store

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sort"
	"strings"
)

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
	sorted, err := l.sortRecords(ctx, matching)
	if err != nil {
		return found{}, err
	}
	return l.cut(sorted), nil
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
