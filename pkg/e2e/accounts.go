package e2e

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

// accountScenarios are about sessions, second factors, access tokens, invitations and forgotten
// passwords (extensions §11).
var accountScenarios = []scenario{
	{name: "accounts/sessions", run: sessions},
	{name: "accounts/passwords", run: ownPasswords},
	{name: "accounts/totp", run: totp},
	{name: "accounts/passkeys", run: passkeySignIn},
	{name: "accounts/device", run: deviceLogin},
	{name: "accounts/oauth", run: oauthGrants},
	{name: "accounts/confirm", run: confirmation},
	{name: "accounts/required", run: requiredTOTP},
	{name: "accounts/tokens", run: accessTokens},
	{name: "accounts/address", run: newAddress},
	{name: "accounts/people", run: people},
	{name: "accounts/leaving", run: leaving},
	{name: "accounts/invitations", run: invitations},
	{name: "accounts/forgotten", run: forgotten},
	{name: "accounts/records", run: accountRecords},
	{name: "accounts/provider", run: noProvider},
}

func sessions(t *testing.T, s *suite) {
	email, id, c := s.user(t, "viewer")
	other := s.adminWith(s.login(t, email, password))
	a := c.step(t,
		step{call: "GET /sessions", status: 200, want: obj{"data.#": 2, "data.0.id": present,
			"data.0.created_at": timestamp, "data.0.last_seen_at": timestamp, "data.0.address": present}})
	mine, theirs := find(a.get("data"), "current", "true"), find(a.get("data"), "current", "false")
	if mine == nil || theirs == nil {
		t.Fatalf("sessions: %s", a.Raw)
	}
	_, _, stranger := s.user(t, "viewer")
	stranger.run(t,
		step{name: "of another user", call: "DELETE /sessions/" + str(theirs["id"]), status: 404,
			code: "NOT_FOUND"},
		step{name: "of another user, list", call: "GET /users/" + id + "/sessions", status: 403,
			code: "FORBIDDEN"},
	)
	c.run(t,
		step{name: "end", call: "DELETE /sessions/" + str(theirs["id"]), status: 204},
		step{name: "end it again", call: "DELETE /sessions/" + str(theirs["id"]), status: 404,
			code: "NOT_FOUND"},
		step{name: "one is left", call: "GET /sessions", status: 200,
			want: obj{"data.#": 1, "meta.total": 1, "data.0.current": true}},
	)
	other.step(t, step{call: "GET /me", status: 401, code: "UNAUTHORIZED"})
	other = s.adminWith(s.login(t, email, password))
	c.run(t,
		step{name: "end all others", call: "DELETE /sessions", status: 204},
		step{name: "not this one", call: "GET /me", status: 200},
	)
	other.step(t, step{call: "GET /me", status: 401, code: "UNAUTHORIZED"})
	stranger.step(t, step{call: "GET /me", status: 200})
	s.admin(t).run(t,
		step{name: "admins list them", call: "GET /users/" + id + "/sessions", status: 200,
			want: obj{"data.#": 1, "data.0.current": false}},
		step{name: "admins end them", call: "DELETE /users/" + id + "/sessions/" + str(mine["id"]),
			status: 204},
		step{name: "of nobody", call: "GET /users/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f/sessions",
			status: 404, code: "NOT_FOUND"},
	)
	c.step(t, step{call: "GET /me", status: 401, code: "UNAUTHORIZED"})
}

// noProvider checks that the routes of OpenID Connect answer 404 if no provider is configured.
func noProvider(t *testing.T, s *suite) {
	s.admin(t).run(t,
		step{name: "begin", call: "GET /oidc/login", status: 404, code: "NOT_FOUND"},
		step{name: "come back", call: "GET /oidc/callback?state=x&code=y", status: 404, code: "NOT_FOUND"},
	)
}

