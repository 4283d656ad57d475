package admin_test

import (
	"net/url"
	"strings"
	"testing"
)

// TestMessagesNameLabels says in messages about other inputs what the page calls these, in each language.
func TestMessagesNameLabels(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	model := func(lang string, fields ...string) string {
		t.Helper()
		form := url.Values{"_csrf": {b.get(t, "/models/create").csrf(t)}, "name": {"Posts"}, "slug": {"posts"},
			"fields._rows": {""}, "fields.0.name": {"a"}}
		for i := 0; i < len(fields); i += 2 {
			form.Set("fields."+fields[i], fields[i+1])
		}
		c.must(t, 200, "PUT", "/profile", `{"language":"`+lang+`"}`)
		a := b.post(t, "/models", form)
		if a.Code != 422 {
			t.Fatalf("%d %s", a.Code, a.Body)
		}
		return a.Body.String()
	}
	for _, v := range []struct {
		lang, want string
		fields     []string
	}{
		{"en", "must not exceed the maximum", []string{"0.type", "number", "0.min", "5", "0.max", "2"}},
		{"en", "needs a field in Shown if", []string{"0.type", "text", "0.shown_for", "x"}},
		{"de", "braucht ein Feld in Zeigen, wenn", []string{"0.type", "text", "0.shown_for", "x"}},
	} {
		if page := model(v.lang, v.fields...); !strings.Contains(page, v.want) || strings.Contains(page, "in shown_if") {
			t.Errorf("%s: the page lacks %q: %s", v.lang, v.want, page[strings.Index(page, "<main"):])
		}
	}
}

// TestKeysHaveWords shows the actions of roles, the scopes of keys, the types of form fields, events and icons as words
// in the language of the page, and models by their names.
func TestKeysHaveWords(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Articles","fields":[]}`)
	c.must(t, 201, "POST", "/roles", `{"slug":"press","name":"Press","rules":[{"models":["posts","media"],
		"actions":["read","skip_review"]}]}`)
	key := c.must(t, 201, "POST", "/keys", `{"name":"Site","scopes":["read","write"]}`).text(t, "id")
	c.must(t, 201, "POST", "/forms", `{"slug":"contact","name":"Contact","fields":[{"name":"m","label":"M","type":"textarea"}]}`)
	c.must(t, 200, "PUT", "/settings", `[{"group":"schema","key":"locked","value":""},
		{"group":"site","key":"url","value":"https://example.com"}]`)
	hook := c.must(t, 201, "POST", "/webhooks",
		`{"url":"http://127.0.0.1:9/a","events":["entry.*"],"models":["posts"]}`).text(t, "id")
	c.must(t, 202, "POST", "/purge", `{"all":true}`)
	c.must(t, 200, "PUT", "/profile", `{"language":"de"}`)
	for path, words := range map[string][]string{
		"/roles/press":      {"Articles, Bereich: Medien", "Lesen, Prüfung überspringen"},
		"/roles/press/edit": {"> <bdi>Prüfung überspringen</bdi>", "Freigeben und Prüfung überspringen"},
		"/keys":             {"Lesen, Schreiben"},
		"/keys/" + key:      {">Lesen<"},
		"/forms/contact":    {"Langer Text"},
		"/webhooks/" + hook: {"Jedes Ereignis eines Eintrags (entry.*)", ">Articles<"},
		"/webhooks/create":  {"> <bdi>Eintrag veröffentlicht (entry.published)</bdi>", "Jedes Ereignis (*)"},
		"/settings":         {"Modelle sind gesperrt", "Adresse der Website"},
		"/activity":         {`<option value="entry.published">Eintrag veröffentlicht</option>`, "Cache: alle Antworten"},
		"/models/create":    {`<option value="cart">Einkaufswagen</option>`, `<option value="" selected>Übliches Symbol</option>`, "Sprache, aufsteigend"},
	} {
		page := b.get(t, path).Body.String()
		for _, word := range words {
			if !strings.Contains(page, word) {
				t.Errorf("%s lacks %q: %s", path, word, page[strings.Index(page, "<main"):])
			}
		}
	}
}
