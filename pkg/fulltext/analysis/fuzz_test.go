package analysis

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

var fuzzLocales = []string{"en", "de", "fr", "es", "it", "pt", "nl", "ru", "ar", "sv", "nb", "da",
	"fi", "tr", "ro",
	"hu", "hi", "zh", "ja", "ko", "th", "ca", ""}

func addSeeds(f *testing.F) {
	for i, text := range []string{sample, "l'Élève d’aujourd'hui", "المكوّنات", "日本語ｶﾞイ", "हिन्दी", "한국어",
		"a\u0301.b_c:1.5", "# a\n- [x](y) `c`\n```\n<b>&amp;\n```", "<!-- -->\n|a|b|\n|-|-|",
		"\xff\x00\u200d"} {
		f.Add(text, uint8(i), "a b")
		f.Add(strings.Repeat(text, 20), uint8(i*3), text)
	}
}

func FuzzTokens(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text string, l uint8, _ string) {
		checkTokens(t, text, fuzzLocales[int(l)%len(fuzzLocales)])
	})
}

func FuzzQuery(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text string, l uint8, q string) {
		checkQuery(t, text, fuzzLocales[int(l)%len(fuzzLocales)], q)
	})
}

// TestRandomTexts makes texts of letters, endings and signs that have rules of their own.
func TestRandomTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	units := strings.Split("a|b|e|l'|d’|s|ing| |  |\n|.|_|-|'|é|ß|ue|oe|q|u|ё|и|й|ов|ال|ه|ة|كتاب|部|署|カ|ﾞ|ｶ|한|ᄒ|ᅡ|ᆫ|"+
		"\u0301|\u3099|\u200d|\u00ad|ไ|ท|ี|क|्|ष|1|٢|,|·|🚀|\xff|\x00|ﷺ|½|İ|ı|I|ŉ|ﬁ|Å|ⅳ|㎏|`|*|[|](|<b>|&amp;|"+
		"y|Y|ij|ation|ción|ões|ee|lar|ban",
		"|")
	text := func(most int) string {
		var b strings.Builder
		for range random.IntN(most) {
			b.WriteString(units[random.IntN(len(units))])
		}
		return b.String()
	}
	for i := range 5000 {
		locale := fuzzLocales[i%len(fuzzLocales)]
		checkTokens(t, text(14), locale)
		checkQuery(t, text(14), locale, text(4))
	}
}

// checkTokens checks what every caller relies on: offsets within the text and in order,
// words and stems that are valid, not empty and bounded.
func checkTokens(t *testing.T, text, locale string) {
	start := 0
	for _, token := range Tokens(text, locale) {
		if token.Start < start || token.End <= token.Start || token.End > len(text) {
			t.Fatalf("%q: token at %d-%d after %d", text, token.Start, token.End, start)
		}
		start = token.Start
		if token.Word == "" || token.Stem == "" || !utf8.ValidString(token.Word) ||
			!utf8.ValidString(token.Stem) {
			t.Fatalf("%s %q: token %+v", locale, text, token)
		}
		if utf8.RuneCountInString(token.Word) > maxWordRunes {
			t.Fatalf("%q: long word %q", text, token.Word)
		}
	}
}

// checkQuery checks that a text is found by its own words, that an excerpt is bounded, and
// that it is taken where a plain reading finds the first match.
func checkQuery(t *testing.T, text, locale, q string) {
	d := Analyze(Text{Fields: []string{text}, Headings: Headings(text)}, locale)
	df := func(QueryTerm) int64 { return 1 }
	if own := ParseQuery(text, locale); len(own.Terms) > 0 && len(d.Terms) < maxTerms {
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
// that the rest holds no zero bytes.
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
