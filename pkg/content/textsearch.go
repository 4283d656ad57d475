package content

import (
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/fulltext"
	"headless/pkg/fulltext/analysis"
	"headless/pkg/fulltext/searchable"
	"headless/pkg/index"
	"headless/pkg/site"
)

// SettleTexts puts the texts of recent changes into segments of the text index, if they are many or
// old, and merges segments; see fulltext.Texts.Settle.
func (s *Store) SettleTexts(ctx context.Context) (flushed int, err error) { return s.texts.Settle(ctx) }

// FlushTexts is SettleTexts for all changes.
func (s *Store) FlushTexts(ctx context.Context) (flushed int, err error) { return s.texts.Flush(ctx) }

// TextQuery is a full-text search in one model.
type TextQuery struct {
	Text     string
	Locales  []string
	Statuses []cms.Status
	Public   bool   // search only texts that keys without an admin role may see
	Default  string // the default locale, whose rules hold for models that are not localized
	Weights  fulltext.TermWeights
	Filters  []fulltext.Filter                            // of TextFilters; for one model
	Use      func(context.Context, *fulltext.Found) error // see fulltext.Query; may be nil
}

// Search finds the entries of some models that match a text. The weight of a word is computed over
// all of them together, so that scores are comparable.
func (s *Store) Search(ctx context.Context, models []*site.Model, q TextQuery) (*fulltext.Found, error) {
	query := fulltext.Query{Text: q.Text, Filters: q.Filters, Weights: q.Weights}
	var read []index.Hit // found by reading entries
	missing := false     // a model cannot answer before its index is built
	for _, m := range models {
		spaces := q.spaces(ctx, m)
		if len(spaces) == 0 {
			continue
		}
		each, err := s.readsEach(ctx, m, spaces, q)
		switch {
		case len(models) > 1 && errors.Is(err, index.ErrReindexing):
			missing = true
			continue
		case err != nil:
			return nil, err
		case each:
			hits, err := s.searchEach(ctx, m, spaces, q)
			if err != nil {
				return nil, err
			}
			read = append(read, hits...)
			continue
		}
		public := ""
		if q.Public && m.HidesText() {
			public = fulltext.PublicText
		}
		for _, space := range spaces {
			query.Spaces = append(query.Spaces, fulltext.TextSpace{Texts: space + public, Entries: space,
				Locale: site.LocaleIn(space, q.Default)})
		}
	}
	query.Use = func(ctx context.Context, f *fulltext.Found) error {
		f.Add(read...)
		f.Unsure = f.Unsure || len(read) > 0
		f.Estimate = f.Estimate || missing
		if q.Use == nil {
			return nil
		}
		return q.Use(ctx, f)
	}
	return s.texts.Search(ctx, query)
}

// TextFilters returns the filters of a list that the text index can answer. all reports whether these
// are all filters that the list has.
func TextFilters(ctx context.Context, m *site.Model, locales []string,
	filters []query.Filter) (list []fulltext.Filter, all bool) {
	_, filters = readableLocales(ctx, m, locales, filters)
	c := entries(m)
	for _, f := range filters {
		if names, unsure, ok := c.CountersOf(f); ok {
			list = append(list, fulltext.Filter{Values: names, Unsure: unsure})
		}
	}
	return list, len(list) == len(filters)
}

// spaces returns the spaces of a model that the caller may search.
func (q *TextQuery) spaces(ctx context.Context, m *site.Model) []string {
	locales := q.Locales
	if m.Localized {
		locales = cms.PermissionsOf(ctx).Locales(cms.ActionRead, m.Slug, locales)
	} else if !cms.PermissionsOf(ctx).May(cms.ActionRead, m.Slug, q.Default) {
		return nil
	}
	return m.Spaces(locales, q.Statuses)
}

// readsEach reports whether a search reads each entry of a model: its texts changed, and there are few.
func (s *Store) readsEach(ctx context.Context, m *site.Model, spaces []string, q TextQuery) (bool, error) {
	if !m.TextChanged() {
		return false, nil
	}
	few, err := s.haveFew(ctx, spaces)
	if err == nil && !few && q.Public && m.HidesMore() {
		err = index.ErrReindexing
	}
	return few, err
}

// searchEach searches by reading every entry of some spaces.
func (s *Store) searchEach(ctx context.Context, m *site.Model, spaces []string, q TextQuery) ([]index.Hit, error) {
	c := entries(m)
	records, err := index.All(ctx, s.DB, c, spaces, s.maxExact)
	if err != nil {
		return nil, err
	}
	model := &m.Model
	if q.Public {
		model = m.Visible()
	}
	hits := []index.Hit{}
	for _, r := range records {
		if err := c.Decoded(r); err != nil {
			return nil, err
		}
		e := r.Doc.(*cms.Entry)
		query := analysis.ParseQuery(q.Text, e.Locale)
		doc := analysis.Analyze(searchable.Text(model, e), e.Locale)
		if score, ok := query.Matches(doc, int64(len(records)), func(analysis.QueryTerm) int64 { return 1 }); ok {
			hits = append(hits, index.Hit{ID: r.ID, Space: r.Space, Score: score})
		}
	}
	return hits, nil
}
