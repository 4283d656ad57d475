package browser

import (
	"strings"
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
	s.call("POST", "/users", obj{"email": "eva@example.com", "role": "editor", "password": password})
	b := s.openTab("/", "/media")
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
	s.call("POST", "/users", obj{"email": "eva@example.com", "name": "Eva", "role": "editor", "password": password})
	b := s.openTab()
	b.ctrlK()
	b.audit(t, "palette")
	b.keys("webh" + kb.Enter) // pages are found at once
	b.eventually("location.pathname", "/admin/webhooks")
	b.ctrlK()
	b.keys("new entry posts")
	b.see("1 match.")
	b.keys(kb.Enter)
	b.eventually("location.pathname", "/admin/models/posts/entries/create")
	b.open("/profile")
	b.open("/sessions") // neither is in the menu
	b.ctrlK()
	b.eventually(`[...document.querySelectorAll(".palette li")].filter((li) => !li.querySelector("svg")).map((li) => li.textContent).join()`, "")
	b.eventually(`[...document.querySelectorAll(".palette li")].filter((li) => li.querySelector("svg")?.innerHTML === document.querySelector("#menu svg").innerHTML).map((li) => li.querySelector("span").textContent).join()`, "Home")
	b.look(t, "palette beside the menu")
	b.keys(kb.Escape)
	b.open("/trash")
	b.ctrlK()
	b.keys("lamp")
	b.see("Posts, German")
	b.eventually(`String([...document.querySelectorAll(".palette li")].every((li) => li.querySelector("svg")))`, "true")
	b.keys(kb.Enter)
	b.see("Lampen")
	b.do(mouseClick(chromedp.CSS("header summary")))
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

// TestBrowserPaletteActs presses the buttons of a page by keys alone: it publishes an entry, duplicates it and deletes
// the copy. Who may only read is offered none of them.
func TestBrowserPaletteActs(t *testing.T) {
	s := lists(t)
	s.call("POST", "/users", obj{"email": "eva@example.com", "role": "viewer", "password": password})
	id := s.made("/models/posts/entries", obj{"title": "Heron"})
	at := "/models/posts/entries/" + id
	b := s.openTab()
	offered := `[...document.querySelectorAll(".palette li")].filter((li) => li.lastChild.textContent === "This page").map((li) => li.querySelector("span").textContent).join()`
	act := func(name string) {
		t.Helper()
		b.ctrlK()
		b.keys(name)
		b.eventually(`document.querySelector(".palette li span")?.textContent`, name)
		b.keys(kb.Enter)
	}
	b.open(at)
	act("Publish")
	b.see("Published: everybody can read it.")
	act("Duplicate")
	b.eventually("location.pathname", "/admin"+at+"/duplicate")
	b.eventually("document.activeElement.name", "title")
	b.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	b.keys("Second heron" + kb.Enter)
	b.eventually("document.querySelector('h1')?.textContent.trim()", "Second heron")
	act("Delete")
	b.eventually("document.activeElement.textContent", "Delete")
	b.enter()
	b.see("Deleted: the entry is in the trash.")
	b.open(at)
	b.ctrlK()
	b.look(t, "palette with actions")
	b.snap("palette-small")
	b.open("/models/posts/entries")
	act("New entry")
	b.eventually("location.pathname", "/admin/models/posts/entries/create")
	if status := s.call("GET", at, nil)["status"]; status != "published" {
		t.Errorf("the entry is %v", status)
	}

	e := s.newTab()
	e.open("/login")
	e.fill("email", "eva@example.com")
	e.fill("password", password+"\r")
	e.see("Home")
	e.open(at)
	e.ctrlK()
	for _, name := range []string{"Publish", "Duplicate", "Delete"} {
		if got := eval[string](e, offered); strings.Contains(got, name) {
			t.Errorf("a viewer is offered %s", got)
		}
	}
}

// TestBrowserPaletteInArabic looks for an entry with a long title on a phone in Arabic: the note beside it is not
// broken within its words, and reads from right to left whatever it begins with. Enter opens the entry.
func TestBrowserPaletteInArabic(t *testing.T) {
	s, at := desk(t)
	s.call("PUT", "/profile", obj{"language": "ar"})
	long := s.made("/models/posts/entries", obj{"data": obj{"body": "x"},
		"title": "Lamps of a title that leaves the note beside it hardly any room"})
	b := s.openTab(at)
	b.do(chromedp.EmulateViewport(390, 700))
	b.ctrlK()
	b.do(chromedp.WaitVisible(chromedp.CSS("dialog[open]")))
	b.keys("Lamps of")
	b.see("Lamps of a title")
	b.snap("palette-arabic")
	b.eventually(`(() => { const note = [...document.querySelectorAll(".palette small")].find((e) => e.textContent.startsWith("Posts"));
		const word = new Range(), text = note.firstChild, rest = new Range();
		word.setStart(text, 0); word.setEnd(text, 5); rest.setStart(text, 7); rest.setEnd(text, text.length);
		return [word.getClientRects().length, rest.getClientRects().length,
			word.getBoundingClientRect().left > rest.getBoundingClientRect().left].join(); })()`, "1,1,true")
	b.audit(t, "palette in Arabic")
	b.keys(kb.Enter)
	b.eventually(`String(location.pathname.includes("`+long+`"))`, "true")
}
