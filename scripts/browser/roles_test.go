package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserRoleForm makes a role by choices: its rules are rows, not JSON. A user with it sees no
// button that would end in an error.
func TestBrowserRoleForm(t *testing.T) {
	s := lists(t)
	b := s.openTab("/roles/create")
	b.fill("slug", "german")
	b.fill("name", "German writers")
	b.press("//main", "Add rule")
	b.rows("rules", 1)
	b.check("rules.0.models", "posts")
	b.check("rules.0.locales", "de")
	b.check("rules.0.actions", "write")
	b.audit(t, "role")
	b.press("//main", "Create role")
	b.see("Read, Write")
	s.call("POST", "/users", obj{"email": "ann@example.com", "password": password, "role": "german"})
	id := s.made("/models/posts/entries", obj{"title": "Lampe", "locale": "de"})
	writer := s.newTab()
	writer.open("/login")
	writer.fill("email", "ann@example.com")
	writer.fill("password", password+"\r")
	writer.see("Home")
	writer.open("/models/posts/entries/" + id)
	writer.see("Save")
	writer.eventually("String(document.querySelector('[name=_then]'))", "null")
	writer.do(mouseClick(chromedp.CSS(".more > summary")))
	writer.missing("Delete")
	writer.open("/models/posts/entries/create")
	writer.eventually("[...document.querySelectorAll('[name=locale] option')].map(o => o.value).join()", "de")
	writer.open("/models/posts/entries")
	writer.missing("Unpublish")
}
