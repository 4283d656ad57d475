package menus

import (
	"cmp"
	"context"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/urls"
)

// Shown is an item as readers get it.
type Shown struct {
	ID       string        `json:"id"`
	Label    string        `json:"label"`
	URL      *cms.EntryURL `json:"url"` // null for a heading, and for an entry without a URL
	Target   string        `json:"target,omitempty"`
	Rel      string        `json:"rel,omitempty"`
	Children []Shown       `json:"children"`
}

// Reading is the reading of a menu for one answer.
type Reading struct {
	Store *content.Store
	Site  *site.Site // as the reader may see it
	Sees  urls.Sees
	Tags  *cms.Tags // collects what the answer depends on; may be nil
}

// Menu returns the items of a menu in the first locale of a chain that has any, and that locale. Items
// whose entry the reader cannot see are left out with the items below them. Error: NOT_FOUND.
func (r Reading) Menu(ctx context.Context, slug string, chain []string) (items []Shown, locale string, err error) {
	if r.Tags.Add(cms.TagMenu(slug), cms.TagSchema); !cms.ValidSlug(slug) {
		return nil, "", errNoMenu
	}
	d, err := docs(r.Store.DB).Get(ctx, slug)
	if err != nil {
		return nil, "", db.Missing(err, errNoMenu)
	}
	locale = chain[0]
	for _, code := range chain {
		if len(d.Value.Items[code]) > 0 {
			locale = code
			break
		}
	}
	stored := d.Value.Items[locale]
	var ids []string
	known := map[string]bool{}
	walkItems("", stored, func(_ string, item *Item) {
		if item.Entry != nil && !known[item.Entry.ID] {
			known[item.Entry.ID] = true
			ids = append(ids, item.Entry.ID)
		}
	})
	found, err := r.Store.AddressesAbove(ctx, ids)
	if err != nil {
		return nil, "", err
	}
	return r.items(ctx, stored, found, &urls.Answer{Store: r.Store, Tags: r.Tags}), locale, nil
}

var errNoMenu = cms.Errorf(cms.CodeNotFound, "There is no such menu.")

func (r Reading) items(ctx context.Context, items []Item, found map[string]content.Address, u *urls.Answer) []Shown {
	list := []Shown{}
	for _, item := range items {
		shown := Shown{ID: item.ID, Label: item.Label, URL: new(cms.EntryURL), Target: item.Target, Rel: item.Rel}
		*shown.URL = cms.EntryURL(item.Href)
		if item.Entry != nil && !r.addEntry(ctx, &shown, item.Entry.ID, found, u) {
			continue
		}
		shown.Children = r.items(ctx, item.Children, found, u)
		list = append(list, shown)
	}
	return list
}

// addEntry sets label and URL of an item that leads to an entry; it returns false if the reader cannot
// see the entry.
func (r Reading) addEntry(ctx context.Context, shown *Shown, id string, found map[string]content.Address,
	u *urls.Answer) bool {
	a, ok := found[id]
	m := r.Site.ModelByID(a.ModelID)
	if !ok || m == nil {
		r.Tags.Unknown(id)
		return false
	}
	r.Tags.Entry(m.Slug, id)
	if !m.IsActive || !r.Sees(m, &cms.Entry{Locale: a.Locale, Status: a.Status}) ||
		!cms.PermissionsOf(ctx).May(cms.ActionRead, m.Slug, a.Locale) {
		return false
	}
	shown.Label = cmp.Or(shown.Label, a.Title)
	shown.URL = u.OfAddress(m, id, a)
	return true
}
