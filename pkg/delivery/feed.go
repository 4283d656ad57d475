package delivery

import (
	"cmp"
	"encoding/xml"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/search"
	"headless/pkg/site"
	"headless/pkg/web"
)

// feedEntries is the maximum number of entries in a feed.
const feedEntries = 50

var feedRoute = &route{name: "feed", params: []string{"locale", "preview"}, cached: true,
	handle: refusePreview((*making).feed)}

type feedXML struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Lang    string      `xml:"xml:lang,attr"`
	Title   string      `xml:"title"`
	ID      string      `xml:"id"`
	Updated string      `xml:"updated"`
	Author  feedAuthor  `xml:"author"`
	Links   []feedLink  `xml:"link"`
	Entries []feedEntry `xml:"entry"`
}

type feedAuthor struct {
	Name string `xml:"name"`
}

type feedLink struct {
	Rel  string `xml:"rel,attr"`
	Href string `xml:"href,attr"`
}

type feedEntry struct {
	Title     string   `xml:"title"`
	ID        string   `xml:"id"`
	Updated   string   `xml:"updated"`
	Published string   `xml:"published"`
	Link      feedLink `xml:"link"`
	Summary   string   `xml:"summary,omitempty"`
}

// feed answers …/{model}/feed.xml with the newest entries in one locale, as Atom.
func (m *making) feed() error {
	siteNow := m.open.Site.Visible(m.open.Key.Permissions())
	slug := strings.Split(m.req.path, "/")[1]
	model, err := siteNow.ActiveModel(slug)
	if err != nil {
		return err
	}
	if model.URL == "" {
		return web.ErrNothing
	}
	locale := siteNow.Default
	if m.parameters().Has("locale") {
		locale = m.parameters().Get("locale")
	}
	if err := siteNow.RequireLocale(locale); err != nil {
		return err
	}
	list, err := m.newest(model, locale)
	if err != nil {
		return err
	}
	name := cmp.Or(site.PublicSettings(siteNow, locale)["site"]["name"], model.Name)
	self := m.root + Base + "/" + m.req.key + m.req.path
	if m.req.query.text != "" {
		self += "?" + m.req.query.text
	}
	f := feedXML{
		Lang: locale, Title: name + " - " + model.Name, ID: self, Updated: "1970-01-01T00:00:00Z",
		Author: feedAuthor{name},
		Links:  []feedLink{{"self", self}, {"alternate", m.siteURL() + "/"}},
	}
	places, err := m.places(model, list)
	if err != nil {
		return err
	}
	for _, e := range list {
		m.tags.Entry(slug, e.ID)
		item := feedEntry{
			Title: e.Title, ID: "urn:uuid:" + e.ID, Updated: e.UpdatedAt.String(),
			Published: e.PublishedAt.String(),
			Link:      feedLink{"alternate", model.URLBelow(m.siteURL(), *places[e.ID])}, Summary: e.SEO.Description,
		}
		f.Updated = max(f.Updated, item.Updated)
		f.Entries = append(f.Entries, item)
	}
	if err := m.xml(f); err != nil {
		return err
	}
	m.mime = "application/atom+xml; charset=utf-8"
	return nil
}

// newest returns the newest published entries of a model in a locale; of one that is not localized, in all of them
// unless the request names one.
func (m *making) newest(model *site.Model, locale string) ([]*cms.Entry, error) {
	locales, filters := []string{locale}, []query.Filter(nil)
	if !model.Localized {
		locales = m.open.Site.Codes()
		if m.parameters().Has("locale") {
			filters = []query.Filter{{Path: "locale", Op: query.OpEq, Values: []string{locale}}}
		}
	}
	m.tags.Add(cms.TagSchema, cms.TagSettings, cms.TagLocales)
	m.tags.List(model.Slug, locales...)
	page, err := search.Entries(m.ctx, m.h.Entries.Store, m.open.Site, model, content.EntryQuery{
		ListQuery: index.ListQuery{
			Paging: db.Paging{Page: 1, PerPage: feedEntries},
			Sort:   []query.SortField{{Path: "published_at", Desc: true}}, Filters: filters,
		},
		Locales: locales, Statuses: []cms.Status{cms.StatusPublished}, Public: true,
	})
	return page.Items, err
}
