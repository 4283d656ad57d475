package ui

import (
	"net/url"
	"slices"

	"headless/pkg/admin/say"
	"headless/pkg/cms"
)

// Form is an HTML form. It sends the methods PUT, PATCH and DELETE as _method.
type Form struct {
	Action    string
	Method    string
	Fields    []Field
	Submit    say.Text
	Cancel    string
	Multipart bool
	Problems  []say.Text // errors that belong to no field
	More      say.Text   // how many errors are not shown
	Stray     []Field    // texts that were sent for inputs that the form does not have, not sent again
	Remedy    *Link      // leads to the page that removes the cause of the errors, nil for none
	Enter     string     // step that the Enter key starts; "" sends the form
	Version   string     // version of the edited item, "" for a new one
	Base      string     // digest of the values that the form shows, "" if Version describes them
	Overtaken bool       // somebody else saved another version after the form was opened
	Report    *Report    // the changes to confirm before the form is saved
}

// HasSteps reports whether the form has buttons before its submit button. Browsers would press the
// first of them on Enter.
func (f *Form) HasSteps() bool { return hasSteps(f.Fields) }

func hasSteps(fields []Field) bool {
	return slices.ContainsFunc(fields, func(f Field) bool {
		return f.Pick != nil || len(f.Buttons) > 0 || hasSteps(f.Fields)
	})
}

// HasSEO reports whether a field of the folded part has something to show.
func (f *Form) HasSEO() bool {
	return slices.ContainsFunc(f.Fields, func(f Field) bool {
		return f.SEO && (f.Value != "" && f.Value != "false" || f.Original != nil || len(f.Errors)+len(f.Findings) > 0)
	})
}

// Field is one field of a form. Its name is the JSON key.
type Field struct {
	Name  string
	Label say.Text
	// Kind is the kind of input: text, email, url, password, code (of a second factor), number, date, datetime, file,
	// textarea, lines, json, markdown, select, checks, checkbox, hidden or pick. Or it is the
	// layout of Fields: group (with a frame), rows (groups that can be added, removed and moved,
	// see WithRows), row (side by side), flags (checkboxes in a line) or more (collapsed, unless
	// Value is set). steps has only Buttons.
	Kind     string
	Value    string
	Values   []string // of checks and lines
	Options  []Option
	Lang     string // language of the value, "" for the language of the page
	Dir      string // direction of the value: ltr or rtl; "" means auto
	Side     bool   // shown in the side column
	SEO      bool   // shown in the folded part of the side column
	Tab      string // tab in the form of an entry, "" for the first one
	ShownIf  string // show the field only if this input has a value in ShownFor
	ShownFor []string
	Unmet    bool // the condition is not met: the field is hidden
	Conflict *Conflict
	Original *Original // the same field in the entry beside the form
	Help     say.Text
	Required bool
	Later    bool // required only for publishing; drafts may lack it
	ReadOnly bool // shown, but cannot be changed
	Focus    bool // has the focus when the page opens
	Bare     bool // the label is only seen as a placeholder
	Errors   []say.Text
	Findings []say.Text // of content health, about the published value
	Fields   []Field
	Page     *RowPage // for rows and pick: the part of a long list that Fields or the choices are; nil if they are all
	Buttons  []Button // buttons that ask for a step
	Menu     say.Text // for rows: title of the menu that holds Buttons
	Presets  []Button // for rows: buttons that add a row with values
	Pick     *Pick
	Prose    string  // of markdown that cannot be changed: its words, for pages without scripts
	Blocks   string  // of markdown: URL of the form for the blocks that the text may have, whose types are Options
	Picture  string  // URL of a picture; a click on it sets the focal point
	Upload   *Upload // for a file field whose files the script of the page sends
	Kept     bool    // Refill keeps the value, which is already the posted one
}

// SecretKey is the input that names the inputs of its form whose values are secret.
const SecretKey = "_secret"

// IsSecret reports whether no page may hold the value of the field after it was posted.
func (f Field) IsSecret() bool { return f.Kind == "password" || f.Kind == "code" }

// Upload tells the script of the page how to send the files of a field.
type Upload struct {
	Direct  string // URL that starts a direct upload, for larger files
	Max     int64  // size of the largest file that the form takes, in bytes
	Address string // URL that receives direct uploads
	One     bool   // the form takes one file, or the id of a direct upload in its place
}

// UploadAddress returns the URL to which the script of the page sends files, "" if it sends none.
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

// Option is an option of a select or of checks. Href is a page about an option of checks, "" for none.
type Option struct {
	Value string
	Label say.Text
	Href  string
}

// Has reports whether an option is selected.
func (f Field) Has(value string) bool { return f.Value == value || slices.Contains(f.Values, value) }

// Button is a button that asks for a step.
type Button struct {
	Text  say.Text
	Label say.Text // description, if Text is only a symbol
	Help  say.Text
	Image string // URL of a picture before Text, "" for none
	Icon  string // icon in place of a picture that is missing, "" for none
	Do    string // verb, name and argument of the step
	To    string // name of the field to scroll to afterwards
}

// Conflict compares the value of a field with the one that somebody else saved for it, and has the
// buttons to keep the user's own value or to take the other.
type Conflict struct {
	Who        say.Text
	Parts      []DiffPart
	Keep, Take ButtonView
}

// Report lists the effects of a form that the form itself does not show. Its button sends the form
// again with the id of the plan.
type Report struct {
	Title  say.Text
	Lines  []ReportLine
	Plan   string
	Submit say.Text
	Danger bool
}

// ReportLine is one effect in a report.
type ReportLine struct {
	State       Cell
	About, Text say.Text
}

// A form that is sent without scripts has two more lists. PlainKey says just that. The only choice of SeenKey is
// another one for each version of the form. Browsers that go back to a form put its former values into it: in a list
// they select what was selected before, and nothing if that is no choice any more. Then SeenKey is not sent.
const (
	PlainKey = "_plain"
	SeenKey  = "_seen"
)

// IsRestored reports whether a posted form has values that were put into a former version of it.
func IsRestored(posted url.Values) bool { return posted.Has(PlainKey) && !posted.Has(SeenKey) }

// VersionKey is the name of the hidden input with the version that the form edits, like If-Match in
// the API.
const VersionKey = "_version"

// Arrange adds the script for tabs and conditions if the form has any.
func (p *Page) Arrange() {
	if slices.ContainsFunc(p.Form.Fields, func(f Field) bool { return f.Tab != "" || f.ShownIf != "" }) {
		p.Use("layout")
	}
}

// Arrange sets the column, the tab and the condition of an input as the model defines them.
func (f *Field) Arrange(of cms.Field, data map[string]any) {
	f.Side = of.Column == cms.ColumnSide || of.Column == "" && of.Type.Info().Side
	if f.Tab = of.Tab; of.ShownIf != "" {
		f.ShownIf, f.ShownFor, f.Unmet = "data."+of.ShownIf, of.ShownFor, !of.IsShown(data)
	}
}
