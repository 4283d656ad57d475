package ui

import (
	"net/url"

	"headless/pkg/site"
)

// Pick is what a field of the kind pick chooses: files, or entries of a model. What is chosen are
// inputs of its name, so that a form keeps it.
type Pick struct {
	Many   bool
	Open   string // text of the button that opens the panel; "" where there is nothing to choose from
	Source string // address of the same choices as JSON
	Add    *Link  // where to make another one
	Chosen []Choice
	Few    []Choice // the others, where there are so few entries that the form shows all
	Panel  *Panel   // nil while it is closed

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
