package admin_test

import "testing"

// TestWindowsOfPreviews lets only pages with a preview talk to a window that they opened.
func TestWindowsOfPreviews(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models", `{"slug":"news","name":"News","preview_url":"https://example.com/{slug}?p={token}"}`)
	c.must(t, 201, "POST", "/models", `{"slug":"notes","name":"Notes"}`)
	b := s.browse(t)
	for model, want := range map[string]string{"news": "same-origin-allow-popups", "notes": "same-origin"} {
		e := c.must(t, 201, "POST", "/models/"+model+"/entries", `{"title":"Opening"}`).text(t, "id")
		if got := b.get(t, "/models/"+model+"/entries/"+e).Header().Get("Cross-Origin-Opener-Policy"); got != want {
			t.Errorf("an entry of %s has the policy %q, want %q", model, got, want)
		}
	}
}
