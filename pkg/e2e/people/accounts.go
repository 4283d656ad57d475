package people

import (
	"slices"
	"strings"
	"testing"
	"time"

	"headless/pkg/access/otp/otptest"
	"headless/pkg/e2e/kit"
)

// Accounts has the scenarios of sessions, second factors, access tokens, invitations and forgotten
// passwords (extensions §11).
var Accounts = []kit.Scenario{
	{Name: "accounts/sessions", Run: sessions},
	{Name: "accounts/at once", Run: changesAtOnce},
	{Name: "accounts/passwords", Run: ownPasswords},
	{Name: "accounts/totp", Run: totp},
	{Name: "accounts/passkeys", Run: passkeySignIn},
	{Name: "accounts/device", Run: deviceLogin},
	{Name: "accounts/oauth", Run: oauthGrants},
	{Name: "accounts/confirm", Run: confirmation},
	{Name: "accounts/required", Run: requiredTOTP},
	{Name: "accounts/tokens", Run: accessTokens},
	{Name: "accounts/address", Run: newAddress},
	{Name: "accounts/moved away", Run: movedAway},
	{Name: "accounts/people", Run: people},
	{Name: "accounts/erased deliveries", Run: erasedDeliveries},
	{Name: "accounts/leaving", Run: leaving},
	{Name: "accounts/invitations", Run: invitations},
	{Name: "accounts/invitations of a former admin", Run: invitationsOfFormerAdmin},
	{Name: "accounts/forgotten", Run: forgotten},
	{Name: "accounts/records", Run: accountRecords},
	{Name: "accounts/provider", Run: noProvider},
}

func sessions(t *testing.T, s *kit.Suite) {
	email, id, c := s.User(t, "viewer")
	other := s.AdminByToken(s.Login(t, email, kit.Password))
	a := c.Step(t, kit.Step{Call: "GET /sessions", Want: kit.Obj{"data.#": 2, "data.0.id": kit.Present,
		"data.0.created_at": kit.Timestamp, "data.0.last_seen_at": kit.Timestamp, "data.0.address": kit.Present}})
	mine, theirs := kit.Find(a.Get("data"), "current", "true"), kit.Find(a.Get("data"), "current", "false")
	if mine == nil || theirs == nil {
		t.Fatalf("sessions: %s", a.Raw)
	}
	_, _, stranger := s.User(t, "viewer")
	stranger.Run(t,
		kit.Step{Name: "of another user", Call: "DELETE /sessions/" + kit.Str(theirs["id"]), Code: "NOT_FOUND"},
		kit.Step{Name: "of another user, list", Call: "GET /users/" + id + "/sessions", Code: "FORBIDDEN"},
	)
	c.Run(t,
		kit.Step{Name: "end", Call: "DELETE /sessions/" + kit.Str(theirs["id"]), Status: 204},
		kit.Step{Name: "end it again", Call: "DELETE /sessions/" + kit.Str(theirs["id"]), Code: "NOT_FOUND"},
		kit.Step{Name: "one is left", Call: "GET /sessions",
			Want: kit.Obj{"data.#": 1, "meta.total": 1, "data.0.current": true}},
	)
	other.Step(t, kit.Step{Call: "GET /me", Code: "UNAUTHORIZED"})
	other = s.AdminByToken(s.Login(t, email, kit.Password))
	c.Run(t,
		kit.Step{Name: "end all others", Call: "DELETE /sessions", Status: 204},
		kit.Step{Name: "not this one", Call: "GET /me"},
	)
	other.Step(t, kit.Step{Call: "GET /me", Code: "UNAUTHORIZED"})
	stranger.Step(t, kit.Step{Call: "GET /me"})
	s.Admin(t).Run(t,
		kit.Step{Name: "admins list them", Call: "GET /users/" + id + "/sessions",
			Want: kit.Obj{"data.#": 1, "data.0.current": false}},
		kit.Step{Name: "admins end them", Call: "DELETE /users/" + id + "/sessions/" + kit.Str(mine["id"]), Status: 204},
		kit.Step{Name: "of nobody", Call: "GET /users/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f/sessions", Code: "NOT_FOUND"},
	)
	c.Step(t, kit.Step{Call: "GET /me", Code: "UNAUTHORIZED"})
}

