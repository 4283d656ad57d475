package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// rowOf is a part of the row of a list with a title, as XPath.
func rowOf(title, part string) string {
	return fmt.Sprintf(`//tr[contains(td[contains(@class, "first")], %q)]%s`, title, part)
}

// TestBrowserQuickEdit edits rows of a list in their places: by a click, by the key e and by a double click on a
// cell. A refused value stands in the row with its reason, Escape and Undo take a change back.
func TestBrowserQuickEdit(t *testing.T) {
	s := lists(t)
	b := s.newTab()
	b.counted()
	b.signIn(email)
	at := "/models/posts/entries?columns=day,topic,author,:status&sort=title"
	b.task("a row edited in a list", 4, at, func() {
		b.click(rowOf("Draft 1", "//a[.='Quick edit']"))
		b.focused("f-title")
		b.do(chromedp.SetValue(chromedp.CSS("#f-data\\.topic"), "oil"))
		b.fill("title", "Draft one")
		b.look(t, "quick edit")
		b.snap("quick-light")
		b.press("//tr", "Save")
		b.see("Saved.")
		b.see("Draft one")
	})
	b.snap("quick-saved")
	b.audit(t, "quick edit saved")
	b.eventually("document.activeElement.innerText.trim()", "Draft one")
	if got := b.titles(); got != "Draft 0, Draft one, Draft 2, Draft 3, Live post" {
		t.Errorf("the rows are %s", got)
	}
	b.press("//*[@class='undo']", "Undo")
	b.see("Draft 1")
	b.missing("Draft one")

	// By keys: the row has the focus again after each way out.
	b.eventually("document.activeElement.innerText.trim()", "Draft 1")
	b.keys("e")
	b.focused("f-title")
	b.fill("title", "Draft uno")
	b.keys(kb.Escape)
	b.see("Not saved.")
	b.eventually("document.activeElement.innerText.trim()", "Draft 1")
	b.press("//*[@class='undo']", "Undo")
	b.eventually(`document.getElementById("f-title")?.value`, "Draft uno")
	b.broken.Store(true)
	s.down.Store(true)
	b.keys(kb.Enter)
	b.see("No connection. What you typed is kept here.")
	s.down.Store(false)
	b.do(chromedp.SetValue(chromedp.CSS("#f-slug"), "!!"))
	b.keys(kb.Enter)
	b.eventually(`document.activeElement.id`, "f-slug")
	b.see("may hold only lower-case")
	b.audit(t, "quick edit refused")
	b.snap("quick-refused")
	b.do(chromedp.SetValue(chromedp.CSS("#f-slug"), "draft-uno"))
	b.keys(kb.Enter)
	b.see("Saved.")
	b.eventually("document.activeElement.innerText.trim()", "Draft uno")

	// A double click begins at its field. A row that the filters no longer find leaves the list.
	b.open(at + "&filter[data.topic]=light")
	b.do(chromedp.DoubleClick(chromedp.Search(rowOf("Draft 3", `//td[@data-label="Topic"]`))))
	b.focused("f-data.topic")
	b.do(chromedp.SetValue(chromedp.CSS("#f-data\\.topic"), "oil"))
	b.press("//tr", "Save")
	b.see("Saved.")
	b.eventually(`String(document.body.innerText.includes("Draft 3"))`, "false")
	b.eventually("document.activeElement.innerText.trim()", "Draft uno")

	// A published entry keeps what readers see.
	b.open(at)
	b.click(rowOf("Live post", "//a[.='Quick edit']"))
	b.focused("f-title")
	b.fill("title", "Live, soon")
	b.press("//tr", "Save")
	b.see("Saved in the draft: publish it to show it.")
	b.see("Published, changed")
}

// TestBrowserQuickEditWithoutScripts edits a row by the same form without JavaScript.
func TestBrowserQuickEditWithoutScripts(t *testing.T) {
	b := lists(t).openPlainTab("/models/posts/entries?columns=topic,author&sort=title")
	b.click(rowOf("Draft 1", "//a[.='Quick edit']"))
	b.see("Cancel")
	b.audit(t, "quick edit without scripts")
	b.do(chromedp.SetValue(chromedp.CSS("#f-title"), "Draft one"))
	b.do(chromedp.SetValue(chromedp.CSS("#f-slug"), "!!"))
	b.press("//tr", "Save")
	b.see("may hold only lower-case")
	b.do(chromedp.SetValue(chromedp.CSS("#f-slug"), "draft-one"))
	b.press("//tr", "Save")
	b.see("Saved.")
	b.see("Draft one")
	b.press("//main", "Undo")
	b.see("Draft 1")
	b.missing("Draft one")
	b.eventually(`String(location.search.includes("columns=topic") && location.search.includes("sort=title"))`, "true")
}
