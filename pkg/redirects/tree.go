package redirects

import (
	"context"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/site"
	"headless/pkg/table"
)

// Node is an entry of a tree, without the slugs of the entries above it.
type Node struct {
	cms.Place
	Public bool // it is published
}

// Trees returns the entries of a model with a tree in a locale, each after the one above it. Error:
// QUERY_NOT_INDEXED for more than limit.
type Trees func(ctx context.Context, m *site.Model, locale string, limit int) ([]Node, error)

// maxWays is how many former paths of one entry are listed.
const maxWays = 500

// grown has the paths in which the entries of a tree stand or stood.
type grown struct {
	m      *site.Model
	places map[string][]cms.Place // present and former places by id, the present one last
	ways   map[string][][]string  // slugs from the root to the entry, the present ones first
}

// addTree adds the former URLs of the published entries of a tree: those that follow from their own former
// slugs and parents, and from those of the entries above.
func (s *Store) addTree(ctx context.Context, g *graph, m *site.Model, locales []string) error {
	items, err := s.Table.Query(ctx, table.Range{Partition: trailPartition(m.ID), Limit: maxListed})
	if err != nil || len(items) == 0 {
		return err
	}
	tree := grown{m: m, places: map[string][]cms.Place{}, ways: map[string][][]string{}}
	for i := range items {
		tr, err := decodeTrail(&items[i])
		if err != nil {
			return err
		}
		tree.places[tr.ID] = tr.places()
	}
	if !m.Localized {
		locales = locales[:min(1, len(locales))]
	}
	for _, locale := range locales {
		nodes, err := s.trees(ctx, m, locale, maxListed)
		if cms.CodeOf(err) == cms.CodeQueryNotIndexed {
			g.more = true
			continue
		}
		if err != nil {
			return err
		}
		tree.addTo(g, nodes)
	}
	return nil
}

func (t *grown) addTo(g *graph, nodes []Node) {
	taken := map[string]bool{} // present paths win
	paths := make([]string, len(nodes))
	for i, n := range nodes {
		t.places[n.ID] = append(t.places[n.ID], n.Place)
		paths[i] = t.path(n.Place, t.waysOf(n.ID, nil)[0])
		taken[paths[i]] = true
	}
	for i, n := range nodes {
		if !n.Public {
			continue
		}
		for _, way := range t.waysOf(n.ID, nil)[1:] {
			for _, p := range t.places[n.ID] {
				p.Locale = n.Locale
				if from := t.path(p, way); from != "" && !taken[from] && len(g.slugs) < maxListed {
					g.slugs[from] = paths[i]
				}
			}
		}
	}
}

// Links returns the present and former addresses of an entry as links in texts show them. places has the present
// and former places of the entry and, if their slugs stand in its addresses, of those above it.
func Links(m *site.Model, places map[string][]cms.Place, id string) (list []string) {
	t := grown{m: m, places: places, ways: map[string][][]string{}}
	seen := map[string]bool{}
	for _, way := range t.waysOf(id, nil) {
		for _, p := range places[id] {
			p.Above, p.Slug = way[:len(way)-1], way[len(way)-1]
			if at := p.Locale + p.Day + strings.Join(way, "/"); !seen[at] && len(seen) < maxWays {
				seen[at], list = true, append(list, m.LinkTo(p))
			}
		}
	}
	return list
}

func (t *grown) path(p cms.Place, way []string) string {
	p.Above, p.Slug = way[:len(way)-1], way[len(way)-1]
	return pathOf(t.m.PathOf(p))
}

// waysOf returns the slugs from the root to an entry in all its places, the present ones first. below has
// the entries from which it is called.
func (t *grown) waysOf(id string, below []string) (ways [][]string) {
	if known, ok := t.ways[id]; ok {
		return known
	}
	if slices.Contains(below, id) || len(below) > 2*cms.MaxLevels {
		return nil
	}
	for _, p := range slices.Backward(t.places[id]) {
		above := [][]string{nil}
		if p.Parent != "" && t.m.HasPath() {
			above = t.waysOf(p.Parent, append(below, id))
		}
		for _, way := range above {
			way = append(slices.Clone(way), p.Slug)
			if len(ways) < maxWays && !slices.ContainsFunc(ways, func(w []string) bool { return slices.Equal(w, way) }) {
				ways = append(ways, way)
			}
		}
	}
	if len(below) == 0 {
		if len(ways) == 0 {
			ways = [][]string{{t.places[id][len(t.places[id])-1].Slug}}
		}
		t.ways[id] = ways
	}
	return ways
}
