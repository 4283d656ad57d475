package site

import (
	"net/url"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/refs"
)

// PathOf returns the path or absolute URL of an entry on the site (see cms.Model.PathOf).
func (m *Model) PathOf(p cms.Place) string {
	first := ""
	if m.site != nil {
		first = m.site.Default
	}
	return m.Model.PathOf(first, p)
}

// URLOf returns the URL of an entry on the site: absolute if the setting site.url has a value, else a
// path. It returns "" if there is none; see cms.Model.PathOf.
func (m *Model) URLOf(p cms.Place) string {
	if m.site == nil {
		return m.PathOf(p)
	}
	return m.URLBelow(m.site.URL(), p)
}

// URLBelow is URLOf with another URL before paths.
func (m *Model) URLBelow(root string, p cms.Place) string {
	address := m.PathOf(p)
	if strings.HasPrefix(address, "/") {
		return root + address
	}
	return address
}

// LinkTo returns the URL of an entry that links in texts show, or else /<slug>, a route of the
// site's own (extensions §12).
func (m *Model) LinkTo(p cms.Place) string {
	if address := m.URLOf(p); address != "" {
		return refs.Escaped(address)
	}
	return "/" + url.PathEscape(p.Slug)
}

// maxSameTemplate is how many models may have templates of one shape, since a path fits all of them.
const maxSameTemplate = 20

// checkTemplate refuses the URL template of a model if too many other models have one of its shape.
func checkTemplate(p cms.Problems, now *Site, m *cms.Model) {
	if m.URL == "" || len(p["url"]) > 0 {
		return
	}
	same := 0
	for _, other := range now.Models {
		switch {
		case other.ID == m.ID && other.URL == m.URL && &other.Model != m:
			return // it has it already
		case other.ID != m.ID && shape(other.URL) == shape(m.URL):
			same++
		}
	}
	if same >= maxSameTemplate {
		p.Add("url", "has the shape of %d other models: no more can have it", same)
	}
}

// shape returns a template in a form that templates which fit the same paths share.
func shape(template string) string {
	return strings.ReplaceAll(strings.TrimSuffix(template, "/"), "{locale?}", "{locale}")
}
