package search

import (
	"slices"

	"github.com/google/uuid"

	"headless/pkg/index"
)

// Chosen are the only entries that a list may show. Name tells one choice from another in cursors.
type Chosen struct {
	IDs  map[uuid.UUID]bool
	Name string
}

// choose lets a query find only what was chosen.
func (q *EntryQuery) choose() {
	if q.Chosen == nil {
		return
	}
	q.Text += "\x00" + q.Chosen.Name
	if q.Hits != nil {
		q.Hits = slices.DeleteFunc(q.Hits, func(h index.Hit) bool { return !q.Chosen.IDs[h.ID] })
		return
	}
	q.Hits = make([]index.Hit, 0, len(q.Chosen.IDs))
	for id := range q.Chosen.IDs {
		q.Hits = append(q.Hits, index.Hit{ID: id})
	}
}
