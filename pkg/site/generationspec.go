package site

import (
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/index"
)

// writeSpec is the index that a save writes.
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

// readSpec is the index as queries use it: what the definition has changed since is left out, and
// looked for in the entries.
func (m *Model) readSpec() *index.IndexSpec {
	if m.Former == nil {
		return m.writeSpec()
	}
	spec := m.writeSpec()
	spec.OrderValues = spec.Values
	spec.Values = func(doc any, path string) []query.Value {
		return query.Values(&m.Model,
			doc.(*cms.Entry), path)
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

// Changed reports whether the values at a path are others than in the definition by which entries
// are listed.
func (m *Model) Changed(path string) bool {
	for _, r := range m.PendingRenames() {
		for _, name := range []string{plainPath(r.From), r.newPath()} {
			if name != "" && (path == "data."+name || strings.HasPrefix(path, "data."+name+".")) {
				return true
			}
		}
	}
	now, ok := m.Lookup(path)
	was, known := m.Former.Model.Lookup(path)
	return !ok || !known || now.Kind != was.Kind || now.List != was.List
}

// OrderChanged reports whether lists that name no order come in another one than the definition
// says.
func (m *Model) OrderChanged() bool {
	return m.Former != nil && !slices.Equal(query.SortOrder(&m.Model), query.SortOrder(&m.Former.Model))
}

// TextChanged reports whether the texts by which entries are found now differ from those of the
// definition.
func (m *Model) TextChanged() bool {
	return m.Former != nil && textKind(&m.Former.Model) != textKind(&m.Model)
}
