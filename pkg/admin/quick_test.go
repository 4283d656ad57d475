package admin_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// quickRow returns the row of a list that has a form, and the form with its hidden inputs and its address
// below /admin.
func quickRow(t *testing.T, list answer) (row, action string, form url.Values) {
	t.Helper()
	row = regexp.MustCompile(`(?s)<tr role="row" class="editing".*?</tr>`).FindString(list.Body.String())
	found := regexp.MustCompile(`<form method="post" action="/admin([^"]*)"`).FindStringSubmatch(row)
	if list.Code >= 500 || found == nil {
		t.Fatalf("no form in a row: %d %s", list.Code, list.Body)
	}
	return row, html.UnescapeString(found[1]), hiddenInputs(row)
}

// hiddenInputs returns the hidden inputs in a part of a page.
func hiddenInputs(part string) url.Values {
	form := url.Values{}
	for _, input := range regexp.MustCompile(
		`<input type="hidden" name="([^"]*)" value="([^"]*)"`).FindAllStringSubmatch(part, -1) {
		form.Add(input[1], html.UnescapeString(input[2]))
	}
	return form
}

func listOfLamps(t *testing.T) (*site, client, string) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models", `{"slug":"authors","name":"Authors"}`)
	c.must(t, 201, "POST", "/models", `{"slug":"lamps","name":"Lamps","fields":[
		{"name":"price","label":"Price","type":"number"},{"name":"kind","label":"Kind","type":"select","options":["desk","floor"]},
		{"name":"body","label":"Body","type":"textarea"},{"name":"sold","label":"Sold","type":"boolean"},
		{"name":"tags","label":"Tags","type":"multiselect","options":["oak","ash"]},
		{"name":"author","label":"Author","type":"relation","model":"authors"}]}`)
	id := c.must(t, 201, "POST", "/models/lamps/entries",
		`{"title":"Heron","data":{"price":5,"kind":"desk","sold":true,"tags":["oak"],"body":"Long"}}`).text(t, "id")
	c.must(t, 201, "POST", "/models/lamps/entries", `{"title":"Crane"}`)
	return s, c, id
}

// TestQuickEdit edits an entry in its row of a list without a script: the browser comes back to the same page of
// the list, and Undo takes the change back.
func TestQuickEdit(t *testing.T) {
	s, c, id := listOfLamps(t)
	b := s.browse(t)
	list := b.get(t, "/models/lamps/entries?columns=price&sort=title&filter[data.kind]=desk")
	link := regexp.MustCompile(`href="(\?[^"]*edit=` + id +
		`[^"]*)" title="Quick edit">`).FindStringSubmatch(list.Body.String())
	if link == nil {
		t.Fatalf("no link in %s", list.Body)
	}
	row, action, form := quickRow(t, b.get(t, "/models/lamps/entries"+html.UnescapeString(link[1])))
	for _, want := range []string{`Heron</textarea>`, `name="slug"`, `type="number" step="any" value="5"`,
		`<select id="f-data.kind"`, `name="data.sold" value="true" checked`, `value="oak" checked`, `name="data.author"`} {
		if !strings.Contains(row, want) {
			t.Errorf("no %s in %s", want, row)
		}
	}
	if strings.Contains(row, "data.body") {
		t.Errorf("a long text in %s", row)
	}
	form.Set("title", "Heron 2")
	form.Set("data.price", "7")
	form["data.tags"] = []string{"", "oak", "ash"}
	form["data.sold"] = []string{"false"}
	saved := b.post(t, action, form)
	at := saved.Header().Get("Location")
	if saved.Code != http.StatusSeeOther || !strings.HasPrefix(at, "/admin/models/lamps/entries?") {
		t.Fatalf("saved: %d %s %s", saved.Code, at, saved.Body)
	}
	for _, kept := range []string{"columns=price", "sort=title", "filter%5Bdata.kind%5D=desk", "ok=saved"} {
		if !strings.Contains(at, kept) {
			t.Errorf("%s has no %s", at, kept)
		}
	}
	e := c.must(t, 200, "GET", "/models/lamps/entries/"+id, nil)
	if e.text(t, "title") != "Heron 2" || e.at(t, "data", "price") != 7.0 || e.text(t, "data", "tags", 1) != "ash" ||
		e.at(t, "data", "sold") != false || e.text(t, "data", "body") != "Long" || e.text(t, "data", "kind") != "desk" {
		t.Errorf("saved %s", e.Body)
	}
	after, undo, fields := b.offered(t, saved)
	if undo == "" || !contains(after, "Heron 2") {
		t.Fatalf("no Undo in %s", after.Body)
	}
	if again := b.get(t, strings.TrimPrefix(at, "/admin")); contains(again, ">Undo<") {
		t.Error("Undo is offered without its cookie")
	}
	c.must(t, 200, "PUT", "/models/lamps/entries/"+id,
		`{"data":{"kind":"floor","body":"Longer","price":7,"tags":["oak","ash"],"sold":false}}`)
	if a := b.post(t, undo, fields); a.Code != http.StatusSeeOther {
		t.Errorf("Undo: %d %s", a.Code, a.Body)
	}
	e = c.must(t, 200, "GET", "/models/lamps/entries/"+id, nil)
	if e.text(t, "title") != "Heron" || e.at(t, "data", "price") != 5.0 || len(e.at(t, "data", "tags").([]any)) != 1 ||
		e.at(t, "data", "sold") != true || e.text(t, "data", "body") != "Longer" || e.text(t, "data", "kind") != "floor" {
		t.Errorf("after Undo: %s", e.Body)
	}
}

