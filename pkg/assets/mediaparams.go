package assets

import (
	"headless/pkg/cms"
	"headless/pkg/cms/query"
)

// MediaFilters lists the names that filters of a list of media may use.
func MediaFilters() []string {
	return []string{"id", "name", "size", "mime", "created_at", "alt", "folder", tagPath}
}

// mediaLookup returns the kind of a filter of a list of media; ok is false for an unknown name.
func mediaLookup(path string) (info cms.PathInfo, ok bool) {
	switch path {
	case "id":
		return cms.PathInfo{Kind: cms.ValueID}, true
	case "size":
		return cms.PathInfo{Kind: cms.ValueNumber}, true
	case "created_at":
		return cms.PathInfo{Kind: cms.ValueTime}, true
	case "name", "mime", "alt", "folder":
		return cms.PathInfo{Kind: cms.ValueText}, true
	case tagPath:
		return cms.PathInfo{Kind: cms.ValueText, List: true}, true
	}
	return cms.PathInfo{}, false
}

// ParseMediaSort reads the sort parameter of a list of media. It returns nil for "". Errors:
// BAD_REQUEST, naming the fault.
func ParseMediaSort(s string) ([]query.SortField, error) {
	return query.ParseSortBy(s, "name", "size", "mime", "created_at")
}

// ValidateMediaFilter checks a filter on a list of media. Errors are those of query.ValidateFilter.
func ValidateMediaFilter(f query.Filter) error {
	info, ok := mediaLookup(f.Path)
	if !ok {
		return cms.UnknownName("filter", f.Path, MediaFilters()...)
	}
	return f.Check(info.Kind)
}

// MediaSearch returns the filters for the parameter q of a list of media, which is a part of the
// name. It returns none for "".
func MediaSearch(q string) []query.Filter {
	if q == "" {
		return nil
	}
	return []query.Filter{{Path: "name", Op: query.OpContains, Values: []string{q}}}
}

// LibrarySearch is MediaSearch with the tags of files.
func LibrarySearch(q string) []query.Filter {
	filters := MediaSearch(q)
	for i := range filters {
		filters[i].Path = mediaWordsPath
	}
	return filters
}
