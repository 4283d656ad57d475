package ui

import (
	"slices"
	"strings"
	"time"

	"headless/pkg/admin/say"
	"headless/pkg/slice"
	"headless/pkg/views"
)

// List is a table with paging.
type List struct {
	Columns  []say.Text
	Rows     []Row
	Pictures bool // rows have pictures before their first cells
	Create   *Link
	Empty    say.Text // text for a list without rows
	Filters  []Field  // inputs of the form above the table, which reloads the page
	Chips    []Chip   // filters that are set
	Links    []Link   // links beside Create
	Actions  []Action // buttons beside Create
	Total    int
	Range    say.Text // "1–25 of 310"
	Note     say.Text // below the rows, as for how long they are kept
	Pages    []Tab    // links to pages by number; a gap has no URL

	Views  *ViewBar // saved views, below the tabs
	Tabs   []Tab    // the same list by state, above the filters
	Heads  []Head   // headers of Columns, if the table can be sorted
	Choose *Chooser // form to choose the columns
	Bulk   *Bulk    // actions for several rows
	Pane   *Pane    // the opened row, beside the table
	Clear  string   // URL without filters, "" if none is set
	Enter  string   // step that the Enter key starts in the filters; "" sends them

	Prev, Next string // URLs of the previous and next page, "" for none

	Elsewhere *Link // to rows that the choice of language leaves out, nil for none
}

// KeptFor says for how many days rows are kept.
func KeptFor(days int) say.Text { return say.N(days, "Kept for {1} day.", "Kept for {1} days.") }

// Head returns the header of a column. It has only a title if the table cannot be sorted by the
// column.
func (l *List) Head(i int) Head {
	if i < len(l.Heads) {
		return l.Heads[i]
	}
	return Head{Title: l.Column(i)}
}

// Column returns the title of a column, "" if it does not exist.
func (l *List) Column(i int) say.Text {
	if i < len(l.Columns) {
		return l.Columns[i]
	}
	return ""
}

// HasForm reports whether a row has a form.
func (l *List) HasForm() bool {
	return slices.ContainsFunc(l.Rows, func(r Row) bool { return r.Form != nil })
}

// Row is a row of a table. Href is the link of its first cell. ID is its value in bulk actions. In a
// tree, Level counts from 1, and Parent is the id of the row that it is below.
type Row struct {
	ID      string
	Level   int
	Parent  string
	Here    bool // the row is open in the pane
	Href    string
	Image   string // URL of the picture before the first cell of a list with Pictures, "" for none
	Cells   []Cell
	Actions []Action
	Form    *Form // shown in place of the cells
}

// Dashes stand before the title of a row in a tree and show its level, for readers of screens too.
func (r Row) Dashes() string { return strings.Repeat("— ", max(0, r.Level-1)) }

// Name is the text of the first cell.
func (r Row) Name() say.Text {
	if len(r.Cells) == 0 {
		return ""
	}
	first := r.Cells[0]
	if at, err := time.Parse(time.RFC3339, first.Text.String()); first.Kind == "time" && err == nil {
		return say.Moment(at)
	}
	return first.Text
}

// NamedActions are the actions of the row, of which each says the row to readers of screens.
func (r Row) NamedActions() []Action {
	return slice.Map(r.Actions, func(a Action) Action { return a.Of(r.Name()) })
}

// Tab links to one of several lists of the same items, or to one of several beginnings of a form. Count is "" if it is
// unknown, and Image is the URL of a picture, "" for none.
type Tab struct {
	Text, Count say.Text
	Href, Image string
	Here        bool
}

// Head is the header of a column. Href is the URL that sorts by the column. Order is ascending,
// descending or "".
type Head struct {
	Title       say.Text
	Href, Order string
}

// Chooser is a form that chooses the columns of a list. Hidden holds the other query parameters.
type Chooser struct {
	Field  Field
	Hidden []Field
}

// Bulk is a form for the selected rows. All is the label of a checkbox that selects all matches, ""
// for none.
type Bulk struct {
	Action  string
	Hidden  []Field
	Buttons []BulkButton
	All     say.Text
	One     string  // what a row is, "row" by default
	Fields  []Field // inputs before the buttons
}

// barButtons is how many of many buttons stand in the bar. A menu has the others.
const barButtons = 5

func (b *Bulk) cut() int {
	if len(b.Buttons) <= barButtons+1 { // a menu of one button saves no room
		return len(b.Buttons)
	}
	return barButtons
}

// Shown returns the buttons in the bar.
func (b *Bulk) Shown() []BulkButton { return b.Buttons[:b.cut()] }

// More returns the buttons in the menu of the bar.
func (b *Bulk) More() []BulkButton { return b.Buttons[b.cut():] }

// BulkButton is a button that sends Bulk with an action.
type BulkButton struct {
	Label  say.Text
	Name   string // "action" by default
	Value  string
	Action string // URL that gets the form, "" for that of Bulk
	Danger bool
}

// Pane shows the opened row beside the list.
type Pane struct {
	Title  say.Text
	Href   string // URL of its own page
	Detail *Detail
}

// ViewBar is the saved views above a list, and the form that saves the current list as a view.
type ViewBar struct {
	Tabs   []Tab
	Action string
	Query  string
	Here   *views.View // the current view
	Delete *Action     // deletes Here, nil if the user may not
}

type viewsView struct {
	*ViewBar
	CSRF string
}
