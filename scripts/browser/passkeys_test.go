package browser

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
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
	b.fill("name", "The same")
	b.press("//main", "Add a passkey")
	b.see("has a passkey for you already")
	b.fill("name", "") // else leaving asks what becomes of it

	b.signOut()
	b.see("Sign in with a passkey")
	b.audit(t, "sign-in")
	b.press("", "Sign in with a passkey")
	b.see("Your profile")
	b.open("/passkeys")
	b.see("My laptop")
	b.open("/confirm?next=/admin/passkeys")
	b.see("Confirm that it is you")
	b.audit(t, "confirm")
	b.press("//main", "Use a passkey")
	b.see("My laptop")
	b.press("//main//table", "Remove")
	b.press("//main//details//form", "Remove")
	b.see("No passkeys yet")
}
