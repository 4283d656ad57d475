package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"headless/pkg/admin/say"
)

// films is a model with two tabs, a field at the side, and one that only videos have.
func films(t *testing.T) *site {
	t.Helper()
	s := newSite(t)
	s.call("POST", "/models", obj{"slug": "films", "name": "Films", "fields": []obj{
		{"name": "kind", "label": "Kind", "type": "select", "options": []string{"talk", "video"}, "column": "main"},
		{"name": "length", "label": "Length", "type": "number", "required": true, "column": "side",
			"shown_if": "kind", "shown_for": []string{"video"}},
		{"name": "credits", "label": "Credits", "type": "textarea", "required": true, "tab": "People"},
	}})
	return s
}

// TestBrowserLayout fills fields in tabs and one that depends on a choice.
func TestBrowserLayout(t *testing.T) {
	s := films(t)
	at := "/models/films/entries/" + s.made("/models/films/entries?draft=true",
		obj{"title": "Light", "data": obj{"length": 7}})
	b := s.openTab(at)
	b.see("People") // the tab
	b.missing("Credits")
	b.missing("Length")
	b.do(chromedp.SetValue(chromedp.CSS("[name='data.kind']"), "video"))
	b.see("Length")
	if got := b.value("data.length"); got != "7" {
		t.Errorf("the length is %q: a field that is not shown lost its value", got)
	}
	b.press("//main", "Publish") // refused for a field in the other tab
	b.see("Credits: is required")
	b.see("1 mistake")
	b.missing("Credits *")
	b.audit(t, "tabs")
	b.press("//main", "Credits: is required")
	b.focused("f-data.credits")
	b.missing("Kind")
	b.keys("Ada")
	b.audit(t, "second tab")
	b.do(mouseClick(chromedp.CSS(".form-tabs [aria-selected=true]")))
	b.keys("\u001b")
	eval[bool](b,
		`document.querySelector(".form-tabs [aria-selected=true]").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }))`)
	b.see("Kind")
	b.press("//main", "Publish")
	b.see("Published:")
}

// TestBrowserLayoutWithoutScripts sees all fields at once: what depends on others is not lost.
func TestBrowserLayoutWithoutScripts(t *testing.T) {
	b := films(t).openPlainTab("/models/films/entries/create")
	b.see("Credits")
	b.see("Length")
	b.fill("title", "Light")
	b.fill("data.credits", "Ada")
	b.press("//main", "Publish") // no length: only videos require it
	b.see("Published:")
}

// TestBrowserLayoutInModel arranges a field in the form of the model.
func TestBrowserLayoutInModel(t *testing.T) {
	s := films(t)
	b := s.openPlainTab("/models/films/edit")
	if got := b.value("fields.1.shown_if"); got != "kind" {
		t.Errorf("the condition is shown as %q", got)
	}
	eval[bool](b, `document.querySelectorAll("details").forEach((d) => { d.open = true }), true`)
	b.fill("fields.1.tab", "Film")
	b.fill("fields.1.shown_if", "")
	b.fill("fields.1.shown_for", "")
	b.press("//main", "Save")
	b.see("Saved.")
	field := s.call("GET", "/models/films", nil)["fields"].([]any)[1].(obj)
	if field["tab"] != "Film" || field["column"] != "side" || field["shown_if"] != nil {
		t.Errorf("the model has %v", field)
	}
}

// TestBrowserRowsOfControls: controls of one row stand on one line, and an empty calendar is not shown on a phone.
func TestBrowserRowsOfControls(t *testing.T) {
	s, at := desk(t)
	b := s.openTab()
	const tops = `String(new Set([...document.querySelectorAll(%q)].filter((e) => e.checkVisibility()).map((e) => {
		const { top, height } = e.getBoundingClientRect();
		return Math.round(top + height / 2);
	})).size)`
	b.open(at)
	b.writesMarkdown("data.body")
	b.eventually(fmt.Sprintf(tops, ".markdown-bar:not(.of-table) > button"), "1")
	b.open("/models/posts/entries?all=true")
	b.eventually(fmt.Sprintf(tops,
		".filters > button, .filters > details > summary, .filters > .field > :is(input, select)"), "1")
	b.do(chromedp.EmulateViewport(390, 760))
	b.open("/planned")
	b.see("Nothing is planned")
	b.eventually(`String(document.querySelector(".calendar").checkVisibility())`, "false")
}

