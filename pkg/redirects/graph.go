package redirects

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/table"
)

// Listed is a redirect as the delivery API lists it.
type Listed struct {
	From   string  `json:"from"`
	To     *string `json:"to"`
	Status int     `json:"status"`
}

const (
	// maxListed is how many former slugs are read at most; the total of a site with more is an
	// estimate.
	maxListed = 10_000
	// trailsRead is how many trails one query reads.
	trailsRead = 500
)

// graph holds all redirects and former slugs, to follow them from path to path.
type graph struct {
	roots []string          // URLs of the site, without a slash at the end
	own   map[string]doc    // redirects by from
	slugs map[string]string // present paths of entries by former path
	more  bool              // there are more former slugs than slugs holds
}

// graph reads all redirects, and the former slugs that the permissions in ctx allow to read.
// siteURL is the configured URL of the service.
func (s *Store) graph(ctx context.Context, siteNow *site.Site, siteURL string) (*graph, error) {
	own, err := s.listStored(ctx)
	if err != nil {
		return nil, err
	}
	g := newGraph(siteNow, siteURL)
	for _, d := range own {
		g.own[d.Value.From] = d
	}
	for _, slug := range slices.Sorted(maps.Keys(siteNow.Models)) {
		if m := siteNow.Models[slug]; m.IsActive && m.URL != "" {
			if err := s.addSlugs(ctx, g, siteNow, m); err != nil {
				return nil, err
			}
		}
	}
	return g, nil
}

// newGraph returns a graph without redirects.
func newGraph(siteNow *site.Site, siteURL string) *graph {
	return &graph{own: map[string]doc{}, slugs: map[string]string{},
		roots: []string{strings.TrimSuffix(siteURL, "/"), siteNow.URL()}}
}

// addSlugs adds the former URLs of a model's published entries, except for slugs that another entry
// has now.
func (s *Store) addSlugs(ctx context.Context, g *graph, siteNow *site.Site, m *site.Model) error {
	active := siteNow.ActiveCodes()
	if !m.Localized {
		active = siteNow.Codes() // see site.Site.Shows
	}
	active = cms.PermissionsOf(ctx).Locales(cms.ActionRead, m.Slug, active)
	if err := s.addHomes(ctx, g, m, active); err != nil {
		return err
	}
	if m.HasPath() {
		return s.addTree(ctx, g, m, active)
	}
	for after := ""; ; {
		if g.more = len(g.slugs) >= maxListed; g.more {
			return nil
		}
		items, err := s.Table.Query(ctx, table.Range{Partition: trailPartition(m.ID), From: after, Limit: trailsRead})
		if err != nil {
			return err
		}
		var slugs []Slug
		var ids, paths []string
		for i := range items {
			tr, err := decodeTrail(&items[i])
			if err != nil {
				return err
			}
			if !tr.Public || !slices.Contains(active, tr.Locale) {
				continue
			}
			now := pathOf(m.PathOf(tr.place()))
			for _, f := range tr.places() {
				if path := pathOf(m.PathOf(f)); path != now && path != "" && slices.Contains(active, f.Locale) {
					slugs, ids = append(slugs, Slug{f.Locale, f.Slug}), append(ids, tr.ID)
					paths = append(paths, path, now)
				}
			}
		}
		holders, err := s.holders(ctx, m, slugs)
		if err != nil {
			return err
		}
		for i := range slugs {
			if holders[i] == "" || holders[i] == ids[i] {
				g.slugs[paths[2*i]] = paths[2*i+1]
			}
		}
		if len(items) < trailsRead {
			return nil
		}
		after = items[len(items)-1].Sort + "\x00"
	}
}

// addHomes adds the paths with the slug of the model's home, which lead to the paths without it.
func (s *Store) addHomes(ctx context.Context, g *graph, m *site.Model, locales []string) error {
	if m.Home == "" {
		return nil
	}
	homes, err := s.homes(ctx, m, locales)
	bare := *m
	bare.Home = ""
	for _, p := range homes {
		if from, to := pathOf(bare.PathOf(p)), pathOf(m.PathOf(p)); from != to {
			g.slugs[from] = to
		}
	}
	return err
}

