// Package slug makes slugs from titles.
package slug

import (
	"strings"
	"unicode"

	"github.com/gosimple/unidecode"
	"golang.org/x/text/unicode/norm"

	"headless/pkg/cms"
)

// maxMade is the maximum length of a generated slug, in bytes. It leaves room for a number that
// makes the slug unique.
const maxMade = 150

// digraphs has the letters that languages write with two where they lack the one, by language. In
// others, letters lose their marks.
var digraphs = map[string]*strings.Replacer{
	"de": strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue"),
	"da": strings.NewReplacer("å", "aa", "ø", "oe", "Å", "Aa", "Ø", "Oe"),
	"nb": strings.NewReplacer("å", "aa", "ø", "oe", "Å", "Aa", "Ø", "Oe"),
	"uk": strings.NewReplacer("г", "h", "Г", "H", "и", "y", "И", "Y"),
}

// Of turns a title in the language of a locale into a slug: letters of any script become ASCII,
// everything else a hyphen. The locale may be "".
func Of(title, locale string) string {
	language, _, _ := strings.Cut(strings.ToLower(locale), "-")
	if r := digraphs[language]; r != nil {
		title = r.Replace(norm.NFC.String(title))
	}
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
