package entryforms

import (
	"headless/pkg/cms"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// Keys returns the keys of the values of an entry that a form edits, in the order of the form.
func Keys(m *site.Model) []string {
	keys := []string{"title", "slug"}
	for i := range m.Fields {
		keys = append(keys, "data."+m.Fields[i].Name)
	}
	return append(keys, "seo.title", "seo.description", "seo.noindex")
}

// Digests returns the Digest of each value of an entry that a form edits, by its key.
func Digests(m *site.Model, e *cms.Entry) map[string]string {
	digests := map[string]string{}
	for key, v := range storedValues(m, e) {
		digests[key] = Digest(FieldOf(m, key), v)
	}
	return digests
}

// ChangedKeys returns the keys of the values that differ between two states of an entry, by their Digests, in the
// order of the form.
func ChangedKeys(m *site.Model, was, now map[string]string) []string {
	return slice.Filter(Keys(m), func(key string) bool { return was[key] != now[key] })
}
