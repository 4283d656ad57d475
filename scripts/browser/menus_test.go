package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// labels are those of the items of the form of a menu.
const labels = `[...document.querySelectorAll("#f-items\\.en > fieldset > .field > [name$='.label']")].map(e => e.value).join()`

// TestBrowserMenu makes a menu, with an entry from the picker and an item below, and moves items by the
// arrow keys, by drag, and between levels by buttons.
func TestBrowserMenu(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/models", obj{"slug": "pages", "name": "Pages", "url": "/{slug}"})
	s.call("POST", "/models/pages/entries", obj{"title": "Firm", "status": "published"})
	b := s.openTab("/menus/create")
	b.fill("name", "Main")
	b.fill("slug", "main")
	add := func(list string, n int) {
		t.Helper()
		b.do(mouseClick(chromedp.CSS("[value='add " + list + "']")))
		b.rows(list, n)
	}
	add("items.en", 1)
	b.fill("items.en.0.label", "One")
	b.do(mouseClick(chromedp.CSS("#f-items\\.en\\.0\\.entry button[data-source]")))
	b.press("//dialog", "Firm")
	add("items.en.0.children", 1)
	b.fill("items.en.0.children.0.label", "Below")
	b.fill("items.en.0.children.0.href", "/below")
	add("items.en", 2)
	b.fill("items.en.1.label", "Two")
	b.fill("items.en.1.href", "/two")
	b.look(t, "the form of a menu")
	b.eventually(`String([...document.querySelectorAll(".rows > .group > legend")].every((name) =>
		name.offsetWidth < name.parentElement.offsetWidth / 2))`, "true") // a longer one would hide the frame
	handle := func(i string) string { return "#f-items\\.en\\." + i + " > .steps-of > .drag" }
	b.do(chromedp.Focus(chromedp.CSS(handle("1"))))
	b.keys(kb.ArrowUp)
	b.eventually(labels, "Two,One")
	b.press("//main", "Create menu")
	b.see("Created.")
	items := s.call("GET", "/menus/main", nil)["items"].(obj)["en"].([]any)
	one := items[1].(obj)
	if len(items) != 2 || one["entry"] == nil || len(one["children"].([]any)) != 1 {
		t.Errorf("the menu has the items %v", items)
	}
	b.press("//main", "Edit")
	b.press("//main", "Fold or unfold all")
	eval[bool](b, `document.getElementById("f-items.en").scrollIntoView(), true`)
	_, from := b.middle(handle("0"))
	_, to := b.middle(handle("1"))
	b.drag(handle("0"), "#f-items\\.en", 0, to-from+15)
	b.eventually(labels, "One,Two")
	// The answer to the drag has this button; the form that was dragged in has not.
	b.eventually(`String(!!document.querySelector("[value='put items.en.1 items.en.0.children.1']"))`, "true")
	b.press("//main", "Fold or unfold all")
	b.do(mouseClick(chromedp.CSS("[value='put items.en.1 items.en.0.children.1']")))
	b.eventually(labels, "One")
	b.press("//*[@class='undo']", "Undo")
	b.eventually(labels, "One,Two")
	for _, step := range []struct{ button, labels string }{
		{"put items.en.1 items.en.0.children.1", "One"}, {"put items.en.0.children.0 items.en.1", "One,Below"},
		{"put items.en.0.children.0 items.en.1", "One,Two,Below"}} {
		b.do(mouseClick(chromedp.CSS("[value='" + step.button + "']")))
		b.eventually(labels, step.labels)
	}
	b.look(t, "the form of a menu after moves between levels")
}

// TestBrowserMenuTouched drags an item of a menu by a finger.
func TestBrowserMenuTouched(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/menus", obj{"slug": "main", "name": "Main", "items": obj{"en": []any{
		obj{"label": "One", "href": "/one"}, obj{"label": "Two", "href": "/two"}}}})
	b := s.newTab()
	b.touch()
	b.signIn(email, "/menus/main/edit")
	b.press("//main", "Fold or unfold all")
	eval[bool](b, `document.getElementById("f-items.en").scrollIntoView(), true`)
	const first, second = "#f-items\\.en\\.0 > .steps-of > .drag", "#f-items\\.en\\.1 > .steps-of > .drag"
	_, from := b.middle(first)
	_, to := b.middle(second)
	b.dragByFinger(first, "#f-items\\.en", 0, to-from+15)
	b.eventually(labels, "Two,One")
}
