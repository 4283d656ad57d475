package browser

import (
	"fmt"
	"image/color"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserBlocksCopied copies blocks by keys and pastes them into another entry and another tab, with their rows and
// files. Only fields that take their type offer them.
func TestBrowserBlocksCopied(t *testing.T) {
	s, at := desk(t)
	picture := s.upload("sun.png", color.RGBA{230, 160, 40, 255})
	note := obj{"name": "note", "label": "Note", "type": "group", "fields": []obj{{"name": "text", "type": "textarea"}}}
	quote := obj{"name": "quote", "label": "Quote", "type": "group", "fields": []obj{
		{"name": "text", "type": "textarea"}, {"name": "picture", "type": "media"},
		{"name": "lines", "type": "list", "fields": []obj{{"name": "line", "type": "text"}}}}}
	s.call("PUT", "/models/posts", obj{"fields": []obj{{"name": "parts", "label": "Parts", "type": "blocks",
		"fields": []obj{quote, note}}}})
	s.call("PUT", at, obj{"data": obj{"parts": []obj{{"type": "note", "text": "n"}, {"type": "quote", "text": "q",
		"picture": picture, "lines": []obj{{"line": "one"}, {"line": "two"}}}}}})
	s.call("POST", "/models", obj{"slug": "pages", "name": "Pages", "fields": []obj{
		{"name": "parts", "label": "Parts", "type": "blocks", "fields": []obj{quote}},
		{"name": "notes", "label": "Notes", "type": "blocks", "fields": []obj{note}}}})
	page := fmt.Sprint("/models/pages/entries/",
		s.call("POST", "/models/pages/entries", obj{"title": "Home", "slug": "home", "status": "published"})["id"])
	is := func(b *tab, of, want string) {
		t.Helper()
		b.until("the draft of "+of+" has "+want, func() bool {
			var got []string
			data := s.draftOf(of)
			for _, field := range []string{"parts", "notes"} {
				blocks, _ := data[field].([]any)
				for _, block := range blocks {
					v := block.(obj)
					lines, _ := v["lines"].([]any)
					got = append(got, fmt.Sprintf("%v:%v%d%t", v["type"], v["text"], len(lines), v["picture"] == picture))
				}
			}
			return strings.Join(got, " ") == want
		})
	}

	b := s.openTab(at)
	b.eventually(quotes, "0n 1q")
	other := s.copyOf(b)
	other.open(page)
	other.see("Add Quote")
	b.do(chromedp.Focus(chromedp.CSS(row(1, "[aria-label^='Copy: ']"))))
	b.enter()
	b.see("Copied.")
	b.see("Paste block")
	b.audit(t, "a copied block")
	b.snap("copied")
	offers := `[...document.querySelectorAll(".paste")].map((e) => e.closest("fieldset").id + " " + e.textContent).join()`
	other.eventually(offers, "f-data.parts Paste block Quote") // in a tab that was open before
	other.do(chromedp.Focus(chromedp.CSS(".paste")))
	other.enter()
	other.see("Added.")
	is(other, page, "quote:q2true")
	other.eventually("document.activeElement.id", "f-data.parts.0")
	other.open(page)
	other.eventually(offers, "f-data.parts Paste block Quote")

	b.press("//main", "Copy all")
	other.eventually(offers, "f-data.parts Paste block Quote,f-data.notes Paste block Note")
	b.eventually(offers, "f-data.parts Paste blocks Note, Quote")
	b.do(chromedp.Focus(chromedp.CSS(row(0, "[aria-label^=Insert]"))))
	b.enter()
	b.press("//dialog", "Paste blocks Note, Quote")
	b.eventually(quotes, "0n 1q 2n 3q")
	is(b, at, "note:n0false quote:q2true note:n0false quote:q2true")
	b.eventually(`String((ids => ids.length - new Set(ids).size)([...document.querySelectorAll("[name$='._id']")]`+
		`.map((e) => e.closest("fieldset").parentElement.id + e.value)))`, "0")
	b.press("//body", "Undo") // of the whole paste
	b.eventually(quotes, "0n 1q")
	is(b, at, "note:n0false quote:q2true")
}
