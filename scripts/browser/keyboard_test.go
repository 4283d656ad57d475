package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// tabTo presses Tab until an expression holds for the element with the focus, which e stands for. With Shift it goes
// back.
func (b *tab) tabTo(most int, holds string, with ...chromedp.Modifier) {
	b.t.Helper()
	for range most {
		b.chord(kb.Tab, with...)
		if eval[bool](b,
			"(() => { let e = document.activeElement; e = e.shadowRoot?.activeElement ?? e; return Boolean("+
				holds+"); })()") {
			return
		}
	}
	b.t.Fatalf("%d steps of Tab do not lead to %s, but to %s", most, holds,
		eval[string](b, "document.activeElement.outerHTML.slice(0, 200)"))
}

// TestBrowserKeyboardPost writes and publishes a post by keys alone, from Home: title, text, a
// picked picture, a topic.
func TestBrowserKeyboardPost(t *testing.T) {
	s := lists(t)
	s.call("POST", "/models", obj{"slug": "news", "name": "News", "fields": []obj{
		{"name": "body", "label": "Text", "type": "richtext"},
		{"name": "cover", "label": "Cover", "type": "media"},
		{"name": "author", "label": "Author", "type": "relation", "model": "authors"},
	}})
	b := s.openTab()
	b.ctrlK()
	b.keys("new entry news" + kb.Enter)
	b.see("New entry")
	b.focused("f-title")
	b.keys("Oil lamps")
	b.eventually("String(document.querySelector('.markdown-text') !== null)", "true")
	b.tabTo(12, `e.matches(".cm-content")`)
	b.keys("All about *them*.")
	b.tabTo(8, `e.matches("[data-source^='/admin/media']")`)
	b.keys(kb.Enter)
	b.do(chromedp.WaitVisible(chromedp.CSS("dialog.picker .choice")))
	b.keys("lamp" + kb.Enter) // takes the only hit
	b.eventually("String(document.querySelector('dialog') === null)", "true")
	b.tabTo(8, `e.name === "data.author"`)
	b.keys(" ")
	b.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	b.see("Published:")
	data := s.call("GET", eval[string](b, "location.pathname.replace('/admin', '')"), nil)["data"].(obj)
	if data["body"] != "All about *them*." || fmt.Sprint(data["cover"]) == "" ||
		data["cover"] == nil || data["author"] == nil {
		t.Errorf("the entry holds %v", data)
	}
}

// TestBrowserKeyboardRestore brings a version back by keys alone.
func TestBrowserKeyboardRestore(t *testing.T) {
	s, at := desk(t)
	s.call("PUT", at, obj{"title": "Candles"})
	b := s.openTab()
	b.ctrlK()
	b.keys("candles")
	b.see("1 match.")
	b.keys(kb.Enter)
	b.see("Publish changes")
	b.tabTo(40, `e.textContent === "Details"`)
	b.keys(kb.ArrowLeft + kb.Enter) // the last tab: History
	b.see("version 2")
	b.tabTo(40, `e.closest(".versions") && e.textContent.includes("version 1")`)
	b.keys(kb.Enter)
	b.see("What this version changed")
	b.tabTo(40, `e.textContent.trim() === "Restore as a draft"`)
	b.keys(kb.Enter)
	b.see("Restored as a draft")
	if draft := s.call("GET", at+"/draft/edit", nil); draft["title"] != "Lamps" {
		t.Errorf("the draft is %v", draft)
	}
}

// TestBrowserMenusByKeys: Escape closes a menu and nothing else, and the focus returns to its button. A question in a
// menu closes first. A menu closes when the focus or a press goes elsewhere.
func TestBrowserMenusByKeys(t *testing.T) {
	s, at := desk(t)
	b := s.newTab()
	b.signIn(email, at)
	const open = `String(document.querySelectorAll("main details.confirm[open]").length)`
	const focus = `document.activeElement.closest("summary")?.textContent ?? document.activeElement.localName`
	eval[any](b, `document.querySelector(".more > summary").focus()`)
	b.keys(kb.Enter)
	b.eventually(open, "1")
	b.tabTo(20, `e.matches("summary") && e.textContent === "Delete"`)
	b.keys(kb.Enter)
	b.eventually(open, "2")
	b.keys(kb.Escape)
	b.eventually(`(() => `+open+` + " " + (`+focus+`))()`, "1 Delete")
	b.keys(kb.Escape)
	b.eventually(`(() => `+open+` + " " + (`+focus+`))()`, "0 ⋯")
	b.keys(kb.Enter)
	b.eventually(open, "1")
	b.do(mouseClick(chromedp.CSS("#f-title")))
	b.eventually(open, "0")
	if !eval[bool](b, `document.querySelector(".undo")?.role === "status"`) {
		t.Error("the place of messages is not there before the first one")
	}
}

// TestBrowserReleaseByKeys adds a list to a release and publishes it by keys alone. The page follows the work, keeps
// the focus, and says when it is done.
func TestBrowserReleaseByKeys(t *testing.T) {
	s, _ := desk(t)
	for i := range 50 { // the page is shown before they are done
		s.call("POST", "/models/posts/entries", obj{"title": fmt.Sprintf("Lamp %d", i), "data": obj{"body": "Light."}})
	}
	release := s.made("/releases", obj{"name": "Autumn", "items": []any{}})
	b := s.openTab("/models/posts/entries?filter[status]=draft&per_page=50")
	b.tabTo(80, `e.matches("input[data-all]")`)
	b.keys(" ")
	b.tabTo(10, `e.textContent === "Add to release…"`, chromedp.ModifierShift)
	b.keys(kb.Enter)
	b.see("Name of a new release")
	b.focused("f-to")
	b.tabTo(80, `e.textContent === "Add"`)
	b.keys(kb.Enter)
	b.see("0 of 50")
	b.see("Saved.") // the release was there before
	b.missing("Problems")
	b.tabTo(80, `e.localName === "summary" && e.textContent === "Publish"`)
	b.keys(kb.Enter + kb.Escape)
	if got := eval[string](b, `document.activeElement.textContent`); got != "Publish" {
		t.Errorf("after Escape the focus is on %q", got)
	}
	b.keys(kb.Enter + kb.Tab + kb.Enter)
	b.see("Publishing")
	b.focus(`main a[href*="/entries/"]`)
	title := eval[string](b, `document.activeElement.textContent`)
	b.see("50 of 50")
	b.eventually(`document.activeElement.textContent`, title)
	b.eventually(`document.querySelector("body > .hidden[role=status]").textContent`, "Autumn: Published")
	if eval[bool](b, `document.querySelector("main a[href$='/edit']") !== null`) {
		t.Error("a published release has a button to edit it")
	}
	if got := s.call("GET", "/releases/"+release, nil)["status"]; got != "published" {
		t.Errorf("the release is %v", got)
	}
}
