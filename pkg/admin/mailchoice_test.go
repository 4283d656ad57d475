package admin_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
)

// TestMailChoice: the profile has a checkbox for each kind of mails, by a form or as a list of those that are off.
func TestMailChoice(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	box := func(kind, checked string) string {
		return `<input type="checkbox" name="mails" value="` + kind + `"` + checked + `>`
	}
	page := b.get(t, "/profile")
	for _, kind := range []string{"reviews", "comments", "plans", "webhooks"} {
		if !strings.Contains(page.Body.String(), box(kind, " checked")) {
			t.Errorf("%s is not on at first", kind)
		}
	}
	b.post(t, "/profile", url.Values{"_csrf": {page.csrf(t)}, "_method": {"PUT"}, "email": {adminEmail},
		"mails": {"", "reviews", "plans"}})
	a := c.must(t, 200, "GET", "/profile", nil)
	off, _ := a.at(t, "mail_off").([]any)
	if !slices.Equal(off, []any{"comments", "webhooks"}) || a.at(t, "mail") != true {
		t.Errorf("by the form: %s", a.Body)
	}
	c.must(t, 422, "PUT", "/profile", `{"mail_off":["news"]}`)
	c.must(t, 200, "PUT", "/profile", `{"mail":false,"mail_off":["plans"]}`) // mail: reviews and comments
	for kind, checked := range map[string]string{"reviews": "", "comments": "", "plans": "", "webhooks": " checked"} {
		if !strings.Contains(b.get(t, "/profile").Body.String(), box(kind, checked)) {
			t.Errorf("%s is not%s", kind, checked)
		}
	}
	c.must(t, 201, "POST", "/users", user("ed@example.com", "editor"))
	if strings.Contains(s.browseAs(t, "ed@example.com").get(t, "/profile").Body.String(), `value="webhooks"`) {
		t.Error("an editor may choose mails about webhooks")
	}
}
