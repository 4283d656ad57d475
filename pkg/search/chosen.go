package search

import (
	"slices"

	"github.com/google/uuid"

	"headless/pkg/index"
)

// Chosen says which entries a list may show. Name tells one choice from another in cursors.
type Chosen struct {
	Only   map[uuid.UUID]string // the spaces of these alone, by id; nil: of all
	Except map[uuid.UUID]bool   // but none of these
	Here   int                  // how many of Except the query's locales and statuses have, -1 where that is not known
	Name   string
}

// choose lets a query find only what was chosen.
func (q *EntryQuery) choose() {
	if q.Chosen == nil {
		return
	}
	q.Text += "\x00" + q.Chosen.Name
	only := q.Chosen.Only
	switch {
	case q.Hits != nil:
		q.Hits = slices.DeleteFunc(q.Hits, func(h index.Hit) bool {
			return only != nil && only[h.ID] == "" || q.Chosen.Except[h.ID]
		})
	case only == nil:
		q.Except, q.ExceptHere = q.Chosen.Except, q.Chosen.Here
	default:
		q.Hits = make([]index.Hit, 0, len(only))
		for id, space := range only {
			q.Hits = append(q.Hits, index.Hit{ID: id, Space: space})
		}
	}
}
