package admin_test

import (
	"net/url"
	"strings"
	"testing"
)

// TestUnknownNames: every list names unknown values of sort, filter, fields and include
// (decisions §1), and a parameter that is sent twice.
func TestUnknownNames(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models", `{"name":"Pages","slug":"pages"}`)
	c.must(t, 201, "POST", "/forms",
		`{"name":"Contact","slug":"contact","fields":[{"name":"a","type":"text"}]}`)
	entry := c.must(t, 201, "POST", "/models/pages/entries", `{"title":"A"}`).text(t, "id")
	for _, list := range []string{
		"/activity", "/requests", "/users", "/forms", "/keys", "/locales", "/webhooks", "/models",
		"/trash", "/media/folders", "/media", "/settings",
		"/forms/contact/submissions", "/models/pages/entries", "/models/pages/entries/" + entry +
			"/revisions",
	} {
		c.must(t, 200, "GET", list+"?sort=&page=1&other=x", nil)
		for _, param := range []string{"sort", "filter[nope]", "filter[nope][ne]", "fields", "include"} {
			a := c.must(t, 400, "GET", list+"?"+url.Values{param: {"nope"}}.Encode(), nil)
			if a.Error.Code != "BAD_REQUEST" || !strings.Contains(a.Error.Message, `"nope"`) {
				t.Errorf("%s of %s: %s", param, list, a.Body)
			}
		}
		for _, param := range []string{"page", "per_page", "sort", "q"} {
			if a := c.do(t, "GET", list+"?"+param+"=1&"+param+"=2", nil); a.Code != 400 && list != "/settings" { // one page
				t.Errorf("two of %s of %s: %d %s", param, list, a.Code, a.Body)
			}
		}
	}
	for path, known := range map[string]string{
		"/forms/contact/submissions?filter[nope]=1": "Known: id, received_at, spam, status",
		"/forms/contact/submissions?sort=-nope":     "Known: received_at, spam, status",
		"/users?sort=-nope":                         "has no sort",
		"/activity?filter[nope]=1":                  "Known: actor, event, source, subject",
	} {
		path, query, _ := strings.Cut(path, "?")
		name, value, _ := strings.Cut(query, "=")
		if a := c.must(t, 400, "GET", path+"?"+url.Values{name: {value}}.Encode(), nil); !strings.Contains(a.Error.Message,
			known) {
			t.Errorf("%s?%s: %s", path, query, a.Error.Message)
		}
	}
}
