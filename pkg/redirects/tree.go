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

const (
	// maxWays is how many former paths of one entry are listed.
	maxWays = 500
	// maxClimbed is how many places are looked at to find the paths of a tree: each move of an entry can
	// multiply the former paths of all entries.
	maxClimbed = 200_000
)

// grown finds the paths in which the entries of a tree stand or stood.
type grown struct {
	m      *site.Model
	places map[string][]cms.Place // present and former places by id, the present one last
	left   int                    // how many places may still be looked at
}

// addTree adds the former URLs of the published entries of a tree: those that follow from their own former
// slugs and parents, and from those of the entries above.
func (s *Store) addTree(ctx context.Context, g *graph, m *site.Model, locales []string) error {
	items, err := s.Table.Query(ctx, table.Range{Partition: trailPartition(m.ID), Limit: maxListed})
	if err != nil || len(items) == 0 {
		return err
	}
	tree := grown{m: m, places: map[string][]cms.Place{}}
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
	for _, n := range nodes {
		t.places[n.ID] = append(t.places[n.ID], n.Place)
	}
	t.left = maxClimbed
	for i, n := range nodes {
		present := []string{n.Slug}
		t.climb(n.ID, nil, nil, func(way []string) bool { present = way; return false })
		paths[i] = t.path(n.Place, present)
		taken[paths[i]] = true
	}
	t.left = maxClimbed
	for i, n := range nodes {
		if !n.Public {
			continue
		}
		for _, way := range t.waysOf(n.ID) {
			for _, p := range t.dated(n.ID) {
				p.Locale = n.Locale
				if from := t.path(p, way); from != "" && !taken[from] && len(g.slugs) < maxListed {
					g.slugs[from] = paths[i]
				}
			}
		}
	}
	g.more = g.more || t.left == 0 || len(g.slugs) >= maxListed
}

// Links returns the present and former addresses of an entry as links in texts show them. places has the present
// and former places of the entry and, if their slugs stand in its addresses, of those above it.
func Links(m *site.Model, places map[string][]cms.Place, id string) (list []string) {
	t := grown{m: m, places: places, left: maxClimbed}
	for _, way := range t.waysOf(id) {
		for _, p := range t.dated(id) {
			p.Above, p.Slug = way[:len(way)-1], way[len(way)-1]
			if len(list) < maxWays {
				list = append(list, m.LinkTo(p))
			}
		}
	}
	return list
}

// dated returns one place of an entry for each locale and day that it had.
func (t *grown) dated(id string) (list []cms.Place) {
	for _, p := range t.places[id] {
		if !slices.ContainsFunc(list, func(q cms.Place) bool { return p.Locale == q.Locale && p.Day == q.Day }) {
			list = append(list, p)
		}
	}
	return list
}

func (t *grown) path(p cms.Place, way []string) string {
	p.Above, p.Slug = way[:len(way)-1], way[len(way)-1]
	return pathOf(t.m.PathOf(p))
}

// waysOf returns the slugs from the root to an entry in its places, the present ones first, at most maxWays.
func (t *grown) waysOf(id string) (ways [][]string) {
	seen := map[string]bool{}
	t.climb(id, nil, nil, func(way []string) bool {
		if at := strings.Join(way, "/"); !seen[at] {
			seen[at], ways = true, append(ways, way)
		}
		return len(ways) < maxWays
	})
	return ways
}

// climb calls found with the slugs from the root to an entry in each of its places, the present one first. It ends
// where found returns false or no more places may be looked at, and returns false then. below has the entries
// from which it is called, and way their slugs.
func (t *grown) climb(id string, below, way []string, found func(way []string) bool) bool {
	if slices.Contains(below, id) || len(below) > 2*cms.MaxLevels {
		return true
	}
	for _, p := range slices.Backward(t.places[id]) {
		if t.left == 0 {
			return false
		}
		t.left--
		here, goesOn := append([]string{p.Slug}, way...), false
		if p.Parent != "" && t.m.HasPath() {
			goesOn = t.climb(p.Parent, append(below, id), here, found)
		} else {
			goesOn = found(here)
		}
		if !goesOn {
			return false
		}
	}
	return true
}