func ownPasswords(t *testing.T, s *suite) {
	email, id, c := s.user(t, "admin")
	other := s.adminWith(s.login(t, email, password))
	c.run(t,
		step{name: "own password by /users takes the current one", call: "PUT /users/" + id,
			body: obj{"password": password + " 2"}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"current_password"}},
		step{name: "a wrong one", call: "PUT /users/" + id,
			body:   obj{"password": password + " 2", "current_password": "wrong password 1"},
			status: 422, code: "VALIDATION_FAILED", details: []string{"current_password"}},
		step{name: "a common one", call: "PUT /users/" + id,
			body:   obj{"password": "passwordpassword", "current_password": password},
			status: 422, code: "VALIDATION_FAILED", details: []string{"password"}},
		step{name: "one with the address", call: "PUT /users/" + id,
			body:   obj{"password": "my " + strings.ToUpper(email), "current_password": password},
			status: 422, code: "VALIDATION_FAILED", details: []string{"password"}},
		step{name: "the right one", call: "PUT /users/" + id,
			body: obj{"password": password + " 2", "current_password": password}, status: 200},
		step{name: "this session goes on", call: "GET /me", status: 200},
	)
	other.step(t, step{name: "the others end", call: "GET /me", status: 401, code: "UNAUTHORIZED"})
	s.admin(t).ok(t, 200, "PUT /users/"+id, obj{"password": password + " 3"})
	c.step(t, step{name: "an admin's ends all", call: "GET /me", status: 401, code: "UNAUTHORIZED"})
	for range 5 {
		s.anonymousAdmin().step(t,
			step{call: "POST /login", body: obj{"email": email, "password": "wrong password 1"},
				status: 401, code: "UNAUTHORIZED"})
	}
	s.anonymousAdmin().step(t,
		step{call: "POST /login", body: obj{"email": email, "password": password + " 3"},
			status: 429, code: "RATE_LIMITED"})
	s.admin(t).ok(t, 200, "PUT /users/"+id, obj{"password": password + " 4"})
	s.login(t, email, password+" 4") // a new password unlocks
}

// newAddress: one's own new address takes the password and the link in a mail to it.
func newAddress(t *testing.T, s *suite) {
	email, id, c := s.user(t, "admin")
	fresh := unique("moved") + "@example.com"
	known, _, _ := s.user(t, "viewer")
	for _, path := range []string{"/profile", "/users/" + id} {
		c.run(t,
			step{name: "no password", call: "PUT " + path, body: obj{"email": fresh}, status: 422,
				code: "VALIDATION_FAILED", details: []string{"current_password"}},
			step{name: "taken", call: "PUT " + path, body: obj{"email": known, "current_password": password},
				status: 409, code: "CONFLICT"},
			step{name: "no address", call: "PUT " + path, body: obj{"email": "x", "current_password": password},
				status: 422, code: "VALIDATION_FAILED", details: []string{"email"}},
		)
	}
	c.step(t, step{call: "PUT /profile", body: obj{"email": fresh, "current_password": password},
		status: 202, want: obj{"data.email": email, "data.pending_email": fresh}})
	c.step(t, step{call: "GET /me", status: 200, want: obj{"data.email": email}})
	anyone := s.anonymousAdmin()
	confirm := func(token string, status int) step {
		st := step{call: "POST /profile/email", body: obj{"token": token}, status: status}
		if status == 422 {
			st.code, st.details = "VALIDATION_FAILED", []string{"token"}
		}
		return st
	}
	anyone.step(t, confirm("wrong", 422))
	if s.target.Mail == nil {
		return
	}
	tokens, _ := s.mailTo(t, fresh, 1)
	anyone.run(t, confirm(tokens[0], 204), confirm(tokens[0], 422))
	c.step(t, step{call: "GET /me", status: 200, want: obj{"data.email": fresh}})
	s.login(t, fresh, password)
	s.admin(t).step(t, step{name: "an admin changes it at once", call: "PUT /users/" + id, body: obj{"email": email},
		status: 200, want: obj{"data.email": email}})
}

// codeAt is the code of an authenticator app.
func codeAt(t *testing.T, secret string, at time.Time) string {
	t.Helper()
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(secret)
	if err != nil {
		t.Fatal(err)
	}
	mac := hmac.New(sha1.New, key)
	_ = binary.Write(mac, binary.BigEndian, at.Unix()/30)
	sum := mac.Sum(nil)
	i := sum[len(sum)-1] & 0xf
	return fmt.Sprintf("%06d", (binary.BigEndian.Uint32(sum[i:i+4])&0x7fffffff)%1_000_000)
}

