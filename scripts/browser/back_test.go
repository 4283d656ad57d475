package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// move goes through the history of the tab.
func (b *tab) move(by int) {
	b.t.Helper()
	was := eval[string](b, "location.href")
	eval[any](b, fmt.Sprintf("history.go(%d)", by))
	b.eventually("String(location.href !== `"+was+"`)", "true")
	b.see("")
}

// TestBrowserBack pages through a filtered list, opens entries and forms, and comes back: the page, the filter, the
// place and the open pane are as they were, and a form has the typed texts.
func TestBrowserBack(t *testing.T) {
	s, at := desk(t)
	for i := range 60 {
		s.call("POST", "/models/posts/entries?draft=true", obj{"title": fmt.Sprintf("Lamp %02d", i)})
	}
	b := s.newTab()
	b.signIn(email, "/models/posts/entries?all=true&q=lamp&sort=title")
	state := "location.search + ' ' + document.querySelector('a.row').textContent.trim()"
	first := eval[string](b, state)
	b.press("//nav[@aria-label='Pages']", "Next")
	b.see("Lamp 30")
	second := eval[string](b, state)
	eval[any](b, "scrollTo(0, 500)")
	b.do(mouseClick(chromedp.CSS("tbody tr:nth-child(12) input[name=ids]")))
	b.do(mouseClick(chromedp.CSS("tbody tr:nth-child(13) a.row")))
	b.see("Details")
	b.move(-1)
	b.eventually(state, second)
	b.eventually("String(scrollY > 400)", "true")
	b.eventually(`document.querySelector("[data-selected]").textContent + document.getElementById("bulk").hidden`,
		"1 row selected:false")
	b.move(-1)
	b.eventually(state, first)
	b.move(1)
	b.eventually(state, second)

	b.open(at)
	for _, pane := range []string{"seo", "comments", "history"} {
		b.eventually(`String(document.querySelector(".views [data-pane=comments]") !== null)`, "true")
		eval[any](b, fmt.Sprintf("document.querySelector('.views [data-pane=%s]').click()", pane))
		b.eventually("document.body.dataset.pane", pane)
		b.open("/media")
		b.move(-1)
		b.eventually("document.body.dataset.pane", pane)
	}

	for _, path := range []string{"/webhooks/create", "/models/create", "/users/create", "/releases/create",
		"/roles/create"} {
		const name = "name"
		leave := func() { // as somebody says when the page asks
			eval[any](b, "[...document.forms].forEach((form) => leaving.add(form))")
		}
		b.open(path)
		b.fill(name, "Half a word")
		b.keys(kb.Tab)
		leave()
		eval[any](b, "document.querySelector('#menu li a').click()")
		b.eventually("location.pathname", "/admin/")
		b.move(-1)
		b.eventually(fmt.Sprintf("document.querySelector(%q)?.value ?? ''", "main [name='"+name+"']"), "Half a word")
		if !b.asksToStay() {
			t.Errorf("%s: what came back is left without a question", path)
		}
		leave()
	}
}
