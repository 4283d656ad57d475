package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// asksToStay reports whether the page asks before it is left.
func (b *tab) asksToStay() bool {
	b.t.Helper()
	return eval[bool](b, `(() => { const e = new Event("beforeunload", {cancelable: true});
		dispatchEvent(e); return e.defaultPrevented; })()`)
}

// crash ends the page of an entry as a crash does, once the copy on the device is written: without a last save, also
// by the events of a page that is left.
func (b *tab) crash() {
	b.t.Helper()
	b.until("the copy is written", func() bool {
		return eval[bool](b,
			`(store("readonly", (t) => t.get(copyKey)).then((copy) => { window.found = Boolean(copy); }), Boolean(window.found))`)
	})
	b.until("nothing is being saved", func() bool {
		return eval[bool](b, `!saving && (["change", "visibilitychange", "pagehide"].forEach((kind) =>
			addEventListener(kind, (event) => event.stopImmediatePropagation(), true)),
			leaving.add(theForm()), clearTimeout(timer), dirty = false, true)`)
	})
	b.do(chromedp.Navigate("about:blank"))
}

// TestBrowserSignedInElsewhere signs in again in one tab: what is typed in another one is saved there.
func TestBrowserSignedInElsewhere(t *testing.T) {
	s, at, one := openDesk(t)
	other := s.copyOf(one)
	other.open(at)
	other.see("Lamps")
	s.endSessions()
	one.fill("data.teaser", "In one tab")
	one.see("Sign in again")
	one.do(chromedp.SendKeys(chromedp.CSS("#again-password"), password+kb.Enter))
	one.see("Saved ")
	other.fill("title", "In the other")
	other.until("the draft has both texts", func() bool {
		draft := s.call("GET", at+"/draft/edit", nil)
		return draft["title"] == "In the other" && draft["data"].(obj)["teaser"] == "In one tab"
	})
}

// TestBrowserStepsOffline adds and removes blocks without a connection: the page stays, and so does what can be undone.
func TestBrowserStepsOffline(t *testing.T) {
	s, _, b := blocks(t)
	b.broken.Store(true)
	click := func(selector string) {
		eval[bool](b, `document.querySelector("`+selector+`").click(), true`)
	}
	s.down.Store(true)
	click("[value='copy data.parts.0']")
	b.see("No connection. What you typed is kept here.")
	s.down.Store(false)
	click("[value='remove data.parts.1']")
	b.eventually(quotes, "0a 1c")
	s.down.Store(true)
	b.press("//div[@class='undo']", "Undo")
	b.see("No connection. What you typed is kept here.")
	b.eventually(quotes, "0a 1c")
	s.down.Store(false)
	b.press("//div[@class='undo']", "Undo")
	b.eventually(quotes, "0a 1b 2c")
}

// TestBrowserOfferStays types beside a text that is offered, and brings it back later: without a connection it stays
// offered.
func TestBrowserOfferStays(t *testing.T) {
	s, at := desk(t)
	b := s.newTab()
	b.broken.Store(true)
	b.signIn(email, at)
	s.down.Store(true)
	b.fill("data.teaser", "Typed in a tunnel")
	b.see("Offline: kept on this device")
	fresh := s.copyOf(b)
	fresh.broken.Store(true)
	b.crash()
	s.down.Store(false)
	fresh.open(at)
	fresh.see("was not saved")
	fresh.fill("title", "Lanterns")
	fresh.see("Saved ")
	fresh.open(at)
	fresh.see("was not saved")
	s.down.Store(true)
	fresh.press("//main", "Bring it back")
	fresh.see("No connection. What you typed is kept here.")
	s.down.Store(false)
	fresh.press("//main", "Bring it back")
	fresh.eventually(`document.querySelector("[name='data.teaser']").value +
		document.querySelector("main").innerText.includes("was not saved")`, "Typed in a tunnelfalse")
	fresh.until("the draft has both texts", func() bool {
		draft := s.call("GET", at+"/draft/edit", nil)
		return draft["title"] == "Lanterns" && draft["data"].(obj)["teaser"] == "Typed in a tunnel"
	})
}

// TestBrowserTypedWhilePublishing publishes: while the page is being left, nothing can be typed that nobody would send.
func TestBrowserTypedWhilePublishing(t *testing.T) {
	_, _, b := openDesk(t)
	b.fill("data.teaser", "First")
	b.see("Saved ")
	eval[bool](b, `addEventListener("pagehide", () => { sessionStorage.inert = theForm().inert; }), true`)
	b.press("//main", "Publish changes")
	b.see("Published: everybody can read it.")
	b.eventually("sessionStorage.inert + theForm().inert", "truefalse")
}

// TestBrowserAltTyped types the text of a picture in the library and leaves: the page asks.
func TestBrowserAltTyped(t *testing.T) {
	s, _ := library(t)
	b := s.openTab("/media")
	b.do(chromedp.SendKeys(chromedp.CSS("form[data-quiet] input[name=alt]"), "A lamp"))
	if !b.asksToStay() {
		t.Error("the page is left without a question")
	}
	b.keys(kb.Tab)
	b.see("Saved.")
	if b.asksToStay() {
		t.Error("the page asks although the text is saved")
	}
}

