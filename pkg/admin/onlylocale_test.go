package admin_test

import (
	"fmt"
	"testing"
)

// TestOnlyLocale lists models that are not localized by a locale. Where all entries are known to have the default one,
// the list reads no more than without the filter.
func TestOnlyLocale(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	model := func(slug, more string) {
		c.must(t, 201, "POST", "/models", `{"name":"M","slug":"`+slug+`"`+more+`}`)
		c.must(t, 201, "POST", "/models/"+slug+"/entries", `{"title":"`+slug+`"}`)
	}
	lists := func(slug string, want ...string) {
		t.Helper()
		for i, filter := range []string{"=en", "=de", "[ne]=en", "[in]=de,en"} {
			a := c.must(t, 200, "GET", "/models/"+slug+"/entries?explain=1&filter[locale]"+filter, nil)
			if got := fmt.Sprint(a.Meta["plan"].(map[string]any)["way"], " ", a.Meta["total"]); got != want[i] {
				t.Errorf("%s by locale%s: %s, want %s", slug, filter, got, want[i])
			}
		}
	}
	model("pages", "")
	model("posts", `,"localized":true`)
	c.must(t, 200, "PUT", "/models/posts", `{"localized":false}`)
	lists("pages", "walk 1", "none 0", "none 0", "walk 1")
	lists("posts", "collect 1", "collect 0", "collect 0", "collect 1")
	c.must(t, 200, "PUT", "/locales/de", `{"is_default":true}`)
	model("notes", "")
	lists("notes", "none 0", "walk 1", "walk 1", "walk 1")
	c.must(t, 201, "POST", "/models/pages/entries", `{"title":"In German"}`)
	lists("pages", "collect 1", "collect 1", "collect 1", "collect 2")
	c.must(t, 200, "PUT", "/locales/en", `{"is_default":true}`)
	lists("pages", "collect 1", "collect 1", "collect 1", "collect 2")
	lists("notes", "collect 0", "collect 1", "collect 1", "collect 1")
}
