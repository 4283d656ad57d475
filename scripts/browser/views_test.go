package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// savedViews keeps a list as a view of one's own, shares it, and deletes it.
func savedViews(t *testing.T, plain bool) {
	s, _ := desk(t)
	s.call("POST", "/models/posts/entries?draft=true", obj{"title": "Waits"})
	b := s.openTabWith(!plain, "/models/posts/entries?all=true")
	b.missing("Save this view")
	b.open("/models/posts/entries?filter%5Bstatus%5D=draft&sort=title&columns=minutes&columns=:changed")
	b.press("//main", "Save this view")
	b.fill("name", "My drafts")
	b.audit(t, "a view is saved")
	b.press("//main", "Save view")
	b.see("Saved.")
	b.eventually(`document.querySelector("[aria-label='Saved views'] [aria-current]").textContent`, "My drafts")
	b.open("/models/posts/entries?all=true")
	b.see("Lamps")
	b.press("//nav", "My drafts")
	b.see("Waits")
	b.missing("Lamps")
	b.see("Minutes")

	b.press("//main", "Save this view") // once more, for everybody
	b.do(mouseClick(chromedp.CSS("input[name=shared]")))
	b.press("//main", "Save view")
	b.see("Saved.")
	jonas := s.colleague("Jonas", "jonas@example.com")
	jonas.open("/models/posts/entries")
	jonas.press("//nav", "My drafts (shared)")
	jonas.see("Waits")
	jonas.missing("Delete view")

	b.press("//main", "Delete view")
	b.press("//details[@open]//form", "Delete view")
	b.see("Deleted.")
	b.missing("My drafts")
}

func TestBrowserViews(t *testing.T)               { savedViews(t, false) }
func TestBrowserViewsWithoutScripts(t *testing.T) { savedViews(t, true) }