// TestBrowserNewEntryAfterSession types a new entry after the session has ended, and without a connection: both are
// said, and the entry is made once they are back.
func TestBrowserNewEntryAfterSession(t *testing.T) {
	s, _ := desk(t)
	b := s.newTab()
	b.broken.Store(true)
	b.signIn(email, "/models/posts/entries/create")
	s.endSessions()
	s.down.Store(true)
	b.fill("title", "Typed in a tunnel")
	b.fill("data.teaser", "Words")
	b.see("Offline: kept on this device")
	s.down.Store(false)
	eval[bool](b, `dispatchEvent(new Event("online"))`)
	b.see("Sign in again")
	b.do(chromedp.SendKeys(chromedp.CSS("#again-password"), password+kb.Enter))
	b.see("Saved ")
	b.eventually(`document.querySelector("[name=title]").value + String(isNew())`, "Typed in a tunnelfalse")
}

// TestBrowserCopiesArePersonal types without a connection. Somebody else who signs in on this device is not offered the
// text; its author still is.
func TestBrowserCopiesArePersonal(t *testing.T) {
	s, at := desk(t)
	s.call("POST", "/users", obj{"email": "eva@example.com", "name": "Eva", "role": "editor", "password": password})
	b := s.newTab()
	b.broken.Store(true)
	b.signIn(email, at)
	s.down.Store(true)
	b.fill("data.teaser", "Typed in a tunnel")
	b.see("Offline: kept on this device")
	b.crash()
	s.down.Store(false)
	b.signIn("eva@example.com", at)
	b.until("the page has looked for copies", func() bool {
		return eval[bool](b, `(newest().then(() => { window.looked = true; }), Boolean(window.looked))`)
	})
	b.missing("was not saved")
	b.signIn(email, at)
	b.see("was not saved")
}

// TestBrowserReplyTyped types a reply, a change of a comment and a reason to send an entry back, on the page of the
// review and beside the form of the entry: each is left with a question, and without one once it is sent.
func TestBrowserReplyTyped(t *testing.T) {
	s, at := desk(t)
	s.call("POST", at+"/comments", obj{"text": "How bright?"})
	eva := s.colleague("Eva", "eva@example.com")
	s.call("POST", at+"/review", obj{})
	for _, where := range []string{"/review", ""} {
		eva.open(at + where)
		begin := func() {
			if where == "" {
				eva.do(mouseClick(chromedp.CSS("[data-pane=comments]"))) // its text ends with the number of them
				eva.do(chromedp.WaitVisible(chromedp.CSS("#talk-panel article")))
			}
		}
		begin()
		for _, form := range []struct{ button, field string }{{"Reply", "//article//textarea[starts-with(@id,'reply-')]"},
			{"Send back", "//textarea[@id='r-return']"}} {
			if where == "" && form.button == "Send back" {
				continue // is on the other page
			}
			eva.press("//main", form.button)
			if eva.asksToStay() {
				t.Errorf("%s: the page asks before anything is typed", form.button)
			}
			eva.do(chromedp.SendKeys(chromedp.Search("("+form.field+")[1]"), "Words"))
			if !eva.asksToStay() {
				t.Errorf("%s: %s is left without a question", where, form.button)
			}
			eval[any](eva, `document.querySelectorAll("main form").forEach((form) => form.reset())`)
		}
		eva.do(chromedp.SendKeys(chromedp.Search("(//article//textarea[starts-with(@id,'reply-')])[1]"), "Words on "+where))
		eva.press("//article", "Send reply")
		eva.eventually(`String([...document.querySelectorAll(".reply .said")].at(-1)?.textContent).trim()`,
			strings.TrimSpace("Words on "+where))
		if eva.asksToStay() {
			t.Errorf("%s: the page asks although the reply is sent", where)
		}
	}
}

// TestBrowserFormsOffline sends forms without a connection: the page stays with the typed texts, and sends them later.
func TestBrowserFormsOffline(t *testing.T) {
	s := newSite(t)
	hook := s.made("/webhooks", obj{"name": "Search", "url": "http://127.0.0.1:9/a", "events": []string{"*"}})
	b := s.openTab("/settings")
	b.broken.Store(true)
	for path, field := range map[string]string{"/settings": "site.name", "/webhooks/" + hook + "/edit": "description"} {
		b.open(path)
		b.fill(field, "Written on a train")
		s.down.Store(true)
		eval[bool](b, `Boolean(Object.defineProperty(navigator, "onLine", { value: false, configurable: true }))`)
		b.press("//main", "Save")
		b.see("No connection. What you typed is kept here.")
		if got := b.value(field); got != "Written on a train" {
			t.Errorf("%s: %q is kept", path, got)
		}
		s.down.Store(false)
		b.press("//main", "Save")
		b.see("Saved.")
	}
	if got := s.call("GET", "/webhooks/"+hook, nil)["description"]; got != "Written on a train" {
		t.Errorf("saved %q", got)
	}
}
