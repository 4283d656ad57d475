package search

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/fulltext"
	"headless/pkg/index"
	"headless/pkg/site"
)

// maxQ is the maximum length of a search text, in characters.
const maxQ = 500

// List lists a model's entries. Errors: BAD_REQUEST, QUERY_NOT_INDEXED.
func List(ctx context.Context, s *content.Store, siteNow *site.Site, m *site.Model,
	q content.EntryQuery) (db.Page[content.EntryItem], error) {
	none := db.Page[content.EntryItem]{}
	tree, err := treeOf(ctx, s, m, &q)
	if err != nil {
		return none, err
	}
	if blank(q.Q) {
		q.Hits = tree
		return s.Entries(ctx, m, q.Locales, q.Statuses, q.ListQuery)
	}
	if utf8.RuneCountInString(q.Q) > maxQ {
		return none, errLongQ
	}
	filters, all := content.TextFilters(ctx, m, q.Locales, q.Filters)
	text := content.TextQuery{Text: q.Q, Locales: q.Locales, Statuses: q.Statuses, Public: q.Public,
		Default: siteNow.Default, Filters: filters}
	check := fmt.Sprintf("list %s %q %v %q %q %t", q.Text, content.ListScope(m, q.Locales, q.Statuses), q.Sort, q.Filters,
		q.Q, q.Public)
	if q.Cursor, text.Weights, err = decodeCursor(ctx, s.DB, check, q.Cursor); err != nil {
		return none, err
	}
	var page db.Page[content.EntryItem]
	text.Use = func(ctx context.Context, found *fulltext.Found) (err error) {
		r := &ranking{s: s, found: found, models: []*site.Model{m}, q: q.Q, public: q.Public}
		if tree == nil && all && !found.Unsure && len(q.Sort) == 0 && q.Labels == nil && q.Scores == nil {
			page, err = r.list(ctx, q)
		} else {
			page, err = r.sortedPage(ctx, q, tree)
		}
		if err == nil && page.Next != "" {
			page.Next, err = encodeCursor(ctx, s.DB, check, page.Next, found.Weights)
		}
		page.Estimate = page.Estimate || found.Estimate
		return err
	}
	_, err = s.Search(ctx, []*site.Model{m}, text)
	return page, err
}

// Entries is List for callers that need the entries rather than their JSON.
func Entries(ctx context.Context, s *content.Store, siteNow *site.Site, m *site.Model,
	q content.EntryQuery) (db.Page[*cms.Entry], error) {
	page, err := List(ctx, s, siteNow, m, q)
	if err != nil {
		return db.Page[*cms.Entry]{}, err
	}
	out := db.Page[*cms.Entry]{Paging: page.Paging, Total: page.Total, Estimate: page.Estimate, Next: page.Next,
		Items: make([]*cms.Entry, len(page.Items))}
	for i := range page.Items {
		if out.Items[i], err = page.Items[i].Decoded(); err != nil {
			return out, err
		}
	}
	return out, nil
}

// list lists a page of the best hits. Its cursors are keys of hits.
func (r *ranking) list(ctx context.Context, q content.EntryQuery) (db.Page[content.EntryItem], error) {
	asked := q.Paging
	hits, err := r.page(ctx, asked, q.Cursor)
	if err != nil {
		return db.Page[content.EntryItem]{}, err
	}
	q.Hits, q.Filters, q.Cursor, q.Page, q.Text = []index.Hit{}, nil, "", 1, q.Q
	for _, h := range hits.shown {
		q.Hits = append(q.Hits, h.Hit)
	}
	page, err := r.s.Entries(ctx, r.models[0], q.Locales, q.Statuses, q.ListQuery)
	page.Paging, page.Total, page.Estimate, page.Next = asked, hits.total, hits.estimate, ""
	if err == nil && hits.more {
		page.Next = hits.shown[len(hits.shown)-1].sortKey(nil)
	}
	return page, err
}

// sortedPage lists the hits in another order, or with filters that the text index does not answer. tree has
// the only entries to list, nil for all.
func (r *ranking) sortedPage(ctx context.Context, q content.EntryQuery,
	tree []index.Hit) (db.Page[content.EntryItem], error) {
	if r.found.Total > index.MaxCollect {
		return db.Page[content.EntryItem]{}, index.ErrNotIndexed
	}
	hits, err := r.found.All(ctx)
	if err != nil {
		return db.Page[content.EntryItem]{}, err
	}
	all, more, err := r.refine(ctx, r.withModels(hits))
	if err != nil {
		return db.Page[content.EntryItem]{}, err
	}
	q.Hits, q.Text = []index.Hit{}, q.Text+q.Q
	for _, h := range all {
		q.Hits = append(q.Hits, h.Hit)
	}
	if tree != nil {
		q.Hits = hitsWithin(q.Hits, tree)
	}
	page, err := r.s.Entries(ctx, r.models[0], q.Locales, q.Statuses, q.ListQuery)
	page.Estimate = page.Estimate || more
	return page, err
}

var errLongQ = cms.Errorf(cms.CodeBadRequest, "q is longer than %d characters.", maxQ)

// blank reports whether a search text is empty or only white space.
func blank(q string) bool { return strings.TrimSpace(q) == "" }
