package index

import (
	"context"
	"slices"

	"headless/pkg/db"
)

// walk reads matching records in order up to the end of the page. The total is known.
func (l *lister) walk(ctx context.Context, m *merged, total int) (found, error) {
	f := found{total: total}
	skip := l.q.Offset()
	if skip >= total && l.after == "" {
		return f, nil
	}
	if skip > total/2 && l.after == "" && len(l.q.Sort) < 2 && skip > l.chunk {
		return l.walkBack(ctx, m.backwards(), total)
	}
	next := l.matcher.complete(m)
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
		matching, err := l.matcher.keepMatching(ctx, pending)
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
		matching, err := l.matcher.keepMatching(ctx, records)
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
