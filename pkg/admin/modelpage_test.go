package admin_test

import (
	"strings"
	"testing"
)

// TestModelPage: the page of a model names its addresses and approvals, which the form sets.
func TestModelPage(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"notes","name":"Notes","url":"/notes/{slug}","home":"first",
		"preview_url":"https://example.com/?preview={token}","review":2}`)
	c.must(t, 201, "POST", "/models", `{"slug":"plain","name":"Plain"}`)
	page, plain := b.get(t, "/models/notes"), b.get(t, "/models/plain")
	for label, value := range map[string]string{"Address on the site": "/notes/{slug}", "Slug of the home page": "first",
		"Preview address": "https://example.com/?preview={token}", "Approvals before publishing": "2"} {
		shown := strings.ReplaceAll(page.Body.String(), "<wbr>", "") // where a long value may break
		if !strings.Contains(shown, label) || !strings.Contains(shown, ">"+value+"<") {
			t.Errorf("no %s in %s", label, shown)
		}
		if contains(plain, label) {
			t.Errorf("%s of a model without: %s", label, plain.Body)
		}
	}
}
