package site

import (
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/index"
)

// writeSpec returns the index that saves write.
func (m *Model) writeSpec() *index.IndexSpec {
	if m.Former == nil {
		return entrySpec(&m.Model)
	}
	spec := entrySpec(&m.Former.Model)
	spec.Values = func(doc any, path string) []query.Value {
		return query.Values(&m.Former.Model, m.ListedEntry(doc.(*cms.Entry)), path)
	}
	return spec
}

// readSpec returns the index that queries use. It leaves out paths whose definition has changed
// since the index was built; queries read these values from the entries.
func (m *Model) readSpec() *index.IndexSpec {
	if m.Former == nil {
		return m.writeSpec()
	}
	spec := m.writeSpec()
	spec.OrderValues = spec.Values
	spec.Values = func(doc any, path string) []query.Value {
		return query.Values(&m.Model, doc.(*cms.Entry), path)
	}
	for i, p := range spec.Paths {
		parts := p.Parts
		if parts == nil {
			parts = []string{p.Path}
		}
		if slices.ContainsFunc(parts, m.Changed) {
			spec.Paths[i] = index.IndexedPath{}
		}
	}
	return spec
}

// Changed reports whether the values at a path differ from those in the index.
func (m *Model) Changed(path string) bool {
	for _, r := range m.PendingRenames() {
		if r.Now() == r.Was() && !r.Retyped {
			continue // the index has the ids of relations, whichever models their values name
		}
		for _, name := range []string{r.Was(), r.Now()} {
			if name != "" && (path == "data."+name || strings.HasPrefix(path, "data."+name+".")) {
				return true
			}
		}
	}
	now, ok := m.Lookup(path)
	was, known := m.Former.Model.Lookup(path)
	return !ok || !known || now.Kind != was.Kind || now.List != was.List
}

// OrderChanged reports whether the default order in the index differs from that of the definition.
func (m *Model) OrderChanged() bool {
	return m.Former != nil && !slices.Equal(query.SortOrder(&m.Model), query.SortOrder(&m.Former.Model))
}

// TextChanged reports whether the texts in the search index differ from those of the definition.
func (m *Model) TextChanged() bool {
	return m.Former != nil && textKind(&m.Former.Model) != textKind(&m.Model)
}
