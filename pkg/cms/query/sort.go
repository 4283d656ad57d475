package query

import (
	"strings"

	"headless/pkg/cms"
)

// MaxSortFields is the maximum number of fields in a sort parameter (decisions §3).
const MaxSortFields = 8

// SortField is one field of a sort parameter.
type SortField struct {
	Path string // a column or data.<path>
	Desc bool
}

// DefaultSort returns the order of lists for models that set none.
func DefaultSort() []SortField {
	return []SortField{{Path: "published_at", Desc: true}, {Path: "created_at", Desc: true}}
}

// ParseSort reads a sort parameter such as "-data.price,title" and checks it against the model. It
// returns nil for "". Errors: BAD_REQUEST, naming the fault.
func ParseSort(m *cms.Model, s string) ([]SortField, error) {
	if s == "" {
		return nil, nil
	}
	if m.Tree && s == cms.SortTree { // see search.List
		return []SortField{{Path: cms.SortTree}}, nil
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

// SortOrder returns the model's default order. It ignores a DefaultSort that no longer parses.
func SortOrder(m *cms.Model) []SortField {
	if fields, err := ParseSort(m, m.DefaultSort); err == nil && len(fields) > 0 {
		return fields
	}
	return DefaultSort()
}
