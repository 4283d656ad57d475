package browser

import (
	"fmt"
	"strings"
	"testing"
)

// markdownTexts are texts that editors which rewrite Markdown change.
var markdownTexts = []string{
	"Lines\r\nthat end\r\n\r\nas on Windows.\r\n",
	"Two spaces  \nbreak a line, and so does\\\na backslash.  ",
	"\tindented by a tab\n\n\t\tand by two\n",
	"\n\n\nStarts with empty lines and ends with them.\n\n\n",
	"* stars\n+ plus\n- dashes\n\n1) brackets\n2) here\n\n1. one\n1. one again\n",
	"- a\n    - four spaces\n        - eight\n\n      a paragraph in it\n- b\n\n\n- c\n",
	"- [ ] to do\n- [x] done\n- [X] done too\n",
	"above\n\n| a | b |\n|---|:-:|\n| 1 | `x \\| y` |\n\nbelow\n",
	"above\n\na | b\n- | -\nno pipes around | here\n\nbelow\n",
	"Text[^1] and more[^note].\n\n[^1]: A footnote.\n[^note]:\n    Of two\n    lines.\n",
	"<figure>\n  <img src=\"/a.png\" alt=\"\">\n  <figcaption>Raw <b>HTML</b></figcaption>\n</figure>\n",
	"Press <kbd>Ctrl</kbd>+<kbd>S</kbd> <!-- a comment --> now.<br/>\n",
	"[one][ref], [ref][], [ref] and ![pic][p]\n\n[ref]: <https://example.com/a b> 'Title'\n[p]: /p.png\n",
	"Setext\n======\n\nSecond\n------\n\n### Closed ###\n",
	"* * *\n- - -\n___\n***\n",
	"```go {1,3} title=\"x.go\"\nfunc main() {}\t\n```\n\n~~~\ntildes\n~~~\n",
	"````\n```\nnested\n```\n````\n",
	"    code by spaces\n\n    and more\n",
	"> quoted\nlazily\n>\n> > deeper\n>     code\n",
	"*a* _b_ **c** __d__ ***e*** ~~f~~ *g**h**i*\n",
	"\\*not emphasis\\* \\# not a heading &amp; &copy; &#35; &nbsp;.\n",
	"https://example.com/a_b_c and <https://example.com> and www.example.com\n",
	"مرحبا **بالعالم** [رابط](https://example.com/%D8%A7)\n\n1. أولا\n2. ثانيا\n",
	"\u200fשלום \u200fעולם\u200e and a soft\u00adhyphen, no\u00a0break, zero\u200bwidth.\n",
	"Ünïcödé, e\u0301 composed and é, 👩‍👩‍👧 and 🇦🇹, 漢字。\u3000全角\n",
	"Line separator\u2028and paragraph\u2029separator, form\u000cfeed and vertical\u000btab.\n",
	"Term\n: Definition\n\n::: warning\nA container\n:::\n\n{{< shortcode id=\"3\" >}} {% tag %} ${x}\n",
	"---\ntitle: front matter\n---\n\n# Text\n",
	"Mixed\nline ends\r\nof two kinds\n\r\n",
	"$$\nE = mc^2\n$$ and $a_b$, H~2~O, x^2^, ==mark==, :smile:",
	"   three spaces before   \n \n  \nlines of spaces\n\t\n",
	"![](</pictures/a b.png> \"t\") [](x) [a](<>) [b]( c ) [d](e \"f\")\n",
}

// TestBrowserMarkdownTexts saves and publishes an entry after a change of another field: no text
// changes, by a single byte. Then it adds a word to each, and nothing else of it changes but line
// ends, of which a form knows one kind.
func TestBrowserMarkdownTexts(t *testing.T) {
	s := newSite(t)
	fields := []obj{{"name": "teaser", "type": "textarea"}}
	data := obj{"teaser": "Short"}
	for i, text := range markdownTexts {
		name := fmt.Sprintf("t%d", i)
		fields = append(fields, obj{"name": name, "type": "richtext"})
		data[name] = text
	}
	s.call("POST", "/models", obj{"slug": "texts", "name": "Texts", "fields": fields})
	at := "/models/texts/entries/" +
		s.made("/models/texts/entries", obj{"title": "Texts", "status": "published", "data": data})
	b := s.openTab(at)
	b.editsAll()
	b.fill("data.teaser", "Changed elsewhere")
	b.see("Saved ")
	b.press("//main", "Publish changes")
	b.see("Published:")
	stored := s.call("GET", at, nil)["data"].(obj)
	if stored["teaser"] != "Changed elsewhere" {
		t.Fatalf("the teaser is %v", stored["teaser"])
	}
	for i, text := range markdownTexts {
		if got := stored[fmt.Sprintf("t%d", i)]; got != text {
			t.Errorf("text %d became %q, it was %q", i, got, text)
		}
	}

	b.editsAll()
	for i := range markdownTexts {
		eval[bool](b,
			fmt.Sprintf(`(() => { const e = %s; e.focus(); getSelection().modify("move", "forward", "documentboundary"); return document.execCommand("insertText", false, " word"); })()`,
				editor(fmt.Sprintf("data.t%d", i))))
	}
	b.until("the draft has every word", func() bool {
		draft := s.draftOf(at)
		for i, text := range markdownTexts {
			lines := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
			if draft[fmt.Sprintf("t%d", i)] != lines+" word" {
				return false
			}
		}
		return true
	})
}

// editsAll looks at each text, which then stands in an editor.
func (b *tab) editsAll() {
	b.t.Helper()
	b.see("Texts")
	for i := range markdownTexts {
		b.writesMarkdown(fmt.Sprintf("data.t%d", i))
	}
	b.eventually("String(document.querySelectorAll('.markdown-editor').length)", fmt.Sprint(len(markdownTexts)))
}
