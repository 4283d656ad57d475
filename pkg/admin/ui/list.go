package ui

import "headless/pkg/views"

// List is a table with paging.
type List struct {
	Columns []string
	Rows    []Row
	Create  *Link
	Empty   string  // what is said where there are no rows
	Filters []Field // a form above the table that loads the page again
	Links   []Link  // beside Create
	Total   int
	Prev    string // addresses of the neighbouring pages, "" where there are none
	Next    string
	Range   string // "1–25 of 310"

	Views  *ViewBar // saved views, below the tabs
	Tabs   []Tab    // lists of the same things by state, above the filters
	Heads  []Head   // of Columns, where the table can be sorted
	Choose *Chooser // which columns are shown
	Bulk   *Bulk    // what can be done with several rows
	Pane   *Pane    // the opened row, beside the table
	Clear  string   // address without filters, "" where none is set
}

// Head returns the header of a column: its title alone where the table cannot be sorted by it.
func (l *List) Head(i int) Head {
	if i < len(l.Heads) {
		return l.Heads[i]
	}
	return Head{Title: l.Column(i)}
}

// Column is the title of a column, "" where there is none.
func (l *List) Column(i int) string {
	if i < len(l.Columns) {
		return l.Columns[i]
	}
	return ""
}

// Row is one line of a table; Href is where its first cell leads. ID is what a bulk action gets.
type Row struct {
	ID      string
	Here    bool // it is open in the pane
	Href    string
	Cells   []Cell
	Actions []Action
}

// Tab leads to one of several lists of the same things. Count is "" where it is not known.
type Tab struct {
	Text, Href, Count string
	Here              bool
}

// Head is the header of a column. Href sorts by it, Order is ascending, descending or "".
type Head struct{ Title, Href, Order string }

// Chooser is a form that chooses the columns of a list; Hidden keeps the rest of the address.
type Chooser struct {
	Field  Field
	Hidden []Field
}

// Bulk is a form about the selected rows. All is the text of a box that selects every match, "" for
// none.
type Bulk struct {
	Action  string
	Name    string // of the buttons' values; "" is action
	Hidden  []Field
	Buttons []BulkButton
	All     string
}

// BulkButton sends Bulk with an action.
type BulkButton struct {
	Label, Value string
	Danger       bool
}

// Pane is what a list shows beside its rows: the opened one.
type Pane struct {
	Title, Href string // of its own page
	Detail      *Detail
}

// ViewBar are the views above a list, and the form that saves the list as it is.
type ViewBar struct {
	Tabs   []Tab
	Action string
	Query  string
	Here   *views.View // the one that is shown
	Delete *Action     // of Here, where the user may
}

type viewsView struct {
	*ViewBar
	CSRF string
}
