package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestBrowserLongTitle: a title takes as many lines as it needs, and is one line of text with and without scripts.
func TestBrowserLongTitle(t *testing.T) {
	s, at := desk(t)
	long := strings.TrimSpace(strings.Repeat("Why we oil the lamps ", 6))
	s.call("PUT", at, map[string]any{"title": long})
	s.call("PUT", at+"/draft", map[string]any{"data": map[string]any{"teaser": "Brighter"}})
	b := s.newTab()
	b.signIn(email)
	b.open(at)
	for _, width := range []int64{1280, 390, 320} {
		b.do(chromedp.EmulateViewport(width, 760))
		b.eventually(`(({ scrollHeight, offsetHeight }) => String(scrollHeight <= offsetHeight))(document.getElementById("f-title"))`,
			"true")
		for _, flaw := range eval[[]string](b, rowsOfControls) {
			t.Errorf("at %d px: %s", width, flaw)
		}
	}
	const atEnd = `document.getElementById("f-title").focus(), document.getElementById("f-title").selectionStart = 1e4`
	eval[int](b, atEnd)
	b.keys(" at home" + kb.Enter) // Enter saves, as in other inputs of one line
	b.see("Saved")
	b.until("the draft", func() bool { return s.call("GET", at+"/draft/edit", nil)["title"] == long+" at home" })
	plain := s.newTab()
	plain.withoutScripts()
	plain.signIn(email)
	plain.open(at)
	eval[int](plain, atEnd)
	plain.keys(kb.Enter + "every day")
	plain.press("//main", "Save")
	plain.see("Saved.")
	if got := s.call("GET", at+"/draft/edit", nil)["title"]; got != long+" at home every day" {
		t.Errorf("the title is %q", got)
	}
}

// TestBrowserTablesInChanges: history shows the tables of texts as tables, with what changed in a cell.
func TestBrowserTablesInChanges(t *testing.T) {
	s, at := desk(t)
	const table = "| Size | Price |\n| --- | --- |\n| Small | "
	s.call("PUT", at, map[string]any{"data": map[string]any{"body": table + "9 |"}})
	s.call("PUT", at, map[string]any{"data": map[string]any{"body": table + "12 |"}})
	b := s.newTab()
	b.signIn(email)
	b.open(at + "/revisions")
	b.eventually(`[...document.querySelectorAll(".diff td")].map((e) => e.innerText).join("/")`, "Size/Price/Small/912")
	b.do(chromedp.EmulateViewport(390, 760))
	b.look(t, "a table in the history")
}

// TestBrowserSmallThings: an empty calendar is low, the form that adds to a release begins in its first input, and
// help of a model has its own direction.
func TestBrowserSmallThings(t *testing.T) {
	s, at := desk(t)
	s.call("POST", "/models", map[string]any{"slug": "notes", "name": "Notes", "fields": []map[string]any{
		{"name": "text", "type": "text", "help": "Shown in lists."}}})
	b := s.newTab()
	b.signIn(email)
	b.open("/planned")
	b.eventually(`String(document.querySelector(".calendar td").offsetHeight < 48)`, "true")
	b.open(at)
	b.press("//main", "⋯")
	b.press("//main", "Add to release…")
	b.see("Name of a new release")
	b.focused("f-to")
	s.call("PUT", "/profile", map[string]any{"language": "ar"})
	b.open("/models/notes/entries/create")
	b.eventually(`[...document.querySelectorAll(".help")].find((e) => e.textContent === "Shown in lists.").dir`, "auto")
}
