package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestBrowserRelated makes a related entry in the dialog of its field; it is chosen and saved.
func TestBrowserRelated(t *testing.T) {
	s, at, b := openDesk(t)
	b.do(mouseClick(chromedp.CSS("#f-data\\.related button[data-source]")))
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

// TestBrowserChoiceWhileSaved chooses entries while the first save of a new entry replaces its form: with the dialog
// open before and after, and while the answer is on its way. Each choice stays, and the focus returns to the button.
func TestBrowserChoiceWhileSaved(t *testing.T) {
	s, at := desk(t)
	list := at[:strings.LastIndex(at, "/")]
	for _, slow := range []bool{false, true} {
		b := s.openTab(list + "/create?locale=en")
		eval[bool](b, "window.kept = save, save = async () => {}, true") // not before the dialog is open
		b.fill("title", "Oil lamps")
		b.focus("button[value='pick data.related']")
		b.keys(kb.Enter)
		b.do(chromedp.WaitVisible(chromedp.CSS("dialog.picker .choice")))
		if slow {
			s.delay.Store(patience.Milliseconds())
		}
		eval[bool](b, "save = window.kept, save(), true")
		if !slow {
			b.eventually(`String(location.pathname.endsWith("/create"))`, "false")
		}
		b.do(mouseClick(chromedp.CSS("dialog.picker .choice")))
		b.eventually(`document.querySelector("dialog.picker .choice").ariaPressed`, "true")
		b.press("//dialog", "Done")
		s.delay.Store(0)
		b.eventually(`String(location.pathname.endsWith("/create"))`, "false")
		b.eventually(`document.activeElement.value ?? document.activeElement.localName`, "pick data.related")
		b.eventually(`String(document.querySelectorAll("[id='f-data.related'] ul input:checked").length)`, "1")
		entry := strings.TrimPrefix(strings.TrimSuffix(eval[string](b, "location.pathname"), "/edit"), "/admin")
		b.until("the choice is saved", func() bool { return fmt.Sprint(s.draftOf(entry)["related"]) != "<nil>" })
	}
}
