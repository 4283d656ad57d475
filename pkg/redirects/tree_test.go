package redirects

import (
	"fmt"
	"slices"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/site"
)

// TestManyMoves makes a tree of entries that have all stood below one another. The number of paths through them
// grows with the factorial of their number, so only some are listed.
func TestManyMoves(t *testing.T) {
	m := &site.Model{Model: cms.Model{Slug: "pages", Tree: true, URL: "/{path}"}}
	places, nodes := map[string][]cms.Place{}, []Node{}
	id := func(i int) string { return fmt.Sprintf("s%d", i) }
	for i := range 15 {
		for j := range 15 {
			if i != j {
				places[id(i)] = append(places[id(i)], cms.Place{ID: id(i), Slug: id(i), Parent: id(j)})
			}
		}
		nodes = append(nodes, Node{Place: cms.Place{ID: id(i), Slug: id(i)}, Public: true})
	}
	g := leads(nil, map[string]string{})
	(&grown{m: m, places: places}).addTo(g, nodes)
	if len(g.slugs) < maxWays || len(g.slugs) > maxListed || g.slugs["/s14/s0"] != "/s0" || g.slugs["/s0"] != "" {
		t.Errorf("%d former paths, /s14/s0 leads to %q", len(g.slugs), g.slugs["/s14/s0"])
	}

	// An entry that stands below all of them has no former path without a circle.
	for i := range 15 {
		places[id(i)] = slices.DeleteFunc(places[id(i)], func(p cms.Place) bool { return p.Parent == "" })
		places[id(i)] = append(places[id(i)], cms.Place{ID: id(i), Slug: id(i), Parent: "top"})
		places["top"] = append(places["top"], cms.Place{ID: "top", Slug: "top", Parent: id(i)})
	}
	places["top"] = append(places["top"], cms.Place{ID: "top", Slug: "top"})
	if list := Links(m, places, "top"); !slices.Equal(list, []string{"/top"}) {
		t.Errorf("links are %v", list)
	}
}
