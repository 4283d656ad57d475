package service

import (
	"context"
	"strings"
	"unicode"

	"github.com/gosimple/unidecode"

	"headless/pkg/cms"
	"headless/pkg/store"
)

// maxSlug is the length of a slug; made ones leave room for a number.
const maxSlug = 150

// makeSlug gives an entry without a slug one from its title: the first free of slug, slug-2, slug-3…
func (s *Entries) makeSlug(ctx context.Context, m *store.Model, e *cms.Entry) (err error) {
	if e.Slug == "" {
		e.Slug, err = s.Store.FreeSlug(ctx, m, e.Locale, slugOf(e.Title))
	}
	return err
}

// slugOf turns a title into a slug: letters of any script become ASCII, everything else a hyphen.
func slugOf(title string) string {
	if strings.IndexFunc(title, func(r rune) bool { return r > unicode.MaxASCII }) >= 0 {
		title = unidecode.Unidecode(title) // unpacks its table at first use, some 5 ms
	}
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(title) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
		} else if r != '\'' {
			gap = true
		}
	}
	slug := b.String()
	if len(slug) > maxSlug {
		slug = strings.Trim(slug[:maxSlug], "-")
	}
	if slug == "" || cms.SlugProblem(slug) != "" {
		slug = strings.Trim("entry-"+slug, "-")
	}
	return slug
}

// shorten keeps a client's own words in a message to a line.
func shorten(s string) string {
	if r := []rune(s); len(r) > 100 {
		return string(r[:100]) + "…"
	}
	return s
}

func joined(list []string) string { return strings.Join(list, ", ") }
