package admin_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"headless/pkg/admin/frame"
)

// TestUnknownNames: every list names unknown values of sort, filter, fields and include
// (decisions §1), and a parameter that is sent twice.
func TestUnknownNames(t *testing.T) {
	m := newMatrixSite(t)
	c := m.as(t, adminEmail)
	params, lists := m.params(t, "posts"), 0
	whole := []string{"/settings", "/planned", "/models/{slug}/entries/{id}/health"} // lists without pages
	for _, r := range m.Handler.(*frame.Admin).Routes() {
		list := m.path(r.Pattern, params)
		if r.Method != http.MethodGet || list == "/search" || list == "/links" { // these want words
			continue
		}
		a := c.do(t, "GET", list+"?sort=&page=1&other=x", nil)
		if a.Code != 200 || !strings.Contains(a.Body.String(), `"meta":{"page":`) {
			continue
		}
		lists++
		c.must(t, 400, "GET", list+"?sort=%zz", nil)
		for _, param := range []string{"sort", "filter[nope]", "filter[nope][ne]", "fields", "include"} {
			a := c.do(t, "GET", list+"?"+url.Values{param: {"nope"}}.Encode(), nil)
			if a.Error.Code != "BAD_REQUEST" || !strings.Contains(a.Error.Message, `"nope"`) {
				t.Errorf("%s of %s: %s", param, list, a.Body)
			}
		}
		for _, param := range []string{"page", "per_page", "sort", "q"} {
			if a := c.do(t, "GET", list+"?"+param+"=1&"+param+"=2", nil); a.Code != 400 && !slices.Contains(whole, r.Pattern) {
				t.Errorf("two of %s of %s: %d %s", param, list, a.Code, a.Body)
			}
		}
	}
	if lists < 35 {
		t.Errorf("%d lists", lists)
	}
	for path, known := range map[string]string{
		"/forms/zebra/submissions?filter[nope]=1": "Known: id, received_at, spam, status",
		"/forms/zebra/submissions?sort=-nope":     "Known: received_at, spam, status",
		"/users?sort=-nope":                       "has no sort",
		"/activity?filter[nope]=1":                "Known: actor, event, source, subject",
	} {
		path, query, _ := strings.Cut(path, "?")
		name, value, _ := strings.Cut(query, "=")
		if a := c.must(t, 400, "GET", path+"?"+url.Values{name: {value}}.Encode(), nil); !strings.Contains(a.Error.Message,
			known) {
			t.Errorf("%s?%s: %s", path, query, a.Error.Message)
		}
	}
}
