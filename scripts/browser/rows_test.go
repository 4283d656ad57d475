package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserModel builds a model by the rows of its form, and an entry with groups, a list, blocks
// and a relation.
func TestBrowserModel(t *testing.T) {
	b := newSite(t).openPlainTab()
	b.press("//main", "Make a content model")
	b.fill("name", "Guides") // the slug is made from it
	b.fill("fields.0.name", "not a name")
	b.addField("fields", "List", 2)
	b.fill("fields.1.name", "steps")
	b.addField("fields.1.fields", "Text", 1)
	b.fill("fields.1.fields.0.name", "what")
	b.addField("fields.1.fields", "Yes or no", 2)
	b.fill("fields.1.fields.1.name", "done")
	b.addField("fields", "Relation", 3)
	b.fill("fields.2.name", "see")
	b.press("//main", "Create model")
	b.see("Some fields are missing or invalid")
	if n := eval[int](b, `document.querySelectorAll("[name='fields.0.name'][aria-invalid]").length`); n != 1 {
		t.Error("the wrong name is not marked")
	}
	b.fill("fields.0.name", "place")
	b.do(chromedp.SetValue(chromedp.CSS("[name='fields.0.type']"), "group"))
	b.do(mouseClick(chromedp.CSS("[value='retype fields.0']")))
	b.addField("fields.0.fields", "Text", 1)
	b.fill("fields.0.fields.0.label", "City")
	b.fill("fields.0.fields.0.max", "5")
	b.do(mouseClick(chromedp.CSS("[value='remove fields.2']")))
	b.rows("fields", 2)
	b.addField("fields", "Blocks", 3)
	b.fill("fields.2.name", "parts")
	b.do(mouseClick(chromedp.CSS("[value='add fields.2.fields group']")))
	b.rows("fields.2.fields", 1)
	b.fill("fields.2.fields.0.name", "quote")
	b.addField("fields.2.fields.0.fields", "Text", 1)
	b.fill("fields.2.fields.0.fields.0.name", "text")
	b.press("//main", "Create model")
	b.see("Created.")

	b.press("//nav", "Guides")
	b.press("//main", "New entry")
	b.fill("title", "First")
	b.fill("data.place.city", "Klagenfurt")
	b.press("//main", "Add another")
	b.fill("data.steps.0.what", "Dig")
	b.press("//main", "Add quote")
	b.rows("data.parts", 1)
	b.press("//main", "Create entry")
	b.see("must have at most 5 characters")
	b.fill("data.place.city", "Graz")
	b.fill("data.parts.0.text", "So it is.")
	b.press("//main", "Create entry")
	b.see("Created.")
	for name, want := range map[string]string{"data.place.city": "Graz", "data.steps.0.what": "Dig",
		"data.parts.0.text": "So it is."} {
		if got := eval[string](b, `document.querySelector("[name='`+name+`']").value`); got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
	b.do(mouseClick(chromedp.CSS("[value='remove data.steps.0']")))
	b.rows("data.steps", 0)
	b.press("//main", "Add another")
	b.fill("data.steps.0.what", "Plant")
	b.press("//main", "Save")
	b.see("Saved.")
	b.eventually(`document.querySelector("[name='data.steps.0.what']").value`, "Plant")
}

// TestBrowserForm edits the fields of a form row by row, with scripts and without.
func TestBrowserForm(t *testing.T) {
	for _, scripts := range []bool{true, false} {
		t.Run(fmt.Sprintf("scripts %v", scripts), func(t *testing.T) {
			b := newSite(t).openTabWith(scripts, "/forms/create")
			b.fill("name", "Contact")
			b.fill("slug", "contact")
			b.do(mouseClick(chromedp.CSS("[value='remove fields.2']")))
			b.rows("fields", 2)
			b.press("//main", "Add field")
			b.fill("fields.2.name", "no name")
			b.fill("fields.2.label", "Topic")
			b.do(chromedp.SetValue(chromedp.CSS("[name='fields.2.type']"), "select"))
			b.press("//main", "Create form")
			b.see("must hold at least one option")
			wrong := "[name='fields.2.name'][aria-invalid], [name='fields.2.options'][aria-invalid]"
			if n := eval[int](b, `document.querySelectorAll("`+wrong+`").length`); n != 2 {
				t.Errorf("%d of the wrong inputs are marked", n)
			}
			b.fill("fields.2.name", "topic")
			b.fill("fields.2.options", "Press\nOther")
			b.do(mouseClick(chromedp.CSS("[value='up fields.2']")))
			b.eventually(`document.querySelector("[name='fields.1.name']").value`, "topic")
			b.check("fields.1.required", "true")
			b.fill("fields.2.max", "500")
			b.press("//main", "Create form")
			b.see("Created.")
			want := "[map[label:Your address name:email required:true type:email] map[label:Topic name:topic options:[Press " +
				"Other] required:true type:select] map[label:Message max:500 name:message required:true type:textarea]]"
			if got := fmt.Sprint(b.call("GET", "/forms/contact", nil)["fields"]); got != want {
				t.Errorf("the form has the fields\n%s, not\n%s", got, want)
			}
		})
	}
}

// addField adds a field of a kind to a list of a model's fields, which are n by then.
func (b *tab) addField(list, kind string, n int) {
	b.t.Helper()
	at := fmt.Sprintf(`//fieldset[@id="f-%s"]/div[@class="add"]`, list)
	b.click(at + "//summary")
	b.do(mouseClick(chromedp.Search(fmt.Sprintf(`%s//button[starts-with(normalize-space(), %q)]`,
		at, kind))))
	b.rows(list, n)
}

// rows waits until a list has a number of rows.
func (b *tab) rows(name string, n int) {
	b.t.Helper()
	b.eventually(fmt.Sprintf("String(document.getElementById('f-%s')?.querySelectorAll(':scope > fieldset').length)",
		name), fmt.Sprint(n))
}
