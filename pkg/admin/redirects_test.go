package admin_test

import (
	"net/url"
	"testing"
)

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

// TestUndoOfRedirects takes an import back by the button on the page of its result. Redirects that somebody has changed
// since stay, and the page of the job names them.
func TestUndoOfRedirects(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/redirects", `{"from":"/a","to":"/b"}`)
	form := url.Values{"_csrf": {b.get(t, "/redirects.csv/upload").csrf(t)}}
	page := b.postFile(t, "/redirects.csv", form, []byte("/a,/c\n/b,/a\n/d,/e\n"), "a.csv")
	if !contains(page, `name="of"`) {
		t.Fatalf("no Undo: %s", page.Body)
	}
	id := c.must(t, 200, "GET", "/redirects?per_page=100", nil).text(t, 2, "id")
	c.must(t, 200, "PUT", "/redirects/"+id, `{"to":"/later"}`)
	job := c.must(t, 200, "GET", "/jobs", nil).text(t, 0, "id")
	undo := s.working(b)(t, "model", "redirects", "action", "revert", "of", job)
	if page := b.get(t, "/jobs/"+undo); !contains(page, "3 of 3, 1 failed") || !contains(page, "/d</") ||
		!contains(page, "This has been changed since, so it stays as it is.") || !contains(page, "Deleted redirect") ||
		!contains(page, `href="/admin/redirects"`) {
		t.Errorf("the undo: %s", page.Body)
	}
	if page := b.get(t, "/redirects"); !contains(page, "/b</code>") || contains(page, "/c</code>") ||
		!contains(page, "/later</code>") {
		t.Errorf("the redirects: %s", page.Body)
	}
	if page := b.get(t, "/jobs"); !contains(page, "<span>Redirects</span>") {
		t.Errorf("the jobs: %s", page.Body)
	}
	nothing := b.postFile(t, "/redirects.csv", form, []byte("/a,/b\n"), "a.csv")
	if contains(nothing, `name="of"`) {
		t.Errorf("Undo of a file that changed nothing: %s", nothing.Body)
	}
}
