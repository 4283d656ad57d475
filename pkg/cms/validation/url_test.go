package validation

import (
	"testing"

	"headless/pkg/cms"
)

func TestURLTemplates(t *testing.T) {
	for template, ok := range map[string]bool{
		"": true, "/{locale}/posts/{slug}": true, "https://example.com/{id}": true, "/about": true,
		"//evil.example/{slug}":     false,
		"http://example.com/{slug}": false, "posts/{slug}": false, "/{title}": false,
		"/{slug": false, "/a b": false, "javascript:x": false,
	} {
		p := cms.Problems{}
		checkURL(p, &cms.Model{URL: template})
		if got := len(p["url"]) == 0; got != ok {
			t.Errorf("%q: taken %t, want %t: %v", template, got, ok, p)
		}
	}
}
