package query

import (
	"slices"
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
	return parseSort(s, m.SortFields, func(path string) bool {
		info, ok := m.Lookup(path)
		return ok && path != "id" && info.Scalar()
	})
}

// ParseSortBy is ParseSort for a list that can be sorted by the paths known.
func ParseSortBy(s string, known ...string) ([]SortField, error) {
	if s == "" {
		return nil, nil
	}
	return parseSort(s, func() []string { return known }, func(path string) bool { return slices.Contains(known, path) })
}

// parseSort parses a sort parameter that is not empty. known lists the paths for the message of an error.
func parseSort(s string, known func() []string, isKnown func(path string) bool) ([]SortField, error) {
	names := strings.Split(s, ",")
	if len(names) > MaxSortFields {
		return nil, cms.Errorf(cms.CodeBadRequest, "sort takes at most %d fields.", MaxSortFields)
	}
	fields := make([]SortField, 0, len(names))
	for _, name := range names {
		path, desc := strings.CutPrefix(name, "-")
		if !isKnown(path) {
			return nil, cms.Errorf(cms.CodeBadRequest, "Cannot sort by %q. Known: %s.", cms.Shorten(path),
				strings.Join(known(), ", "))
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