// noProvider checks that the routes of OpenID Connect answer 404 if no provider is configured.
func noProvider(t *testing.T, s *kit.Suite) {
	s.Admin(t).Run(t,
		kit.Step{Name: "begin", Call: "GET /oidc/login", Code: "NOT_FOUND"},
		kit.Step{Name: "come back", Call: "GET /oidc/callback?state=x&code=y", Code: "NOT_FOUND"},
	)
}

func ownPasswords(t *testing.T, s *kit.Suite) {
	email, id, c := s.User(t, "admin")
	other := s.AdminByToken(s.Login(t, email, kit.Password))
	c.Run(t,
		kit.Step{Name: "own password by /users takes the current one", Call: "PUT /users/" + id,
			Body: kit.Obj{"password": kit.Password + " 2"}, Invalid: "current_password"},
		kit.Step{Name: "a wrong one", Call: "PUT /users/" + id,
			Body: kit.Obj{"password": kit.Password + " 2", "current_password": "wrong password 1"}, Invalid: "current_password"},
		kit.Step{Name: "a common one", Call: "PUT /users/" + id,
			Body: kit.Obj{"password": "passwordpassword", "current_password": kit.Password}, Invalid: "password"},
		kit.Step{Name: "one with the address", Call: "PUT /users/" + id,
			Body: kit.Obj{"password": "my " + strings.ToUpper(email), "current_password": kit.Password}, Invalid: "password"},
		kit.Step{Name: "the right one", Call: "PUT /users/" + id,
			Body: kit.Obj{"password": kit.Password + " 2", "current_password": kit.Password}},
		kit.Step{Name: "this session goes on", Call: "GET /me"},
	)
	other.Step(t, kit.Step{Name: "the others end", Call: "GET /me", Code: "UNAUTHORIZED"})
	s.Admin(t).Put(t, "/users/"+id, kit.Obj{"password": kit.Password + " 3"})
	c.Step(t, kit.Step{Name: "an admin's ends all", Call: "GET /me", Code: "UNAUTHORIZED"})
	for range 5 {
		s.AnonymousAdmin().Step(t, kit.Step{Call: "POST /login",
			Body: kit.Obj{"email": email, "password": "wrong password 1"}, Code: "UNAUTHORIZED"})
	}
	s.AnonymousAdmin().Step(t, kit.Step{Call: "POST /login",
		Body: kit.Obj{"email": email, "password": kit.Password + " 3"}, Code: "RATE_LIMITED"})
	s.Admin(t).Put(t, "/users/"+id, kit.Obj{"password": kit.Password + " 4"})
	s.Login(t, email, kit.Password+" 4") // a new password unlocks
}

// newAddress: one's own new address takes the password and the link in a mail to it.
func newAddress(t *testing.T, s *kit.Suite) {
	email, id, c := s.User(t, "admin")
	fresh := kit.Unique("moved") + "@example.com"
	known, _, _ := s.User(t, "viewer")
	for _, path := range []string{"/profile", "/users/" + id} {
		c.Run(t,
			kit.Step{Name: "no password", Call: "PUT " + path, Body: kit.Obj{"email": fresh}, Invalid: "current_password"},
			kit.Step{Name: "taken", Call: "PUT " + path, Body: kit.Obj{"email": known, "current_password": kit.Password},
				Code: "CONFLICT"},
			kit.Step{Name: "no address", Call: "PUT " + path, Body: kit.Obj{"email": "x", "current_password": kit.Password},
				Invalid: "email"},
		)
	}
	c.Step(t, kit.Step{Call: "PUT /profile", Body: kit.Obj{"email": fresh, "current_password": kit.Password},
		Status: 202, Want: kit.Obj{"data.email": email, "data.pending_email": fresh}})
	c.Step(t, kit.Step{Call: "GET /me", Want: kit.Obj{"data.email": email}})
	anyone := s.AnonymousAdmin()
	confirm := func(token string) kit.Step {
		return kit.Step{Call: "POST /profile/email", Body: kit.Obj{"token": token}, Status: 204}
	}
	refused := func(token string) kit.Step {
		return kit.Step{Call: "POST /profile/email", Body: kit.Obj{"token": token}, Invalid: "token"}
	}
	anyone.Step(t, refused("wrong"))
	if s.Target.Mail == nil {
		return
	}
	tokens, _ := s.WaitForMail(t, fresh, 1)
	anyone.Run(t, confirm(tokens[0]), refused(tokens[0]))
	c.Step(t, kit.Step{Call: "GET /me", Want: kit.Obj{"data.email": fresh}})
	s.Login(t, fresh, kit.Password)
	s.Admin(t).Step(t, kit.Step{Name: "an admin changes it at once", Call: "PUT /users/" + id,
		Body: kit.Obj{"email": email}, Want: kit.Obj{"data.email": email}})
}

