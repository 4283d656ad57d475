package browser

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	qr "github.com/piglig/go-qr"

	"headless/pkg/access/otp/otptest"
)

// plugIn gives the browser a device that keeps passkeys and always knows its user.
func (b *tab) plugIn() {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, webauthn.Enable, webauthn.EnableParams{}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, t, webauthn.AddVirtualAuthenticator,
			webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
				Protocol:       webauthn.AuthenticatorProtocolCtap2,
				Transport:      webauthn.AuthenticatorTransportInternal,
				HasResidentKey: true, HasUserVerification: true, IsUserVerified: true,
				AutomaticPresenceSimulation: true,
			}})
		return err
	}))
}

// TestPasskeys adds a passkey on the page of the profile, signs in with it, and removes it.
func TestPasskeys(t *testing.T) {
	b := newSite(t).openTab()
	b.plugIn()
	b.open("/profile")
	b.press("//main", "Passkeys")
	b.see("No passkeys yet")
	b.audit(t, "passkeys")
	b.fill("name", "My laptop")
	b.press("//main", "Add a passkey")
	b.see("Created.")
	b.see("My laptop")
	b.press("//main//table", "Rename")
	b.focused("f-name")
	b.audit(t, "a passkey that is renamed")
	b.snap("passkeys-rename")
	b.fill("name", "My old laptop")
	b.press("//main//table", "Save")
	b.see("My old laptop")
	b.fill("name", "The same")
	b.press("//main", "Add a passkey")
	b.see("has a passkey for you already")
	b.fill("name", "") // else leaving asks what becomes of it

	b.signOut()
	b.see("Sign in with a passkey")
	b.audit(t, "sign-in")
	eval[bool](b, `!!Object.assign(navigator.credentials, {asked: navigator.credentials.get,
		get: () => Promise.reject(new DOMException("", "NotAllowedError"))})`)
	b.press("", "Sign in with a passkey")
	b.see("Nothing was done: the device gave no answer.")
	eval[bool](b, `!!Object.assign(navigator.credentials, {get: navigator.credentials.asked})`)
	b.press("", "Sign in with a passkey")
	b.see("Your profile")
	b.open("/passkeys")
	b.see("My old laptop")
	b.open("/confirm?next=/admin/passkeys")
	b.see("Confirm that it is you")
	b.audit(t, "confirm")
	b.press("//main", "Use a passkey")
	b.see("My old laptop")
	b.press("//main//table", "Remove")
	b.press("//main//details//form", "Remove")
	b.see("No passkeys yet")
}

// TestPasskeysAfterSession adds a passkey after the session has ended: the dialog signs in, and the passkey has the
// typed name.
func TestPasskeysAfterSession(t *testing.T) {
	b := newSite(t).openTab("/passkeys")
	b.plugIn()
	b.fill("name", "My laptop")
	b.setSession("ended")
	b.press("//main", "Add a passkey")
	b.see("Sign in again")
	b.missing("Sign in first.")
	b.do(chromedp.SendKeys(chromedp.CSS("#again-password"), password+kb.Enter))
	b.see("Created.")
	b.see("My laptop")
}

// TestPasskeyAfterConfirmation names a passkey in a session that must be confirmed first: the name comes back, and
// nothing asks whether the page may be left.
func TestPasskeyAfterConfirmation(t *testing.T) {
	b := newSite(t).openTab("/passkeys")
	b.plugIn()
	b.fill("name", "My laptop & phone")
	eval[bool](b, `(addEventListener("beforeunload", (e) => { sessionStorage.asked = e.defaultPrevented; }),
		fetch = async () => Response.json({error: {code: "CONFIRMATION_REQUIRED"}}, {status: 403}), true)`)
	b.press("//main", "Add a passkey")
	b.see("Confirm that it is you")
	b.eventually("sessionStorage.asked", "false")
	b.do(chromedp.SendKeys(chromedp.CSS("#password"), password+kb.Enter))
	b.see("No passkeys yet")
	b.press("//main", "Add a passkey")
	b.see("Created.")
	b.see("My laptop & phone")
}

// TestBrowserRecoveryCodes sets up a second factor, after a wrong code. Each recovery code has a line.
func TestBrowserRecoveryCodes(t *testing.T) {
	b := newSite(t).openTab("/totp")
	b.fill("password", password)
	b.press("//main", "Set up")
	b.see("Confirm your second factor")
	const shown = `document.querySelector(".secret code").innerText`
	secret := eval[string](b, shown)
	for _, scheme := range []string{"light", "dark"} {
		b.scheme(scheme)
		if text, err := qr.Decode(b.picture(t, "")); err != nil || !strings.Contains(text, "secret="+secret) {
			t.Errorf("the QR code says %q in %s colours: %v", text, scheme, err)
		}
		b.snap("second-factor-" + scheme)
	}
	b.fill("code", "1")
	b.press("//main", "Confirm")
	b.see("Code: is wrong")
	b.eventually(shown, secret)
	b.fill("code", otptest.Code(t, secret, time.Now()))
	b.press("//main", "Confirm")
	b.see("Recovery codes")
	b.eventually(shown+`.trim().split("\n").length + ""`, "10")
	b.do(chromedp.EmulateViewport(390, 844))
	b.audit(t, "recovery codes")
	b.snap("recovery-codes")
	b.open("/totp")
	b.see("10 recovery codes left")
	b.snap("second-factor")
}
