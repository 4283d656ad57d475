package admin_test

import (
	"regexp"
	"strings"
	"testing"
)

// TestBulkBarFollowsLocale shows to people who may do different things in each locale those actions on selected
// entries that they may do in the locale of the list, and without one those that they may do in any.
func TestBulkBarFollowsLocale(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	for _, model := range []string{`"slug":"posts","name":"Posts","localized":true`, `"slug":"pages","name":"Pages"`} {
		c.must(t, 201, "POST", "/models", "{"+model+"}")
	}
	c.must(t, 201, "POST", "/models/posts/entries", `{"title":"Lamp"}`)
	c.must(t, 201, "POST", "/models/posts/entries", `{"title":"Lampe","locale":"de"}`)
	c.must(t, 201, "POST", "/models/pages/entries", `{"title":"About"}`)
	for role, rules := range map[string]string{
		"german": `{"locales":["de"],"actions":["write","publish","delete","approve"]}`,
		"mixed":  `{"locales":["en"],"actions":["write"]},{"locales":["de"],"actions":["publish","delete"]}`,
	} {
		c.must(t, 201, "POST", "/roles", `{"slug":"`+role+`","name":"`+role+`","rules":[{"actions":["read"]},`+rules+`]}`)
		c.must(t, 201, "POST", "/users", user(role+"@example.com", role))
	}
	const into, words = "Download for translators…", "Set a field…, Find and replace…, "
	const german = "Publish, Add to release…, " + words + "Archive, More: Unpublish, " + into + ", Ask for review…, Delete"
	const few = words + into + ", Ask for review…"
	buttons := regexp.MustCompile(`<(?:button name="action"|summary class="button" aria-label)[^>]*>([^<]*)`)
	for _, v := range []struct{ role, list, want string }{
		{"german", "posts/entries", german},
		{"german", "posts/entries?filter[locale]=any", german},
		{"german", "posts/entries?filter[locale]=de", german},
		{"german", "posts/entries?filter[locale][in]=de,en", german},
		{"german", "posts/entries?filter[review]=requested&filter[locale]=en", ""}, // nothing is in review
		{"german", "posts/entries?filter[locale]=en", into},
		{"german", "posts/entries?filter[locale][ne]=de", into},
		{"german", "pages/entries", ""},
		{"mixed", "posts/entries?all=true", few + ", Delete"},
		{"mixed", "posts/entries?filter[locale]=en", few},
		{"mixed", "posts/entries?filter[locale]=de", into + ", Delete"},
		{"mixed", "pages/entries", words + "Ask for review…"},
	} {
		var got []string
		page := s.browseAs(t, v.role+"@example.com").get(t, "/models/"+v.list)
		_, bar, _ := strings.Cut(page.Body.String(), `id="bulk"`)
		for _, button := range buttons.FindAllStringSubmatch(bar, -1) {
			got = append(got, button[1])
		}
		if got := strings.ReplaceAll(strings.Join(got, ", "), "⋯, ", "More: "); page.Code != 200 || got != v.want {
			t.Errorf("%s on %s: %d %q, want %q", v.role, v.list, page.Code, got, v.want)
		}
	}
}

// TestResultOfBulk says on the page of a job what readers see of a few entries, with approvals that are missing, and
// says it before a field is set; it says nothing if the job went otherwise.
func TestResultOfBulk(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/users", user("editor@example.com", "editor"))
	b := s.browseAs(t, "editor@example.com")
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","fields":[{"name":"day","type":"date"}]}`)
	publish := []string{"model", "posts", "action", "publish"}
	for range 3 {
		id := c.must(t, 201, "POST", "/models/posts/entries", `{"title":"Lamp","status":"published"}`).text(t, "id")
		publish = append(publish, "ids", id)
	}
	draft := c.must(t, 201, "POST", "/models/posts/entries", `{"title":"New"}`).text(t, "id")
	c.must(t, 200, "PUT", "/models/posts", `{"review":1}`)
	if page := b.sent(t, "/jobs", "model", "posts", "action", "set", "ids", publish[5]); !contains(page,
		"What readers see: 1 needs an approval first.") {
		t.Errorf("before a field is set: %s", page.Body)
	}
	result := func(pairs ...string) string {
		t.Helper()
		at := strings.TrimPrefix(b.sent(t, "/jobs", pairs...).Header().Get("Location"), "/admin")
		id, _, _ := strings.Cut(strings.TrimPrefix(at, "/jobs/"), "?")
		if _, err := s.on.Jobs.Work(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		seen := regexp.MustCompile(`What readers see</dt><dd><span>([^<]*)`).FindStringSubmatch(b.get(t, at).Body.String())
		return strings.Join(seen[min(1, len(seen)):], "")
	}
	if got := result(append(publish, "ids", draft)...); got != "1 needs an approval first, 3 stay as they are" {
		t.Errorf("published: %q", got)
	}
	if got := result("model", "posts", "action", "archive", "ids", publish[5], "ids", publish[7], "ids",
		draft); got != "2 pages vanish, 1 stays as it is" {
		t.Errorf("archived: %q", got)
	}
	if got := result("model", "posts", "action", "set", "set.data.day", "2026-01-02", "ids", publish[9]); got !=
		"1 needs an approval first" {
		t.Errorf("a field: %q", got)
	}
	at := b.sent(t, "/jobs", "model", "posts", "action", "publish", "ids", draft).Header().Get("Location")
	c.must(t, 200, "PUT", "/models/posts", `{"review":0}`) // meanwhile
	at = strings.TrimPrefix(at, "/admin")
	id, _, _ := strings.Cut(strings.TrimPrefix(at, "/jobs/"), "?")
	if _, err := s.on.Jobs.Work(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if page := b.get(t, at); contains(page, "What readers see") || !contains(page, "1 of 1") {
		t.Errorf("after a job that went otherwise: %s", page.Body)
	}
}
