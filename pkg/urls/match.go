package urls

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"headless/pkg/cms"
	"headless/pkg/redirects"
	"headless/pkg/site"
)

// maxMatches is how many models and locales may fit a path.
const maxMatches = 20

// maxPath is the length of a path to resolve, in characters.
const maxPath = 2000

// Clean returns a path of the site in the form that Matches takes: without query and fragment,
// unescaped, without a slash at its end. Error: BAD_REQUEST for what is no path.
func Clean(path string) (string, error) {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || utf8.RuneCountInString(path) > maxPath {
		return "", cms.Errorf(cms.CodeBadRequest,
			"path must begin with one / and have at most %d characters.", maxPath)
	}
	return redirects.CleanPath(path), nil
}

// pathOn returns the path of an entry in the form of Clean, "" if it has none on this site.
func pathOn(now *site.Site, m *site.Model, p cms.Place) string {
	path, ok := onSite(now, m.PathOf(p))
	if !ok || strings.ContainsAny(path, "?#") {
		return ""
	}
	return redirects.CleanPath(path)
}

// onSite returns what stands after site.url in an address; ok is false for an address elsewhere.
func onSite(now *site.Site, address string) (path string, ok bool) {
	if strings.HasPrefix(address, "/") {
		return address, true
	}
	path, ok = strings.CutPrefix(address, now.URL())
	return path, ok && now.URL() != "" && strings.HasPrefix(path, "/")
}

// Match is a model and locale whose template fits a path, with what the path says about the entry.
type Match struct {
	Model  *site.Model
	Locale string
	Slug   string   // "" if the template has none
	ID     string   // "" if the template has none
	Above  []string // slugs above the entry, if the template has {path}
	InTree bool     // the template has {path}
}

// covers reports whether an entry of a locale may be the one at the path. Entries of a model that is not localized may
// be from the time of another default locale.
func (m *Match) covers(locale string) bool {
	return m.Model.KeyLocale(locale) == m.Model.KeyLocale(m.Locale)
}

// Matches returns the models and locales of a site whose templates fit a path, the first one being
// the one that wins: models with a tree, then those with the most literal characters, then by slug.
// It returns at most maxMatches.
func Matches(now *site.Site, path string) []Match {
	var segments []string
	if path != "/" {
		segments = strings.Split(path[1:], "/")
	}
	var models []*site.Model
	for _, m := range now.Models {
		if m.IsActive && m.URL != "" {
			models = append(models, m)
		}
	}
	slices.SortFunc(models, func(a, b *site.Model) int {
		switch {
		case a.Tree && !b.Tree:
			return -1
		case b.Tree && !a.Tree:
			return 1
		}
		return cmp.Or(literals(b.URL)-literals(a.URL), strings.Compare(a.Slug, b.Slug))
	})
	var list []Match
	for _, m := range models {
		address, ok := onSite(now, m.URL)
		if !ok || strings.ContainsAny(strings.ReplaceAll(address, "{locale?}", ""), "?#") {
			continue
		}
		f := fitting{now: now, model: m}
		f.segments(slices.DeleteFunc(strings.Split(address, "/"), func(s string) bool { return s == "" }),
			segments, Match{Model: m})
		for _, found := range f.found {
			list = append(list, f.inLocales(found)...)
		}
	}
	return list[:min(len(list), maxMatches)]
}

// literals counts the literal characters of a template.
func literals(template string) (n int) {
	for _, part := range splitTemplate(template) {
		if part[0] != '{' {
			n += utf8.RuneCountInString(part)
		}
	}
	return n
}

// splitTemplate splits a template into placeholders and the texts between them.
func splitTemplate(template string) (list []string) {
	for template != "" {
		end := strings.IndexByte(template, '{')
		if end == 0 {
			end = strings.IndexByte(template, '}') + 1
		}
		if end <= 0 {
			end = len(template)
		}
		list, template = append(list, template[:end]), template[end:]
	}
	return list
}

// fitting collects the ways in which a template fits a path.
type fitting struct {
	now   *site.Site
	model *site.Model
	found []Match
}

// segments fits the segments of a template to those of a path. m is what the segments before them
// say.
func (f *fitting) segments(template, path []string, m Match) {
	if len(template) == 0 {
		if len(path) == 0 && len(f.found) < maxMatches {
			f.found = append(f.found, m)
		}
		return
	}
	if template[0] == "{path}" {
		slugs := 0
		for slugs < min(len(path), 2*cms.MaxLevels) && cms.SlugProblem(path[slugs]) == "" {
			slugs++
		}
		for n := slugs; n >= 0; n-- {
			with := m
			with.InTree = true
			if n > 0 {
				with.Above, with.Slug = path[:n-1], path[n-1]
			} else {
				with.Slug = f.model.Home
			}
			if n > 0 || with.Slug != "" {
				f.segments(template[1:], path[n:], with)
			}
		}
		return
	}
	f.fitParts(splitTemplate(template[0]), "", m, func(with Match) { f.segments(template[1:], path, with) })
	if len(path) > 0 && path[0] != "" {
		f.fitParts(splitTemplate(template[0]), path[0], m, func(with Match) { f.segments(template[1:], path[1:], with) })
	}
}

// fitParts fits the parts of one segment to a text and calls next for each way.
func (f *fitting) fitParts(template []string, text string, m Match, next func(Match)) {
	if len(template) == 0 {
		if text == "" {
			next(m)
		}
		return
	}
	if template[0][0] != '{' {
		if rest, ok := strings.CutPrefix(text, redirects.Unescape(template[0])); ok {
			f.fitParts(template[1:], rest, m, next)
		}
		return
	}
	for end := 0; end <= len(text); end++ {
		if with, ok := f.bind(template[0], text[:end], m); ok {
			f.fitParts(template[1:], text[end:], with, next)
		}
	}
}

// bind returns what the text at a placeholder says about the entry; ok is false if it cannot stand
// there.
func (f *fitting) bind(placeholder, text string, m Match) (with Match, ok bool) {
	switch placeholder {
	case "{slug}":
		m.Slug = text
		if text == "" {
			m.Slug = f.model.Home
		}
		return m, m.Slug != "" && cms.SlugProblem(m.Slug) == ""
	case "{id}":
		m.ID = text
		return m, cms.IsUUID(text)
	case "{locale?}":
		if m.Locale = text; text == "" {
			m.Locale = f.now.Default
		}
		return m, f.now.Locale(m.Locale) != nil
	case "{locale}":
		m.Locale = text
		return m, f.now.Locale(text) != nil
	case "{year}":
		return m, len(text) == 4 && isNumber(text)
	case "{month}", "{day}":
		return m, len(text) == 2 && isNumber(text)
	}
	return m, false
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }

// inLocales returns a match for each locale in which the entry may be. Only single-type models have
// an entry that neither slug nor id names.
func (f *fitting) inLocales(m Match) (list []Match) {
	if m.Slug == "" && m.ID == "" && f.model.Kind != cms.KindSingle {
		return nil
	}
	codes := []string{m.Locale}
	switch {
	case m.Locale != "":
	case f.model.Localized && m.ID == "":
		codes = f.now.ActiveCodes()
	default:
		codes = []string{f.now.Default}
	}
	for _, code := range codes {
		m.Locale = code
		list = append(list, m)
	}
	return list
}
