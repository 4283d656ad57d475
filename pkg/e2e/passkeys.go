package e2e

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"headless/pkg/access/passkeys/passkeytest"
)

// addPasskey gives the user of a client a passkey.
func (s *suite) addPasskey(t *testing.T, c *client) (d *passkeytest.Device, id string) {
	t.Helper()
	site, err := url.Parse(s.target.BaseURL)
	if err != nil {
		t.Fatal(err)
	}
	a := c.step(t, step{call: "POST /passkeys/options", body: obj{}, status: 200, want: obj{
		"data.rp.id": site.Hostname(), "data.authenticatorSelection.userVerification": "required"}})
	d = passkeytest.New(t, s.target.BaseURL, site.Hostname())
	made := d.Make(t, a.str(t, "data.challenge"), a.str(t, "data.user.id"))
	c.step(t, step{name: "no name", call: "POST /passkeys", body: obj{"credential": made}, status: 422,
		code: "VALIDATION_FAILED", details: []string{"name"}})
	return d, c.ok(t, 201, "POST /passkeys", obj{"name": "Laptop", "credential": made}).str(t, "data.id")
}

// askedByPasskey begins a sign-in with a passkey, which a cookie binds to this client, and returns
// the challenge.
func (s *suite) askedByPasskey(t *testing.T) (browser *client, challenge string) {
	t.Helper()
	browser = s.anonymousAdmin()
	a := browser.ok(t, 200, "POST /login/passkey/options", obj{})
	cookies := (&http.Response{Header: a.Header}).Cookies()
	if len(cookies) != 1 || !cookies[0].HttpOnly {
		t.Fatalf("cookies %v", cookies)
	}
	browser.header = map[string]string{"Cookie": cookies[0].Name + "=" + cookies[0].Value}
	return browser, a.str(t, "data.challenge")
}

func passkeySignIn(t *testing.T, s *suite) {
	slug := unique("role")
	s.admin(t).ok(t, 201, "POST /roles", obj{"slug": slug, "name": "Strict", "rules": list{obj{}}})
	email, id, c := s.user(t, slug)
	d, passkey := s.addPasskey(t, c)
	c.step(t, step{call: "GET /passkeys", status: 200, want: obj{"data.#": 1, "data.0.id": passkey,
		"data.0.name": "Laptop", "data.0.created_at": timestamp, "data.0.last_used_at": nil}})
	s.admin(t).ok(t, 200, "PUT /roles/"+slug, obj{"require_totp": true})
	s.adminWith(s.login(t, email, password)).step(t, step{name: "a password alone is not enough",
		call: "GET /models", status: 403, code: "TOTP_REQUIRED"})

	browser, challenge := s.askedByPasskey(t)
	credential := obj{"credential": d.Show(t, challenge)}
	other, _ := s.askedByPasskey(t)
	other.step(t, step{name: "another browser", call: "POST /login/passkey", body: credential,
		status: 401, code: "UNAUTHORIZED"})
	token := browser.ok(t, 200, "POST /login/passkey", credential).str(t, "data.token")
	browser.step(t, step{name: "the same answer again", call: "POST /login/passkey", body: credential,
		status: 401, code: "UNAUTHORIZED"})
	by := s.adminWith(token)
	by.run(t,
		step{name: "both factors", call: "GET /models", status: 200},
		step{name: "who", call: "GET /me", status: 200, want: obj{"data.email": email}},
		step{name: "used", call: "GET /passkeys", status: 200, want: obj{"data.0.last_used_at": timestamp}},
		step{name: "rename", call: "PUT /passkeys/" + passkey, body: obj{"name": "Phone"}, status: 200,
			want: obj{"data.name": "Phone"}},
	)
	_, _, stranger := s.user(t, "editor")
	stranger.step(t, step{name: "of another user", call: "DELETE /passkeys/" + passkey, status: 404,
		code: "NOT_FOUND"})
	s.admin(t).ok(t, 204, "DELETE /users/"+id+"/passkeys/"+passkey, nil)
	browser, challenge = s.askedByPasskey(t)
	browser.step(t, step{name: "a removed one", call: "POST /login/passkey",
		body: obj{"credential": d.Show(t, challenge)}, status: 401, code: "UNAUTHORIZED"})
}

// confirmation proves the identity of a signed-in user again, by password, passkey and code.
func confirmation(t *testing.T, s *suite) {
	_, _, c := s.user(t, "admin")
	inAnHour := func(v any) error {
		at, err := time.Parse(time.RFC3339, str(v))
		if left := time.Until(at); err == nil && (left < 58*time.Minute || left > 61*time.Minute) {
			return fmt.Errorf("is in %s, want in an hour", left)
		}
		return err
	}
	want := obj{"data.confirmed_until": matcher(inAnHour)}
	c.run(t,
		step{name: "a sign-in counts", call: "GET /confirm", status: 200, want: want},
		step{name: "nothing", call: "POST /confirm", body: obj{}, status: 422, code: "VALIDATION_FAILED"},
		step{name: "wrong", call: "POST /confirm", body: obj{"password": "wrong password 1"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"password"}},
		step{name: "by password", call: "POST /confirm", body: obj{"password": password}, status: 200,
			want: want},
		step{name: "a code without a second factor", call: "POST /confirm", body: obj{"code": "123456"},
			status: 422, code: "VALIDATION_FAILED"},
	)
	d, _ := s.addPasskey(t, c)
	challenge := c.ok(t, 200, "POST /confirm/options", obj{}).str(t, "data.challenge")
	c.step(t, step{name: "by passkey", call: "POST /confirm", status: 200, want: want,
		body: obj{"credential": d.Show(t, challenge)}})
	token := c.ok(t, 201, "POST /tokens", obj{"name": "Program", "scope": "all"}).str(t, "data.token")
	s.adminWith(token).run(t,
		step{name: "access tokens need none", call: "GET /confirm", status: 200,
			want: obj{"data.confirmed_until": nil}},
		step{name: "and cannot", call: "POST /confirm", body: obj{"password": password}, status: 403,
			code: "FORBIDDEN"},
		step{name: "a key all the same", call: "POST /keys", body: obj{"name": unique("key")}, status: 201},
	)
	secret, _ := s.useTOTP(t, c)
	c.step(t, step{name: "by code", call: "POST /confirm", status: 200, want: want,
		body: obj{"code": nextCode(t, secret)}})
	s.anonymousAdmin().step(t, step{name: "nobody", call: "POST /confirm",
		body: obj{"password": password}, status: 401, code: "UNAUTHORIZED"})
}
