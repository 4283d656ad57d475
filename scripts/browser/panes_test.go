package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestBrowserPanes shows one pane beside the texts at a time: by pointer and by keys, by links that lead to a field
// of another one, and all below the texts where there is no room.
func TestBrowserPanes(t *testing.T) {
	s, at, _ := previewDesk(t)
	s.call("POST", at+"/comments", obj{"text": "Which one?", "field": "slug"})
	b := s.openTab(at)
	shown := func(slug, seo, comments bool) {
		t.Helper()
		b.eventually(`["#f-slug", "[id='f-seo.title']", "#talk-panel"].map((e) => document.querySelector(e)?.checkVisibility() ?? false).join()`,
			fmt.Sprintf("%v,%v,%v", slug, seo, comments))
	}
	selected := `[...document.querySelectorAll("[role=tablist] [role=tab]")].filter((e) => e.ariaSelected === "true" && e.tabIndex === 0).map((e) => e.firstChild.data.trim()).join()`
	shown(true, false, false)
	b.eventually(`String(document.querySelectorAll("[role=tablist] [role=tab]").length)`, "4")
	b.press("//main", "SEO")
	shown(false, true, false)
	b.eventually(selected, "SEO")
	b.snap("pane-seo")
	b.audit(t, "the pane of SEO")
	b.press("//main", "Comments 1")
	shown(false, false, true)
	b.see("Which one?")
	b.eventually(selected, "Comments")
	b.snap("pane-comments")
	b.audit(t, "the pane of comments")

	// The comment leads to its field, in another pane.
	b.press("//*[@id='talk-panel']", "Slug")
	b.focused("f-slug")
	shown(true, false, false)

	// The versions, which follow what is saved. Each leads to its page.
	b.press("//div[@class='views']", "History")
	shown(false, false, false)
	b.eventually(selected, "History")
	versions := "String(document.querySelectorAll('#history-panel .versions a').length)"
	b.eventually(versions, "1")
	b.snap("pane-history")
	b.audit(t, "the pane of versions")
	b.fill("title", "Lamps and light")
	b.keys(kb.Tab)
	b.eventually(versions, "2")
	// The preview takes their place, so that they cover no button.
	b.press("//div[contains(@class, 'entry-bar')]", "Preview beside")
	b.eventually(selected, "Details")
	b.press("//div[contains(@class, 'entry-bar')]", "Preview beside")
	b.press("//div[@class='views']", "History")
	b.eventually(versions, "2")
	b.click("(//*[@id='history-panel']//a)[last()]")
	b.see("What this version changed")
	b.open(at)
	shown(true, false, false)

	// By keys: arrows move, Enter and Space choose.
	eval[bool](b, `document.querySelector("[role=tab][tabindex='0']").focus(), true`)
	b.keys(kb.ArrowLeft + kb.ArrowLeft + kb.Enter)
	shown(false, true, false)
	b.eventually("document.activeElement.textContent", "SEO")
	b.keys(kb.ArrowRight + kb.ArrowRight + " ")
	shown(true, false, false)

	// A link to a field shows its pane.
	b.open("/")
	b.open(at + "#f-seo.title")
	shown(false, true, false)
	b.focused("f-seo.title")

	b.do(chromedp.EmulateViewport(390, 844))
	b.open("/")
	b.open(at + "#f-seo.title")
	shown(true, true, false)
	b.open(at + "/edit")
	b.do(chromedp.EmulateViewport(1000, 800))
	b.press("//div[@class='views']", "History")
	b.see("What this version changed")

	b.withoutScripts()
	b.do(chromedp.EmulateViewport(1280, 900))
	b.open(at)
	b.press("//main", "SEO")
	shown(true, true, false)
}