// pathOf returns the path of a URL. Models may have absolute URLs.
func pathOf(link string) string {
	if u, err := url.Parse(link); err == nil && u.IsAbs() {
		return "/" + strings.TrimPrefix(u.EscapedPath(), "/")
	}
	return link
}

// local returns the path of a URL on the site, and other URLs unchanged.
func (g *graph) local(link string) string {
	for _, root := range g.roots {
		if rest, ok := strings.CutPrefix(link, root); ok && root != "" && (rest == "" || rest[0] == '/') {
			return "/" + strings.TrimPrefix(rest, "/")
		}
	}
	return link
}

// pathOf returns the path of a link in the form of CleanPath. The from of a redirect with a query stays as
// it is, and so does a URL that is not on the site.
func (g *graph) pathOf(link string) string {
	path := g.local(link)
	if _, own := g.own[path]; own && strings.Contains(path, "?") || !strings.HasPrefix(path, "/") {
		return path
	}
	return CleanPath(path)
}

// addressOf returns the from of a redirect in the form of pathOf. Two with the same result are one redirect.
func addressOf(from string) string {
	if strings.Contains(from, "?") {
		return from
	}
	return CleanPath(from)
}

// ownAt returns the redirect from a path in the form of pathOf.
func (g *graph) ownAt(path string) (d doc, ok bool) {
	for _, name := range spellings(path) {
		if d, ok = g.own[name]; ok {
			break
		}
	}
	return d, ok
}

// nextOf returns where a path in the form of pathOf leads in one step, "" if nowhere. Redirects win over
// former slugs.
func (g *graph) nextOf(path string) string {
	if d, ok := g.ownAt(path); ok {
		return d.Value.Target()
	}
	for _, name := range spellings(path) {
		if to := g.slugs[name]; to != "" {
			return to
		}
	}
	return ""
}

// final returns the last URL of the chain that begins at from; ok is false if the chain is a loop.
func (g *graph) final(from string) (to string, ok bool) {
	seen := map[string]bool{}
	for to = from; ; {
		at := g.pathOf(to)
		if seen[at] {
			return "", false
		}
		seen[at] = true
		next := g.nextOf(at)
		if next == "" {
			return to, true
		}
		to = g.local(next)
	}
}

// closes reports whether a redirect would lead back to its own from.
func (g *graph) closes(from, to string) bool {
	start, seen := addressOf(from), map[string]bool{}
	for {
		at := g.pathOf(to)
		if at == start || g.local(to) == from {
			return true
		}
		if at == "" || seen[at] {
			return false
		}
		seen[at] = true
		to = g.nextOf(at)
	}
}

// List lists the redirects of the site, then the former slugs as redirects. A from is listed once.
// A former slug leads to the final URL of its chain. taken returns those of some paths where an entry is now.
func (s *Store) List(ctx context.Context, siteNow *site.Site, siteURL string, p db.Paging,
	taken func(paths []string) (map[string]bool, error)) (db.Page[Listed], error) {
	g, err := s.graph(ctx, siteNow, siteURL)
	if err != nil {
		return db.Page[Listed]{}, err
	}
	held, err := taken(slices.Collect(maps.Keys(g.slugs)))
	if err != nil {
		return db.Page[Listed]{}, err
	}
	maps.DeleteFunc(g.slugs, func(path, _ string) bool { return held[path] })
	var list []Listed
	for _, from := range slices.Sorted(maps.Keys(g.own)) {
		r := g.own[from].Value
		list = append(list, Listed{r.From, r.To, r.Status})
	}
	page := db.PageOf(append(list, g.formerRedirects()...), p)
	page.Estimate = g.more
	return page, nil
}

// formerRedirects returns the former slugs as redirects by from. A redirect with the same from wins. Former slugs
// whose chain is a loop are left out.
func (g *graph) formerRedirects() []Listed {
	list := []Listed{}
	for _, from := range slices.Sorted(maps.Keys(g.slugs)) {
		if _, own := g.own[from]; own {
			continue
		}
		if to, ok := g.final(from); ok && to != from {
			list = append(list, Listed{from, &to, http.StatusMovedPermanently})
		}
	}
	return list
}
