package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// cutOnPhone lists parts of the top of a page that a narrow window cuts: the hint of the search, and tabs. It also
// lists a title whose first line does not stand within the first 200 pixels.
const cutOnPhone = `(() => {
	scrollTo(0, 0);
	const flaws = [], field = document.querySelector(".find-all input"), style = getComputedStyle(field);
	const canvas = document.createElement("canvas").getContext("2d");
	canvas.font = style.font;
	const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
	if (canvas.measureText(field.placeholder).width > room) flaws.push("the search shows a part of " + field.placeholder);
	for (const bar of document.querySelectorAll("main .tabs ul")) if (bar.scrollWidth > bar.clientWidth) flaws.push("tabs are cut: " + bar.innerText);
	const title = document.querySelector("h1:not(.editing h1)")?.getBoundingClientRect();
	const crumbs = [...document.querySelectorAll("main .crumbs a")];
	if (crumbs.some((a) => a !== crumbs.at(-1) && a.scrollWidth > a.clientWidth + 1)) flaws.push("the first crumb is cut: " + crumbs[0].innerText);
	if (title && title.top > 170) flaws.push("the title begins at " + title.top);
	return flaws;
})()`

// TestBrowserTopOnPhone looks at the tops of pages on a phone, in each language, with long names of models and entries.
func TestBrowserTopOnPhone(t *testing.T) {
	s, at := desk(t)
	long := "Spring and summer catalogue of lamps for gardens, terraces and balconies"
	s.call("PUT", at, obj{"title": long})
	s.call("POST", "/forms", obj{"slug": "contact", "name": long,
		"fields": []obj{{"name": "message", "type": "textarea"}}})
	release := s.made("/releases", obj{"name": long, "items": []any{}})
	s.call("POST", "/models", obj{"slug": "pages", "name": "Pages", "tree": true, "url": "/{path}", "fields": []obj{}})
	top := s.made("/models/pages/entries", obj{"title": long, "status": "published"})
	id := at[strings.LastIndex(at, "/")+1:]
	b := s.openTab()
	b.do(chromedp.EmulateViewport(390, 844))
	for _, language := range []string{"en", "de", "fr", "es", "pt", "ja", "ar"} {
		s.call("PUT", "/profile", obj{"language": language})
		for _, path := range []string{at + "/revisions", at + "/duplicate", "/planned", "/forms/contact/submissions",
			"/releases/" + release + "/edit", "/models/pages/tree/move?id=" + top,
			"/models/posts/presets/create?entry=" + id, at + "?ok=published", "/models/posts/entries?ok=saved"} {
			b.open(path)
			for _, flaw := range eval[[]string](b, cutOnPhone) {
				t.Errorf("%s in %s: %s", path, language, flaw)
			}
			if path == "/planned" && eval[bool](b, `document.querySelector("main > .head").offsetHeight > 60`) {
				t.Errorf("in %s the head of what is planned has two lines", language)
			}
			b.snap(language + strings.NewReplacer("/", "_", "?", "_").Replace(path))
		}
	}
}

// cutChoices lists the filters that show only a part of their choice.
const cutChoices = `[...document.querySelectorAll(".filters select")].filter((select) => {
	if (!select.checkVisibility()) return false;
	const whole = select.cloneNode();
	whole.append(new Option(select.selectedOptions[0].text));
	whole.style.cssText = "position: absolute; width: auto; max-width: none";
	select.after(whole);
	const width = whole.offsetWidth;
	whole.remove();
	return width > select.offsetWidth + 1;
}).map((select) => select.selectedOptions[0].text)`

// TestBrowserFilterWords: filters show the whole of their choice in narrow windows, in each language.
func TestBrowserFilterWords(t *testing.T) {
	s, _ := desk(t)
	s.call("POST", "/locales", obj{"code": "de", "name": "German"})
	b := s.openTab()
	for _, language := range []string{"en", "de", "fr", "es", "pt", "ja", "ar"} {
		s.call("PUT", "/profile", obj{"language": language})
		for _, path := range []string{"/requests", "/media", "/health", "/activity", "/trash", "/planned",
			"/models/posts/entries"} {
			b.open(path)
			for _, width := range []int64{640, 390} {
				b.do(chromedp.EmulateViewport(width, 800))
				for _, cut := range eval[[]string](b, cutChoices) {
					t.Errorf("%s in %s at %d px shows a part of %q", path, language, width, cut)
				}
			}
		}
	}
}
