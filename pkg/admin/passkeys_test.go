package admin_test

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"headless/pkg/access/passkeys/passkeytest"
	"headless/pkg/must"
	"headless/pkg/table"
)

// newDevice is a device that visits the site.
func newDevice(t *testing.T) *passkeytest.Device {
	t.Helper()
	return passkeytest.New(t, "http://example.com", "example.com")
}

// newUser signs in a new user with a role.
func (s *site) newUser(t *testing.T, role string) client {
	t.Helper()
	email := role + "-" + rand.Text()[:6] + "@example.com"
	s.as(t, adminEmail).must(t, 201, "POST", "/users",
		map[string]any{"email": email, "role": role, "password": password})
	return s.as(t, email)
}

// addPasskey gives the user of a session a passkey.
func (s *site) addPasskey(t *testing.T, c client, name string) (*passkeytest.Device, string) {
	t.Helper()
	d := newDevice(t)
	options := c.must(t, 200, "POST", "/passkeys/options", map[string]any{})
	return d, c.must(t, 201, "POST", "/passkeys",
		map[string]any{"name": name, "credential": d.Make(t, options.text(t, "challenge"),
			options.text(t, "user", "id"))}).text(t, "id")
}

// asked begins a sign-in by passkey; the cookie binds it.
func (s *site) asked(t *testing.T) (answer, *http.Cookie) {
	t.Helper()
	a := client{s, ""}.must(t, 200, "POST", "/login/passkey/options", map[string]any{})
	for _, cookie := range a.Result().Cookies() {
		if cookie.Name == "headless_passkey" && cookie.HttpOnly && cookie.SameSite == http.SameSiteLaxMode {
			return a, cookie
		}
	}
	t.Fatal("no cookie binds the sign-in to the browser")
	return a, nil
}

// signInBy sends the answer of a device.
func (s *site) signInBy(t *testing.T, credential any, cookies ...*http.Cookie) answer {
	t.Helper()
	body, err := json.Marshal(map[string]any{"credential": credential})
	must.Do(t, err)
	r := httptest.NewRequest("POST", "/admin/login/passkey", strings.NewReader(string(body)))
	r.Header.Set("Content-Type", "application/json")
	for _, cookie := range cookies {
		if cookie != nil {
			r.AddCookie(cookie)
		}
	}
	return s.send(t, r)
}

// passkeySession signs in by a device.
func (s *site) passkeySession(t *testing.T, d *passkeytest.Device) client {
	t.Helper()
	options, cookie := s.asked(t)
	a := s.signInBy(t, d.Show(t, options.text(t, "challenge")), cookie)
	if a.Code != 200 {
		t.Fatalf("sign-in by passkey: %d %s", a.Code, a.Body)
	}
	return client{s, a.text(t, "token")}
}

func TestPasskeys(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	options := c.must(t, 200, "POST", "/passkeys/options", map[string]any{})
	if options.text(t, "rp", "id") != "example.com" ||
		options.text(t, "authenticatorSelection", "userVerification") != "required" ||
		options.text(t, "authenticatorSelection", "residentKey") != "required" {
		t.Errorf("options: %s", options.Body)
	}
	d := newDevice(t)
	made := d.Make(t, options.text(t, "challenge"), options.text(t, "user", "id"))
	c.must(t, 422, "POST", "/passkeys", map[string]any{"credential": made})
	id := c.must(t, 201, "POST", "/passkeys",
		map[string]any{"name": "Laptop", "credential": made}).text(t, "id")
	c.must(t, 422, "POST", "/passkeys", map[string]any{"name": "Again", "credential": made})
	list := c.must(t, 200, "GET", "/passkeys", nil)
	if list.text(t, 0, "name") != "Laptop" || list.at(t, 0, "last_used_at") != nil ||
		strings.Contains(list.Body.String(), "public_key") {
		t.Errorf("list: %s", list.Body)
	}
	c.must(t, 200, "PUT", "/passkeys/"+id, map[string]any{"name": "Old laptop"})
	signed := s.passkeySession(t, d)
	if me := signed.must(t, 200, "GET", "/me", nil); me.text(t, "email") != adminEmail {
		t.Errorf("signed in as %s", me.Body)
	}
	if list := signed.must(t, 200, "GET", "/passkeys", nil); list.at(t, 0, "last_used_at") == nil ||
		list.text(t, 0, "name") != "Old laptop" {
		t.Errorf("list after a sign-in: %s", list.Body)
	}
	stranger := s.newUser(t, "viewer")
	stranger.must(t, 404, "DELETE", "/passkeys/"+id, nil)
	c.must(t, 204, "DELETE", "/passkeys/"+id, nil)
	c.must(t, 404, "DELETE", "/passkeys/"+id, nil)
	options, cookie := s.asked(t)
	if a := s.signInBy(t, d.Show(t, options.text(t, "challenge")), cookie); a.Code != 401 {
		t.Errorf("a removed passkey: %d", a.Code)
	}
	log := c.must(t, 200, "GET", "/activity", nil).Body.String()
	for _, event := range []string{"passkey.added", "passkey.removed", "user.sign_in_failed"} {
		if !strings.Contains(log, event) {
			t.Errorf("no record %s", event)
		}
	}
}

