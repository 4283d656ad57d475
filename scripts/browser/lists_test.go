package browser

import (
	"encoding/csv"
	"fmt"
	"image/color"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// lists is a site with a localized model, pictures, drafts and translations.
func lists(t *testing.T) *site {
	s := newSite(t)
	s.call("POST", "/locales", obj{"code": "de", "name": "German"})
	s.call("POST", "/models", obj{"slug": "authors", "name": "Authors"})
	s.call("POST", "/models", obj{"slug": "posts", "name": "Posts", "localized": true,
		"fields": []obj{
			{"name": "cover", "label": "Cover", "type": "media"},
			{"name": "day", "label": "Day", "type": "date"},
			{"name": "topic", "label": "Topic", "type": "select", "options": []string{"oil", "light"}},
			{"name": "author", "label": "Author", "type": "relation", "model": "authors"},
		}})
	author := s.call("POST", "/models/authors/entries", obj{"title": "Ada Lovelace"})["id"]
	cover := s.upload("lamp.png", color.RGBA{200, 120, 90, 255})
	for i := range 4 {
		s.call("POST", "/models/posts/entries", obj{"title": fmt.Sprintf("Draft %d", i),
			"data": obj{
				"cover": cover, "day": fmt.Sprintf("2026-01-0%d", 4-i),
				"topic": []string{"oil", "light"}[i%2], "author": author,
			}})
	}
	first := s.call("POST", "/models/posts/entries", obj{"title": "Live post", "status": "published"})["id"]
	s.call("POST", "/models/posts/entries", obj{"title": "Lampen", "locale": "de", "translation_of": first})
	return s
}

// TestBrowserLongCSV downloads a list whose CSV file comes in parts: it is whole, with one row of names.
func TestBrowserLongCSV(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/models", obj{"slug": "posts", "name": "Posts",
		"fields": []obj{{"name": "text", "type": "textarea"}}})
	const entries = 501 // of which 500 are more than a part holds
	for i := range entries {
		s.call("POST", "/models/posts/entries", obj{"title": fmt.Sprint("Post ", i),
			"data": obj{"text": strings.Repeat("word\n", 2000)}})
	}
	b := s.openTab("/models/posts/entries")
	eval[bool](b, `URL.createObjectURL = (file) => { file.text().then((text) => { window.text = text; }); return "#"; }, true`)
	b.press("//main", "⋯")
	b.press("//main", "Download CSV")
	b.until("the file", func() bool { return eval[bool](b, "'text' in window") })
	text := eval[string](b, "text")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) != entries+1 {
		t.Fatalf("%d rows (%v)", len(rows), err)
	}
	seen := map[string]bool{}
	for _, row := range rows {
		seen[row[0]] = true
	}
	if len(seen) != entries+1 {
		t.Errorf("%d rows differ", len(seen))
	}
}

// titles are the first cells of the list on the page.
func (b *tab) titles() string {
	b.t.Helper()
	return eval[string](b, `[...document.querySelectorAll("td.first")].map(c => c.innerText.trim()).join(", ")`)
}

// language chooses the language of the list on the page.
func (b *tab) language(code string) {
	b.t.Helper()
	b.do(chromedp.SetValue(chromedp.CSS("[name='filter[locale]']"), code))
	b.do(chromedp.Submit(chromedp.CSS("[name='filter[locale]']")))
}

func listRound(t *testing.T, b *tab) {
	b.press("//nav", "Posts")
	b.see("Drafts 4")
	b.see("Published 1")
	b.press("//main", "Columns")
	for _, name := range []string{"author", "day"} {
		b.check("columns", name)
	}
	b.press("//main", "Show these columns")
	b.see("Ada Lovelace")
	b.press("//th", "Day")
	b.eventually(`document.querySelector("th[aria-sort]")?.getAttribute("aria-sort")`, "ascending")
	b.press("//nav", "Drafts 4")
	b.do(chromedp.WaitVisible(chromedp.CSS(`.tabs [aria-current][href*="draft"]`)))
	if got := b.titles(); !strings.HasSuffix(got, "Draft 3, Draft 2, Draft 1, Draft 0") &&
		!strings.HasPrefix(got, "Draft 3, Draft 2, Draft 1, Draft 0") {
		t.Errorf("sorted by day the drafts are %s", got)
	}
	b.press("//nav", "Trash")
	b.see("The trash is empty")
	b.press("//nav", "Posts") // as it was left
	b.do(chromedp.WaitVisible(chromedp.CSS(`.tabs [aria-current][href*="draft"]`)))
	b.see("Ada Lovelace")
	b.audit(t, "list")
	b.press("//main", "Clear filters")
	b.see("Live post")
	b.missing("Lampen")
	b.language("any")
	b.see("Lampen")
}

