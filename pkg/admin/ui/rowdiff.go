package ui

import (
	"strconv"
	"strings"
	"time"

	"headless/pkg/admin/say"
)

// RowText is the title and the text of a row of a list.
type RowText struct{ Title, Text string }

// rowsPatience limits the time for the comparison of the texts of all rows.
const rowsPatience = 5 * Patience

// RowDiff compares the rows of two lists. A row that changed its position is marked as moved. A row
// with an unchanged text is shown by its first words.
func RowDiff(before, after []RowText) []DiffPart {
	from := rowsFrom(before, after)
	stays := longestRise(from)
	gone := map[int]bool{}
	for i := range before {
		gone[i] = true
	}
	for _, was := range from {
		delete(gone, was)
	}
	var parts []DiffPart
	add := func(kind, text string) { parts = append(parts, DiffPart{Kind: kind, Text: text}) }
	left, end := 0, time.Now().Add(rowsPatience)
	leave := func(until int) {
		for ; left < until; left++ {
			if gone[left] {
				add("del", rowHead(left, before[left])+before[left].Text)
				add("same", "\n")
			}
		}
	}
	for i, row := range after {
		was := from[i]
		if was < 0 {
			add("ins", rowHead(i, row)+row.Text)
			add("same", "\n")
			continue
		}
		if stays[i] {
			leave(was)
			add("same", rowHead(i, row))
		} else {
			add("same", strings.TrimSuffix(rowHead(i, row), "\n")+" ")
			parts = append(parts, DiffPart{Kind: "ins", Words: say.F("moved, was {1}", was+1)})
			add("same", "\n")
		}
		if before[was].Text == row.Text {
			add("same", firstWords(row.Text))
		} else {
			parts = append(parts, textDiff(before[was].Text, row.Text, min(Patience, time.Until(end)))...)
		}
		add("same", "\n")
	}
	leave(len(before))
	return parts
}

func rowHead(i int, row RowText) string {
	return strings.TrimSpace(strconv.Itoa(i+1)+". "+row.Title) + "\n"
}

// firstWords returns the start of a text that did not change.
func firstWords(text string) string {
	const most = 80
	line, _, more := strings.Cut(text, "\n")
	if runes := []rune(line); len(runes) > most {
		line, more = string(runes[:most]), true
	}
	if more {
		line += " …"
	}
	return line
}

// rowsFrom returns the former index of each row, -1 for a new row. A row is matched first with one
// of the same title and text, at its own index and then elsewhere. The rest is matched by title, in
// the same order.
func rowsFrom(before, after []RowText) []int {
	from, taken := make([]int, len(after)), make([]bool, len(before))
	for i := range from {
		from[i] = -1
	}
	match := func(here bool, same func(a, b RowText) bool) {
		for i, row := range after {
			for was := range before {
				if from[i] < 0 && !taken[was] && (!here || was == i) && same(before[was], row) {
					from[i], taken[was] = was, true
				}
			}
		}
	}
	equal := func(a, b RowText) bool { return a == b }
	alike := func(a, b RowText) bool { return a.Title == b.Title }
	match(true, equal)
	match(false, equal)
	match(true, alike)
	match(false, alike)
	return from
}

// longestRise marks the rows that kept their order: the longest subsequence with rising former
// indexes.
func longestRise(from []int) []bool {
	length, previous := make([]int, len(from)), make([]int, len(from))
	last := -1
	for i := range from {
		previous[i] = -1
		if from[i] < 0 {
			continue
		}
		length[i] = 1
		for j := range i {
			if from[j] >= 0 && from[j] < from[i] && length[j] >= length[i] {
				length[i], previous[i] = length[j]+1, j
			}
		}
		if last < 0 || length[i] > length[last] {
			last = i
		}
	}
	marked := make([]bool, len(from))
	for ; last >= 0; last = previous[last] {
		marked[last] = true
	}
	return marked
}
