package ui

import (
	"html/template"
	"slices"
	"strings"
	"time"

	"headless/pkg/cms"
)

// MenuGroup is a titled part of the menu.
type MenuGroup struct {
	Title string
	Items []MenuItem
}

// MenuItem is a line of the menu, or a tab of a page.
type MenuItem struct {
	Link
	Icon  string
	Here  bool
	Count int    // what waits there, shown where it is not 0
	New   string // where to make another one, "" where the user may not
}

// View is what the layout sees.
type View struct {
	*Page
	User  *cms.User
	CSRF  string
	Menu  []MenuGroup
	Here  string
	Tag   string
	Done  string // what the last change did
	ID    string
	Media string // origin of the files of the library, where it is another one
	Fresh bool   // the browser has no files of the pages yet
}

// Day shows a timestamp to people, in UTC and to the minute; the page has the rest in its title and
// pages.js shows it in the reader's zone. Date and time stay whole where lines break.
func Day(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return s
	}
	return t.UTC().Format("2\u00a0Jan\u00a02006, 15:04\u00a0UTC")
}

// broken is a text of a table with the places where its long words may go on in the next line;
// without them a browser would cut addresses anywhere, and narrow the column to do so.
func broken(s string) template.HTML {
	const whole, piece = 20, 24 // characters that stay together
	var b strings.Builder
	for word := range strings.SplitAfterSeq(s, " ") {
		runes, since := []rune(word), 0
		for i, r := range runes {
			b.WriteString(template.HTMLEscapeString(string(r)))
			since++
			if len(runes) > whole && i < len(runes)-1 &&
				(since == piece || strings.ContainsRune("@./_:-=&?", r)) {
				b.WriteString("<wbr>")
				since = 0
			}
		}
	}
	return template.HTML(b.String()) // every character is escaped above
}

// fieldView, buttonView and choiceView know the address of their form, for the buttons that ask for
// a step.
type fieldView struct {
	Field
	Action string
}

// ButtonView is a button with the address of its form.
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
	CSRF string
}

// HasActions reports whether the table needs a column of buttons.
func (v listView) HasActions() bool {
	return slices.ContainsFunc(v.Rows, func(r Row) bool { return len(r.Actions) > 0 })
}

type localeView struct {
	LocaleTab
	CSRF string
}

type actionView struct {
	Action
	CSRF string
}

// File names the file that shows the page's content.
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

// DoneWords say what the last change did; only these can stand in an address.
func DoneWords(ok string) string {
	switch ok {
	case "created":
		return "Created."
	case "saved":
		return "Saved."
	case "deleted":
		return "Deleted."
	case "trashed":
		return "Deleted: the entry is in the trash."
	case "published":
		return "Published: everybody can read it."
	case "unpublished":
		return "Unpublished: readers do not find it any more."
	case "drafted":
		return "Restored as a draft: publish it to show it."
	case "restored":
		return "Restored."
	case "sent":
		return "On its way: the log below shows the answer in a moment."
	case "done":
		return "Done."
	case "some":
		return "Some could not be changed."
	case "none":
		return "Nothing was selected."
	}
	return ""
}

type bulkView struct {
	*Bulk
	CSRF string
}
