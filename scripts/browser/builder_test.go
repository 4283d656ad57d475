package browser

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"headless/pkg/must"
)

// TestBrowserBuilder makes a model by its labels, puts its fields into another order, and changes
// it while it has entries.
func TestBrowserBuilder(t *testing.T) {
	s := newSite(t)
	b := s.openTab("/models/create")
	b.fill("name", "Blog Posts")
	b.eventually(`document.querySelector("[name=slug]").value`, "blog-posts")
	b.fill("fields.0.label", "Größe in m²")
	b.eventually(`document.querySelector("[name='fields.0.name']").value`, "grosse_in_m")
	b.fill("fields.0.label", "Intro")
	b.addField("fields", "Choice", 2)
	b.fill("fields.1.label", "Topic")
	b.fill("fields.1.options", "oil\nlight")
	b.addField("fields", "Number", 3)
	b.fill("fields.2.label", "Minutes")
	b.snap("builder")
	if n := eval[int](b,
		`[...document.querySelectorAll("#f-fields > fieldset")].filter(f => f.checkVisibility()).length`); n != 1 {
		t.Errorf("%d panels are shown, not one", n)
	}
	rules := "[name='fields.2.pattern'], [name='fields.2.options'], [name='fields.2.mimes']"
	if n := eval[int](b, `document.querySelectorAll("`+rules+`").length`); n != 0 {
		t.Error("a number has rules of other types")
	}
	b.audit(t, "builder")
	b.click(`//ol[@class="field-list"]//button[starts-with(., "Minutes")]`)
	b.do(chromedp.KeyEvent(kb.ArrowUp, chromedp.KeyModifiers(chromedp.ModifierAlt)))
	b.eventually(`[...document.querySelectorAll(".field-list span")].map(e => e.innerText).join()`,
		"Intro,Minutes,Topic")
	b.eventually(`document.activeElement.querySelector("span")?.innerText`, "Minutes")
	b.fill("fields.1.max", "90")
	eval[bool](b, `(() => { // drags the last field to the top
		const items = document.querySelectorAll(".field-list li"), data = new DataTransfer();
		const fire = (type, on) => on.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
		fire("dragstart", items[2]), fire("dragover", items[0]), fire("dragend", items[2]);
		return true;
	})()`)
	b.press("//main", "Create model")
	b.see("Created.")
	if got := fieldsOf(s.call("GET", "/models/blog-posts", nil)); got != "topic select, intro text, minutes number" {
		t.Errorf("the fields are %s", got)
	}

	s.call("POST", "/models/blog-posts/entries", obj{"title": "One", "data": obj{"intro": "Hello", "minutes": 3}})
	b.open("/models/blog-posts")
	b.see("Delete its entries first")
	b.open("/models/blog-posts/edit")
	b.click(`//ol[@class="field-list"]//button[starts-with(., "Intro")]`)
	b.fill("fields.1.name", "teaser")
	b.check("fields.1.required", "true")
	b.click(`//ol[@class="field-list"]//button[starts-with(., "Minutes")]`)
	b.do(mouseClick(chromedp.CSS("[value='remove fields.2']")))
	b.rows("fields", 2)
	b.press("//main", "Save")
	b.see("Before you save")
	b.see("Loses values minutes")
	b.see(`The field "intro" becomes "teaser" and keeps its values`)
	b.audit(t, "report")
	if got := fieldsOf(s.call("GET", "/models/blog-posts", nil)); got != "topic select, intro text, minutes number" {
		t.Errorf("before the report was confirmed, the fields are %s", got)
	}
	b.press("//main", "Save, and lose these values")
	b.see("Saved.")
	if got := fieldsOf(s.call("GET", "/models/blog-posts", nil)); got != "topic select, teaser text" {
		t.Errorf("then the fields are %s", got)
	}
	b.open("/models/blog-posts/entries")
	b.press("//main", "One")
	b.eventually(`document.querySelector("[name='data.teaser']").value`, "Hello")
}

