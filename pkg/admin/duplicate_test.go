package admin_test

import (
	"net/url"
	"strings"
	"testing"
)

// TestDuplicateAsksForTitle: the page of a copy asks for its title, in the language of the user, and for its locale.
func TestDuplicateAsksForTitle(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/locales", `{"code":"fr","name":"French"}`)
	c.must(t, 201, "POST", "/models", `{"slug":"talks","name":"Talks","localized":true}`)
	c.must(t, 201, "POST", "/models", `{"slug":"notes","name":"Notes"}`)
	at := "/models/talks/entries/" + c.must(t, 201, "POST", "/models/talks/entries", `{"title":"Lamps"}`).text(t, "id")
	note := "/models/notes/entries/" + c.must(t, 201, "POST", "/models/notes/entries", `{"title":"Oil"}`).text(t, "id")
	c.must(t, 200, "PUT", "/profile", `{"language":"de"}`)
	b := s.browse(t)
	if page := b.get(t, at); !contains(page, `href="/admin`+at+`/duplicate"`) {
		t.Errorf("no link to the page of the copy in %s", page.Body)
	}
	page := b.get(t, at+"/duplicate")
	for _, want := range []string{`value="Lamps (Kopie)"`, `name="locale"`, `<option value="en" selected>`,
		`<option value="fr">`} {
		if !contains(page, want) {
			t.Errorf("no %s in %s", want, page.Body)
		}
	}
	if page := b.get(t, note+"/duplicate"); !contains(page, `value="Oil (Kopie)"`) || contains(page, `name="locale"`) {
		t.Errorf("a model without translations: %s", page.Body)
	}
	form := url.Values{"_csrf": {page.csrf(t)}, "title": {""}, "locale": {"fr"}}
	if a := b.post(t, at+"/duplicate", form); a.Code != 422 || !contains(a, `<option value="fr" selected>`) {
		t.Errorf("without a title: %d %s", a.Code, a.Body)
	}
	form.Set("title", "Lampes")
	a := b.post(t, at+"/duplicate", form)
	copied, _, _ := strings.Cut(strings.TrimPrefix(a.Header().Get("Location"), "/admin"), "?")
	if a.Code != 303 {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	e := c.must(t, 200, "GET", copied, nil)
	if got := []string{e.text(t, "title"), e.text(t, "locale"), e.text(t, "slug")}; strings.Join(got, " ") !=
		"Lampes fr lampes" {
		t.Errorf("the copy has %q", got)
	}
}

// TestDuplicateHasDraft: the copy that a page makes has the draft, as the page shows it.
func TestDuplicateHasDraft(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"notes","name":"Notes","fields":[{"name":"text","type":"text"}]}`)
	at := "/models/notes/entries/" + c.must(t, 201, "POST", "/models/notes/entries",
		`{"title":"Oil","data":{"text":"short"}}`).text(t, "id")
	c.must(t, 200, "PUT", at+"/draft", `{"title":"Oil lamps","data":{"text":"all that was written since"}}`)
	page := b.get(t, at+"/duplicate")
	if !contains(page, `value="Oil lamps (copy)"`) {
		t.Errorf("the page has another title: %s", page.Body)
	}
	a := b.post(t, at+"/duplicate", url.Values{"_csrf": {page.csrf(t)}, "title": {"Copy"}})
	copied, _, _ := strings.Cut(strings.TrimPrefix(a.Header().Get("Location"), "/admin"), "?")
	if e := c.must(t, 200, "GET", copied, nil); !strings.Contains(e.Body.String(), "all that was written since") {
		t.Errorf("the copy is %s", e.Body)
	}
}
