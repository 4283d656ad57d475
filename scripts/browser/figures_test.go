package browser

import (
	_ "embed"
	"fmt"
	"image/color"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// effort counts in each page what a person does.
//
//go:embed effort.js
var effort string

// counted makes the tab count clicks, and each field that is typed into as one.
func (b *tab) counted() { b.t.Helper(); b.inject(effort) }

// task runs a task from the page of an address, and fails the test if it takes more than most.
func (b *tab) task(name string, most int, from string, do func()) {
	b.t.Helper()
	b.open(from)
	eval[bool](b, "sessionStorage.removeItem('effort'), true")
	asked := b.asked.Load()
	do()
	if n := eval[int](b, "Number(sessionStorage.effort || 0)"); n == 0 || n > most {
		b.t.Errorf("%s takes %d clicks, at most %d are allowed", name, n, most)
	} else {
		b.t.Logf("%s takes %d clicks and %d requests", name, n, b.asked.Load()-asked)
	}
}

// click presses what an XPath finds.
func (b *tab) click(xpath string) {
	b.t.Helper()
	b.do(mouseClick(chromedp.Search("(" + xpath + ")[1]")))
}

// TestBrowserEffort does what editors do all week, in as few clicks as promised.
func TestBrowserEffort(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/locales", obj{"code": "de", "name": "German"})
	s.call("POST", "/models", obj{"slug": "authors", "name": "Authors"})
	s.call("POST", "/models", obj{"slug": "topics", "name": "Topics"})
	s.call("POST", "/models", obj{"slug": "posts", "name": "Posts", "localized": true,
		"fields": []obj{
			{"name": "body", "label": "Text", "type": "richtext"},
			{"name": "cover", "label": "Cover", "type": "media"},
			{"name": "author", "label": "Author", "type": "relation", "model": "authors"},
			{"name": "topics", "label": "Topics", "type": "relation", "model": "topics", "many": true},
			{"name": "related", "label": "Related", "type": "relation", "model": "posts", "many": true},
			{"name": "source", "label": "Source", "type": "text"},
		}})
	s.call("POST", "/models/authors/entries", obj{"title": "Ada", "status": "published"})
	for _, title := range []string{"Oil", "Wood"} {
		s.call("POST", "/models/topics/entries", obj{"title": title, "status": "published"})
	}
	s.upload("lamp.png", color.RGBA{200, 120, 90, 255})
	live := s.made("/models/posts/entries", obj{"title": "Lamps", "status": "published", "data": obj{"body": "Light."}})
	for i := range 20 {
		s.call("POST", "/models/posts/entries", obj{"title": fmt.Sprintf("Draft %d", i)})
	}
	b := s.newTab()
	b.counted()
	b.signIn(email)
	list, at := "/models/posts/entries?all=true", "/models/posts/entries/"+live

	b.task("a typo in a live article", 3, list+"&q=Lamps", func() {
		b.press("//main", "Lamps")
		b.fill("title", "Lamps!")
		b.press("//main", "Publish changes")
		b.see("Published:")
	})
	b.task("a change that waits", 3, list+"&q=Lamps", func() {
		b.press("//main", "Lamps!")
		b.fill("title", "Lamps?")
		b.see("Changed, not live")
	})
	b.task("a translation", 3, at, func() {
		b.click(`//nav[@class="locales"]//summary[contains(., "German")]`)
		b.press("//nav", "Copy the texts")
		b.see("Lamps")
		b.do(chromedp.WaitVisible(chromedp.CSS(`.locales [aria-current] [lang=de]`)))
	})
	b.task("twenty drafts published", 4, list, func() {
		b.click(`//nav[@class="tabs"]//a[starts-with(., "Drafts")]`)
		b.do(chromedp.WaitVisible(chromedp.CSS(`.tabs [aria-current][href*="draft"]`)))
		b.do(mouseClick(chromedp.CSS("input[data-all]")))
		b.press("//form", "Publish")
		b.see("Done")
	})
	for i := range 8 {
		s.call("POST", "/models/posts/entries", obj{"title": fmt.Sprintf("New %d", i)})
	}
	for field, fill := range map[string]func(){ // the number of entries is that of the task
		"a choice": func() { b.click(`//label[contains(., "Ada")]/input`) },
		"a text":   func() { b.fill("set.data.source", "Post") },
	} {
		b.task("thirty entries get "+field, 4, list+"&per_page=50", func() {
			b.do(mouseClick(chromedp.CSS("input[data-all]")))
			b.see("30 rows selected")
			b.press("//form", "Set a field…")
			b.see("Set a field in 30 entries")
			fill()
			b.press("//main", "Set")
			b.see("Change fields: 30 of 30")
		})
	}
	b.task("a look at what changed", 2, at, func() {
		b.press("//div[@class='views']", "History")
		b.click(`//ol[@class="versions"]//a`)
		b.see("What this version changed")
	})
	for fields, text := range []string{"", "A lamp"} { // a text is one field that is typed into
		b.task(fmt.Sprintf("a picture with the text %q in a text", text), 1+fields, at, func() {
			b.writesMarkdown("data.body")
			eval[bool](b, "sessionStorage.effort = 1, true") // the drop
			b.dropPicture("data.body", "Light")
			if text != "" {
				b.keys(text)
			}
			b.enter()
			b.eventually(`String(document.querySelector("[name='data.body']").value.includes("![`+text+`](cms://media/"))`,
				"true")
			b.see("Saved ")
		})
	}
	b.task("six pictures with their texts", 8, "/media", func() {
		eval[bool](b, `(() => {
			const data = new DataTransfer();
			const dot = Uint8Array.from(atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="), (c) => c.charCodeAt(0));
			for (let i = 0; i < 6; i++) data.items.add(new File([dot], "f" + i + ".png", { type: "image/png" }));
			sessionStorage.effort = 1; // the drop
			document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
			return true;
		})()`)
		b.see("Created.")
		b.see("f5.png")
		for i := range 6 {
			b.do(chromedp.SendKeys(chromedp.Search(fmt.Sprintf(`//li[.//*[normalize-space()="f%d.png"]]//input[@name="alt"]`,
				i)), "A text"))
		}
		b.click("//h1") // leaves the last one
		b.eventually(`String([...document.querySelectorAll("form[data-quiet] [role=status]")].filter(s => s.textContent === "Saved.").length)`,
			"6")
	})
	b.task("a colleague invited", 3, "/", func() {
		b.press("//nav", "Invitations")
		b.fill("email", "jonas@example.com")
		b.press("//main", "Invite")
		b.see("jonas@example.com")
	})
	b.task("a post with picture, author, topics, a related one and a link", 12, list, func() {
		b.press("//main", "New entry")
		b.fill("title", "Oil lamps")
		b.fill("data.body", "All about them. See [[Lam")
		b.eventually(editor("data.body")+`.getRootNode().querySelector("[aria-selected=true]")?.textContent ?? ""`,
			"Lamps! Posts, English")
		b.enter()
		b.eventually(`String(document.querySelector("[name='data.body']").value.endsWith("(cms://entry/`+
			live+`)"))`, "true")
		pick := func(field, title string) {
			b.do(mouseClick(chromedp.CSS(`fieldset[id="f-data.` + field + `"] button[data-source]`)))
			b.click(fmt.Sprintf(`//dialog//button[contains(., %q)]`, title))
		}
		pick("cover", "lamp.png")
		for _, title := range []string{"Ada", "Oil", "Wood"} { // few authors and topics stand in the form
			b.click(fmt.Sprintf(`//main//label[@class="choice"][contains(., %q)]`, title))
		}
		pick("related", "Draft 0")
		b.press("//dialog", "Done")
		b.press("//main", "Publish")
		b.see("Published:")
	})
	b.task("a model of eight fields with a group, a list and blocks", 45, "/models/create", func() {
		b.fill("name", "Recipes")
		b.fill("fields.0.label", "Intro")
		for i, f := range []struct{ kind, label string }{{"Rich text", "Text"},
			{"Picture", "Cover"}, {"Number", "Minutes"}, {"Date", "Day"}} {
			b.addField("fields", f.kind, i+2)
			b.fill(fmt.Sprintf("fields.%d.label", i+1), f.label)
		}
		b.addField("fields", "Group", 6)
		b.fill("fields.5.label", "Source")
		b.addField("fields.5.fields", "Text", 1)
		b.fill("fields.5.fields.0.label", "Book")
		b.addField("fields", "List", 7)
		b.fill("fields.6.label", "Steps")
		b.addField("fields.6.fields", "Text", 1)
		b.fill("fields.6.fields.0.label", "What")
		b.addField("fields", "Blocks", 8)
		b.fill("fields.7.label", "Parts")
		b.do(mouseClick(chromedp.CSS("[value='add fields.7.fields group']")))
		b.rows("fields.7.fields", 1)
		b.fill("fields.7.fields.0.label", "Quote")
		b.addField("fields.7.fields.0.fields", "Long text", 1)
		b.fill("fields.7.fields.0.fields.0.label", "Words")
		b.press("//main", "Create model")
		b.see("Created.")
	})
}

// TestBrowserTeamEffort does what teams do in a week, in as few clicks as promised: reviews, releases, and changes of
// many entries.
func TestBrowserTeamEffort(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/models", obj{"slug": "posts", "name": "Posts", "fields": []obj{
		{"name": "teaser", "label": "Teaser", "type": "textarea"}}})
	s.call("POST", "/users", obj{"email": "jonas@example.com", "name": "Jonas", "role": "editor", "password": password})
	var ids []string
	for i := range 30 {
		season := "Spring"
		if i >= 12 {
			season = "Autumn"
		}
		ids = append(ids, s.made("/models/posts/entries", obj{
			"title": fmt.Sprintf("%s %d", season, i), "data": obj{"teaser": "By Ada Lovelace."}}))
	}
	const list = "/models/posts/entries?all=true&per_page=50"
	at := "/models/posts/entries/" + ids[0]
	b := s.newTab()
	b.counted()
	b.signIn(email)
	all := func() { b.do(mouseClick(chromedp.CSS("input[data-all]"))) }
	b.task("a review asked for", 3, at, func() {
		b.press("//div[@class='views']", "Review")
		b.click(`//label[contains(., "Jonas")]//input`)
		b.press("//*[@id='decision']//form", "Ask for review")
		b.see("Saved.")
	})
	review := s.call("GET", at+"/review", nil)
	if review["state"] != "requested" || len(review["reviewers"].([]any)) != 1 {
		t.Errorf("the review is %v", review)
	}
	b.task("twelve entries added to a release", 4, list+"&q=Spring", func() {
		all()
		b.press("//form", "Add to release…")
		b.see("Name of a new release") // the list has an input of the same name
		b.fill("name", "May")
		b.press("//main", "Add")
		b.see("Created.")
	})
	b.see("Spring 11")
	b.missing("Autumn")
	b.press("//main", "Publish")
	b.press("//main//details[@open]//form", "Publish")
	b.see("12 of 12")
	release := strings.TrimPrefix(eval[string](b, "location.pathname"), "/admin")
	b.task("a release taken back", 2, release, func() {
		b.press("//main", "Undo")
		b.see("12 pages vanish")
		b.press("//main", "Undo")
		b.see("Undo release: 12 of 12")
	})
	b.press("//main", "Back to the release")
	b.see("0 of 12")
	b.task("a name found and replaced", 6, list, func() {
		all()
		b.press("//form", "Find and replace…")
		b.fill("find", "Ada Lovelace")
		b.fill("replace", "Grace Hopper")
		b.press("//main", "Next")
		b.press("//main", "Replace in 30 entries")
		b.see("Replace text: 30 of 30")
	})
	if data := s.call("GET", at, nil)["data"].(obj); data["teaser"] != "By Grace Hopper." {
		t.Errorf("the entry has %v", data)
	}
	b.open(list)
	all()
	b.press("//form[@id='bulk']", "⋯")
	b.press("//form", "Delete")
	b.press("//main", "Delete 30 entries")
	b.see("Delete: 30 of 30")
	deleted := strings.TrimPrefix(eval[string](b, "location.pathname + location.search"), "/admin")
	b.task("the deletion of thirty entries undone", 1, deleted, func() {
		b.press("//main", "Undo")
		b.see("Restore: 30 of 30")
	})
	b.open(list)
	b.see("Drafts 30")
}

