package stega

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"headless/pkg/must"
)

// TestMark compares a mark with what @vercel/stega 1.1.0 makes of the same object.
func TestMark(t *testing.T) {
	got := Mark("http://a/ü")
	if !strings.HasPrefix(got, "\u200b\u200b\u200b\u200b\u200c\ufeff\u200d\ufeff\u200b\u200d\u200b\u200d") {
		t.Errorf("%+q", got)
	}
	var text []byte
	for i, digit := range []rune(got)[4:] {
		if i%4 == 0 {
			text = append(text, 0)
		}
		text[len(text)-1] = text[len(text)-1]<<2 | byte(strings.IndexRune("\u200b\u200c\u200d\ufeff", digit)/3)
	}
	if want := `{"origin":"cms","href":"http://a/\u00fc"}`; string(text) != want {
		t.Errorf("%s, want %s", text, want)
	}
}

// TestStructure compares the HTML of marked texts with that of the texts: a mark must not end or begin an emphasis.
func TestStructure(t *testing.T) {
	mark := Mark("http://a/")
	converter := goldmark.New(goldmark.WithExtensions(extension.GFM))
	html := func(text string) string {
		var b strings.Builder
		must.Do(t, converter.Convert([]byte(text), &b))
		return b.String()
	}
	isMarked := func(text string) bool {
		at := InMarkdown(text)
		got := strings.ReplaceAll(html(Insert(text, at, mark)), mark, "")
		if want := html(text); got != want {
			t.Errorf("%q became %q with the mark at %d, want %q", text, got, at, want)
		}
		return at >= 0
	}
	for _, text := range []string{"**Bold.**", "**bold**", "_em_", "*em*", "***all!***", "_**both**_", "**_both_**",
		"~~gone.~~", "A **(b)**", "a\\*", "*a b *", "2 * 3 *", "snake_case_", "**a.** b", "# Head _it_ #", "- **x:**",
		"`_a_`", "**„Zitat“**", "*50€*", "*a**", "**a_*__", "a *\nb* https://a.example"} {
		if !isMarked(text) {
			t.Errorf("%q has no mark", text)
		}
	}
	random, marked := rand.New(rand.NewPCG(15, 1)), 0
	parts := []string{"a", "b", "ü", " ", "\n", ".", "(", "“", "\\", "\u00a0", "*", "**", "***", "_", "__", "~", "~~"}
	for range 20_000 {
		text := "x"
		for range 1 + random.IntN(12) {
			text += parts[random.IntN(len(parts))]
		}
		if isMarked(text) {
			marked++
		}
	}
	if marked < 15_000 {
		t.Errorf("only %d texts are marked", marked)
	}
}

func TestFits(t *testing.T) {
	for _, text := range []string{"Hello", "3 wishes", "A #1", "2026 was good", "Write to a@b.example", "Red: fine",
		"May I come in 2026", "Greens", "March on"} {
		if !Fits(text) {
			t.Errorf("%q is not marked", text)
		}
	}
	for _, text := range []string{"", " ", "12", "-1.5", "1,000", ".5", "1e5", "2026-01-31", "2026-01-31T12:00:00Z",
		"31.1.2026", "50%", "#fff",
		"rgb(1, 2, 3)", "Red", "transparent", "color(srgb 1 0 0)", "31 January 2026", "January 31, 2026", "Jan 2026",
		"−5", "/path", "https://example.com/x", "a@b.example", "mailto:a@b.example", "www.example.com"} {
		if Fits(text) {
			t.Errorf("%q is marked", text)
		}
	}
}

// TestPlaces marks texts with a star.
func TestPlaces(t *testing.T) {
	for text, want := range map[string]string{
		"A paragraph.":                     "A paragraph.*",
		"One  \ntwo\n\n":                   "One  \ntwo*\n\n",
		"# Head ##\n\n```\ncode\n```\n":    "# Head* ##\n\n```\ncode\n```\n",
		"- one\n- two\n\n        code\n":   "- one\n- two*\n\n        code\n",
		"Text\n\nSee https://example.com":  "Text*\n\nSee https://example.com",
		"Text\n\n<https://example.com>":    "Text*\n\n<https://example.com>",
		"Text\n\n**ada@example.com**":      "Text*\n\n**ada@example.com**",
		"A [link](https://example.com)":    "A [link](https://example.com)*",
		"Text\n\n| a |\n| - |\n| b |":      "Text*\n\n| a |\n| - |\n| b |",
		"Text\n\n[a]: https://example.com": "Text*\n\n[a]: https://example.com",
		"```\ncode\n```":                   "```\ncode\n```",
		"https://example.com":              "https://example.com",
		"<div>\nraw\n</div>":               "<div>\nraw\n</div>",
		"> quoted\n\n***":                  "> quoted*\n\n***",
		"Setext\n======\n":                 "Setext*\n======\n",
		"Coffee | tea":                     "Coffee | tea*",
		"Text\n\nabove\na\n:-:\nb":         "Text\n\nabove*\na\n:-:\nb",
		"#fff":                             "#fff",
		"# 12":                             "# 12",
	} {
		if got := Insert(text, InMarkdown(text), "*"); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	for html, want := range map[string]string{
		"<p>One</p>\n<p>two <b>bold</b></p>\n":    "<p>One</p>\n<p>two <b>bold*</b></p>\n",
		"<p>One <a href=\"x>y\">link</a></p>\n":   "<p>One* <a href=\"x>y\">link</a></p>\n",
		"<p>One</p>\n<pre><code>x</code></pre>\n": "<p>One*</p>\n<pre><code>x</code></pre>\n",
		"<pre>x</pre>": "<pre>x</pre>", "<p>12</p>\n": "<p>12</p>\n", "<p>/path</p>\n": "<p>/path</p>\n",
		"<p>One</p><div data-block=\"a\" data-value='>'></div>\n": "<p>One*</p><div data-block=\"a\" data-value='>'></div>\n",
	} {
		if got := Insert(html, InHTML(html), "*"); got != want {
			t.Errorf("%q became %q, want %q", html, got, want)
		}
	}
}
