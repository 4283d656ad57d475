package urls

import (
	"context"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/redirects"
	"headless/pkg/site"
)

// former finds which entry was at a path, by the slugs and the entries above that entries had.
type former struct {
	f      *Finder
	had    map[redirects.Spot]string // ids of the entries that gave up the slugs last, "" for none, as far as read
	trails map[string][]cms.Place    // former places of the entries that the path may name, as far as read

	mu     sync.Mutex
	finals map[string]final // by path
}

// final is the path at the end of redirects; ok is false if they lead back.
type final struct {
	to string
	ok bool
}

// maxReadFormer is up to how many matches former slugs are read at once with the present ones.
const maxReadFormer = 10

// maxAhead is how many candidates are followed before it is known which of them was at the path.
const maxAhead = 2

// Former returns the path to which a former URL of a published entry leads, or the URL with the slug
// of a home; "" if the path is neither.
func (f *Finder) Former(ctx context.Context) (to string, err error) {
	for more := true; more && to == "" && err == nil; {
		if to, err = f.formerFound(ctx); to == "" && err == nil {
			more, err = f.was.readMore(ctx)
		}
	}
	return to, err
}

// formerFound is Former for the rows read so far.
func (f *Finder) formerFound(ctx context.Context) (to string, err error) {
	for i, m := range f.matches {
		if f.isAt(&m, f.ids[i]) || f.isAt(&m, f.homeOf(&m)) { // the entry that has the path now wins, published or not
			continue
		}
		to, err = f.formerOf(ctx, &m)
		if home := m.Model.Home; to == "" && err == nil && m.InTree && m.Slug != home && home != "" {
			m.Above, m.Slug = append(slices.Clip(m.Above), m.Slug), home // the home below the last slug of the path
			to, err = f.formerOf(ctx, &m)
		}
		if to != "" || err != nil {
			break
		}
	}
	return to, err
}

// formerOf returns where the published entry is now that was at the path by a match, "" if there is none.
func (f *Finder) formerOf(ctx context.Context, m *Match) (string, error) {
	for _, id := range f.was.holders(m, m.Slug, m.ID) {
		a := f.found[id]
		if a.ModelID != m.Model.ID || !f.sees(ctx, m.Model, id, a) || a.Status != cms.StatusPublished || !f.was.wasAt(m, id) {
			continue
		}
		if err := f.Store.AddAbove(ctx, f.found, id); err != nil {
			return "", err
		}
		end, err := f.was.final(ctx, m, id)
		if err != nil || end.ok {
			f.Tags.Entry(m.Model.Slug, id)
			return end.to, err
		}
	}
	return "", nil
}

// final returns the path to which the URL of an entry leads; not ok if that is the path itself.
func (was *former) final(ctx context.Context, m *Match, id string) (end final, err error) {
	f := was.f
	path, ok := onSite(f.Site, m.Model.PathOf(f.found.Of(id).Place(id)))
	if !ok {
		return final{}, nil
	}
	was.mu.Lock()
	end, ok = was.finals[path]
	was.mu.Unlock()
	if ok {
		return end, nil
	}
	end.to, end.ok, err = f.Store.Redirects().Final(ctx, f.Site, f.SiteURL, f.Path, path)
	if err == nil {
		was.mu.Lock()
		was.finals[path] = end
		was.mu.Unlock()
	}
	return end, err
}

// knownEntries returns the entries that the path may name, as far as their slugs were read.
func (was *former) knownEntries() (refs []content.Reference) {
	for i, m := range was.f.matches {
		refs = addOnce(refs, m.Model, was.f.ids[i])
	}
	for _, spot := range was.f.spots() {
		refs = addOnce(refs, spot.Model, was.f.held[spot])
		refs = addOnce(refs, spot.Model, was.had[spot])
	}
	return refs
}

// addOnce adds an entry to a list unless it is in it, or id is "".
func addOnce(refs []content.Reference, m *site.Model, id string) []content.Reference {
	if id == "" || slices.ContainsFunc(refs, func(r content.Reference) bool { return r.ID == id }) {
		return refs
	}
	return append(refs, content.Reference{Model: m, ID: id})
}

// inTrees returns those entries that may have been at the path in a tree, where they may have their slugs still.
func (was *former) inTrees() (refs []content.Reference) {
	for i := range was.f.matches {
		if m := &was.f.matches[i]; m.InTree {
			for _, id := range was.holders(m, m.Slug, m.ID) {
				refs = addOnce(refs, m.Model, id)
			}
		}
	}
	return refs
}

