package admin_test

import (
	"fmt"
	"testing"
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
