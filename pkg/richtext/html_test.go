package richtext

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"headless/pkg/markdown"
)

// htmlOf returns the HTML of the pieces of a text in one string.
func htmlOf(pieces ...string) string {
	all, _ := Local(context.Background(), []markdown.Text{{Pieces: pieces, Pictures: map[string]markdown.Picture{
		"/media/1": {Alt: `A "lamp" & <b>`, Width: 800, Height: 600, Srcset: "/media/1?w=400&fm=auto 400w"}}}})
	return strings.Join(all[0], "")
}

func TestHTML(t *testing.T) {
	for text, want := range map[string]string{
		"a *b* **c** `d` ~~e~~": "<p>a <em>b</em> <strong>c</strong> <code>d</code> <del>e</del></p>\n",
		"# Don't *Panic* & Go!\n## Über_uns [x](/y)\n# ---\n": "<h1 id=\"dont-panic-go\">Don&#39;t <em>Panic</em> &amp; " +
			"Go!</h1>\n" + "<h2 id=\"über-uns-x\">Über_uns <a href=\"/y\">x</a></h2>\n<h1 id=\"section\">---</h1>\n",
		"# A\n# A\n# A-1\n# A\n": "<h1 id=\"a\">A</h1>\n<h1 id=\"a-1\">A</h1>\n<h1 id=\"a-1-1\">A-1</h1>\n<h1 " +
			"id=\"a-2\">A</h1>\n",
		"| a | b |\n|:--|--:|\n| 1 | 2 |\n": "<table>\n<thead>\n<tr>\n<th align=\"left\">a</th>\n<th " +
			"align=\"right\">b</th>\n</tr>\n</thead>\n" +
			"<tbody>\n<tr>\n<td align=\"left\">1</td>\n<td align=\"right\">2</td>\n</tr>\n</tbody>\n</table>\n",
		"https://a.example/x www.b.example <https://c.example>": "<p><a href=\"https://a.example/x\">" +
			"https://a.example/x</a> " +
			"<a href=\"http://www.b.example\">www.b.example</a> <a href=\"https://c.example\">https://c.example</a></p>\n",
		"![](/media/1)": "<p><img src=\"/media/1\" alt=\"A &#34;lamp&#34; &amp; &lt;b&gt;\" loading=\"lazy\" " +
			"width=\"800\" height=\"600\" " +
			"srcset=\"/media/1?w=400&amp;fm=auto 400w\"></p>\n",
		"![own *alt*](/media/1 \"t\")": "<p><img src=\"/media/1\" alt=\"own alt\" " +
			"title=\"t\" loading=\"lazy\" width=\"800\" height=\"600\" srcset=\"/media/1?w=400&amp;fm=auto 400w\"></p>\n",
		"![x](https://a.example/b.png)": "<p><img src=\"https://a.example/b.png\" " +
			"alt=\"x\" loading=\"lazy\"></p>\n",
		"[a *b*](cms://entry/1) ![c](cms://media/1)":                     "<p>a <em>b</em> c</p>\n",
		"<cms://entry/1> [![x](cms://media/2)](/y)":                      "<p>cms://entry/1 <a href=\"/y\">x</a></p>\n",
		"<a href=\"cms://entry/1\">x</a> <img src=cms://m/1>":            "<p>x </p>\n",
		"<h2 id=\"x\" style=\"color:red\" onclick=\"x()\">a</h2>":        "<h2>a</h2>",
		"<div data-block=\"hero\" data-value=\"{}\" class=\"x\">a</div>": "<div>a</div>",
		"<script>alert(1)</script>a":                                     "a",
		"a <script>alert(1)</script> b":                                  "<p>a  b</p>\n",
		"<iframe src=\"https://x\"></iframe>\n\nb":                       "\n<p>b</p>\n",
		"[a](javascript:alert(1)) [b](data:text/html,x)":                 "<p>a b</p>\n",
		"<img src=\"/x\" srcset=\"/y 2x\" width=\"5\">":                  "<img src=\"/x\" width=\"5\"/>",
		"```go\na < b\n```": "<pre><code class=\"language-go\">" +
			"a &lt; b\n</code></pre>\n",
		"3. a\n4. b": "<ol start=\"3\">\n<li>a</li>\n<li>b</li>\n</ol>\n",
		"a\\\nb":     "<p>a<br>\nb</p>\n",
		"<details open><summary>a</summary>b</details>": "<details open=\"\">" +
			"<summary>a</summary>b</details>",
		"[mail](mailto:a@b.example) [tel](tel:+491) [p](#a-1)": "<p><a href=\"mailto:a@b.example\">mail</a> <a " +
			"href=\"tel:+491\">tel</a> <a href=\"#a-1\">p</a></p>\n",
	} {
		if got := htmlOf(text); got != want {
			t.Errorf("%q:\ngot  %q\nwant %q", text, got, want)
		}
	}
}

