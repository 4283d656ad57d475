package admin_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// TestManyProblems shows the first 100 problems of a refusal in the order of rows, and the number of the others, on
// each page that lists problems. A program gets all of them.
func TestManyProblems(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"name":"Pages","slug":"pages","fields":[{"name":"parts","label":"Parts",
		"type":"list","fields":[{"name":"head","label":"Heading","type":"text","required":true}]}]}`)
	rows := "[" + strings.TrimSuffix(strings.Repeat(`{"head":""},`, 300), ",") + "]"
	at := "/models/pages/entries/" + c.must(t, 201, "POST", "/models/pages/entries", `{"title":"Draft"}`).text(t, "id")
	c.must(t, 200, "PUT", at+"/draft", `{"data":{"parts":`+rows+`}}`)
	refused := c.must(t, 422, "POST", at+"/publish", nil)
	if n := strings.Count(refused.Body.String(), "is required"); n != 300 {
		t.Errorf("a program gets %d problems", n)
	}
	limited := func(what string, a answer, status, most int, first, last, more string) {
		t.Helper()
		page := a.Body.String()
		page = page[strings.Index(page, "<main"):]
		if n := strings.Count(page, "is required"); a.Code != status || n > most ||
			!strings.Contains(page, first) || !strings.Contains(page, last) || !strings.Contains(page, more) {
			t.Errorf("%s: %d, %d problems: %s", what, a.Code, n, page)
		}
	}
	const more = "200 more problems are not listed here."
	csrf := b.get(t, at+"/draft").csrf(t)
	limited("changes", b.post(t, at+"/publish", url.Values{"_csrf": {csrf}}), 422, 100,
		"Parts 1 › Heading: is required", "Parts 100 › Heading: is required", more)

	form := formIn(t, b.get(t, at))
	form.Set("_then", "publish")
	limited("form", b.post(t, at+"/draft", form), 422, 300, "Parts › 1 › Heading: is required",
		"Parts › 100 › Heading: is required", "</ul><p>"+more)

	items := make([]string, 150)
	for i := range items {
		id := c.must(t, 201, "POST", "/models/pages/entries", fmt.Sprintf(`{"title":"Page %d"}`, i+1)).text(t, "id")
		c.must(t, 200, "PUT", "/models/pages/entries/"+id+"/draft", `{"data":{"parts":[{"head":""}]}}`)
		items[i] = `{"model":"pages","id":"` + id + `","action":"publish"}`
	}
	release := "/releases/" + c.must(t, 201, "POST", "/releases",
		`{"name":"Spring","items":[`+strings.Join(items, ",")+`]}`).text(t, "id")
	limited("release", b.post(t, release+"/check", url.Values{"_csrf": {csrf}}), 200, 1000,
		"Page 1<", "Page 100<", "50 more problems are not listed here.")
}
