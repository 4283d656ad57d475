package admin_test

import (
	"strings"
	"testing"
)

// TestHiddenSettings: settings that shape answers hold for people who may not read settings, too.
func TestHiddenSettings(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","url":"/posts/{slug}"}`)
	c.must(t, 201, "POST", "/roles", `{"slug":"posts","name":"Posts","rules":[{"models":["posts"]}]}`)
	c.must(t, 200, "PUT", "/settings", `[{"group":"site","key":"name","value":"Our paper","is_public":true},
		{"group":"site","key":"preview_url","value":"https://example.com/preview?t={token}"},
		{"group":"views","key":"enabled","value":"true"}]`)
	u := s.newUser(t, "posts")
	u.must(t, 404, "GET", "/settings", nil)
	made := u.must(t, 201, "POST", "/previews", `{"drafts":true}`)
	if url := made.text(t, "url"); !strings.HasPrefix(url, "https://example.com/preview?t=") {
		t.Errorf("the address of a preview is %q", url)
	}
	u.must(t, 200, "GET", "/models/posts/entries?sort=-views", nil)
	b := s.browseAs(t, u.must(t, 200, "GET", "/me", nil).text(t, "email"))
	if page := b.get(t, "/models/posts/entries"); !contains(page, "Our paper") || !contains(page, "Views") {
		t.Errorf("the list has no name of the site or no column of views: %s", page.Body)
	}
}
