package browser

import (
	"strings"
	"testing"
)

// arabic starts the Arabic translation of an entry without texts, and opens it beside the original.
func (b *tab) arabic(at string) {
	b.t.Helper()
	b.open(at)
	b.press("//nav[@aria-label='Languages']", "العربية missing")
	b.press("//nav[@aria-label='Languages']", "Start empty")
	b.see("Created.")
}

// sideBySide translates field by field, and sees what became of the original since.
func sideBySide(t *testing.T, plain bool) {
	s, at := desk(t)
	s.call("PUT", at, obj{"data": obj{"parts": []any{obj{"type": "quote", "text": "So said Ada."}}}})
	b := s.openTabWith(!plain)
	b.arabic(at)
	b.see("About light.")       // the original beside its field
	b.see("text: So said Ada.") // in words, not as JSON
	if got := b.value("data.teaser"); got != "" {
		t.Errorf("the teaser began as %q", got)
	}
	b.fill("title", "Lampen")
	b.press("//main", "Use this text")
	b.eventually(`document.querySelector("main [name='title']").value`, "Lamps")
	b.fill("data.teaser", "Kurz")
	b.press("//main", "Fill empty fields")
	b.eventually(`document.querySelector("main [name='data.body']").value`, "About *light*.")
	b.eventually(`document.querySelector("main [name='data.parts.0.text']")?.value ?? ""`, "So said Ada.")
	if got := b.value("data.teaser"); got != "Kurz" {
		t.Errorf("the step put %q over what was written", got)
	}
	b.press("//main", "Save")
	b.see("Saved")
	b.see("Close side by side")
	b.audit(t, "side by side")

	s.call("PUT", at, obj{"data": obj{"teaser": "Shorter still"}})
	b.open(strings.TrimPrefix(eval[string](b, "location.pathname+location.search"), "/admin"))
	b.see("Changed since")
	if n := eval[int](b, `document.querySelectorAll(".original .badge.warn").length`); n != 1 {
		t.Errorf("%d fields are marked as changed, one was", n)
	}
	b.press("//main", "Close side by side")
	b.see("Outdated")
}

func TestBrowserSideBySide(t *testing.T)               { sideBySide(t, false) }
func TestBrowserSideBySideWithoutScripts(t *testing.T) { sideBySide(t, true) }

// TestBrowserNewInLocale begins an entry from a list of one locale: it is in that locale.
func TestBrowserNewInLocale(t *testing.T) {
	s, _ := desk(t)
	b := s.openTab("/models/posts/entries?filter%5Blocale%5D=ar")
	b.press("//main", "New entry")
	b.see("New entry")
	b.eventually(`document.querySelector("main [name=locale]")?.value ?? ""`, "ar")
}
