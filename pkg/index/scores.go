package index

import (
	"context"

	"github.com/google/uuid"

	"headless/pkg/db"
)

// Scores orders a list by numbers that are not part of its documents, the highest first.
type Scores struct {
	Name string // identifies this order in cursors
	// Of returns the number of a document, at least 0.
	Of func(id uuid.UUID) float64
}

// findScored finds all documents of the query, and returns the page in the order of their scores.
// Beyond MaxCollect documents it fails with ErrNotIndexed.
func (l *lister) findScored(ctx context.Context) (found, error) {
	q := l.q
	q.Scores, q.Sort, q.Paging = nil, nil, db.Paging{Page: 1, PerPage: MaxCollect}
	f, err := l.with(q, "", nil).findRecords(ctx)
	if err != nil {
		return found{}, err
	}
	if f.more || f.estimate {
		return found{}, ErrNotIndexed
	}
	for _, r := range f.page {
		r.Score = l.q.Scores.Of(r.ID)
	}
	return l.cutByScore(f.page), nil
}
