package admin_test

import (
	"net/url"
	"testing"
)

// TestPasswordsOff: where people sign in with their organization only, no page offers a password, and the
// addresses of pages that set one say so.
func TestPasswordsOff(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	invited := c.must(t, 201, "POST", "/invitations", `{"email":"new@example.com","role":"editor"}`).text(t, "id")
	s.on.Sessions.PasswordsOff = true
	const off = "Sign in with your organization."
	for _, at := range []string{"/password/forgot", "/password/reset?token=x", "/totp"} {
		if a := b.get(t, at); a.Code != 403 || !contains(a, off) || contains(a, `type="password"`) ||
			contains(a, `type="email"`) || contains(a, `href="/admin/password/forgot"`) {
			t.Errorf("%s: %d %s", at, a.Code, a.Body)
		}
	}
	if a := (browser{s, nil}).post(t, "/password/forgot", url.Values{"email": {adminEmail}}); a.Code != 403 ||
		!contains(a, off) {
		t.Errorf("a link was promised: %d %s", a.Code, a.Body)
	}
	client{s, ""}.must(t, 202, "POST", "/password/forgot", map[string]any{"email": adminEmail})
	for _, row := range []struct{ at, has, lacks string }{
		{"/profile", "Needed for a new address, unless you have a passkey.", `name="password"`},
		{"/profile", "/admin/tokens", `href="/admin/totp"`},
		{"/profile", "/admin/sessions", `href="/admin/passkeys"`},
		{"/passkeys", off, "Add a passkey"},
		{"/invitations", "nobody can accept an invitation", `name="email"`},
	} {
		if a := b.get(t, row.at); !contains(a, row.has) || contains(a, row.lacks) {
			t.Errorf("%s: %d %s", row.at, a.Code, a.Body)
		}
	}
	c.must(t, 403, "POST", "/invitations", `{"email":"other@example.com","role":"editor"}`)
	c.must(t, 403, "POST", "/invitations/"+invited+"/resend", nil)
	c.must(t, 204, "DELETE", "/invitations/"+invited, nil)
}
