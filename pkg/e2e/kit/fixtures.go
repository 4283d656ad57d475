package kit

import (
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Admin is a client of the admin area, signed in as the target's administrator.
func (s *Suite) Admin(t *testing.T) *Client {
	t.Helper()
	s.signIn.Do(func() { s.token = s.Login(t, s.Target.AdminEmail, s.Target.AdminPassword) })
	if s.token == "" {
		t.Fatal("the administrator could not sign in")
	}
	return s.AdminByToken(s.token)
}

// AdminByToken is a client of the admin area with a session or an access token.
func (s *Suite) AdminByToken(token string) *Client {
	return &Client{s: s, HTTP: s.HTTP, base: AdminBase, Header: map[string]string{"Authorization": "Bearer " + token}}
}

// AnonymousAdmin is a client of the admin area that is not signed in.
func (s *Suite) AnonymousAdmin() *Client { return &Client{s: s, HTTP: s.HTTP, base: AdminBase} }

// Login signs a user in and returns the token of the session.
func (s *Suite) Login(t *testing.T, email, password string) string {
	t.Helper()
	return s.AnonymousAdmin().OK(t, 200, "POST /login", Obj{"email": email, "password": password}).Str(t, "data.token")
}

// Key makes an API key by the admin routes. The definition overrides the defaults: all scopes, no
// role.
func (s *Suite) Key(t *testing.T, definition Obj) *Client {
	t.Helper()
	body := Merge(Obj{"name": Unique("key"), "scopes": List{"read", "write", "delete"}, "rate_limit": 100000}, definition)
	return s.KeyOf(t, s.Admin(t).Post(t, "/keys", body))
}

// KeyOf returns a client with the key in an answer, which must contain its secret.
func (s *Suite) KeyOf(t *testing.T, a Answer) *Client {
	t.Helper()
	c := s.Public().With("X-API-Key", a.Str(t, "data.public_key")).With("X-API-Secret", a.Str(t, "data.secret"))
	c.ID, c.Name = a.Str(t, "data.id"), a.Str(t, "data.name")
	return c
}

// AdminKey makes a key with an admin role.
func (s *Suite) AdminKey(t *testing.T) *Client { return s.Key(t, Obj{"role": "admin"}) }

// Model makes a model and returns its slug. Without fields it has one text field, body.
func (s *Suite) Model(t *testing.T, definition Obj) string {
	t.Helper()
	slug := Unique("m")
	body := Merge(Obj{"slug": slug, "name": "Model " + slug, "kind": "collection",
		"fields": List{Field("body", "textarea", Obj{"searchable": true})}}, definition)
	s.Admin(t).Post(t, "/models", body)
	return body["slug"].(string)
}

// Merge adds the keys of more to base, in place of those of the same name, and returns base.
func Merge(base, more Obj) Obj {
	maps.Copy(base, more)
	return base
}

// Field is one field of a model's definition.
func Field(name, kind string, more Obj) Obj {
	return Merge(Obj{"name": name, "label": name, "type": kind}, more)
}

// Create makes an entry by the API and returns the answer.
func (c *Client) Create(t *testing.T, model string, body Obj) Answer {
	t.Helper()
	return c.OK(t, http.StatusCreated, "POST /"+model, body)
}

// Publish makes a published entry with a title and data and returns its id. It waits for the next
// millisecond, so that the next published entry is newer.
func (c *Client) Publish(t *testing.T, model, title string, data Obj) string {
	t.Helper()
	id := c.Create(t, model, Obj{"title": title, "status": "published", "data": data}).Str(t, "data.id")
	for now := time.Now().UnixMilli(); now == time.Now().UnixMilli(); {
		runtime.Gosched()
	}
	return id
}

// DefaultLocale is the code of the site's default locale.
func (s *Suite) DefaultLocale(t *testing.T) string {
	t.Helper()
	s.localeOnce.Do(func() {
		locales := s.Public().Get(t, "/i18n/locales")
		if l := Find(locales.Get("data"), "is_default", "true"); l != nil {
			s.locale = Str(l["code"])
		}
	})
	if s.locale == "" {
		t.Fatal("there is no default locale")
	}
	return s.locale
}

// UseLocale makes sure that a locale exists and is active.
func (s *Suite) UseLocale(t *testing.T, code, name string) {
	t.Helper()
	a := s.Admin(t).Do(t, "GET /locales/"+code, nil)
	switch {
	case a.Status == http.StatusNotFound:
		made := s.Admin(t).Do(t, "POST /locales",
			Obj{"code": code, "name": name, "native_name": name, "direction": "ltr", "sort_order": 50})
		// 409 if another scenario has made the locale first.
		if made.Status != http.StatusCreated && made.Status != http.StatusConflict {
			t.Fatalf("locale %s: %d %s", code, made.Status, made.Raw)
		}
	case a.Get("data.is_active") != true:
		s.Admin(t).Put(t, "/locales/"+code, Obj{"is_active": true})
	}
}

// Walk reads an admin list, newest first, until found returns true for an item, and reports whether
// it did. It gives up after 3,000 items.
func (s *Suite) Walk(t *testing.T, path string, found func(item any) bool) bool {
	t.Helper()
	for page := 1; page <= 30; page++ {
		items, _ := s.Admin(t).Get(t, path+"?per_page=100&page="+strconv.Itoa(page)).Get("data").(List)
		if slices.ContainsFunc(items, found) {
			return true
		}
		if len(items) == 0 {
			return false
		}
	}
	return false
}

// Listed waits until an admin list has an item with values by their paths, as in Step.Want.
func (s *Suite) Listed(t *testing.T, path string, wanted Obj) {
	t.Helper()
	s.Eventually(t, fmt.Sprint("an item of ", path, " with ", wanted), func() bool {
		return s.Walk(t, path, func(item any) bool { return hasValues(item, wanted) })
	})
}

// MakeForm makes a form by the admin routes and returns its slug.
func MakeForm(t *testing.T, s *Suite, definition Obj) string {
	t.Helper()
	slug := Unique("form")
	body := Merge(Obj{"slug": slug, "name": "Form " + slug, "success_message": "Thank you, friend.", "fields": List{
		Obj{"name": "email", "label": "Address", "type": "email", "required": true},
		Obj{"name": "message", "label": "Message", "type": "textarea", "required": true, "max": 20},
		Obj{"name": "website", "type": "honeypot"},
	}}, definition)
	s.Admin(t).Post(t, "/forms", body)
	return slug
}

// Word returns a word that is nowhere else on the target, without an ending that a stemmer would
// remove.
func Word() string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return 'g' + r - '0'
		}
		return r
	}, strings.ReplaceAll(Unique("zx"), "-", "")) + "zx"
}

// Words returns different words, joined by plus signs.
func Words(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprint("word", i)
	}
	return strings.Join(words, "+")
}

// SharedField is the definition of a field whose value all translations share.
func SharedField(name, kind string) Obj { return Field(name, kind, Obj{"translatable": false}) }

// EntryRef is how a text refers to an entry.
func EntryRef(id string) string { return "cms://entry/" + id }

// UnknownID is the id of nothing.
const UnknownID = "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"
