// Package slice has what package slices of the standard library lacks.
package slice

import "slices"

// Map returns what f makes of each element of a list, in the same order. The result is never nil.
func Map[A, B any](list []A, f func(A) B) []B {
	made := make([]B, len(list))
	for i, v := range list {
		made[i] = f(v)
	}
	return made
}

// Filled returns the texts of a list that are not empty.
func Filled(list []string) []string {
	return Filter(list, func(text string) bool { return text != "" })
}

// Without returns the elements of a list that are not in others, nil if there are none.
func Without[T comparable](list, others []T) []T {
	return Filter(list, func(v T) bool { return !slices.Contains(others, v) })
}

// Distinct returns the elements of a list without repetitions, in the order in which they come first. The result is
// never nil.
func Distinct[T comparable](list []T) []T {
	known, distinct := make(map[T]bool, len(list)), []T{}
	for _, v := range list {
		if !known[v] {
			known[v] = true
			distinct = append(distinct, v)
		}
	}
	return distinct
}

// Filter returns the elements of a list that keep takes, nil if there are none.
func Filter[T any](list []T, keep func(T) bool) (kept []T) {
	for _, v := range list {
		if keep(v) {
			kept = append(kept, v)
		}
	}
	return kept
}
