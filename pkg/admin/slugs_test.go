package admin_test

import (
	"net/url"
	"strings"
	"testing"
)

// TestTypedSlug: a slug that is typed as text is made in the language of the entry, and runs from left to right.
func TestTypedSlug(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	c.must(t, 201, "POST", "/locales", `{"code":"ar","name":"Arabic","direction":"rtl"}`)
	c.must(t, 201, "POST", "/models", `{"slug":"talks","name":"Talks","localized":true}`)
	c.must(t, 201, "POST", "/models", `{"slug":"notes","name":"Notes"}`)
	b := s.browse(t)
	csrf := b.get(t, "/profile").csrf(t)
	slugAfter := func(path, slug, method, locale string) string {
		form := url.Values{"_csrf": {csrf}, "_method": {method}, "title": {"Ofen"}, "slug": {slug}}
		if locale != "" {
			form.Set("locale", locale)
		}
		a := b.post(t, path, form)
		at, _, _ := strings.Cut(strings.TrimPrefix(a.Header().Get("Location"), "/admin"), "?")
		if a.Code != 303 {
			t.Fatalf("%s: %d %s", path, a.Code, a.Body)
		}
		return c.must(t, 200, "GET", at+"?draft=true", nil).text(t, "slug")
	}
	german := "/models/talks/entries/" +
		c.must(t, 201, "POST", "/models/talks/entries", `{"title":"Lampen","locale":"de"}`).text(t, "id")
	if got := slugAfter(german+"/draft", "Für Öfen", "PUT", ""); got != "fuer-oefen" {
		t.Errorf("a stored entry in German has the slug %q", got)
	}
	if got := slugAfter("/models/talks/entries?draft=true", "Für große Öfen", "POST", "de"); got != "fuer-grosse-oefen" {
		t.Errorf("a new entry in German has the slug %q", got)
	}
	arabic := c.must(t, 201, "POST", "/models/talks/entries", `{"title":"مصابيح","locale":"ar"}`).text(t, "id")
	if page := b.get(t, "/models/talks/entries/"+arabic); !contains(page, `name="slug" lang="ar" dir="ltr"`) {
		t.Errorf("the slug does not run from left to right in %s", page.Body)
	}
	c.must(t, 200, "PUT", "/settings", `[{"group":"site","key":"default_locale","value":"de"}]`)
	if got := slugAfter("/models/notes/entries?draft=true", "Für Öfen", "POST", ""); got != "fuer-oefen" {
		t.Errorf("an entry without translations has the slug %q", got)
	}
}
