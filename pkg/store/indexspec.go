package store

import (
	"strings"

	"headless/pkg/cms"
)

// Limits of the index of one document. They keep a change of status, which moves every row and counter, and of every unique value within one
// transaction.
const (
	maxIndexedValues = 24 // rows of data fields, one less for each unique value from the second on
	maxCountedValues = 12 // of these, with a counter for each value
	listReserve      = 6  // rows kept free for a list-valued field; longer lists are found without the index
)

// defaultPath is the path whose rows stand in the default order.
const defaultPath = "_"

// indexedPath is a path that has index rows.
type indexedPath struct {
	path    string
	parts   []string // the paths of a composite index; nil for a single path
	list    bool     // several values, one row each
	counted bool     // equality has exact totals from counters
}

// indexSpec tells how the documents of one kind are listed.
type indexSpec struct {
	paths  []indexedPath
	order  []cms.SortField // the default order
	values func(doc any, path string) []cms.Value
}

// find gives the position of an indexed path, -1 where it has no rows.
func (s *indexSpec) find(path string) int {
	for i := range s.paths {
		if s.paths[i].path == path {
			return i
		}
	}
	return -1
}

// value is the one value at a scalar path, the missing value where there is none.
func (s *indexSpec) value(doc any, path string) cms.Value {
	if v := s.values(doc, path); len(v) > 0 {
		return v[0]
	}
	return cms.Value{}
}

// orderKey encodes the default order of a document.
func (s *indexSpec) orderKey(doc any) []byte {
	var key []byte
	for _, f := range s.order {
		from := len(key)
		key = appendValue(key, s.value(doc, f.Path), maxTextKey/len(s.order))
		if f.Desc {
			invert(key[from:])
		}
	}
	return key
}

// entrySpec is the index of a model's entries: the columns, then the plain fields of data in their order as far as the limits go.
func entrySpec(m *cms.Model) *indexSpec {
	spec := &indexSpec{order: m.SortOrder(), values: func(doc any, path string) []cms.Value {
		return m.Values(doc.(*cms.Entry), path)
	}}
	for _, column := range []string{"title", "slug", "created_at", "updated_at", "published_at"} {
		spec.paths = append(spec.paths, indexedPath{path: column})
	}
	rows, counted := max(0, uniqueValues(m)-1), 0
	for _, names := range m.Indexes {
		parts := dataPaths(names)
		spec.paths = append(spec.paths, indexedPath{path: "+" + strings.Join(parts, "+"), parts: parts, counted: true})
		rows, counted = rows+1, counted+1
	}
	for _, path := range indexablePaths("data", m.Fields) {
		info, _ := m.Lookup(path)
		need := 1
		if info.List {
			need = listReserve
		}
		if rows+need > maxIndexedValues {
			continue
		}
		p := indexedPath{path: path, list: info.List, counted: counted+need <= maxCountedValues && worthCounting(info)}
		rows += need
		if p.counted {
			counted += need
		}
		spec.paths = append(spec.paths, p)
	}
	return spec
}

// uniqueValues is how many values an entry reserves.
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

// dataPaths are the paths of a composite index, which a model names from data on.
func dataPaths(names []string) []string {
	paths := make([]string, len(names))
	for i, name := range names {
		paths[i] = "data." + strings.TrimPrefix(name, "data.")
	}
	return paths
}

// worthCounting leaves out what seldom has many entries of one value.
func worthCounting(info cms.PathInfo) bool {
	return info.Kind != cms.ValueTime && info.Field.Type != cms.TypeURL && !info.Field.Unique
}

// indexablePaths lists the plain fields, through groups; fields inside lists and blocks and long texts have no rows.
func indexablePaths(prefix string, fields []cms.Field) []string {
	var paths []string
	for i := range fields {
		f := &fields[i]
		path := prefix + "." + f.Name
		switch f.Type {
		case cms.TypeGroup:
			paths = append(paths, indexablePaths(path, f.Fields)...)
		case cms.TypeTextarea, cms.TypeRichText, cms.TypeJSON, cms.TypeList, cms.TypeBlocks:
		default:
			paths = append(paths, path)
		}
	}
	return paths
}
