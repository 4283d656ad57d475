package urls

import (
	"context"
	"maps"
	"net/http"
	"slices"

	"headless/pkg/content"
	"headless/pkg/site"
)

// Leading returns the meta of an answer for a redirect.
func Leading(to string, status int) Meta {
	if status == http.StatusGone {
		return Meta{Kind: "gone"}
	}
	return Meta{Kind: "redirect", Redirect: &Leads{To: to, Status: status}}
}

// Prepare reads what Describe needs for a target, so that it can be read together with the entry. Describe
// calls it too.
func (f *Finder) Prepare(ctx context.Context, t Target, ids ...string) error {
	if g := f.groups[t.ID]; g != nil {
		for locale, member := range g.Members {
			ids = append(ids, member)
			for _, above := range f.found.Chain(t.ID) { // a guess: it stands below their translations
				if g := f.groups[above]; g != nil && g.Members[locale] != "" {
					ids = append(ids, g.Members[locale])
				}
			}
		}
	}
	slices.Sort(ids)
	return f.Store.AddAbove(ctx, f.found, slices.Compact(ids)...)
}

// Describe sets what the meta says about the entry shown for a target: the entry itself, or a
// translation of it.
func (f *Finder) Describe(ctx context.Context, meta *Meta, t Target, shown string) error {
	members := map[string]string{}
	if g := f.groups[t.ID]; g != nil {
		maps.Copy(members, g.Members)
	}
	if t.Model.Localized {
		f.Tags.Model(t.Model.Slug) // a translation that is published later is another alternate
	}
	if err := f.Prepare(ctx, t, shown); err != nil {
		return err
	}
	own := f.found.Of(shown)
	u := &Answer{Tags: f.Tags}
	meta.Kind, meta.Model = "entry", t.Model.Slug
	meta.Locale, meta.URL = own.Locale, u.OfAddress(t.Model, shown, own)
	members[own.Locale] = shown
	for _, code := range f.Site.Codes() {
		member := members[code]
		a, ok := f.found[member]
		if !ok || a.Locale != code || member != shown && !f.sees(ctx, t.Model, member, a) {
			continue
		}
		if address := u.OfAddress(t.Model, member, f.found.Of(member)); *address != "" {
			meta.Alternates = append(meta.Alternates, Alternate{Locale: code, URL: address})
		}
	}
	if t.Model.Tree {
		meta.Breadcrumbs = f.breadcrumbs(ctx, t.Model, u, own)
	}
	return nil
}

// breadcrumbs returns the entries above an address that the reader sees.
func (f *Finder) breadcrumbs(ctx context.Context, m *site.Model, u *Answer, own content.Address) *[]Breadcrumb {
	list := []Breadcrumb{}
	for _, id := range own.Above() {
		f.Tags.Entry(m.Slug, id)
		if a := f.found.Of(id); f.sees(ctx, m, id, a) {
			list = append(list, Breadcrumb{ID: id, Title: a.Title, URL: u.OfAddress(m, id, a)})
		}
	}
	return &list
}
