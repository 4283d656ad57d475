package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// ctrlK presses Ctrl+K.
func (b *tab) ctrlK() {
	b.t.Helper()
	b.do(chromedp.KeyEvent("k", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	b.do(chromedp.WaitVisible(chromedp.CSS("dialog.palette[open]")))
}

// TestBrowserRecent offers the pages that were seen last, to who saw them.
func TestBrowserRecent(t *testing.T) {
	s := lists(t)
	s.call("POST", "/users", map[string]any{"email": "eva@example.com", "role": "editor", "password": password})
	b := s.newTab()
	b.signIn()
	b.open("/media")
	b.open("/models/posts/entries")
	b.open("/trash")
	b.ctrlK()
	shown := `[...document.querySelectorAll(".palette li")].filter((li) => li.lastChild.textContent === "Recent").map((li) => li.querySelector("span").textContent).join()`
	b.eventually(shown, "Posts,Media,Home")
	b.keys(kb.ArrowDown + kb.Enter)
	b.eventually("location.pathname", "/admin/media")
	b.ctrlK()
	b.keys("trash")
	b.eventually(shown, "")
	b.keys(kb.Escape)
	b.signOut()
	b.fill("email", "eva@example.com")
	b.fill("password", password+"\r")
	b.see("Home")
	b.open("/media")
	b.ctrlK()
	b.eventually(shown, "Home")
}

// TestBrowserPalette jumps to a page, makes an entry and finds one, by keys alone.
func TestBrowserPalette(t *testing.T) {
	s := lists(t)
	s.call("POST", "/users", map[string]any{"email": "eva@example.com", "name": "Eva",
		"role": "editor", "password": password})
	b := s.newTab()
	b.signIn()
	b.ctrlK()
	b.audit(t, "palette")
	b.keys("webh" + kb.Enter) // pages are found at once
	b.eventually("location.pathname", "/admin/webhooks")
	b.ctrlK()
	b.keys("new entry posts")
	b.see("1 match.")
	b.keys(kb.Enter)
	b.eventually("location.pathname", "/admin/models/posts/entries/create")
	b.open("/trash")
	b.ctrlK()
	b.keys("lamp")
	b.see("posts, de")
	b.eventually(`String([...document.querySelectorAll(".palette li")].every((li) => li.querySelector("svg")))`, "true")
	b.keys(kb.Enter)
	b.see("Lampen")
	b.do(chromedp.Click(chromedp.CSS("header summary")))
	b.press("//header", "Help")
	b.see("Find your way")
	b.audit(t, "help")
	b.open("/search?q=live")
	b.see("Live post")
	b.audit(t, "search")

	e := s.newTab()
	e.open("/login")
	e.fill("email", "eva@example.com")
	e.fill("password", password+"\r")
	e.see("Continue")
	for _, hidden := range []string{"API keys", "Webhooks", "Models", "Users", "Requests"} {
		e.missing(hidden)
	}
	e.see("Posts")
}
