package service

import (
	"context"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/store"
)

// EntryQuery asks for a page of a model's entries.
type EntryQuery struct {
	store.ListQuery
	Locales  []string
	Statuses []cms.Status
	Q        string // full-text search within the list; blank is none
	Public   bool   // for a reader without an admin role: hidden fields are not searched
}

// maxQ is the length of a search text, in bytes.
const maxQ = 500

// List lists a model's entries. Errors: BAD_REQUEST, QUERY_NOT_INDEXED.
func (s *Entries) List(ctx context.Context, site *store.Site, m *store.Model, q EntryQuery) (store.Page[store.EntryItem], error) {
	if blank(q.Q) {
		return s.Store.Entries(ctx, m, q.Locales, q.Statuses, q.ListQuery)
	}
	if len(q.Q) > maxQ {
		return store.Page[store.EntryItem]{}, errLongQ
	}
	text := store.TextQuery{Text: q.Q, Locales: q.Locales, Statuses: q.Statuses, Public: q.Public, Default: site.Default}
	var err error
	if q.Cursor, text.Weights, err = cutWeights(q.Cursor); err != nil {
		return store.Page[store.EntryItem]{}, err
	}
	var estimate bool
	q.Text = q.Q
	if q.Hits, estimate, err = s.Store.Search(ctx, m, text); err != nil {
		return store.Page[store.EntryItem]{}, err
	}
	page, err := s.Store.Entries(ctx, m, q.Locales, q.Statuses, q.ListQuery)
	if err == nil {
		page.Next, err = withWeights(page.Next, text.Weights)
	}
	page.Estimate = page.Estimate || estimate
	return page, err
}

var errLongQ = cms.Errorf(cms.CodeBadRequest, "q is longer than %d bytes.", maxQ)

// blank tells whether a search text has nothing in it.
func blank(q string) bool { return strings.TrimSpace(q) == "" }