// movedAway: links in mails end when the account gets another address, since others may read those mails.
func movedAway(t *testing.T, s *kit.Suite) {
	if s.Target.Mail == nil {
		return
	}
	email, id, c := s.User(t, "editor")
	anyone := s.AnonymousAdmin()
	anyone.OK(t, 202, "POST /password/forgot", kit.Obj{"email": email})
	reset, _ := s.WaitForMail(t, email, 1)
	others, own := kit.Unique("others")+"@example.com", kit.Unique("own")+"@example.com"
	c.OK(t, 202, "PUT /profile", kit.Obj{"email": others, "current_password": kit.Password})
	move, _ := s.WaitForMail(t, others, 1)
	s.Admin(t).Put(t, "/users/"+id, kit.Obj{"email": own})
	anyone.Run(t,
		kit.Step{Name: "a password by the old address", Call: "POST /password/reset",
			Body: kit.Obj{"token": reset[0], "password": kit.Password + " 2"}, Invalid: "token"},
		kit.Step{Name: "a move from the old address", Call: "POST /profile/email", Body: kit.Obj{"token": move[0]},
			Invalid: "token"},
	)
	s.Login(t, own, kit.Password)
}

// nextCode returns the code of the next step of 30 seconds. The service accepts it already now, and
// still if a request is slow. It is not the code that UseTOTP used.
func nextCode(t *testing.T, secret string) string {
	t.Helper()
	return otptest.Code(t, secret, time.Now().Add(30*time.Second))
}