// TestBrowserList sorts, filters and chooses columns, and finds them again after leaving.
func TestBrowserList(t *testing.T) {
	b := lists(t).openTab()
	listRound(t, b)
	if got := eval[string](b,
		`[...document.querySelectorAll("tr")].find(r => r.innerText.includes("Lampen")).querySelector(".marks").innerText.replace(/\s+/g, " ").trim()`); got != "EN English: published" {
		t.Errorf("the marks of the translations say %q", got)
	}
	b.press("//nav", "Drafts 5")
	b.do(mouseClick(chromedp.CSS("input[data-all]")))
	b.see("5 rows selected")
	b.press("//form", "Publish")
	b.see("Publish: 5 of 5")
	b.see("5 become visible")
	b.snap("job-result")
	b.audit(t, "job")
	b.press("//main", "Undo")
	b.see("Undo: 5 of 5")
	b.press("//main", "Back to the list")
	b.see("Drafts 5")
	b.do(mouseClick(chromedp.CSS("input[data-all]")))
	b.press("//form[@id='bulk']", "⋯")
	b.press("//form", "Delete")
	b.see("Delete: 5 of 5")
	b.press("//main", "Undo")
	b.see("Restore: 5 of 5")
}

func TestBrowserListWithoutScripts(t *testing.T) {
	b := lists(t).openPlainTab()
	listRound(t, b)
	b.press("//form", "Publish")
	b.see("Nothing was selected.")
	b.tick("Draft 1")
	b.press("//form", "Publish")
	b.see("of 1")
	b.press("//main", "Back to the list")
	b.see("Posts")
}

// TestBrowserAddToRelease adds selected drafts to a new release and another one to the same release
// from its page: entries are shown by their titles.
func TestBrowserAddToRelease(t *testing.T) {
	s := lists(t)
	b := s.openPlainTab("/models/posts/entries")
	b.tick("Draft 1", "Draft 2")
	b.press("//form", "Add to release…")
	b.see("Name of a new release") // the list has the titles, too
	b.see("Draft 1")
	b.audit(t, "add to release")
	b.press("//main", "Add")
	b.see("Name: is required") // keeps the entries
	b.fill("name", "Spring")
	b.press("//main", "Create release")
	b.see("Spring")
	b.see("Draft 2")
	id := s.made("/models/posts/entries", obj{"title": "Third"})
	b.open("/models/posts/entries/" + id)
	b.do(mouseClick(chromedp.CSS(".more > summary")))
	b.press("//main", "Add to release…")
	b.press("//main", "Add")
	b.see("Third")
	b.see("Draft 1")
	b.press("//main", "Edit")
	b.see("Draft 2")
	b.audit(t, "edit release")
}

// TestBrowserBulkMenu opens the menu of the bar for selected entries by keys: on a desk, on a phone and with text of
// twice the size, its actions are in view. It works without scripts too.
func TestBrowserBulkMenu(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/models", obj{"slug": "posts", "name": "Posts"})
	for i := range 3 {
		s.call("POST", "/models/posts/entries", obj{"title": fmt.Sprint("Post ", i)})
	}
	b := s.openTab("/models/posts/entries")
	for _, look := range []struct {
		width int64
		text  int64 // in pixels
	}{{1280, 16}, {390, 16}, {390, 32}} {
		b.do(chromedp.EmulateViewport(look.width, 780))
		b.fontSize(look.text)
		b.open("/models/posts/entries")
		b.do(chromedp.Focus(chromedp.CSS("input[data-all]")), chromedp.KeyEvent(" "))
		b.see("3 rows selected")
		b.tabTo(4, `e.matches("#bulk summary")`, chromedp.ModifierShift)
		b.keys(kb.Enter)
		b.tabTo(8, `e.textContent === "Delete"`)
		const out = `(() => { const r = document.activeElement.getBoundingClientRect(), p = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
			return p === document.activeElement && r.x >= 0 && r.right <= innerWidth ? "" : JSON.stringify(r) + p?.outerHTML.slice(0, 90); })()`
		b.eventually(out, "")
		b.snap(fmt.Sprint("bulk-menu-", look.width, "-", look.text))
		b.audit(t, "open bulk menu")
		b.keys(kb.Escape)
		b.eventually(`document.activeElement.textContent + document.querySelectorAll("#bulk [open]").length`, "⋯0")
		b.audit(t, "bulk menu")
	}
	plain := s.openPlainTab("/models/posts/entries")
	plain.tick("Post 1")
	plain.press("//form[@id='bulk']", "⋯")
	plain.press("//form[@id='bulk']", "Delete")
	plain.see("Delete")
}

