package service

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/store"
)

// EntryQuery asks for a page of a model's entries.
type EntryQuery struct {
	store.ListQuery
	Locales  []string
	Statuses []cms.Status
	Q        string     // full-text search within the list
	HasQ     bool       // q was sent, even if empty
	Visible  *cms.Model // the model as the reader may see it
}

// List lists a model's entries. Errors: BAD_REQUEST, QUERY_NOT_INDEXED.
func (s *Entries) List(ctx context.Context, m *store.Model, q EntryQuery) (store.Page[store.EntryItem], error) {
	return s.Store.Entries(ctx, m, q.Locales, q.Statuses, q.ListQuery)
}