// TestBrowserWeight opens pages as often as people do: their bytes on the wire stay few.
func TestBrowserWeight(t *testing.T) {
	s, at := desk(t)
	s.wideModel()
	b := s.openTab()
	pages := []string{"/", "/models", "/models/posts/edit", "/models/posts/entries?all=true", at, "/media",
		"/forms", "/settings", "/planned", "/users", "/activity", "/help"}
	cold := s.copyOf(b)
	cold.withoutCache()
	for _, path := range append(pages, "/models/wide/edit") {
		cold.fresh()
		cold.open(path)
		cold.ready(path)
	}
	cold.fresh()
	cold.open(at)
	cold.writesMarkdown("data.body")
	if kb := cold.transferred() - cold.ahead(); kb > 150 {
		t.Errorf("the editor takes %d KB at first", kb)
	}
	for _, path := range pages {
		b.open(path)
		// Pictures come after the page, and the next open may cut them off. A page is warm once all
		// of them have come.
		b.until(path+" takes 15 KB at most", func() bool {
			b.open(path)
			return b.transferred() <= 15
		})
	}
}

// TestBrowserFont opens two pages with an empty cache: the first keeps a font of the system, the next has the
// product's from the start.
func TestBrowserFont(t *testing.T) {
	s, at := desk(t)
	b := s.openTab()
	b.fresh()
	b.open(at)
	loaded := `String([...document.fonts].some((f) => f.family === "Inter" && f.status === "loaded"))`
	b.eventually(`String(performance.getEntriesByType("resource").some((e) => e.name.endsWith(".woff2") && e.responseEnd > 0))`, "true")
	b.eventually(loaded, "false")
	b.open("/models")
	b.eventually(loaded, "true")
}

