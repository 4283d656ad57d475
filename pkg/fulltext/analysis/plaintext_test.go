package analysis

import (
	"strings"
	"testing"
)

func TestPlainText(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "Just text.\r\nTwo lines.", "Just text. Two lines."},
		{"heading", "# One\n## Two ##\nThree\n===\n#four", "One Two ## Three #four"},
		{"emphasis", "*a* **b** __c__ ~~d~~ _e_ un*frigging*believable", "a b c d e unfriggingbelievable"},
		{"signs that are text", "2 * 3, snake_case, ~5, a_b_c, C# & D!",
			"2 * 3, snake_case, ~5, a_b_c, C# & D!"},
		{"links", "[text](https://e.com/a_(b) \"title\") and [*this*][ref] ![alt](x.png)",
			"text and this alt"},
		{"brackets", "a[0] and [1] ]", "a[0] and [1] ]"},
		{"image in link", "[![alt](a.png)](https://e.com)", "alt"},
		{"footnote", "Fact[^1].\n\n[^1]: Source", "Fact. : Source"},
		{"definition", "a\n\n[ref]: https://example.com \"t\"\n\nb", "a b"},
		{"autolink", "<https://example.com> <me@example.com>", "https://example.com me@example.com"},
		{"escape", `\*not\* \[a\] c:\dir`, `*not* [a] c:\dir`},
		{"code span", "use `a < b && *c*` or ``x ` y`` and `", "use a < b && *c* or x ` y and"},
		{"fence", "a\n```go title=\"x\"\nfunc <b> *c*\n```\n~~~\nd\n~~~\ne", "a func <b> *c* d e"},
		{"open fence", "```\n# a", "# a"},
		{"lists", "- a\n* b\n+ c\n1. d\n2) e\n- [x] f\n- [ ] g\n  - h", "a b c d e f g h"},
		{"quote", "> a\n> > b\n>c", "a b c"},
		{"rule", "a\n\n---\n\n* * *\nb", "a b"},
		{"table", "| a | b |\n|---|:-:|\n| `c` | d |", "a b c d"},
		{"tags", "<p class=\"x > y\">a</p><p>b<b>c</b>d</p><br/>e<img\n src='f'>", "a bcd e"},
		{"comment", "a<!-- b\n\n c -->d", "ad"},
		{"script", "a<script>if (x<y) z()</script>b<STYLE>c</Style>d", "a b d"},
		{"entities", "&lt;b&gt; &amp; caf&eacute; &nosuch; &#8364; AT&T", "<b> & café &nosuch; € AT&T"},
		{"not tags", "a < b > c, x<3, <>, <", "a < b > c, x<3, <>, <"},
		{"open tag", "a <b c", "a <b c"},
		{"components", "import X from '../x.astro'\n\n<X>\n\ntext\n\n</X>\nimport from abroad",
			"text import from abroad"},
		{"note", ":::tip[Hint]\ntext\n:::", "[Hint] text"},
		{"zero bytes", "a\x00b", "ab"},
		{"empty", "", ""},
	} {
		if got := strings.Join(strings.Fields(PlainText(tt.in)), " "); got != tt.want {
			t.Errorf("%s: PlainText(%q) = %q, want %q", tt.name, tt.in, got, tt.want)
		}
	}
}
