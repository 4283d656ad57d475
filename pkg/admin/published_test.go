package admin_test

import (
	"net/url"
	"strings"
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

// TestDraftsAreNotChanged: an entry that readers do not see is a draft, however often it was saved. Only what was
// published can be changed since.
func TestDraftsAreNotChanged(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"name":"Notes","slug":"notes","fields":[]}`)
	check := func(when string, want map[string]bool) {
		t.Helper()
		pages := b.get(t, "/").Body.String() + b.get(t, "/models/notes/entries").Body.String()
		for text, has := range want {
			if strings.Contains(pages, text) != has {
				t.Errorf("%s, the pages have %q: %v", when, text, !has)
			}
		}
	}
	draft := "/models/notes/entries/" + c.must(t, 201, "POST", "/models/notes/entries", `{"title":"A"}`).text(t, "id")
	c.must(t, 200, "PUT", draft+"/draft", `{"title":"B"}`)
	check("as a draft", map[string]bool{"draft, changed": false, "not published": false, "published, 1 draft<": true,
		`Changed <span class="count">0`: true})
	c.must(t, 200, "POST", draft+"/publish", nil)
	c.must(t, 200, "PUT", draft+"/draft", `{"title":"C"}`)
	check("published", map[string]bool{"published, changed": true, "Notes: 1 change not published": true,
		`Changed <span class="count">1`: true, "1 draft<": false})
}
