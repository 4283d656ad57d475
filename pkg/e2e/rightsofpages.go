package e2e

import (
	"net/url"
	"strings"
	"testing"
)

// pageRights sends pages and forms of the admin area the ids of entries that a role may not read: one in
// another locale, and one of another model. No answer has their titles.
func pageRights(t *testing.T, s *suite) {
	admin := s.admin(t)
	s.useLocale(t, "de", "Deutsch")
	hidden := s.model(t, obj{"localized": true, "tree": true})
	model := s.model(t, obj{"localized": true, "tree": true, "fields": list{field("rel", "relation", obj{"model": hidden}),
		field("body", "richtext", nil)}})
	add := func(model, locale string, more obj) (id, mark string) {
		mark = "CANARY" + strings.ReplaceAll(unique("x"), "-", "")
		body := obj{"title": mark, "locale": locale}
		for key, v := range more {
			body[key] = v
		}
		return admin.ok(t, 201, "POST /models/"+model+"/entries", body).str(t, "data.id"), mark
	}
	own, _ := add(model, "de", nil)
	english, first := add(model, "en", obj{"translation_of": own})
	secret, second := add(hidden, "de", nil)
	parent, _ := add(model, "de", nil)
	_, third := add(model, "en", obj{"translation_of": parent})
	menu := unique("menu")
	admin.ok(t, 201, "POST /menus", obj{"slug": menu, "items": obj{"de": list{obj{"entry": obj{"model": hidden, "id": secret}}}}})
	at, role := "/models/"+model, unique("role")
	admin.ok(t, 201, "POST /roles", obj{"slug": role, "name": "Role", "rules": list{
		obj{"models": list{model}, "locales": list{"de"}}, obj{"models": list{"menus"}}}})
	email, _, c := s.user(t, role)
	c.step(t, step{name: "a hidden translation is not named", call: "POST " + at + "/tree/move", status: 200,
		body: obj{"ids": list{own}, "parent": parent, "translations": true}, want: obj{"data.done": 1, "data.failed": list{}}})
	b, token := s.newBrowser(t), s.login(t, email, password)
	ids := url.Values{"model": {model}, "ids": {secret, english, own}}
	with := func(pairs ...string) url.Values {
		form := url.Values{}
		for key, v := range ids {
			form[key] = v
		}
		for i := 0; i < len(pairs); i += 2 {
			form.Set(pairs[i], pairs[i+1])
		}
		return form
	}
	for _, call := range []struct {
		path string
		form url.Values
	}{
		{at + "/tree/move", url.Values{"ids": {secret, english}, "to": {"after  "}}},
		{at + "/tree/move", with("ids", own)},
		{at + "/tree/move?id=" + own + "&id=" + secret, nil},
		{at + "/entries/create?locale=de&parent=" + secret, nil},
		{at + "/entries/create?locale=de&parent=" + english, nil},
		{at + "/entries/create?locale=de&translation_of=" + english, nil},
		{at + "/entries/" + own + "/edit", nil},
		{at + "/entries", url.Values{"locale": {"de"}, "parent": {english}, "data.rel": {secret}, "data.body": {"cms://entry/" + secret}}},
		{at + "/xliff?ids=" + english, nil},
		{at + "/entries.xliff", url.Values{"ids": {english}, "locale": {"de"}}},
		{"/menus/entries", with("ids", own)},
		{"/menus/entries", with("ids", english)},
		{"/menus/entries", with("to", menu, "translations", "true")},
		{"/menus/" + menu + "/edit", nil},
		{"/health/links?entry=" + secret + "&entry=" + english, nil},
		{"/jobs", with("action", "delete")},
		{"/jobs", with("action", "set")},
		{"/jobs", with("action", "replace_text", "find", "CANARY", "replace", "x")},
		{"/reviews", with("action", "ask")},
		{"/releases/create?model=" + hidden + "&ids=" + secret, nil},
		{"/releases", url.Values{"name": {"x"}, "items.0.model": {hidden}, "items.0.id": {secret}, "items.0.action": {"publish"}}},
		{"/links?q=" + secret, nil},
		{"/search?q=" + english, nil},
	} {
		p := b.open(t, call.path, call.form, "Authorization", "Bearer "+token)
		for _, mark := range []string{first, second, third} {
			if strings.Contains(p.html+p.header.Get("Location"), mark) {
				t.Errorf("%s %v shows %s", call.path, call.form, mark)
			}
		}
		if p.status >= 500 {
			t.Errorf("%s %v: %d", call.path, call.form, p.status)
		}
	}
}
