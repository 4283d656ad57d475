package urls

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/groups"
	"headless/pkg/redirects"
	"headless/pkg/site"
	"headless/pkg/translations"
)

// Finder finds what is at a path of the site, for one request.
type Finder struct {
	Store   *content.Store
	Site    *site.Site
	SiteURL string                // configured URL of the service
	Path    string                // see Clean
	Sees    func(*cms.Entry) bool // reports whether the reader may see an entry of a locale and status
	Tags    *cms.Tags             // collects what the answer depends on; may be nil

	matches []Match
	ids     []string                   // of the entry that each match names, "" for none
	found   map[string]content.Address // of ids
	groups  map[string]*groups.Group   // of ids of localized models
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

// Read reads which entries may be at the path, and what their URLs depend on.
func (f *Finder) Read(ctx context.Context) (err error) {
	f.matches = Matches(f.Site, f.Path)
	if f.ids, err = f.Store.SpotHolders(ctx, f.spots()); err != nil {
		return err
	}
	var ids []string
	var localized []content.Reference
	for i, m := range f.matches {
		if m.ID != "" {
			f.ids[i] = m.ID
		}
		if id := f.ids[i]; id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
			if m.Model.Localized {
				localized = append(localized, content.Reference{Model: m.Model, ID: id})
			}
		}
	}
	f.groups = map[string]*groups.Group{}
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		f.found, err = f.Store.Addresses(gctx, ids)
		return err
	})
	g.Go(func() error {
		list, err := groups.OfEach(gctx, f.Store, localized)
		for i, found := range list {
			f.groups[localized[i].ID] = found
		}
		return err
	})
	if err := g.Wait(); err != nil {
		return err
	}
	for i, m := range f.matches { // {id} names no model
		if a, ok := f.found[f.ids[i]]; !ok || a.ModelID != m.Model.ID {
			f.ids[i] = ""
		}
	}
	return nil
}

func (f *Finder) spots() []redirects.Spot {
	spots := make([]redirects.Spot, len(f.matches))
	for i, m := range f.matches {
		spots[i] = redirects.Spot{Model: m.Model, Locale: m.Locale, Slug: m.Slug}
	}
	return spots
}

// sees reports whether the reader may see the entry of an address.
func (f *Finder) sees(ctx context.Context, m *site.Model, a content.Address) bool {
	return f.Sees(&cms.Entry{Locale: a.Locale, Status: a.Status}) &&
		cms.PermissionsOf(ctx).May(cms.ActionRead, m.Slug, a.Locale)
}

// At lists the entries whose URL has the path, the one that wins first, whoever may see them.
func (f *Finder) At() (list []Target) {
	for i, m := range f.matches {
		if a, ok := f.found[f.ids[i]]; ok && a.Locale == m.Locale && f.pathOf(m.Model, a.Place(f.ids[i])) == f.Path {
			list = append(list, Target{m.Model, a.Locale, f.ids[i]})
		}
	}
	return list
}

// Entry returns the entry at the path that the reader sees; ok is false if there is none.
func (f *Finder) Entry(ctx context.Context) (t Target, ok bool) {
	for _, t := range f.At() {
		if f.sees(ctx, t.Model, f.found[t.ID]) {
			return t, true
		}
	}
	return t, false
}

func (f *Finder) pathOf(m *site.Model, p cms.Place) string { return PathOn(f.Site, m, p) }

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
		found, err := f.Store.Addresses(ctx, known)
		if err != nil {
			return t, false, err
		}
		for _, id := range known {
			a := found[id]
			place := a.Place(id)
			place.Locale = m.Locale
			if a.ModelID != m.Model.ID || !f.sees(ctx, m.Model, a) || f.pathOf(m.Model, place) != f.Path {
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

// Former returns the path to which a former URL of a published entry leads, or the URL with the slug
// of a home; "" if the path is neither.
func (f *Finder) Former(ctx context.Context) (to string, err error) {
	had, err := redirects.FormerHolders(ctx, f.Store.DB, f.spots())
	if err != nil {
		return "", err
	}
	var models []*site.Model
	var ids []string
	for i, m := range f.matches {
		id := f.ids[i]
		if id == "" { // an entry that has the slug now wins
			id = had[i]
		}
		if id != "" && !slices.Contains(ids, id) {
			models, ids = append(models, m.Model), append(ids, id)
		}
	}
	places, err := redirects.FormerPlaces(ctx, f.Store.DB, models, ids)
	if err != nil {
		return "", err
	}
	found, err := f.Store.Addresses(ctx, ids)
	if err != nil {
		return "", err
	}
	for i, id := range ids {
		a, ok := found[id]
		now := a.Place(id)
		if !ok || a.Status != cms.StatusPublished || !f.sees(ctx, models[i], a) ||
			f.pathOf(models[i], now) == f.Path || !f.wasAt(models[i], append(places[i], now)) {
			continue
		}
		path, ok := OnSite(f.Site, models[i].PathOf(now))
		if !ok {
			continue
		}
		final, ok, err := f.Store.Redirects().Final(ctx, f.Site, f.SiteURL, f.Path, path)
		if err != nil || ok {
			f.Tags.Entry(models[i].Slug, id)
			return final, err
		}
	}
	return "", nil
}

// wasAt reports whether an entry of a model with these places was at the path, or is there but for
// the home.
func (f *Finder) wasAt(m *site.Model, places []cms.Place) bool {
	bare := *m
	bare.Home = ""
	return slices.ContainsFunc(places, func(p cms.Place) bool {
		return f.pathOf(m, p) == f.Path || m.Home != "" && p.Slug == m.Home && f.pathOf(&bare, p) == f.Path
	})
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

// Describe sets what the meta says about the entry shown for a target: the entry itself, or a
// translation of it.
func (f *Finder) Describe(ctx context.Context, meta *Meta, t Target, shown string) error {
	members := map[string]string{}
	ids := []string{shown}
	if g := f.groups[t.ID]; g != nil {
		for locale, member := range g.Members {
			members[locale], ids = member, append(ids, member)
		}
	}
	if t.Model.Localized {
		f.Tags.Model(t.Model.Slug) // a translation that is published later is another alternate
	}
	slices.Sort(ids)
	found, err := f.Store.Addresses(ctx, slices.Compact(ids))
	if err != nil {
		return err
	}
	own := found[shown]
	u := &Answer{Tags: f.Tags}
	meta.Kind, meta.Model = "entry", t.Model.Slug
	meta.Locale, meta.URL = own.Locale, u.Of(t.Model, own.Place(shown))
	members[own.Locale] = shown
	for _, code := range f.Site.Codes() {
		member := members[code]
		a, ok := found[member]
		if !ok || a.Locale != code || member != shown && !f.sees(ctx, t.Model, a) {
			continue
		}
		if address := u.Of(t.Model, a.Place(member)); *address != "" {
			meta.Alternates = append(meta.Alternates, Alternate{Locale: code, URL: address})
		}
	}
	return nil
}
