package query

import (
	"strings"

	"headless/pkg/cms"
)

// MaxSortFields is how many names a sort parameter may hold (decisions §3).
const MaxSortFields = 8

// SortField is one name of a sort parameter.
type SortField struct {
	Path string // a column or data.<path>
	Desc bool
}

// DefaultSort is the order of lists of models that set none.
func DefaultSort() []SortField {
	return []SortField{{Path: "published_at", Desc: true}, {Path: "created_at", Desc: true}}
}

// ParseSort reads a sort parameter such as "-data.price,title" against the model. "" gives nil.
// Errors: BAD_REQUEST, naming what is wrong.
func ParseSort(m *cms.Model, s string) ([]SortField, error) {
	if s == "" {
		return nil, nil
	}
	names := strings.Split(s, ",")
	if len(names) > MaxSortFields {
		return nil, cms.Errorf(cms.CodeBadRequest, "sort takes at most %d fields.", MaxSortFields)
	}
	fields := make([]SortField, 0, len(names))
	for _, name := range names {
		path, desc := strings.CutPrefix(name, "-")
		info, ok := m.Lookup(path)
		if !ok || path == "id" || !info.Scalar() {
			return nil, cms.Errorf(cms.CodeBadRequest, "Cannot sort by %q. Known: %s.", cms.Shorten(path),
				strings.Join(m.SortFields(), ", "))
		}
		fields = append(fields, SortField{Path: path, Desc: desc})
	}
	return fields, nil
}

// SortOrder is the model's default order. A DefaultSort that no longer parses counts as none.
func SortOrder(m *cms.Model) []SortField {
	if fields, err := ParseSort(m, m.DefaultSort); err == nil && len(fields) > 0 {
		return fields
	}
	return DefaultSort()
}
