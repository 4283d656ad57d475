package admin_test

import (
	"net/url"
	"strings"
	"testing"
)

// TestCSVOnlyTried ticks the box of the form for CSV files, which sends "true" after the "false" of a hidden field.
func TestCSVOnlyTried(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"notes","name":"Notes"}`)
	page := b.get(t, "/models/notes/import")
	if !contains(page, `<a class="button" href="/admin/models/notes/entries">Cancel</a>`) {
		t.Errorf("the form does not lead back to the list: %s", page.Body)
	}
	for _, tried := range []bool{true, false} {
		form := url.Values{"_csrf": {page.csrf(t)}, "mode": {"draft"}, "dry_run": {"false"}}
		if tried {
			form.Add("dry_run", "true")
		}
		a := b.postFile(t, "/models/notes/entries.csv", form, []byte("title\nOne\n"), "a.csv")
		if a.Code != 303 {
			t.Fatalf("%d %s", a.Code, a.Body)
		}
		_, job, _ := strings.Cut(a.Header().Get("Location"), "/jobs/")
		if _, err := s.on.Jobs.Work(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		if list := c.must(t, 200, "GET", "/models/notes/entries", nil); contains(list, `"title":"One"`) == tried {
			t.Errorf("only tried: %v, and the entries are %s", tried, list.Body)
		}
	}
}