func totp(t *testing.T, s *kit.Suite) {
	email, id, c := s.User(t, "editor")
	c.Run(t,
		kit.Step{Name: "confirm nothing", Call: "POST /totp/confirm", Body: kit.Obj{"code": "123456"}, Code: "CONFLICT"},
		kit.Step{Name: "no password", Call: "POST /totp", Body: kit.Obj{}, Invalid: "password"},
		kit.Step{Name: "wrong password", Call: "POST /totp", Body: kit.Obj{"password": "wrong password 1"},
			Invalid: "password"},
		kit.Step{Name: "remove nothing", Call: "DELETE /totp", Body: kit.Obj{"code": "123456"}, Code: "NOT_FOUND"},
	)
	a := c.Step(t, kit.Step{Call: "POST /totp", Body: kit.Obj{"password": kit.Password},
		Want: kit.Obj{"data.secret": kit.Matches("^[A-Z2-7]{32}$"), "data.uri": kit.Matches("^otpauth://totp/")}})
	secret := a.Str(t, "data.secret")
	s.Login(t, email, kit.Password) // not before it is confirmed
	c.Step(t, kit.Step{Call: "POST /totp/confirm", Body: kit.Obj{"code": "not it"}, Invalid: "code"})
	now := time.Now()
	codes := c.OK(t, 200, "POST /totp/confirm",
		kit.Obj{"code": otptest.Code(t, secret, now)}).Get("data.recovery_codes").(kit.List)
	if len(codes) != 10 {
		t.Fatalf("%d recovery codes", len(codes))
	}
	signIn := func(code string) kit.Step {
		body := kit.Obj{"email": email, "password": kit.Password}
		if code != "" {
			body["code"] = code
		}
		return kit.Step{Call: "POST /login", Body: body}
	}
	refused := func(name, code, want string) kit.Step {
		st := signIn(code)
		st.Name, st.Status, st.Code = name, 401, want
		return st
	}
	next := nextCode(t, secret)
	anyone := s.AnonymousAdmin()
	anyone.Run(t,
		refused("no code", "", "TOTP_REQUIRED"),
		refused("a wrong code", "000000", "UNAUTHORIZED"),
		refused("the code that was used", otptest.Code(t, secret, now), "UNAUTHORIZED"),
		refused("a code of long ago", otptest.Code(t, secret, now.Add(-5*time.Minute)), "UNAUTHORIZED"),
		kit.Step{Name: "the right code", Call: "POST /login", Body: signIn(next).Body,
			Want: kit.Obj{"data.token": kit.Present}},
		refused("the same code again", next, "UNAUTHORIZED"),
		kit.Step{Name: "a recovery code", Call: "POST /login", Body: signIn(codes[0].(string)).Body},
		refused("the same recovery code again", codes[0].(string), "UNAUTHORIZED"),
		kit.Step{Name: "a wrong password says nothing of codes", Call: "POST /login",
			Body: kit.Obj{"email": email, "password": "wrong password 1"}, Code: "UNAUTHORIZED"},
	)
	c.Run(t,
		kit.Step{Name: "twice", Call: "POST /totp", Body: kit.Obj{"password": kit.Password}, Code: "CONFLICT"},
		kit.Step{Name: "remove, wrong code", Call: "DELETE /totp", Body: kit.Obj{"code": "000000"}, Invalid: "code"},
		kit.Step{Call: "GET /totp", Want: kit.Obj{"data.enabled": true, "data.recovery_codes_left": 9}},
		kit.Step{Name: "new codes, wrong code", Call: "POST /totp/recovery", Body: kit.Obj{"code": "000000"},
			Invalid: "code"},
		kit.Step{Name: "new codes, no code", Call: "POST /totp/recovery", Body: kit.Obj{}, Invalid: "code"},
	)
	renewed := c.OK(t, 200, "POST /totp/recovery", kit.Obj{"code": codes[1]}).Get("data.recovery_codes").(kit.List)
	if len(renewed) != 10 {
		t.Fatalf("%d new recovery codes", len(renewed))
	}
	anyone.Run(t,
		refused("a former recovery code", codes[2].(string), "UNAUTHORIZED"),
		kit.Step{Name: "a new recovery code", Call: "POST /login", Body: signIn(renewed[0].(string)).Body},
	)
	c.Run(t,
		kit.Step{Call: "GET /totp", Want: kit.Obj{"data.recovery_codes_left": 9}},
		kit.Step{Name: "remove", Call: "DELETE /totp", Body: kit.Obj{"code": renewed[1]}, Status: 204},
		kit.Step{Name: "new codes of nothing", Call: "POST /totp/recovery", Body: kit.Obj{"code": renewed[2]},
			Code: "NOT_FOUND"},
	)
	s.Login(t, email, kit.Password)
	s.UseTOTP(t, c)
	admin := s.Admin(t)
	c.Step(t, kit.Step{Call: "DELETE /users/" + id + "/totp", Code: "FORBIDDEN"})
	admin.Delete(t, "/users/"+id+"/totp")
	admin.Step(t, kit.Step{Call: "DELETE /users/" + id + "/totp", Code: "NOT_FOUND"})
	s.Login(t, email, kit.Password)
}

func requiredTOTP(t *testing.T, s *kit.Suite) {
	slug := kit.Unique("role")
	s.Admin(t).Post(t, "/roles", kit.Obj{"slug": slug, "name": "Strict", "rules": kit.List{kit.Obj{}},
		"require_totp": true})
	_, _, c := s.User(t, slug)
	c.Run(t,
		kit.Step{Name: "me", Call: "GET /me"},
		kit.Step{Name: "profile", Call: "GET /profile"},
		kit.Step{Name: "models", Call: "GET /models", Status: 403, Code: "TOTP_REQUIRED"},
		kit.Step{Name: "media", Call: "GET /media", Status: 403, Code: "TOTP_REQUIRED"},
		kit.Step{Name: "tokens", Call: "POST /tokens", Body: kit.Obj{"name": "x"}, Status: 403, Code: "TOTP_REQUIRED"},
	)
	s.UseTOTP(t, c)
	c.Run(t, kit.Step{Name: "with a second factor", Call: "GET /models"})
}

