package admin_test

import (
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
)

func TestProfile(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/users", user("ada@example.com", "viewer"))
	ada, other := s.as(t, "ada@example.com"), s.as(t, "ada@example.com")
	if a := ada.must(t, 200, "PUT", "/profile", `{"name":"Ada L.","email":"root@example.com","role":"admin","is_active":false}`); a.text(t, "name") != "Ada L." ||
		a.text(t, "email") != "ada@example.com" || a.text(t, "role") != "viewer" || a.at(t, "is_active") != true {
		t.Errorf("changed %s", a.Body)
	}
	other.must(t, 200, "GET", "/profile", nil)
	for body, want := range map[string][]string{
		`{"password":"short"}`:                                                    {"current_password", "password"},
		`{"password":"another horse battery"}`:                                    {"current_password"},
		`{"password":"another horse battery","current_password":"wrong one"}`:     {"current_password"},
		`{"password":"another horse battery","current_password":7,"name":1}`:      {"current_password", "name"},
		`{"password":"short","current_password":"correct horse battery","x":"y"}`: {"password", "x"},
	} {
		if got := keysOf(ada.must(t, 422, "PUT", "/profile", body).Error.Details); !slices.Equal(got, want) {
			t.Errorf("%s: problems %v, want %v", body, got, want)
		}
	}
	ada.must(t, 200, "PUT", "/profile", `{"password":"another horse battery","current_password":"`+password+`"}`)
	ada.must(t, 200, "GET", "/profile", nil) // this session goes on
	other.must(t, 401, "GET", "/profile", nil)
	client{s, ""}.must(t, 200, "POST", "/login", map[string]string{"email": "ada@example.com", "password": "another horse battery"})
	if a := c.must(t, 200, "GET", "/activity?filter%5Bevent%5D=user.updated", nil); a.Meta["total"] != 2.0 || a.text(t, 0, "actor") != "ada@example.com" {
		t.Errorf("activity %s", a.Body)
	}
	// Whoever finds an open session cannot try passwords without end.
	for range 5 {
		ada.must(t, 422, "PUT", "/profile", `{"password":"another horse battery","current_password":"wrong one"}`)
	}
	ada.must(t, 429, "PUT", "/profile", `{"password":"third horse battery","current_password":"another horse battery"}`)
}

func TestProfilePage(t *testing.T) {
	s := newSite(t)
	b := s.browse(t)
	page := b.get(t, "/profile")
	if !contains(page, `value="`+adminEmail+`" readonly`) || !contains(page, `href="/admin/profile"`) || !contains(page, `autocomplete="current-password"`) {
		t.Errorf("page %s", page.Body)
	}
	token := page.csrf(t)
	form := func(current, next string) url.Values {
		return url.Values{"_csrf": {token}, "_method": {"PUT"}, "name": {"Root"}, "password": {next}, "current_password": {current}}
	}
	if a := b.post(t, "/profile", form("typed by the browser", "")); a.Code != 303 || !contains(b.get(t, "/profile"), `value="Root"`) {
		t.Errorf("name: %d %s", a.Code, a.Body)
	}
	if a := b.post(t, "/profile", form("no", "another horse battery")); a.Code != 422 || !contains(a, "is wrong") || contains(a, "another horse") {
		t.Errorf("wrong password: %d %s", a.Code, a.Body)
	}
	if a := b.post(t, "/profile", form(password, "another horse battery")); a.Code != 303 || b.get(t, "/profile").Code != 200 {
		t.Errorf("password: %d", a.Code)
	}
}

// TestBackAfterSignIn: who must sign in while sending a form comes back to its page.
func TestBackAfterSignIn(t *testing.T) {
	s := newSite(t)
	for referer, want := range map[string]string{
		"http://example.com/admin/locales/en/edit": "/admin/login?next=%2Fadmin%2Flocales%2Fen%2Fedit", "http://evil.example/admin/locales/en/edit": "/admin/login", "": "/admin/login",
	} {
		r := httptest.NewRequest("POST", "http://example.com/admin/locales/en", strings.NewReader("_method=PUT&name=English"))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if r.Header.Set("Accept", "text/html"); referer != "" {
			r.Header.Set("Referer", referer)
		}
		if a := s.send(t, r); a.Code != 303 || a.Header().Get("Location") != want {
			t.Errorf("from %q: %d %s", referer, a.Code, a.Header().Get("Location"))
		}
	}
}
