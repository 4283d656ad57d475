package people

import (
	"net/url"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// deviceLogin signs in a program by a code that its user approves on a page (RFC 8628).
func deviceLogin(t *testing.T, s *kit.Suite) {
	program := s.AnonymousAdmin()
	begin := func() (deviceCode kit.Obj, userCode string) {
		a := program.Step(t, kit.Step{Call: "POST /device", Body: kit.Obj{"name": "Terminal"}, Want: kit.Obj{
			"data.verification_uri": s.Target.BaseURL + kit.AdminBase + "/device", "data.expires_in": 600.0,
			"data.interval": 5.0}})
		userCode = a.Str(t, "data.user_code")
		a.Has(t, "the whole address", kit.Obj{
			"data.verification_uri_complete": a.Str(t, "data.verification_uri") + "?user_code=" + url.QueryEscape(userCode)})
		return kit.Obj{"device_code": a.Str(t, "data.device_code")}, userCode
	}
	email, _, c := s.User(t, "editor")

	code, userCode := begin()
	program.Run(t,
		kit.Step{Name: "waits", Call: "POST /device/token", Body: code, Code: "AUTHORIZATION_PENDING"},
		kit.Step{Name: "unknown", Call: "POST /device/token", Body: kit.Obj{"device_code": "none"}, Code: "EXPIRED_TOKEN"},
		kit.Step{Name: "the user's code", Call: "POST /device/token", Body: kit.Obj{"device_code": userCode},
			Code: "EXPIRED_TOKEN"},
		kit.Step{Name: "none", Call: "POST /device/token", Body: kit.Obj{}, Invalid: "device_code"},
		kit.Step{Name: "empty", Call: "POST /device/token", Body: kit.Obj{"device_code": ""}, Invalid: "device_code"},
		kit.Step{Name: "wrong type", Call: "POST /device/token", Body: kit.Obj{"device_code": 1}, Invalid: "device_code"},
		kit.Step{Name: "nobody", Call: "POST /device/approve", Body: kit.Obj{"user_code": userCode}, Code: "UNAUTHORIZED"},
	)
	s.Eventually(t, "two questions within 5 seconds", func() bool {
		return program.Do(t, "POST /device/token", code).Get("error.code") == "SLOW_DOWN"
	})
	b := s.SignedIn(t, email)
	p := b.Open(t, "/device?user_code="+url.QueryEscape(userCode), nil)
	p.Contains(t, "the page", "Terminal", userCode, "Address")
	b.Open(t, "/device/approve", p.Hidden()).HasStatus(t, "approved", 303)
	token := program.OK(t, 200, "POST /device/token", code).Str(t, "data.token")
	s.AdminByToken(token).Run(t,
		kit.Step{Name: "signed in", Call: "GET /me", Want: kit.Obj{"data.email": email}},
		kit.Step{Name: "listed by name", Call: "GET /sessions",
			Want: kit.Obj{"data.0.user_agent": "Terminal", "data.0.current": true}},
	)
	program.Step(t, kit.Step{Name: "once", Call: "POST /device/token", Body: code, Code: "EXPIRED_TOKEN"})

	code, userCode = begin()
	typed := url.QueryEscape(strings.ToLower(strings.ReplaceAll(userCode, "-", " ")))
	c.Run(t,
		kit.Step{Name: "which", Call: "GET /device?user_code=" + typed,
			Want: kit.Obj{"data.name": "Terminal", "data.user_code": userCode, "data.address": kit.Present}},
		kit.Step{Name: "deny", Call: "POST /device/deny", Body: kit.Obj{"user_code": userCode}, Status: 204},
		kit.Step{Name: "decided", Call: "POST /device/approve", Body: kit.Obj{"user_code": userCode}, Invalid: "user_code"},
	)
	program.Step(t, kit.Step{Name: "denied", Call: "POST /device/token", Body: code, Code: "ACCESS_DENIED"})

	personal := c.Post(t, "/tokens", kit.Obj{"name": "Program", "scope": "all"}).Str(t, "data.token")
	_, userCode = begin()
	s.AdminByToken(personal).Step(t, kit.Step{Name: "by an access token", Call: "POST /device/approve",
		Body: kit.Obj{"user_code": userCode}, Code: "FORBIDDEN"})
	_, _, guesser := s.User(t, "viewer")
	for range 10 {
		guesser.Step(t, kit.Step{Name: "wrong", Call: "GET /device?user_code=BBBB-BBBB", Code: "VALIDATION_FAILED"})
	}
	guesser.Step(t, kit.Step{Name: "too many", Call: "GET /device?user_code=" + userCode, Code: "RATE_LIMITED"})
}
