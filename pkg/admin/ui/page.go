package ui

import (
	"net/url"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/site"
	"headless/pkg/views"
)

// Page is what a browser sees inside the layout. Exactly one of its contents is set.
type Page struct {
	Title  string
	Crumbs []Link   // the way to this page, without the page itself
	Links  []Link   // beside the title of a form
	Notice string   // shown above the content, such as a secret that is shown once
	Secret []Fact   // values to copy now, beside Notice
	Undo   *Action  // takes the last change back
	Frame  string   // address of a page of the site that is shown in a frame
	Assets []string // names of scripts and style sheets beside those of every page, without the ending
	Upload *Upload  // of a page that is no form
	Poll   bool     // the page's script asks for it again until it has changed

	List   *List
	Detail *Detail
	Form   *Form
	Custom any // shown by the template named Template
	// Template names one of templates/*.html for Custom, without the ending.
	Template string

	Login *Login
	Error *cms.Error
}

// Use adds a script and a style sheet to the page.
func (p *Page) Use(name string) { p.Assets = append(p.Assets, name) }

// Link leads to a page. Href is a whole path, such as "/admin/users".
type Link struct{ Text, Href string }

// Cell is one value of a table or of a list of facts.
type Cell struct {
	Text string
	Href string
	Kind string // "": text; "badge", "good", "bad", "warn", "grey" (badges), "code", "time", "muted", "image" (Href is its address)
	Dots []Cell // shown in place of Text: one dot each, Kind its colour
}

// Text, Code, Badge and When make the usual cells.
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

// Form is a form of fields. Method PUT, PATCH and DELETE travel as _method.
type Form struct {
	Action    string
	Method    string
	Fields    []Field
	Submit    string
	Cancel    string
	Multipart bool
	Problems  []string // messages about nothing that has a field
	Enter     string   // the step that the enter key asks for; "" sends the form
	Version   string   // of what is edited, "" for what is new
	Overtaken bool     // somebody else has saved another version meanwhile
	Report    *Report  // what the form would change, to be confirmed
}

// HasSteps reports whether the form has buttons before the one that sends it, of which browsers
// would take the first for the enter key.
func (f *Form) HasSteps() bool { return hasSteps(f.Fields) }

func hasSteps(fields []Field) bool {
	return slices.ContainsFunc(fields, func(f Field) bool {
		return f.Pick != nil ||
			len(f.Buttons) > 0 || hasSteps(f.Fields)
	})
}

// Field is one field of a form. Its name is the JSON key.
type Field struct {
	Name  string
	Label string
	// Kind is text, email, url, password, number, date, datetime, file, textarea, lines, json,
	// markdown, select, checks, checkbox, hidden or pick; or it holds Fields: group (with a frame),
	// rows (groups that can be added, removed and moved, see withRows), row (side by side), flags
	// (checkboxes in a line) or more (folded, unless Value is set).
	Kind     string
	Value    string
	Values   []string // of checks and lines
	Options  []Option
	Lang     string // of the value, "" for that of the page
	Dir      string // direction of the value: ltr, rtl or, where it is empty, auto
	Side     bool   // stands in the column beside the texts
	Tab      string // of the form of an entry, "" for the first one
	ShownIf  string // name of the input on whose values it depends whether the field is shown
	ShownFor []string
	Unmet    bool // it is not shown now
	Conflict *Conflict
	Original *Original // the same field of the entry that is shown beside the form
	Help     string
	Required bool
	Later    bool // required only when the entry is published: drafts may be without it
	ReadOnly bool // of inputs: shown, not changed
	Errors   []string
	Fields   []Field
	Buttons  []Button // steps
	Menu     string   // of rows: the buttons are folded below it
	Pick     *Pick
	Picture  string  // address of a picture on which a click sets a focal point as the value
	Upload   *Upload // of a file field that takes several
	Kept     bool    // the value is already what was posted
}

// Upload tells the page's script how to send the files of a field.
type Upload struct {
	Direct  string // where direct uploads of larger files begin
	Max     int64  // bytes of a file that the form itself takes
	Address string // one that direct uploads are sent to
}

// UploadAddress is where the script of the page sends files, "" where it sends none.
func (p *Page) UploadAddress() string {
	if p.Upload != nil {
		return p.Upload.Address
	}
	if p.Form != nil {
		for _, f := range p.Form.Fields {
			if f.Upload != nil {
				return f.Upload.Address
			}
		}
	}
	return ""
}

// Option is a choice of a select or of checks.
type Option struct{ Value, Label string }

// Has reports whether a choice is made.
func (f Field) Has(value string) bool { return f.Value == value || slices.Contains(f.Values, value) }

// Button asks for a step.
type Button struct {
	Text  string
	Label string // what it does, where Text is a mere sign
	Help  string
	Do    string // verb, name and arg
	To    string // name of the field to look at then
}

// Base is the path prefix of every route.
const Base = "/admin"

// Conflict is what somebody else made of a field, beside what its input holds.
type Conflict struct {
	Theirs     string
	Keep, Take ButtonView
}

// Report says what a form would change beyond what it shows. Its button sends the form with the
// plan.
type Report struct {
	Title  string
	Lines  []ReportLine
	Plan   string
	Submit string
	Danger bool
}

// ReportLine is one change of a report.
type ReportLine struct {
	State       Cell
	About, Text string
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

// Pick is what a field of the kind pick chooses: files, or entries of a model. What is chosen are
// inputs of its name, so that a form keeps it.
type Pick struct {
	Many   bool
	Open   string // text of the button that opens the panel; "" where there is nothing to choose from
	Source string // address of the same choices as JSON
	Add    *Link  // where to make another one
	Chosen []Choice
	Panel  *Panel // nil while it is closed

	Ids   []string
	Model *site.Model // nil for files
	Mimes []string
}

// Choice is a file or an entry that is chosen or can be.
type Choice struct {
	ID, Label, Note string
	Image           string // address of a picture, "" for none
	Href            string // address of its page, "" where it has none
	Name            string // of the field
	Many, Checked   bool
	Buttons         []Button
}

// Panel is a page of choices.
type Panel struct {
	Query   string
	Choices []Choice
	Range   string
	Prev    *Button
	Next    *Button
	Problem string
}

// Localized reports whether the choices are entries in several locales.
func (p *Pick) Localized() bool { return p.Model != nil && p.Model.Localized }

// Page is the address of the page of a choice.
func (p *Pick) Page(id string) string {
	if p.Model == nil {
		return Base + "/media/" + url.PathEscape(id)
	}
	return Base + "/models/" + url.PathEscape(p.Model.Slug) + "/entries/" + url.PathEscape(id)
}

// VersionKey is the name of the hidden field that says what an edit was made on, as If-Match does
// in the API.
const VersionKey = "_version"

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

// loginView is the sign-in page.
type Login struct {
	Email, Next     string
	Code            bool // asks for the code of the second factor
	Problem, Notice string
	Kept, To        string // a form that comes back after signing in, and its address
	Provider        bool   // offers to sign in by the provider
	NoPassword      bool   // and by nothing else
	Passkeys        bool   // offers to sign in by a passkey
}
