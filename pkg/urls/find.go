package urls

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/groups"
	"headless/pkg/redirects"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/translations"
)

// Finder finds what is at a path of the site, for one request.
type Finder struct {
	Store   *content.Store
	Site    *site.Site
	SiteURL string // configured URL of the service
	Path    string // see Clean
	Sees    Sees
	Tags    *cms.Tags // collects what the answer depends on; may be nil

	matches []Match
	held    map[redirects.Spot]string // ids of the entries that have the slugs in the path
	ids     []string                  // of the entry that each match names, "" for none
	found   content.Above             // addresses of these entries
	groups  map[string]*groups.Group  // of those of localized models
	was     former
}

// Target is an entry to show in a locale, or in its best translation for it.
type Target struct {
	Model  *site.Model
	Locale string
	ID     string
}

// Redirect returns the redirect from the path, nil if there is none. It also reads what the other
// methods need.
func (f *Finder) Redirect(ctx context.Context) (own *redirects.Redirect, err error) {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		own, err = f.Store.Redirects().From(ctx, f.Path)
		return err
	})
	g.Go(func() error { return f.Read(ctx) })
	return own, g.Wait()
}

// Read reads which entries may be at the path, and what their URLs depend on. If there seems to be none, it
// begins with former URLs.
func (f *Finder) Read(ctx context.Context) (err error) {
	f.matches, f.held = Matches(f.Site, f.Path), map[redirects.Spot]string{}
	f.was = former{f: f, had: map[redirects.Spot]string{}, trails: map[string][]cms.Place{}, finals: map[string]final{}}
	spots := f.spots()
	var holders []string
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		holders, err = f.Store.SpotHolders(gctx, spots)
		return err
	})
	if len(f.matches) <= maxReadFormer {
		g.Go(func() error { return f.was.readHolders(gctx, f.ownSpots()) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for i, id := range holders {
		f.held[spots[i]] = id
	}
	f.ids = slice.Map(f.matches, func(m Match) string { return cmp.Or(m.ID, f.held[m.spot(m.Slug)]) })
	if err := f.readFound(ctx); err != nil {
		return err
	}
	for i, m := range f.matches { // {id} names no model
		if a, ok := f.found[f.ids[i]]; !ok || a.ModelID != m.Model.ID {
			f.ids[i] = ""
		}
	}
	return nil
}

// readFound reads the addresses and translations of the entries that the path may name, and former URLs.
func (f *Finder) readFound(ctx context.Context) error {
	known := f.was.knownEntries()
	ids := make([]string, len(known))
	var localized []content.Reference
	for i, ref := range known {
		if ids[i] = ref.ID; ref.Model.Localized {
			localized = append(localized, ref)
		}
	}
	trails, spots := known, f.was.unread()
	if f.isLikely() {
		trails, spots = f.was.inTrees(), nil
	}
	f.groups = map[string]*groups.Group{}
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		f.found, err = f.Store.Addresses(gctx, f.Store.WithAbove(ids))
		return err
	})
	g.Go(func() error {
		list, err := groups.OfEach(gctx, f.Store, localized)
		for i, found := range list {
			f.groups[localized[i].ID] = found
		}
		return err
	})
	g.Go(func() error { return f.was.readTrails(gctx, trails) })
	g.Go(func() error { return f.was.readHolders(gctx, spots) })
	return g.Wait()
}

// isLikely reports whether there are entries with all slugs of the path, or with the id in it.
func (f *Finder) isLikely() bool {
	for i, m := range f.matches {
		if f.ids[i] != "" && !slices.ContainsFunc(m.Above, func(slug string) bool { return f.held[m.spot(slug)] == "" }) {
			return true
		}
	}
	return false
}

func (m *Match) spot(slug string) redirects.Spot {
	return redirects.Spot{Model: m.Model, Locale: m.Locale, Slug: slug}
}

// ownSpots returns the slugs that entries at the path have, without those above.
func (f *Finder) ownSpots() (spots []redirects.Spot) {
	for _, m := range f.matches {
		if s := m.spot(m.Slug); m.ID == "" && !slices.Contains(spots, s) {
			spots = append(spots, s)
		}
	}
	return spots
}

// spots returns the slugs that the path may name, each once: in a tree also those of the entries above,
// of which the home has none in the path.
func (f *Finder) spots() (spots []redirects.Spot) {
	for _, m := range f.matches {
		slugs := []string{m.Slug}
		if m.InTree {
			slugs = append(append(slugs, m.Above...), m.Model.Home)
		}
		for i, slug := range slugs {
			if s := m.spot(slug); (i == 0 || slug != "") && !slices.Contains(spots, s) {
				spots = append(spots, s)
			}
		}
	}
	return spots
}

