package search

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/content"
	"headless/pkg/content/tree"
	"headless/pkg/index"
	"headless/pkg/site"
)

// treeOf takes the sort by tree and the filters on ancestors out of a query. It returns the entries that
// these choose, nil if the query has neither. Error: content.ErrLargeTree.
func treeOf(ctx context.Context, s *content.Store, m *site.Model, q *content.EntryQuery) ([]index.Hit, error) {
	isAncestor := func(f query.Filter) bool { return m.Tree && f.Path == cms.FilterAncestor }
	inOrder := len(q.Sort) == 1 && q.Sort[0].Path == cms.SortTree
	at := slices.IndexFunc(q.Filters, isAncestor)
	if at < 0 && !inOrder {
		return nil, nil
	}
	ancestor := ""
	if at >= 0 {
		ancestor = strings.ToLower(q.Filters[at].Values[0])
		for _, f := range q.Filters {
			if isAncestor(f) && !strings.EqualFold(f.Values[0], ancestor) { // no entry is listed below two
				return []index.Hit{}, nil
			}
		}
		q.Filters = slices.DeleteFunc(slices.Clone(q.Filters), isAncestor)
	}
	q.Text = ancestor + "\x00" // identifies the list in cursors
	if inOrder {
		q.Sort, q.Text = nil, q.Text+"tree"
	}
	if _, err := uuid.Parse(ancestor); ancestor != "" && err != nil || ancestor == "" && at >= 0 {
		return []index.Hit{}, nil
	}
	return treeHits(ctx, s, m, *q, ancestor, inOrder)
}

// hitsWithin returns those of some hits of a text that a tree has, with the scores of the tree if it has
// scores.
func hitsWithin(hits, chosen []index.Hit) []index.Hit {
	score := make(map[uuid.UUID]float64, len(chosen))
	for _, h := range chosen {
		score[h.ID] = h.Score
	}
	kept := []index.Hit{}
	for _, h := range hits {
		if found, ok := score[h.ID]; ok {
			if found > 0 {
				h.Score = found
			}
			kept = append(kept, h)
		}
	}
	return kept
}

// treeHits returns the entries of a query that stand below an ancestor ("" for all), and, if inOrder is
// set, scored so that they are listed in the order of the tree.
func treeHits(ctx context.Context, s *content.Store, m *site.Model, q content.EntryQuery, ancestor string,
	inOrder bool) ([]index.Hit, error) {
	hits := []index.Hit{}
	locales := cms.PermissionsOf(ctx).Locales(cms.ActionRead, m.Slug, q.Locales)
	if !m.Localized && len(locales) > 0 {
		locales = locales[:1]
	}
	for _, locale := range locales {
		t, err := s.ReadTree(ctx, m, locale, cms.Statuses, ancestor, 0)
		if err != nil {
			return nil, err
		}
		t.Walk(ancestor, func(n *tree.Node, _ int) bool {
			if slices.Contains(q.Statuses, n.Status) {
				hits = append(hits, index.Hit{ID: uuid.MustParse(n.ID), Space: m.SpaceOf(n.Locale, n.Status)})
			}
			return true
		})
	}
	for i := range hits {
		if inOrder {
			hits[i].Score = float64(len(hits) - i)
		}
	}
	return hits, nil
}
