package cms

import (
	"net/url"
	"strings"
)

// PathOf is the address of an entry on the site as the model's template has it: a path, or an
// absolute address; "" without a template.
func (m *Model) PathOf(locale, slug, id string) string {
	return strings.NewReplacer("{locale}", url.PathEscape(locale), "{slug}", url.PathEscape(slug),
		"{id}", url.PathEscape(id)).Replace(m.URL)
}

// AddressOf is the absolute address of an entry on the site; root goes before paths.
func (m *Model) AddressOf(root string, e *Entry) string {
	path := m.PathOf(e.Locale, e.Slug, e.ID)
	if strings.HasPrefix(path, "/") {
		return strings.TrimSuffix(root, "/") + path
	}
	return path
}
