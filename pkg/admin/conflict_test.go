package admin_test

import (
	"html"
	"net/url"
	"regexp"
	"testing"
)

// TestConflictInBlock changes one field of a block in two windows while a third removes another block. The
// page of the second names the first person and shows the words that differ, and either text can be kept.
func TestConflictInBlock(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/users", map[string]any{"email": "ada@example.com", "name": "Ada", "role": "editor", "password": password})
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
	ids := regexp.MustCompile(`name="data.parts.(\d).(?:_id)" value="([^"]*)"`).FindAllStringSubmatch(page.Body.String(), -1)
	if len(ids) != 3 {
		t.Fatalf("ids %v in %s", ids, page.Body)
	}
	ada.must(t, 200, "PUT", at+"/draft", `{"data":{"parts":[`+block("The green lamp", "Go")+","+block("Three", "See")+`]}}`)
	form := func(do string) url.Values {
		v := url.Values{"_csrf": {page.csrf(t)}, "_method": {"PUT"}, "_base": {html.UnescapeString(found[1])},
			"title": {"N"}, "data.parts._rows": {""}}
		for i, texts := range [][]string{{"The blue lamp", "Went"}, {"Two", "Buy"}, {"Three", "Saw"}} {
			row := "data.parts." + string(rune('0'+i)) + "."
			v[row+"_id"], v[row+"type"], v[row+"head"], v[row+"button"] = []string{ids[i][2]}, []string{"hero"}, texts[:1], texts[1:]
		}
		if do != "" {
			v.Set("_do", do)
		}
		return v
	}
	a := b.post(t, at+"/draft", form(""))
	for _, part := range []string{"Ada changed this too", "<del>blue</del><ins>green</ins>", "Keep mine", "Take theirs", `value="Saw"`} {
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
