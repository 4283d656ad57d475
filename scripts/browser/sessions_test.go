package browser

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"headless/pkg/access/otp/otptest"
	"headless/pkg/must"
	"headless/pkg/oidc/oidctest"
)

// take gives the browser a new session of somebody, as a sign-in of which its pages are not told.
func (b *tab) take(address string) {
	b.t.Helper()
	b.setSession(b.call("POST", "/login", obj{"email": address, "password": password})["token"].(string))
}

// TestBrowserRequestsAfterSession acts out the requests of pages after the session has ended, after the same person has
// signed in again, and after somebody else has: the page says so, asks for the password where it must, and
// carries the request out then, without being left.
func TestBrowserRequestsAfterSession(t *testing.T) {
	s, at, _ := previewDesk(t)
	s.call("POST", "/users", obj{"email": "eva@example.com", "name": "Eva", "role": "editor", "password": password})
	b := s.newTab()
	b.asks.Store(true)
	b.signIn(email)
	list := "/models/posts/entries?all=true"
	files := map[string][]byte{"small.txt": []byte("small"), "large.txt": bytes.Repeat([]byte("large "), 1<<20)}
	click := func(selector string) { // also while scripts move it
		b.do(chromedp.WaitVisible(chromedp.CSS(selector)))
		eval[any](b, fmt.Sprintf("document.querySelector(%q).click()", selector))
	}
	acts := []struct {
		name, path string
		begin      func() // before the session ends
		act, done  func(how string)
	}{
		{"autosave", at, nil, func(how string) { b.fill("data.teaser", "Typed "+how) }, func(how string) {
			b.see("Saved ")
			b.until("the draft has the text", func() bool { return s.draftOf(at)["teaser"] == "Typed "+how })
		}},
		{"save", at, nil, func(how string) { b.fill("data.teaser", "Live "+how); b.press("//main", "Publish changes") },
			func(string) { b.see("Published: everybody can read it.") }},
		{"step", at, nil, func(string) { click("[value='add data.parts quote']") }, func(string) {
			b.eventually(`String(document.querySelector("[name='data.parts.0.text']") !== null)`, "true")
		}},
		{"comment", at, func() {
			b.do(mouseClick(chromedp.CSS("[data-pane=comments]"))) // its text ends with the number of them
			b.do(chromedp.WaitVisible(chromedp.CSS("#c-text")))
		}, func(how string) {
			b.do(chromedp.SendKeys(chromedp.CSS("#c-text"), "How bright, "+how))
			b.press("//*[@id='talk-panel']", "Add comment")
		}, func(how string) {
			b.eventually(`[...document.querySelectorAll(".thread .said")].at(-1)?.textContent ?? ""`, "How bright, "+how)
		}},
		{"picker", at, nil, func(string) { click("[data-source*='/models/posts/']") },
			func(string) { b.do(chromedp.WaitVisible(chromedp.CSS("dialog.picker .choice"))) }},
		{"palette", at, nil, func(string) { b.ctrlK(); b.keys("lamp") }, func(string) {
			b.eventually(`String(document.querySelectorAll(".palette [role=option]").length > 0)`, "true")
		}},
		{"preview", at, nil, func(string) { b.press("//main", "Preview beside") }, func(string) {
			b.do(chromedp.WaitVisible(chromedp.CSS(".stage iframe")))
			b.press("//main", "Preview beside")
		}},
		{"presence", at, nil, func(string) { b.told() }, func(string) { b.missing("The session has ended") }},
		{"bulk", list, func() {
			s.call("PUT", at, obj{"status": "published"})
			b.open("/models/posts/entries?all=true")
			b.do(mouseClick(chromedp.CSS("tbody input[name=ids]")))
		}, func(string) { b.press("//form[@id='bulk']", "Archive") }, func(string) {
			b.until("the entry is archived", func() bool { return s.call("GET", at, nil)["status"] == "archived" })
			s.call("PUT", at, obj{"status": "published"})
		}},
		{"quick edit", list, nil, func(string) {
			b.do(mouseClick(chromedp.Search(rowOf("Lamps", "//a[.='Quick edit']"))))
		}, func(string) { b.do(chromedp.WaitVisible(chromedp.CSS("tr.editing [name=title]"))) }},
		{"upload", "/media/create", func() { b.files(files, "small.txt", "large.txt") },
			func(string) { b.press("//main", "Create file") }, func(string) { b.see("large.txt"); b.see("Created.") }},
	}
	for _, a := range acts {
		for _, how := range []string{"ended", "signed in again", "somebody else"} {
			t.Run(a.name+", "+how, func(t *testing.T) {
				b.signIn(email, "/", a.path) // not the same page again, which would open its last pane
				if a.begin != nil {
					a.begin()
				}
				b.see("")
				switch how {
				case "ended":
					s.endSessions()
				case "signed in again":
					b.take(email)
				case "somebody else":
					b.take("eva@example.com")
				}
				a.act(how)
				reads := a.name == "picker" || a.name == "palette" || a.name == "quick edit"
				reason := map[string]string{"ended": "Your session has ended",
					"somebody else": "Another person has signed in here"}[how]
				if reason != "" && !(reads && how == "somebody else") {
					if a.name == "presence" {
						b.see("The session has ended")
						b.press("//*[@class='undo']", "Sign in")
					}
					b.see(reason)
					b.do(chromedp.SendKeys(chromedp.CSS("#again-password"), password+kb.Enter))
					b.eventually(`String(document.getElementById("again-password"))`, "null")
				}
				a.done(how)
				eval[bool](b, `[...document.forms].forEach((form) => leaving.add(form)), true`) // without a question
			})
		}
	}
}

