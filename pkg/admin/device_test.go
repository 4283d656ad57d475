package admin_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"headless/pkg/db"
)

// beginDevice begins the login of a program, and returns its device code and user code.
func (s *site) beginDevice(t *testing.T) (deviceCode, userCode string) {
	t.Helper()
	a := client{s, ""}.must(t, 200, "POST", "/device", map[string]any{"name": "Terminal <b>"})
	return a.text(t, "device_code"), a.text(t, "user_code")
}

// askDevice asks for the decision about a program, and returns the code of the error, "" for none.
func (s *site) askDevice(t *testing.T, deviceCode string) (code string, a answer) {
	t.Helper()
	a = client{s, ""}.do(t, "POST", "/device/token", map[string]any{"device_code": deviceCode})
	if a.Code != 200 && a.Code != 400 {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	return a.Error.Code, a
}

// wantDevice fails unless a question about a program is answered with the code of an error.
func (s *site) wantDevice(t *testing.T, deviceCode, want string) {
	t.Helper()
	if code, a := s.askDevice(t, deviceCode); code != want {
		t.Errorf("%d %s, want %s", a.Code, a.Body, want)
	}
}

// TestDevice: a program that asks too soon is told so, and may ask again after 5 seconds. No hash is a code.
func TestDevice(t *testing.T) {
	s := newSite(t)
	deviceCode, _ := s.beginDevice(t)
	s.wantDevice(t, deviceCode, "AUTHORIZATION_PENDING")
	s.wantDevice(t, deviceCode, "SLOW_DOWN")
	s.ahead.Add(int64(5 * time.Second))
	s.wantDevice(t, deviceCode, "AUTHORIZATION_PENDING")
	s.wantDevice(t, db.TokenHash(deviceCode), "EXPIRED_TOKEN")
}

// TestDeviceEnds: denied, late and withdrawn programs get no session.
func TestDeviceEnds(t *testing.T) {
	s := newSite(t)
	admin := s.as(t, adminEmail)
	for _, test := range []struct {
		name string
		then func(user client, id, userCode string)
		want string
	}{
		{"denied", func(user client, _, userCode string) {
			user.must(t, 204, "POST", "/device/deny", map[string]any{"user_code": userCode})
		}, "ACCESS_DENIED"},
		{"late", func(user client, _, userCode string) {
			s.ahead.Add(int64(10 * time.Minute))
			user.must(t, 422, "POST", "/device/approve", map[string]any{"user_code": userCode})
		}, "EXPIRED_TOKEN"},
		{"approved and late", func(user client, _, userCode string) {
			user.must(t, 204, "POST", "/device/approve", map[string]any{"user_code": userCode})
			s.ahead.Add(int64(10 * time.Minute))
		}, "EXPIRED_TOKEN"},
		{"a new password", func(user client, id, userCode string) {
			user.must(t, 204, "POST", "/device/approve", map[string]any{"user_code": userCode})
			admin.must(t, 200, "PUT", "/users/"+id, map[string]any{"password": "another battery"})
		}, "ACCESS_DENIED"},
		{"deactivated", func(user client, id, userCode string) {
			user.must(t, 204, "POST", "/device/approve", map[string]any{"user_code": userCode})
			admin.must(t, 200, "PUT", "/users/"+id, map[string]any{"is_active": false})
		}, "ACCESS_DENIED"},
		{"deleted", func(user client, id, userCode string) {
			user.must(t, 204, "POST", "/device/approve", map[string]any{"user_code": userCode})
			admin.must(t, 204, "DELETE", "/users/"+id, nil)
		}, "ACCESS_DENIED"},
	} {
		t.Run(test.name, func(t *testing.T) {
			admin = s.as(t, adminEmail) // a fresh sign-in, for changes of users
			user := s.newUser(t, "viewer")
			deviceCode, userCode := s.beginDevice(t)
			test.then(user, user.must(t, 200, "GET", "/me", nil).text(t, "id"), userCode)
			s.wantDevice(t, deviceCode, test.want)
			s.wantDevice(t, deviceCode, test.want)
		})
	}
}

// TestDeviceOnce: of many questions and decisions at once, one opens a session and one counts.
func TestDeviceOnce(t *testing.T) {
	s := newSite(t)
	user := s.as(t, adminEmail)
	deviceCode, userCode := s.beginDevice(t)
	decided := make([]int, 8)
	parallel(len(decided), func(i int) {
		decided[i] = user.do(t, "POST", "/device/approve", map[string]any{"user_code": userCode}).Code
	})
	opened := make([]int, 8)
	parallel(len(opened), func(i int) {
		opened[i] = client{s, ""}.do(t, "POST", "/device/token", map[string]any{"device_code": deviceCode}).Code
	})
	if count(decided, 204) != 1 || count(decided, 422) != 7 || count(opened, 200) != 1 || count(opened, 400) != 7 {
		t.Errorf("decisions %v, sessions %v", decided, opened)
	}
}

func count(all []int, v int) (n int) {
	for _, got := range all {
		if got == v {
			n++
		}
	}
	return n
}

// TestDeviceNeedsSession: an approval needs a fresh sign-in, and no access token approves a program.
func TestDeviceNeedsSession(t *testing.T) {
	s := newSite(t)
	user := s.as(t, adminEmail)
	all := user.newToken(t, "all")
	_, userCode := s.beginDevice(t)
	code := map[string]any{"user_code": userCode}
	all.must(t, 403, "GET", "/device?user_code="+userCode, nil)
	all.must(t, 403, "POST", "/device/approve", code)
	all.must(t, 403, "POST", "/device/deny", code)
	s.ahead.Add(int64(time.Hour))
	deviceCode, userCode := s.beginDevice(t)
	code["user_code"] = userCode
	if a := user.must(t, 403, "POST", "/device/approve", code); a.Error.Code != "CONFIRMATION_REQUIRED" {
		t.Errorf("an hour after the sign-in: %s", a.Body)
	}
	user.must(t, 200, "POST", "/confirm", map[string]any{"password": password})
	user.must(t, 204, "POST", "/device/approve", code)
	s.wantDevice(t, deviceCode, "")
}

// TestDeviceIsAsFresh: a program that a session approved must confirm when that session must, so approvals do not put
// confirmations off.
func TestDeviceIsAsFresh(t *testing.T) {
	s := newSite(t)
	user := s.as(t, adminEmail)
	approve := func(by client) client {
		t.Helper()
		deviceCode, userCode := s.beginDevice(t)
		by.must(t, 204, "POST", "/device/approve", map[string]any{"user_code": userCode})
		_, a := s.askDevice(t, deviceCode)
		return client{s, a.text(t, "token")}
	}
	s.ahead.Add(int64(40 * time.Minute))
	program := approve(user)
	program.must(t, 201, "POST", "/keys", map[string]any{"name": "in the hour"})
	s.ahead.Add(int64(10 * time.Minute))
	second := approve(program)
	s.ahead.Add(int64(10 * time.Minute))
	for _, c := range []client{user, program, second} {
		if a := c.must(t, 403, "POST", "/keys", map[string]any{"name": "later"}); a.Error.Code != "CONFIRMATION_REQUIRED" {
			t.Errorf("an hour after the sign-in: %s", a.Body)
		}
	}
	user.must(t, 200, "POST", "/confirm", map[string]any{"password": password})
	approve(user).must(t, 201, "POST", "/keys", map[string]any{"name": "confirmed"})
}

// TestDeviceTries: the sessions of programs give no new tries without end to guess codes and passwords.
func TestDeviceTries(t *testing.T) {
	s := newSite(t)
	user, tries := s.as(t, adminEmail), 0
	for range 25 {
		deviceCode, userCode := s.beginDevice(t)
		user.must(t, 204, "POST", "/device/approve", map[string]any{"user_code": userCode})
		_, a := s.askDevice(t, deviceCode)
		program := client{s, a.text(t, "token")}
		for range 5 {
			if program.do(t, "POST", "/confirm", map[string]any{"code": "000000"}).Code == 422 {
				tries++
			}
		}
	}
	if tries != 100 {
		t.Errorf("%d tries in 15 minutes", tries)
	}
	s.ahead.Add(int64(15 * time.Minute))
	for range 101 { // a right one does not count
		user.must(t, 200, "POST", "/confirm", map[string]any{"password": password})
	}
}

// TestDeviceMovesNoAddress: who has a passkey may change the own address just after using it, which an approval of a
// program is not.
func TestDeviceMovesNoAddress(t *testing.T) {
	s := newSite(t)
	user := s.newUser(t, "viewer")
	s.addPasskey(t, user, "Laptop")
	s.ahead.Add(int64(40 * time.Minute))
	deviceCode, userCode := s.beginDevice(t)
	user.must(t, 204, "POST", "/device/approve", map[string]any{"user_code": userCode})
	_, a := s.askDevice(t, deviceCode)
	for _, c := range []client{user, {s, a.text(t, "token")}} {
		c.must(t, 403, "PUT", "/profile", map[string]any{"email": "thief@example.com"})
	}
}

// TestDeviceFactor: the session of a program has the second factor of the session that approved it.
func TestDeviceFactor(t *testing.T) {
	s := newSite(t)
	admin := s.as(t, adminEmail)
	admin.must(t, 201, "POST", "/roles", `{"slug":"strict","name":"Strict","rules":[{}]}`)
	user := s.newUser(t, "strict")
	s.addPasskey(t, user, "Laptop")
	admin.must(t, 200, "PUT", "/roles/strict", `{"require_totp":true}`)
	deviceCode, userCode := s.beginDevice(t)
	weak := s.as(t, user.must(t, 200, "GET", "/me", nil).text(t, "email"))
	if a := weak.must(t, 403, "POST", "/device/approve",
		map[string]any{"user_code": userCode}); a.Error.Code != "TOTP_REQUIRED" {
		t.Errorf("by a password alone: %s", a.Body)
	}
	user.must(t, 204, "POST", "/device/approve", map[string]any{"user_code": userCode})
	_, a := s.askDevice(t, deviceCode)
	client{s, a.text(t, "token")}.must(t, 200, "GET", "/models", nil)
}

// TestDeviceLimits: wrong codes are counted by user, and beginnings by network; right codes are not.
func TestDeviceLimits(t *testing.T) {
	s := newSite(t)
	user, other := s.newUser(t, "viewer"), s.newUser(t, "viewer")
	_, userCode := s.beginDevice(t)
	right, wrong := "/device?user_code="+userCode, "/device?user_code=BBBB-BBBB"
	for range 12 {
		user.must(t, 200, "GET", right, nil)
	}
	for i := range 10 {
		path, body := "/device/deny", map[string]any{"user_code": "AEIO-UAEI"}
		if i%2 == 0 {
			user.must(t, 422, "GET", wrong, nil)
		} else {
			user.must(t, 422, "POST", path, body)
		}
	}
	if a := user.must(t, 429, "GET", right, nil); a.Header().Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	user.must(t, 429, "POST", "/device/approve", map[string]any{"user_code": userCode})
	other.must(t, 200, "GET", right, nil)
	for range 59 {
		s.beginDevice(t)
	}
	client{s, ""}.must(t, 429, "POST", "/device", map[string]any{})
	s.ahead.Add(int64(10 * time.Minute))
	_, userCode = s.beginDevice(t)
	user.must(t, 200, "GET", "/device?user_code="+userCode, nil)
}

// TestDeviceNames: the name of a program is its own or its User-Agent, without invisible characters.
func TestDeviceNames(t *testing.T) {
	s := newSite(t)
	user := s.as(t, adminEmail)
	for _, test := range []struct{ body, agent, want string }{
		{`{"name":"cms"}`, "curl", "cms"}, {`{}`, "curl", "curl"}, {``, "curl", "curl"}, {`{}`, "", "A program"},
		{`{"name":"\u202ea\u0000 b\n"}`, "", "a b"}, {`{"client_id":"x","scope":"y"}`, "curl", "curl"},
		{`{}`, strings.Repeat("ä", 101), strings.Repeat("ä", 100)},
	} {
		r := httptest.NewRequest("POST", "/admin/device", strings.NewReader(test.body))
		r.Header.Set("Accept", "application/json")
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("User-Agent", test.agent)
		a := s.send(t, r)
		if a.Code != 200 {
			t.Fatalf("%d %s", a.Code, a.Body)
		}
		if got := user.must(t, 200, "GET", "/device?user_code="+a.text(t, "user_code"),
			nil).text(t, "name"); got != test.want {
			t.Errorf("%s by %q is called %q, want %q", test.body, test.agent, got, test.want)
		}
	}
	for _, body := range []string{`{"name":"` + strings.Repeat("x", 101) + `"}`, `{"name":1}`, `{"nonsense":1}`} {
		client{s, ""}.must(t, 422, "POST", "/device", body)
	}
}

// TestDevicePages goes the way of a person, without JavaScript.
func TestDevicePages(t *testing.T) {
	s := newSite(t)
	form := httptest.NewRequest("POST", "/admin/device", strings.NewReader("client_id=x"))
	form.Header.Set("Content-Type", "application/x-www-form-urlencoded") // as in RFC 8628
	begun := s.send(t, form)
	deviceCode, userCode := begun.text(t, "device_code"), begun.text(t, "user_code")
	complete, err := url.Parse(begun.text(t, "verification_uri_complete"))
	if err != nil || begun.text(t, "verification_uri") != "http://example.com/admin/device" ||
		complete.Query().Get("user_code") != userCode {
		t.Errorf("addresses %s", begun.Body)
	}
	path := strings.TrimPrefix(complete.RequestURI(), "/admin")
	if a := (browser{s, nil}).get(t, path); a.Code != http.StatusSeeOther ||
		!strings.Contains(a.Header().Get("Location"), url.QueryEscape(complete.RequestURI())) {
		t.Errorf("without a session: %d %v", a.Code, a.Header())
	}
	b := s.browse(t)
	if a := b.get(t, "/device"); a.Code != 200 || !strings.Contains(a.Body.String(), `name="user_code"`) {
		t.Errorf("the empty page: %d %s", a.Code, a.Body)
	}
	if a := b.get(t, "/device?user_code=%3Cb%3E"); a.Code != 422 || strings.Contains(a.Body.String(), "<b>") {
		t.Errorf("a wrong code: %d %s", a.Code, a.Body)
	}
	a := b.get(t, path)
	for _, want := range []string{"192.0.2.1", userCode, "Approve", "Deny"} {
		if !strings.Contains(a.Body.String(), want) {
			t.Errorf("the page lacks %s: %s", want, a.Body)
		}
	}
	if got := b.post(t, "/device/approve", url.Values{"user_code": {userCode}}); got.Code != 403 {
		t.Errorf("without the token of the form: %d", got.Code)
	}
	fields := url.Values{"user_code": {userCode}, "_csrf": {a.csrf(t)}}
	if got := b.post(t, "/device/approve", fields); got.Code != http.StatusSeeOther ||
		got.Header().Get("Location") != "/admin/device?ok=approved" {
		t.Errorf("approved: %d %v", got.Code, got.Header())
	}
	if got := b.post(t, "/device/deny", fields); got.Code != 422 || !strings.Contains(got.Body.String(), "used already") {
		t.Errorf("twice: %d %s", got.Code, got.Body)
	}
	s.wantDevice(t, deviceCode, "")
}
