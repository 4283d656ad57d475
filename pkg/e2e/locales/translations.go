package locales

import (
	"testing"

	"headless/pkg/e2e/kit"
)

// Translations has the scenarios of translations (extensions §3).
var Translations = []kit.Scenario{
	{Name: "translations/groups", Run: translationGroups},
	{Name: "translations/trash", Run: translationTrash},
	{Name: "translations/joins at once", Run: joinsAtOnce},
	{Name: "translations/checks", Run: translationChecks},
	{Name: "translations/fallback", Run: fallbackReads},
	{Name: "translations/shared fields", Run: sharedFields},
	{Name: "translations/shared fields of drafts", Run: sharedFieldsOfDrafts},
	{Name: "translations/shared fields of many", Run: sharedFieldsOfMany},
	{Name: "translations/fallback in includes", Run: fallbackIncludes},
	{Name: "translations/lists", Run: translationLists},
}

func translationGroups(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	s.UseLocale(t, "fr", "Français")
	home, model := s.DefaultLocale(t), s.Model(t, kit.Obj{"localized": true})
	k, admin := s.Key(t, nil), s.AdminKey(t)
	en := k.Create(t, model, kit.Obj{"title": "House", "status": "published"}).Str(t, "data.id")
	de := k.Create(t, model, kit.Obj{"title": "Haus", "status": "published", "locale": "de",
		"translation_of": en}).Str(t, "data.id")
	fr := k.Create(t, model, kit.Obj{"title": "Maison", "locale": "fr"}).Str(t, "data.id")
	k.Put(t, "/"+model+"/"+fr, kit.Obj{"translation_of": de})
	item := func(locale, id, slug, title, status string) kit.Obj {
		return kit.Obj{"locale": locale, "id": id, "slug": slug, "title": title, "status": status}
	}
	has := func(want ...kit.Obj) kit.Matcher {
		return func(v any) error {
			for _, w := range want {
				if err := kit.Compare(any(kit.Find(v, "locale", w["locale"].(string))), w); err != nil {
					return err
				}
			}
			return kit.Compare(kit.Dig(v, "#"), len(want))
		}
	}
	e, d, f := item(home, en, "house", "House", "published"),
		item("de", de, "haus", "Haus", "published"), item("fr", fr, "maison", "Maison", "draft")
	k.Run(t,
		kit.Step{Name: "from the original", Call: "GET /" + model + "/" + en + "?translations=true",
			Want: kit.Obj{"data.translations": has(e, d)}},
		kit.Step{Name: "from a translation, by slug", Call: "GET /" + model + "/haus?locale=de&translations=true",
			Want: kit.Obj{"data.translations": has(e, d)}},
		kit.Step{Name: "in lists", Call: "GET /" + model + "?translations=true",
			Want: kit.Obj{"data.0.translations": has(e, d)}},
		kit.Step{Name: "not asked for", Call: "GET /" + model + "/" + en, Want: kit.Obj{"data.translations": nil}},
		kit.Step{Name: "fields without", Call: "GET /" + model + "/" + en + "?translations=true&fields=title",
			Want: kit.Obj{"data": kit.Obj{"id": en, "title": "House"}}},
		kit.Step{Name: "fields with", Call: "GET /" + model + "/" + en + "?translations=true&fields=translations",
			Want: kit.Obj{"data.translations": has(e, d), "data.title": nil}},
	)
	admin.Step(t, kit.Step{Name: "drafts for admins", Call: "GET /" + model + "/" + en + "?translations=true",
		Want: kit.Obj{"data.translations": has(e, d, f)}})
	k.Run(t,
		kit.Step{Name: "place taken", Call: "POST /" + model,
			Body: kit.Obj{"title": "x", "locale": "de", "translation_of": fr}, Code: "CONFLICT"},
		kit.Step{Name: "moved to a taken place", Call: "PUT /" + model + "/" + fr, Body: kit.Obj{"locale": "de"},
			Code: "CONFLICT"},
		kit.Step{Name: "the same again", Call: "PUT /" + model + "/" + de, Body: kit.Obj{"translation_of": en}},
		kit.Step{Name: "leaves", Call: "PUT /" + model + "/" + de, Body: kit.Obj{"translation_of": nil}},
		kit.Step{Name: "alone", Call: "GET /" + model + "/" + de + "?translations=true",
			Want: kit.Obj{"data.translations": has(d)}},
		kit.Step{Name: "the others stay", Call: "GET /" + model + "/" + en + "?translations=true",
			Want: kit.Obj{"data.translations": has(e)}},
		kit.Step{Name: "leaves nothing", Call: "PUT /" + model + "/" + de, Body: kit.Obj{"translation_of": nil}},
		kit.Step{Name: "comes back", Call: "PUT /" + model + "/" + de, Body: kit.Obj{"translation_of": fr}},
		kit.Step{Name: "again together", Call: "GET /" + model + "/" + en + "?translations=true",
			Want: kit.Obj{"data.translations": has(e, d)}},
	)
	other := k.Create(t, model, kit.Obj{"title": "Tree", "status": "published"}).Str(t, "data.id")
	k.Put(t, "/"+model+"/"+de, kit.Obj{"translation_of": other})
	k.Step(t, kit.Step{Name: "moved to another group", Call: "GET /" + model + "/" + other + "?translations=true",
		Want: kit.Obj{"data.translations": has(item(home, other, "tree", "Tree", "published"), d)}})
	k.Step(t, kit.Step{Name: "left the former", Call: "GET /" + model + "/" + en + "?translations=true",
		Want: kit.Obj{"data.translations": has(e)}})
}

