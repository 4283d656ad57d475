package e2e

import "testing"

// Translations (extensions §3).
var translationScenarios = []scenario{
	{name: "translations/groups", run: translationGroups},
	{name: "translations/trash", run: translationTrash},
	{name: "translations/joins at once", run: joinsAtOnce},
	{name: "translations/checks", run: translationChecks},
	{name: "translations/fallback", run: fallbackReads},
	{name: "translations/shared fields", run: sharedFields},
	{name: "translations/shared fields of many", run: sharedFieldsOfMany},
	{name: "translations/fallback in includes", run: fallbackIncludes},
	{name: "translations/lists", run: translationLists},
}

func translationGroups(t *testing.T, s *suite) {
	s.useLocale(t, "de", "Deutsch")
	s.useLocale(t, "fr", "Français")
	home, model := s.defaultLocale(t), s.model(t, obj{"localized": true})
	k, admin := s.key(t, nil), s.adminKey(t)
	en := k.create(t, model, obj{"title": "House", "status": "published"}).str(t, "data.id")
	de := k.create(t, model, obj{"title": "Haus", "status": "published", "locale": "de",
		"translation_of": en}).str(t, "data.id")
	fr := k.create(t, model, obj{"title": "Maison", "locale": "fr"}).str(t, "data.id")
	k.ok(t, 200, "PUT /"+model+"/"+fr, obj{"translation_of": de})
	item := func(locale, id, slug, title, status string) obj {
		return obj{"locale": locale, "id": id, "slug": slug, "title": title, "status": status}
	}
	has := func(want ...obj) matcher {
		return func(v any) error {
			for _, w := range want {
				if err := compare(any(find(v, "locale", w["locale"].(string))), w); err != nil {
					return err
				}
			}
			return compare(dig(v, "#"), len(want))
		}
	}
	e, d, f := item(home, en, "house", "House", "published"),
		item("de", de, "haus", "Haus", "published"), item("fr", fr, "maison", "Maison", "draft")
	k.run(t,
		step{name: "from the original", call: "GET /" + model + "/" + en + "?translations=true",
			status: 200, want: obj{"data.translations": has(e, d)}},
		step{name: "from a translation, by slug", call: "GET /" + model +
			"/haus?locale=de&translations=true", status: 200, want: obj{"data.translations": has(e, d)}},
		step{name: "in lists", call: "GET /" + model + "?translations=true", status: 200,
			want: obj{"data.0.translations": has(e, d)}},
		step{name: "not asked for", call: "GET /" + model + "/" + en, status: 200,
			want: obj{"data.translations": nil}},
		step{name: "fields without", call: "GET /" + model + "/" + en +
			"?translations=true&fields=title", status: 200,
			want: obj{"data": obj{"id": en, "title": "House"}}},
		step{name: "fields with", call: "GET /" + model + "/" + en +
			"?translations=true&fields=translations", status: 200,
			want: obj{"data.translations": has(e, d), "data.title": nil}},
	)
	admin.step(t, step{name: "drafts for admins", call: "GET /" + model + "/" + en +
		"?translations=true", status: 200, want: obj{"data.translations": has(e, d, f)}})
	k.run(t,
		step{name: "place taken", call: "POST /" + model,
			body: obj{"title": "x", "locale": "de", "translation_of": fr}, status: 409, code: "CONFLICT"},
		step{name: "moved to a taken place", call: "PUT /" + model + "/" + fr,
			body: obj{"locale": "de"}, status: 409, code: "CONFLICT"},
		step{name: "the same again", call: "PUT /" + model + "/" + de,
			body: obj{"translation_of": en}, status: 200},
		step{name: "leaves", call: "PUT /" + model + "/" + de, body: obj{"translation_of": nil}, status: 200},
		step{name: "alone", call: "GET /" + model + "/" + de + "?translations=true", status: 200,
			want: obj{"data.translations": has(d)}},
		step{name: "the others stay", call: "GET /" + model + "/" + en + "?translations=true",
			status: 200, want: obj{"data.translations": has(e)}},
		step{name: "leaves nothing", call: "PUT /" + model + "/" + de,
			body: obj{"translation_of": nil}, status: 200},
		step{name: "comes back", call: "PUT /" + model + "/" + de, body: obj{"translation_of": fr},
			status: 200},
		step{name: "again together", call: "GET /" + model + "/" + en + "?translations=true",
			status: 200, want: obj{"data.translations": has(e, d)}},
	)
	other := k.create(t, model, obj{"title": "Tree", "status": "published"}).str(t, "data.id")
	k.ok(t, 200, "PUT /"+model+"/"+de, obj{"translation_of": other})
	k.step(t, step{name: "moved to another group", call: "GET /" + model + "/" + other +
		"?translations=true", status: 200,
		want: obj{"data.translations": has(item(home, other, "tree", "Tree", "published"), d)}})
	k.step(t, step{name: "left the former", call: "GET /" + model + "/" + en + "?translations=true",
		status: 200, want: obj{"data.translations": has(e)}})
}

