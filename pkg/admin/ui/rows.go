package ui

import (
	"cmp"
	"crypto/rand"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/admin/say"
)

// RowKey is the name of the hidden input with the id of a row, below the row. Ids live as long as
// the form: they say which row of the opened form a row is, wherever it was moved.
const RowKey = "_id"

// NewRowID returns the id of a row that was added to a form.
func NewRowID() string { return rand.Text()[:10] }

// NewRow adds an empty row to a posted form. kind is the type of a block, "" for other rows.
func NewRow(form url.Values, row, kind string) {
	if form.Set(row+"."+RowKey, NewRowID()); kind != "" {
		form.Set(row+".type", kind)
	}
}

// MoveRow moves a row to another index. The rows between are shifted by one.
func MoveRow(form url.Values, list string, from, to int) {
	if from < 0 || to < 0 {
		return
	}
	Reindex(form, list, func(i int) int {
		switch {
		case i == from:
			return to
		case from < i && i <= to:
			return i - 1
		case to <= i && i < from:
			return i + 1
		}
		return i
	})
}

// CopyRow inserts a copy of a row after it.
func CopyRow(form url.Values, list string, at int) {
	Reindex(form, list, RoomAt(at+1))
	row, next := list+"."+strconv.Itoa(at), list+"."+strconv.Itoa(at+1)
	for name, v := range maps.Clone(form) {
		if Within(name, row) {
			form[next+name[len(row):]] = slices.Clone(v)
		}
	}
	form.Set(next+"."+RowKey, NewRowID())
}

// RoomAt returns a function for Reindex that shifts the rows from index i on by one.
func RoomAt(at int) func(int) int {
	return func(i int) int {
		if i >= at {
			return i + 1
		}
		return i
	}
}

// Reindex changes the index of every row of a list to next(index).
func Reindex(form url.Values, list string, next func(index int) int) {
	RenameRows(form, func(name string) (string, bool) {
		rest, ok := strings.CutPrefix(name, list+".")
		index, inner, deeper := strings.Cut(rest, ".")
		i, err := strconv.Atoi(index)
		if !ok || !deeper || err != nil || i < 0 {
			return name, true
		}
		return list + "." + strconv.Itoa(next(i)) + "." + inner, true
	})
}

// PutRow moves a row to a place in another list, in which the rows from there on move down.
func PutRow(form url.Values, from, to string) {
	const aside = "\x00" // no input has this name
	move := func(row, to string) {
		RenameRows(form, func(name string) (string, bool) {
			if inner, ok := strings.CutPrefix(name, row+"."); ok {
				return to + "." + inner, true
			}
			return name, true
		})
	}
	list, index := CutLast(to)
	if at, err := strconv.Atoi(index); err == nil {
		move(from, aside)
		Reindex(form, list, RoomAt(at))
		move(aside, to)
	}
}

// RenameRows renames every input to the result of next, and removes the inputs for which keep is
// false.
func RenameRows(form url.Values, next func(name string) (string, bool)) {
	renamed := url.Values{}
	for name, v := range form {
		if name, keep := next(name); keep {
			renamed[name] = v
		}
	}
	clear(form)
	maps.Copy(form, renamed)
}

// MoveValue swaps a value with the nearest value that is not empty, in the direction by: 1 or -1.
func MoveValue(values []string, value string, by int) {
	at := slices.Index(values, value)
	for to := at + by; at >= 0 && to >= 0 && to < len(values); to += by {
		if values[to] != "" {
			values[at], values[to] = values[to], values[at]
			return
		}
	}
}

// Within reports whether an input belongs to a row.
func Within(name, row string) bool { return strings.HasPrefix(name, row+".") }

// CutLast splits the name of a field at its last dot.
func CutLast(name string) (before, last string) {
	i := strings.LastIndex(name, ".")
	return name[:max(i, 0)], name[i+1:]
}

// WithRows turns a field into rows that can be added, removed and moved. one is the word for a row.
// add holds the types of rows that can be added; each Value is an argument of the step.
func WithRows(field Field, rows []Field, one say.Text, add ...Option) Field {
	field.Kind = "rows"
	for i := range rows {
		row := &rows[i]
		row.Kind, row.Kept = "group", true
		if i > 0 {
			row.Buttons = append(row.Buttons, Button{Text: "↑", Label: say.F("Move up: {1}", row.Label),
				Do: "up " + row.Name, To: rows[i-1].Name})
		}
		if i < len(rows)-1 {
			row.Buttons = append(row.Buttons, Button{Text: "↓", Label: say.F("Move down: {1}", row.Label),
				Do: "down " + row.Name, To: rows[i+1].Name})
		}
		row.Buttons = append(row.Buttons, Button{Text: "Remove", Label: say.F("Remove: {1}", row.Label),
			Do: "remove " + row.Name, To: field.Name})
	}
	field.Fields = rows
	next := field.Name + "." + strconv.Itoa(field.Page.First()+len(rows))
	for _, kind := range add {
		text := say.F("Add {1}", cmp.Or(one, kind.Label))
		if one != "" && kind.Label != "" {
			text = say.F("Add {1} {2}", one, kind.Label)
		}
		field.Buttons = append(field.Buttons,
			Button{Text: text, Do: strings.TrimSpace("add " + field.Name + " " + kind.Value), To: next})
	}
	return field
}

// RowPage says which part of a long list a form shows.
type RowPage struct {
	Before, Shown, After int  // numbers of rows
	Links                bool // for a form that cannot be sent
}

// String returns the value of the hidden input of a list, "" for a list that is shown as a whole.
func (p *RowPage) String() string {
	if p == nil {
		return ""
	}
	return strconv.Itoa(p.Before) + " " + strconv.Itoa(p.After)
}

// First returns the index of the first row that is shown.
func (p *RowPage) First() int {
	if p == nil {
		return 0
	}
	return p.Before
}

// Range says which rows are shown.
func (p *RowPage) Range() say.Text {
	return say.F("{1}–{2} of {3}", p.Before+1, p.Before+p.Shown, p.Total())
}

// Prev returns the number of the last row of the page before, with a minus sign, "" for none.
func (p *RowPage) Prev() string {
	if p.Before == 0 {
		return ""
	}
	return strconv.Itoa(-p.Before)
}

// Next returns the number of the first row of the next page, "" for none.
func (p *RowPage) Next() string {
	if p.After == 0 {
		return ""
	}
	return strconv.Itoa(p.Before + p.Shown + 1)
}

// Total returns the number of rows of the list.
func (p *RowPage) Total() int { return p.Before + p.Shown + p.After }

// Part returns which part of its list the field shows, as its hidden input has it.
func (f Field) Part() string { return f.Page.String() }

// HasPages reports whether one of the fields, at any depth, shows a part of a list.
func HasPages(fields []Field) bool {
	return slices.ContainsFunc(fields, func(f Field) bool { return f.Page != nil || HasPages(f.Fields) })
}
