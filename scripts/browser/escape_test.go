package browser

import (
	"fmt"
	"image/color"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// openers lists the elements of a page that open something over it: menus, questions, pickers, the menu of phones.
const openers = `(window.openers =
	[...document.querySelectorAll("details.confirm > summary, button[data-source], .menu-link")]
	.filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest(".pop"))).map((e) => e.textContent)`

// opened lists the open menus, dialogs, panels and rows.
const opened = `[...document.querySelectorAll("details.confirm[open], dialog[open], #menu:target, .markdown-find, " +
	".talk-panel:not([hidden]), tr.editing")]
	.filter((e) => e.checkVisibility()).map((e) => e.id || e.className || e.localName)`

// TestBrowserEscape opens every menu, dialog and panel, one after the other, by keys: Escape closes it and nothing
// else, and the focus returns to its opener.
func TestBrowserEscape(t *testing.T) {
	s, at := desk(t)
	s.upload("lamp.png", color.White)
	s.call("POST", "/models", obj{"slug": "pages", "name": "Pages", "tree": true, "url": "/{path}",
		"fields": []obj{}})
	for _, title := range []string{"Firm", "Jobs"} {
		s.call("POST", "/models/pages/entries", obj{"title": title, "status": "published"})
	}
	s.call("POST", at+"/comments", obj{"text": "How bright?"})
	s.made("/webhooks", obj{"name": "H", "url": "http://127.0.0.1:9/", "events": []string{"*"}})
	list := "/models/posts/entries?all=true&q=lamp"
	b := s.openTab()
	for _, width := range []int64{1280, 390} {
		b.do(chromedp.EmulateViewport(width, 800))
		for _, path := range []string{"/", list, at, at + "/review", at + "/revisions", "/media", "/models/posts",
			"/releases", "/keys"} {
			b.open(path)
			b.see("")
			for i, name := range eval[[]string](b, openers) {
				what := fmt.Sprintf("%d px, %s: %s", width, path, name)
				eval[any](b, fmt.Sprintf("openers[%d].focus()", i))
				b.keys(kb.Enter)
				b.eventually(fmt.Sprintf("`%s: ${%s.length}`", what, opened), what+": 1")
				b.keys(kb.Escape)
				b.eventually(fmt.Sprintf("`%s: ${%s} ${document.activeElement === openers[%d] || %s}`",
					what, opened, i, "document.activeElement.outerHTML"), what+":  true")
			}
		}
	}

	b.do(chromedp.EmulateViewport(1280, 800))
	for _, o := range []struct {
		path, from string // the focus before
		open       func()
	}{
		{list, "input[name=q]", b.ctrlK},
		{list, "a.row", func() { b.keys("e") }},
		{at, ".views [data-pane=comments]", func() {
			b.keys(kb.Enter)
			b.eventually("document.activeElement.id", "talk-panel")
		}},
		{at, ".cm-content", func() { b.chord("k", chromedp.ModifierCtrl) }},
		{at, ".cm-content", func() { b.chord("f", chromedp.ModifierCtrl) }},
		{"/models/pages/tree", "tr:last-child .drag", func() { b.keys(kb.ArrowRight) }},
		{list, "body", func() { // by the mouse, with the focus nowhere
			b.do(mouseClick(chromedp.CSS(".who summary")), mouseClick(chromedp.CSS(".who .help")))
		}},
	} {
		b.open(o.path)
		if o.from == ".cm-content" {
			b.writesMarkdown("data.body")
		}
		active := `((e) => e.shadowRoot?.activeElement ?? e)(document.activeElement)`
		find := fmt.Sprintf(`(document.querySelector(%q) ??
			document.querySelector(".markdown-text").shadowRoot.querySelector(%[1]q))`, o.from)
		b.eventually("String("+find+" !== null)", "true")
		eval[any](b, find+".focus()")
		o.open()
		b.eventually(opened+".length + ''", "1")
		b.keys(kb.Escape)
		if o.from == "body" {
			find = `document.querySelector(".who summary")`
		}
		b.eventually(fmt.Sprintf("`%s: ${%s} ${%s === %s || document.activeElement.outerHTML}`", o.from, opened, active,
			find), o.from+":  true")
	}
}
