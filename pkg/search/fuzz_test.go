package search

import (
	"strings"
	"testing"
	"unicode/utf8"
)

var fuzzLocales = []string{"en", "de", "fr", "es", "it", "pt", "nl", "ru", "ar", "sv", "nb", "da", "fi", "tr", "ro",
	"hu", "hi", "zh", "ja", "ko", "th", "ca", ""}

func addSeeds(f *testing.F) {
	for i, text := range []string{sample, "l'Élève d’aujourd'hui", "المكوّنات", "日本語ｶﾞイ", "हिन्दी", "한국어",
		"a\u0301.b_c:1.5", "# a\n- [x](y) `c`\n```\n<b>&amp;\n```", "<!-- -->\n|a|b|\n|-|-|", "\xff\x00\u200d"} {
		f.Add(text, uint8(i), "a b")
		f.Add(strings.Repeat(text, 20), uint8(i*3), text)
	}
}

// FuzzTokens checks what every caller relies on: offsets within the text and in order,
// words and stems that are valid, folded and bounded, and that folding is final.
func FuzzTokens(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text string, l uint8, _ string) {
		locale := fuzzLocales[int(l)%len(fuzzLocales)]
		start := 0
		for _, token := range Tokens(text, locale) {
			if token.Start < start || token.End <= token.Start || token.End > len(text) {
				t.Fatalf("%q: token at %d-%d after %d", text, token.Start, token.End, start)
			}
			start = token.Start
			if token.Word == "" || token.Stem == "" || !utf8.ValidString(token.Word) || !utf8.ValidString(token.Stem) {
				t.Fatalf("%q: token %+v", text, token)
			}
			if utf8.RuneCountInString(token.Word) > maxWordRunes {
				t.Fatalf("%q: long word %q", text, token.Word)
			}
		}
	})
}

// FuzzQuery checks that a text is found by its own words, that an excerpt is bounded, and
// that it begins at the word where a plain reading finds the first match.
func FuzzQuery(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text string, l uint8, q string) {
		locale := fuzzLocales[int(l)%len(fuzzLocales)]
		d := Analyze("", []string{text}, locale)
		df := func(QueryTerm) int64 { return 1 }
		if own := ParseQuery(text, locale); len(own.Terms) > 0 && len(own.Terms) < MaxTerms {
			if score, ok := own.Matches(d, 2, df); !ok || !(score > 0) {
				t.Fatalf("%s %q does not find itself: %+v", locale, text, own)
			}
		}
		query := ParseQuery(q, locale)
		from, to := firstMatch(text, locale, query)
		if wantFrom, wantTo := plainMatch(text, locale, query); from != wantFrom || to != wantTo {
			t.Fatalf("%s %q in %q at %d-%d, want %d-%d", locale, q, text, from, to, wantFrom, wantTo)
		}
		e := Excerpt(text, locale, query)
		if !utf8.ValidString(e) || utf8.RuneCountInString(e) > excerptLength+2 {
			t.Fatalf("excerpt %q", e)
		}
	})
}

// plainMatch is firstMatch without its shortcuts.
func plainMatch(text, locale string, q Query) (from, to int) {
	for _, token := range Tokens(text, locale) {
		for _, term := range q.Terms {
			if term.Factor(token.Stem, []string{token.Word}) > 0 {
				return token.Start, token.End
			}
		}
	}
	return 0, 0
}

// FuzzPlainText checks that the result is no longer than the input but for entities, and
// that what is left holds no zero bytes.
func FuzzPlainText(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text string, _ uint8, _ string) {
		plain := PlainText(text)
		if len(plain) > 2*len(text)+8 || strings.IndexByte(plain, 0) >= 0 {
			t.Fatalf("%q became %q", text, plain)
		}
		if utf8.ValidString(text) && !utf8.ValidString(plain) {
			t.Fatalf("%q became invalid: %q", text, plain)
		}
	})
}