// useTOTP gives a user a second factor and returns its secret and recovery codes. This uses up the
// current code.
func (s *suite) useTOTP(t *testing.T, c *client) (secret string, codes list) {
	t.Helper()
	secret = c.ok(t, 200, "POST /totp", obj{"password": password}).str(t, "data.secret")
	a := c.ok(t, 200, "POST /totp/confirm", obj{"code": codeAt(t, secret, time.Now())})
	return secret, a.get("data.recovery_codes").(list)
}

// nextCode returns the code of the next step of 30 seconds. The service accepts it already now, and
// still if a request is slow. It is not the code that useTOTP used.
func nextCode(t *testing.T, secret string) string {
	t.Helper()
	return codeAt(t, secret, time.Now().Add(30*time.Second))
}

func totp(t *testing.T, s *suite) {
	email, id, c := s.user(t, "editor")
	c.run(t,
		step{name: "confirm nothing", call: "POST /totp/confirm", body: obj{"code": "123456"},
			status: 409, code: "CONFLICT"},
		step{name: "no password", call: "POST /totp", body: obj{}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"password"}},
		step{name: "wrong password", call: "POST /totp", body: obj{"password": "wrong password 1"},
			status: 422, code: "VALIDATION_FAILED", details: []string{"password"}},
		step{name: "remove nothing", call: "DELETE /totp", body: obj{"code": "123456"}, status: 404,
			code: "NOT_FOUND"},
	)
	a := c.step(t, step{call: "POST /totp", body: obj{"password": password}, status: 200,
		want: obj{"data.secret": matches("^[A-Z2-7]{32}$"), "data.uri": matches("^otpauth://totp/")}})
	secret := a.str(t, "data.secret")
	s.login(t, email, password) // not before it is confirmed
	c.step(t, step{call: "POST /totp/confirm", body: obj{"code": "not it"}, status: 422,
		code: "VALIDATION_FAILED", details: []string{"code"}})
	now := time.Now()
	codes := c.ok(t, 200, "POST /totp/confirm",
		obj{"code": codeAt(t, secret, now)}).get("data.recovery_codes").(list)
	if len(codes) != 10 {
		t.Fatalf("%d recovery codes", len(codes))
	}
	signIn := func(code string) step {
		body := obj{"email": email, "password": password}
		if code != "" {
			body["code"] = code
		}
		return step{call: "POST /login", body: body, status: 200}
	}
	refused := func(name, code, want string) step {
		st := signIn(code)
		st.name, st.status, st.code = name, 401, want
		return st
	}
	next := nextCode(t, secret)
	anyone := s.anonymousAdmin()
	anyone.run(t,
		refused("no code", "", "TOTP_REQUIRED"),
		refused("a wrong code", "000000", "UNAUTHORIZED"),
		refused("the code that was used", codeAt(t, secret, now), "UNAUTHORIZED"),
		refused("a code of long ago", codeAt(t, secret, now.Add(-5*time.Minute)), "UNAUTHORIZED"),
		step{name: "the right code", call: "POST /login", body: signIn(next).body, status: 200,
			want: obj{"data.token": present}},
		refused("the same code again", next, "UNAUTHORIZED"),
		step{name: "a recovery code", call: "POST /login", body: signIn(codes[0].(string)).body, status: 200},
		refused("the same recovery code again", codes[0].(string), "UNAUTHORIZED"),
		step{name: "a wrong password says nothing of codes", call: "POST /login",
			body: obj{"email": email, "password": "wrong password 1"}, status: 401, code: "UNAUTHORIZED"},
	)
	c.run(t,
		step{name: "twice", call: "POST /totp", body: obj{"password": password}, status: 409,
			code: "CONFLICT"},
		step{name: "remove, wrong code", call: "DELETE /totp", body: obj{"code": "000000"},
			status: 422, code: "VALIDATION_FAILED", details: []string{"code"}},
		step{name: "remove", call: "DELETE /totp", body: obj{"code": codes[1]}, status: 204},
	)
	s.login(t, email, password)
	s.useTOTP(t, c)
	admin := s.admin(t)
	c.step(t, step{call: "DELETE /users/" + id + "/totp", status: 403, code: "FORBIDDEN"})
	admin.ok(t, 204, "DELETE /users/"+id+"/totp", nil)
	admin.step(t, step{call: "DELETE /users/" + id + "/totp", status: 404, code: "NOT_FOUND"})
	s.login(t, email, password)
}

