package admin_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestSessionExpires(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	s.ahead.Store(int64(12*time.Hour - time.Minute))
	c.must(t, 200, "GET", "/me", nil)
	s.ahead.Store(int64(12*time.Hour + time.Minute))
	c.must(t, 401, "GET", "/me", nil)
}

func TestLockout(t *testing.T) {
	for _, email := range []string{adminEmail, "nobody@example.com"} {
		t.Run(email, func(t *testing.T) {
			s := newSite(t)
			anonymous := client{s, ""}
			var mu sync.Mutex
			codes := map[int]int{}
			parallel(30, func(int) {
				a := anonymous.do(t, "POST", "/login",
					map[string]string{"email": email, "password": "wrong horse battery"})
				mu.Lock()
				defer mu.Unlock()
				codes[a.Code]++
				if a.Code == 429 && a.Header().Get("Retry-After") == "" {
					t.Error("no Retry-After")
				}
			})
			if codes[401] != 5 || codes[429] != 25 {
				t.Errorf("answers by status: %v", codes)
			}
			right := map[string]string{"email": email, "password": password}
			anonymous.must(t, 429, "POST", "/login", right)
			s.ahead.Store(int64(15*time.Minute + time.Second))
			want := 200
			if email != adminEmail {
				want = 401
			}
			anonymous.must(t, want, "POST", "/login", right)
		})
	}
}

func TestTriesAreForgotten(t *testing.T) {
	s := newSite(t)
	anonymous := client{s, ""}
	wrong := map[string]string{"email": adminEmail, "password": "wrong horse battery"}
	for range 4 {
		anonymous.must(t, 401, "POST", "/login", wrong)
	}
	s.as(t, adminEmail) // a right one clears the wrong ones
	for range 4 {
		anonymous.must(t, 401, "POST", "/login", wrong)
	}
	s.ahead.Store(int64(16 * time.Minute))
	for range 4 {
		anonymous.must(t, 401, "POST", "/login", wrong)
	}
	s.as(t, adminEmail)
}

