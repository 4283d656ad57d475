package cms

import "sort"

// SortBy sorts a list by a text of each item. Items with the same text keep their order. It adds
// far less code to a binary for each type than slices.SortFunc, and is meant for short lists.
func SortBy[T any](list []T, text func(T) string) {
	sort.SliceStable(list, func(i, j int) bool { return text(list[i]) < text(list[j]) })
}