func requiredTOTP(t *testing.T, s *suite) {
	slug := unique("role")
	s.admin(t).ok(t, 201, "POST /roles", obj{"slug": slug, "name": "Strict", "rules": list{obj{}},
		"require_totp": true})
	_, _, c := s.user(t, slug)
	c.run(t,
		step{name: "me", call: "GET /me", status: 200},
		step{name: "profile", call: "GET /profile", status: 200},
		step{name: "models", call: "GET /models", status: 403, code: "TOTP_REQUIRED"},
		step{name: "media", call: "GET /media", status: 403, code: "TOTP_REQUIRED"},
		step{name: "tokens", call: "POST /tokens", body: obj{"name": "x"}, status: 403,
			code: "TOTP_REQUIRED"},
	)
	s.useTOTP(t, c)
	c.run(t, step{name: "with a second factor", call: "GET /models", status: 200})
}

func accessTokens(t *testing.T, s *suite) {
	email, id, c := s.user(t, "editor")
	a := c.step(t, step{call: "POST /tokens", body: obj{"name": "CLI"}, status: 201,
		want: obj{"data.name": "CLI", "data.scope": "content", "data.expires_at": timestamp,
			"data.last_used_at": nil, "data.token": matches("^pat_")}})
	token := s.adminWith(a.str(t, "data.token"))
	one := "/tokens/" + a.str(t, "data.id")
	c.run(t,
		step{name: "no name", call: "POST /tokens", body: obj{}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"name"}},
		step{name: "in the past", call: "POST /tokens",
			body: obj{"name": "x", "expires_at": "2020-01-01T00:00:00Z"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"expires_at"}},
		step{name: "after a year", call: "POST /tokens",
			body: obj{"name": "x", "expires_at": "2099-01-01T00:00:00Z"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"expires_at"}},
		step{name: "an unknown scope", call: "POST /tokens", body: obj{"name": "x", "scope": "most"},
			status: 422, code: "VALIDATION_FAILED", details: []string{"scope"}},
		step{name: "listed without it", call: "GET /tokens", status: 200,
			want: obj{"data.#": 1, "data.0.name": "CLI", "data.0.token": nil}},
	)
	token.run(t,
		step{name: "acts as its user", call: "GET /me", status: 200, want: obj{"data.email": email}},
		step{name: "makes no others", call: "POST /tokens", body: obj{"name": "x"}, status: 403,
			code: "FORBIDDEN"},
		step{name: "has the user's role", call: "POST /models", body: obj{}, status: 403, code: "FORBIDDEN"},
	)
	_, _, stranger := s.user(t, "admin")
	stranger.step(t, step{call: "DELETE " + one, status: 404, code: "NOT_FOUND"})
	c.ok(t, 204, "DELETE "+one, nil)
	token.step(t, step{call: "GET /me", status: 401, code: "UNAUTHORIZED"})
	make := func(scope string) *client {
		return s.adminWith(c.ok(t, 201, "POST /tokens", obj{"name": scope, "scope": scope}).str(t, "data.token"))
	}
	reader, all := make("read"), make("all")
	folder := obj{"name": unique("folder")}
	reader.run(t,
		step{name: "reads", call: "GET /media/folders", status: 200},
		step{name: "changes nothing", call: "POST /media/folders", body: folder, status: 403, code: "FORBIDDEN"},
		step{name: "reads no accounts", call: "GET /sessions", status: 403, code: "FORBIDDEN"},
	)
	all.run(t,
		step{name: "reads accounts", call: "GET /sessions", status: 200},
		step{name: "changes no password", call: "PUT /profile",
			body: obj{"password": password + "!", "current_password": password}, status: 403, code: "FORBIDDEN"},
		step{name: "changes no second factor", call: "POST /totp", body: obj{"password": password}, status: 403,
			code: "FORBIDDEN"},
		step{name: "changes the name", call: "PUT /profile", body: obj{"name": "Ada"}, status: 200},
	)
	admin := s.admin(t)
	admin.step(t, step{call: "GET /users/" + id + "/tokens", status: 200, want: obj{"data.#": 2,
		"data.0.scope": present, "data.0.last_used_at": present, "data.0.token": nil}})
	admin.ok(t, 204, "DELETE /users/"+id+"/tokens", nil)
	all.step(t, step{call: "GET /me", status: 401, code: "UNAUTHORIZED"})
	for _, change := range []obj{{"is_active": false}, {"is_active": true}, {"password": password}} {
		if change["is_active"] == true {
			admin.ok(t, 200, "PUT /users/"+id, change)
			c = s.adminWith(s.login(t, email, password))
			continue
		}
		last := make("content")
		last.ok(t, 200, "GET /me", nil)
		admin.ok(t, 200, "PUT /users/"+id, change)
		last.step(t, step{call: "GET /me", status: 401, code: "UNAUTHORIZED"})
	}
}

