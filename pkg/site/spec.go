package site

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/index"
	"headless/pkg/index/totals"
	"headless/pkg/slice"
)

// CountEntries counts a model's entries of all statuses in some locales.
func (s *Store) CountEntries(ctx context.Context, m *Model, locales []string) (int, error) {
	locales = cms.PermissionsOf(ctx).Locales(cms.ActionRead, m.Slug, locales)
	n, err := totals.Of(ctx, s.DB, m.Spaces(locales, cms.Statuses), totals.All)
	if err != nil {
		return 0, err
	}
	return n[0], nil
}

// entrySpec returns the index of a model's entries: the columns, then the scalar fields of data in
// their order, up to the limits.
func entrySpec(m *cms.Model) *index.IndexSpec {
	spec := &index.IndexSpec{Order: query.SortOrder(m), Values: func(doc any, path string) []query.Value {
		return query.Values(m, doc.(*cms.Entry), path)
	}}
	for _, column := range []string{"title", "slug", "created_at", "updated_at", "published_at"} {
		spec.Paths = append(spec.Paths, index.IndexedPath{Path: column})
	}
	if m.Tree { // first, so that every row has their values (see index.IndexSpec.Scalars)
		spec.Paths = append([]index.IndexedPath{{Path: cms.ColumnParent}, {Path: cms.ColumnPosition}}, spec.Paths...)
	}
	rows, counted := max(0, uniqueValues(m)-1), 0
	for _, names := range m.Indexes {
		parts := dataPaths(names)
		spec.Paths = append(spec.Paths, index.IndexedPath{Path: "+" + strings.Join(parts, "+"),
			Parts: parts, Counted: true})
		rows, counted = rows+1, counted+1
	}
	for _, path := range indexablePaths("data", m.Fields) {
		info, _ := m.Lookup(path)
		need := 1
		if info.List {
			need = index.ListReserve
		}
		if rows+need > index.MaxIndexedValues {
			continue
		}
		p := index.IndexedPath{Path: path, List: info.List,
			Counted: counted+need <= index.MaxCountedValues && worthCounting(info)}
		rows += need
		if p.Counted {
			counted += need
		}
		spec.Paths = append(spec.Paths, p)
	}
	return spec
}

// uniqueValues returns how many values an entry reserves.
func uniqueValues(m *cms.Model) int {
	n := 0
	if m.Kind == cms.KindSingle {
		n++
	}
	for i := range m.Fields {
		if m.Fields[i].Unique {
			n++
		}
	}
	return n
}

// dataPaths adds the prefix "data." to the names in a composite index.
func dataPaths(names []string) []string {
	return slice.Map(names, func(name string) string { return "data." + strings.TrimPrefix(name, "data.") })
}

// worthCounting reports whether a path often has many entries with the same value.
func worthCounting(info cms.PathInfo) bool {
	return info.Kind != cms.ValueTime && info.Field.Type != cms.TypeURL && !info.Field.Unique
}

// indexablePaths lists the scalar fields, including those in groups. Fields inside lists and
// blocks, and long texts, have no index rows.
func indexablePaths(prefix string, fields []cms.Field) []string {
	var paths []string
	for i := range fields {
		f := &fields[i]
		path := prefix + "." + f.Name
		switch {
		case f.Type == cms.TypeGroup:
			paths = append(paths, indexablePaths(path, f.Fields)...)
		case f.IsShort():
			paths = append(paths, path)
		}
	}
	return paths
}

// indexKinds summarizes what each path of a model's index depends on. If two summaries are equal,
// the index of one definition serves the other. The default path has what all paths depend on.
func indexKinds(m *cms.Model) map[string]string {
	spec := entrySpec(m)
	kinds := map[string]string{index.DefaultPath: fmt.Sprintf("%t %s %v", m.Localized, m.Kind, spec.Order)}
	for _, p := range spec.Paths {
		kind := fmt.Sprintf("%v %t %t", p.Parts, p.List, p.Counted)
		for _, path := range append([]string{p.Path}, p.Parts...) {
			if info, ok := m.Lookup(path); ok {
				kind += " " + info.Kind.String()
			}
		}
		kinds[p.Path] = kind
	}
	return kinds
}

// indexPaths returns the paths in the order of their values in the rows.
func indexPaths(m *cms.Model) []string {
	return slice.Map(entrySpec(m).Paths, func(p index.IndexedPath) string { return p.Path })
}

// uniqueKind summarizes which values are reserved.
func uniqueKind(m *cms.Model) string {
	kind := ""
	for _, f := range m.Fields {
		if f.Unique {
			kind += f.Name + "\n"
		}
	}
	return kind
}

// HidesText reports whether keys without an admin role must not see a field in the current search
// index.
func (m *Model) HidesText() bool {
	all := m.Listed()
	visible := all.Visible()
	return visible != all && fmt.Sprint(searchablePaths(visible.Fields)) != fmt.Sprint(searchablePaths(all.Fields))
}

// HidesMore reports whether the search index still has a field for keys without an admin role that
// the new definition hides from them.
func (m *Model) HidesMore() bool {
	now := searchablePaths(m.Visible().Fields)
	return slices.ContainsFunc(searchablePaths(m.Listed().Visible().Fields),
		func(path string) bool { return !slices.Contains(now, path) })
}

func searchablePaths(fields []cms.Field) []string {
	var paths []string
	for i := range fields {
		if fields[i].Searchable {
			paths = append(paths, fields[i].Name+" "+string(fields[i].Type))
		}
		for _, below := range searchablePaths(fields[i].Fields) {
			paths = append(paths, fields[i].Name+"."+below)
		}
	}
	return paths
}

// analyzerVersion must grow when texts are split into terms differently, so that all models are
// reindexed.
const analyzerVersion = 2

// textKind summarizes what the text index of a model depends on.
func textKind(m *cms.Model) string {
	return fmt.Sprintf("%d text %q public %q", analyzerVersion, searchablePaths(m.Fields),
		searchablePaths(m.Visible().Fields))
}
