package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// colleague adds an editor and opens a browser for them.
func (s *site) colleague(name, address string) *tab {
	s.t.Helper()
	return s.person(name, address, "editor")
}

// person opens a tab for a new user with a role.
func (s *site) person(name, address, role string) *tab {
	s.t.Helper()
	s.call("POST", "/users", obj{"email": address, "name": name, "role": role, "password": password})
	return s.newTab().signIn(address)
}

// initials are the initials of the people who have the entry open, and what the pointer reads on them.
const initials = `[...document.querySelectorAll("#presence .avatar")].map(e => e.textContent + ": " + e.title).join()`

// TestBrowserPresence has two people at one entry: each sees the initials of the other, until one goes. Those of
// three stand on top of one another on a phone.
func TestBrowserPresence(t *testing.T) {
	s, at := desk(t)
	jonas := s.colleague("Jonas", "jonas@example.com")
	jonas.open(at)
	jonas.do(mouseClick(chromedp.CSS("[name='data.teaser']")))
	b := s.openTab(at)
	b.see("Also here: Jonas")
	b.audit(t, "presence")

	// Coming back to a page names the fields that others edit by now.
	eval[bool](jonas, `document.dispatchEvent(new Event("visibilitychange")), true`)
	jonas.see("Also here: Administrator")
	eval[bool](b, `document.dispatchEvent(new Event("visibilitychange")), true`)
	b.see("Also here: Jonas (Teaser)")
	b.eventually(initials, "J: Jonas (Teaser)")
	maria := s.colleague("Maria von Klein", "maria@example.com")
	maria.open(at)
	maria.eventually(`String(document.querySelectorAll("#presence .avatar").length)`, "2")
	eval[bool](b, `document.dispatchEvent(new Event("visibilitychange")), true`)
	b.eventually(initials, "J: Jonas (Teaser),MK: Maria von Klein")
	b.audit(t, "initials")
	const between = `(([one, two]) => String(Math.sign(two.getBoundingClientRect().left - one.getBoundingClientRect().right)))` +
		`(document.querySelectorAll("#presence .avatar"))`
	b.eventually(between, "1")
	b.snap("presence")
	b.do(chromedp.EmulateViewport(390, 844))
	b.eventually(between, "-1")
	b.snap("presence on a phone")
	maria.open("/")

	jonas.open("/")
	b.eventually(`(document.dispatchEvent(new Event("visibilitychange")), document.getElementById("presence").textContent || "nobody")`,
		"nobody")
}
