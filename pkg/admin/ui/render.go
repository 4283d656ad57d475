package ui

import (
	"cmp"
	"html/template"
	"slices"
	"strings"

	"headless/pkg/admin/say"
	"headless/pkg/cms"
)

// MenuGroup is a titled part of the menu.
type MenuGroup struct {
	Title say.Text
	Items []MenuItem
}

// MenuItem is an item of the menu, or a tab of a page.
type MenuItem struct {
	Link
	Icon  string
	Here  bool
	Aside bool   // a tab beside the form, in the menu where there is no room
	Pane  string // name of the pane beside the form that shows it, "" for none
	Count int    // number of unread or open items, hidden if 0
	// Counts says what Count counts, as "unread".
	Counts say.Text
	New    string // URL to create an item, "" if the user may not
}

// View is the data of the layout template.
type View struct {
	*Page
	Site  string // its name
	Lang  *say.Language
	User  *cms.User
	Role  say.Text // name of the role of User
	CSRF  string
	Menu  []MenuGroup
	Guide string // path of the guide to the page, below /docs; "" for none
	Here  string
	Tag   string
	Done  say.Text // message about the last change
	ID    string
	Media string       // origin of stored files, "" for the origin of the page
	Fresh bool         // the browser has not cached the style sheets and scripts
	Sheet template.CSS // all styles of the page if Fresh
}

// broken marks where long words in a table cell may continue on the next line. Without the marks,
// browsers would break URLs anywhere and make the column too narrow.
func broken(s string) template.HTML {
	const whole, piece = 20, 24 // in characters
	var b strings.Builder
	for word := range strings.SplitAfterSeq(s, " ") {
		runes, since := []rune(word), 0
		for i, r := range runes {
			b.WriteString(template.HTMLEscapeString(string(r)))
			since++
			if len(runes) > whole && i < len(runes)-1 && (since == piece || strings.ContainsRune("@./_:-=&?", r)) {
				b.WriteString("<wbr>")
				since = 0
			}
		}
	}
	return template.HTML(b.String()) // every character is escaped above
}

// fieldView adds the URL of the form to a field, for the buttons that ask for a step.
type fieldView struct {
	Field
	Action string
}

// ButtonView is a button with the URL of its form.
type ButtonView struct {
	Button
	Action string
}

type choiceView struct {
	Choice
	Action string
}

type listView struct {
	*List
	Name say.Text // what the table lists, for readers of screens
	CSRF string
}

// HasActions reports whether a row has buttons.
func (v listView) HasActions() bool {
	return slices.ContainsFunc(v.Rows, func(r Row) bool { return len(r.Actions) > 0 })
}

// Span returns the number of columns of the table.
func (v listView) Span() int {
	n := len(v.Columns)
	if v.Bulk != nil {
		n++
	}
	if v.HasActions() {
		n++
	}
	return n
}

// sentView is a form with the token that it sends.
type sentView struct {
	*Form
	CSRF string
}

// remarkView is a comment on an entry, with the path of the entry.
type remarkView struct {
	Item     any
	At, CSRF string
}

type localeView struct {
	LocaleTab
	CSRF string
}

type actionView struct {
	Action
	CSRF string
}

// actionsView is the actions beside the title of a page.
type actionsView struct {
	all  []Action
	CSRF string
}

// Shown returns the actions that are buttons: all if they are few, else the first and the primary one. More returns the
// others, for a menu.
func (v actionsView) Shown() []Action { return v.pick(func(a Action) bool { return a.Primary }) }

func (v actionsView) More() []Action {
	if len(v.all) < 4 {
		return nil
	}
	return v.pick(func(a Action) bool { return !a.Primary })[1:]
}

func (v actionsView) pick(picks func(Action) bool) (list []Action) {
	for i, a := range v.all {
		if i == 0 || len(v.all) < 4 || picks(a) {
			list = append(list, a)
		}
	}
	return list
}

// File returns the name of the template that shows the content of the page.
func (p *Page) File() string {
	switch {
	case p.Error != nil:
		return "error"
	case p.Template != "":
		return p.Template
	case p.Login != nil:
		return "login"
	case p.List != nil:
		return "list"
	case p.Detail != nil:
		return "detail"
	case p.Form != nil:
		return "form"
	}
	return ""
}

// doneWords are messages about the last change, by the query parameter ok.
var doneWords = map[string]say.Text{
	"created":     "Created.",
	"started":     "The models and their first entries are there. Open them below.",
	"saved":       "Saved.",
	"waiting":     "Saved in the draft: publish it to show it.",
	"deleted":     "Deleted.",
	"trashed":     "Deleted: the entry is in the trash.",
	"published":   "Published: everybody can read it.",
	"unpublished": "Unpublished: readers do not find it any more.",
	"drafted":     "Restored as a draft: publish it to show it.",
	"restored":    "Restored.",
	"sent":        "On its way: the log below shows the answer in a moment.",
	"mailed":      "A mail is on its way.",
	"forgot":      "If there is an account with this address, it gets a link for a new password.",
	"password":    "A new password was set for your account.",
	"approved":    "Approved: the program signs in within seconds. You can close this page.",
	"denied":      "Denied: the program is not signed in.",
	"done":        "Done.",
	"some":        "Some could not be changed.",
	"none":        "Nothing was selected.",
}

// DoneWords returns the message about the last change for the query parameter ok. Other values give
// "", so that a URL cannot put its own text on a page.
func DoneWords(ok string) say.Text { return cmp.Or(doneWords[ok], undoneWords(ok)) }

type bulkView struct {
	*Bulk
	CSRF string
}
