package admin_test

import (
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestConflictInBlock changes one field of a block in two windows while a third removes another block. The
// page of the second names the first person and shows the words that differ, and either text can be kept.
func TestConflictInBlock(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/users", map[string]any{"email": "ada@example.com", "name": "Ada", "role": "editor",
		"password": password})
	ada := s.as(t, "ada@example.com")
	c.must(t, 201, "POST", "/models", `{"slug":"notes","name":"Notes","fields":[{"name":"parts","type":"blocks","fields":[
		{"name":"hero","type":"group","fields":[{"name":"head","label":"Head","type":"text"},{"name":"button","type":"text"}]}]}]}`)
	block := func(head, button string) string {
		return `{"type":"hero","head":"` + head + `","button":"` + button + `"}`
	}
	id := c.must(t, 201, "POST", "/models/notes/entries", `{"title":"N","data":{"parts":[`+
		block("The red lamp", "Go")+","+block("Two", "Buy")+","+block("Three", "See")+`]}}`).text(t, "id")
	at := "/models/notes/entries/" + id
	b := s.browse(t)
	page := b.get(t, at)
	found := regexp.MustCompile(`name="_base" value="([^"]*)"`).FindStringSubmatch(page.Body.String())
	if found == nil {
		t.Fatalf("no base in %s", page.Body)
	}
	ids := regexp.MustCompile(`name="data.parts.(\d).(?:_id)" value="([^"]*)"`).FindAllStringSubmatch(page.Body.String(),
		-1)
	if len(ids) != 3 {
		t.Fatalf("ids %v in %s", ids, page.Body)
	}
	ada.must(t, 200, "PUT", at+"/draft",
		`{"data":{"parts":[`+block("The green lamp", "Go")+","+block("Three", "See")+`]}}`)
	form := func(do string) url.Values {
		v := url.Values{"_csrf": {page.csrf(t)}, "_method": {"PUT"}, "_base": {html.UnescapeString(found[1])},
			"title": {"N"}, "data.parts._rows": {""}}
		for i, texts := range [][]string{{"The blue lamp", "Went"}, {"Two", "Buy"}, {"Three", "Saw"}} {
			row := "data.parts." + string(rune('0'+i)) + "."
			v[row+"_id"], v[row+"type"], v[row+"head"], v[row+"button"] = []string{ids[i][2]}, []string{"hero"}, texts[:1],
				texts[1:]
		}
		if do != "" {
			v.Set("_do", do)
		}
		return v
	}
	a := b.post(t, at+"/draft", form(""))
	for _, part := range []string{"Ada changed this too", "<del>blue</del><ins>green</ins>", "Keep mine", "Take theirs",
		`value="Saw"`} {
		if !contains(a, part) {
			t.Errorf("%d, no %s in %s", a.Code, part, a.Body)
		}
	}
	if own := b.post(t, at+"/draft", form("")); !contains(own, "Ada changed this too") {
		t.Errorf("the same form again: %s", own.Body)
	}
	saved := c.must(t, 200, "GET", at+"/draft", nil)
	c.must(t, 200, "PUT", at+"/draft", `{"data":{"parts":[`+block("The old lamp", "Went")+","+block("Three", "Saw")+`]}}`)
	if own := b.post(t, at+"/draft", form("")); !contains(own, "You, in another window, changed this too") {
		t.Errorf("a save of the same person: %s", own.Body)
	}
	for i, want := range []string{"The green lamp Went", "Three Saw"} {
		if got := saved.text(t, "data", "parts", i, "head") + " " + saved.text(t, "data", "parts", i, "button"); got != want {
			t.Errorf("block %d: %q, want %q", i, got, want)
		}
	}
}