// TestBrowserMessagesBelowHead: the head of a page stays in its place when a message comes, which stands below it.
func TestBrowserMessagesBelowHead(t *testing.T) {
	s, at := desk(t)
	b := s.openTab()
	for _, width := range []int64{390, 1440} {
		b.do(chromedp.EmulateViewport(width, 900))
		for _, path := range []string{"/", "/models/posts/entries", at, "/models/posts/edit", "/media"} {
			b.open(path + "?ok=saved")
			b.see("Saved.")
			if !eval[bool](b, `document.querySelector("main > :is(.head, .entry-bar)").getBoundingClientRect().bottom <=
				document.querySelector("main > .notice").getBoundingClientRect().top`) {
				t.Errorf("the message of %s stands above the head at %d px", path, width)
			}
		}
	}
}

// TestBrowserRowsAreLow: a row of a list is 36 pixels high, with its marks and its date on one line each, also on a
// screen of 1,024 pixels.
func TestBrowserRowsAreLow(t *testing.T) {
	s, _ := desk(t)
	b := s.openTab()
	b.do(chromedp.EmulateViewport(1024, 760))
	for _, language := range []string{"en", "de", "fr", "ja", "ar"} {
		s.call("PUT", "/profile", obj{"language": language})
		b.open("/models/posts/entries?all=true")
		b.eventually("`"+language+": ${document.querySelector('tbody tr')?.offsetHeight}`", language+": 36")
	}
}

// TestBrowserRowsOnPhone: a row of a list on a phone has the title and the box to select it on one line, and what
// else it shows beside one another below. A filter is not wider than its place.
func TestBrowserRowsOnPhone(t *testing.T) {
	s, _ := desk(t)
	b := s.openTab()
	b.do(chromedp.EmulateViewport(390, 844))
	for _, language := range []string{"en", "de", "ar"} {
		s.call("PUT", "/profile", obj{"language": language})
		b.open("/models/posts/entries?all=true")
		b.eventually(`String(document.querySelector("tbody tr").offsetHeight <= 130)`, "true")
		b.eventually(`String(Math.abs(document.querySelector("td.tick").getBoundingClientRect().top -
			document.querySelector("td.first").getBoundingClientRect().top) < 16)`, "true")
		for _, path := range []string{"/models/posts/entries?all=true", "/activity", "/requests", "/media"} {
			b.open(path)
			b.eventually(`String([...document.querySelectorAll(".filters > .field > select")].filter((select) =>
				select.getBoundingClientRect().width > select.parentElement.getBoundingClientRect().width).length)`, "0")
			b.eventually("String(document.documentElement.scrollWidth)", "390")
		}
	}
}

// TestBrowserBarsAreLow: beside the menu, the bar above an entry and the filters above a list have one row,
// however long the title and the words of the language are.
func TestBrowserBarsAreLow(t *testing.T) {
	s, at := desk(t)
	s.call("PUT", at, obj{
		"title": "Why we oil and never varnish the lamps of our grandmothers, and what that " +
			"means for all who buy one of them in a shop today"})
	s.call("PUT", at+"/draft", obj{"data": obj{"teaser": "Brighter"}})
	s.call("POST", at+"/comments", obj{"text": "How bright?"})
	b := s.openTab(at)
	b.eventually("String(document.querySelector('.entry-bar h1').title === document.querySelector('.entry-bar "+
		"h1').textContent)",
		"true") // the whole of what is cut
	for _, path := range []string{at, at + "/revisions", "/models/posts/edit", "/planned"} {
		b.open(path)
		b.eventually(`String([document.querySelector("h1"), ...document.querySelectorAll(".crumbs")].every((e) => e.getBoundingClientRect().bottom < 60))`,
			"true") // nothing stands above the bar, and the way to the page stands in it
	}
	for _, l := range say.Languages {
		language := l.Code
		s.call("PUT", "/profile", obj{"language": language})
		for _, bar := range []struct {
			path, of  string
			from, low int // the narrowest screen, the most pixels
		}{{at, ".entry-bar", 1000, 60}, {"/models/posts/entries?all=true", ".filters", 1150, 40},
			{"/media", ".filters", 1150, 40},
			{"/activity", ".filters", 1150, 40}, {"/requests", ".filters", 1150, 40}} {
			b.open(bar.path)
			for _, width := range []int{bar.from, 1280, 1440} {
				b.do(chromedp.EmulateViewport(int64(width), 760))
				b.eventually(fmt.Sprintf("`%s at %s, %d: ${document.querySelector(%q)?.offsetHeight <= %d}`", language, bar.path,
					width, bar.of, bar.low),
					fmt.Sprintf("%s at %s, %d: true", language, bar.path, width))
			}
		}
	}
}