func translationTrash(t *testing.T, s *suite) {
	s.useLocale(t, "de", "Deutsch")
	model, k, admin := s.model(t, obj{"localized": true}), s.key(t, nil), s.admin(t)
	en := k.create(t, model, obj{"title": "One", "status": "published"}).str(t, "data.id")
	de := k.create(t, model, obj{"title": "Eins", "status": "published", "locale": "de",
		"translation_of": en}).str(t, "data.id")
	read := "GET /" + model + "/" + en + "?translations=true"
	k.ok(t, 204, "DELETE /"+model+"/"+de, nil)
	k.step(t, step{name: "holds no place", call: read, status: 200, want: obj{"data.translations.#": 1}})
	admin.ok(t, 200, "POST /trash/"+de+"/restore", nil)
	k.step(t, step{name: "back in its place", call: read, status: 200, want: obj{"data.translations.#": 2}})
	k.ok(t, 204, "DELETE /"+model+"/"+de, nil)
	k.create(t, model, obj{"title": "Zwei", "status": "published", "locale": "de", "translation_of": en})
	admin.ok(t, 200, "POST /trash/"+de+"/restore", nil)
	k.step(t, step{name: "comes back alone", call: "GET /" + model + "/" + de +
		"?translations=true", status: 200, want: obj{"data.translations.#": 1}})
	k.step(t, step{name: "the place is the other's", call: read, status: 200,
		want: obj{"data.translations.#": 2}})
	k.ok(t, 204, "DELETE /"+model+"/"+en, nil)
	admin.ok(t, 200, "POST /trash/"+en+"/restore", nil)
	k.step(t, step{name: "the original too", call: read, status: 200, want: obj{"data.translations.#": 2}})
}

func translationChecks(t *testing.T, s *suite) {
	s.useLocale(t, "de", "Deutsch")
	model, other, k := s.model(t, obj{"localized": true}), s.model(t, obj{"localized": true}), s.key(t, nil)
	en := k.create(t, model, obj{"title": "One"}).str(t, "data.id")
	foreign := k.create(t, other, obj{"title": "Foreign"}).str(t, "data.id")
	bad := func(name, call string, body obj) step {
		return step{name: name, call: call, body: body, status: 422, code: "VALIDATION_FAILED",
			details: []string{"translation_of"}}
	}
	post := "POST /" + model
	k.run(t,
		bad("no id", post, obj{"title": "x", "locale": "de", "translation_of": "one"}),
		bad("a number", post, obj{"title": "x", "locale": "de", "translation_of": 1}),
		bad("no such entry", post,
			obj{"title": "x", "locale": "de", "translation_of": "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"}),
		bad("another model", post, obj{"title": "x", "locale": "de", "translation_of": foreign}),
		bad("the same locale", post, obj{"title": "x", "translation_of": en}),
		bad("itself", "PUT /"+model+"/"+en, obj{"translation_of": en}),
	)
}

