package admin_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

func user(email, role string) map[string]any {
	return map[string]any{"email": email, "name": "Somebody", "role": role, "password": password}
}

func keysOf(m map[string][]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
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

// TestPagesWithoutMenuTell: after a visitor asked for a new password or set one, the page of the sign-in said nothing.
func TestPagesWithoutMenuTell(t *testing.T) {
	b := browser{newSite(t), nil}
	a := b.post(t, "/password/forgot", url.Values{"email": {"nobody@example.com"}})
	to := a.Header().Get("Location")
	if a.Code != http.StatusSeeOther ||
		!contains(b.get(t, strings.TrimPrefix(to, "/admin")), "If there is an account with this address") {
		t.Errorf("asked: %d to %q", a.Code, to)
	}
	if !contains(b.get(t, "/login?ok=password"), "A new password was set for your account.") {
		t.Error("a new password is not told")
	}
	if !contains(b.get(t, "/invitations/accept?token=used"), `href="/admin/login"`) {
		t.Error("no way from an invitation that was used to the sign-in")
	}
}
