package urls

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/redirects"
	"headless/pkg/site"
)

// former finds which entry was at a path, by the slugs and the entries above that entries had.
type former struct {
	f      *Finder
	had    map[redirects.Spot]string // ids of the entries that gave up the slugs in the path last
	places map[string][]cms.Place    // present and former places of all entries that the path may name
}

// Former returns the path to which a former URL of a published entry leads, or the URL with the slug
// of a home; "" if the path is neither.
func (f *Finder) Former(ctx context.Context) (to string, err error) {
	was, err := f.readFormer(ctx)
	if err != nil {
		return "", err
	}
	for i := range f.matches {
		m := &f.matches[i]
		for _, id := range was.holders(m, m.Slug, m.ID) {
			if !f.sees(ctx, m.Model, f.found[id]) || f.found[id].Status != cms.StatusPublished || !was.at(m, id) {
				continue
			}
			if err := f.Store.AddAbove(ctx, f.found, id); err != nil {
				return "", err
			}
			now := f.found.Of(id).Place(id)
			path, ok := OnSite(f.Site, m.Model.PathOf(now))
			if !ok || f.pathOf(m.Model, now) == f.Path {
				continue
			}
			final, ok, err := f.Store.Redirects().Final(ctx, f.Site, f.SiteURL, f.Path, path)
			if err != nil || ok {
				f.Tags.Entry(m.Model.Slug, id)
				return final, err
			}
		}
	}
	return "", nil
}

// readFormer reads the former slugs in the path, and the places of all entries that it may name.
func (f *Finder) readFormer(ctx context.Context) (former, error) {
	was := former{f, map[redirects.Spot]string{}, map[string][]cms.Place{}}
	spots := f.spots()
	had, err := redirects.FormerHolders(ctx, f.Store.DB, spots)
	if err != nil {
		return was, err
	}
	var models []*site.Model
	var ids []string
	for i, spot := range spots {
		was.had[spot] = had[i]
		for _, id := range []string{f.held[spot], had[i]} {
			if id != "" && !slices.Contains(ids, id) {
				models, ids = append(models, spot.Model), append(ids, id)
			}
		}
	}
	for i, id := range f.ids {
		if id != "" && !slices.Contains(ids, id) {
			models, ids = append(models, f.matches[i].Model), append(ids, id)
		}
	}
	var places [][]cms.Place
	var found map[string]content.Address
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		places, err = redirects.FormerPlaces(gctx, f.Store.DB, models, ids)
		return err
	})
	g.Go(func() (err error) {
		found, err = f.Store.Addresses(gctx, ids)
		return err
	})
	if err := g.Wait(); err != nil {
		return was, err
	}
	for i, id := range ids {
		was.places[id] = places[i] // even of deleted entries, below which others stood
		if a, ok := found[id]; ok {
			f.found[id] = a
			was.places[id] = append(places[i], a.Place(id))
		}
	}
	return was, nil
}

// holders returns the entries that have a slug or had it last, or the one with an id.
func (was former) holders(m *Match, slug, id string) (ids []string) {
	if id != "" {
		return []string{id}
	}
	spot := m.spot(slug)
	if held := was.f.held[spot]; held != "" { // an entry that has the slug now wins
		ids = append(ids, held)
		if !m.InTree { // in a tree it may stand elsewhere
			return ids
		}
	}
	if had := was.had[spot]; had != "" {
		ids = append(ids, had)
	}
	return ids
}

// at reports whether an entry was at the path of a match, or is there but for the home.
func (was former) at(m *Match, id string) bool {
	bare := *m.Model
	bare.Home = ""
	for _, p := range was.places[id] {
		if m.ID == "" && p.Slug != m.Slug || m.InTree && !was.below(m, p.Parent, len(m.Above), 0) {
			continue
		}
		p.Above = m.Above
		if was.f.pathOf(m.Model, p) == was.f.Path ||
			m.Model.Home != "" && slices.Contains(append(m.Above, m.Slug), m.Model.Home) && was.f.pathOf(&bare, p) == was.f.Path {
			return true
		}
	}
	return false
}

// below reports whether the entry parent has or had the first n slugs above the match as its path.
func (was former) below(m *Match, parent string, n, levels int) bool {
	if parent == "" {
		return n == 0
	}
	for _, p := range was.places[parent] {
		if levels > 2*cms.MaxLevels {
			return false
		}
		if n > 0 && p.Slug == m.Above[n-1] && was.below(m, p.Parent, n-1, levels+1) ||
			p.Slug == m.Model.Home && was.below(m, p.Parent, n, levels+1) {
			return true
		}
	}
	return false
}