// TestBrowserBulkAsks asks before more than 25 entries change, says what readers will see, and takes
// an archive back.
func TestBrowserBulkAsks(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/models", obj{"slug": "posts", "name": "Posts"})
	for i := range 27 {
		s.call("POST", "/models/posts/entries",
			obj{"title": fmt.Sprint("Post ", i), "status": []string{"draft", "published"}[i%2]})
	}
	b := s.openTab("/models/posts/entries?per_page=50")
	if eval[bool](b, "document.getElementById('bulk').checkVisibility()") {
		t.Error("actions are shown without a selection")
	}
	b.do(chromedp.Focus(chromedp.CSS("input[data-all]")), chromedp.KeyEvent(" "))
	b.see("27 rows selected")
	b.snap("selected")
	b.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
	if !eval[bool](b, "document.activeElement.closest('#bulk') !== null") {
		t.Errorf("one key from the box, the focus is not on an action: %s",
			eval[string](b, "document.activeElement.outerHTML.slice(0, 200)"))
	}
	b.audit(t, "selected")
	b.press("//form", "Archive")
	b.see("13 pages vanish, 14 stay as they are")
	b.audit(t, "asks")
	b.press("//main", "Archive 27 entries")
	b.see("Archive: 27 of 27")
	b.press("//main", "Undo")
	b.see("Undo: 27 of 27")
	b.press("//main", "Back to the list")
	b.see("Published 13")
}

// TestBrowserSetField gives selected entries another topic and author, and takes that back.
func TestBrowserSetField(t *testing.T) {
	s := lists(t)
	other := s.made("/models/authors/entries", obj{"title": "Grace Hopper"})
	b := s.openTab("/models/posts/entries?columns=author")
	b.tick("Draft 1", "Draft 2")
	b.press("//form", "Set a field…")
	b.see("Set a field in 2 entries")
	b.see("What readers see: 2 stay as they are.")
	b.audit(t, "set a field")
	b.snap("set-a-field")
	b.press("//main", "Set")
	b.see("Fill in a field first.")
	b.click(fmt.Sprintf(`//input[@value="%s"]`, other))
	b.press("//main", "Set")
	b.see("Change fields: 2 of 2")
	b.press("//main", "Undo")
	b.see("Undo: 2 of 2")
	b.open("/models/posts/entries?columns=author")
	b.missing("Grace Hopper")
	b.tick("Draft 1")
	b.press("//form", "Set a field…")
	b.click(`//summary[.="Empty fields"]`)
	b.check("empty", "author")
	b.press("//main", "Set")
	b.see("Change fields: 1 of 1")
	b.open("/models/posts/entries?columns=author")
	b.eventually(`String([...document.querySelectorAll("tr")].filter((row) => row.innerText.includes("Ada Lovelace")).length)`, "3")
}

// TestBrowserSetFieldWithoutScripts chooses an author from many for an entry, which keeps what else was filled in.
func TestBrowserSetFieldWithoutScripts(t *testing.T) {
	s := lists(t)
	for i := range 9 {
		s.call("POST", "/models/authors/entries", obj{"title": fmt.Sprint("Author ", i)})
	}
	b := s.openPlainTab("/models/posts/entries?all=true")
	b.do(mouseClick(chromedp.CSS("input[name=ids]")))
	b.press("//form", "Set a field…")
	b.do(chromedp.SetValue(chromedp.CSS(`[name="set.data.topic"]`), "light"))
	b.click(`//button[contains(., "Choose from Authors")]`)
	b.click(`//label[contains(., "Author 8")]/input`)
	b.press("//main", "Done")
	b.see("Open Author 8 in a new tab") // which only the page after the choice says
	if topic := b.value("set.data.topic"); topic != "light" {
		t.Errorf("the topic is %q", topic)
	}
	b.press("//main", "Set")
	b.see("of 1")
}

