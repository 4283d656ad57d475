package ui

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"headless/pkg/admin/say"
	"headless/pkg/slice"
)

// RowText is the title and the text of a row of a list.
type RowText struct{ Title, Text string }

// rowsPatience limits the time for the comparison of the texts of all rows.
const rowsPatience = 5 * Patience

// maxRows is the number of rows of a comparison that a page shows at once.
const maxRows = 100

// nearRows is the number of unchanged rows that are shown before and after each row that changed.
const nearRows = 3

// rowPair has the indexes of a row in the former list and in the current one, -1 for a list without it.
type rowPair struct {
	was, now int
	moved    bool
}

// RowDiff compares the rows of two lists, and shows those that changed with a few around them. A row that changed its
// position is marked as moved. A row with an unchanged text is shown by its first words. At most maxRows are shown,
// from the one that the parameter of the query counts to; paging has the links to the others, nil if there are none.
// restore returns the value of the button that puts a former row back, "" for none.
func RowDiff(before, after []RowText, query url.Values, parameter string,
	restore func(was int) string) (parts []DiffPart, paging *List) {
	pairs := pairRows(before, after)
	shown := shownPairs(before, after, pairs)
	from, _ := strconv.Atoi(query.Get(parameter)) // a text that is no number counts as 0
	from = max(0, min(from, len(shown)-1)) / maxRows * maxRows
	to := min(from+maxRows, len(shown))
	if len(shown) > maxRows {
		paging = rowPages(query, parameter, from, to, len(shown))
	}
	next, end := 0, time.Now().Add(rowsPatience)
	if from > 0 {
		next = shown[from-1] + 1
	}
	for _, i := range shown[from:to] {
		if i > next {
			parts = append(parts, DiffPart{Kind: "same", Text: "…\n"})
		}
		next = i + 1
		parts = append(parts, pairDiff(before, after, pairs[i], time.Until(end))...)
		parts = append(parts, DiffPart{Kind: "same", Text: "\n"})
		if p := pairs[i]; p.was >= 0 && (p.now < 0 || before[p.was].Text != after[p.now].Text) && restore(p.was) != "" {
			row := strings.TrimSpace(rowHead(p.was, before[p.was]))
			parts = append(parts, DiffPart{Kind: "same", Text: row, Restore: restore(p.was)})
		}
	}
	if next < len(pairs) {
		parts = append(parts, DiffPart{Kind: "same", Text: "…\n"})
	}
	return parts, paging
}

// rowPages returns the range of rows that are shown, and links to those before and after.
func rowPages(query url.Values, parameter string, from, to, total int) *List {
	at := func(from int) string {
		q := maps.Clone(query)
		q.Set(parameter, strconv.Itoa(from))
		return "?" + q.Encode() + "#" + parameter
	}
	l := &List{Range: say.F("{1}–{2} of {3}", from+1, to, total)}
	if from > 0 {
		l.Prev = at(from - maxRows)
	}
	if to < total {
		l.Next = at(to)
	}
	return l
}

// pairRows matches the rows of two lists. Rows that only the former list has come before the next one that stays.
func pairRows(before, after []RowText) (pairs []rowPair) {
	from := RowsFrom(before, after, true)
	stays := longestRise(from)
	kept := make([]bool, len(before))
	for _, was := range from {
		if was >= 0 {
			kept[was] = true
		}
	}
	left := 0
	leave := func(until int) {
		for ; left < until; left++ {
			if !kept[left] {
				pairs = append(pairs, rowPair{was: left, now: -1})
			}
		}
	}
	for i, was := range from {
		if stays[i] {
			leave(was)
		}
		pairs = append(pairs, rowPair{was: was, now: i, moved: was >= 0 && !stays[i]})
	}
	leave(len(before))
	return pairs
}

// shownPairs returns the indexes of the pairs that changed, and of those near them, or of all if none changed.
func shownPairs(before, after []RowText, pairs []rowPair) (shown []int) {
	last := -1 - nearRows // index of the last pair that changed
	for i, pair := range pairs {
		if pair.was < 0 || pair.now < 0 || pair.moved || before[pair.was].Text != after[pair.now].Text {
			for near := max(last+nearRows+1, i-nearRows, 0); near < i; near++ {
				shown = append(shown, near)
			}
			last = i
		}
		if i <= last+nearRows {
			shown = append(shown, i)
		}
	}
	if shown == nil {
		for i := range pairs {
			shown = append(shown, i)
		}
	}
	return shown
}

