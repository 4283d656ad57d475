package entryforms

import (
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/say"
	"headless/pkg/cms"
	"headless/pkg/site"
)

// LabelOf returns the label of a field of an entry by its key.
func LabelOf(m *site.Model, key string) say.Text {
	switch key {
	case "title":
		return "Title"
	case "slug":
		return "Slug"
	case "seo.title":
		return "Title for search engines"
	case "seo.description":
		return "Description for search engines"
	case "seo.noindex":
		return "Leave out of sitemaps"
	}
	if f := m.Field(strings.TrimPrefix(key, "data.")); f != nil {
		return entrydata.LabelOf(*f)
	}
	return say.Data(key)
}

// ChangedKeys returns the keys of the fields whose values differ between two states of an entry, in
// the order of the form.
func ChangedKeys(m *site.Model, was, now *cms.Entry) (changed []string) {
	keys := []string{"title", "slug"}
	for i := range m.Fields {
		keys = append(keys, "data."+m.Fields[i].Name)
	}
	before, after := EntryValues(m, was), EntryValues(m, now)
	for _, key := range append(keys, "seo.title", "seo.description", "seo.noindex") {
		if DigestOf(before[key]) != DigestOf(after[key]) {
			changed = append(changed, key)
		}
	}
	return changed
}
