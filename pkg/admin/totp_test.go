package admin_test

import (
	"errors"
	"net/url"
	"regexp"
	"testing"
	"time"

	"headless/pkg/access/otp/otptest"
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
	confirm.Set("uri", "otpauth://totp/Headless")
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
