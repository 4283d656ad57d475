package admin_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"headless/pkg/must"
)

// TestFewChoices shows the entries of small models in the form itself; those of large models, of
// other locales and of the model of the entry are chosen in a panel.
func TestFewChoices(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	for _, slug := range []string{"topics", "products"} {
		c.must(t, 201, "POST", "/models", `{"slug":"`+slug+`","name":"`+slug+`","localized":`+
			fmt.Sprint(slug == "topics")+`}`)
	}
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","fields":[
		{"name":"topics","type":"relation","model":"topics","many":true},
		{"name":"topic","type":"relation","model":"topics"},
		{"name":"product","type":"relation","model":"products"},
		{"name":"related","type":"relation","model":"posts","many":true}]}`)
	oil := c.must(t, 201, "POST", "/models/topics/entries", `{"title":"Oil"}`).text(t, "id")
	wood := c.must(t, 201, "POST", "/models/topics/entries", `{"title":"Wood"}`).text(t, "id")
	german := c.must(t, 201, "POST", "/models/topics/entries",
		`{"title":"Holz","locale":"de"}`).text(t, "id")
	var product string
	for i := range 9 {
		product = c.must(t, 201, "POST", "/models/products/entries",
			fmt.Sprintf(`{"title":"P%d"}`, i)).text(t, "id")
	}
	post := c.must(t, 201, "POST", "/models/posts/entries",
		`{"title":"Lamps","data":{"topics":["`+wood+`"]}}`).text(t, "id")
	page := b.get(t, "/models/posts/entries/"+post)
	for _, shown := range []string{
		`type="checkbox" name="data.topics" value="` + wood + `" checked`,
		`type="checkbox" name="data.topics" value="` + oil + `">`,
		`type="radio" name="data.topic" value="` + wood + `">`,
		`type="radio" name="data.topic" value="` + oil + `">`,
	} {
		if !contains(page, shown) {
			t.Errorf("the form lacks %s", shown)
		}
	}
	for _, id := range []string{german, product, post} {
		if contains(page, `name="data.topics" value="`+id+`"`) || contains(page, `name="data.topic" value="`+id+`"`) {
			t.Errorf("the form shows %s", id)
		}
	}
	if page := b.get(t, "/models/posts/entries/create"); !contains(page, `value="`+oil+`">`) {
		t.Error("the form of a new entry lacks the topics")
	}
}

// TestPanelOffers offers the entries in the language of the edited entry first, and all at a choice; never archived
// ones.
func TestPanelOffers(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	c.must(t, 201, "POST", "/models", `{"slug":"notes","name":"Notes"}`)
	c.must(t, 201, "POST", "/models", `{"slug":"topics","name":"Topics","localized":true,"fields":[
		{"name":"related","type":"relation","model":"topics","many":true},
		{"name":"either","type":"relation","models":["topics","notes"]}]}`)
	c.must(t, 201, "POST", "/models/topics/entries", `{"title":"Oil"}`)
	c.must(t, 201, "POST", "/models/topics/entries", `{"title":"Öl","locale":"de"}`)
	c.must(t, 201, "POST", "/models/topics/entries", `{"title":"Old","status":"archived"}`)
	c.must(t, 201, "POST", "/models/notes/entries", `{"title":"Gone","status":"archived"}`)
	c.must(t, 201, "POST", "/models/notes/entries", `{"title":"Kept"}`)
	at := "/models/topics/entries/" + c.must(t, 201, "POST", "/models/topics/entries", `{"title":"Lamps"}`).text(t, "id")
	csrf := b.get(t, at).csrf(t)
	for _, row := range []struct {
		do, more     string
		offers, nots []string
	}{
		{"pick data.related", "", []string{"Oil", `<option value="en" selected>`, ">All languages<"}, []string{"Öl", "Old"}},
		{"find data.related", "_locale=", []string{"Oil", "Öl"}, []string{"Old"}},
		{"find data.either", "_model=notes&_locale=en", []string{"Kept"}, []string{"Gone", ">All languages<"}},
		{"find data.either", "_model=topics&_locale=en", []string{"Oil"}, []string{"Öl", "Kept"}},
	} {
		form, err := url.ParseQuery(row.more)
		must.Do(t, err)
		form["_csrf"], form["_method"], form["_do"] = []string{csrf}, []string{"PUT"}, []string{row.do}
		page := b.post(t, at, form)
		_, panel, _ := strings.Cut(page.Body.String(), `<div class="panel"`)
		panel, _, _ = strings.Cut(panel, "</fieldset>")
		for _, text := range row.offers {
			if !strings.Contains(panel, text) {
				t.Errorf("%s %s: no %s in %d %s", row.do, row.more, text, page.Code, panel)
			}
		}
		for _, text := range row.nots {
			if strings.Contains(panel, text) {
				t.Errorf("%s %s: offers %s: %s", row.do, row.more, text, panel)
			}
		}
	}
	list := "/models/topics/entries?filter%5Bstatus%5D%5Bin%5D=draft,published&filter%5Blocale%5D=en&q="
	for q, want := range map[string]int{"": 2, "Oil": 1, "Old": 0} { // as picker.js asks
		if a := c.must(t, 200, "GET", list+q, nil); len(a.Data.([]any)) != want {
			t.Errorf("q=%s: %s", q, a.Body)
		}
	}
	const source = `filter%5Bstatus%5D%5Bin%5D=draft,published" data-localized="topics " data-locale="en"`
	if page := b.get(t, at); !contains(page, source) {
		t.Errorf("the script is not told which entries to offer: %s", page.Body)
	}
}
