package admin_test

import "testing"

// TestPreviewTimes shows days and times in a preview as all pages do.
func TestPreviewTimes(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","fields":[
		{"name":"day","type":"date"},{"name":"at","type":"datetime"}]}`)
	id := c.must(t, 201, "POST", "/models/posts/entries",
		`{"title":"Lamp","data":{"day":"2026-11-22","at":"2026-11-22T09:38:00Z"}}`).text(t, "id")
	page := b.get(t, "/models/posts/entries/"+id+"/preview")
	for _, want := range []string{`<p><time datetime="2026-11-22T09:38:00Z"`, "<p><span>22"} {
		if page.Code != 200 || !contains(page, want) {
			t.Errorf("%d, without %q: %s", page.Code, want, page.Body)
		}
	}
}
