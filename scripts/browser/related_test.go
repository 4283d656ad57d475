package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserRelated makes a related entry in the dialog of its field; it is chosen and saved.
func TestBrowserRelated(t *testing.T) {
	s, at, b := openDesk(t)
	b.do(chromedp.Click(chromedp.CSS("#f-data\\.related button[data-source]")))
	b.see("Lamps")
	b.press("//dialog", "New entry")
	b.see("Complete and publish it later")
	b.audit(t, "new related entry")
	b.enter() // without a title
	b.see("Complete and publish it later")
	b.keys("Shades")
	b.enter()
	b.eventually(`document.querySelector("#f-data\\.related .choices .what")?.textContent ?? ""`, "Shades")
	b.eventually(`String(document.querySelector("dialog"))`, "null")
	b.see("Saved ")
	b.until("the draft has the entry", func() bool {
		ids, _ := s.draftOf(at)["related"].([]any)
		if len(ids) != 1 {
			return false
		}
		made := s.call("GET", "/models/posts/entries/"+ids[0].(string), nil)
		return made["title"] == "Shades" && made["status"] == "draft" && made["locale"] == "en"
	})
}
