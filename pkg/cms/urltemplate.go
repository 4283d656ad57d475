package cms

import (
	"net/url"
	"strings"
)

// PathOf returns the path or absolute URL of an entry on the site, made from the model's template;
// "" without a template.
func (m *Model) PathOf(locale, slug, id string) string {
	return strings.NewReplacer("{locale}", url.PathEscape(locale), "{slug}", url.PathEscape(slug),
		"{id}", url.PathEscape(id)).Replace(m.URL)
}

// AddressOf returns the absolute URL of an entry on the site. root is put before paths.
func (m *Model) AddressOf(root string, e *Entry) string {
	path := m.PathOf(e.Locale, e.Slug, e.ID)
	if strings.HasPrefix(path, "/") {
		return strings.TrimSuffix(root, "/") + path
	}
	return path
}
