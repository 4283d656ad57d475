package browser

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// take gives the browser a new session of somebody, as a sign-in of which its pages are not told.
func (b *tab) take(address string) {
	b.t.Helper()
	session := b.call("POST", "/login", obj{"email": address, "password": password})["token"].(string)
	b.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, network.SetCookie, network.SetCookieParams{
			Name: "headless_session", Value: session, URL: b.url + "/admin", Path: "/admin", HTTPOnly: new(true)})
		return chromedp.Void{}, err
	})
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
			b.press("//main", "Comments")
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
			b.do(chromedp.Click(chromedp.CSS("tbody input[name=ids]")))
		}, func(string) { b.press("//form[@id='bulk']", "Archive") }, func(string) {
			b.until("the entry is archived", func() bool { return s.call("GET", at, nil)["status"] == "archived" })
			s.call("PUT", at, obj{"status": "published"})
		}},
		{"quick edit", list, nil, func(string) {
			b.do(chromedp.Click(chromedp.Search(rowOf("Lamps", "//a[.='Quick edit']"))))
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
