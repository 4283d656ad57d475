package admin_test

import (
	"fmt"
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

// TestMistakesLeadToFields: each link of the summary leads to an element that can have the focus and is described by
// the message, whatever the kind of the field.
func TestMistakesLeadToFields(t *testing.T) {
	s := newSite(t)
	var fields []map[string]any
	for _, kind := range []string{"text", "textarea", "richtext", "number", "boolean", "date", "datetime", "email", "url",
		"select", "multiselect", "json", "media", "relation", "group", "list", "blocks"} {
		f := map[string]any{"name": kind, "label": kind, "type": kind, "required": true}
		if kind == "relation" {
			f["model"] = "kinds"
		}
		if strings.HasSuffix(kind, "select") {
			f["options"] = []string{"a", "b"}
		}
		inner := []any{map[string]any{"name": "one", "type": "text"}}
		if kind == "blocks" {
			inner = []any{map[string]any{"name": "hero", "type": "group", "fields": inner}}
		}
		if kind == "group" || kind == "list" || kind == "blocks" {
			f["fields"] = inner
		}
		fields = append(fields, f)
	}
	s.as(t, adminEmail).must(t, 201, "POST", "/models",
		map[string]any{"slug": "kinds", "name": "Kinds", "kind": "collection", "fields": fields})
	b := s.browse(t)
	a := b.post(t, "/models/kinds/entries", url.Values{"_csrf": {b.get(t, "/").csrf(t)}, "title": {"All kinds"},
		"status": {"published"}})
	page := a.Body.String()
	for _, f := range fields {
		id := fmt.Sprintf("f-data.%s", f["name"])
		for _, part := range []string{`href="#` + id + `"`, ` id="` + id + `"`, ` aria-describedby="` + id + `-hints"`,
			` id="` + id + `-hints"><p class="error">is required`} {
			if strings.Count(page, part) != 1 {
				t.Errorf("%d: the page has %s %d times", a.Code, part, strings.Count(page, part))
			}
		}
	}
}
