package index

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"
)

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
	matching, err := l.matcher.keepMatching(ctx, records)
	if err != nil {
		return found{}, err
	}
	sorted, err := l.matcher.sortRecords(ctx, matching)
	return l.cut(sorted), err
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
	rest := l.from(sorted)
	from := min(l.q.Offset(), len(rest))
	to := min(from+l.q.PerPage, len(rest))
	f.page, f.more = rest[from:to], to < len(rest)
	return f
}

// cutByScore sorts hits by score and returns the page.
func (l *lister) cutByScore(records []*Record) found {
	for _, r := range records {
		r.key = scoreKey(r)
	}
	slices.SortFunc(records, func(a, b *Record) int { return strings.Compare(a.key, b.key) })
	return l.cut(records)
}
