package site

import (
	"net/url"
	"strings"

	"headless/pkg/refs"
)

// AddressOf returns the address of an entry that links in texts show: by the model's URL template,
// after the setting site.url if it has one, or else /<slug>, a route of the site's own (extensions
// §12).
func (s *Site) AddressOf(m *Model, locale, slug, id string) string {
	address := m.PathOf(locale, slug, id)
	switch {
	case address == "":
		return "/" + url.PathEscape(slug)
	case strings.HasPrefix(address, "/"):
		address = s.URL() + address
	}
	return refs.Escaped(address)
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