// pairDiff returns the difference of a row.
func pairDiff(before, after []RowText, pair rowPair, patience time.Duration) (parts []DiffPart) {
	add := func(kind, text string) { parts = append(parts, DiffPart{Kind: kind, Text: text}) }
	switch {
	case pair.now < 0:
		add("del", rowHead(pair.was, before[pair.was])+before[pair.was].Text)
		return parts
	case pair.was < 0:
		add("ins", rowHead(pair.now, after[pair.now])+after[pair.now].Text)
		return parts
	}
	was, row := before[pair.was], after[pair.now]
	if pair.moved {
		add("same", strings.TrimSuffix(rowHead(pair.now, row), "\n")+" ")
		parts = append(parts, DiffPart{Kind: "ins", Words: say.F("moved, was {1}", pair.was+1)})
		add("same", "\n")
	} else {
		add("same", rowHead(pair.now, row))
	}
	if was.Text != row.Text {
		return append(parts, textDiff(was.Text, row.Text, min(Patience, patience))...)
	}
	add("same", firstWords(row.Text))
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

// RowsFrom returns the former index of each row, -1 for a new row. A row is matched first with one of the same title
// and text, at its own index and then elsewhere, and then with the one that it shares most words with. With byTitle,
// the rest is matched by title, at the same index first too.
func RowsFrom(before, after []RowText, byTitle bool) []int {
	from, taken := make([]int, len(after)), make([]bool, len(before))
	for i := range from {
		from[i] = -1
	}
	match := func(key func(RowText) RowText) {
		for i := range min(len(before), len(after)) {
			if from[i] < 0 && !taken[i] && key(before[i]) == key(after[i]) {
				from[i], taken[i] = i, true
			}
		}
		free := map[RowText][]int{}
		for was, row := range before {
			if !taken[was] {
				free[key(row)] = append(free[key(row)], was)
			}
		}
		for i, row := range after {
			if list := free[key(row)]; from[i] < 0 && len(list) > 0 {
				from[i], taken[list[0]] = list[0], true
				free[key(row)] = list[1:]
			}
		}
	}
	match(func(row RowText) RowText { return row })
	matchAlike(before, after, from, taken)
	if byTitle {
		match(func(row RowText) RowText { return RowText{Title: row.Title} })
	}
	return from
}

// maxAlike limits the pairs of rows whose words are compared.
const maxAlike = 10_000

// matchAlike matches the rows that are left with those of the same title by their words, those that share most first.
// Words that all of these rows have, such as labels, do not count.
func matchAlike(before, after []RowText, from []int, taken []bool) {
	var was, now []int
	for i, is := range taken {
		if !is {
			was = append(was, i)
		}
	}
	for i, of := range from {
		if of < 0 {
			now = append(now, i)
		}
	}
	if len(was)*len(now) > maxAlike {
		return
	}
	in := map[string]int{} // by word, how many of these rows have it
	words := func(row RowText) map[string]bool {
		set := setOf(wordsOf(row.Text))
		for word := range set {
			in[word]++
		}
		return set
	}
	had := slice.Map(was, func(i int) map[string]bool { return words(before[i]) })
	has := slice.Map(now, func(i int) map[string]bool { return words(after[i]) })
	type pair struct{ was, now, shared int }
	var pairs []pair
	for i, old := range had {
		for j, new := range has {
			n := 0
			for word := range old {
				if new[word] && in[word] < len(was)+len(now) {
					n++
				}
			}
			if n > 0 && before[was[i]].Title == after[now[j]].Title {
				pairs = append(pairs, pair{was[i], now[j], n})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return b.shared - a.shared })
	for _, p := range pairs {
		if !taken[p.was] && from[p.now] < 0 {
			from[p.now], taken[p.was] = p.was, true
		}
	}
}

// longestRise marks the rows that kept their order: the longest subsequence with rising former
// indexes.
func longestRise(from []int) []bool {
	var ends []int // ends[n] is the row with the least former index that ends a subsequence of n+1 rows
	previous := make([]int, len(from))
	for i, was := range from {
		if was < 0 {
			continue
		}
		n, _ := slices.BinarySearchFunc(ends, was, func(row, was int) int { return from[row] - was })
		if previous[i] = -1; n > 0 {
			previous[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, 0)
		}
		ends[n] = i
	}
	marked := make([]bool, len(from))
	if len(ends) == 0 {
		return marked
	}
	for row := ends[len(ends)-1]; row >= 0; row = previous[row] {
		marked[row] = true
	}
	return marked
}
