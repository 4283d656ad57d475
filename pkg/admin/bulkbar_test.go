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
	const german = "Publish, Unpublish, Archive, Add to release…, " + words + into + ", Ask for review…, Delete"
	buttons := regexp.MustCompile(`<button name="action"[^>]*>([^<]*)`)
	for _, v := range []struct{ role, list, want string }{
		{"german", "posts/entries", german},
		{"german", "posts/entries?filter[locale]=any", german},
		{"german", "posts/entries?filter[locale]=de", german},
		{"german", "posts/entries?filter[locale][in]=de,en", german},
		{"german", "posts/entries?filter[review]=requested&filter[locale]=en", ""}, // nothing is in review
		{"german", "posts/entries?filter[locale]=en", into},
		{"german", "posts/entries?filter[locale][ne]=de", into},
		{"german", "pages/entries", ""},
		{"mixed", "posts/entries", words + into + ", Ask for review…, Delete"},
		{"mixed", "posts/entries?filter[locale]=en", words + into + ", Ask for review…"},
		{"mixed", "posts/entries?filter[locale]=de", into + ", Delete"},
		{"mixed", "pages/entries", words + "Ask for review…"},
	} {
		var got []string
		page := s.browseAs(t, v.role+"@example.com").get(t, "/models/"+v.list)
		for _, button := range buttons.FindAllStringSubmatch(page.Body.String(), -1) {
			got = append(got, button[1])
		}
		if got := strings.Join(got, ", "); page.Code != 200 || got != v.want {
			t.Errorf("%s on %s: %d %q, want %q", v.role, v.list, page.Code, got, v.want)
		}
	}
}
