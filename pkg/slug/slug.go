// Package slug makes slugs from titles.
package slug

import (
	"strings"
	"unicode"

	"github.com/gosimple/unidecode"

	"headless/pkg/cms"
)

// maxMade is the maximum length of a generated slug, in bytes. It leaves room for a number that
// makes the slug unique.
const maxMade = 150

// Of turns a title into a slug: letters of any script become ASCII, everything else a hyphen.
func Of(title string) string {
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
	slug := Short(b.String())
	if slug == "" || cms.SlugProblem(slug) != "" {
		slug = strings.Trim("entry-"+slug, "-")
	}
	return slug
}

// Short cuts a slug to a length at which a number can still be appended.
func Short(slug string) string {
	if len(slug) > maxMade {
		slug = strings.Trim(slug[:maxMade], "-")
	}
	return slug
}