// TestQuickEditOfPublished saves into the draft of a published entry, as its page does.
func TestQuickEditOfPublished(t *testing.T) {
	s, c, id := listOfLamps(t)
	c.must(t, 200, "POST", "/models/lamps/entries/"+id+"/publish", nil)
	b := s.browse(t)
	_, action, form := quickRow(t, b.get(t, "/models/lamps/entries?edit="+id))
	form.Set("title", "Heron 2")
	saved := b.post(t, action, form)
	if at := saved.Header().Get("Location"); saved.Code != http.StatusSeeOther || !strings.Contains(at, "ok=waiting") {
		t.Errorf("%d %s", saved.Code, at)
	}
	if e := c.must(t, 200, "GET", "/models/lamps/entries/"+id, nil); e.text(t, "title") != "Heron" ||
		e.at(t, "has_draft") != true {
		t.Errorf("the published entry: %s", e.Body)
	}
	if row, _, _ := quickRow(t, b.get(t, "/models/lamps/entries?edit="+id)); !strings.Contains(row, `Heron 2</textarea>`) {
		t.Errorf("the draft is not in %s", row)
	}
}

// TestQuickEditRefused shows the form in its row again: with its errors, and with what somebody else changed
// meanwhile.
func TestQuickEditRefused(t *testing.T) {
	s, c, id := listOfLamps(t)
	c.must(t, 201, "POST", "/users", map[string]any{"email": "ada@example.com", "name": "Ada", "role": "editor",
		"password": password})
	b := s.browse(t)
	_, action, form := quickRow(t, b.get(t, "/models/lamps/entries?sort=title&edit="+id))
	form.Set("title", "Heron 2")
	form.Set("data.price", "many")
	refused := b.post(t, action, form)
	row, again, form := quickRow(t, refused)
	if refused.Code != 422 || again != action || !strings.Contains(row, `id="f-data.price-hints"><p class="error">`) ||
		!strings.Contains(row, `Heron 2</textarea>`) || !contains(refused, "Crane") {
		t.Errorf("%d %s", refused.Code, refused.Body)
	}
	s.as(t, "ada@example.com").must(t, 200, "PUT", "/models/lamps/entries/"+id+"/draft",
		`{"title":"Heron by Ada","data":{"kind":"floor"}}`)
	form.Set("title", "Heron 2")
	form.Set("data.price", "50")
	form.Set("data.kind", "desk")
	conflict := b.post(t, action, form)
	row, _, form = quickRow(t, conflict)
	if conflict.Code != 412 || !strings.Contains(row, "Ada changed this too") || !strings.Contains(row, "Keep mine") {
		t.Fatalf("%d %s", conflict.Code, conflict.Body)
	}
	if d := c.must(t, 200, "GET", "/models/lamps/entries/"+id+"/draft", nil); d.text(t, "title") != "Heron by Ada" ||
		d.text(t, "data", "kind") != "floor" || d.at(t, "data", "price") != 50.0 {
		t.Errorf("after the conflict: %s", d.Body)
	}
	form.Set("title", "Heron 2")
	form.Set("data.kind", "floor")
	form.Set("_do", "keep title")
	row, _, form = quickRow(t, b.post(t, action, form))
	if strings.Contains(row, "Keep mine") || !strings.Contains(row, `Heron 2</textarea>`) {
		t.Errorf("after the choice: %s", row)
	}
	form.Set("title", "Heron 2")
	if a := b.post(t, action, form); a.Code != http.StatusSeeOther {
		t.Errorf("%d %s", a.Code, a.Body)
	}
	if e := c.must(t, 200, "GET", "/models/lamps/entries/"+id, nil); e.text(t, "title") != "Heron 2" ||
		e.text(t, "data", "kind") != "floor" {
		t.Errorf("saved %s", e.Body)
	}
}

// TestQuickEditRights offers the form to those who may write the entry, and shows a row that the list does not
// have first.
func TestQuickEditRights(t *testing.T) {
	s, c, id := listOfLamps(t)
	c.must(t, 201, "POST", "/roles", `{"slug":"reader","name":"Reader","rules":[{"models":["lamps"],"actions":["read"]}]}`)
	for _, role := range []string{"reader", "viewer"} {
		c.must(t, 201, "POST", "/users", `{"email":"`+role+`@example.com","role":"`+role+`","password":"`+password+`"}`)
		a := s.browseAs(t, role+"@example.com").get(t, "/models/lamps/entries?edit="+id)
		if a.Code != 200 || contains(a, "Quick edit") || contains(a, `class="editing"`) || !contains(a, "Heron") {
			t.Errorf("%s: %d %s", role, a.Code, a.Body)
		}
	}
	b := s.browse(t)
	if row, _, _ := quickRow(t,
		b.get(t, "/models/lamps/entries?q=nothing&edit="+id)); !strings.Contains(row, `Heron</textarea>`) {
		t.Errorf("not in the list: %s", row)
	}
	for _, none := range []string{"none", "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"} {
		if a := b.get(t, "/models/lamps/entries?edit="+none); a.Code != 404 {
			t.Errorf("%s: %d", none, a.Code)
		}
	}
}
