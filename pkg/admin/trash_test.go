package admin_test

import (
	"net/url"
	"strings"
	"testing"
)

// TestTrashPage finds entries of the trash by their model and text, and restores those that are ticked.
func TestTrashPage(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	ids := map[string]string{}
	for _, model := range []string{"posts", "pages"} {
		c.must(t, 201, "POST", "/models", `{"name":"All `+model+`","slug":"`+model+`"}`)
		for _, title := range []string{"Steam", "Oil"} {
			id := c.must(t, 201, "POST", "/models/"+model+"/entries", `{"title":"`+title+`"}`).text(t, "id")
			c.must(t, 204, "DELETE", "/models/"+model+"/entries/"+id, nil)
			ids[model+title] = id
		}
	}
	for query, total := range map[string]float64{"": 4, "?model=posts": 2, "?q=STEAM": 2, "?q=oil&model=pages": 1,
		"?q=x": 0} {
		if a := c.must(t, 200, "GET", "/trash"+query, nil); a.Meta["total"] != total {
			t.Errorf("%q lists %v", query, a.Meta["total"])
		}
	}
	page := b.get(t, "/trash?q=oil")
	if !contains(page, "<span>All posts</span>") || !contains(page, `name="ids" value="`+ids["postsOil"]) ||
		!contains(page, `<option value="pages">All pages</option>`) || contains(page, "Steam") {
		t.Errorf("page %s", page.Body)
	}
	c.must(t, 201, "POST", "/roles", `{"slug":"reader","name":"R","rules":[{"models":["posts"],"actions":["read"]}]}`)
	a := s.newUser(t, "reader").must(t, 200, "POST", "/trash/restore",
		map[string]any{"ids": []string{ids["postsOil"], ids["pagesOil"]}})
	if a.text(t, "failed", 0, "code") != "FORBIDDEN" || a.text(t, "failed", 1, "code") != "NOT_FOUND" {
		t.Errorf("without the right to write: %s", a.Body)
	}
	both := url.Values{"_csrf": {page.csrf(t)}, "ids": {ids["postsOil"], ids["pagesOil"]}}
	for _, want := range []string{"saved", "some"} {
		if a := b.post(t, "/trash/restore", both); a.Header().Get("Location") != "/admin/trash?ok="+want {
			t.Errorf("restored: %d %s", a.Code, a.Header())
		}
	}
	a = c.must(t, 200, "POST", "/trash/restore", map[string]any{"ids": []string{ids["postsSteam"], ids["postsOil"]}})
	if a.at(t, "done") != 1.0 || a.text(t, "failed", 0, "code") != "NOT_FOUND" {
		t.Errorf("answer %s", a.Body)
	}
	c.must(t, 422, "POST", "/trash/restore", `{"ids":[]}`)
	c.must(t, 422, "POST", "/trash/restore", `{"ids":[1]}`)
	if a := c.must(t, 200, "GET", "/trash", nil); a.Meta["total"] != 1.0 {
		t.Errorf("left %s", a.Body)
	}
	one := "/trash/" + ids["pagesSteam"] + "/restore"
	if a := b.get(t, "/trash?q=steam"); !contains(a, one+"?model=&amp;q=steam") {
		t.Errorf("a button forgets what was searched for: %s", a.Body)
	}
	if a := b.post(t, one+"?q=steam", both); a.Header().Get("Location") != "/admin/trash?ok=restored&q=steam" {
		t.Errorf("restored one: %d %s", a.Code, a.Header())
	}
}

// TestUndoOfRestoration restores entries of two models and takes that back: those are in the trash again which nobody
// has changed since. Who may not delete entries gets no button.
func TestUndoOfRestoration(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	ids := map[string]string{}
	for _, model := range []string{"posts", "pages"} {
		tree := `,"tree":true`
		if model == "posts" {
			tree = ""
		}
		c.must(t, 201, "POST", "/models", `{"name":"All `+model+`","slug":"`+model+`"`+tree+`}`)
	}
	for _, at := range []string{"posts/one", "posts/two", "pages/above", "pages/below"} {
		model, title, _ := strings.Cut(at, "/")
		parent := `null`
		if title == "below" {
			parent = `"` + ids["above"] + `"`
		}
		body := `{"title":"` + title + `","status":"published","parent":` + parent + `}`
		if model == "posts" {
			body = `{"title":"` + title + `"}`
		}
		ids[title] = c.must(t, 201, "POST", "/models/"+model+"/entries", body).text(t, "id")
	}
	for _, at := range []string{"posts/one", "posts/two", "pages/below", "pages/above"} {
		model, title, _ := strings.Cut(at, "/")
		c.must(t, 204, "DELETE", "/models/"+model+"/entries/"+ids[title], nil)
	}
	total := func() any { return c.must(t, 200, "GET", "/trash", nil).Meta["total"] }
	restore := func(b browser, titles ...string) answer {
		t.Helper()
		var pairs []string
		for _, title := range titles {
			pairs = append(pairs, "ids", ids[title])
		}
		return b.sent(t, "/trash/restore", pairs...)
	}
	b.undo(t, restore(b, "above", "below", "one"))
	if total() != 4.0 {
		t.Errorf("in the trash are %v", total())
	}
	changed := restore(b, "one", "two")
	c.must(t, 200, "PUT", "/models/posts/entries/"+ids["one"], `{"title":"Later"}`)
	if page := b.undo(t, changed); !contains(page, "1 of 2 undone. Somebody has changed the rest since.") {
		t.Errorf("after Undo: %s", page.Body)
	}
	if total() != 3.0 {
		t.Errorf("in the trash are %v", total())
	}
	b.undo(t, b.sent(t, "/trash/"+ids["two"]+"/restore"))
	if total() != 3.0 {
		t.Errorf("in the trash are %v", total())
	}
	c.must(t, 201, "POST", "/roles",
		`{"slug":"writer","name":"W","rules":[{"models":["posts"],"actions":["read","write"]}]}`)
	c.must(t, 201, "POST", "/users",
		map[string]any{"email": "writer@example.com", "role": "writer", "password": password})
	writer := s.browseAs(t, "writer@example.com")
	if page, undo, _ := writer.offered(t, restore(writer, "two")); undo != "" || total() != 2.0 {
		t.Errorf("without the right to delete: %s", page.Body)
	}
}
