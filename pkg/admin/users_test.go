package admin_test

import (
	"fmt"
	"slices"
	"testing"
)

func user(email, role string) map[string]any {
	return map[string]any{"email": email, "name": "Somebody", "role": role, "password": password}
}

func TestUsers(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	a := c.must(t, 201, "POST", "/users", user("Ada@example.com", "editor"))
	ada := "/users/" + a.text(t, "id")
	if a.text(t, "email") != "Ada@example.com" || a.at(t, "is_active") != true || a.at(t, "password") != nil {
		t.Errorf("created %s", a.Body)
	}
	c.must(t, 409, "POST", "/users", user("ADA@EXAMPLE.com", "editor"))
	if list := c.must(t, 200, "GET", "/users", nil); list.Meta["total"] != 2.0 ||
		list.text(t, 0, "email") != "Ada@example.com" {
		t.Errorf("list %s", list.Body)
	}
	for body, want := range map[string][]string{
		`{}`: {"email", "password"},
		`{"email":"no","role":"boss","password":"short","name":1,"x":1}`: {"email",
			"name", "password", "role", "x"},
		`{"email":"a@b.co","password":"elf zeichen"}`:                                 {"password"},
		`{"email":"a@b.co","password":"correct horse battery","is_active":"yes"}`:     {"is_active"},
		`{"email":"a@b.co","password":"correct horse battery","id":"x","version":3}`:  nil,
		`{"email":"b@b.co","password":"correct horse battery","role":null,"name":""}`: nil,
	} {
		status := 422
		if want == nil {
			status = 201
		}
		if got := keysOf(c.must(t, status, "POST", "/users", body).Error.Details); !slices.Equal(got, want) {
			t.Errorf("%s: problems %v, want %v", body, got, want)
		}
	}
	// Another address: the old one is free, the new one is not.
	c.must(t, 200, "PUT", ada, `{"email":"countess@example.com"}`)
	c.must(t, 201, "POST", "/users", user("ada@example.com", "viewer"))
	c.must(t, 409, "PUT", ada, `{"email":"ada@example.com"}`)
	c.must(t, 204, "DELETE", ada, nil)
	c.must(t, 404, "GET", ada, nil)
	c.must(t, 404, "DELETE", ada, nil)
	c.must(t, 201, "POST", "/users", user("countess@example.com", "viewer"))
}

func keysOf(m map[string][]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func TestChangesEndSessions(t *testing.T) {
	for name, change := range map[string]string{"password": `{"password":"another horse battery"}`,
		"deactivation": `{"is_active":false}`, "": ""} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			c := s.as(t, adminEmail)
			id := c.must(t, 201, "POST", "/users", user("ada@example.com", "editor")).text(t, "id")
			ada := s.as(t, "ada@example.com")
			ada.must(t, 200, "GET", "/me", nil)
			if change == "" {
				c.must(t, 204, "DELETE", "/users/"+id, nil)
			} else {
				c.must(t, 200, "PUT", "/users/"+id, change)
			}
			ada.must(t, 401, "GET", "/me", nil)
			c.must(t, 401, "POST", "/login", map[string]string{"email": "ada@example.com",
				"password": password})
		})
	}
}

func TestLastAdminStays(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	first := c.must(t, 200, "GET", "/users", nil).text(t, 0, "id")
	for _, change := range []string{`{"role":"editor"}`, `{"is_active":false}`} {
		c.must(t, 409, "PUT", "/users/"+first, change)
	}
	c.must(t, 409, "DELETE", "/users/"+first, nil)

	// Several admins who remove each other at once: one stays, every time.
	ids := []string{first}
	for i := range 4 {
		ids = append(ids,
			c.must(t, 201, "POST", "/users", user(fmt.Sprintf("a%d@example.com", i), "admin")).text(t, "id"))
	}
	codes := make([]int, len(ids))
	parallel(len(ids), func(i int) {
		switch i % 3 {
		case 0:
			codes[i] = c.do(t, "PUT", "/users/"+ids[i],
				`{"role":"admin","is_active":true,"name":"still here"}`).Code
		case 1:
			codes[i] = c.do(t, "PUT", "/users/"+ids[i], `{"role":"viewer"}`).Code
		default:
			codes[i] = c.do(t, "DELETE", "/users/"+ids[i], nil).Code
		}
	})
	for i := range ids {
		if i%3 == 0 && codes[i] != 200 || codes[i] >= 500 {
			t.Errorf("change %d: %d", i, codes[i])
		}
	}
	second := s.as(t, "a2@example.com")
	var one, two int
	parallel(2, func(i int) {
		if i == 0 {
			one = second.do(t, "PUT", "/users/"+ids[0], `{"role":"viewer"}`).Code
		} else {
			two = c.do(t, "PUT", "/users/"+ids[3], `{"role":"viewer"}`).Code
		}
	})
	codes = []int{one, two}
	if slices.Sort(codes); codes[0] != 200 || codes[1] != 403 && codes[1] != 409 {
		t.Errorf("two admins who demote each other: %v", codes)
	}
}

func TestRoles(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models", `{"name":"Pages","slug":"pages"}`)
	c.must(t, 200, "PUT", "/settings", `[{"group":"mail","key":"token","value":"topsecret"}]`)
	for _, role := range []string{"viewer", "editor"} {
		c.must(t, 201, "POST", "/users", user(role+"@example.com", role))
		who := s.as(t, role+"@example.com")
		for _, path := range []string{"/", "/models", "/models/pages/entries", "/locales", "/keys",
			"/users", "/activity", "/requests", "/trash"} {
			who.must(t, 200, "GET", path, nil)
		}
		if a := who.must(t, 200, "GET", "/settings", nil); slices.Contains(a.Body.Bytes(), 0) ||
			contains(a, "topsecret") {
			t.Errorf("%s sees a private setting", role)
		}
		want := map[string]int{"viewer": 403, "editor": 201}[role]
		who.must(t, want, "POST", "/models/pages/entries", `{"title":"By `+role+`"}`)
		for _, path := range []string{"/models", "/locales", "/keys", "/users"} {
			who.must(t, 403, "POST", path, `{}`)
		}
		who.must(t, 403, "PUT", "/settings", `[]`)
		who.must(t, 403, "DELETE", "/models/pages", nil)
	}
}
