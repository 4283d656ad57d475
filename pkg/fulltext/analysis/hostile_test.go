package analysis

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// hostile returns texts of 128 KiB that are made to be read again and again.
func hostile() map[string]string {
	const size = 1 << 17
	fill := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	random := rand.New(rand.NewPCG(1, 2))
	letters := make([]byte, size)
	for i := range letters {
		letters[i] = "abcdefghij klmnop\n"[random.IntN(18)]
	}
	return map[string]string{
		"one word":           fill("x"),
		"distinct words":     string(letters),
		"single letters":     fill("a b "),
		"combining marks":    "a" + fill("\u0301"),
		"marks and points":   "a" + fill(".\u0301"),
		"marks, apostrophes": "a" + fill("\u0301'"),
		"quotes":             fill("a'"),
		"hebrew quotes":      fill("א\""),
		"flags":              fill("🇩"),
		"joiners":            fill("\u200D"),
		"digits and points":  fill("1."),
		"underscores":        fill("_"),
		"han":                fill("部"),
		"han and marks":      fill("部\u3099"),
		"kana":               fill("ア"),
		"ligatures":          fill("ﷺ"),
		"arabic":             fill("كتابهاوالمكونات "),
		"turkish":            fill("kitaplarındakilerden "),
		"spaces":             fill(" ") + "match",
		"broken utf-8":       fill("\xff\xc3"),
		"open tags":          fill("<a "),
		"open tags, quotes":  fill("<a \""),
		"tag quotes":         fill("<a '<b \""),
		"comments":           fill("<!--"),
		"comment ends":       "<!--" + fill("--") + fill("<!--"),
		"scripts":            fill("<script>"),
		"brackets":           fill("["),
		"links":              fill("[]("),
		"escaped links":      fill("[](\\("),
		"closed links":       fill("[a](b)"),
		"labels":             fill("[]["),
		"back quotes":        fill("`"),
		"back quote rows":    backQuotes(size),
		"stars":              fill("*a"),
		"entities":           fill("&amp"),
		"quotes of quotes":   fill(">"),
		"lists of lists":     fill("- "),
		"headings":           fill("# "),
		"lines":              fill("\n"),
		"fences":             fill("```\n~~~\n"),
		"bars":               fill("|"),
	}
}

// backQuotes returns rows of ever more back quotes.
func backQuotes(size int) string {
	var b strings.Builder
	for n := 1; b.Len() < size; n++ {
		b.WriteString(strings.Repeat("`", n) + " ")
	}
	return b.String()
}

func TestHostileTexts(t *testing.T) {
	const limit = 4 * time.Second // for the race detector on a busy machine; measured: below 0.1 s
	for name, text := range hostile() {
		q := ParseQuery("match", "en")
		for what, call := range map[string]func(){
			"PlainText": func() { PlainText(text) },
			"Tokens":    func() { Tokens(text, "ar"); Tokens(text, "tr") },
			"Analyze": func() {
				Analyze(Text{Title: text, Fields: []string{text},
					Headings: Headings(text)}, "en")
			},
			"Excerpt": func() {
				if e := Excerpt(text, "en", q); utf8.RuneCountInString(e) > excerptLength+2 {
					t.Errorf("%s: excerpt of %d characters", name, utf8.RuneCountInString(e))
				}
			},
		} {
			start := time.Now()
			call()
			if d := time.Since(start); d > limit {
				t.Errorf("%s of %s took %v", what, name, d)
			} else {
				t.Logf("%s of %s: %v", what, name, d)
			}
		}
	}
}
