// Package urls makes the URLs of entries on the site for answers that show them (extensions §13).
//
// What always holds: the URLs of one answer take at most one round trip, and none if no entry stands
// in a tree. The first answers of a process may take one for each level of a tree.
package urls

import (
	"context"
	"net/url"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/site"
)

// Answer makes the URLs of the entries in one answer. A nil *Answer makes none.
type Answer struct {
	Store *content.Store
	Tags  *cms.Tags // collects what the URLs depend on; may be nil
}

// Sees reports whether a reader may see an entry of a model with the status and the locale of e.
type Sees func(m *site.Model, e *cms.Entry) bool

// Asked returns who makes the URLs for a query: nil if no URLs are requested.
func Asked(q url.Values, s *content.Store, tags *cms.Tags) *Answer {
	if q.Get("urls") != "true" {
		return nil
	}
	return &Answer{Store: s, Tags: tags}
}

// Read completes the places of entries of a model. Call it before Of, once for many entries.
func (a *Answer) Read(ctx context.Context, m *site.Model, places ...*cms.Place) error {
	if a == nil || !m.HasPath() {
		return nil
	}
	return a.Store.SetAbove(ctx, func(id string) { a.Tags.Entry(m.Slug, id) }, places...)
}

// Of returns the URL of an entry, nil if the answer shows no URLs.
func (a *Answer) Of(m *site.Model, p cms.Place) *cms.EntryURL {
	if a == nil {
		return nil
	}
	a.Tags.Add(cms.TagSettings)
	address := cms.EntryURL(m.URLOf(p))
	return &address
}

// OfAddress returns the URL of an entry whose address was read with what is above it.
func (a *Answer) OfAddress(m *site.Model, id string, at content.Address) *cms.EntryURL {
	if a != nil {
		for _, above := range at.Above() {
			a.Tags.Entry(m.Slug, above)
		}
	}
	return a.Of(m, at.Place(id))
}

// OfEach sets the URLs of n entries of any models.
func (a *Answer) OfEach(ctx context.Context, n int, at func(i int) (*site.Model, cms.Place),
	set func(i int, address *cms.EntryURL)) error {
	if a == nil {
		return nil
	}
	places, byModel := make([]cms.Place, n), map[*site.Model][]*cms.Place{}
	models := make([]*site.Model, n)
	for i := range places {
		models[i], places[i] = at(i)
		byModel[models[i]] = append(byModel[models[i]], &places[i])
	}
	for m, list := range byModel {
		if err := a.Read(ctx, m, list...); err != nil {
			return err
		}
	}
	for i := range places {
		set(i, a.Of(models[i], places[i]))
	}
	return nil
}

// ReadLists is Read for entries and their translations.
func (a *Answer) ReadLists(ctx context.Context, m *site.Model, places []cms.Place, lists [][]cms.Translation) error {
	var all []*cms.Place
	for i := range places {
		all = append(all, &places[i])
	}
	for _, list := range lists {
		for i := range list {
			all = append(all, &list[i].Place)
		}
	}
	return a.Read(ctx, m, all...)
}
