package cms

import (
	"slices"
	"unicode/utf8"
)

// Limits of an entry's texts, in characters.
const (
	MaxTitle          = 255
	MaxSEOTitle       = 255
	MaxSEODescription = 1000
)

// Merge takes over the problems of other at paths that have none yet.
func (p Problems) Merge(other Problems) {
	for path, messages := range other {
		if _, ok := p[path]; !ok {
			p[path] = messages
		}
	}
}

// ValidateEntry checks an entry as a whole against its model: title, slug (an empty one is still to
// be made), status, locale, seo and data. Before is the entry stored until now, nil on create; see
// ValidateData for it and for requireAll. That the locale is active, the slug and unique values are
// free and references exist is for the service to see.
func ValidateEntry(m *Model, e, before *Entry, requireAll bool) Problems {
	return validateEntry(m, e, before, rules{required: requireAll})
}

// TitleProblems finds what is wrong with a title.
func TitleProblems(title string) Problems {
	p := Problems{}
	if title == "" {
		p.Add("title", "is required")
	}
	checkLength(p, "title", title, MaxTitle)
	if !utf8.ValidString(title) {
		p.Add("title", "must be valid UTF-8")
	}
	return p
}

func validateEntry(m *Model, e, before *Entry, r rules) Problems {
	var old map[string]any
	if before != nil {
		old = before.Data
	}
	p := validateData(m, e.Data, old, r)
	p.Merge(TitleProblems(e.Title))
	if e.Slug != "" {
		if message := SlugProblem(e.Slug); message != "" {
			p.Add("slug", "%s", message)
		}
	}
	if !slices.Contains(Statuses, e.Status) {
		p.Add("status", "must be one of: draft, published, archived")
	}
	if e.Locale == "" {
		p.Add("locale", "is required")
	}
	checkLength(p, "seo.title", e.SEO.Title, MaxSEOTitle)
	checkLength(p, "seo.description", e.SEO.Description, MaxSEODescription)
	for path, s := range map[string]string{"seo.title": e.SEO.Title, "seo.description": e.SEO.Description} {
		if !utf8.ValidString(s) {
			p.Add(path, "must be valid UTF-8")
		}
	}
	return p
}
