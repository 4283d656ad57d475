package admin

import (
	"strings"
	"testing"

	"headless/pkg/admin/ui"
	"headless/pkg/docs"
)

// TestGuidePictures: the guide shows pictures that are there and small, with words for those who do
// not see them.
func TestGuidePictures(t *testing.T) {
	shown := newMarks().image.FindAllStringSubmatch(docs.Editors, -1)
	if len(shown) < 5 {
		t.Errorf("the guide has %d pictures", len(shown))
	}
	for _, m := range shown {
		body, err := ui.AssetFiles.ReadFile(m[2])
		if err != nil || len(body) > 30<<10 {
			t.Errorf("%s has %d bytes: %v", m[2], len(body), err)
		}
		if strings.Count(string(guideHTML(m[0])), "<img ") != 1 {
			t.Errorf("%s is not shown", m[0])
		}
	}
}

func TestGuideHTML(t *testing.T) {
	got := string(guideHTML("\nA <b> & `c`.\n\n## Do **it**\n\n1. One [page](/admin/media).\n2. Two\n   lines, [a file](../x.md).\n\n- a\n- b"))
	want := `<p>A &lt;b&gt; &amp; <code>c</code>.</p>
<h2>Do <strong>it</strong></h2>
<ol><li>One <a href="/admin/media">page</a>.</li><li>Two
   lines, a file.</li></ol>
<ul><li>a</li><li>b</li></ul>
`
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
