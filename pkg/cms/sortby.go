package cms

import "sort"

// SortBy sorts a list by a text of each item; items with the same text keep their order. It takes
// far less of a program for each type than slices.SortFunc does, and is meant for short lists.
func SortBy[T any](list []T, text func(T) string) {
	sort.SliceStable(list, func(i, j int) bool { return text(list[i]) < text(list[j]) })
}
