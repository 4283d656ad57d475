package delivery

import (
	"strconv"

	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/redirects"
	"headless/pkg/urls"
	"headless/pkg/web"
)

var redirectsRoute = &route{name: "redirects", params: []string{"cursor", "page", "per_page", "preview"}, cached: true,
	handle: withPreview((*making).redirects)}

const maxRedirectsPerPage = 1000

// redirects answers …/redirects with the redirects of the site and those of former slugs.
func (m *making) redirects() error {
	q := m.parameters()
	page, perPage, err := web.Page(q, maxRedirectsPerPage)
	if err == nil { // a cursor is the number of a page, since each answer makes the whole list
		page, err = web.Positive(q, "cursor", page)
	}
	if err != nil {
		return err
	}
	m.tags.Add(cms.TagPaths, cms.TagSchema, cms.TagSettings, cms.TagLocales)
	siteNow := m.open.Site.Visible(m.open.Key.Permissions())
	list, err := m.entries.Store.Redirects().List(m.ctx, siteNow, m.h.SiteURL,
		db.Paging{Page: page, PerPage: perPage}, func(paths []string) (map[string]bool, error) {
			return urls.Taken(m.ctx, m.entries.Store, siteNow, paths)
		})
	if err != nil {
		return err
	}
	if list.Items == nil {
		list.Items = []redirects.Listed{}
	}
	if page*perPage < list.Total {
		list.Next = strconv.Itoa(page + 1)
	}
	meta := pipeline.MetaOf(list)
	var shown any = meta
	if m.view != nil {
		about, err := m.view.About()
		if err != nil {
			return err
		}
		if shown, err = pipeline.WithPreview(meta, about); err != nil {
			return err
		}
	}
	m.body, err = web.Envelope(list.Items, shown)
	return err
}