func accessTokens(t *testing.T, s *kit.Suite) {
	email, id, c := s.User(t, "editor")
	unset := c.Step(t, kit.Step{Name: "null counts as left out", Call: "POST /tokens",
		Body: kit.Obj{"name": "x", "expires_at": nil}, Status: 201, Want: kit.Obj{"data.expires_at": kit.Timestamp}})
	c.Delete(t, "/tokens/"+unset.Str(t, "data.id"))
	a := c.Step(t, kit.Step{Call: "POST /tokens", Body: kit.Obj{"name": "CLI"}, Status: 201,
		Want: kit.Obj{"data.name": "CLI", "data.scope": "content", "data.expires_at": kit.Timestamp,
			"data.last_used_at": nil, "data.token": kit.Matches("^pat_")}})
	token := s.AdminByToken(a.Str(t, "data.token"))
	one := "/tokens/" + a.Str(t, "data.id")
	c.Run(t,
		kit.Step{Name: "no name", Call: "POST /tokens", Body: kit.Obj{}, Invalid: "name"},
		kit.Step{Name: "in the past", Call: "POST /tokens",
			Body: kit.Obj{"name": "x", "expires_at": "2020-01-01T00:00:00Z"}, Invalid: "expires_at"},
		kit.Step{Name: "after a year", Call: "POST /tokens",
			Body: kit.Obj{"name": "x", "expires_at": "2099-01-01T00:00:00Z"}, Invalid: "expires_at"},
		kit.Step{Name: "an unknown scope", Call: "POST /tokens", Body: kit.Obj{"name": "x", "scope": "most"},
			Invalid: "scope"},
		kit.Step{Name: "listed without it", Call: "GET /tokens",
			Want: kit.Obj{"data.#": 1, "data.0.name": "CLI", "data.0.token": nil}},
	)
	token.Run(t,
		kit.Step{Name: "acts as its user", Call: "GET /me", Want: kit.Obj{"data.email": email}},
		kit.Step{Name: "makes no others", Call: "POST /tokens", Body: kit.Obj{"name": "x"}, Code: "FORBIDDEN"},
		kit.Step{Name: "has the user's role", Call: "POST /models", Body: kit.Obj{}, Code: "FORBIDDEN"},
	)
	_, _, stranger := s.User(t, "admin")
	stranger.Step(t, kit.Step{Call: "DELETE " + one, Code: "NOT_FOUND"})
	c.Delete(t, one)
	token.Step(t, kit.Step{Call: "GET /me", Code: "UNAUTHORIZED"})
	make := func(scope string) *kit.Client {
		return s.AdminByToken(c.Post(t, "/tokens", kit.Obj{"name": scope, "scope": scope}).Str(t, "data.token"))
	}
	reader, all := make("read"), make("all")
	folder := kit.Obj{"name": kit.Unique("folder")}
	reader.Run(t,
		kit.Step{Name: "reads", Call: "GET /media/folders"},
		kit.Step{Name: "changes nothing", Call: "POST /media/folders", Body: folder, Code: "FORBIDDEN"},
		kit.Step{Name: "reads no accounts", Call: "GET /sessions", Code: "FORBIDDEN"},
	)
	all.Run(t,
		kit.Step{Name: "reads accounts", Call: "GET /sessions"},
		kit.Step{Name: "changes no password", Call: "PUT /profile",
			Body: kit.Obj{"password": kit.Password + "!", "current_password": kit.Password}, Code: "FORBIDDEN"},
		kit.Step{Name: "changes no letter of the address", Call: "PUT /profile",
			Body: kit.Obj{"email": strings.ToUpper(email)}, Code: "FORBIDDEN"},
		kit.Step{Name: "sends the address as it is", Call: "PUT /profile", Body: kit.Obj{"email": email}},
		kit.Step{Name: "changes no second factor", Call: "POST /totp", Body: kit.Obj{"password": kit.Password},
			Code: "FORBIDDEN"},
		kit.Step{Name: "changes the name", Call: "PUT /profile", Body: kit.Obj{"name": "Ada"}},
	)
	admin := s.Admin(t)
	admin.Step(t, kit.Step{Call: "GET /users/" + id + "/tokens",
		Want: kit.Obj{"data.#": 2, "data.0.scope": kit.Present, "data.0.last_used_at": kit.Present, "data.0.token": nil}})
	admin.Delete(t, "/users/"+id+"/tokens")
	all.Step(t, kit.Step{Call: "GET /me", Code: "UNAUTHORIZED"})
	for _, change := range []kit.Obj{{"is_active": false}, {"is_active": true}, {"password": kit.Password}} {
		if change["is_active"] == true {
			admin.Put(t, "/users/"+id, change)
			c = s.AdminByToken(s.Login(t, email, kit.Password))
			continue
		}
		last := make("content")
		last.Get(t, "/me")
		admin.Put(t, "/users/"+id, change)
		last.Step(t, kit.Step{Call: "GET /me", Code: "UNAUTHORIZED"})
	}
}

