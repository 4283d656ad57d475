package admin_test

import (
	"net/url"
	"strings"
	"testing"
)

// TestMessagesNameLabels says in messages about other inputs what the page calls these, in each language.
func TestMessagesNameLabels(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	model := func(lang string, fields ...string) string {
		t.Helper()
		form := url.Values{"_csrf": {b.get(t, "/models/create").csrf(t)}, "name": {"Posts"}, "slug": {"posts"},
			"fields._rows": {""}, "fields.0.name": {"a"}}
		for i := 0; i < len(fields); i += 2 {
			form.Set("fields."+fields[i], fields[i+1])
		}
		c.must(t, 200, "PUT", "/profile", `{"language":"`+lang+`"}`)
		a := b.post(t, "/models", form)
		if a.Code != 422 {
			t.Fatalf("%d %s", a.Code, a.Body)
		}
		return a.Body.String()
	}
	for _, v := range []struct {
		lang, want string
		fields     []string
	}{
		{"en", "must not exceed the maximum", []string{"0.type", "number", "0.min", "5", "0.max", "2"}},
		{"en", "needs a field in Shown if", []string{"0.type", "text", "0.shown_for", "x"}},
		{"de", "braucht ein Feld in Zeigen, wenn", []string{"0.type", "text", "0.shown_for", "x"}},
	} {
		if page := model(v.lang, v.fields...); !strings.Contains(page, v.want) || strings.Contains(page, "in shown_if") {
			t.Errorf("%s: the page lacks %q: %s", v.lang, v.want, page[strings.Index(page, "<main"):])
		}
	}
}
