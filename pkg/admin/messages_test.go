package admin_test

import (
	"net/url"
	"strings"
	"testing"
	"time"
)

// TestOneMessage: what cannot be read is one problem, not two.
func TestOneMessage(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	for path, body := range map[string]string{
		"/keys":     `{"name":7,"rate_limit":"5","scopes":"read","role":1,"expires_at":"soon"}`,
		"/users":    `{"email":7,"name":[],"role":1,"is_active":"yes","password":12345678901234}`,
		"/models":   `{"name":7,"slug":1,"kind":2,"max_per_page":"x","fields":{}}`,
		"/locales":  `{"code":7,"name":1,"direction":3,"sort_order":"x"}`,
		"/forms":    `{"name":7,"slug":1,"fields":"x","notify_emails":"y","retention_days":"z"}`,
		"/webhooks": `{"name":7,"url":1,"events":"x","headers":3}`,
	} {
		for field, messages := range c.must(t, 422, "POST", path, body).Error.Details {
			if len(messages) != 1 {
				t.Errorf("%s: %s has the messages %q", path, field, messages)
			}
		}
	}
}

// TestLineNumbers: a form names the lines of a list as people count them.
func TestLineNumbers(t *testing.T) {
	s := newSite(t)
	b := s.browse(t)
	token := b.get(t, "/").csrf(t)
	a := b.post(t, "/forms", url.Values{"_csrf": {token}, "name": {"Contact"}, "slug": {"contact"},
		"notify_emails": {"a@example.com\r\n\r\nnobody\r\nnone"}})
	if a.Code != 422 || !contains(a, "line 3: must be") || !contains(a, "line 4: must be") ||
		contains(a, "1: must be") {
		t.Errorf("%d %s", a.Code, a.Body)
	}
}

func TestLockMessage(t *testing.T) {
	s := newSite(t)
	for range 5 {
		client{s, ""}.must(t, 401, "POST", "/login",
			map[string]string{"email": adminEmail, "password": "wrong horse battery"})
	}
	for ahead, want := range map[time.Duration]string{0: "Try again in 15 minutes.",
		13*time.Minute + 30*time.Second: "Try again in 2 minutes.",
		14*time.Minute + 30*time.Second: "Try again in a minute."} {
		s.ahead.Store(int64(ahead))
		if a := (client{s, ""}).must(t, 429, "POST", "/login",
			map[string]string{"email": adminEmail, "password": password}); !strings.HasSuffix(a.Error.Message,
			want) {
			t.Errorf("after %s: %s", ahead, a.Error.Message)
		}
		if a := (browser{s, nil}).post(t, "/login",
			url.Values{"email": {adminEmail}, "password": {password}}); a.Code != 429 ||
			!contains(a, want) || a.Header().Get("Retry-After") == "" {
			t.Errorf("page after %s: %d %s", ahead, a.Code, a.Body)
		}
	}
}
