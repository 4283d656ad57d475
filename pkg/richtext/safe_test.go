package richtext

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// TestIsSafe: whatever an author writes, the page has no element that runs, loads or posts,
// no attribute that does, and no address of another kind than those of pages, mails and pictures.
func TestIsSafe(t *testing.T) {
	elements := strings.Fields("html head body p a b img br hr em strong del code pre blockquote ul ol li " +
		"h1 h2 h3 h4 h5 h6 table thead tbody tr th td")
	attributes := strings.Fields("href src alt title align class start id loading")
	scheme := regexp.MustCompile(`^\s*([A-Za-z][A-Za-z0-9+.-]*):`) // as browsers find it
	for _, text := range []string{
		"<script>x()</script>", "a <b onclick=x()>b</b>", "<iframe src=//x></iframe>",
		"<img src=x onerror=y()>", "<style>*{}</style>", "<form action=//x><button>", "<!-- --!><script>",
		"[a](javascript:z())", "[a](JaVaScRiPt:z())", "[a](java&#115;cript:z())", "[a](&#x6a;avascript:z())",
		"[a](java&Tab;script:z())", "[a](java&NewLine;script:z())", "[a](<java\tscript:z()>)",
		"[a](<\x01javascript:z()>)", "[a](<  javascript:z()>)", "[a](javascript&colon;z())",
		"[a](java\\script:z())", "[a](vbscript:z)", "[a](data:text/html,<script>)", "[a](file:///etc/passwd)",
		"<javascript:z()>", "<data:text/html;base64,PHNjcmlwdD4=>", "![a](javascript:z())",
		"![a](data:text/html,x)", "[a]\n\n[a]: javascript:z()", "[a]\n\n[a]: java&#115;cript:z() 'x'",
		"[a](https://x \"\\\" onclick=z()\")", "![\" onerror=z()](x)", "![a](x\" onerror=\"z())",
		"``` \"><script>\nx\n```", "# h {onclick=z()}",
		"| a | b |\n|:-:|--:|\n| <script> | [x](javascript:y) |",
		"- [x] <script>", "www.x\"onclick=z()", "https://x/\"><script>z()</script>", "~~<svg onload=z()>~~",
	} {
		out := htmlOf(text)
		root, err := html.Parse(strings.NewReader(out))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		for n := range root.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			if !slices.Contains(elements, n.Data) {
				t.Errorf("%q has the element %s: %s", text, n.Data, out)
			}
			for _, a := range n.Attr {
				if !slices.Contains(attributes, a.Key) {
					t.Errorf("%q has the attribute %s: %s", text, a.Key, out)
				}
				if m := scheme.FindStringSubmatch(a.Val); m != nil && (a.Key == "href" || a.Key == "src") &&
					!slices.Contains([]string{"http", "https", "mailto"}, strings.ToLower(m[1])) {
					t.Errorf("%q has the address %q: %s", text, a.Val, out)
				}
			}
		}
	}
}
