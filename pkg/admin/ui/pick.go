package ui

import (
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/say"
	"headless/pkg/cms"
	"headless/pkg/site"
)

// Pick holds the choices of a field of the kind pick: files, or entries of a model. Each chosen one
// is an input with the name of the field, so the form sends it.
type Pick struct {
	Many   bool
	Filled bool     // offers no choice of none
	Open   say.Text // text of the button that opens the panel; "" without choices
	Source string   // URL of the choices as JSON
	Chosen []Choice
	Few    []Choice // all other entries, if there are only a few
	Panel  *Panel   // nil if it is closed

	Ids   []string
	Model *site.Model // nil for files
	// Several are the models of a relation to several, nil else. Each id then has its model's slug
	// before it: posts/<id>. Model is the one that the panel shows.
	Several []*site.Model
	Targets []string // the slugs of the models, also of deleted and hidden ones, or AreaMedia
	Mimes   []string
	Locale  string   // of the edited entry: the panel begins with entries in it; "" for all
	Makes   []string // the models of which the user may make entries, or AreaMedia, by slug
}

// Add returns the link to make a file, or an entry of Model; nil if the user may not.
func (p *Pick) Add() *Link {
	slug, link := cms.AreaMedia, Link{"Upload a file", Base + "/media/create"}
	if p.Model != nil {
		slug = p.Model.Slug
		link = Link{"New entry", Base + EntriesPath(slug) + "/create"}
	}
	if !slices.Contains(p.Makes, slug) {
		return nil
	}
	return &link
}

// Choice is a file or an entry that is chosen or can be chosen.
type Choice struct {
	ID            string
	Label, Note   say.Text
	Image         string // URL of a picture, "" for none
	Href          string // URL of its page, "" for none
	Name          string // name of the field
	Many, Checked bool
	Buttons       []Button
}

// Panel is a page of choices.
type Panel struct {
	Models  []Option // of a relation to several; Model is the one whose entries are shown
	Model   string
	Locales []Option // the language of the edited entry, and all; none if that makes no difference
	Locale  string   // the chosen one
	Query   string
	Choices []Choice
	Range   say.Text
	Prev    *Button
	Next    *Button
	Problem say.Text
}

// Localized returns the slugs of the localized models that the choices are entries of.
func (p *Pick) Localized() (slugs []string) {
	for _, m := range append([]*site.Model{p.Model}, p.Several...) {
		if m != nil && m.Localized {
			slugs = append(slugs, m.Slug)
		}
	}
	return slugs
}

// Page returns the path of the page of a choice, "" if the user may see none.
func (p *Pick) Page(id string) string {
	if p.Model == nil && p.Open == "" {
		return ""
	}
	if p.Model == nil {
		return Base + "/media/" + url.PathEscape(id)
	}
	m, id := p.Of(id)
	if m == nil {
		return ""
	}
	return Base + EntryPath(m.Slug, id)
}

// Of returns the model of an id of an entry as it stands in the field, nil if there is none, and the id
// alone.
func (p *Pick) Of(id string) (*site.Model, string) {
	if p.Several == nil {
		return p.Model, id
	}
	slug, id, _ := strings.Cut(id, "/")
	at := slices.IndexFunc(p.Several, func(m *site.Model) bool { return m.Slug == slug })
	if at < 0 {
		return nil, id
	}
	return p.Several[at], id
}

// As returns an id of an entry of Model as it stands in the field.
func (p *Pick) As(id string) string {
	if p.Several == nil {
		return id
	}
	return p.Model.Slug + "/" + id
}
