package admin_test

import (
	"net/url"
	"testing"
)

// TestPublishedPage: the button stands back when there is nothing to publish, and the page leads to
// the address on the site.
func TestPublishedPage(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 200, "PUT", "/settings", `[{"group":"site","key":"url","value":"https://www.example.com","is_public":true}]`)
	c.must(t, 201, "POST", "/models", `{"name":"Posts","slug":"posts","url":"/blog/{slug}"}`)
	const button, view = `name="_then" value="publish"`, `href="https://www.example.com/blog/a">View on the site<`
	item := "/models/posts/entries/" + c.must(t, 201, "POST", "/models/posts/entries", `{"title":"A"}`).text(t, "id")
	if page := b.get(t, item); !contains(page, button+` class="primary">Publish<`) || contains(page, view) {
		t.Error("a new entry is not there to be published")
	}
	page := b.get(t, item)
	if a := b.post(t, item+"/draft", url.Values{"_csrf": {page.csrf(t)}, "_method": {"PUT"}, "_then": {"publish"},
		"title": {"A"}}); a.Header().Get("Location") != "/admin"+item+"?ok=published" {
		t.Fatalf("published: %d %s", a.Code, a.Header())
	}
	if page := b.get(t, item+"?ok=published"); !contains(page, button+`>Publish changes<`) ||
		!contains(page, `can read it. <a class="button" `+view) {
		t.Errorf("after publishing: %s", page.Body)
	}
	c.must(t, 200, "PUT", item+"/draft", `{"title":"B"}`)
	if page := b.get(t, item); !contains(page, button+` class="primary">Publish changes<`) || !contains(page, view) {
		t.Error("a draft is not there to be published")
	}
}