var mailedToken = regexp.MustCompile(`token=3D([A-Za-z0-9_-]{20,})|token=([A-Za-z0-9_-]{20,})`)

// mailTo waits for mails to an address. It returns the tokens in them, oldest first, and the text
// of all mails.
func (s *suite) mailTo(t *testing.T, email string, want int) (tokens []string, all string) {
	t.Helper()
	s.eventually(t, fmt.Sprintf("%d mails with a link to %s", want, email), func() bool {
		tokens, all = nil, ""
		for _, m := range s.target.Mail(t) {
			text := strings.ReplaceAll(strings.ReplaceAll(string(m), "=\r\n", ""), "=\n", "")
			if !strings.Contains(text, "To: "+email) && !strings.Contains(text, "To: <"+email+">") {
				continue
			}
			all += text
			for _, found := range mailedToken.FindAllStringSubmatch(text, -1) {
				tokens = append(tokens, found[1]+found[2])
			}
		}
		return len(tokens) >= want
	})
	return tokens, all
}

func invitations(t *testing.T, s *suite) {
	admin := s.admin(t)
	email := unique("invited") + "@example.com"
	known, _, viewer := s.user(t, "viewer")
	a := admin.step(t,
		step{call: "POST /invitations", body: obj{"email": email, "name": "Ada", "role": "editor"},
			status: 201, want: obj{
				"data.email": email, "data.name": "Ada", "data.role": "editor",
				"data.expires_at": timestamp, "data.created_at": timestamp,
			}})
	one := "/invitations/" + a.str(t, "data.id")
	accept := func(token, password string) step {
		return step{call: "POST /invitations/accept",
			body: obj{"token": token, "password": password}, status: 422, code: "VALIDATION_FAILED"}
	}
	admin.run(t,
		step{name: "invited already", call: "POST /invitations",
			body: obj{"email": strings.ToUpper(email), "role": "viewer"}, status: 409, code: "CONFLICT"},
		step{name: "a user already", call: "POST /invitations",
			body: obj{"email": known, "role": "viewer"}, status: 409, code: "CONFLICT"},
		step{name: "malformed", call: "POST /invitations", body: obj{"email": "x", "role": "king"},
			status: 422, code: "VALIDATION_FAILED", details: []string{"email", "role"}},
		step{name: "list", call: "GET /invitations?per_page=100", status: 200,
			want: obj{"data.0.id": present}},
		step{name: "read", call: "GET " + one, status: 200, want: obj{"data.email": email}},
	)
	viewer.run(t, step{name: "for admins alone", call: "GET /invitations", status: 403, code: "FORBIDDEN"})
	s.anonymousAdmin().step(t, accept("wrong", password))
	if s.target.Mail == nil {
		admin.ok(t, 204, "DELETE "+one, nil)
		return
	}
	tokens, text := s.mailTo(t, email, 1)
	if !strings.Contains(text, "/admin/invitations/accept") {
		t.Errorf("mail %s", text)
	}
	admin.ok(t, 200, "POST "+one+"/resend", nil)
	both, _ := s.mailTo(t, email, 2)
	fresh := both[0]
	if fresh == tokens[0] {
		fresh = both[1]
	}
	anyone := s.anonymousAdmin()
	old, short := accept(tokens[0], password), accept(fresh, "short")
	old.details, short.details = []string{"token"}, []string{"password"}
	anyone.step(t, old)
	anyone.step(t, short)
	made := anyone.step(t,
		step{call: "POST /invitations/accept", body: obj{"token": fresh, "password": password},
			status: 200, want: obj{
				"data.token": present, "data.expires_at": timestamp, "data.user.email": email,
				"data.user.role": "editor", "data.user.name": "Ada",
			}})
	s.adminWith(made.str(t, "data.token")).ok(t, 200, "GET /models", nil)
	used := accept(fresh, password)
	used.details = []string{"token"}
	anyone.step(t, used)
	s.login(t, email, password)
	admin.step(t, step{call: "GET " + one, status: 404, code: "NOT_FOUND"})
}

