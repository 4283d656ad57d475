package admin_test

import "testing"

// TestFormerAddresses: the address that a published entry had is on a page of its own, and those of
// entries that a role may not read are not.
func TestFormerAddresses(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"name":"Posts","slug":"posts","url":"/blog/{slug}"}`)
	id := c.must(t, 201, "POST", "/models/posts/entries", `{"title":"Old","status":"published"}`).text(t, "id")
	if a := c.must(t, 200, "GET", "/redirects/former", nil); a.Meta["total"] != 0.0 {
		t.Errorf("before the change: %s", a.Body)
	}
	c.must(t, 200, "PUT", "/models/posts/entries/"+id, `{"slug":"new"}`)
	if a := c.must(t, 200, "GET", "/redirects/former", nil); a.text(t, 0, "from") != "/blog/old" ||
		a.text(t, 0, "to") != "/blog/new" {
		t.Errorf("after the change: %s", a.Body)
	}
	if page := b.get(t, "/redirects"); !contains(page, `href="/admin/redirects/former"`) ||
		contains(page, "/blog/old") {
		t.Error("the page of redirects does not lead to former addresses")
	}
	if page := b.get(t, "/redirects/former"); !contains(page, "/blog/old") || !contains(page, "/blog/new") {
		t.Error("the page has no former address")
	}
	c.must(t, 201, "POST", "/roles",
		`{"slug":"ads","name":"Ads","rules":[{"models":["redirects"],"actions":["read"]}]}`)
	if a := s.newUser(t, "ads").must(t, 200, "GET", "/redirects/former", nil); a.Meta["total"] != 0.0 {
		t.Errorf("without the right to read posts: %s", a.Body)
	}
}
