package ui

import (
	"cmp"
	"net/url"

	"headless/pkg/admin/say"
	"headless/pkg/cms"
)

// Page is the content of an HTML page inside the layout. It usually sets one of List, Detail, Form,
// Custom, Login and Error; a Template may show several. See File.
type Page struct {
	Title  say.Text
	Crumbs []Link   // breadcrumbs, without the page itself
	Links  []Link   // links beside the title of a form
	Notice say.Text // message above the content
	Secret []Fact   // values that are shown once, below Notice
	Next   []Action // buttons beside the message about the last change, such as Undo
	Frame  string   // URL on the site that is shown in a frame
	// SendsTo are the sources (CSP) that the answer to the form may redirect to, beside this one.
	SendsTo string
	Assets  []string // names of scripts and style sheets, without extension
	// LaterAssets are like Assets, but their scripts are loaded once the page is ready.
	LaterAssets []string
	Upload      *Upload // for a page whose upload is not in a field of its form
	Starts      []Tab   // ways to begin the form of a new entry, none if there is only one

	List   *List
	Detail *Detail
	Form   *Form
	Custom any // data for Template
	// Template is the name of the file in templates that shows Custom, without extension.
	Template string

	Login *Login
	Error *cms.Error
}

// Use adds the script, the style sheet or both with a name.
func (p *Page) Use(name string) { p.Assets = append(p.Assets, name) }

// UseLater is Use for scripts that the page does not need at first.
func (p *Page) UseLater(name string) { p.LaterAssets = append(p.LaterAssets, name) }

// Link is a link to a page. Href is an absolute path, such as "/admin/users".
type Link struct {
	Text say.Text
	Href string
}

// Cell is one value of a table or of a list of facts.
type Cell struct {
	Text say.Text
	Href string
	// Kind is "" for text, "badge", "good", "bad", "warn" or "grey" for badges, or "code", "time",
	// "muted", "person" (Text is a name) or "image" (Href is the URL of the image).
	Kind string
	Hint say.Text // shown beside a text that the pointer rests on, "" for none
	// Marks, if set, are short words in boxes in place of Text. Kind is their colour, and Hint says in
	// words what they mean.
	Marks []Cell
	// Parts, if set, is a comparison in place of Text.
	Parts []DiffPart
}

// Text returns a cell of plain text that is data.
func Text(s string) Cell { return Cell{Text: say.Data(s)} }

// FormerUser stands for a user whose account was deleted.
const FormerUser say.Text = "Former user"

// PersonName returns the name of a user as pages show it. Deleted users have none.
func PersonName(name string) say.Text { return cmp.Or(say.Data(name), FormerUser) }

// Word returns a cell of plain text.
func Word(t say.Text) Cell { return Cell{Text: t} }

// Code returns a cell in a fixed-width font.
func Code(s string) Cell { return Cell{Text: say.Data(s), Kind: "code"} }

// Badge returns a cell with a short word in a box.
func Badge(s say.Text) Cell { return Cell{Text: s, Kind: "badge"} }

// When returns a cell with a time, or a dash for the zero time.
func When(t cms.Time) Cell { return Cell{Text: say.Data(t.String()), Kind: "time"} }

// Due returns a cell with a stored date or time until when something is due; nil for none.
func Due(due *string) Cell {
	if due == nil {
		return Cell{}
	}
	if day, isDate := cms.ParseDate(*due); isDate {
		return Word(say.Date(day))
	}
	return Cell{Text: say.Data(*due), Kind: "time"}
}

// YesNo returns a good badge for true, and a muted word for false.
func YesNo(b bool, yes, no say.Text) Cell {
	if b {
		return Cell{Text: yes, Kind: "good"}
	}
	return Cell{Text: no, Kind: "muted"}
}

// Detail shows one item: its facts, the buttons for it, and sections below.
type Detail struct {
	Facts    []Fact
	Actions  []Action
	Sections []Section
	Poll     bool // the script reloads the page until it has changed
}

// Fact is a label and its values. Pre is a text with line breaks. Code shows it in a fixed-width
// font.
type Fact struct {
	Label say.Text
	Cells []Cell
	Pre   string
	Lang  string // language of Pre, "" for that of the page
	Code  bool
	Copy  string // text for a copy button, "" for none
	QR    *QR    // shown in place of the values of a secret, nil for none
}

// NewFact returns a label with its values.
func NewFact(label say.Text, cells ...Cell) Fact { return Fact{Label: label, Cells: cells} }

// Section is a titled table or list of facts.
type Section struct {
	Title say.Text
	Facts []Fact
	List  *List
}

// Action is a button: a link if Method is empty, else a form that sends Method. Confirm is a text
// that the user must confirm first, "" for none.
type Action struct {
	Label   say.Text
	Spoken  say.Text // name for readers of screens, "" if that is Label
	Icon    string   // shown in place of Label, for a link
	Href    string
	Method  string
	Confirm say.Text
	Uses    []Cell // places where the item is used, listed below Confirm
	Danger  bool
	Primary bool    // the main action of the page
	Fields  []Field // hidden or visible inputs of the form
}

// Of returns the action with a name for screen readers, which says its object too.
func (a Action) Of(name say.Text) Action {
	a.Spoken = say.F("{1}: {2}", a.Label, name)
	return a
}

// Base is the path prefix of every route.
const Base = "/admin"

// Login is the sign-in page.
type Login struct {
	Email, Next     string
	Code            bool // ask for the code of the second factor
	Problem, Notice say.Text
	Kept, To        string // a form to show again after signing in, and its URL
	Provider        bool   // offer to sign in through the provider
	NoPassword      bool   // the provider is the only way
	Passkeys        bool   // offer to sign in by passkey
}

// KeptValues returns the values of the kept form. The provider leads back in a new tab, so the form is sent again here.
func (l *Login) KeptValues() (url.Values, error) { return url.ParseQuery(l.Kept) }
