package delivery

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/search"
	"headless/pkg/site"
	"headless/pkg/urls"
	"headless/pkg/web"
)

const xmlType = "application/xml; charset=utf-8"

// Variables, so that tests can use smaller values.
var (
	sitemapPart = 5000 // entries of a part
	sitemapRead = 1000 // entries read at a time
)

var (
	sitemapIndex = &route{name: "sitemap", params: []string{"preview"}, cached: true,
		handle: withPreview((*making).sitemap)}
	sitemapFile = &route{name: "sitemap part", params: []string{"preview"}, cached: true,
		handle: withPreview((*making).sitemapPart)}
)

// sitemapModel is a model with a URL template, and the number of its published entries.
type sitemapModel struct {
	*site.Model
	total int
}

// listModels returns the models with a URL template that the key may read, sorted by slug.
func (m *making) listModels() ([]sitemapModel, error) {
	site := m.open.Site.Visible(m.open.Key.Permissions())
	m.tags.Add(cms.TagSchema, cms.TagSettings, cms.TagLocales)
	var list []sitemapModel
	for _, slug := range slices.Sorted(maps.Keys(site.Models)) {
		model := site.Models[slug]
		if !model.IsActive || model.URL == "" {
			continue
		}
		m.tags.Model(slug)
		page, err := m.entriesOf(model, 1, 1)
		if err != nil {
			return nil, err
		}
		list = append(list, sitemapModel{model, page.Total})
	}
	return list, nil
}

// entriesOf lists published entries of a model in all active locales.
func (m *making) entriesOf(model *site.Model, page, perPage int) (db.Page[*cms.Entry], error) {
	return search.Entries(m.ctx, m.entries.Store, m.open.Site, model, content.EntryQuery{
		ListQuery: index.ListQuery{Paging: db.Paging{Page: page, PerPage: perPage}},
		Locales:   m.open.Site.ActiveCodes(), Statuses: []cms.Status{cms.StatusPublished}, Public: true,
	})
}

type sitemapIndexXML struct {
	XMLName xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemapindex"`
	Parts   []sitemapLoc `xml:"sitemap"`
}

type sitemapLoc struct {
	Loc string `xml:"loc"`
}

// sitemap answers …/sitemap.xml with the URLs of the parts.
func (m *making) sitemap() error {
	list, err := m.listModels()
	if err != nil {
		return err
	}
	total := 0
	for _, model := range list {
		total += model.total
	}
	index, query := sitemapIndexXML{}, ""
	if m.preview != "" {
		query = "?preview=" + url.QueryEscape(m.preview)
	}
	for n := range max(1, (total+sitemapPart-1)/sitemapPart) {
		index.Parts = append(index.Parts, sitemapLoc{m.root + Base + "/" + m.req.key + "/sitemap-" +
			strconv.Itoa(n+1) + ".xml" + query})
	}
	return m.xml(index)
}

type urlsetXML struct {
	XMLName xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	XHTML   string       `xml:"xmlns:xhtml,attr"`
	URLs    []sitemapURL `xml:"url"`
}

type sitemapURL struct {
	Loc     string        `xml:"loc"`
	LastMod string        `xml:"lastmod"`
	Links   []sitemapLink `xml:"xhtml:link"`
}

type sitemapLink struct {
	Rel  string `xml:"rel,attr"`
	Lang string `xml:"hreflang,attr"`
	Href string `xml:"href,attr"`
}

// sitemapPart answers …/sitemap-{n}.xml with the URLs of up to 5,000 entries.
func (m *making) sitemapPart() error {
	number := strings.TrimSuffix(strings.TrimPrefix(m.req.path, "/sitemap-"), ".xml")
	n, err := strconv.Atoi(number)
	// Accept one spelling of the number only, since each URL would be cached separately.
	if err != nil || n < 1 || n > 1_000_000 || strconv.Itoa(n) != number {
		return web.ErrNothing
	}
	list, err := m.listModels()
	if err != nil {
		return err
	}
	set := urlsetXML{XHTML: "http://www.w3.org/1999/xhtml"}
	from, found := (n-1)*sitemapPart, n == 1
	room := sitemapPart
	for _, model := range list {
		if from >= model.total {
			from -= model.total
			continue
		}
		found = true
		count := min(room, model.total-from)
		if err := m.addURLs(&set, model.Model, from, count); err != nil {
			return err
		}
		if from, room = 0, room-count; room == 0 {
			break
		}
	}
	if !found {
		return web.ErrNothing
	}
	return m.xml(set)
}

// addURLs adds the URLs of count of a model's entries, from the offset from on.
func (m *making) addURLs(set *urlsetXML, model *site.Model, from, count int) error {
	for page := from / sitemapRead; page*sitemapRead < from+count; page++ {
		entries, err := m.entriesOf(model, page+1, sitemapRead)
		if err != nil {
			return err
		}
		var listed []*cms.Entry
		for i, e := range entries.Items {
			if at := page*sitemapRead + i; at >= from && at < from+count && !e.SEO.Noindex {
				listed = append(listed, e)
			}
		}
		translations, err := m.alternates(model, listed)
		if err != nil {
			return err
		}
		places, err := m.places(model, append(translations, listed)...)
		if err != nil {
			return err
		}
		for i, e := range listed {
			set.URLs = append(set.URLs, m.urlOf(model, e, translations[i], places))
		}
	}
	return nil
}

func (m *making) urlOf(model *site.Model, e *cms.Entry, translations []*cms.Entry,
	places map[string]*cms.Place) sitemapURL {
	root := m.siteURL()
	u := sitemapURL{Loc: model.URLBelow(root, *places[e.ID]), LastMod: e.UpdatedAt.String()}
	for _, other := range translations {
		u.Links = append(u.Links, sitemapLink{Rel: "alternate", Lang: other.Locale,
			Href: model.URLBelow(root, *places[other.ID])})
	}
	return u
}

// places returns the places of entries by id.
func (m *making) places(model *site.Model, lists ...[]*cms.Entry) (map[string]*cms.Place, error) {
	places := map[string]*cms.Place{}
	for _, list := range lists {
		for _, e := range list {
			p := e.Place()
			places[e.ID] = &p
		}
	}
	u := &urls.Answer{Store: m.entries.Store, Tags: m.tags}
	return places, u.Read(m.ctx, model, slices.Collect(maps.Values(places))...)
}

// siteURL returns the URL before the paths of entries: the setting site.url, else the URL of the
// service.
func (m *making) siteURL() string { return cmp.Or(m.open.Site.URL(), m.root) }

// xml makes an XML document the body of the answer.
func (m *making) xml(v any) error {
	var b bytes.Buffer
	b.WriteString(xml.Header)
	if err := xml.NewEncoder(&b).Encode(v); err != nil {
		return err
	}
	m.body, m.mime = b.Bytes(), xmlType
	return nil
}
