package cms

import (
	"slices"
	"sort"
	"strings"
)

// Sort sorts a list in place and keeps the order of equal elements. All types share its code, whereas
// slices.SortFunc adds 20 KB to a function for each type of struct.
func Sort[E any](list []E, compare func(a, b E) int) {
	sort.SliceStable(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}

// SortBySlug sorts models in place.
func SortBySlug(models []*Model) {
	slices.SortFunc(models, func(a, b *Model) int { return strings.Compare(a.Slug, b.Slug) })
}

// CompareBool puts false before true.
func CompareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