func translationTrash(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	model, k, admin := s.Model(t, kit.Obj{"localized": true}), s.Key(t, nil), s.Admin(t)
	en := k.Create(t, model, kit.Obj{"title": "One", "status": "published"}).Str(t, "data.id")
	de := k.Create(t, model, kit.Obj{"title": "Eins", "status": "published", "locale": "de",
		"translation_of": en}).Str(t, "data.id")
	read := "GET /" + model + "/" + en + "?translations=true"
	k.Delete(t, "/"+model+"/"+de)
	k.Step(t, kit.Step{Name: "holds no place", Call: read, Want: kit.Obj{"data.translations.#": 1}})
	admin.OK(t, 200, "POST /trash/"+de+"/restore", nil)
	k.Step(t, kit.Step{Name: "back in its place", Call: read, Want: kit.Obj{"data.translations.#": 2}})
	k.Delete(t, "/"+model+"/"+de)
	k.Create(t, model, kit.Obj{"title": "Zwei", "status": "published", "locale": "de", "translation_of": en})
	admin.OK(t, 200, "POST /trash/"+de+"/restore", nil)
	k.Step(t, kit.Step{Name: "comes back alone", Call: "GET /" + model + "/" + de + "?translations=true",
		Want: kit.Obj{"data.translations.#": 1}})
	k.Step(t, kit.Step{Name: "the place is the other's", Call: read, Want: kit.Obj{"data.translations.#": 2}})
	k.Delete(t, "/"+model+"/"+en)
	admin.OK(t, 200, "POST /trash/"+en+"/restore", nil)
	k.Step(t, kit.Step{Name: "the original too", Call: read, Want: kit.Obj{"data.translations.#": 2}})
}

func translationChecks(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	model, other, k := s.Model(t, kit.Obj{"localized": true}), s.Model(t, kit.Obj{"localized": true}), s.Key(t, nil)
	en := k.Create(t, model, kit.Obj{"title": "One"}).Str(t, "data.id")
	foreign := k.Create(t, other, kit.Obj{"title": "Foreign"}).Str(t, "data.id")
	bad := func(name, call string, body kit.Obj) kit.Step {
		return kit.Step{Name: name, Call: call, Body: body, Invalid: "translation_of"}
	}
	post := "POST /" + model
	k.Run(t,
		bad("no id", post, kit.Obj{"title": "x", "locale": "de", "translation_of": "one"}),
		bad("a number", post, kit.Obj{"title": "x", "locale": "de", "translation_of": 1}),
		bad("no such entry", post, kit.Obj{"title": "x", "locale": "de", "translation_of": kit.UnknownID}),
		bad("another model", post, kit.Obj{"title": "x", "locale": "de", "translation_of": foreign}),
		bad("the same locale", post, kit.Obj{"title": "x", "translation_of": en}),
		bad("itself", "PUT /"+model+"/"+en, kit.Obj{"translation_of": en}),
	)
}