// TestTotalLimit shows many texts that take too long as they are, in the time for all of them.
func TestTotalLimit(t *testing.T) {
	t.Parallel()
	never := make(chan []string)
	begun := time.Now()
	all := inTime(make([]markdown.Text, 100), func(markdown.Text) []string { return <-never })
	if took := time.Since(begun); len(all) != 100 || took > 10*markdown.TimeLimit {
		t.Errorf("%d texts after %v", len(all), took)
	}
}

// TestSizeLimit shows the texts as they are that are more than an answer holds.
func TestSizeLimit(t *testing.T) {
	text := markdown.Text{Pieces: []string{"[x]: /" + strings.Repeat("u", 2500) + "\n\n" + strings.Repeat("[x]", 800)}}
	size := 0
	all, err := Local(context.Background(), slices.Repeat([]markdown.Text{text}, 40))
	for _, pieces := range all {
		size += len(pieces[0])
	}
	if err != nil || len(all) != 40 || size < markdown.SizeLimit || size > markdown.SizeLimit+3<<20 {
		t.Errorf("%d texts of %d bytes, %v", len(all), size, err)
	}
}

// TestIDsOfPieces gives headings in several pieces of a text different ids.
func TestIDsOfPieces(t *testing.T) {
	if got := htmlOf("# A", "# A"); got != "<h1 id=\"a\">A</h1>\n<h1 id=\"a-1\">A</h1>\n" {
		t.Error(got)
	}
}

// TestHostile is for texts on which parsers of Markdown are known to spend their time. It would take
// minutes if one of them took a time that grows with the square of its length.
func TestHostile(t *testing.T) {
	for name, text := range map[string]string{
		"brackets": strings.Repeat("[", 100000), "links": strings.Repeat("[a](", 5000),
		"quotes": strings.Repeat("> ", 5000) + "a", "emphasis": strings.Repeat("*a **a ", 30000),
		"code": strings.Repeat("`a``", 40000), "entities": strings.Repeat("&a", 60000),
		"tables": strings.Repeat("|a", 50000) + "\n" + strings.Repeat("|-", 50000),
		"lists":  strings.Repeat("- ", 5000) + "a", "html": strings.Repeat("<b ", 60000),
		"definitions": strings.Repeat("[a]: b\n", 20000), "divs": strings.Repeat("<div>\n\n", 400),
		"images": strings.Repeat("![", 60000), "www": strings.Repeat("www.a", 50000),
		"headings": strings.Repeat("# a\n", 30000), "strikethrough": strings.Repeat("~a~~", 50000),
		"comments": strings.Repeat("<!-- a ", 40000),
	} {
		if out := Of(markdown.Text{Pieces: []string{text}}); strings.HasPrefix(out[0], "<pre>") {
			t.Errorf("%s is shown as text", name)
		}
	}
	links := strings.Repeat("[a](", 60000) // a minute
	if out := htmlOf(links); out != "<pre>"+links+"</pre>\n" {
		t.Error("a costly text is parsed")
	}
	if markdown.Parse([]byte(links)).HasChildren() {
		t.Error("a costly text is parsed for its references")
	}
}

// TestRepeated shows texts as they are that repeat what is long in a few signs, and no others.
func TestRepeated(t *testing.T) {
	long := strings.Repeat("u", 50_000)
	pictures := map[string]markdown.Picture{"/p": {Srcset: long}}
	for text, asText := range map[string]bool{
		"[x]: /" + long + "\n\n" + strings.Repeat("[x]\n\n", 60):                true,
		"[x]: / \"" + long + "\"\n\n" + strings.Repeat("![x] ", 60):             true,
		"[x]: /p\n\n" + strings.Repeat("![x]\n", 60):                            true,
		"[x]: /" + long + "\n\n" + strings.Repeat("[x] ![](/p)\n\n", 10):        false,
		strings.Repeat("[a](/"+strings.Repeat("u", 100)+" \"title\")\n", 10000): false,
	} {
		out := Of(markdown.Text{Pieces: []string{text}, Pictures: pictures})[0]
		if got := strings.HasPrefix(out, "<pre>"); got != asText {
			t.Errorf("%.10s… of %d bytes: as text: %v; %d bytes", text, len(text), got, len(out))
		}
	}
}

func FuzzHTML(f *testing.F) {
	f.Add("# a\n<script>x</script>\n[a](javascript:x)\n![b](/media/1)")
	f.Fuzz(func(t *testing.T, text string) {
		out := strings.ToLower(htmlOf(text))
		for _, bad := range []string{"<script", "<iframe", "href=\"javascript:", "data-block", strings.ToLower(mark())} {
			if strings.Contains(out, bad) {
				t.Fatalf("%q gives %q", text, out)
			}
		}
	})
}
