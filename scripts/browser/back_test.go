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

// TestBrowserBackToOthersChanges goes back to forms in which somebody else changed the same field meanwhile. The page
// of an entry shows that change and leaves it alone; another form says so before it replaces it.
func TestBrowserBackToOthersChanges(t *testing.T) {
	s, at := desk(t)
	b := s.colleague("Eva", "eva@example.com")
	b.asks.Store(true)
	b.open(at)
	b.fill("data.teaser", "Mine")
	b.see("Saved ")
	b.do(mouseClick(chromedp.CSS("#menu a[href='/admin/media']")))
	b.see("Upload")
	s.call("PUT", at+"/draft", obj{"data": obj{"teaser": "Theirs"}})
	b.move(-1)
	if got := b.value("data.teaser"); got != "Theirs" {
		t.Errorf("the field has %q", got)
	}
	b.fill("title", "Lanterns")
	b.see("Saved ")
	if got := s.draftOf(at)["teaser"]; got != "Theirs" {
		t.Errorf("the draft has %q", got)
	}

	form := "/releases/" + s.made("/releases", obj{"name": "Autumn", "items": []any{}})
	for _, change := range []string{"", "Winter"} {
		b.open(form + "/edit")
		typed := "Half a word" + change
		b.fill("name", typed)
		eval[any](b, "[...document.forms].forEach((form) => leaving.add(form))")
		eval[any](b, "document.querySelector('#menu li a').click()")
		b.eventually("location.pathname", "/admin/")
		if change != "" {
			s.call("PUT", form, obj{"name": change})
		}
		b.move(-1)
		b.eventually("document.querySelector('main [name=name]')?.value ?? ''", typed)
		b.press("//main", "Save")
		if change == "" {
			b.see("Saved.")
			continue
		}
		b.see("Administrator has changed this since you opened the form.")
		if got := s.call("GET", form, nil)["name"]; got != change {
			t.Errorf("the release is called %q", got)
		}
	}
}

// TestBrowserPlainBackToOthersChanges goes back to forms without scripts, after the pages left the memory of the
// browser: it puts the typed words into the forms of now. The words that a colleague saved meanwhile are not replaced
// unseen, and the typed ones are still there.
func TestBrowserPlainBackToOthersChanges(t *testing.T) {
	s, at := desk(t)
	s.call("PUT", at+"/draft", obj{"data": obj{"body": "One\n\nTwo", "parts": []obj{{"type": "quote", "text": "A"}}}})
	release := "/releases/" + s.made("/releases", obj{"name": "Autumn", "items": []any{}})
	s.options = []chromedp.ExecAllocatorOption{chromedp.Flag("disable-back-forward-cache", true)}
	b := s.openPlainTab()
	b.asks.Store(true)
	back := func(path, text string, change func(), names ...string) {
		b.open(path)
		for _, name := range names {
			b.fill(name, text)
		}
		b.press("//nav[@id='menu']", "Media")
		b.see("Upload")
		change()
		b.move(-1)
		for _, name := range names {
			b.until("the browser puts the typed "+name+" into the form", func() bool { return b.value(name) == text })
		}
	}
	all := []string{"title", "data.teaser", "data.body", "data.parts.0.text"}
	back(at, "Mine", func() {}, all...)
	b.press("//main", "Save")
	b.eventually("location.search", "?ok=saved")
	if got := s.draftOf(at); got["teaser"] != "Mine" || got["body"] != "Mine" {
		t.Errorf("nobody else wrote, and the draft has %v", got)
	}

	theirs := obj{"teaser": "Theirs", "body": "Theirs\n\nTwo", "parts": []obj{{"type": "quote", "text": "Theirs"}}}
	back(at, "Mine again", func() {
		s.call("PUT", at+"/draft", obj{"title": "Their title", "data": theirs})
	}, all[1:]...)
	b.press("//main", "Save")
	b.see("Take theirs")
	if got := s.draftOf(at); got["teaser"] != "Theirs" || got["body"] != "Theirs\n\nTwo" {
		t.Errorf("the draft has %v", got)
	}
	for _, name := range all[1:] {
		if got := b.value(name); got != "Mine again" {
			t.Errorf("the form has %q in %s", got, name)
		}
	}
	b.snap("plain-back")
	for _, choice := range []string{"keep data.teaser", "take data.body", "keep data.parts.0.text"} {
		button := "button[value='" + choice + "']"
		b.do(mouseClick(chromedp.CSS(button)))
		b.eventually(fmt.Sprintf("String(document.querySelector(%q))", button), "null")
	}
	b.missing("Take theirs")
	b.press("//main", "Save")
	b.eventually("location.search", "?ok=saved")
	if got := s.draftOf(at); got["teaser"] != "Mine again" || got["body"] != "Theirs\n\nTwo" {
		t.Errorf("the draft has %v", got)
	}

	back(release+"/edit", "Mine", func() { s.call("PUT", release, obj{"name": "Winter"}) }, "name")
	b.press("//main", "Save")
	b.see("Somebody has changed this since you opened the form.")
	if got := s.call("GET", release, nil)["name"]; got != "Winter" || b.value("name") != "Mine" {
		t.Errorf("the release is called %q, the form has %q", got, b.value("name"))
	}
}
