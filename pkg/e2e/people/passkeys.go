package people

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"headless/pkg/access/passkeys/passkeytest"
	"headless/pkg/e2e/kit"
	"headless/pkg/must"
)

// addPasskey gives the user of a client a passkey.
func addPasskey(t *testing.T, s *kit.Suite, c *kit.Client) (d *passkeytest.Device, id string) {
	t.Helper()
	site, err := url.Parse(s.Target.BaseURL)
	must.Do(t, err)
	a := c.Step(t, kit.Step{Call: "POST /passkeys/options", Body: kit.Obj{},
		Want: kit.Obj{"data.rp.id": site.Hostname(), "data.authenticatorSelection.userVerification": "required"}})
	d = passkeytest.New(t, s.Target.BaseURL, site.Hostname())
	made := d.Make(t, a.Str(t, "data.challenge"), a.Str(t, "data.user.id"))
	c.Step(t, kit.Step{Name: "no name", Call: "POST /passkeys", Body: kit.Obj{"credential": made}, Invalid: "name"})
	return d, c.Post(t, "/passkeys", kit.Obj{"name": "Laptop", "credential": made}).Str(t, "data.id")
}

// askedByPasskey begins a sign-in with a passkey, which a cookie binds to this client, and returns
// the challenge.
func askedByPasskey(t *testing.T, s *kit.Suite) (browser *kit.Client, challenge string) {
	t.Helper()
	browser = s.AnonymousAdmin()
	a := browser.OK(t, 200, "POST /login/passkey/options", kit.Obj{})
	cookies := (&http.Response{Header: a.Header}).Cookies()
	if len(cookies) != 1 || !cookies[0].HttpOnly {
		t.Fatalf("cookies %v", cookies)
	}
	browser = browser.With("Cookie", cookies[0].Name+"="+cookies[0].Value)
	return browser, a.Str(t, "data.challenge")
}

func passkeySignIn(t *testing.T, s *kit.Suite) {
	slug := kit.Unique("role")
	s.Admin(t).Post(t, "/roles", kit.Obj{"slug": slug, "name": "Strict", "rules": kit.List{kit.Obj{}}})
	email, id, c := s.User(t, slug)
	d, passkey := addPasskey(t, s, c)
	c.Step(t, kit.Step{Call: "GET /passkeys", Want: kit.Obj{"data.#": 1, "data.0.id": passkey,
		"data.0.name": "Laptop", "data.0.created_at": kit.Timestamp, "data.0.last_used_at": nil}})
	s.Admin(t).Put(t, "/roles/"+slug, kit.Obj{"require_totp": true})
	s.AdminByToken(s.Login(t, email, kit.Password)).Step(t, kit.Step{Name: "a password alone is not enough",
		Call: "GET /models", Status: 403, Code: "TOTP_REQUIRED"})

	browser, challenge := askedByPasskey(t, s)
	credential := kit.Obj{"credential": d.Show(t, challenge)}
	other, _ := askedByPasskey(t, s)
	other.Step(t, kit.Step{Name: "another browser", Call: "POST /login/passkey", Body: credential, Code: "UNAUTHORIZED"})
	token := browser.OK(t, 200, "POST /login/passkey", credential).Str(t, "data.token")
	browser.Step(t, kit.Step{Name: "the same answer again", Call: "POST /login/passkey", Body: credential,
		Code: "UNAUTHORIZED"})
	by := s.AdminByToken(token)
	by.Run(t,
		kit.Step{Name: "both factors", Call: "GET /models"},
		kit.Step{Name: "who", Call: "GET /me", Want: kit.Obj{"data.email": email}},
		kit.Step{Name: "used", Call: "GET /passkeys", Want: kit.Obj{"data.0.last_used_at": kit.Timestamp}},
		kit.Step{Name: "rename", Call: "PUT /passkeys/" + passkey, Body: kit.Obj{"name": "Phone"},
			Want: kit.Obj{"data.name": "Phone"}},
	)
	_, _, stranger := s.User(t, "editor")
	stranger.Step(t, kit.Step{Name: "of another user", Call: "DELETE /passkeys/" + passkey, Code: "NOT_FOUND"})
	s.Admin(t).Delete(t, "/users/"+id+"/passkeys/"+passkey)
	browser, challenge = askedByPasskey(t, s)
	browser.Step(t, kit.Step{Name: "a removed one", Call: "POST /login/passkey",
		Body: kit.Obj{"credential": d.Show(t, challenge)}, Code: "UNAUTHORIZED"})
}

// confirmation proves the identity of a signed-in user again, by password, passkey and code.
func confirmation(t *testing.T, s *kit.Suite) {
	_, _, c := s.User(t, "admin")
	inAnHour := func(v any) error {
		at, err := time.Parse(time.RFC3339, kit.Str(v))
		if left := time.Until(at); err == nil && (left < 58*time.Minute || left > 61*time.Minute) {
			return fmt.Errorf("is in %s, want in an hour", left)
		}
		return err
	}
	want := kit.Obj{"data.confirmed_until": kit.Matcher(inAnHour)}
	c.Run(t,
		kit.Step{Name: "a sign-in counts", Call: "GET /confirm", Want: want},
		kit.Step{Name: "nothing", Call: "POST /confirm", Body: kit.Obj{}, Code: "VALIDATION_FAILED"},
		kit.Step{Name: "wrong", Call: "POST /confirm", Body: kit.Obj{"password": "wrong password 1"}, Invalid: "password"},
		kit.Step{Name: "by password", Call: "POST /confirm", Body: kit.Obj{"password": kit.Password}, Want: want},
		kit.Step{Name: "a code without a second factor", Call: "POST /confirm", Body: kit.Obj{"code": "123456"},
			Code: "VALIDATION_FAILED"},
	)
	d, _ := addPasskey(t, s, c)
	challenge := c.OK(t, 200, "POST /confirm/options", kit.Obj{}).Str(t, "data.challenge")
	c.Step(t, kit.Step{Name: "by passkey", Call: "POST /confirm", Want: want,
		Body: kit.Obj{"credential": d.Show(t, challenge)}})
	token := c.Post(t, "/tokens", kit.Obj{"name": "Program", "scope": "all"}).Str(t, "data.token")
	s.AdminByToken(token).Run(t,
		kit.Step{Name: "access tokens need none", Call: "GET /confirm", Want: kit.Obj{"data.confirmed_until": nil}},
		kit.Step{Name: "and cannot", Call: "POST /confirm", Body: kit.Obj{"password": kit.Password}, Code: "FORBIDDEN"},
		kit.Step{Name: "a key all the same", Call: "POST /keys", Body: kit.Obj{"name": kit.Unique("key")}, Status: 201},
	)
	secret, _ := s.UseTOTP(t, c)
	c.Step(t, kit.Step{Name: "by code", Call: "POST /confirm", Want: want, Body: kit.Obj{"code": nextCode(t, secret)}})
	s.AnonymousAdmin().Step(t, kit.Step{Name: "nobody", Call: "POST /confirm", Body: kit.Obj{"password": kit.Password},
		Code: "UNAUTHORIZED"})
}