func fallbackReads(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "es", "Español")
	s.UseLocale(t, "pt", "Português")
	home, admin, k := s.DefaultLocale(t), s.Admin(t), s.Key(t, nil)
	admin.Run(t,
		kit.Step{Name: "es", Call: "PUT /locales/es", Body: kit.Obj{"fallback": home},
			Want: kit.Obj{"data.fallback": home}},
		kit.Step{Name: "pt", Call: "PUT /locales/pt", Body: kit.Obj{"fallback": "es"},
			Want: kit.Obj{"data.fallback": "es"}},
		kit.Step{Name: "unknown", Call: "PUT /locales/pt", Body: kit.Obj{"fallback": "xx"}, Invalid: "fallback"},
		kit.Step{Name: "itself", Call: "PUT /locales/pt", Body: kit.Obj{"fallback": "pt"}, Invalid: "fallback"},
		kit.Step{Name: "circle", Call: "PUT /locales/es", Body: kit.Obj{"fallback": "pt"}, Invalid: "fallback"},
		kit.Step{Name: "needed", Call: "PUT /locales/es", Body: kit.Obj{"is_active": false}, Code: "CONFLICT"},
		kit.Step{Name: "not to be deleted", Call: "DELETE /locales/es", Code: "CONFLICT"},
	)
	s.Public().Get(t, "/i18n/locales").Has(t, "public", kit.Obj{"data": kit.Item(kit.Obj{"code": "pt", "fallback": "es"})})
	model := s.Model(t, kit.Obj{"localized": true, "default_sort": "title"})
	a := k.Create(t, model, kit.Obj{"title": "A", "slug": "a", "status": "published"}).Str(t, "data.id")
	aES := k.Create(t, model, kit.Obj{"title": "A es", "slug": "a-es", "locale": "es",
		"status": "published", "translation_of": a}).Str(t, "data.id")
	aPT := k.Create(t, model, kit.Obj{"title": "A pt", "slug": "a-pt", "locale": "pt",
		"translation_of": a}).Str(t, "data.id")
	b := k.Create(t, model, kit.Obj{"title": "B", "slug": "b", "status": "published"}).Str(t, "data.id")
	only := k.Create(t, model, kit.Obj{"title": "Only", "slug": "only", "locale": "pt",
		"status": "published"}).Str(t, "data.id")
	one, l := "GET /"+model+"/", "GET /"+model
	k.Run(t,
		kit.Step{Name: "next of the chain", Call: one + a + "?locale=pt&fallback=true",
			Want: kit.Obj{"data.id": aES, "meta.locale": "es", "meta.requested_locale": "pt"}},
		kit.Step{Name: "by another member", Call: one + aES + "?locale=" + home + "&fallback=true",
			Want: kit.Obj{"data.id": a, "meta.locale": home}},
		kit.Step{Name: "without a locale", Call: one + aES + "?fallback=true",
			Want: kit.Obj{"data.id": a, "meta.requested_locale": home}},
		kit.Step{Name: "by slug of another", Call: one + "a-es?locale=pt&fallback=true", Want: kit.Obj{"data.id": aES}},
		kit.Step{Name: "the last of the chain", Call: one + "b?locale=pt&fallback=true",
			Want: kit.Obj{"data.id": b, "meta.locale": home, "meta.requested_locale": "pt"}},
		kit.Step{Name: "not in the chain", Call: one + only + "?locale=es&fallback=true", Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "hidden member", Call: one + "a-pt?locale=pt&fallback=true", Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "without fallback", Call: one + a + "?locale=pt", Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "unknown locale", Call: one + a + "?locale=xx&fallback=true", Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "list", Call: l + "?locale=pt&fallback=true",
			Want: kit.Obj{"meta.total": 2, "data.0.id": aES, "data.1.id": b, "meta.requested_locale": "pt"}},
		kit.Step{Name: "list of the default", Call: l + "?fallback=true",
			Want: kit.Obj{"meta.total": 2, "data.0.id": a, "meta.requested_locale": home}},
		kit.Step{Name: "filters are those of the original", Call: l + "?locale=pt&fallback=true&filter%5Btitle%5D=A",
			Want: kit.Obj{"meta.total": 1, "data.0.id": aES}},
		kit.Step{Name: "list of an unknown one", Call: l + "?locale=xx&fallback=true", Code: "BAD_REQUEST"},
	)
	k.Put(t, "/"+model+"/"+aPT, kit.Obj{"status": "published"})
	k.Run(t,
		kit.Step{Name: "at once", Call: one + a + "?locale=pt&fallback=true",
			Want: kit.Obj{"data.id": aPT, "meta.locale": "pt"}},
		kit.Step{Name: "in lists too", Call: l + "?locale=pt&fallback=true", Want: kit.Obj{"data.0.id": aPT}},
	)
	single := s.Model(t, kit.Obj{"localized": true, "kind": "single"})
	original := k.Create(t, single, kit.Obj{"title": "Home", "status": "published"}).Str(t, "data.id")
	k.Run(t,
		kit.Step{Name: "single", Call: "GET /" + single + "?locale=pt&fallback=true",
			Want: kit.Obj{"data.title": "Home", "meta.locale": home, "meta.requested_locale": "pt"}},
		kit.Step{Name: "single, none", Call: "GET /" + single + "?locale=pt", Code: "ENTRY_NOT_FOUND"},
	)
	inES := k.Create(t, single, kit.Obj{"title": "Inicio", "locale": "es", "status": "published",
		"translation_of": original}).Str(t, "data.id")
	for _, path := range []string{"", "/single", "/" + original, "/home", "/" + inES} {
		k.Step(t, kit.Step{Name: "single" + path, Call: "GET /" + single + path + "?locale=pt&fallback=true",
			Want: kit.Obj{"data.id": inES, "meta.locale": "es"}})
	}
	k.Step(t, kit.Step{Name: "single by another member", Call: "GET /" + single + "/" + inES + "?fallback=true",
		Want: kit.Obj{"data.id": original, "meta.locale": home}})
}
