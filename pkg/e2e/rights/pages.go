package rights

import (
	"maps"
	"net/url"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// pageRights sends pages and forms of the admin area the ids of entries that a role may not read: one in
// another locale, and one of another model. No answer has their titles.
func pageRights(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	s.UseLocale(t, "de", "Deutsch")
	hidden := s.Model(t, kit.Obj{"localized": true, "tree": true})
	model := s.Model(t, kit.Obj{"localized": true, "tree": true,
		"fields": kit.List{kit.Field("rel", "relation", kit.Obj{"model": hidden}), kit.Field("body", "richtext", nil)}})
	add := func(model, locale string, more kit.Obj) (id, mark string) {
		mark = "CANARY" + strings.ReplaceAll(kit.Unique("x"), "-", "")
		body := kit.Merge(kit.Obj{"title": mark, "locale": locale}, more)
		return admin.Post(t, "/models/"+model+"/entries", body).Str(t, "data.id"), mark
	}
	own, _ := add(model, "de", nil)
	english, first := add(model, "en", kit.Obj{"translation_of": own})
	secret, second := add(hidden, "de", nil)
	parent, _ := add(model, "de", nil)
	_, third := add(model, "en", kit.Obj{"translation_of": parent})
	menu := kit.Unique("menu")
	admin.Post(t, "/menus", kit.Obj{"slug": menu,
		"items": kit.Obj{"de": kit.List{kit.Obj{"entry": kit.Obj{"model": hidden, "id": secret}}}}})
	at, role := "/models/"+model, kit.Unique("role")
	admin.Post(t, "/roles", kit.Obj{"slug": role, "name": "Role", "rules": kit.List{
		kit.Obj{"models": kit.List{model}, "locales": kit.List{"de"}}, kit.Obj{"models": kit.List{"menus"}}}})
	email, _, c := s.User(t, role)
	c.Step(t, kit.Step{Name: "a hidden translation is not named", Call: "POST " + at + "/tree/move",
		Body: kit.Obj{"ids": kit.List{own}, "parent": parent, "translations": true},
		Want: kit.Obj{"data.done": 1, "data.failed": kit.List{}}})
	b, token := s.NewBrowser(t), s.Login(t, email, kit.Password)
	ids := url.Values{"model": {model}, "ids": {secret, english, own}}
	with := func(pairs ...string) url.Values {
		form := url.Values{}
		maps.Copy(form, ids)
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
		{at + "/entries", url.Values{"locale": {"de"}, "parent": {english}, "data.rel": {secret},
			"data.body": {"cms://entry/" + secret}}},
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
		{"/releases", url.Values{"name": {"x"}, "items.0.model": {hidden}, "items.0.id": {secret},
			"items.0.action": {"publish"}}},
		{"/links?q=" + secret, nil},
		{"/search?q=" + english, nil},
	} {
		p := b.Open(t, call.path, call.form, "Authorization", "Bearer "+token)
		for _, mark := range []string{first, second, third} {
			if strings.Contains(p.HTML+p.Header.Get("Location"), mark) {
				t.Errorf("%s %v shows %s", call.path, call.form, mark)
			}
		}
		if p.Status >= 500 {
			t.Errorf("%s %v: %d", call.path, call.form, p.Status)
		}
	}
}
