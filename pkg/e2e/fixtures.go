package e2e

import (
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"
)

// admin is a client of the admin area, signed in as the target's administrator.
func (s *suite) admin(t *testing.T) *client {
	t.Helper()
	s.signIn.Do(func() { s.token = s.login(t, s.target.AdminEmail, s.target.AdminPassword) })
	if s.token == "" {
		t.Fatal("the administrator could not sign in")
	}
	return s.adminWith(s.token)
}

func (s *suite) adminWith(token string) *client {
	return &client{s: s, http: s.http, base: adminBase,
		header: map[string]string{"Authorization": "Bearer " + token}}
}

func (s *suite) anonymousAdmin() *client { return &client{s: s, http: s.http, base: adminBase} }

func (s *suite) login(t *testing.T, email, password string) string {
	t.Helper()
	return s.anonymousAdmin().ok(t, 200, "POST /login",
		obj{"email": email, "password": password}).str(t, "data.token")
}

// key makes an API key by the admin routes. The definition overrides the defaults: all scopes, no
// role.
func (s *suite) key(t *testing.T, definition obj) *client {
	t.Helper()
	body := obj{"name": unique("key"), "scopes": list{"read", "write", "delete"}, "rate_limit": 100000}
	maps.Copy(body, definition)
	return s.keyOf(t, s.admin(t).ok(t, 201, "POST /keys", body))
}

// keyOf returns a client with the key in an answer, which must contain its secret.
func (s *suite) keyOf(t *testing.T, a answer) *client {
	t.Helper()
	c := s.public().with("X-API-Key", a.str(t, "data.public_key")).with("X-API-Secret",
		a.str(t, "data.secret"))
	c.id, c.name = a.str(t, "data.id"), a.str(t, "data.name")
	return c
}

// adminKey makes a key with an admin role.
func (s *suite) adminKey(t *testing.T) *client { return s.key(t, obj{"role": "admin"}) }

// model makes a model and returns its slug. Without fields it has one text field, body.
func (s *suite) model(t *testing.T, definition obj) string {
	t.Helper()
	slug := unique("m")
	body := obj{"slug": slug, "name": "Model " + slug, "kind": "collection",
		"fields": list{field("body", "textarea", obj{"searchable": true})}}
	maps.Copy(body, definition)
	s.admin(t).ok(t, 201, "POST /models", body)
	return body["slug"].(string)
}

// field is one field of a model's definition.
func field(name, kind string, more obj) obj {
	f := obj{"name": name, "label": name, "type": kind}
	maps.Copy(f, more)
	return f
}

// create makes an entry by the API and returns the answer.
func (c *client) create(t *testing.T, model string, body obj) answer {
	t.Helper()
	return c.ok(t, http.StatusCreated, "POST /"+model, body)
}

// publish makes a published entry with a title and data and returns its id. It waits for the next
// millisecond, so that the next published entry is newer.
func (c *client) publish(t *testing.T, model, title string, data obj) string {
	t.Helper()
	id := c.create(t, model, obj{"title": title, "status": "published", "data": data}).str(t, "data.id")
	for now := time.Now().UnixMilli(); now == time.Now().UnixMilli(); {
		runtime.Gosched()
	}
	return id
}

// defaultLocale is the code of the site's default locale.
func (s *suite) defaultLocale(t *testing.T) string {
	t.Helper()
	s.localeOnce.Do(func() {
		locales := s.public().ok(t, 200, "GET /i18n/locales", nil)
		if l := find(locales.get("data"), "is_default", "true"); l != nil {
			s.locale = str(l["code"])
		}
	})
	if s.locale == "" {
		t.Fatal("there is no default locale")
	}
	return s.locale
}

// useLocale makes sure that a locale exists and is active.
func (s *suite) useLocale(t *testing.T, code, name string) {
	t.Helper()
	a := s.admin(t).do(t, "GET /locales/"+code, nil)
	switch {
	case a.Status == http.StatusNotFound:
		made := s.admin(t).do(t, "POST /locales",
			obj{"code": code, "name": name, "native_name": name, "direction": "ltr", "sort_order": 50})
		// 409 if another scenario has made the locale first.
		if made.Status != http.StatusCreated && made.Status != http.StatusConflict {
			t.Fatalf("locale %s: %d %s", code, made.Status, made.Raw)
		}
	case a.get("data.is_active") != true:
		s.admin(t).ok(t, 200, "PUT /locales/"+code, obj{"is_active": true})
	}
}

// walk reads an admin list, newest first, until found returns true for an item, and reports whether
// it did. It gives up after 3,000 items.
func (s *suite) walk(t *testing.T, path string, found func(item any) bool) bool {
	t.Helper()
	for page := 1; page <= 30; page++ {
		items, _ := s.admin(t).ok(t, 200, "GET "+path+"?per_page=100&page="+strconv.Itoa(page),
			nil).get("data").(list)
		if slices.ContainsFunc(items, found) {
			return true
		}
		if len(items) == 0 {
			return false
		}
	}
	return false
}