func invitations(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	email := kit.Unique("invited") + "@example.com"
	known, _, viewer := s.User(t, "viewer")
	a := admin.Step(t, kit.Step{Call: "POST /invitations",
		Body: kit.Obj{"email": email, "name": "Ada", "role": "editor"}, Status: 201, Want: kit.Obj{
			"data.email": email, "data.name": "Ada", "data.role": "editor",
			"data.expires_at": kit.Timestamp, "data.created_at": kit.Timestamp,
		}})
	one := "/invitations/" + a.Str(t, "data.id")
	refused := func(token, password, invalid string) kit.Step {
		return kit.Step{Call: "POST /invitations/accept", Body: kit.Obj{"token": token, "password": password},
			Invalid: invalid}
	}
	admin.Run(t,
		kit.Step{Name: "invited already", Call: "POST /invitations",
			Body: kit.Obj{"email": strings.ToUpper(email), "role": "viewer"}, Code: "CONFLICT"},
		kit.Step{Name: "a user already", Call: "POST /invitations", Body: kit.Obj{"email": known, "role": "viewer"},
			Code: "CONFLICT"},
		kit.Step{Name: "malformed", Call: "POST /invitations", Body: kit.Obj{"email": "x", "role": "king"},
			Invalid: "email role"},
		kit.Step{Name: "list", Call: "GET /invitations?per_page=100", Want: kit.Obj{"data.0.id": kit.Present}},
		kit.Step{Name: "read", Call: "GET " + one, Want: kit.Obj{"data.email": email}},
	)
	viewer.Run(t, kit.Step{Name: "for admins alone", Call: "GET /invitations", Code: "FORBIDDEN"})
	s.AnonymousAdmin().Step(t, refused("wrong", kit.Password, "token"))
	if s.Target.Mail == nil {
		admin.Delete(t, one)
		return
	}
	tokens, text := s.WaitForMail(t, email, 1)
	if !strings.Contains(text, "/admin/invitations/accept") {
		t.Errorf("mail %s", text)
	}
	admin.OK(t, 200, "POST "+one+"/resend", nil)
	both, _ := s.WaitForMail(t, email, 2)
	fresh := both[0]
	if fresh == tokens[0] {
		fresh = both[1]
	}
	anyone := s.AnonymousAdmin()
	anyone.Step(t, refused(tokens[0], kit.Password, "token"))
	anyone.Step(t, refused(fresh, "short", "password"))
	made := anyone.Step(t, kit.Step{Name: "an empty name, as the page sends it, keeps that of the invitation",
		Call: "POST /invitations/accept", Body: kit.Obj{"token": fresh, "password": kit.Password, "name": ""},
		Want: kit.Obj{
			"data.token": kit.Present, "data.expires_at": kit.Timestamp, "data.user.email": email,
			"data.user.role": "editor", "data.user.name": "Ada",
		}})
	s.AdminByToken(made.Str(t, "data.token")).Get(t, "/models")
	anyone.Step(t, refused(fresh, kit.Password, "token"))
	s.Login(t, email, kit.Password)
	admin.Step(t, kit.Step{Call: "GET " + one, Code: "NOT_FOUND"})
}

// invitationsOfFormerAdmin: who is no admin any more could use an invitation of their own to come back as one.
func invitationsOfFormerAdmin(t *testing.T, s *kit.Suite) {
	if s.Target.Mail == nil {
		t.Skip("the target has no mails to read")
	}
	for name, leave := range map[string]func(admin *kit.Client, at string){
		"demoted":     func(admin *kit.Client, at string) { admin.Put(t, at, kit.Obj{"role": "viewer"}) },
		"deleted":     func(admin *kit.Client, at string) { admin.Delete(t, at) },
		"deactivated": func(admin *kit.Client, at string) { admin.Put(t, at, kit.Obj{"is_active": false}) },
	} {
		admin, email := s.Admin(t), kit.Unique("invited")+"@example.com"
		_, id, sender := s.User(t, "admin")
		invitation := "/invitations/" + sender.Post(t, "/invitations",
			kit.Obj{"email": email, "role": "admin"}).Str(t, "data.id")
		tokens, _ := s.WaitForMail(t, email, 1)
		leave(admin, "/users/"+id)
		s.AnonymousAdmin().Step(t, kit.Step{Name: name, Call: "POST /invitations/accept",
			Body: kit.Obj{"token": tokens[0], "password": kit.Password}, Invalid: "token"})
		admin.OK(t, 200, "POST "+invitation+"/resend", nil)
		both, _ := s.WaitForMail(t, email, 2)
		fresh := both[slices.IndexFunc(both, func(token string) bool { return token != tokens[0] })]
		s.AnonymousAdmin().Step(t, kit.Step{Name: name + ", sent again by another admin",
			Call: "POST /invitations/accept", Body: kit.Obj{"token": fresh, "password": kit.Password},
			Want: kit.Obj{"data.user.role": "admin"}})
	}
}