func forgotten(t *testing.T, s *suite) {
	email, _, c := s.user(t, "editor")
	anyone := s.anonymousAdmin()
	token := s.adminWith(c.ok(t, 201, "POST /tokens", obj{"name": "x", "scope": "all"}).str(t, "data.token"))
	secret, _ := s.useTOTP(t, c)
	anyone.run(t,
		step{name: "unknown", call: "POST /password/forgot",
			body: obj{"email": unique("no") + "@example.com"}, status: 202},
		step{name: "known", call: "POST /password/forgot", body: obj{"email": email}, status: 202},
		step{name: "nothing", call: "POST /password/forgot", body: obj{}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"email"}},
		step{name: "wrong token", call: "POST /password/reset",
			body: obj{"token": "x", "password": password}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"token"}},
	)
	if s.target.Mail == nil {
		return
	}
	first, _ := s.mailTo(t, email, 1)
	for range 3 {
		anyone.ok(t, 202, "POST /password/forgot", obj{"email": email})
	}
	all, _ := s.mailTo(t, email, 3)
	fresh := all[2]
	anyone.run(t,
		step{name: "a short password", call: "POST /password/reset",
			body: obj{"token": fresh, "password": "short"}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"password"}},
		step{name: "reset", call: "POST /password/reset",
			body: obj{"token": fresh, "password": password + " 2"}, status: 204},
		step{name: "used", call: "POST /password/reset",
			body: obj{"token": fresh, "password": password + " 3"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"token"}},
		step{name: "the others ended", call: "POST /password/reset",
			body: obj{"token": first[0], "password": password + " 3"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"token"}},
		step{name: "the old password", call: "POST /login",
			body: obj{"email": email, "password": password}, status: 401, code: "UNAUTHORIZED"},
		step{name: "the second factor stays", call: "POST /login",
			body: obj{"email": email, "password": password + " 2"}, status: 401, code: "TOTP_REQUIRED"},
		step{name: "in", call: "POST /login", body: obj{"email": email, "password": password + " 2",
			"code": nextCode(t, secret)}, status: 200},
	)
	c.step(t, step{call: "GET /me", status: 401, code: "UNAUTHORIZED"})
	token.step(t, step{call: "GET /me", status: 401, code: "UNAUTHORIZED"})
	if all, _ := s.mailTo(t, email, 3); len(all) != 3 {
		t.Errorf("%d mails within an hour, want 3", len(all))
	}
}

func accountRecords(t *testing.T, s *suite) {
	email, id, c := s.user(t, "editor")
	for range 5 {
		s.anonymousAdmin().step(t,
			step{call: "POST /login", body: obj{"email": email, "password": "wrong password 1"},
				status: 401, code: "UNAUTHORIZED"})
	}
	s.useTOTP(t, c)
	c.ok(t, 204, "POST /logout", nil)
	s.admin(t).ok(t, 200, "PUT /users/"+id, obj{"role": "viewer"})
	for _, event := range []string{"user.signed_in", "user.sign_in_failed", "user.locked",
		"session.ended", "totp.enabled", "user.updated"} {
		t.Run(event, func(t *testing.T) {
			s.eventually(t, "the record", func() bool {
				return s.walk(t, "/activity", func(item any) bool {
					return dig(item, "event") == event && dig(item, "subject") == "user "+email &&
						str(dig(item, "address")) != "" &&
						(dig(item, "subject_id") == nil) == strings.HasPrefix(event, "user.sign") &&
						(event != "user.updated" || dig(item, "before.role") == "editor" &&
							dig(item, "after.role") == "viewer")
				})
			})
		})
	}
}