// readMore reads the former places that were not read yet, in one round trip. It reports whether there was
// anything. Meanwhile it follows the redirects from those that may turn out to have been at the path.
func (was *former) readMore(ctx context.Context) (bool, error) {
	f := was.f
	spots := was.unread()
	refs := slices.DeleteFunc(was.knownEntries(), func(r content.Reference) bool {
		_, read := was.trails[r.ID]
		return read
	})
	if len(spots)+len(refs) == 0 {
		return false, nil
	}
	var ids []string
	for _, r := range refs {
		if _, ok := f.found[r.ID]; !ok {
			ids = append(ids, r.ID)
		}
	}
	g, gctx := errgroup.WithContext(ctx)
	ahead := 0
	for i := range f.matches {
		m := &f.matches[i]
		for _, id := range was.holders(m, m.Slug, m.ID) {
			if f.found[id].Status == cms.StatusPublished && ahead < maxAhead {
				ahead++
				g.Go(func() error {
					_, err := was.final(gctx, m, id)
					return err
				})
			}
		}
	}
	var found map[string]content.Address
	g.Go(func() (err error) {
		found, err = f.Store.Addresses(gctx, f.Store.WithAbove(ids))
		return err
	})
	g.Go(func() error { return was.readTrails(gctx, refs) })
	g.Go(func() error { return was.readHolders(gctx, spots) })
	err := g.Wait()
	maps.Copy(f.found, found)
	return true, err
}

// unread returns the slugs in the path of which it was not read yet who gave them up last.
func (was *former) unread() []redirects.Spot {
	return slices.DeleteFunc(was.f.spots(), func(s redirects.Spot) bool {
		_, read := was.had[s]
		return read
	})
}

// readHolders reads which entries gave up some slugs last.
func (was *former) readHolders(ctx context.Context, spots []redirects.Spot) error {
	ids, err := redirects.FormerHolders(ctx, was.f.Store.DB, spots)
	for i, id := range ids {
		was.had[spots[i]] = id
	}
	return err
}

// readTrails reads the former places of some entries, even of deleted ones, below which others stood.
func (was *former) readTrails(ctx context.Context, refs []content.Reference) error {
	models, ids := make([]*site.Model, len(refs)), make([]string, len(refs))
	for i, r := range refs {
		models[i], ids[i] = r.Model, r.ID
	}
	places, err := redirects.FormerPlaces(ctx, was.f.Store.DB, models, ids)
	for i, list := range places {
		was.trails[ids[i]] = list
	}
	return err
}

// places returns the former places of an entry and its present one.
func (was *former) places(id string) []cms.Place {
	list := was.trails[id]
	if a := was.f.found[id]; a.ModelID != "" {
		list = append(slices.Clip(list), a.Place(id))
	}
	return list
}

// holders returns the entries that have a slug or had it last, or the one with an id.
func (was *former) holders(m *Match, slug, id string) (ids []string) {
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

// wasAt reports whether an entry was at the path of a match, or is there but for the home.
func (was *former) wasAt(m *Match, id string) bool {
	bare := *m.Model
	bare.Home = ""
	for _, p := range was.places(id) {
		if m.ID == "" && p.Slug != m.Slug || m.InTree && !was.wasBelow(m, p.Parent, len(m.Above), 0) {
			continue
		}
		p.Above = m.Above
		if was.f.pathOf(m.Model, p) == was.f.Path ||
			m.Model.Home != "" && slices.Contains(append(m.Above, m.Slug), m.Model.Home) &&
				was.f.pathOf(&bare, p) == was.f.Path {
			return true
		}
	}
	return false
}

// wasBelow reports whether the entry parent has or had the first n slugs above the match as its path.
func (was *former) wasBelow(m *Match, parent string, n, levels int) bool {
	if parent == "" {
		return n == 0
	}
	for _, p := range was.places(parent) {
		if levels > 2*cms.MaxLevels {
			return false
		}
		if n > 0 && p.Slug == m.Above[n-1] && was.wasBelow(m, p.Parent, n-1, levels+1) ||
			p.Slug == m.Model.Home && was.wasBelow(m, p.Parent, n, levels+1) {
			return true
		}
	}
	return false
}
