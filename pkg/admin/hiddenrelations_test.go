package admin_test

import "testing"

// TestHiddenRelations reads an entry and a list as somebody whose role does not show all that the entry refers to.
// The pages do not call it deleted, and show no id in its place.
func TestHiddenRelations(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	c.must(t, 201, "POST", "/models", `{"slug":"authors","name":"Authors"}`)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","localized":true,"fields":[
		{"name":"author","label":"Author","type":"relation","model":"authors"},
		{"name":"parts","label":"Parts","type":"relation","models":["authors","posts"],"many":true},
		{"name":"twin","label":"Twin","type":"relation","model":"posts"}]}`)
	ada := c.must(t, 201, "POST", "/models/authors/entries", `{"title":"Ada"}`).text(t, "id")
	english := c.must(t, 201, "POST", "/models/posts/entries", `{"title":"English"}`).text(t, "id")
	german := c.must(t, 201, "POST", "/models/posts/entries", `{"title":"Deutsch","locale":"de","data":{"author":"`+ada+
		`","parts":[{"model":"authors","id":"`+ada+`"}],"twin":"`+english+`"}}`).text(t, "id")
	c.must(t, 201, "POST", "/roles",
		`{"slug":"german","name":"German","rules":[{"models":["posts"],"locales":["de"],"actions":["read","write"]}]}`)
	b := s.browseAs(t, s.newUser(t, "german").must(t, 200, "GET", "/me", nil).text(t, "email"))
	const list, columns = "/models/posts/entries", "?columns=author,parts,twin"
	form, rows := b.get(t, list+"/"+german), b.get(t, list+columns)
	for _, word := range []string{">deleted<", "is gone", ">" + ada, ">" + english} {
		if contains(form, word) || contains(rows, word) {
			t.Errorf("a page says %s: %s %s", word, form.Body, rows.Body)
		}
	}
	if !contains(form, "deleted or hidden") || !contains(form, "Your role shows nothing to choose from.") ||
		!contains(form, `value="`+ada+`"`) || !contains(rows, "deleted or hidden") {
		t.Errorf("what is hidden is not said, or not kept: %s %s", form.Body, rows.Body)
	}
	c.must(t, 204, "DELETE", "/models/authors/entries/"+ada, nil)
	if form = s.browse(t).get(t, list+"/"+german); !contains(form, ">deleted<") {
		t.Errorf("what is deleted is not said to an administrator: %s", form.Body)
	}
}
