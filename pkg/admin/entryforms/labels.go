package entryforms

import (
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
	before, after := storedValues(m, was), storedValues(m, now)
	for _, key := range append(keys, "seo.title", "seo.description", "seo.noindex") {
		if !equalValues(FieldOf(m, key), before[key], after[key]) {
			changed = append(changed, key)
		}
	}
	return changed
}
