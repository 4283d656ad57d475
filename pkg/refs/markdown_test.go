package refs

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/renderer/html"

	"headless/pkg/must"
)

const (
	anEntry = "cms://entry/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"
	aFile   = "cms://media/018f3f6e-3f0c-7b5a-9c3e-000000000001"
)

// TestDestinations shows a text with its destinations in braces.
func TestDestinations(t *testing.T) {
	for _, want := range []string{
		"[a]({/x}) ![b]({/y} \"t\") [c](<{/a b}>)\n\n[d]: {/z} 'u'\n<{https://a.example/}>\n",
		"[a][d] [d] [e]\n\n[d]:\n  {/z}\n[e]: <{/e}>\n\"t\"\n",
		"`[a](/x)` ``<https://a/>``\n\n    [a](/x)\n\n```\n[a](/x)\n```\n~~~\n<a href=\"/x\">\n",
		"> - [a]({/x}\n>   \"title\")\n>\n>   ```\n>   [b](/y)\n>   ```\n> 1. ![c]({/z})\n",
		"a <a class=x href='{/x}'>b</a> <img src={/y} alt=\"href='/n'\"> <br/>\n",
		"<div title=\"a>b\"\n     href=\"{/x}\">\n<!-- <a href=\"/n\"> -->\n<img\nsrc = {/y}>\n</div>\n",
		"<script>\na = '<a href=\"/n\">'\n</script>\n<pre>\n<a href=\"{/x}\">\n</pre>\n",
		"\\[a](/x) [a]\\(/x) [a] (/x) a](/x) [a](/x y) \\<https://a/> cms://entry/1\n",
		"[![a]({/x})]({/y}) [[b]({/z})](/n)\r\n[c]({/c})\r\n",
		"| a |\n|---|\n| [b]({/x}) |\n",
		"# [a]({/x})\n\n[b]({/y})\n===\n* * *\n-\t[c]({/z})\n",
		"[a]({foo(b)c}) [é]({/ü}) *[x]({/x})*\n",
	} {
		text := strings.NewReplacer("{", "", "}", "").Replace(want)
		got, at := "", 0
		for _, d := range Destinations(text) {
			got += text[at:d.Start] + "{" + text[d.Start:d.End] + "}"
			at = d.End
		}
		if got += text[at:]; got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

func TestRewrite(t *testing.T) {
	short := func(destination string) (string, bool) {
		target, rest, ok := Parse(destination)
		if !ok {
			return "", false
		}
		if target.File {
			return Join("https://a.example/f?v=2", rest), true
		}
		return Join("/e", rest), true
	}
	for text, want := range map[string]string{
		"[a](" + anEntry + "#part) ![b](" + aFile + "?w=8#x)":    "[a](/e#part) ![b](https://a.example/f?v=2&w=8#x)",
		"<" + anEntry + "#b> <" + aFile + ">":                    "[/e#b](/e#b) <https://a.example/f?v=2>",
		"[<" + anEntry + ">](/x)":                                "[<" + anEntry + ">](/x)",
		"[a](" + strings.ToUpper(anEntry) + ")":                  "[a](" + strings.ToUpper(anEntry) + ")",
		"[a](cms://entry/" + strings.ToUpper(anEntry[12:]) + ")": "[a](/e)",
		"[a](" + anEntry + "/x) [b](cms://page/1) [c](cms://entry/1)": "[a](" + anEntry +
			"/x) [b](cms://page/1) [c](cms://entry/1)",
		"`[a](" + anEntry + ")`": "`[a](" + anEntry + ")`",
	} {
		if got := Rewrite(text, short); got != want {
			t.Errorf("%q:\ngot  %q\nwant %q", text, got, want)
		}
	}
}

func TestOwnAddresses(t *testing.T) {
	own := Own{"https://a.example/media", "http://old:3000/media"}
	id := aFile[12:]
	for destination, want := range map[string]string{
		"https://a.example/media/" + id:                          aFile,
		"http://old:3000/media/" + strings.ToUpper(id) + "?w=8":  aFile + "?w=8",
		"https://a.example/media/" + id + "/a%20b.png?v=2#c":     aFile + "#c",
		"https://a.example/media/" + id + "?v=2&w=8&amp;fm=webp": aFile + "?w=8&amp;fm=webp",
		"https://a.example/media/" + id + "?v=2&w=8":             aFile + "?w=8",
		"https://a.example/media/" + id + "?crop=0,0,1,0.5&w=8":  aFile + "?w=8",
		"https://a.example/media/" + id + "?w=8&q=1":             aFile + "?w=8&q=1",
		"https://a.example/media/" + id + "/a/b":                 "",
		"https://a.example/media/" + id + "x":                    "",
		"https://b.example/media/" + id:                          "",
		"/media/" + id:                                           "",
	} {
		target, rest, ok := own.Parse(destination)
		if got := target.String() + rest; ok != (want != "") || ok && got != want {
			t.Errorf("%s: %t %s, want %s", destination, ok, got, want)
		}
	}
	for _, address := range []string{"/a", "https://x.example/a?b=c"} {
		for _, rest := range []string{"", "#a", "?a=b", "?a=b#c"} {
			if got, ok := CutAddress(Join(address, rest), address); !ok || got != rest {
				t.Errorf("%s and %s: %q %t", address, rest, got, ok)
			}
		}
		if _, ok := CutAddress(address+"b", address); ok {
			t.Error("another address counts as", address)
		}
	}
}

// pieces are parts of random texts. Destinations stand only in places in which the oracle can tell
// them from text; see inHTML.
var pieces = []string{
	"[a](" + anEntry + ")", "![b](" + anEntry + " \"t\")", "[c](<" + anEntry + "?x#y>)", "[d][r]",
	"\n\n[r]: " + anEntry + "\n", "\n[s]: <" + anEntry + ">\n'title'\n", "[s]", "<" + anEntry + "?auto>",
	"<a href=\"" + anEntry + "\">", "</a>", "\n<div>\n<img src=\"" + anEntry + "\"/>\n</div>\n\n",
	"`", "``", "```\n", "~~~\n", "\n```go\n", "> ", "- ", "1. ", "    ", "\t", "  ", "\n", "\n\n", "\r\n",
	"*", "**", "_", "\\", "[", "]", "(", ")", "![", "](", "<", ">", "&amp;", "\"", "# ", "\n===\n", "\n---\n",
	"| a | b |\n", "word", "ü", "\x00", " ", "<!-- ", " -->", "<b>", "cms://entry/018f3f6e", "(" + anEntry + ")",
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(24) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

var (
	oracle     = goldmark.New(goldmark.WithRendererOptions(html.WithUnsafe()))
	comment    = regexp.MustCompile(`(?s)<!--.*?(-->|$)`)
	attribute  = regexp.MustCompile(`(<(?:a|img) (?:href|src)=")` + regexp.QuoteMeta(anEntry))
	autolinked = regexp.MustCompile(`(<a href="[^"]*">)` + regexp.QuoteMeta(anEntry) + `([^<]*</a>)`)
)

// inHTML replaces the destinations in the HTML of a text.
func inHTML(rendered, by string) string {
	rendered = attribute.ReplaceAllString(rendered, "${1}"+by)
	return autolinked.ReplaceAllString(rendered, "${1}"+by+"${2}")
}

// TestRewriteAgreesWithRenderer compares the HTML of rewritten random texts with the rewritten HTML
// of the texts: exactly the destinations that a reader follows are replaced.
func TestRewriteAgreesWithRenderer(t *testing.T) {
	const by = "https://a.example/e"
	r := rand.New(rand.NewPCG(1, 2))
	replaced := 0
	for range 20000 {
		text := randomText(r)
		if comment.MatchString(text) {
			continue // the oracle does not know comments
		}
		got := Rewrite(text, func(destination string) (string, bool) {
			rest, ok := strings.CutPrefix(destination, anEntry)
			return by + rest, ok
		})
		if got != text {
			replaced++
		}
		want := inHTML(render(t, text), by)
		if rendered := render(t, got); rendered != want {
			t.Fatalf("text %q\ngives %q\ngot  %q\nwant %q", text, got, rendered, want)
		}
		back := Rewrite(got, func(destination string) (string, bool) {
			rest, ok := strings.CutPrefix(destination, by)
			return anEntry + rest, ok
		})
		if back != text {
			t.Fatalf("text %q\ncomes back as %q", text, back)
		}
	}
	if replaced < 1000 {
		t.Errorf("only %d texts had destinations", replaced)
	}
}

func render(t *testing.T, text string) string {
	var b bytes.Buffer
	must.Do(t, oracle.Convert([]byte(text), &b))
	return b.String()
}

func FuzzRewrite(f *testing.F) {
	for _, piece := range pieces {
		f.Add(piece + "[a](/x)" + piece)
	}
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, d := range Destinations(text) {
			if d.Start < end || d.End <= d.Start || d.End > len(text) {
				t.Fatalf("%q has the destination %v after %d", text, d, end)
			}
			end = d.End
		}
		same := Rewrite(text, func(destination string) (string, bool) { return destination, true })
		if same != text {
			t.Fatalf("%q comes back as %q", text, same)
		}
	})
}