// TestPasskeyAnswers: what no browser in front of its user would send opens nothing.
func TestPasskeyAnswers(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	d, _ := s.addPasskey(t, c, "Laptop")
	refused := func(name string, credential any, cookie *http.Cookie) {
		t.Helper()
		if a := s.signInBy(t, credential, cookie); a.Code != 401 {
			t.Errorf("%s: %d %s", name, a.Code, a.Body)
		}
		s.passkeySession(t, d) // a right one clears the wrong ones
	}
	options, cookie := s.asked(t)
	right := d.Show(t, options.text(t, "challenge"))
	if a := s.signInBy(t, right, cookie); a.Code != 200 {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	refused("the same answer again", right, cookie)
	options, _ = s.asked(t)
	_, other := s.asked(t)
	refused("in another browser", d.Show(t, options.text(t, "challenge")), other)
	options, _ = s.asked(t)
	refused("without the cookie", d.Show(t, options.text(t, "challenge")), nil)
	options, cookie = s.asked(t)
	d.Verified = false
	answer := d.Show(t, options.text(t, "challenge"))
	d.Verified = true
	refused("without user verification", answer, cookie)
	options, cookie = s.asked(t)
	d.Origin = "http://evil.example"
	answer = d.Show(t, options.text(t, "challenge"))
	d.Origin = "http://example.com"
	refused("of another site", answer, cookie)
	options, cookie = s.asked(t)
	other1 := newDevice(t)
	other1.ID, other1.User = d.ID, d.User
	refused("signed by another key", other1.Show(t, options.text(t, "challenge")), cookie)
	options, cookie = s.asked(t)
	d.Count -= 2
	answer = d.Show(t, options.text(t, "challenge"))
	d.Count += 2
	refused("of a copy, whose counter is behind", answer, cookie)
	options, cookie = s.asked(t)
	s.ahead.Store(int64(6 * time.Minute))
	refused("after six minutes", d.Show(t, options.text(t, "challenge")), cookie)
}

// TestPasskeyLocks: wrong answers lock one passkey, and only for browsers that have not signed in;
// and a network that sends many is refused.
func TestPasskeyLocks(t *testing.T) {
	s := newSite(t)
	d, _ := s.addPasskey(t, s.as(t, adminEmail), "Laptop")
	other, _ := s.addPasskey(t, s.newUser(t, "editor"), "Phone")
	var known *http.Cookie
	signedIn := browser{s, nil}.post(t, "/login", url.Values{"email": {adminEmail}, "password": {password}})
	for _, c := range signedIn.Result().Cookies() {
		if c.Name == "headless_browser" {
			known = c
		}
	}
	wrong := map[string]any{"id": base64.RawURLEncoding.EncodeToString(d.ID), "type": "public-key"}
	for i := range 6 {
		if a := s.signInBy(t, wrong, nil); a.Code == 429 != (i == 5) {
			t.Errorf("wrong answer %d: %d", i, a.Code)
		}
	}
	options, cookie := s.asked(t)
	if a := s.signInBy(t, d.Show(t, options.text(t, "challenge")), cookie); a.Code != 429 {
		t.Errorf("the locked passkey in an unknown browser: %d", a.Code)
	}
	s.passkeySession(t, other)
	s.as(t, adminEmail) // passwords are not locked by that
	options, cookie = s.asked(t)
	if a := s.signInBy(t, d.Show(t, options.text(t, "challenge")), cookie, known); a.Code != 200 {
		t.Errorf("the locked passkey in a known browser: %d %s", a.Code, a.Body)
	}
	last := 0
	for range 100 {
		last = s.signInBy(t, map[string]any{"x": 1}, nil).Code
	}
	if last != 429 {
		t.Errorf("after 100 wrong answers from a network: %d", last)
	}
}

// TestStrangersWriteLittle: above a limit of their network, strangers cause no rows and no mails.
func TestStrangersWriteLittle(t *testing.T) {
	s := newSite(t)
	costs := table.NewCounting(s.store.Access.Table)
	s.on = s.open(t, costs)
	mails := s.recordMails()
	nobody := client{s, ""}
	for i := range 61 {
		want := 200
		if i == 60 {
			want = 429
		}
		if a := nobody.must(t, want, "POST", "/login/passkey/options", nil); want == 429 &&
			a.Header().Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
	}
	for site, want := range map[string]string{"same-origin": "zu viele Anmeldungen", "": "Too many sign-ins"} {
		r := httptest.NewRequest("POST", "/admin/login/passkey/options", nil)
		r.Header = http.Header{"Accept": {"application/json"}, "Accept-Language": {"de"}, "Sec-Fetch-Site": {site}}
		if a := s.send(t, r); a.Code != 429 || !strings.Contains(a.Error.Message, want) {
			t.Errorf("a page or a program (%q) reads %d %v", site, a.Code, a.Error)
		}
	}
	for i := range 30 {
		nobody.must(t, 202, "POST", "/password/forgot", map[string]any{"email": fmt.Sprintf("a%d@example.com", i)})
	}
	costs.Reset()
	nobody.must(t, 202, "POST", "/password/forgot", map[string]any{"email": adminEmail})
	if written := costs.Snapshot().WriteUnits; written > 1 || len(mails()) != 0 { // 1 for the refused count
		t.Errorf("%v write units, mails %q", written, mails())
	}
	s.ahead.Add(int64(time.Hour))
	nobody.must(t, 202, "POST", "/password/forgot", map[string]any{"email": adminEmail})
	if len(mails()) != 1 {
		t.Errorf("mails in the next hour: %q", mails())
	}
}

// TestWrongCodes: a right password with wrong codes tells the user, and 100 of them in a row stop
// the sign-in until there is a new password.
func TestWrongCodes(t *testing.T) {
	s := newSite(t)
	user := s.newUser(t, "editor")
	email, id := user.must(t, 200, "GET", "/me", nil).text(t, "email"), user.must(t, 200, "GET", "/me", nil).text(t, "id")
	_, recovery := s.useTOTP(t, user)
	mails := s.recordMails()
	wrong := map[string]any{"email": email, "password": password, "code": "000000"}
	for i := range 100 {
		client{s, ""}.must(t, 401, "POST", "/login", wrong)
		if i%4 == 3 {
			s.ahead.Add(int64(15 * time.Minute)) // the lock of an address counts apart
		}
		if n := len(mails()); i < 2 && n != 0 || i == 2 && n != 1 {
			t.Errorf("%d mails after %d wrong codes", n, i+1)
		}
	}
	if len(mails()) != 2 {
		t.Errorf("mails %q", mails())
	}
	right := map[string]any{"email": email, "password": password, "code": recovery[0]}
	client{s, ""}.must(t, 401, "POST", "/login", right)
	s.as(t, adminEmail).must(t, 200, "PUT", "/users/"+id, map[string]any{"password": password})
	client{s, ""}.must(t, 200, "POST", "/login", right)
}

// TestPasskeysAreBothFactors: a passkey satisfies a role that requires a second factor, but only in
// a session in which it was used.
func TestPasskeysAreBothFactors(t *testing.T) {
	s := newSite(t)
	root := s.as(t, adminEmail)
	root.must(t, 201, "POST", "/roles", map[string]any{"slug": "strict", "name": "Strict",
		"rules": []any{map[string]any{}}, "require_totp": true})
	c := s.newUser(t, "strict")
	c.must(t, 403, "GET", "/models", nil)
	d, id := s.addPasskey(t, c, "Phone")
	c.must(t, 200, "GET", "/models", nil) // it was used for this session
	s.passkeySession(t, d).must(t, 200, "GET", "/models", nil)
	email := c.must(t, 200, "GET", "/me", nil).text(t, "email")
	weak := s.as(t, email)
	if a := weak.must(t, 403, "GET", "/models", nil); a.Error.Code != "TOTP_REQUIRED" {
		t.Errorf("by password alone: %s", a.Body)
	}
	weak.must(t, 403, "POST", "/passkeys/options", map[string]any{})
	weak.must(t, 403, "DELETE", "/passkeys/"+id, nil)
	weak.must(t, 403, "PUT", "/passkeys/"+id, map[string]any{"name": "x"})
	weak.must(t, 403, "POST", "/totp", map[string]any{"password": password})
	weak.must(t, 403, "PUT", "/profile", map[string]any{"password": "another battery", "current_password": password})
	weak.must(t, 403, "PUT", "/profile", map[string]any{"email": "thief@example.com", "current_password": password})
	weak.must(t, 200, "PUT", "/profile", map[string]any{"name": "Ada"})
	options := weak.must(t, 200, "POST", "/confirm/options", map[string]any{})
	weak.must(t, 422, "POST", "/confirm",
		map[string]any{"credential": newDevice(t).Show(t, options.text(t, "challenge"))})
	weak.must(t, 200, "POST", "/confirm", map[string]any{"password": password})
	weak.must(t, 403, "GET", "/models", nil) // a password is no second factor
	options = weak.must(t, 200, "POST", "/confirm/options", map[string]any{})
	weak.must(t, 200, "POST", "/confirm",
		map[string]any{"credential": d.Show(t, options.text(t, "challenge"))})
	weak.must(t, 200, "GET", "/models", nil)
	user := c.must(t, 200, "GET", "/me", nil).text(t, "id")
	c.must(t, 403, "DELETE", "/users/"+user+"/passkeys", nil)
	root.must(t, 200, "GET", "/users/"+user+"/passkeys", nil)
	root.must(t, 204, "DELETE", "/users/"+user+"/passkeys", nil)
	root.must(t, 404, "DELETE", "/users/"+user+"/passkeys", nil)
	c.must(t, 403, "GET", "/models", nil) // it counts no more
}

func TestPasskeyLimit(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	for i := range 19 {
		s.addPasskey(t, c, fmt.Sprint(i))
	}
	d := newDevice(t)
	options := c.must(t, 200, "POST", "/passkeys/options", map[string]any{})
	other := s.as(t, adminEmail)
	s.addPasskey(t, other, "meanwhile")
	c.must(t, 409, "POST", "/passkeys",
		map[string]any{"name": "21", "credential": d.Make(t, options.text(t, "challenge"),
			options.text(t, "user", "id"))})
	c.must(t, 409, "POST", "/passkeys/options", map[string]any{})
	if list := c.must(t, 200, "GET", "/passkeys", nil); list.Meta["total"] != float64(20) {
		t.Errorf("%v passkeys", list.Meta["total"])
	}
}

// TestPasskeyPages: forms carry the answer of the device as text.
func TestPasskeyPages(t *testing.T) {
	s := newSite(t)
	d, _ := s.addPasskey(t, s.as(t, adminEmail), "Laptop")
	stranger := browser{s, nil}
	if page := stranger.get(t, "/login"); !strings.Contains(page.Body.String(), "data-passkey") ||
		!strings.Contains(page.Body.String(), "passkeys.js") {
		t.Error("the sign-in page offers no passkeys")
	}
	options, cookie := s.asked(t)
	text, err := json.Marshal(d.Show(t, options.text(t, "challenge")))
	must.Do(t, err)
	a := browser{s, cookie}.post(t, "/login/passkey",
		url.Values{"credential": {string(text)}, "next": {"/admin/passkeys"}})
	if a.Code != 303 || a.Header().Get("Location") != "/admin/passkeys" {
		t.Fatalf("sign-in by form: %d %s", a.Code, a.Header().Get("Location"))
	}
	at := slices.IndexFunc(a.Result().Cookies(),
		func(c *http.Cookie) bool { return c.Name == "headless_session" })
	signed := browser{s, a.Result().Cookies()[at]}
	if page := signed.get(t, "/passkeys"); !strings.Contains(page.Body.String(), "Laptop") {
		t.Errorf("the page: %d %s", page.Code, page.Body)
	}
	a = stranger.post(t, "/login/passkey", url.Values{"credential": {string(text)}})
	if a.Code != 401 || !strings.Contains(a.Body.String(), "Try again") {
		t.Errorf("the same again: %d", a.Code)
	}
}

// TestRenamePasskey renames a passkey on the page, where only JSON clients could.
func TestRenamePasskey(t *testing.T) {
	s := newSite(t)
	_, id := s.addPasskey(t, s.as(t, adminEmail), "Laptop")
	b := s.browse(t)
	if a := b.get(t, "/passkeys"); !contains(a, `href="/admin/passkeys?rename=`+id+`">Rename</a>`) {
		t.Errorf("the list: %s", a.Body)
	}
	a := b.get(t, "/passkeys?rename="+id)
	if !contains(a, `value="Laptop"`) || !contains(a, `action="/admin/passkeys/`+id+`"`) {
		t.Errorf("the form: %s", a.Body)
	}
	a = b.post(t, "/passkeys/"+id, url.Values{"_csrf": {a.csrf(t)}, "_method": {"PUT"}, "name": {"Work laptop"}})
	if a.Code != http.StatusSeeOther || !contains(b.get(t, "/passkeys"), "Work laptop") {
		t.Errorf("renamed: %d %s", a.Code, a.Body)
	}
}
