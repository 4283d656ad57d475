package cms

import "testing"

func TestAddressOf(t *testing.T) {
	e := &Entry{ID: "1", Slug: "hello", Locale: "de-AT"}
	if got := (&Model{URL: "/{locale}/{slug}"}).AddressOf("https://a.example/", e); got != "https://a.example/de-AT/hello" {
		t.Error(got)
	}
	if got := (&Model{URL: "https://b.example/{id}"}).AddressOf("https://a.example", e); got != "https://b.example/1" {
		t.Error(got)
	}
}