// TestBrowserChips removes filters one by one, without JavaScript too.
func TestBrowserChips(t *testing.T) {
	s := lists(t)
	for _, scripts := range []bool{true, false} {
		b := s.openTabWith(scripts, "/models/posts/entries?filter[locale]=en&filter[data.topic]=oil&q=Draft&sort=title")
		b.see("Draft 2")
		b.missing("Draft 1")
		const chips = `[...document.querySelectorAll(".chips li")].map(c => c.firstChild.textContent.trim()).join(", ")`
		if got := eval[string](b, chips); got != "Topic: oil" {
			t.Errorf("the chips are %s", got)
		}
		b.snap(fmt.Sprint("chips-", scripts))
		b.audit(t, "chips")
		b.do(mouseClick(chromedp.CSS(".chips li:last-child a")))
		b.see("Draft 1")
		b.missing("Topic: oil")
		b.eventually(`String(document.querySelectorAll(".chips li").length)`, "0")
		if got := b.value("filter[locale]"); got != "en" {
			t.Errorf("the language is %q", got)
		}
		if got := b.value("q"); got != "Draft" {
			t.Errorf("the search is %q", got)
		}
	}
}

// TestBrowserFilterActs chooses a filter, which acts at once and becomes a chip in one line with the others. By keys
// it waits for the button.
func TestBrowserFilterActs(t *testing.T) {
	b := lists(t).openTab()
	b.do(chromedp.EmulateViewport(1000, 800))
	b.open("/models/posts/entries?all=true")
	line := func(when string) {
		t.Helper()
		if gap := eval[float64](b,
			`(() => { const middles = [...document.querySelectorAll(".tools > *, .tools > .filters > *")].filter((e) => e.checkVisibility())
			.map((e) => e.getBoundingClientRect()).map((r) => r.top + r.height / 2); return Math.max(...middles) - Math.min(...middles); })()`); gap > 12 {
			b.snap("filter-lines")
			t.Errorf("%s the filters take more than one line: %g px", when, gap)
		}
	}
	line("At first")
	const choose = `(() => { const f = document.querySelector("[name='filter[data.topic]']"); %s f.value = "oil"; f.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`
	eval[bool](b, fmt.Sprintf(choose, `f.dispatchEvent(new Event("keydown", {bubbles: true}));`))
	b.see("Draft 1")
	b.do(chromedp.WaitVisible(chromedp.CSS(".filters > button:not(.hidden)")))
	eval[bool](b, fmt.Sprintf(choose, `f.dispatchEvent(new Event("pointerdown", {bubbles: true}));`))
	b.see("Topic: oil")
	b.see("Draft 2")
	b.missing("Draft 1")
	line("Then")
	if n := eval[int](b, `document.querySelectorAll(".filters select[name='filter[data.topic]']").length`); n != 0 {
		t.Error("the filter stands beside its chip")
	}
}

// TestBrowserTypedFilters shows the button of typed filters once something is typed.
func TestBrowserTypedFilters(t *testing.T) {
	b := lists(t).openTab()
	for page, field := range map[string]string{"/people": "email", "/requests": "filter[path]",
		"/activity": "filter[actor]"} {
		b.open(page)
		b.do(chromedp.WaitNotVisible(chromedp.CSS(".filters > button:not(.hidden)")))
		b.fill(field, "a")
		b.do(chromedp.WaitVisible(chromedp.CSS(".filters > button:not(.hidden)")))
	}
}

// TestBrowserLanguageOfList chooses the language of a list, which acts at once, stays in sight and is remembered; a
// mark of a row begins the translation.
func TestBrowserLanguageOfList(t *testing.T) {
	b := lists(t).openTab("/models/posts/entries")
	b.see("Live post")
	b.missing("Lampen")
	eval[bool](b, `(() => { const f = document.querySelector("[name='filter[locale]']"); f.dispatchEvent(new Event("pointerdown", {bubbles: true}));
		f.value = "de"; f.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`)
	b.see("Lampen")
	b.missing("Live post")
	b.see("4 entries in other languages are not translated to German")
	b.press("//nav", "Trash")
	b.see("The trash is empty")
	b.press("//nav", "Posts")
	b.see("Lampen")
	if got := b.value("filter[locale]"); got != "de" {
		t.Errorf("the list is in the language %q again", got)
	}
	b.do(chromedp.EmulateViewport(390, 844))
	b.snap("list-language-phone")
	b.audit(t, "a list in one language")
	b.press("//main", "4 entries in other languages are not translated to German")
	b.see("Draft 3")
	b.click(`//tr[contains(., "Draft 3")]//a[contains(@class, "mark")]`)
	b.see("Copy the texts")
	b.snap("translate")
	b.audit(t, "translate")
	b.press("//form", "Translate")
	b.see("side by side")
}

