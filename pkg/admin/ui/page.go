package ui

import "headless/pkg/cms"

// Page is what a browser sees inside the layout. Exactly one of its contents is set.
type Page struct {
	Title  string
	Crumbs []Link   // the way to this page, without the page itself
	Links  []Link   // beside the title of a form
	Notice string   // shown above the content, such as a secret that is shown once
	Secret []Fact   // values to copy now, beside Notice
	Undo   *Action  // takes the last change back
	Frame  string   // address of a page of the site that is shown in a frame
	Assets []string // names of scripts and style sheets, without the ending
	// LaterAssets are named as Assets; their scripts come once the page is ready.
	LaterAssets []string
	Upload      *Upload // of a page that is no form
	Poll        bool    // the page's script asks for it again until it has changed

	List   *List
	Detail *Detail
	Form   *Form
	Custom any // shown by the template named Template
	// Template names one of templates/*.html for Custom, without the ending.
	Template string

	Login *Login
	Error *cms.Error
}

// Use adds a script and a style sheet to the page, or the one of them that there is.
func (p *Page) Use(name string) { p.Assets = append(p.Assets, name) }

// UseLater is Use for what a page can do without at first.
func (p *Page) UseLater(name string) { p.LaterAssets = append(p.LaterAssets, name) }

// Link leads to a page. Href is a whole path, such as "/admin/users".
type Link struct{ Text, Href string }

// Cell is one value of a table or of a list of facts.
type Cell struct {
	Text string
	Href string
	// "": text; "badge", "good", "bad", "warn", "grey" (badges), "code", "time", "muted", "image"
	// (Href is its address).
	Kind string
	Dots []Cell // shown in place of Text: one dot each, Kind its colour
}

// Text is a cell of plain text.
func Text(s string) Cell { return Cell{Text: s} }

// Code is a cell in a fixed width.
func Code(s string) Cell { return Cell{Text: s, Kind: "code"} }

// Badge is a short word in a box.
func Badge(s string) Cell { return Cell{Text: s, Kind: "badge"} }

// When shows an instant, or a dash.
func When(t cms.Time) Cell { return Cell{Text: t.String(), Kind: "time"} }

// YesNo is a good badge or a muted word.
func YesNo(b bool, yes, no string) Cell {
	if b {
		return Cell{Text: yes, Kind: "good"}
	}
	return Cell{Text: no, Kind: "muted"}
}

// Detail shows one thing: its facts, what can be done with it, and sections below.
type Detail struct {
	Facts    []Fact
	Actions  []Action
	Sections []Section
}

// Fact is a label and its values. Pre shows a text with its line ends, in a fixed width where it is
// Code.
type Fact struct {
	Label string
	Cells []Cell
	Pre   string
	Code  bool
	Copy  string // what a button beside the values copies, "" for none
}

// Section is a titled table or list of facts.
type Section struct {
	Title string
	Facts []Fact
	List  *List
}

// Action is a button: a link where Method is empty, else a form that sends Method. Confirm asks
// once more.
type Action struct {
	Label   string
	Href    string
	Method  string
	Confirm string
	Uses    []Cell // places that Confirm lists, where the item is used
	Danger  bool
	Fields  []Field // hidden or visible fields of the form
}

// Base is the path prefix of every route.
const Base = "/admin"

// Login is the sign-in page.
type Login struct {
	Email, Next     string
	Code            bool // asks for the code of the second factor
	Problem, Notice string
	Kept, To        string // a form that comes back after signing in, and its address
	Provider        bool   // offers to sign in by the provider
	NoPassword      bool   // and by nothing else
	Passkeys        bool   // offers to sign in by a passkey
}