// TestSignInTwice: several tabs show the page of the sign-in, or another form that takes none, and somebody signs in in
// one of them. The others still sign in, and bring back the forms that they kept.
func TestSignInTwice(t *testing.T) {
	s := newSite(t)
	b := s.browse(t)
	form := url.Values{"email": {adminEmail}, "password": {password}, "next": {"/admin/users"}}
	if a := b.post(t, "/login", form); a.Code != 303 || a.Header().Get("Location") != "/admin/users" {
		t.Errorf("in a second tab: %d %s", a.Code, a.Body)
	}
	form.Set("_kept", "name=Spring&slug=")
	form.Set("_to", "/admin/releases")
	if a := b.post(t, "/login", form); a.Code != 200 || !contains(a, `value="Spring"`) {
		t.Errorf("with a kept form: %d %s", a.Code, a.Body)
	}
	form.Set("password", "no")
	if a := b.post(t, "/login", form); a.Code != 401 || !contains(a, "is wrong") || !contains(a, "name=Spring") {
		t.Errorf("with a wrong password: %d %s", a.Code, a.Body)
	}
	if a := b.post(t, "/password/forgot", url.Values{"email": {adminEmail}}); a.Code != 303 {
		t.Errorf("a forgotten password: %d %s", a.Code, a.Body)
	}
	for _, session := range []*http.Cookie{b.cookie, nil} {
		r := httptest.NewRequest("POST", "http://example.com/admin/login", strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		if session != nil {
			r.AddCookie(session)
		}
		if a := s.send(t, r); a.Code != 403 {
			t.Errorf("from another site: %d %s", a.Code, a.Body)
		}
	}
}

func TestBrowserSession(t *testing.T) {
	s := newSite(t)
	stranger := browser{s, nil}
	if a := stranger.get(t, "/users?page=2"); a.Code != 303 ||
		a.Header().Get("Location") != "/admin/login?next=%2Fadmin%2Fusers%3Fpage%3D2" {
		t.Errorf("without a session: %d %s", a.Code, a.Header().Get("Location"))
	}
	if a := stranger.post(t, "/login", url.Values{"email": {adminEmail}, "password": {"no"}}); a.Code != 401 ||
		!strings.Contains(a.Body.String(), "is wrong") {
		t.Errorf("wrong password: %d", a.Code)
	}
	for next, want := range map[string]string{
		"/admin/users?page=2": "/admin/users?page=2", "https://evil.example/": "/admin/",
		"//evil.example/admin/": "/admin/", `/admin/\evil`: "/admin/", "": "/admin/", "/other": "/admin/",
	} {
		a := stranger.post(t, "/login", url.Values{"email": {adminEmail}, "password": {password},
			"next": {next}})
		if got := a.Header().Get("Location"); a.Code != 303 || got != want {
			t.Errorf("next %q: %d %q", next, a.Code, got)
		}
	}
	b := s.browse(t)
	if !b.cookie.HttpOnly || !b.cookie.Secure || b.cookie.Path != "/admin" {
		t.Errorf("cookie %v", b.cookie)
	}
	r := httptest.NewRequest("POST", "http://localhost:3000/admin/login",
		strings.NewReader(url.Values{"email": {adminEmail}, "password": {password}}.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if cookies := s.send(t, r).Result().Cookies(); len(cookies) == 0 || cookies[0].Secure {
		t.Errorf("cookie on localhost %v", cookies)
	}
	token := b.get(t, "/").csrf(t)
	if a := b.post(t, "/logout", url.Values{"_csrf": {token}}); a.Code != 303 ||
		a.Header().Get("Location") != "/admin/login" {
		t.Errorf("sign-out: %d", a.Code)
	}
	if a := b.get(t, "/"); a.Code != 303 {
		t.Errorf("after the sign-out: %d", a.Code)
	}
}

func TestForgery(t *testing.T) {
	s := newSite(t)
	b := s.browse(t)
	token := b.get(t, "/locales/create").csrf(t)
	locale := func(code, token string) url.Values {
		return url.Values{"code": {code}, "name": {code}, "is_active": {"false", "true"}, "_csrf": {token}}
	}
	for name, token := range map[string]string{"none": "", "made up": "abc",
		"of another session": s.browse(t).get(t, "/").csrf(t)} {
		if a := b.post(t, "/locales", locale("de", token)); a.Code != 403 {
			t.Errorf("token %s: %d", name, a.Code)
		}
	}
	r := httptest.NewRequest("POST", "/admin/locales", strings.NewReader(locale("de", token).Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	r.AddCookie(b.cookie)
	if a := s.send(t, r); a.Code != 403 {
		t.Errorf("from another site: %d", a.Code)
	}
	r = httptest.NewRequest("POST", "/admin/login",
		strings.NewReader(url.Values{"email": {adminEmail}, "password": {password}}.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", "https://evil.example")
	if a := s.send(t, r); a.Code != 403 {
		t.Errorf("sign-in from another site: %d", a.Code)
	}
	if a := b.post(t, "/locales", locale("de", token)); a.Code != 303 ||
		a.Header().Get("Location") != "/admin/locales/de?ok=created" {
		t.Errorf("right token: %d %s", a.Code, a.Body)
	}
}

// TestIdleSessions: a session ends after its length, and earlier if it is not used.
func TestIdleSessions(t *testing.T) {
	s := newSite(t)
	s.on.WithSessions(2*time.Hour, 30*time.Minute)
	c := s.as(t, adminEmail)
	for range 3 {
		s.ahead.Add(int64(26 * time.Minute))
		c.must(t, 200, "GET", "/me", nil)
	}
	idle := s.as(t, adminEmail)
	s.ahead.Add(int64(26 * time.Minute))
	c.must(t, 200, "GET", "/me", nil)
	s.ahead.Add(int64(5 * time.Minute))
	idle.must(t, 401, "GET", "/me", nil)
	if n := c.must(t, 200, "GET", "/sessions", nil).Meta["total"]; n != 1.0 {
		t.Errorf("%v sessions are listed", n)
	}
	s.ahead.Add(int64(13 * time.Minute)) // 122 minutes after the sign-in
	c.must(t, 401, "GET", "/me", nil)
}

// TestEndOtherSessions: one request ends all other sessions of a user, and nobody else's.
func TestEndOtherSessions(t *testing.T) {
	s := newSite(t)
	c, other, stranger := s.as(t, adminEmail), s.as(t, adminEmail), s.newUser(t, "editor")
	token := c.newToken(t, "all")
	c.must(t, 204, "DELETE", "/sessions", nil)
	for as, want := range map[client]int{c: 200, other: 401, stranger: 200, token: 200} {
		as.must(t, want, "GET", "/me", nil)
	}
	token.must(t, 204, "DELETE", "/sessions", nil)
	c.must(t, 401, "GET", "/me", nil)
	b := s.browse(t)
	if page := b.get(t, "/sessions").Body.String(); !strings.Contains(page, "End all others") {
		t.Errorf("no button in %s", page)
	}
}
