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

// SortBy sorts a list by a text of each item. Items with the same text keep their order. It adds
// far less code to a binary for each type than slices.SortFunc, and is meant for short lists.
func SortBy[T any](list []T, text func(T) string) {
	sort.SliceStable(list, func(i, j int) bool { return text(list[i]) < text(list[j]) })
}

// NameOrder returns the text to sort a name by, as people expect it: case does not count, and numbers in names are
// compared by their value, so that "Model 2" comes before "Model 10".
func NameOrder(name string) string {
	const digits = "0123456789"
	var b strings.Builder
	for rest := strings.ToLower(name); rest != ""; {
		at := strings.IndexAny(rest, digits)
		if at < 0 {
			at = len(rest)
		}
		b.WriteString(rest[:at])
		after := strings.TrimLeft(rest[at:], digits)
		if number := strings.TrimLeft(rest[at:len(rest)-len(after)], "0"); at < len(rest) {
			b.WriteRune('0' + rune(len(number))) // a longer number is larger
			b.WriteString(number)
		}
		rest = after
	}
	return b.String()
}
