package admin_test

import (
	"net/url"
	"strings"
	"testing"
)

// TestEmptyRows shows the empty rows that a program made, where the entry has them, after a refusal too, and
// stores that one was removed. An empty row that the form adds is not stored.
func TestEmptyRows(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"name":"Pages","slug":"pages","fields":[{"name":"parts","label":"Parts",
		"type":"list","fields":[{"name":"head","label":"Heading","type":"text","required":true},
		{"name":"note","type":"text"}]}]}`)
	at := "/models/pages/entries/" + c.must(t, 201, "POST", "/models/pages/entries", `{"title":"Draft"}`).text(t, "id")
	c.must(t, 200, "PUT", at+"/draft", `{"data":{"parts":[{"head":"A"},{"head":"","note":""},{"head":"C"},{}]}}`)
	send := func(page answer, change func(form url.Values)) answer {
		t.Helper()
		form := formIn(t, page)
		change(form)
		return b.post(t, at+"/draft", form)
	}
	publish := func(form url.Values) { form.Set("_then", "publish") }
	page := send(b.get(t, at), publish)
	text := page.Body.String()
	if page.Code != 422 || !strings.Contains(text, `href="#f-data.parts.1.head">Parts › 2 › Heading: is required`) ||
		!strings.Contains(text, `href="#f-data.parts.3.head"`) || !strings.Contains(text, ` type="text" value="C"`) {
		t.Fatalf("refused: %d %s", page.Code, text[strings.Index(text, "<main"):])
	}
	if page = send(page, func(form url.Values) { form.Set("_do", "remove data.parts.1") }); page.Code != 200 {
		t.Fatal(page.Code)
	}
	page = send(page, func(form url.Values) { form.Set("_do", "add data.parts") })
	if page = send(page, func(form url.Values) {}); page.Code != 303 {
		t.Fatalf("save: %d", page.Code)
	}
	if rows := c.must(t, 200, "GET", at, nil).at(t, "data", "parts").([]any); len(rows) != 3 {
		t.Errorf("stored: %v", rows)
	}
	if page = send(b.get(t, at), func(form url.Values) { form.Set("_do", "remove data.parts.2") }); page.Code != 200 {
		t.Fatal(page.Code)
	}
	if page = send(page, publish); page.Code != 303 {
		t.Errorf("published: %d %s", page.Code, page.Body)
	}
}
