package cms

import "testing"

func TestURLTemplates(t *testing.T) {
	for template, ok := range map[string]bool{
		"": true, "/{locale}/posts/{slug}": true, "https://example.com/{id}": true, "/about": true,
		"//evil.example/{slug}":     false,
		"http://example.com/{slug}": false, "posts/{slug}": false, "/{title}": false,
		"/{slug": false, "/a b": false, "javascript:x": false,
	} {
		p := Problems{}
		(&Model{URL: template}).checkURL(p)
		if got := len(p["url"]) == 0; got != ok {
			t.Errorf("%q: taken %t, want %t: %v", template, got, ok, p)
		}
	}
	e := &Entry{ID: "1", Slug: "hello", Locale: "de-AT"}
	if got := (&Model{URL: "/{locale}/{slug}"}).AddressOf("https://a.example/", e); got != "https://a.example/de-AT/hello" {
		t.Error(got)
	}
	if got := (&Model{URL: "https://b.example/{id}"}).AddressOf("https://a.example", e); got != "https://b.example/1" {
		t.Error(got)
	}
}
