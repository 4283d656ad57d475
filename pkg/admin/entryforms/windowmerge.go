package entryforms

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/slice"
)

// The keys of the tree of a window.
const (
	windowFrom = "from" // number of the rows before it
	windowRows = "rows"
)

func treeOfWindow(f *cms.Field, w Window) map[string]any {
	rows := listOf(w.Rows)
	if f.IsReference() {
		f, rows = &choices, asChoices(f, w.Rows)
	}
	return map[string]any{windowFrom: float64(w.Before), windowRows: treeOf(f, rows)}
}

// choices is a field whose rows stand for the chosen entries or files of a long list, which have no ids of rows.
var choices = cms.Field{Type: cms.TypeList, Fields: []cms.Field{{Name: "to", Type: cms.TypeJSON}}}

func asChoices(f *cms.Field, values []any) any {
	return listOf(slice.Map(values, func(v any) any {
		return map[string]any{ui.RowKey: strings.Join(entrydata.Lines(*f, v), ""), "to": v}
	}))
}

// ofChoices returns the values that asChoices made rows of.
func ofChoices(rows any) []any {
	list, _ := rows.([]any)
	return slice.Map(list, func(row any) any { return row.(map[string]any)["to"] })
}

// mergeWindow merges the rows of a window with those that are stored in their place; all others stay as they are
// stored. Rows that others moved away are merged where they are now. A form that does not say which rows it showed
// changes none.
func (g merger) mergeWindow(f *cms.Field, key string, base any, mine Window, theirs any) merged {
	if f.IsReference() {
		list, _ := theirs.([]any)
		g.byID = true
		mine.Rows, _ = asChoices(f, mine.Rows).([]any)
		one := g.mergeWindow(&choices, key, base, mine, asChoices(f, list))
		shown, _ := one.shown.(Window)
		shown.Rows = ofChoices(listOf(shown.Rows))
		one.store, one.shown = listOf(ofChoices(one.store)), shown
		return one
	}
	tree, _ := base.(map[string]any)
	was, known := tree[windowRows].([]any)
	from, _ := tree[windowFrom].(float64)
	if !known || from < 0 {
		return merged{store: theirs, shown: mine, sent: base, base: base}
	}
	stored, _ := theirs.([]any)
	lo, hi, away := g.findWindow(f, was, int(from), stored)
	if g.byID { // rows that an earlier save of this form has added, whose answer was lost
		added := map[string]bool{}
		for i := range mine.Rows {
			added[idAt(mine.Rows, i)] = true
		}
		for i := range stored {
			if added[idAt(stored, i)] && (i < lo || i >= hi) {
				away[i] = true
			}
		}
	}
	near := slices.Clone(stored[lo:hi])
	for i, row := range stored {
		if away[i] {
			near = append(near, row)
		}
	}
	g.choice.Key = renumber(g.choice.Key, key, -mine.Before)
	one := g.mergeValue(f, key, was, listOf(mine.Rows), listOf(near))
	rows, _ := one.store.([]any)
	before, after, rows := putBack(stored, lo, hi, away, rows)
	shown, _ := one.shown.([]any)
	end := len(before)
	for i, c := range one.conflicts {
		one.conflicts[i].Key, one.conflicts[i].Shown = renumber(c.Key, key, mine.Before), renumber(c.Shown, "", end)
	}
	return merged{
		store: listOf(slices.Concat(before, rows, after)),
		shown: Window{Before: end, Rows: shown, After: max(0, len(rows)+len(after)-len(shown))},
		sent:  map[string]any{windowFrom: float64(mine.Before), windowRows: one.sent}, conflicts: one.conflicts,
		base: map[string]any{windowFrom: float64(end), windowRows: one.base},
	}
}

