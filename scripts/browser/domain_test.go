package browser

import (
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"

	"headless/scripts/awslocal/cdn"
)

// newDomainSite starts a service as the origin of a distribution that stands before everything: the
// browser asks for a domain by https, and the service gets the name of the origin.
func newDomainSite(t *testing.T) *site {
	t.Helper()
	const domain, secret = "cms.example.com", "of the distribution"
	env := map[string]string{"DATA_DIR": t.TempDir(), "SITE_URL": "https://" + domain, "SEED": "none",
		"ADMIN_EMAIL": email, "ADMIN_PASSWORD": password, "ORIGIN_VERIFY": secret}
	hs := httptest.NewTLSServer(cdn.Origin{API: openService(t, env), Secret: secret,
		Host: "abc.execute-api.eu-west-1.amazonaws.com"})
	t.Cleanup(hs.Close)
	return &site{t: t, url: env["SITE_URL"], options: []chromedp.ExecAllocatorOption{
		chromedp.IgnoreCertErrors,
		chromedp.Flag("host-resolver-rules", "MAP "+domain+":443 "+hs.Listener.Addr().String()),
	}}
}

// TestDomain signs in with a password and a passkey, and saves, where CloudFront stands before
// everything with one domain.
func TestDomain(t *testing.T) {
	b := newDomainSite(t).newTab()
	b.plugIn()
	b.open("/profile")
	b.see("Password")
	b.fill("email", email)
	b.fill("password", password+"\r")
	b.see("Your profile")
	b.open("/passkeys")
	b.fill("name", "My laptop")
	b.press("//main", "Add a passkey")
	b.see("Created.")
	b.signOut()
	b.press("", "Sign in with a passkey")
	b.see("Home")
	b.open("/locales/create")
	b.fill("code", "fr")
	b.fill("name", "French")
	b.press("//main", "Create language")
	b.see("Created.")
	b.open("/sessions")
	b.see("127.0.0.1")
	b.missing("130.176.") // of CloudFront
	if at := eval[string](b, "location.origin"); at != b.url {
		t.Errorf("the browser is at %s", at)
	}
}
