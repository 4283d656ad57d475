package admin_test

import (
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"headless/pkg/access/otp/otptest"
	"headless/pkg/table"
)

// useTOTP gives a user a second factor; the code of the step before is used up by it.
func (s *site) useTOTP(t *testing.T, c client) (secret string, codes []any) {
	t.Helper()
	secret = c.must(t, 200, "POST", "/totp", map[string]any{"password": password}).text(t, "secret")
	a := c.must(t, 200, "POST", "/totp/confirm",
		map[string]any{"code": otptest.Code(t, secret, s.now().Add(-30*time.Second))})
	return secret, a.at(t, "recovery_codes").([]any)
}

// lostKey is a sealer whose key cannot be read.
type lostKey struct{}

var errLost = errors.New("the key is lost")

func (lostKey) Seal([]byte) ([]byte, error)  { return nil, errLost }
func (lostKey) Open([]byte) ([]byte, error)  { return nil, errLost }
func (lostKey) Current([]byte) (bool, error) { return false, errLost }

// TestSealedSecretIsLost: a right code used to be called wrong, and to count as a wrong try, where
// the secret could not be read.
func TestSealedSecretIsLost(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	secret, codes := s.useTOTP(t, c)
	s.store.UseSealer(lostKey{})
	anyone := client{s, ""}
	signIn := func(code any) map[string]any {
		return map[string]any{"email": adminEmail, "password": password, "code": code}
	}
	for range 6 {
		anyone.must(t, 503, "POST", "/login", signIn(otptest.Code(t, secret, s.now())))
	}
	c.must(t, 503, "DELETE", "/totp", map[string]any{"code": otptest.Code(t, secret, s.now())})
	anyone.must(t, 200, "POST", "/login", signIn(codes[0]))
}

// TestSecondFactorPages: after a wrong code, the page used to hide the secret, and nothing said how many recovery
// codes are left.
func TestSecondFactorPages(t *testing.T) {
	s := newSite(t)
	b := s.browse(t)
	form := func(name, value string) url.Values {
		return url.Values{"_csrf": {b.get(t, "/totp").csrf(t)}, name: {value}}
	}
	a := b.post(t, "/totp", form("password", password))
	found := regexp.MustCompile(`name="secret" type="hidden" value="([A-Z2-7]+)"|type="hidden" name="secret" value="([A-Z2-7]+)"`).
		FindStringSubmatch(a.Body.String())
	if found == nil {
		t.Fatalf("no secret: %d %s", a.Code, a.Body)
	}
	secret := found[1] + found[2]
	confirm := form("code", "1")
	confirm.Set("secret", secret)
	confirm.Set("secret_uri", "otpauth://totp/Headless")
	if a = b.post(t, "/totp/confirm", confirm); a.Code != 422 || !contains(a, ">"+secret+"</code>") ||
		!contains(a, ">otpauth://totp/Headless</code>") {
		t.Errorf("after a wrong code: %d %s", a.Code, a.Body)
	}
	confirm.Set("code", otptest.Code(t, secret, s.now().Add(-30*time.Second)))
	if a = b.post(t, "/totp/confirm", confirm); a.Code != 200 || !contains(a, "Keep these recovery codes") {
		t.Fatalf("after a right code: %d %s", a.Code, a.Body)
	}
	if a = b.get(t, "/totp"); !contains(a, "with 10 recovery codes left") {
		t.Errorf("the page of a second factor: %s", a.Body)
	}
}

// TestRecoveryCodesAreRenewed: new recovery codes were to be had only with another secret, set up anew.
func TestRecoveryCodesAreRenewed(t *testing.T) {
	s := newSite(t)
	mails, c := s.recordMails(), s.as(t, adminEmail)
	secret, former := s.useTOTP(t, c)
	told := len(mails())
	a := client{s, ""}.must(t, 200, "POST", "/login", map[string]any{"email": adminEmail, "password": password,
		"code": former[0]})
	c = client{s, a.text(t, "token")}
	b := browser{s, &http.Cookie{Name: "headless_session", Value: c.token}}
	if a := b.get(t, "/totp"); !contains(a, "with 9 recovery codes left") || !contains(a, `href="/admin/totp/recovery"`) {
		t.Errorf("the page of a second factor: %s", a.Body)
	}
	a = b.get(t, "/totp/recovery")
	form := url.Values{"_csrf": {a.csrf(t)}, "code": {"000000"}}
	if a := b.post(t, "/totp/recovery", form); a.Code != 422 || contains(a, "Keep these recovery codes") {
		t.Errorf("after a wrong code: %d %s", a.Code, a.Body)
	}
	form.Set("code", otptest.Code(t, secret, s.now()))
	a = b.post(t, "/totp/recovery", form)
	codes := regexp.MustCompile(`\b[a-z2-7]{4}(-[a-z2-7]{4}){3}\b`).FindAllString(a.Body.String(), -1)
	if a.Code != 200 || len(codes) != 10 || contains(a, former[1].(string)) {
		t.Fatalf("after a right code: %d, codes %v", a.Code, codes)
	}
	if a := b.post(t, "/totp/recovery", form); a.Code != 422 {
		t.Errorf("the same code again: %d %s", a.Code, a.Body)
	}
	for _, row := range []struct {
		code any
		want int
	}{{former[1], 401}, {codes[0], 200}, {codes[0], 401}} {
		client{s, ""}.must(t, row.want, "POST", "/login", map[string]any{"email": adminEmail, "password": password,
			"code": row.code})
	}
	if a := c.must(t, 200, "GET", "/totp", nil); a.at(t, "recovery_codes_left") != 9.0 {
		t.Errorf("codes left: %s", a.Body)
	}
	if got := mails(); len(got) != told+1 || got[told] != adminEmail+": Your account was changed" {
		t.Errorf("mails %q", got)
	}
	if a := c.must(t, 200, "GET", "/activity", nil); !contains(a, "totp.codes_renewed") {
		t.Errorf("activity %s", a.Body)
	}
}

// TestAdminRemovesSecondFactor: the page of a user who has a second factor has a button that removes it, and that of
// others has none. It reads the user once.
func TestAdminRemovesSecondFactor(t *testing.T) {
	reads := map[table.Key]int{}
	s := newSiteOn(t, func(file table.Table) table.Table {
		return table.NewFaulty(file, func(call table.Call) table.Fault {
			if call.Method == "Get" {
				for _, key := range call.Keys {
					reads[key]++
				}
			}
			return table.Fault{}
		})
	})
	s.as(t, adminEmail).must(t, 201, "POST", "/users", user("lost@example.com", "editor"))
	lost := s.as(t, "lost@example.com")
	at := "/users/" + lost.must(t, 200, "GET", "/me", nil).text(t, "id")
	b := s.browse(t)
	const button = "Remove second factor"
	if contains(b.get(t, at), button) {
		t.Error("a user without a second factor can lose it")
	}
	s.useTOTP(t, lost)
	clear(reads)
	page := b.get(t, at)
	if n := reads[table.Key{Partition: "D#user", Sort: strings.TrimPrefix(at, "/users/")}]; n != 1 {
		t.Errorf("the user is read %d times: %v", n, reads)
	}
	form := url.Values{"_csrf": {page.csrf(t)}, "_method": {"DELETE"}}
	if a := b.post(t, at+"/totp", form); !contains(page, button) || !contains(page, `action="/admin`+at+`/totp"`) ||
		a.Code != 303 || contains(b.get(t, at), button) {
		t.Errorf("no second factor was removed: %d %s", a.Code, page.Body)
	}
	s.browseAs(t, "lost@example.com")
}
