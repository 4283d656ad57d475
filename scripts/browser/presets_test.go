package browser

import (
	"image/color"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserPresets saves a block as a preset and inserts it elsewhere, and begins an entry with a template, by keys
// where one types.
func TestBrowserPresets(t *testing.T) {
	s, at, b := blocks(t)
	s.upload("sun.png", color.RGBA{230, 160, 40, 255})
	b.do(chromedp.Focus(chromedp.CSS(row(1, "[value^='more ']"))))
	b.enter()
	b.focused("f-data.parts.1._preset.name")
	b.keys("Greeting")
	b.press(`//*[@id="f-data.parts.1._preset.image"]`, "Choose a file: Picture")
	b.press("//dialog", "sun.png")
	b.audit(t, "the panel of a preset")
	b.snap("panel")
	b.do(chromedp.Focus(chromedp.CSS("[name='data.parts.1._preset.name']")))
	b.enter()
	b.see("Saved as the preset “Greeting”.")
	b.eventually("document.activeElement.id", "f-data.parts.1")
	b.do(chromedp.Focus(chromedp.CSS(row(0, "[aria-label^=Insert]"))))
	b.enter()
	b.see("Insert before 1. Quote")
	b.eventually(`String(document.querySelector("dialog .thumb")?.naturalWidth > 0)`, "true")
	b.audit(t, "the chooser")
	b.snap("chooser")
	b.press("//dialog", "GreetingQuote")
	b.eventually(quotes, "0b 1a 2b 3c")
	b.eventually("document.activeElement.name", "data.parts.0.text")
	b.until("the draft has the block", func() bool {
		parts, _ := s.draftOf(at)["parts"].([]any)
		return len(parts) == 4
	})
	b.eventually(`document.getElementById("save-state").textContent.split(" ")[0]`, "Saved")

	b.open(at)
	b.do(mouseClick(chromedp.CSS(".entry-bar .more > summary")))
	b.press("//main", "Use as template")
	b.audit(t, "the form of a template")
	b.fill("name", "Hello")
	b.enter()
	b.see("Created.")
	b.audit(t, "a template")
	b.open("/models/posts/presets")
	b.audit(t, "presets")
	b.open("/models/posts/entries/create")
	b.press("//main", "Hello")
	b.eventually(quotes, "0b 1a 2b 3c")
	b.focused("f-title")
	b.audit(t, "a new entry by a template")

	b.do(chromedp.Focus(chromedp.CSS(row(3, "[value^='more ']"))))
	b.enter()
	b.focused("f-data.parts.3._preset.name")
	b.fill("title", "From a template")
	b.fill("data.parts.3._preset.name", "Last")
	eval[bool](b, "save(), true") // begins no entry, whose form would have no panel
	b.eventually(`document.querySelector("#entry[data-new] [name='data.parts.3._preset.name']").value`, "Last")
	b.do(chromedp.Focus(chromedp.CSS("[name='data.parts.3._preset.name']")))
	b.enter()
	b.see("Saved as the preset “Last”.")
	b.eventually(`String(document.querySelector("#entry[data-draft]") !== null)`, "true")
}
