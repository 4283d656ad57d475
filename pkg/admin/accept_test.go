package admin_test

import (
	"net/http/httptest"
	"strings"
	"testing"
)

// TestAnswerType is who gets JSON and who a page (decisions §9).
func TestAnswerType(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	const browsers = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
	for _, test := range []struct {
		accept, bearer string
		json           bool
	}{
		{"", c.token, true},
		{"*/*", c.token, true},
		{browsers, c.token, false},
		{"application/json", "", true},
		{"Application/JSON; charset=utf-8", "", true},
		{"text/html;q=0.5, application/json", "", true},
		{"text/html, application/json;q=0.9", "", false},
		{"application/json;q=0.9, text/html", "", false},
		{"application/json, text/html", "", true},
		{"text/html, application/json", "", false},
		{"application/json;q=0", "", false},
		{"application/json;q=0", c.token, false},
		{browsers, "", false},
		{"", "", false},
	} {
		r := httptest.NewRequest("GET", "/admin/users", nil)
		if test.accept != "" {
			r.Header.Set("Accept", test.accept)
		}
		if test.bearer != "" {
			r.Header.Set("Authorization", "Bearer "+test.bearer)
		}
		a := s.send(t, r)
		if got := strings.HasPrefix(a.Header().Get("Content-Type"), "application/json"); got != test.json {
			t.Errorf("Accept %q: JSON %v, want %v", test.accept, got, test.json)
		}
	}
	// A JSON body gets the envelope, whatever a browser's script says that it takes.
	for path, want := range map[string]int{"/login": 200, "/locales": 401} {
		body := `{"email":"` + adminEmail + `","password":"` + password + `"}`
		r := httptest.NewRequest("POST", "/admin"+path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", browsers)
		a := s.send(t, r)
		if a.Code != want || !strings.HasPrefix(a.Header().Get("Content-Type"),
			"application/json") || len(a.Result().Cookies()) > 0 {
			t.Errorf("%s: %d %v", path, a.Code, a.Header())
		}
	}
}
