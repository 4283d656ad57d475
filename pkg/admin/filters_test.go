package admin_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestFieldFilters: a list is filtered by a related entry, a box and days, and sorted by status. The
// names of entries that a role may not read are not offered.
func TestFieldFilters(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"name":"Authors","slug":"authors"}`)
	c.must(t, 201, "POST", "/models",
		`{"name":"Posts","slug":"posts","fields":[{"name":"author","label":"Author","type":"relation","model":"authors"},{"name":"featured","label":"Featured","type":"boolean"},{"name":"day","label":"Day","type":"date"},{"name":"tags","label":"Tags","type":"multiselect","options":["oil","wax"]}]}`)
	ada := c.must(t, 201, "POST", "/models/authors/entries", `{"title":"Ada"}`).text(t, "id")
	c.must(t, 201, "POST", "/models/posts/entries",
		`{"title":"By Ada","status":"published","data":{"author":"`+ada+`","featured":true,"day":"2026-01-31","tags":["oil","wax"]}}`)
	c.must(t, 201, "POST", "/models/posts/entries", `{"title":"By nobody","data":{"featured":false,"day":"2026-03-01"}}`)
	const list = "/models/posts/entries"
	if page := b.get(t, list); !contains(page, `<option value="`+ada+`">Ada</option>`) ||
		!contains(page, "<details><summary>More filters") || !contains(page, `href="?sort=status"`) {
		t.Errorf("page %s", page.Body)
	}
	for _, filter := range []string{"data.author]=" + ada, "data.featured]=true", "data.tags]=wax",
		"data.day][gte]=2026-01-31&filter[data.day][lt]=2026-02-01", "published_at][gte]=2020-01-01"} {
		page := b.get(t, list+"?filter["+filter)
		if !contains(page, "By Ada") || contains(page, "By nobody") || !contains(page, "Remove the filter") {
			t.Errorf("%s: %s", filter, page.Body)
		}
		_, form, _ := strings.Cut(page.Body.String(), `class="filters"`)
		form, _, _ = strings.Cut(form, "</form>")
		if n := strings.Count(form, `name="filter[`+strings.Split(filter, "=")[0]); n != 1 {
			t.Errorf("%s has %d inputs", filter, n)
		}
		if strings.Contains(form, "<details open>") ||
			!strings.Contains(form, `<input type="hidden" name="filter[`+strings.Split(filter, "=")[0]) {
			t.Errorf("%s is shown beside its chip: %s", filter, form)
		}
	}
	for filter, chip := range map[string]string{"data.day][gte]=2026-01-31": "Day from: 31\u00a0Jan\u00a02026",
		"published_at][gte]=2020-01-01": "Published from: 1\u00a0Jan\u00a02020",
		"data.featured][ne]=true":       "Featured is not: Yes",
		"data.tags][ne]=true":           "Tags is not: true", "data.day][null]=false": "Day is empty: No",
		"data.author][ne]=" + ada: "Author is not: Ada"} {
		if page := b.get(t, list+"?filter["+filter); !contains(page, "Remove the filter "+chip+"<") {
			t.Errorf("%s has no chip %s: %s", filter, chip, page.Body)
		}
	}
	c.must(t, 201, "POST", "/roles", `{"slug":"poster","name":"P","rules":[{"models":["posts"],"actions":["read"]}]}`)
	poster := s.newUser(t, "poster").must(t, 200, "GET", "/me", nil).text(t, "email")
	if page := s.browseAs(t, poster).get(t, list); page.Code != 200 || contains(page, ">Ada<") {
		t.Errorf("for a role that may not read authors: %d", page.Code)
	}
	for i := range 50 {
		c.must(t, 201, "POST", "/models/authors/entries", fmt.Sprintf(`{"title":"Author %d"}`, i))
	}
	if page := b.get(t, list); contains(page, `<option value="`+ada) || contains(page, "<details open>") ||
		!contains(page, `data-source="/admin/models/authors/entries?`) {
		t.Error("a model of many entries is offered as a select, or not at all")
	}
	panel := b.get(t, list+"?filter[status]=published&filter[data.author]=&_do=find+filter[data.author]&_q=Ada")
	if !contains(panel, "<details open>") || !contains(panel, `name="filter[data.author]" value="`+ada+`"`) ||
		contains(panel, "Author 7") || !contains(panel, "By Ada") {
		t.Errorf("the panel without scripts: %s", panel.Body)
	}
	for filter, chip := range map[string]string{
		"filter[data.author]=&filter[data.author]=" + ada + "&_q=Ada": "Author: Ada",
		"filter[data.author][ne]=" + ada:                              "Author is not: Ada",
		"filter[data.author][null]=true":                              "Author is empty: Yes"} {
		page := b.get(t, list+"?"+filter)
		if !contains(page, "Remove the filter "+chip+"<") || contains(page, "By Ada") != (chip == "Author: Ada") ||
			contains(page, "_q=") {
			t.Errorf("%s: %s", filter, page.Body)
		}
	}
	again := b.get(t, list, panel.Result().Cookies()...).Header().Get("Location")
	if !strings.HasSuffix(again, "?filter%5Bstatus%5D=published") {
		t.Errorf("the list remembers more than its filters: %s", again)
	}
	if page := s.browseAs(t, poster).get(t, list+"?filter[data.author]="+ada); contains(page, ">Ada<") ||
		contains(page, "data-source") {
		t.Error("a role that may not read authors is offered them, or told a name")
	}
}