func forgotten(t *testing.T, s *kit.Suite) {
	email, _, c := s.User(t, "editor")
	anyone := s.AnonymousAdmin()
	token := s.AdminByToken(c.Post(t, "/tokens", kit.Obj{"name": "x", "scope": "all"}).Str(t, "data.token"))
	secret, _ := s.UseTOTP(t, c)
	anyone.Run(t,
		kit.Step{Name: "unknown", Call: "POST /password/forgot", Body: kit.Obj{"email": kit.Unique("no") + "@example.com"},
			Status: 202},
		kit.Step{Name: "known", Call: "POST /password/forgot", Body: kit.Obj{"email": email}, Status: 202},
		kit.Step{Name: "nothing", Call: "POST /password/forgot", Body: kit.Obj{}, Invalid: "email"},
		kit.Step{Name: "wrong token", Call: "POST /password/reset", Body: kit.Obj{"token": "x", "password": kit.Password},
			Invalid: "token"},
	)
	if s.Target.Mail == nil {
		return
	}
	first, _ := s.WaitForMail(t, email, 1)
	for range 3 {
		anyone.OK(t, 202, "POST /password/forgot", kit.Obj{"email": email})
	}
	all, _ := s.WaitForMail(t, email, 3)
	fresh := all[2]
	anyone.Run(t,
		kit.Step{Name: "a short password", Call: "POST /password/reset", Body: kit.Obj{"token": fresh, "password": "short"},
			Invalid: "password"},
		kit.Step{Name: "reset", Call: "POST /password/reset",
			Body: kit.Obj{"token": fresh, "password": kit.Password + " 2"}, Status: 204},
		kit.Step{Name: "used", Call: "POST /password/reset", Body: kit.Obj{"token": fresh, "password": kit.Password + " 3"},
			Invalid: "token"},
		kit.Step{Name: "the others ended", Call: "POST /password/reset",
			Body: kit.Obj{"token": first[0], "password": kit.Password + " 3"}, Invalid: "token"},
		kit.Step{Name: "the old password", Call: "POST /login", Body: kit.Obj{"email": email, "password": kit.Password},
			Code: "UNAUTHORIZED"},
		kit.Step{Name: "the second factor stays", Call: "POST /login",
			Body: kit.Obj{"email": email, "password": kit.Password + " 2"}, Code: "TOTP_REQUIRED"},
		kit.Step{Name: "in", Call: "POST /login",
			Body: kit.Obj{"email": email, "password": kit.Password + " 2", "code": nextCode(t, secret)}},
	)
	c.Step(t, kit.Step{Call: "GET /me", Code: "UNAUTHORIZED"})
	token.Step(t, kit.Step{Call: "GET /me", Code: "UNAUTHORIZED"})
	if all, _ := s.WaitForMail(t, email, 3); len(all) != 3 {
		t.Errorf("%d mails within an hour, want 3", len(all))
	}
}

func accountRecords(t *testing.T, s *kit.Suite) {
	email, id, c := s.User(t, "editor")
	for range 5 {
		s.AnonymousAdmin().Step(t, kit.Step{Call: "POST /login",
			Body: kit.Obj{"email": email, "password": "wrong password 1"}, Code: "UNAUTHORIZED"})
	}
	s.UseTOTP(t, c)
	c.OK(t, 204, "POST /logout", nil)
	s.Admin(t).Put(t, "/users/"+id, kit.Obj{"role": "viewer"})
	for event, more := range map[string]kit.Obj{
		"user.signed_in": {"subject_id": nil}, "user.sign_in_failed": {"subject_id": nil},
		"user.locked": nil, "session.ended": nil, "totp.enabled": nil,
		"user.updated": {"before.role": "editor", "after.role": "viewer"},
	} {
		t.Run(event, func(t *testing.T) {
			s.Listed(t, "/activity", kit.Merge(kit.Obj{"event": event, "subject": "user " + email,
				"subject_id": kit.Present, "address": kit.Present}, more))
		})
	}
}
