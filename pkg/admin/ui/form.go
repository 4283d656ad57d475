package ui

import "slices"

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
	Focus    bool // of inputs: has the focus when the page opens
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

// VersionKey is the name of the hidden field that says what an edit was made on, as If-Match does
// in the API.
const VersionKey = "_version"
