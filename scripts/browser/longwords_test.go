package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserLongWords opens pages on a phone whose models, fields, titles and menus are long words without a space, or
// in Arabic: none scrolls sideways, and nothing in them lies over something else or is cut while there is room.
func TestBrowserLongWords(t *testing.T) {
	s := newSite(t)
	word := strings.Repeat("Donaudampfschifffahrtskapitän", 7)
	const arabic = "نص طويل جدًا (lamp) يجب أن يظهر من اليمين إلى اليسار"
	s.call("POST", "/models", obj{"slug": "posts", "name": word[:100], "fields": []obj{
		{"name": "teaser", "label": word[:60], "type": "text"}, {"name": "body", "type": "richtext"},
		{"name": "parts", "type": "blocks", "fields": []obj{{"name": "quote", "label": word[:60], "type": "group",
			"fields": []obj{{"name": "text", "type": "textarea"}}}}}}})
	s.call("POST", "/models", obj{"slug": "pages", "name": "Pages", "tree": true, "url": "/{path}", "fields": []obj{
		{"name": "related", "type": "relation", "model": "posts", "many": true}}})
	post := func(title string) string {
		return s.made("/models/posts/entries", obj{"title": title, "status": "published",
			"data": obj{"teaser": title, "body": title, "parts": []obj{{"type": "quote", "text": title}}}})
	}
	posts := []string{post(word[:200]), post(arabic)}
	top := s.made("/models/pages/entries", obj{"title": word[:120], "status": "published", "data": obj{"related": posts}})
	release := s.made("/releases", obj{"name": word[:200], "items": []obj{
		{"model": "posts", "id": posts[0], "action": "publish"}}})
	at := "/models/posts/entries/" + posts[0]
	s.call("POST", at+"/comments", obj{"text": word, "field": "data.teaser", "quote": word[:80]})
	s.call("PUT", at+"/draft", obj{"title": arabic})
	s.call("POST", "/menus", obj{"slug": "main", "name": word[:90], "items": obj{"en": []obj{{"label": word[:90],
		"href": "/" + strings.Repeat("path", 20), "children": []obj{{"label": arabic, "href": "/x"}}}}}})
	s.call("POST", "/forms", obj{"slug": "contact", "name": word[:90],
		"fields": []obj{{"name": "message", "label": word[:70], "type": "textarea"}}})
	s.call("POST", "/roles", obj{"slug": "readers", "name": word[:90],
		"rules": []obj{{"actions": []string{"read"}, "models": []string{"posts"}}}})
	b := s.openTab()
	b.do(chromedp.EmulateViewport(390, 844))
	for _, language := range []string{"en", "ar"} {
		s.call("PUT", "/profile", obj{"language": language})
		for _, path := range []string{"/", "/models", "/models/posts", "/models/posts/edit", "/models/posts/entries?all=true",
			"/models/posts/entries/create", at, at + "/draft", at + "/revisions", at + "/review", at + "/comments",
			at + "/preview", "/models/posts/entries/" + posts[1], "/models/pages/tree", "/models/pages/tree/move?id=" + top,
			"/models/pages/entries/" + top, "/releases", "/releases/" + release, "/releases/" + release + "/edit", "/planned",
			"/menus/main", "/menus/main/edit", "/forms/contact", "/forms/contact/edit", "/forms/contact/submissions",
			"/roles/readers", "/roles/readers/edit", "/activity", "/search?q=donau"} {
			b.open(path)
			if width := eval[int](b, "document.documentElement.scrollWidth"); width > 390 {
				t.Errorf("%s in %s is %d pixels wide", path, language, width)
			}
			if path == at {
				b.eventually("String(document.querySelectorAll('.talk').length)", "1")
			}
			for _, flaw := range eval[[]string](b, crowded) {
				t.Errorf("%s in %s: %s", path, language, flaw)
			}
			b.snap(fmt.Sprint("long-", language, strings.NewReplacer("/", "_", "?", "_", at, "post").Replace(path)))
		}
	}
}

// crowded lists the labels that lie under the button with their comments, the filters whose chosen value has less room
// than their chip, and the rows of lists whose cells stand beside each other at different heights.
const crowded = `[
	...[...document.querySelectorAll(".talk")].filter((talk) => {
		const words = document.createRange();
		words.selectNodeContents(talk.parentElement.querySelector("label"));
		const box = talk.getBoundingClientRect();
		return [...words.getClientRects()].some((r) => r.left < box.right && r.right > box.left && r.top < box.bottom && r.bottom > box.top);
	}).map((talk) => "a label lies under " + talk.textContent),
	...[...document.querySelectorAll(".filters > div.field > select")].filter((e) => {
		const [own, chip] = [e, e.parentElement].map((box) => box.getBoundingClientRect());
		return Math.max(chip.right - own.right, own.left - chip.left) > 20 + e.labels[0].offsetWidth;
	}).map((e) => "there is more room for the filter " + e.name),
	...[...document.querySelectorAll("tbody tr")].filter((row) => {
		const cells = [...row.querySelectorAll("td:not(.first, .tick, .buttons, [colspan])")].filter((cell) => cell.checkVisibility());
		const tops = cells.map((cell) => {
			const word = cell.insertBefore(Object.assign(document.createElement("span"), { textContent: "x" }), cell.firstChild);
			word.style.fontSize = "var(--text-s)"; // as labels
			const { top } = word.getBoundingClientRect();
			word.remove();
			return top;
		});
		return tops.some((top, i) => Math.abs(top - tops[i - 1]) > .6 && Math.abs(top - tops[i - 1]) < 10);
	}).map((row) => "one line of a row has two base lines: " + row.innerText),
]`