// formOf returns the inputs of the form on the page of an entry, and the ids of its blocks.
func formOf(t *testing.T, page answer) (form url.Values, ids []string) {
	t.Helper()
	form = url.Values{"_csrf": {page.csrf(t)}, "_method": {"PUT"}, "data.parts._rows": {""}}
	for _, input := range regexp.MustCompile(
		`name="(_base|title|data\.parts[^"]*)"[^>]* value="([^"]*)"`).FindAllStringSubmatch(page.Body.String(), -1) {
		form.Set(input[1], html.UnescapeString(input[2]))
	}
	for i := 0; form.Has(fmt.Sprintf("data.parts.%d._id", i)); i++ {
		ids = append(ids, form.Get(fmt.Sprintf("data.parts.%d._id", i)))
	}
	return form, ids
}

// TestRowIDsOfDrafts edits a block without a script, while another person removes it and rewrites its
// neighbour. The ids by which the two forms know the blocks are kept beside the draft, after its end too,
// and no reader of the entry or its draft sees them.
func TestRowIDsOfDrafts(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/users", map[string]any{"email": "ada@example.com", "name": "Ada", "role": "editor",
		"password": password})
	c.must(t, 201, "POST", "/models", `{"slug":"notes","name":"Notes","fields":[{"name":"parts","type":"blocks","fields":[
		{"name":"hero","type":"group","fields":[{"name":"head","type":"text"}]}]}]}`)
	id := c.must(t, 201, "POST", "/models/notes/entries", `{"title":"N","status":"published","data":{"parts":[
		{"type":"hero","head":"One"},{"type":"hero","head":"Two"},{"type":"hero","head":"Three"}]}}`).text(t, "id")
	at := "/models/notes/entries/" + id
	mine, ada := s.browse(t), s.browseAs(t, "ada@example.com")
	first, _ := formOf(t, mine.get(t, at))
	hers, _ := formOf(t, ada.get(t, at))

	hers.Set("_do", "add data.parts hero")
	hers, ids := formOf(t, ada.post(t, at+"/draft", hers))
	if len(ids) != 4 || len(ids[3]) != 10 {
		t.Fatalf("an added block has the id of %v", ids)
	}
	hers.Set("data.parts.3.head", "Four")
	hers.Set("_do", "move data.parts.2 0")
	hers, _ = formOf(t, ada.post(t, at+"/draft", hers))
	hers.Set("data.parts.0.head", "Three and more") // Three, One, Two, Four
	hers.Set("_do", "remove data.parts.1")
	hers, _ = formOf(t, ada.post(t, at+"/draft", hers))
	if a := ada.post(t, at+"/draft", hers); a.Code != 303 {
		t.Fatalf("Ada's save: %d %s", a.Code, a.Body)
	}
	first.Set("data.parts.0.head", "One by me")
	if a := mine.post(t, at+"/draft", first); a.Code != 303 {
		t.Fatalf("my save: %d %s", a.Code, a.Body)
	}
	order := func(want ...string) {
		t.Helper()
		form, ids := formOf(t, mine.get(t, at))
		var got []string
		for i := range ids {
			got = append(got, ids[i]+" "+form.Get(fmt.Sprintf("data.parts.%d.head", i)))
		}
		if !slices.Equal(got, want) {
			t.Errorf("blocks %q, want %q", got, want)
		}
	}
	order("0 One by me", "2 Three and more", "1 Two", ids[3]+" Four")
	draft := c.must(t, 200, "GET", at+"/draft", nil)
	if a := mine.post(t, at+"/publish", url.Values{"_csrf": first["_csrf"]}); a.Code != 303 {
		t.Fatalf("publish: %d %s", a.Code, a.Body)
	}
	order("0 One by me", "2 Three and more", "1 Two", ids[3]+" Four")
	for name, a := range map[string]answer{"draft": draft, "entry": c.must(t, 200, "GET", at, nil),
		"history": c.must(t, 200, "GET", at+"/revisions", nil)} {
		if text := a.Body.String(); strings.Contains(text, ids[3]) || strings.Contains(text, "row_ids") ||
			strings.Contains(text, `"_id"`) {
			t.Errorf("%s has ids: %s", name, text)
		}
	}
	c.must(t, 200, "PUT", at+"/draft", `{"data":{"parts":[{"type":"hero","head":"Two"},{"type":"hero","head":"One"}]}}`)
	order("0 Two", "1 One")
}
