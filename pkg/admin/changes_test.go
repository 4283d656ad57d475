package admin_test

import "testing"

// TestChangesNameReferences compares versions of an entry by the names of the entries and files
// they refer to, in groups and rows too.
func TestChangesNameReferences(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"authors","name":"Authors"}`)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","fields":[
		{"name":"author","type":"relation","model":"authors"},
		{"name":"readers","type":"relation","model":"authors","many":true},
		{"name":"credits","type":"list","fields":[{"name":"by","label":"By","type":"relation","model":"authors"}]}]}`)
	author := func(name string) string {
		return c.must(t, 201, "POST", "/models/authors/entries", `{"title":"`+name+`"}`).text(t, "id")
	}
	ada, bob, eva := author("Ada"), author("Bob"), author("Eva")
	at := "/models/posts/entries/" + c.must(t, 201, "POST", "/models/posts/entries",
		`{"title":"Lamps","status":"published","data":{"author":"`+ada+`","readers":["`+ada+`"],
			"credits":[{"by":"`+ada+`"}]}}`).text(t, "id")
	c.must(t, 200, "PUT", at+"/draft", `{"data":{"author":"`+bob+`","readers":["`+ada+`","`+eva+`"],
		"credits":[{"by":"`+bob+`"}]}}`)
	for _, page := range []string{at + "/draft", at + "/revisions"} {
		if page != at+"/draft" {
			c.must(t, 200, "POST", at+"/publish", nil)
		}
		a := b.get(t, page)
		for _, want := range []string{`<del>Ada</del><span>
</span><ins>Bob</ins>`, `<span>Ada</span><span>
</span><ins>Eva</ins>`, "By: </span><del>Ada</del><ins>Bob</ins>"} {
			if a.Code != 200 || !contains(a, want) {
				t.Errorf("%s has no %s: %d %s", page, want, a.Code, a.Body)
			}
		}
		for _, id := range []string{ada, bob, eva} {
			if contains(a, id) {
				t.Errorf("%s shows an id", page)
			}
		}
	}
}
