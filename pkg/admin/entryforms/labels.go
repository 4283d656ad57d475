package entryforms

import (
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/site"
)

// ChangedKeys returns the keys of the fields whose values differ between two states of an entry, in
// the order of the form.
func ChangedKeys(m *site.Model, was, now *cms.Entry) (changed []string) {
	keys := []string{"title", "slug"}
	for i := range m.Fields {
		keys = append(keys, "data."+m.Fields[i].Name)
	}
	before, after := EntryValues(m, was), EntryValues(m, now)
	for _, key := range append(keys, "seo.title", "seo.description", "seo.noindex") {
		if ui.Digest(before[key]) != ui.Digest(after[key]) {
			changed = append(changed, key)
		}
	}
	return changed
}