// putBack returns the stored rows before and after a window, and the merged rows of the window. A merged row that was
// stored elsewhere goes there, and one that the merge removed is not there any more.
func putBack(stored []any, lo, hi int, away map[int]bool, rows []any) (before, after, window []any) {
	if len(away) == 0 {
		return stored[:lo], stored[hi:], rows
	}
	merged := map[string]any{}
	for i := range rows {
		merged[idAt(rows, i)] = rows[i]
	}
	elsewhere := map[string]bool{}
	for i, row := range stored {
		if away[i] {
			id := idAt(stored, i)
			elsewhere[id] = true
			if row = merged[id]; row == nil {
				continue
			}
		}
		if i < lo {
			before = append(before, row)
		} else if i >= hi {
			after = append(after, row)
		}
	}
	for i, row := range rows {
		if !elsewhere[idAt(rows, i)] {
			window = append(window, row)
		}
	}
	return before, after, window
}

// findWindow returns the range of the stored rows that are those of a window now, and the indexes of rows of the
// window that are stored elsewhere. The range has most of the rows and few others.
func (g merger) findWindow(f *cms.Field, was []any, from int, stored []any) (lo, hi int, away map[int]bool) {
	at := g.placesOf(f, was, from, stored)
	found := slices.Sorted(maps.Keys(at))
	lo = min(from, len(stored))
	if hi = lo; len(found) == 0 && !g.byID {
		hi = min(from+len(was), len(stored))
	}
	start, sum, most := 0, 0, 0 // each row of the window counts 1, and each other row between them -1
	for end, i := range found {
		if end > 0 {
			sum -= i - found[end-1] - 1
		}
		if sum <= 0 {
			start, sum = end, 0
		}
		if sum++; sum > most {
			most, lo, hi = sum, found[start], i+1
		}
	}
	if len(found) > 0 && !g.byID { // those that are not known again were changed
		lo, hi = max(0, lo-at[lo]), min(len(stored), hi+len(was)-1-at[hi-1])
	}
	away = map[int]bool{}
	for _, i := range found {
		if i < lo || i >= hi {
			away[i] = true
		}
	}
	return lo, hi, away
}

// placesOf returns the index in the window of each stored row that is one of its rows, by the index where it is
// stored. Rows are known by their ids. If these are of another series, they are known by their values, near the place
// to which most rows of the window have moved together.
func (g merger) placesOf(f *cms.Field, was []any, from int, stored []any) map[int]int {
	at := map[int]int{}
	if g.byID {
		index := map[string]int{}
		for i := range was {
			index[idAt(was, i)] = i
		}
		for i := range stored {
			if in, ok := index[idAt(stored, i)]; ok {
				at[i] = in
			}
		}
		return at
	}
	index, known := map[string][]int{}, slice.Map(was, treeText)
	for i, text := range known {
		index[text] = append(index[text], i)
	}
	texts := slice.Map(stored, func(item any) string {
		row, _ := item.(map[string]any)
		return treeText(treeOfRow(f, row, ""))
	})
	votes, by := map[int]int{}, from
	for i, text := range texts {
		for _, in := range index[text] {
			votes[i-in]++
		}
	}
	for _, n := range slices.Sorted(maps.Keys(votes)) {
		if votes[n] > votes[by] || votes[n] == votes[by] && max(n-from, from-n) < max(by-from, from-by) {
			by = n
		}
	}
	for d := range len(was) {
		for _, near := range []int{by + d, by - d} {
			for in, text := range known {
				i := in + near
				if _, taken := at[i]; !taken && text != "" && i >= 0 && i < len(texts) && texts[i] == text {
					at[i], known[in] = in, ""
				}
			}
		}
	}
	return at
}

// renumber adds to the index of a row in the path of an input in a list.
func renumber(path, list string, by int) string {
	rest, ok := strings.CutPrefix(path, list+".")
	index, inner, deeper := strings.Cut(rest, ".")
	i, err := strconv.Atoi(index)
	if !ok || err != nil {
		return path
	}
	if index = strconv.Itoa(i + by); deeper {
		index += "." + inner
	}
	return list + "." + index
}
