package admin_test

import (
	"net/url"
	"strings"
	"testing"
)

// TestReplaceTextPages goes from the selected entries to the job by forms without scripts.
func TestReplaceTextPages(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", map[string]any{"slug": "notes", "name": "Notes"})
	one := c.must(t, 201, "POST", "/models/notes/entries", `{"title":"By <Acme>"}`).text(t, "id")
	two := c.must(t, 201, "POST", "/models/notes/entries", `{"title":"Other"}`).text(t, "id")
	list := b.get(t, "/models/notes/entries")
	if !contains(list, "Find and replace…") {
		t.Fatalf("the list: %s", list.Body)
	}
	form := url.Values{"_csrf": {list.csrf(t)}, "action": {"replace_text"}, "model": {"notes"}, "ids": {one, two}}
	see := func(code int, texts ...string) {
		t.Helper()
		a := b.post(t, "/jobs", form)
		for _, text := range texts {
			if a.Code != code || !contains(a, text) {
				t.Errorf("%d without %s: %s", a.Code, text, a.Body)
			}
		}
	}
	see(200, "Find and replace in 2 entries", `name="find"`, `name="replace"`, `value="`+two+`"`)
	form["find"], form["replace"] = []string{" "}, []string{"Beta"}
	see(200, "must not be blank", `name="replace"`)
	form.Set("find", "Nobody")
	see(200, "0 entries of 2 change", "No entry has this text")
	form.Set("find", "Acme")
	see(200, "1 entry of 2 changes", "Replace in 1 entry", `class="badge">English`,
		"<del>", "<ins>",
		`name="sure" value="true"`, `name="find" value="Acme"`)
	form.Set("sure", "true")
	a := b.post(t, "/jobs", form)
	id, _, _ := strings.Cut(strings.TrimPrefix(a.Header().Get("Location"), "/admin/jobs/"), "?")
	if _, err := s.on.Jobs.Work(t.Context(), id); a.Code != 303 || err != nil {
		t.Errorf("the job: %d %s %v", a.Code, a.Body, err)
	}
	page := b.get(t, "/jobs/"+id) // as the list of jobs leads to it
	if !contains(page, "By &lt;Beta&gt;") || !contains(page, `class="badge">English`) ||
		contains(page, ">Other<") || !contains(page, ">Undo<") {
		t.Errorf("the page of the job: %s", page.Body)
	}
}

// TestReplaceTextForeseesRefusals: the page that asks counts entries that cannot be changed apart from those that can.
func TestReplaceTextForeseesRefusals(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"notes","name":"Notes","fields":[{"name":"short","type":"text","max":8}]}`)
	ids := []string{"", ""}
	for i, short := range []string{"lamp", "two lamp"} {
		ids[i] = c.must(t, 201, "POST", "/models/notes/entries",
			map[string]any{"title": "N", "data": map[string]any{"short": short}}).text(t, "id")
	}
	form := url.Values{"_csrf": {b.get(t, "/models/notes/entries").csrf(t)}, "action": {"replace_text"},
		"model": {"notes"}, "ids": ids, "find": {"lamp"}, "replace": {"light"}}
	a := b.post(t, "/jobs", form)
	if a.Code != 200 || !contains(a, "1 entry of 2 changes") || !contains(a, "1 is refused") {
		t.Errorf("%d %s", a.Code, a.Body)
	}
	if short := c.must(t, 200, "GET", "/models/notes/entries/"+ids[0], nil).text(t, "data", "short"); short != "lamp" {
		t.Errorf("the page that asks has changed an entry: %s", short)
	}
}
