package search

import (
	"context"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/site"
)

// maxQ is the maximum length of a search text, in bytes.
const maxQ = 500

// List lists a model's entries. Errors: BAD_REQUEST, QUERY_NOT_INDEXED.
func List(ctx context.Context, s *content.Store, site *site.Site, m *site.Model,
	q content.EntryQuery) (db.Page[content.EntryItem], error) {
	if blank(q.Q) {
		return s.Entries(ctx, m, q.Locales, q.Statuses, q.ListQuery)
	}
	if len(q.Q) > maxQ {
		return db.Page[content.EntryItem]{}, errLongQ
	}
	text := content.TextQuery{Text: q.Q, Locales: q.Locales, Statuses: q.Statuses, Public: q.Public,
		Default: site.Default}
	var err error
	if q.Cursor, text.Weights, err = decodeCursor(ctx, s.DB, "list", q.Cursor); err != nil {
		return db.Page[content.EntryItem]{}, err
	}
	var estimate bool
	q.Text = q.Q
	if q.Hits, estimate, err = s.Search(ctx, m, text); err != nil {
		return db.Page[content.EntryItem]{}, err
	}
	var more bool
	if q.Hits, more, err = refineModel(ctx, s, m, q.Hits, q.Q, q.Public); err != nil {
		return db.Page[content.EntryItem]{}, err
	}
	estimate = estimate || more
	page, err := s.Entries(ctx, m, q.Locales, q.Statuses, q.ListQuery)
	if err == nil && page.Next != "" {
		page.Next, err = encodeCursor(ctx, s.DB, "list", page.Next, text.Weights)
	}
	page.Estimate = page.Estimate || estimate
	return page, err
}

var errLongQ = cms.Errorf(cms.CodeBadRequest, "q is longer than %d bytes.", maxQ)

// blank reports whether a search text is empty or only white space.
func blank(q string) bool { return strings.TrimSpace(q) == "" }