// TestBrowserFilterCompares types a number and a word into filters: their chips say how they compare.
func TestBrowserFilterCompares(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/models", obj{"slug": "lamps", "name": "Lamps", "fields": []obj{
		{"name": "price", "label": "Price", "type": "number"}, {"name": "maker", "label": "Maker", "type": "text"}}})
	for i, maker := range []string{"Old Oil", "Oil and Light", "Light"} {
		s.call("POST", "/models/lamps/entries", obj{"title": fmt.Sprint("Lamp ", i),
			"data": obj{"price": 10 * i, "maker": maker}})
	}
	b := s.openTab("/models/lamps/entries?all=true&filter[data.maker][ne]=Old")
	b.see("Maker is not: Old")
	b.do(mouseClick(chromedp.CSS(".filters summary")))
	b.fill("filter[data.price][gte]", "10")
	b.fill("filter[data.maker][contains]", "Oil")
	b.snap("filter-compares")
	b.press("//form[contains(@class, 'filters')]", "Filter")
	b.see("Price, at least: 10")
	b.see("Maker contains: Oil")
	b.see("Maker is not: Old")
	b.see("Lamp 1")
	b.missing("Lamp 0")
	b.missing("Lamp 2")
	b.audit(t, "compares")
}

// TestBrowserFiltersSentEmpty sends the form of filters on each page that has one as it is: that shows the page again.
func TestBrowserFiltersSentEmpty(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/locales", obj{"code": "de", "name": "German"})
	s.call("POST", "/models", obj{"slug": "events", "name": "Events", "localized": true,
		"fields": []obj{
			{"name": "day", "type": "date"}, {"name": "at", "type": "datetime"}, {"name": "free", "type": "boolean"},
			{"name": "kind", "type": "select", "options": []string{"talk", "walk"}}}})
	s.call("POST", "/models/events/entries", obj{"title": "Open day"})
	s.call("POST", "/forms", obj{"slug": "contact", "name": "Contact",
		"fields": []obj{{"name": "text", "type": "text"}}})
	b := s.openPlainTab()
	for path, seen := range map[string]string{"/models/events/entries": "Open day", "/media": "No files yet.",
		"/trash": "The trash is empty.", "/activity": "Administrator", "/requests": "Requests", "/health": "Health",
		"/planned":                   "Planned",
		"/forms/contact/submissions": "Submissions"} {
		b.open(path)
		b.see(seen)
		b.press("//form[contains(@class, 'filters')]", "Filter")
		b.eventually("String(location.search.length > 0)", "true")
		b.see(seen)
	}
}