// ahead is how many KB of style sheets and fonts a page fetched that the pages after it use.
func (b *tab) ahead() int {
	b.t.Helper()
	return eval[int](b, `Math.floor(performance.getEntriesByType("resource").filter((e) => e.initiatorType === "fetch" && /\.(css|woff2)$/.test(new URL(e.name).pathname))
		.reduce((sum, e) => sum + e.transferSize, 0) / 1024)`)
}

// ready checks what a page takes with an empty cache: nothing is waited for before it is seen, and
// all that it takes to be ready is named by the page itself, so that it comes in one round trip
// after it. With 800 ms of latency and 50 KB/s these trips and bytes take 1,850 ms at most. A page
// up to 40 KB comes while its scripts are waited for. Pictures and answers to scripts come later.
func (b *tab) ready(path string) {
	b.t.Helper()
	b.eventually(`String(performance.getEntriesByType("navigation")[0].loadEventEnd > 0)`, "true")
	type loads struct {
		Page, Bytes           int
		Files, Blocking, Late []string
	}
	got := eval[loads](b, `(() => {
		const [page] = performance.getEntriesByType("navigation");
		const files = performance.getEntriesByType("resource").filter((e) => e.startTime < page.domContentLoadedEventStart && !["fetch", "img"].includes(e.initiatorType));
		const named = new Set([...document.querySelectorAll("[src], link[href]")].map((e) => e.src || e.href));
		const names = (list) => list.map((e) => e.name);
		return {
			Page: page.transferSize, Bytes: files.reduce((sum, e) => sum + e.transferSize, 0), Files: names(files),
			Blocking: names(files.filter((e) => e.renderBlockingStatus === "blocking")), Late: names(files.filter((e) => !named.has(e.name))),
		};
	})()`)
	wait := 2*800 + got.Bytes*1000/(50<<10)
	if len(got.Files) == 0 || len(got.Blocking)+len(got.Late) > 0 || wait > 1850 || got.Page > 40<<10 {
		b.t.Errorf("%s has %d bytes and takes %d ms for its files: %+v", path, got.Page, wait, got)
	}
}
