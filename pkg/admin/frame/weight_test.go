package frame

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/must"
)

// TestEditorWeight limits what the page of an entry loads with an empty cache to 150 KB,
// compressed. The page itself counts as 5 KB; modules that come with a gesture, and the font, which is
// fetched for the next page, do not.
func TestEditorWeight(t *testing.T) {
	const page, budget = 5 << 10, 150 << 10
	loads := strings.Fields("app.css entry.frame.review.comments.presence.drag.blocks.related.markdown.css " +
		"app.pages.js entry.js frame.comments.presence.drag.blocks.related.markdown.js icon.svg markdown-view.js " +
		"markdown-tools.js markdown-insert.js codemirror.js")
	total := page
	for _, file := range loads {
		body, err := ui.Asset(file, say.English)
		must.Do(t, err)
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		if _, err := w.Write(body); err != nil {
			t.Fatal(err)
		}
		must.Do(t, w.Close())
		total += out.Len()
	}
	if total > budget {
		t.Errorf("the page of an entry weighs %d bytes, more than %d", total, budget)
	}
	t.Logf("%d bytes", total)
}
