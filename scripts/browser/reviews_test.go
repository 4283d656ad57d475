package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// tick selects the rows of a list by their titles.
func (b *tab) tick(titles ...string) {
	b.t.Helper()
	for _, title := range titles {
		b.do(chromedp.Click(chromedp.Search(fmt.Sprintf(`//tr[contains(., %q)]//input`, title))))
	}
}

// TestBrowserSeveralReviews asks for the review of three entries without scripts. A colleague approves
// one, is told why another is refused, and sends the third back.
func TestBrowserSeveralReviews(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/models", map[string]any{"slug": "posts", "name": "Posts", "review": 1})
	var third string
	for _, title := range []string{"First", "Second", "Third"} {
		third = s.call("POST", "/models/posts/entries", map[string]any{"title": title})["id"].(string)
	}
	jonas := s.colleague("Jonas", "jonas@example.com")
	b := s.newTab()
	b.withoutScripts()
	b.signIn()
	b.open("/models/posts/entries")
	b.press("//form", "Ask for review…")
	b.see("Nothing was selected.")
	b.tick("First", "Second", "Third")
	b.press("//form", "Ask for review…")
	b.see("Second (en, version 1, not asked)")
	b.do(chromedp.Click(chromedp.Search(`//label[contains(., "Jonas")]//input`)))
	b.fill("note", "For Monday")
	b.audit(t, "ask for several reviews")
	b.press("//main", "Ask for review")
	b.see("Saved.")

	jonas.open("/models/posts/entries?filter%5Breview%5D=requested")
	jonas.tick("First", "Second")
	jonas.press("//form", "Approve…")
	jonas.see("Second (en, version 1, in review)")
	second := `//label[contains(., "Second")]//a`
	jonas.eventually(fmt.Sprintf(`String(document.evaluate(%q, document).iterateNext().href.endsWith("/review"))`, second),
		"true")
	s.call("PUT", "/models/posts/entries/"+entryID(jonas, second), map[string]any{"title": "Second, again"})
	jonas.press("//main", "Approve")
	jonas.see("Approve: 1 of 2")
	jonas.see("This is not the present version.")
	jonas.audit(t, "refused reviews")
	jonas.press("//main", "Back to the list")
	jonas.tick("Third")
	jonas.press("//form", "Send back…")
	jonas.press("//main", "Send back")
	jonas.see("is required")
	jonas.fill("note", "Too long")
	jonas.press("//main", "Send back")
	jonas.see("Saved.")
	if state := s.call("GET", "/models/posts/entries/"+third+"/review", nil)["state"]; state != "returned" {
		t.Errorf("the third is %v", state)
	}
}

// entryID is the id in the address of an entry's review that a link has.
func entryID(b *tab, link string) string {
	b.t.Helper()
	return eval[string](b, fmt.Sprintf(`document.evaluate(%q, document).iterateNext().href.split("/").at(-2)`, link))
}
