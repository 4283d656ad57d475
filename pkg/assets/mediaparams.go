package assets

import (
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
)

// MediaFilters are the names that a list of media filters by.
func MediaFilters() []string {
	return []string{"id", "name", "size", "mime", "created_at", "alt", "folder"}
}

// MediaLookup tells the kind of what a list of media filters by; false for another name.
func MediaLookup(path string) (cms.PathInfo, bool) {
	switch path {
	case "id":
		return cms.PathInfo{Kind: cms.ValueID}, true
	case "size":
		return cms.PathInfo{Kind: cms.ValueNumber}, true
	case "created_at":
		return cms.PathInfo{Kind: cms.ValueTime}, true
	case "name", "mime", "alt", "folder":
		return cms.PathInfo{Kind: cms.ValueText}, true
	}
	return cms.PathInfo{}, false
}

// ParseMediaSort reads the sort parameter of a list of media. "" gives nil. Errors: BAD_REQUEST,
// naming what is wrong.
func ParseMediaSort(s string) ([]query.SortField, error) {
	if s == "" {
		return nil, nil
	}
	known := []string{"name", "size", "mime", "created_at"}
	var fields []query.SortField
	for name := range strings.SplitSeq(s, ",") {
		path, desc := strings.CutPrefix(name, "-")
		if !slices.Contains(known, path) {
			return nil, cms.Errorf(cms.CodeBadRequest, "Cannot sort by %q. Known: %s.", cms.Shorten(path),
				strings.Join(known, ", "))
		}
		if fields = append(fields, query.SortField{Path: path, Desc: desc}); len(fields) > query.MaxSortFields {
			return nil, cms.Errorf(cms.CodeBadRequest, "sort takes at most %d fields.", query.MaxSortFields)
		}
	}
	return fields, nil
}

// ValidateMediaFilter checks a filter on a list of media. Errors as ValidateFilter.
func ValidateMediaFilter(f query.Filter) error {
	info, ok := MediaLookup(f.Path)
	if !ok {
		return cms.UnknownName("filter", f.Path, MediaFilters()...)
	}
	return f.Check(info.Kind)
}

// MediaSearch are the filters that the parameter q of a list of media stands for: a part of the
// name. None where it is empty.
func MediaSearch(q string) []query.Filter {
	if q == "" {
		return nil
	}
	return []query.Filter{{Path: "name", Op: query.OpContains, Values: []string{q}}}
}