// TestBrowserStickyHead scrolls through long lists: the head of the table and the bar of the selection stay in view,
// and hide no row with the focus. A table that is too wide is scrolled in its box, below its head.
func TestBrowserStickyHead(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/models", obj{"slug": "posts", "name": "Posts", "fields": []obj{
		{"name": "a", "label": "A long name of a field", "type": "text"},
		{"name": "b", "label": "Another long name of a field", "type": "text"}}})
	var gone []any
	for i := range 40 {
		gone = append(gone, s.call("POST", "/models/posts/entries", obj{"title": fmt.Sprint("Gone ", i)})["id"])
		s.call("POST", "/models/posts/entries", obj{"title": fmt.Sprint("Post ", i),
			"data": obj{"a": "Text of some words", "b": "Text of some words"}})
	}
	s.call("POST", "/jobs", obj{"action": "delete", "model": "posts", "ids": gone})
	b := s.openTab()
	// Where the head is, below what stands above it, once the page is scrolled down.
	const gap = `(() => { scrollTo(0, 700); const bar = document.querySelector(".top"), head = document.querySelector("thead").getBoundingClientRect();
		const under = getComputedStyle(bar).position === "sticky" ? bar.getBoundingClientRect().bottom : 0;
		const shown = document.elementFromPoint(head.x + head.width / 2, head.y + head.height / 2);
		return shown?.closest("thead") ? String(Math.round(head.top - under)) : "hidden"; })()`
	for _, path := range []string{"/models/posts/entries?per_page=50", "/trash?per_page=50", "/activity?per_page=50"} {
		for _, width := range []int64{1280, 800} {
			b.do(chromedp.EmulateViewport(width, 700))
			b.open(path)
			b.eventually(gap, "0")
			b.snap(fmt.Sprint("sticky", strings.ReplaceAll(path, "/", "-"), width))
		}
	}
	b.scheme("dark")
	eval[string](b, `document.dir = "rtl"`)
	b.eventually(gap, "0")
	b.snap("sticky-rtl-dark")
	b.scheme("light")
	for _, width := range []int64{1280, 390} {
		b.do(chromedp.EmulateViewport(width, 700))
		b.open("/models/posts/entries?per_page=50")
		b.do(mouseClick(chromedp.CSS("td input")))
		b.see("1 row selected")
		const hidden = `(() => { const e = document.activeElement, r = e.getBoundingClientRect();
			const at = document.elementFromPoint(r.x + r.width / 2, r.y + 2), end = document.elementFromPoint(r.x + r.width / 2, r.bottom - 2);
			return [at, end].every((p) => p && (e === p || e.contains(p))) ? "" : e.outerHTML.slice(0, 120); })()`
		for _, modifier := range []chromedp.Modifier{0, chromedp.ModifierShift} {
			for range 45 {
				b.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(modifier)))
				if e := eval[string](b, hidden); e != "" {
					t.Fatalf("%d px, key %d: the focus hides on %s", width, modifier, e)
				}
			}
			b.snap(fmt.Sprint("sticky-selected-", width, modifier))
			if eval[float64](b, `document.getElementById("bulk").getBoundingClientRect().bottom - innerHeight`) > 0 {
				t.Errorf("%d px: the bar of the selection is out of view", width)
			}
		}
		b.audit(t, "sticky")
	}
	b.do(chromedp.EmulateViewport(700, 700))
	b.open("/models/posts/entries?per_page=50&columns=a,b,:slug,:status,:published,:created,:changed")
	b.eventually(`(() => { const box = document.querySelector(".scroll"); box.scrollLeft = 90; box.scrollTop = 400;
		const top = (e) => e.getBoundingClientRect().top;
		return [box.scrollLeft, Math.round(top(document.querySelector("thead")) - top(box))].join(); })()`, "90,0")
	b.snap("sticky-wide")
	b.audit(t, "too wide")
}

// TestBrowserPlannedFilter chooses a model in the calendar: the page shows it at once.
func TestBrowserPlannedFilter(t *testing.T) {
	s, _ := desk(t)
	b := s.openTab("/planned")
	eval[bool](b, `(() => { const e = document.querySelector("[name=model]");
		e.value = "posts"; e.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`)
	b.see("Planned: Posts")
}

// TestBrowserFilterByRelated filters a list by an entry of a model of many, which is chosen in a dialog, also by keys.
// Enter in the search of the list sends the filters, and opens no dialog.
func TestBrowserFilterByRelated(t *testing.T) {
	s := lists(t)
	var last any
	for i := range 50 {
		last = s.call("POST", "/models/authors/entries", obj{"title": fmt.Sprint("Author ", i)})["id"]
	}
	s.call("POST", "/models/posts/entries", obj{"title": "By the last", "data": obj{"author": last}})
	const dialogs, chip = `String(document.querySelectorAll("dialog.picker").length)`, "Author: Author 49"
	for _, byKeys := range []bool{false, true} {
		b := s.openTab("/models/posts/entries?all=true")
		b.focus(".filters [name=q]")
		b.keys("Draft")
		b.enter()
		b.missing("Live post")
		b.eventually(dialogs, "0")
		b.press("//main", "More filters")
		if open := ".filters button[data-source]"; byKeys {
			b.focus(open)
			b.keys(kb.Enter)
		} else {
			b.do(mouseClick(chromedp.CSS(open)))
		}
		b.see("1–12 of 51")
		b.audit(t, "filter by a related entry")
		b.keys("Author 49")
		b.see("1–1 of 1")
		b.enter()
		b.see(chip)
		b.see("Nothing matches these filters.")
		b.fill("q", "")
		b.focus(".filters [name=q]")
		b.enter()
		b.see("By the last")
		if !eval[bool](b, `!location.search.includes("_do") && !location.search.includes("_q")`) {
			t.Error("the address has the step")
		}
	}
}
