package browser

import (
	"strings"
	"testing"
)

// TestBrowserResult types the texts for search engines and sees what readers will see of them.
func TestBrowserResult(t *testing.T) {
	_, _, b := openDesk(t)
	b.write("data.body", "# Top")
	b.see("Saved ")
	b.press("//main", "SEO")
	b.see("Search result")
	shown := func(what, want string) {
		t.Helper()
		b.eventually(`document.querySelector(".result `+what+`").innerText.trim()`, want)
	}
	shown(".checks li", "Text: “Top” is a heading of level 1, which the title of the page has.")
	shown("[data-of=title]", "Lamps")
	shown("li", "Title 5 / 60")
	shown("li + li", "Description 0 / 160 missing")
	long := strings.Repeat("a", 61)
	b.fill("seo.title", long)
	b.fill("seo.description", "All about lamps")
	shown("[data-of=title]", long)
	shown("li", "Title 61 / 60 too long")
	shown("[data-of=text]", "All about lamps")
	shown("li + li", "Description 15 / 160")
	const moved = `String(performance.getEntriesByType("resource").reduce((n, e) => n + e.transferSize, 0) < 3000)`
	eval[bool](b, "performance.clearResourceTimings(), true")
	b.check("seo.noindex", "true")
	shown(".checks li", "Search engines are asked to leave this entry out.")
	b.eventually(moved, "true")
	b.audit(t, "search result")
	eval[bool](b, `document.querySelector(".result").scrollIntoView({ block: "end" }), true`)
	b.snap("search result")
}
