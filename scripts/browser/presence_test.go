package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// colleague adds an editor and opens a browser for them.
func (s *site) colleague(name, address string) *tab {
	s.t.Helper()
	s.call("POST", "/users", map[string]any{"email": address, "name": name, "role": "editor",
		"password": password})
	b := s.newTab()
	b.open("/login")
	b.fill("email", address)
	b.fill("password", password+"\r")
	b.see("Home")
	return b
}

// TestBrowserPresence has two people at one entry: each sees the other, until one goes.
func TestBrowserPresence(t *testing.T) {
	s, at := desk(t)
	jonas := s.colleague("Jonas", "jonas@example.com")
	jonas.open(at)
	jonas.do(chromedp.Click(chromedp.CSS("[name='data.teaser']")))
	b := s.newTab()
	b.signIn()
	b.open(at)
	b.see("Also here: Jonas")
	b.audit(t, "presence")

	// Coming back to a page names the fields that others edit by now.
	eval[bool](jonas, `document.dispatchEvent(new Event("visibilitychange")), true`)
	jonas.see("Also here: Administrator")
	eval[bool](b, `document.dispatchEvent(new Event("visibilitychange")), true`)
	b.see("Also here: Jonas (Teaser)")

	jonas.open("/")
	b.eventually(`(document.dispatchEvent(new Event("visibilitychange")), document.getElementById("presence").textContent || "nobody")`,
		"nobody")
}
