package ui

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/admin/say"
	"headless/pkg/cms"
)

// Pages list the first problems, and programs get all of them.
const (
	MaxProblems = 100 // on a page
	MaxInCell   = 10  // in a cell of a table
)

// FirstProblems returns up to limit messages, in the order of paths, and the number of the others.
func FirstProblems(p cms.Problems, limit int) (first cms.Problems, left int) {
	first = cms.Problems{}
	for _, path := range sortedPaths(p) {
		n := min(limit, len(p[path]))
		if n > 0 {
			first[path] = p[path][:n]
		}
		limit -= n
		left += len(p[path]) - n
	}
	return first, left
}

// sortedPaths returns the paths of problems with rows in the order of their numbers.
func sortedPaths(p cms.Problems) []string {
	return slices.SortedFunc(maps.Keys(p), func(a, b string) int {
		return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(a, b string) int {
			m, notNumber := strconv.Atoi(a)
			n, err := strconv.Atoi(b)
			if notNumber != nil || err != nil {
				return strings.Compare(a, b)
			}
			return m - n
		})
	})
}

// MoreProblems says how many problems a page leaves out.
func MoreProblems(n int) say.Text {
	return say.N(n, "{1} more problem is not listed here.", "{1} more problems are not listed here.")
}

// ProblemLines returns the first problems, each after the label of its path, and the number of the others. A path
// whose label is "" has none.
func ProblemLines(p cms.Problems, limit int, label func(path string) say.Text) (lines []say.Text) {
	first, left := FirstProblems(p, limit)
	for _, path := range sortedPaths(first) {
		at := label(path)
		for _, message := range first[path] {
			line := say.Known(message)
			if at != "" {
				line = say.F("{1}: {2}", at, line)
			}
			lines = append(lines, line)
		}
	}
	if left > 0 {
		lines = append(lines, MoreProblems(left))
	}
	return lines
}
