package analysis

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestExcerpt(t *testing.T) {
	filler := strings.Repeat("some words before ", 20)
	for _, tt := range []struct{ name, locale, text, q, want string }{
		{"short", "en", "A short\n\n text.", "short", "A short text."},
		{"no match", "en", "A text.", "absent", "A text."},
		{"no query", "en", "  A text.  ", "", "A text."},
		{"empty", "en", "", "a", ""},
		{"first match", "en", filler + "an elephant walks.", "walk elephan",
			"…before some words before some words before an elephant walks."},
		{"beginning", "en", "Elephants " + filler, "elephant",
			"Elephants " + strings.Repeat("some words before ", 8) + "some…"},
		{"spaces", "en", "a" + strings.Repeat(" \n", 9000) + "match" + strings.Repeat("\t", 9000) +
			"b", "match", "…match…"},
		{"han", "zh", strings.Repeat("其他文字", 30) + "部署网站", "部署",
			"…文字" + strings.Repeat("其他文字", 12) + "部署网站"},
		{"accents", "fr", "Un café noir", "cafes", "Un café noir"},
		{"prefix in CJK", "ja", "Astroの型", "型", "Astroの型"},
		{"broken", "en", "a\xff\x00b match", "match", "a b match"},
	} {
		if got := Excerpt(tt.text, tt.locale, ParseQuery(tt.q, tt.locale)); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestExcerptLength(t *testing.T) {
	for _, text := range []string{strings.Repeat("x", 5000), strings.Repeat("部", 5000),
		strings.Repeat("ab ", 5000),
		"a" + strings.Repeat("\u0301", 5000), strings.Repeat("y ", 500) + strings.Repeat("x", 5000)} {
		for _, q := range []string{"x", "部", "ab", "none"} {
			e := Excerpt(text, "en", ParseQuery(q, "en"))
			if n := utf8.RuneCountInString(e); n > excerptLength+2 {
				t.Errorf("%d characters for %s in %.10s", n, q, text)
			}
		}
	}
}
