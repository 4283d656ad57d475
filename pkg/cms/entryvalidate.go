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

// ValidateEntry checks an entry as a whole against its model: title, slug (an empty one is still to be made), status, locale,
// seo and data. Before is the entry stored until now, nil on create; see ValidateData for it and for requireAll. That the
// locale is active, the slug and unique values are free and references exist is for the service to see.
func ValidateEntry(m *Model, e, before *Entry, requireAll bool) Problems {
	var old map[string]any
	if before != nil {
		old = before.Data
	}
	p := ValidateData(m, e.Data, old, requireAll)
	if e.Title == "" {
		p.Add("title", "is required")
	}
	checkLength(p, "title", e.Title, MaxTitle)
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
	for path, s := range map[string]string{"title": e.Title, "seo.title": e.SEO.Title, "seo.description": e.SEO.Description} {
		if !utf8.ValidString(s) {
			p.Add(path, "must be valid UTF-8")
		}
	}
	return p
}
