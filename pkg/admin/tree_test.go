package admin_test

import (
	"net/url"
	"strings"
	"testing"
)

// TestTreePages moves a page by its form without scripts, and answers what happens to those below one that is
// deleted.
func TestTreePages(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", map[string]any{"slug": "pages", "name": "Pages", "tree": true, "url": "/{path}"})
	page := func(title string, parent any) string {
		return c.must(t, 201, "POST", "/models/pages/entries",
			map[string]any{"title": title, "status": "published", "parent": parent}).text(t, "id")
	}
	firm := page("Firm", nil)
	jobs := page("Jobs", firm)
	dev := page("Dev", jobs)
	news := page("News", nil)
	if a := b.get(t, "/models/pages/tree"); a.Code != 200 || !contains(a, "— — Dev") || !contains(a, "/firm/jobs/dev") ||
		!contains(a, `data-id="`+dev+`" data-level="3" data-parent="`+jobs+`"`) ||
		!contains(a, `href="/admin/models/pages/tree/move?id=`+jobs) || !contains(a, "Site: Pages") {
		t.Errorf("the tree: %d %s", a.Code, a.Body)
	}
	if a := b.get(t, "/models/pages/entries/"+dev); !contains(a, `href="/admin/models/pages/entries/`+firm+`">Firm</a>`) ||
		!contains(a, "/firm/jobs/dev") {
		t.Errorf("the page of an entry: %s", a.Body)
	}
	form := b.get(t, "/models/pages/tree/move?id="+jobs)
	if form.Code != 200 || !contains(form, "2 addresses change") || !contains(form, "/firm/jobs, /firm/jobs/dev") ||
		contains(form, dev) {
		t.Errorf("the form: %d %s", form.Code, form.Body)
	}
	to := "after  " + news
	if !contains(form, `value="`+to+`"`) || !contains(form, `value="below `+news+` "`) {
		t.Errorf("the form lacks places: %s", form.Body)
	}
	token := form.csrf(t)
	send := func(path string, more ...string) answer {
		v := url.Values{"_csrf": {token}}
		for i := 0; i < len(more); i += 2 {
			v.Set(more[i], more[i+1])
		}
		return b.post(t, path, v)
	}
	if a := send("/models/pages/tree", "_method", "PUT", "id", jobs, "to", "below "+dev+" "); a.Code != 422 || !contains(a, "below it") {
		t.Errorf("below itself: %d %s", a.Code, a.Body)
	}
	if a := send("/models/pages/tree", "_method", "PUT", "id", jobs, "to", to); a.Code != 303 ||
		!strings.HasPrefix(a.Header().Get("Location"), "/admin/models/pages/tree?ok=saved") {
		t.Errorf("the move: %d %s", a.Code, a.Body)
	}
	if a := c.must(t, 200, "GET", "/models/pages/tree", nil); a.text(t, 2, "id") != jobs || a.text(t, 2, "children", 0, "id") != dev {
		t.Errorf("after the move: %s", a.Body)
	}
	at := "/models/pages/entries/" + jobs
	if a := send(at, "_method", "DELETE"); a.Code != 409 || !contains(a, "Move them up") || !contains(a, at+"?children=down") ||
		!contains(a, "Dev") || !contains(a, "Delete them too") || !contains(a, `name="_method" value="DELETE"`) {
		t.Errorf("the question: %d %s", a.Code, a.Body)
	}
	a := send(at+"?children=up", "_method", "DELETE")
	if a.Code != 303 || !strings.HasSuffix(a.Header().Get("Location"), "&from=%2Fjobs") {
		t.Errorf("the answer: %d %s", a.Code, a.Body)
	}
	list := b.get(t, strings.TrimPrefix(a.Header().Get("Location"), "/admin"))
	if link := "/redirects/create?from=%2Fjobs"; !contains(list, link) || !contains(b.get(t, link), `value="/jobs"`) {
		t.Errorf("the address is not offered: %s", list.Body)
	}
	if a := c.must(t, 200, "GET", "/models/pages/entries/"+dev, nil); a.at(t, "parent") != nil {
		t.Errorf("not moved up: %s", a.Body)
	}
	if a := send("/models/pages/entries/"+dev+"?children=x", "_method", "DELETE"); a.Code != 400 {
		t.Errorf("another value: %d", a.Code)
	}
	c.must(t, 201, "POST", "/models", map[string]any{"slug": "posts", "name": "Posts"})
	if a := b.get(t, "/models/posts/tree"); a.Code != 404 {
		t.Errorf("a model without a tree: %d", a.Code)
	}
}