// TestBrowserBuilderConflict saves a model that somebody else has changed meanwhile.
func TestBrowserBuilderConflict(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/models", obj{"slug": "posts", "name": "Posts", "fields": []obj{{"name": "intro", "type": "text"}}})
	b := s.openTab("/models/posts/edit")
	s.call("PUT", "/models/posts", obj{"name": "Articles"})
	b.fill("fields.0.label", "Teaser")
	b.press("//main", "Save")
	b.see("You have changed this in another window since you opened the form")
	b.eventually(`document.querySelector("[name='fields.0.label']").value`, "Teaser")
	if name := s.call("GET", "/models/posts", nil)["name"]; name != "Articles" {
		t.Errorf("the other's name became %v", name)
	}
}

// TestBrowserBuilderWithoutDrag orders fields by a finger that does not drag: the panel has buttons for it, and stays
// with its field.
func TestBrowserBuilderWithoutDrag(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/models", obj{"slug": "posts", "name": "Posts", "fields": []obj{{"name": "one", "type": "text"},
		{"name": "two", "type": "text"}, {"name": "three", "type": "text"}}})
	b := s.openTab("/models/posts/edit")
	order := `[...document.querySelectorAll(".field-list li span")].map((e) => e.textContent).join()`
	panel := `[...document.querySelectorAll("#f-fields > fieldset:not([hidden]) [name$='.name']")].map((e) => e.value).join()`
	for _, step := range []struct{ text, order string }{
		{"↓", "two,one,three"}, {"↓", "two,three,one"}, {"↑", "two,one,three"},
	} {
		b.press("//*[@id='f-fields']/fieldset[not(@hidden)]", step.text)
		b.eventually(order, step.order)
		b.eventually(panel, "one")
	}
	b.press("//main", "Save")
	b.see("Saved.")
	fields, _ := s.call("GET", "/models/posts", nil)["fields"].([]any)
	for i, want := range []string{"two", "one", "three"} {
		if got := fields[i].(obj)["name"]; got != want {
			t.Errorf("field %d is %v, want %s", i, got, want)
		}
	}
}

// TestBrowserBuilderSize is about a model of 60 fields on a phone's connection. The panel of a
// field used to stay above the visible part of the page when the field was chosen far down in the
// list.
func TestBrowserBuilderSize(t *testing.T) {
	s := newSite(t)
	var fields []obj
	for i := range 60 {
		fields = append(fields, obj{"name": fmt.Sprintf("field_%d", i),
			"label": fmt.Sprintf("Field %d", i), "type": []string{"text", "richtext", "number",
				"media", "date", "boolean"}[i%6]})
	}
	s.call("POST", "/models", obj{"slug": "wide", "name": "Wide", "fields": fields})
	b := s.openTab("/models/wide/edit")
	if kb := b.transferred(); kb > 60 {
		t.Errorf("the page of a model of 60 fields takes %d KB", kb)
	}
	for _, width := range []int64{1280, 390} {
		b.do(chromedp.EmulateViewport(width, 800))
		b.open("/models/wide/edit")
		b.click(`//ol[@class="field-list"]//button[starts-with(., "Field 59")]`)
		b.eventually(`String(document.activeElement.textContent.startsWith("Field 59") && (({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.querySelector("[name='fields.59.label']").getBoundingClientRect()))`,
			"true")
	}
}

func fieldsOf(model obj) string {
	var list []string
	for _, f := range model["fields"].([]any) {
		list = append(list, fmt.Sprint(f.(obj)["name"], " ", f.(obj)["type"]))
	}
	return strings.Join(list, ", ")
}

// transferred is how many KB the page and its files took on the wire.
func (b *tab) transferred() int {
	b.t.Helper()
	b.see("")
	return eval[int](b,
		`Math.ceil([...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce((sum, e) => sum + e.transferSize, 0) / 1024)`)
}

// snap keeps a picture of the page in the folder that SNAPSHOTS names, for those who look at pages.
func (b *tab) snap(name string) {
	b.t.Helper()
	folder := os.Getenv("SNAPSHOTS")
	if folder == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	must.Do(b.t, err)
	must.Do(b.t, os.WriteFile(folder+"/"+name+".png", png, 0o600))
}
