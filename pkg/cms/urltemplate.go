package cms

import (
	"net/url"
	"slices"
	"strings"
)

// Place is what the URL of an entry on the site depends on.
type Place struct {
	ID     string
	Locale string
	Slug   string
	Day    string   // of its publication in UTC, as 2006-01-31; "" if it was never published
	Parent string   // id of the entry above it in the tree, "" at the root
	Above  []string // slugs of the entries above it, the root first
}

// Place returns the place of an entry, with the slugs of the entries above it only where it was read for
// a change.
func (e *Entry) Place() Place {
	p := Place{ID: e.ID, Locale: e.Locale, Slug: e.Slug, Day: e.PublishedAt.Day(), Parent: e.ParentID()}
	if e.Spot != nil {
		p.Above = e.Spot.Above
	}
	return p
}

// PathOf returns the path or absolute URL of an entry on the site, made from the model's template
// (extensions §8 and §13). defaultLocale is the default locale of the site. It returns "" without a
// template, and for a template with a date if the entry was never published.
func (m *Model) PathOf(defaultLocale string, p Place) string {
	year, month, day := "", "", ""
	switch {
	case m.URL == "" || p.Day == "" && m.URLHasDate():
		return ""
	case p.Day != "":
		year, month, day = p.Day[:4], p.Day[5:7], p.Day[8:]
	}
	optional := p.Locale
	if optional == defaultLocale {
		optional = ""
	}
	var path []string
	for _, slug := range append(slices.Clone(p.Above), p.Slug) {
		if slug = m.segment(slug); slug != "" {
			path = append(path, slug)
		}
	}
	return tidyURL(strings.NewReplacer("{locale?}", url.PathEscape(optional), "{locale}", url.PathEscape(p.Locale),
		"{slug}", m.segment(p.Slug), "{path}", strings.Join(path, "/"), "{id}", url.PathEscape(p.ID),
		"{year}", year, "{month}", month, "{day}", day).Replace(m.URL))
}

// URLHasDate reports whether the template of the model's URLs has a part of the publication date.
func (m *Model) URLHasDate() bool {
	return strings.Contains(m.URL, "{year}") || strings.Contains(m.URL, "{month}") || strings.Contains(m.URL, "{day}")
}

// HasPath reports whether the template of the model's URLs has the slugs of the entries above.
func (m *Model) HasPath() bool { return m.Tree && strings.Contains(m.URL, "{path}") }

// segment returns a slug as it stands in URLs; the home of the model is "".
func (m *Model) segment(slug string) string {
	if slug == m.Home {
		return ""
	}
	return url.PathEscape(slug)
}

// tidyURL removes the empty segments of a path or URL, and the slash at its end.
func tidyURL(address string) string {
	root := ""
	if at := strings.Index(address, "://"); at >= 0 {
		if slash := strings.IndexByte(address[at+3:], '/'); slash >= 0 {
			root, address = address[:at+3+slash], address[at+3+slash:]
		} else {
			return address
		}
	}
	rest := ""
	if at := strings.IndexAny(address, "?#"); at >= 0 {
		address, rest = address[:at], address[at:]
	}
	segments := slices.DeleteFunc(strings.Split(address, "/"), func(s string) bool { return s == "" })
	return root + "/" + strings.Join(segments, "/") + rest
}
