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

// URL returns the setting site.url without a slash at the end, "" if it has no value.
func (s *Site) URL() string {
	for _, v := range s.Settings {
		if v.Group == "site" && v.Key == "url" {
			return strings.TrimSuffix(v.Value, "/")
		}
	}
	return ""
}
