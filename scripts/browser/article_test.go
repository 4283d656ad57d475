package browser

import (
	"encoding/json"
	"fmt"
	"image/color"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"headless/pkg/must"
)

// TestBrowserArticleByKeys writes an article with every kind of field by keys alone, from Home: it is planned and
// published, and the API has all of it.
func TestBrowserArticleByKeys(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/models", obj{"slug": "authors", "name": "Authors"})
	s.call("POST", "/models/authors/entries", obj{"title": "Ada Lovelace", "status": "published"})
	words := []obj{{"name": "text", "label": "Words", "type": "text"}}
	s.call("POST", "/models", obj{"slug": "articles", "name": "Articles", "fields": []obj{
		{"name": "intro", "label": "Intro", "type": "textarea"},
		{"name": "body", "label": "Text", "type": "richtext",
			"fields": []obj{{"name": "callout", "label": "Callout", "type": "group", "fields": words}}},
		{"name": "kicker", "label": "Kicker", "type": "text"},
		{"name": "place", "label": "Place", "type": "group", "fields": words},
		{"name": "faq", "label": "Questions", "type": "list", "fields": words},
		{"name": "parts", "label": "Parts", "type": "blocks",
			"fields": []obj{{"name": "quote", "label": "Quote", "type": "group", "fields": words}}},
		{"name": "day", "label": "Day", "type": "date"},
		{"name": "at", "label": "Starts", "type": "datetime"},
		{"name": "minutes", "label": "Minutes", "type": "number"},
		{"name": "featured", "label": "Featured", "type": "boolean"},
		{"name": "link", "label": "Link", "type": "url"},
		{"name": "mail", "label": "Mail", "type": "email"},
		{"name": "topic", "label": "Topic", "type": "select", "options": []string{"oil", "light"}},
		{"name": "tags", "label": "Tags", "type": "multiselect", "options": []string{"new", "old"}},
		{"name": "cover", "label": "Cover", "type": "media"},
		{"name": "author", "label": "Author", "type": "relation", "model": "authors"},
		{"name": "extra", "label": "Extra", "type": "json"},
	}})
	lamp := s.upload("lamp.png", color.White)
	b := s.openTab()
	b.inZone("UTC")
	b.ctrlK()
	b.keys("new entry articles" + kb.Enter)
	b.see("New entry")
	b.focused("f-title")
	b.keys("Oil lamps")
	b.see("Saved ") // it has a page of its own now

	field := func(name string) { b.tabTo(60, fmt.Sprintf(`e.name === %q || e.id === %[1]q`, name)) }
	from := func() { b.focus("#f-title") }
	picked := func(name, words string) {
		b.tabTo(60, fmt.Sprintf(`e.matches("button[data-source]") && e.closest("fieldset").id === %q`, "f-data."+name))
		b.keys(kb.Enter)
		b.do(chromedp.WaitVisible(chromedp.CSS("dialog.picker .choice")))
		b.keys(words + kb.Enter)
		b.eventually("String(document.querySelector('dialog') === null)", "true")
	}

	from()
	field("data.intro")
	b.keys("In short")
	b.eventually("String(document.querySelector('.markdown-text') !== null)", "true")
	b.tabTo(12, `e.matches(".cm-content")`)
	b.keys("All about ")
	b.chord("b", chromedp.ModifierCtrl)
	b.keys("them")
	b.chord("b", chromedp.ModifierCtrl)
	b.enter()
	b.enter()
	b.slash("tab", "Table")
	b.eventually(inCell, "Column, head: Column")
	b.keys("Lamp" + kb.Tab + "Price" + kb.Tab + "A" + kb.Tab + "12")
	b.enter()
	b.enter()
	b.slash("call", "Callout")
	b.eventually(dialogFocus, "block.text")
	b.keys("Mind the gap" + kb.Enter)
	b.eventually("String(document.querySelector('dialog') === null)", "true")
	b.keys("End")
	b.eventually("String("+body+".endsWith('End'))", "true")

	from()
	field("data.kicker")
	b.keys("News")
	field("data.place.text")
	b.keys("Graz")
	b.tabTo(20, `e.value === "add data.faq"`)
	b.keys(kb.Enter)
	b.focused("f-data.faq.0.text")
	b.keys("Why?")
	b.tabTo(20, `e.value === "add data.parts quote"`)
	b.keys(kb.Enter)
	b.focused("f-data.parts.0.text")
	b.keys("So.")

	field("data.minutes")
	b.keys("4")
	field("data.link")
	b.keys("https://example.com/")
	field("data.mail")
	b.keys("a@example.com")
	field("data.extra")
	b.keys(`{"a": 1}`)
	field("slug")
	b.chord("a", chromedp.ModifierCtrl)
	b.keys("lamps-of-oil")
	field("f-data.day")
	b.keys("12312026")
	field("f-data.at")
	b.keys("12312026" + kb.Tab + "0930AM")
	field("data.featured")
	b.keys(" ")
	field("data.topic")
	b.keys("l")
	field("data.tags")
	b.keys(" ")
	picked("cover", "lamp")
	field("data.author")
	b.keys(" ")
	b.tabTo(100, `e.closest(".views") && e.role === "tab"`, chromedp.ModifierShift)
	b.keys(kb.ArrowRight + kb.ArrowRight)
	b.eventually("document.activeElement.textContent", "SEO")
	b.keys(kb.Enter)
	field("seo.title")
	b.keys("Lamps, found")
	b.chord(kb.Enter, chromedp.ModifierCtrl)
	b.see("Published:")

	b.tabTo(60, `e.matches(".more > summary")`)
	b.keys(kb.Enter)
	b.tabTo(20, `e.pathname?.endsWith("/schedule")`)
	b.keys(kb.Enter)
	b.see("Unpublish at")
	b.tabTo(60, `e.id === "f-unpublish_at"`)
	b.keys("12312030" + kb.Tab + "0930AM")
	b.tabTo(20, `e.textContent === "Save"`)
	b.keys(kb.Enter)
	b.see("Saved.")

	path := strings.TrimPrefix(eval[string](b, "location.pathname"), "/admin")
	e := s.call("GET", path, nil)
	at := s.call("GET", path+"/schedule", nil)["unpublish_at"]
	data := e["data"].(obj)
	got, err := json.Marshal([]any{e["title"], e["slug"], e["status"], e["seo"].(obj)["title"],
		data["intro"], data["kicker"], data["place"], len(data["faq"].([]any)), len(data["parts"].([]any)),
		data["day"], data["at"], data["minutes"], data["featured"], data["link"], data["mail"], data["topic"], data["tags"],
		data["cover"] == lamp, data["author"] != nil, data["extra"], at})
	must.Do(t, err)
	const want = `["Oil lamps","lamps-of-oil","published","Lamps, found","In short","News",` +
		`{"text":"Graz"},1,1,"2026-12-31","2026-12-31T09:30:00Z",4,` +
		`true,"https://example.com/","a@example.com","light",["new"],true,true,{"a":1},"2030-12-31T09:30:00.000Z"]`
	if string(got) != want {
		t.Errorf("the entry has\n%s, want\n%s", got, want)
	}
	const text = "All about **them**\n\n| Lamp | Price |\n| ------ | ------ |\n| A       | 12       |\n\n" +
		"```block callout\ntext: Mind the gap\n```\nEnd"
	if data["body"] != text {
		t.Errorf("the text is %q", data["body"])
	}
}