// place returns the place of an entry; ok is false if one of the entries above it is not among those that
// the path names.
func (f *Finder) place(m *site.Model, id string) (p cms.Place, ok bool) {
	for at, levels := f.found[id].Parent, 0; m.HasPath() && at != ""; at, levels = f.found[at].Parent, levels+1 {
		if f.found[at].ModelID == "" || levels > 2*cms.MaxLevels {
			return p, false
		}
	}
	return f.found.Of(id).Place(id), true
}

// sees reports whether the reader may see the entry of an address.
func (f *Finder) sees(ctx context.Context, m *site.Model, id string, a content.Address) bool {
	return f.Sees(m, &cms.Entry{ID: id, Locale: a.Locale, Status: a.Status}) &&
		cms.PermissionsOf(ctx).May(cms.ActionRead, m.Slug, a.Locale)
}

// At lists the entries whose URL has the path, the one that wins first, whoever may see them.
func (f *Finder) At() (list []Target) {
	for i := range f.matches {
		m := &f.matches[i]
		for _, id := range [...]string{f.ids[i], f.homeOf(m)} {
			if f.isAt(m, id) {
				list = append(list, Target{m.Model, f.found[id].Locale, id})
			}
		}
	}
	return list
}

// homeOf returns the home in the tree of a match, which may be below the entry with the last slug of the path; "" if
// there is none.
func (f *Finder) homeOf(m *Match) string {
	if !m.InTree || m.Slug == m.Model.Home {
		return ""
	}
	return f.held[m.spot(m.Model.Home)]
}

// isAt reports whether an entry that a match names has the path now.
func (f *Finder) isAt(m *Match, id string) bool {
	a, known := f.found[id]
	p, ok := f.place(m.Model, id)
	return known && ok && m.covers(a.Locale) && f.pathOf(m.Model, p) == f.Path
}

// Entry returns the entry at the path that the reader sees; ok is false if there is none.
func (f *Finder) Entry(ctx context.Context) (t Target, ok bool) {
	for _, t := range f.At() {
		if f.sees(ctx, t.Model, t.ID, f.found[t.ID]) {
			return t, true
		}
	}
	return t, false
}

func (f *Finder) pathOf(m *site.Model, p cms.Place) string { return pathOn(f.Site, m, p) }

// InAnyLocale returns the entry that would be at the path if it were in the locale of the path; ok is
// false if there is none.
func (f *Finder) InAnyLocale(ctx context.Context) (t Target, ok bool, err error) {
	for _, m := range f.matches {
		if !m.Model.Localized || m.Slug == "" {
			continue
		}
		var spots []redirects.Spot
		for _, code := range translations.LookupOrder(f.Site, f.Site.Chain(m.Locale)) {
			spots = append(spots, redirects.Spot{Model: m.Model, Locale: code, Slug: m.Slug})
		}
		ids, err := f.Store.SpotHolders(ctx, spots)
		if err != nil {
			return t, false, err
		}
		known := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == "" })
		found, err := f.Store.AddressesAbove(ctx, known)
		if err != nil {
			return t, false, err
		}
		for _, id := range known {
			a := found[id]
			place := a.Place(id)
			place.Locale = m.Locale
			if a.ModelID != m.Model.ID || !f.sees(ctx, m.Model, id, a) || f.pathOf(m.Model, place) != f.Path {
				continue
			}
			list, err := groups.Of(ctx, f.Store, m.Model, []string{id})
			if err != nil {
				return t, false, err
			}
			f.groups[id] = list[0]
			return Target{m.Model, m.Locale, id}, true, nil
		}
	}
	return t, false, nil
}

// Meta is the meta of an answer about a path (extensions §13). Keys that do not apply are left out.
type Meta struct {
	Kind            string         `json:"kind"` // entry, redirect or gone
	Model           string         `json:"model,omitempty"`
	Locale          string         `json:"locale,omitempty"`
	RequestedLocale string         `json:"requested_locale,omitempty"`
	URL             *cms.EntryURL  `json:"url,omitempty"`
	Alternates      []Alternate    `json:"alternates,omitempty"`
	Breadcrumbs     *[]Breadcrumb  `json:"breadcrumbs,omitempty"`
	Redirect        *Leads         `json:"redirect,omitempty"`
	Draft           *cms.DraftInfo `json:"draft,omitempty"`
	// Sources is that of a single entry.
	Sources map[string]string `json:"sources,omitempty"`
}

// WithIgnored returns the meta with the names of ignored parameters before its own keys.
func (m Meta) WithIgnored(names []string) any {
	return struct {
		Ignored []string `json:"ignored"`
		Meta
	}{names, m}
}

// Alternate is the URL of a translation.
type Alternate struct {
	Locale string        `json:"locale"`
	URL    *cms.EntryURL `json:"url"`
}

// Breadcrumb is an entry above another one.
type Breadcrumb struct {
	ID    string        `json:"id"`
	Title string        `json:"title"`
	URL   *cms.EntryURL `json:"url"`
}

// Leads says where a redirect leads.
type Leads struct {
	To     string `json:"to"`
	Status int    `json:"status"`
}