func fallbackReads(t *testing.T, s *suite) {
	s.useLocale(t, "es", "Español")
	s.useLocale(t, "pt", "Português")
	home, admin, k := s.defaultLocale(t), s.admin(t), s.key(t, nil)
	admin.run(t,
		step{name: "es", call: "PUT /locales/es", body: obj{"fallback": home}, status: 200,
			want: obj{"data.fallback": home}},
		step{name: "pt", call: "PUT /locales/pt", body: obj{"fallback": "es"}, status: 200,
			want: obj{"data.fallback": "es"}},
		step{name: "unknown", call: "PUT /locales/pt", body: obj{"fallback": "xx"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"fallback"}},
		step{name: "itself", call: "PUT /locales/pt", body: obj{"fallback": "pt"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"fallback"}},
		step{name: "circle", call: "PUT /locales/es", body: obj{"fallback": "pt"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"fallback"}},
		step{name: "needed", call: "PUT /locales/es", body: obj{"is_active": false}, status: 409,
			code: "CONFLICT"},
		step{name: "not to be deleted", call: "DELETE /locales/es", status: 409, code: "CONFLICT"},
	)
	if l := find(s.public().ok(t, 200, "GET /i18n/locales", nil).get("data"), "code", "pt"); l == nil ||
		l["fallback"] != "es" {
		t.Errorf("the public locale is %v", l)
	}
	model := s.model(t, obj{"localized": true, "default_sort": "title"})
	a := k.create(t, model, obj{"title": "A", "slug": "a", "status": "published"}).str(t, "data.id")
	aES := k.create(t, model, obj{"title": "A es", "slug": "a-es", "locale": "es",
		"status": "published", "translation_of": a}).str(t, "data.id")
	aPT := k.create(t, model, obj{"title": "A pt", "slug": "a-pt", "locale": "pt",
		"translation_of": a}).str(t, "data.id")
	b := k.create(t, model, obj{"title": "B", "slug": "b", "status": "published"}).str(t, "data.id")
	only := k.create(t, model, obj{"title": "Only", "slug": "only", "locale": "pt",
		"status": "published"}).str(t, "data.id")
	one, l := "GET /"+model+"/", "GET /"+model
	k.run(t,
		step{name: "next of the chain", call: one + a + "?locale=pt&fallback=true", status: 200,
			want: obj{"data.id": aES, "meta.locale": "es", "meta.requested_locale": "pt"}},
		step{name: "by another member", call: one + aES + "?locale=" + home + "&fallback=true",
			status: 200, want: obj{"data.id": a, "meta.locale": home}},
		step{name: "without a locale", call: one + aES + "?fallback=true", status: 200,
			want: obj{"data.id": a, "meta.requested_locale": home}},
		step{name: "by slug of another", call: one + "a-es?locale=pt&fallback=true", status: 200,
			want: obj{"data.id": aES}},
		step{name: "the last of the chain", call: one + "b?locale=pt&fallback=true", status: 200,
			want: obj{"data.id": b, "meta.locale": home, "meta.requested_locale": "pt"}},
		step{name: "not in the chain", call: one + only + "?locale=es&fallback=true", status: 404,
			code: "ENTRY_NOT_FOUND"},
		step{name: "hidden member", call: one + "a-pt?locale=pt&fallback=true", status: 404,
			code: "ENTRY_NOT_FOUND"},
		step{name: "without fallback", call: one + a + "?locale=pt", status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "unknown locale", call: one + a + "?locale=xx&fallback=true", status: 404,
			code: "ENTRY_NOT_FOUND"},
		step{name: "list", call: l + "?locale=pt&fallback=true", status: 200,
			want: obj{"meta.total": 2, "data.0.id": aES, "data.1.id": b, "meta.requested_locale": "pt"}},
		step{name: "list of the default", call: l + "?fallback=true", status: 200,
			want: obj{"meta.total": 2, "data.0.id": a, "meta.requested_locale": home}},
		step{name: "filters are those of the original", call: l +
			"?locale=pt&fallback=true&filter%5Btitle%5D=A", status: 200,
			want: obj{"meta.total": 1, "data.0.id": aES}},
		step{name: "list of an unknown one", call: l + "?locale=xx&fallback=true", status: 400,
			code: "BAD_REQUEST"},
	)
	k.ok(t, 200, "PUT /"+model+"/"+aPT, obj{"status": "published"})
	k.run(t,
		step{name: "at once", call: one + a + "?locale=pt&fallback=true", status: 200,
			want: obj{"data.id": aPT, "meta.locale": "pt"}},
		step{name: "in lists too", call: l + "?locale=pt&fallback=true", status: 200,
			want: obj{"data.0.id": aPT}},
	)
	single := s.model(t, obj{"localized": true, "kind": "single"})
	k.create(t, single, obj{"title": "Home", "status": "published"})
	k.run(t,
		step{name: "single", call: "GET /" + single + "?locale=pt&fallback=true", status: 200,
			want: obj{"data.title": "Home", "meta.locale": home, "meta.requested_locale": "pt"}},
		step{name: "single, none", call: "GET /" + single + "?locale=pt", status: 404,
			code: "ENTRY_NOT_FOUND"},
	)
}
