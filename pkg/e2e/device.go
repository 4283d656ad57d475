package e2e

import (
	"net/url"
	"strings"
	"testing"
)

// deviceLogin signs in a program by a code that its user approves on a page (RFC 8628).
func deviceLogin(t *testing.T, s *suite) {
	program := s.anonymousAdmin()
	begin := func() (deviceCode obj, userCode string) {
		a := program.step(t, step{call: "POST /device", body: obj{"name": "Terminal"}, status: 200, want: obj{
			"data.verification_uri": s.target.BaseURL + adminBase + "/device", "data.expires_in": 600.0, "data.interval": 5.0}})
		userCode = a.str(t, "data.user_code")
		if got, want := a.str(t, "data.verification_uri_complete"),
			a.str(t, "data.verification_uri")+"?user_code="+url.QueryEscape(userCode); got != want {
			t.Errorf("the whole address is %q, want %q", got, want)
		}
		return obj{"device_code": a.str(t, "data.device_code")}, userCode
	}
	email, _, c := s.user(t, "editor")

	code, userCode := begin()
	program.run(t,
		step{name: "waits", call: "POST /device/token", body: code, status: 400, code: "AUTHORIZATION_PENDING"},
		step{name: "unknown", call: "POST /device/token", body: obj{"device_code": "none"}, status: 400,
			code: "EXPIRED_TOKEN"},
		step{name: "none", call: "POST /device/token", body: obj{}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"device_code"}},
		step{name: "nobody", call: "POST /device/approve", body: obj{"user_code": userCode}, status: 401,
			code: "UNAUTHORIZED"},
	)
	s.eventually(t, "two questions within 5 seconds", func() bool {
		return program.do(t, "POST /device/token", code).get("error.code") == "SLOW_DOWN"
	})
	b := s.newBrowser(t)
	b.signIn(t, email, password)
	p := b.open(t, "/device?user_code="+url.QueryEscape(userCode), nil)
	for _, want := range []string{"Terminal", userCode, "Address"} {
		if !strings.Contains(p.html, want) {
			t.Errorf("the page lacks %q: %d %s", want, p.status, p.html)
		}
	}
	if p = b.open(t, "/device/approve", p.hidden()); p.status != 303 {
		t.Fatalf("approved: %d %s", p.status, p.html)
	}
	token := program.ok(t, 200, "POST /device/token", code).str(t, "data.token")
	s.adminWith(token).run(t,
		step{name: "signed in", call: "GET /me", status: 200, want: obj{"data.email": email}},
		step{name: "listed by name", call: "GET /sessions", status: 200,
			want: obj{"data.0.user_agent": "Terminal", "data.0.current": true}},
	)
	program.step(t, step{name: "once", call: "POST /device/token", body: code, status: 400, code: "EXPIRED_TOKEN"})

	code, userCode = begin()
	c.run(t,
		step{name: "which", call: "GET /device?user_code=" + strings.ToLower(userCode), status: 200,
			want: obj{"data.name": "Terminal", "data.user_code": userCode, "data.address": present}},
		step{name: "deny", call: "POST /device/deny", body: obj{"user_code": userCode}, status: 204},
		step{name: "decided", call: "POST /device/approve", body: obj{"user_code": userCode}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"user_code"}},
	)
	program.step(t, step{name: "denied", call: "POST /device/token", body: code, status: 400, code: "ACCESS_DENIED"})

	personal := c.ok(t, 201, "POST /tokens", obj{"name": "Program", "scope": "all"}).str(t, "data.token")
	_, userCode = begin()
	s.adminWith(personal).step(t, step{name: "by an access token", call: "POST /device/approve",
		body: obj{"user_code": userCode}, status: 403, code: "FORBIDDEN"})
	_, _, guesser := s.user(t, "viewer")
	for range 10 {
		guesser.step(t, step{name: "wrong", call: "GET /device?user_code=BBBB-BBBB", status: 422, code: "VALIDATION_FAILED"})
	}
	guesser.step(t, step{name: "too many", call: "GET /device?user_code=" + userCode, status: 429, code: "RATE_LIMITED"})
}