// providerSite is a site whose people may sign in by a provider too, or by nothing else.
func providerSite(t *testing.T, passwords string) *site {
	t.Helper()
	provider := oidctest.New(t)
	s := startSite(t, "none", "OIDC_ISSUER", provider.Issuer, "OIDC_CLIENT_ID", oidctest.ClientID,
		"OIDC_CLIENT_SECRET", oidctest.ClientSecret, "OIDC_ROLES_CLAIM", "groups", "OIDC_ROLES", "bosses=admin",
		"PASSWORD_LOGIN", passwords)
	provider.SignIn(obj{"sub": "1", "email": email, "email_verified": true, "groups": []string{"bosses"}})
	return s
}

// signInByProvider takes the session that the provider opens. It ends those of passwords, the first time.
func (s *site) signInByProvider() {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	must.Do(s.t, err)
	answer, err := (&http.Client{Jar: jar}).Get(s.url + "/admin/oidc/login")
	must.Do(s.t, err)
	must.Do(s.t, answer.Body.Close())
	for _, cookie := range jar.Cookies(answer.Request.URL) {
		if cookie.Name == "headless_session" {
			s.token = cookie.Value
		}
	}
}

// TestBrowserWaysInAgain ends the session of somebody who writes: the dialog has the ways in of the sign-in page,
// and with each of them the text is saved.
func TestBrowserWaysInAgain(t *testing.T) {
	s := providerSite(t, "on")
	s.signInByPassword()
	at := lamps(s)
	s.call("POST", "/users", obj{"email": "eva@example.com", "name": "Eva", "role": "editor", "password": password})
	// withPasskey opens a tab whose device signs in somebody.
	withPasskey := func(address string) *tab {
		b := s.newTab()
		b.asks.Store(true)
		b.plugIn()
		b.signIn(address, "/passkeys")
		b.fill("name", "My laptop")
		b.press("//main", "Add a passkey")
		b.see("Created.")
		return b
	}
	const dialog = "//dialog"
	again := func(b *tab, text string) {
		b.t.Helper()
		b.setSession(s.token)
		b.open(at)
		b.setSession("ended")
		b.fill("data.teaser", text)
		b.see("Sign in again")
	}
	saved := func(b *tab, text string) {
		b.t.Helper()
		b.until("the draft has the text "+text, func() bool { return s.draftOf(at)["teaser"] == text })
		b.eventually(`String(document.querySelector("dialog"))`, "null")
	}
	other := withPasskey("eva@example.com")
	again(other, "By somebody else first")
	other.press(dialog, "Sign in with a passkey")
	other.see("Another person has signed in here")
	other.snap("again-other")
	other.do(chromedp.SendKeys(chromedp.CSS("#again-password"), password+kb.Enter))
	saved(other, "By somebody else first")

	b := withPasskey(email)
	again(b, "By a passkey")
	b.press(dialog, "Sign in with a passkey")
	saved(b, "By a passkey")

	again(b, "By a code")
	secret := s.call("POST", "/totp", obj{"password": password})["secret"].(string)
	s.call("POST", "/totp/confirm", obj{"code": otptest.Code(t, secret, time.Now())})

	b.snap("again")
	b.audit(t, "ways in again")
	b.do(chromedp.SendKeys(chromedp.CSS("#again-password"), password+kb.Enter))
	b.focused("again-code")
	b.do(chromedp.SendKeys(chromedp.CSS("#again-code"), "1"+kb.Enter))
	b.eventually(`document.querySelector("dialog [role=alert]").textContent`, "The code is wrong.")
	b.snap("again-code")
	later := otptest.Code(t, secret, time.Now().Add(30*time.Second)) // each is taken once
	b.do(chromedp.SendKeys(chromedp.CSS("#again-code"), later+kb.Enter))
	saved(b, "By a code")

	s.signInByProvider()
	again(b, "By the provider")
	b.press(dialog, "Sign in with your organization")
	saved(b, "By the provider")
}

// TestBrowserWithoutPasswords is TestBrowserWaysInAgain where nobody signs in by password.
func TestBrowserWithoutPasswords(t *testing.T) {
	s := providerSite(t, "off")
	s.signInByProvider()
	at := lamps(s)
	b := s.newTab()
	b.setSession(s.token)
	b.open(at)
	b.setSession("ended")
	b.fill("data.teaser", "By the provider")
	b.see("Sign in again")
	b.missing("Password")
	b.snap("again-without-passwords")
	b.press("//dialog", "Sign in with your organization")
	b.until("the draft has the text", func() bool { return s.draftOf(at)["teaser"] == "By the provider" })

	plain := s.newTab()
	plain.asks.Store(true)
	plain.withoutScripts()
	plain.setSession(s.token)
	plain.open(at)
	plain.fill("data.teaser", "Typed\nwithout scripts")
	plain.setSession("ended")
	plain.press("//main", "Save")
	plain.see("Your session has ended")
	plain.audit(t, "sign-in with a kept form")
	plain.snap("kept-by-provider")
	plain.setSession(s.token) // as the provider does in the new tab
	plain.press("//main", "Show the form again")
	plain.see("not saved yet")
	if got := plain.value("data.teaser"); got != "Typed\nwithout scripts" {
		t.Errorf("the form came back with the text %q", got)
	}
}
