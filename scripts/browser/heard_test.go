package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// lateRegions lists the live regions that scripts insert with their text, which readers of screens do not tell.
const lateRegions = `new MutationObserver((changes) => {
	if (document.readyState === "loading") return;
	for (const { addedNodes } of changes) for (const node of addedNodes) {
		const list = node.nodeType === 1 ? [node, ...node.querySelectorAll("*")] : [];
		for (const e of list) if (e.matches("[role=status], [aria-live]") && e.textContent.trim()) late.push(e.textContent);
	}
}).observe(document, { childList: true, subtree: true }); window.late = [];`

// heard is the text that readers of screens are told.
const heard = `document.querySelector("body > .hidden[role=status]").textContent`

// TestBrowserHeard: texts of scripts are heard, since their place is there before, in view or not.
func TestBrowserHeard(t *testing.T) {
	s, at := desk(t)
	b := s.newTab()
	b.broken.Store(true)
	b.inject(lateRegions)
	late := func() {
		t.Helper()
		for _, text := range eval[[]string](b, "late") {
			t.Errorf("inserted with its text: %s", text)
		}
	}
	b.signIn(email, "/models/posts/entries?all=true")
	b.audit(t, "list")
	b.eventually(heard, "")
	b.do(mouseClick(chromedp.CSS("tbody input[name=ids]")))
	b.eventually(heard, "1 row selected:")
	b.audit(t, "selected")
	b.do(mouseClick(chromedp.CSS("tbody input[name=ids]")))
	b.eventually(heard, "")
	late()

	b.open(at)
	b.see("Lamps")
	b.do(mouseClick(chromedp.CSS("[value='add data.parts quote']")))
	b.eventually(`document.querySelector(".undo[role=status] span")?.textContent ?? ""`, "Added.")
	s.down.Store(true)
	b.fill("data.teaser", "Typed in a tunnel")
	b.see("Offline: kept on this device")
	late()
	b.crash()
	s.down.Store(false)
	b.open(at)
	b.see("was not saved")
	b.eventually(heard+`.replace(/[\d:]+/, "…")`, "Text of … was not saved.")
	late()
}
