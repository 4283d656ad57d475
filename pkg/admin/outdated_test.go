package admin_test

import (
	"net/url"
	"strings"
	"testing"

	"headless/pkg/health"
	"headless/pkg/must"
)

// TestMissingTranslationsOfHealth names languages in place of codes, leads to the page that translates where the user
// may, and says in which models nothing is looked for.
func TestMissingTranslationsOfHealth(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	for _, l := range []string{`"de","name":"German"`, `"fr","name":"French"`} {
		c.must(t, 201, "POST", "/locales", `{"code":`+l+`}`)
	}
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","localized":true,"translate":["de","fr"]}`)
	c.must(t, 201, "POST", "/models", `{"slug":"pages","name":"Pages","localized":true}`)
	lamp := c.must(t, 201, "POST", "/models/posts/entries", `{"title":"Lamp","status":"published"}`).text(t, "id")
	now, err := s.on.Entries.Store.Site(t.Context())
	must.Do(t, err)
	checks := health.Checks{Store: s.on.Entries.Store}
	must.Do(t, checks.Work(t.Context(), []string{"e/" + now.Models["posts"].ID + "/" + lamp}))
	c.must(t, 201, "POST", "/roles",
		`{"slug":"german","name":"German","rules":[{"actions":["read"]},{"locales":["de"]}]}`)
	c.must(t, 201, "POST", "/users", user("german@example.com", "german"))
	to := `href="/admin/models/posts/entries/` + lamp + `/translate?locale=`
	for email, wants := range map[string]map[string]bool{
		adminEmail:           {to + `de">German<`: true, to + `fr">French<`: true},
		"german@example.com": {to + `de">German<`: true, to + "fr": false, ">French<": true},
	} {
		page := s.browseAs(t, email).get(t, "/health?kind=translation.missing")
		wants[">English<"], wants[">translations.de<"], wants[">de<"] = true, false, false
		wants["Not looked for in Pages: "] = true
		for text, want := range wants {
			if contains(page, text) != want {
				t.Errorf("%s: %q is there: %t\n%s", email, text, !want, page.Body)
			}
		}
	}
}

// TestStillRight says that an outdated translation is right as it is; who may not publish it is not asked.
func TestStillRight(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","localized":true}`)
	at := "/models/posts/entries"
	lamp := c.must(t, 201, "POST", at, `{"title":"Lamp","status":"published"}`).text(t, "id")
	german := at + "/" + c.must(t, 201, "POST", at, `{"title":"Lampe","locale":"de","status":"published",
		"translation_of":"`+lamp+`"}`).text(t, "id")
	c.must(t, 201, "POST", "/roles",
		`{"slug":"writer","name":"Writer","rules":[{"actions":["read","write"]}]}`)
	c.must(t, 201, "POST", "/users", user("writer@example.com", "writer"))
	const button = ">Still right</button>"
	if page := b.get(t, german); contains(page, button) {
		t.Errorf("a translation that is not outdated: %s", page.Body)
	}
	s.ahead.Add(int64(1e9))
	c.must(t, 200, "PUT", at+"/"+lamp, `{"title":"Lamps"}`)
	page := b.get(t, german)
	if !contains(page, button) || contains(b.get(t, at+"/"+lamp), button) ||
		contains(s.browseAs(t, "writer@example.com").get(t, german), button) {
		t.Errorf("an outdated translation: %s", page.Body)
	}
	c.must(t, 200, "PUT", german+"/draft", `{"title":"Lampen"}`)
	if page := b.get(t, german); contains(page, button) {
		t.Errorf("a translation that is being changed: %s", page.Body)
	}
	_, form, _ := strings.Cut(page.Body.String(), `<form class="inline" method="post" action="/admin`)
	action, _, _ := strings.Cut(form, `"`)
	if a := b.post(t, action, url.Values{"_csrf": {page.csrf(t)}}); a.Code != 409 {
		t.Errorf("with a draft made since: %d %s", a.Code, a.Body)
	}
	c.must(t, 204, "DELETE", german+"/draft", nil)
	if a := b.post(t, action, url.Values{"_csrf": {page.csrf(t)}}); a.Code != 303 {
		t.Errorf("%s: %d %s", action, a.Code, a.Body)
	}
	if page := b.get(t, german); contains(page, button) || contains(page, ">outdated<") {
		t.Errorf("a translation that is still right: %s", page.Body)
	}
	if n := c.must(t, 200, "GET", at+"?filter[outdated]=true", nil).Meta["total"]; n != 0.0 {
		t.Errorf("%v translations are outdated", n)
	}
}
