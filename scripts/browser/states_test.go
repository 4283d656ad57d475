package browser

import (
	"image/color"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserStates looks at pages that tell what happened, and at dialogs while they are open,
// wide and as narrow as a phone, light and dark.
func TestBrowserStates(t *testing.T) {
	s, at := desk(t)
	id := at[len("/models/posts/entries/"):]
	file := s.upload("a-long-name-of-a-picture-that-a-phone-must-break.png", color.White)
	s.call("PUT", at, obj{"data": obj{"teaser": "/media/" + file}})
	job := s.made("/jobs", obj{"action": "publish", "model": "posts",
		"ids": []string{id, file}}) // the second is no entry
	b := s.newTab()
	b.open("/password/forgot")
	b.look(t, "forgotten password")
	b.signIn(email)
	for _, path := range []string{"/jobs/" + job, "/media/" + file, "/media/" + file + "/edit",
		"/media/" + file + "/usage", at + "/usage", "/sessions", "/totp", "/passkeys", "/purge", "/confirm",
		at + "/revisions"} {
		b.open(path)
		b.look(t, path)
	}

	b.open(at)
	b.writesMarkdown("data.body")
	b.press("//main", "Choose from Posts: Related")
	b.see("of 1")
	b.look(t, "picker")
	b.press("//dialog", "Done")
	for _, dialog := range []string{"Link", "Image"} {
		b.do(mouseClick(chromedp.CSS(".markdown-bar [aria-label=" + dialog + "]")))
		b.do(chromedp.WaitVisible(chromedp.CSS("dialog")))
		b.look(t, dialog)
		b.press("//dialog", "Cancel")
	}
	b.put("| a | b |\n| - | - |\n| c | d |\n\nBelow\n")
	b.eventually(cell(0, 1)+`?.firstChild.textContent ?? ""`, "b")
	b.look(t, "grid of a table")
	b.see("Saved ")

	arabic := s.made("/models/posts/entries", obj{"title": "مصباح", "locale": "ar",
		"translation_of": id, "data": obj{"body": "## زيت\n\n- خشب"}})
	b.open("/models/posts/entries/" + arabic)
	b.writesMarkdown("data.body")
	b.look(t, "Arabic")
	b.eventually(`[...document.querySelectorAll("#f-title, .markdown-text")].map((e) => e.dir).join()`, "rtl,rtl")
}

// look audits the page in both widths and schemes.
func (b *tab) look(t *testing.T, where string) {
	t.Helper()
	for _, width := range []int64{1280, 390} {
		b.do(chromedp.EmulateViewport(width, 760))
		b.scheme("light")
		b.audit(t, where)
		b.scheme("dark")
		b.auditColours(t, where+", dark")
	}
	b.do(chromedp.EmulateViewport(1280, 760))
	b.scheme("light")
}
