package admin_test

import "testing"

// TestLocaleNames shows locales by name on Home, in the calendar, on the page of an entry and in the rules of a role;
// with the code where two have one name.
func TestLocaleNames(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","localized":true}`)
	c.must(t, 201, "POST", "/roles", `{"slug":"translators","name":"Translators","rules":[{"locales":["de"]}]}`)
	lamp := c.must(t, 201, "POST", "/models/posts/entries",
		`{"title":"Lampe","slug":"lampe","locale":"de"}`).text(t, "id")
	at := "/models/posts/entries/" + lamp
	c.must(t, 200, "PUT", at+"/schedule", map[string]any{"publish_at": s.now().AddDate(0, 0, 2)})
	b := s.browse(t)
	for page, want := range map[string]string{"": "Posts, German", "/planned": "<span>German</span>",
		at: ">German<", "/roles/translators": "German"} {
		if got := b.get(t, page); !contains(got, want) {
			t.Errorf("%s lacks %s: %s", page, want, got.Body)
		}
	}
	c.must(t, 201, "POST", "/locales", `{"code":"de-AT","name":"German"}`)
	if got := b.get(t, at); !contains(got, "German (de)") {
		t.Errorf("two languages have one name: %s", got.Body)
	}
}
