package content

import (
	"context"
	"errors"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/fulltext"
	"headless/pkg/fulltext/analysis"
	"headless/pkg/index"
	"headless/pkg/site"
)

// MergeText merges the pending changes of a model into the text index, and into the one that is
// being built; see Texts.MergeText.
func (s *Store) MergeText(ctx context.Context, m *site.Model) (merged int, err error) {
	merged, err = s.texts.MergeText(ctx, m.IndexName())
	if err != nil || !m.Building() {
		return merged, err
	}
	n, err := s.texts.MergeText(ctx, m.Next().IndexName())
	return merged + n, err
}

// TextQuery is a full-text search in one model.
type TextQuery struct {
	Text     string
	Locales  []string
	Statuses []cms.Status
	Public   bool   // search only texts that keys without an admin role may see
	Default  string // the default locale, whose rules hold for models that are not localized
	Weights  fulltext.TermWeights
}

// Search finds the entries of a model that match a text, each once, in no order. estimate reports
// whether there may be more.
func (s *Store) Search(ctx context.Context, m *site.Model, q TextQuery) (hits []index.Hit,
	estimate bool, err error) {
	found, estimate, err := s.SearchAll(ctx, []*site.Model{m}, q)
	if err != nil {
		return nil, false, err
	}
	return found[0], estimate, nil
}

// SearchAll finds the entries of several models as Search does; the result has one list for each.
// The weight of a word is computed over all of them together, so that scores are comparable.
func (s *Store) SearchAll(ctx context.Context, models []*site.Model,
	q TextQuery) (hits [][]index.Hit, estimate bool, err error) {
	found := make([][]fulltext.SpacePostings, len(models))
	hits = make([][]index.Hit, len(models))
	var missing atomic.Bool // a model cannot answer before its index is built
	spaces, n := make([][]string, len(models)), 0
	for i, m := range models {
		spaces[i] = q.spaces(ctx, m)
		n += len(spaces[i])
	}
	budget, err := fulltext.NewBudget(q.Text, n)
	if err != nil {
		return nil, false, err
	}
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(16)
	for i, m := range models {
		g.Go(func() (err error) {
			found[i], hits[i], err = s.searchModel(gctx, m, spaces[i], q, budget)
			if len(models) > 1 && errors.Is(err, index.ErrReindexing) {
				missing.Store(true)
				return nil
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, false, err
	}
	estimate = missing.Load()
	weights := fulltext.WeightsOf(found, q.Weights)
	for i := range found {
		if hits[i] == nil {
			hits[i] = []index.Hit{}
		}
		for j := range found[i] {
			hits[i] = append(hits[i], found[i][j].Hits(weights[found[i][j].Locale])...)
			estimate = estimate || found[i][j].Truncated()
		}
	}
	return hits, estimate, nil
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

// searchModel reads the matching postings of some spaces of a model. If the model's texts changed
// and there are few entries, it reads each entry instead and returns hits.
func (s *Store) searchModel(ctx context.Context, m *site.Model, spaces []string, q TextQuery,
	budget *fulltext.Budget) (found []fulltext.SpacePostings, hits []index.Hit, err error) {
	if len(spaces) == 0 {
		return nil, nil, nil
	}
	if m.TextChanged() {
		few, err := s.few(ctx, spaces)
		if err != nil {
			return nil, nil, err
		}
		if few {
			hits, err = s.searchEach(ctx, m, spaces, q)
			return nil, hits, err
		}
		if q.Public && m.HidesMore() {
			return nil, nil, index.ErrReindexing
		}
	}
	public := ""
	if q.Public && m.HidesText() {
		public = fulltext.PublicText
	}
	var searched []fulltext.TextSpace
	for _, space := range spaces {
		searched = append(searched, fulltext.TextSpace{Texts: space + public, Entries: space,
			Locale: site.LocaleIn(space, q.Default)})
	}
	found, err = s.texts.Search(ctx, m.IndexName(), searched, q.Text, budget)
	return found, nil, err
}

// searchEach searches by reading every entry of some spaces.
func (s *Store) searchEach(ctx context.Context, m *site.Model, spaces []string,
	q TextQuery) ([]index.Hit, error) {
	c := s.entries(m)
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
		doc := analysis.Analyze(fulltext.TextOf(model, e), e.Locale)
		if score, ok := query.Matches(doc, int64(len(records)), func(analysis.QueryTerm) int64 { return 1 }); ok {
			hits = append(hits, index.Hit{ID: r.ID, Space: r.Space, Score: score})
		}
	}
	return hits, nil
}
