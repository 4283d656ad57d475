package ui

import (
	"net/url"

	"headless/pkg/site"
)

// Pick holds the choices of a field of the kind pick: files, or entries of a model. Each chosen one
// is an input with the name of the field, so the form sends it.
type Pick struct {
	Many   bool
	Open   string // text of the button that opens the panel; "" without choices
	Source string // URL of the choices as JSON
	Add    *Link  // link to create a file or entry
	Chosen []Choice
	Few    []Choice // all other entries, if there are only a few
	Panel  *Panel   // nil if it is closed

	Ids   []string
	Model *site.Model // nil for files
	Mimes []string
}

// Choice is a file or an entry that is chosen or can be chosen.
type Choice struct {
	ID, Label, Note string
	Image           string // URL of a picture, "" for none
	Href            string // URL of its page, "" for none
	Name            string // name of the field
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

// Localized reports whether the choices are entries of a localized model.
func (p *Pick) Localized() bool { return p.Model != nil && p.Model.Localized }

// Page returns the path of the page of a choice.
func (p *Pick) Page(id string) string {
	if p.Model == nil {
		return Base + "/media/" + url.PathEscape(id)
	}
	return Base + "/models/" + url.PathEscape(p.Model.Slug) + "/entries/" + url.PathEscape(id)
}
