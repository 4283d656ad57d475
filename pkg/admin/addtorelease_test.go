package admin_test

import (
	"regexp"
	"slices"
	"testing"
	"time"
)

// TestReleasesToAddTo offers open releases before a new one, the soonest first, also beyond the first page of releases,
// and makes a new one if a name is typed.
func TestReleasesToAddTo(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts"}`)
	id := c.must(t, 201, "POST", "/models/posts/entries", `{"title":"Lamp"}`).text(t, "id")
	create := func(name, at string) string {
		return c.must(t, 201, "POST", "/releases", `{"name":"`+name+`"`+at+`,"items":[]}`).text(t, "id")
	}
	in := func(months int) string {
		return `,"publish_at":"` + time.Now().UTC().AddDate(0, months, 0).Format(time.RFC3339) + `"`
	}
	create("June", in(2))
	first := create("May", in(1))
	for range 26 {
		c.must(t, 202, "POST", "/releases/"+create("Over", "")+"/publish", nil)
	}
	create("Someday", "")
	page := b.sent(t, "/releases", "model", "posts", "ids", id)
	var offered []string
	options := regexp.MustCompile(`<option value="[^>]*>([^<]*)`)
	for _, option := range options.FindAllStringSubmatch(page.Body.String(), -1) {
		offered = append(offered, option[1])
	}
	if want := []string{"May", "June", "Someday", "A new release"}; !slices.Equal(offered, want) {
		t.Errorf("offered: %q, want %q", offered, want)
	}
	if !contains(page, `<option value="`+first+`" selected>`) {
		t.Error("the soonest release is not chosen")
	}
	items := "posts " + id + " publish"
	b.sent(t, "/releases", "model", "posts", "to", first, "name", "", "items", items)
	b.sent(t, "/releases", "model", "posts", "to", first, "name", "Autumn", "items", items)
	if n := len(c.must(t, 200, "GET", "/releases/"+first, nil).at(t, "items").([]any)); n != 1 {
		t.Errorf("the chosen release has %d items", n)
	}
	if list := b.get(t, "/releases"); !contains(list, "Autumn") {
		t.Error("no new release was made")
	}
}
