package e2e

import "testing"

// translationLists lists, in the admin area, the entries without a translation in a locale and the
// translations that are older than their original.
func translationLists(t *testing.T, s *suite) {
	s.useLocale(t, "de", "Deutsch")
	s.useLocale(t, "fr", "Français")
	home, model, k := s.defaultLocale(t), s.model(t, obj{"localized": true}), s.key(t, nil)
	id := func(body obj) string { return k.create(t, model, body).str(t, "data.id") }
	both := id(obj{"title": "Alpha", "status": "published"})
	german := id(obj{"title": "Beta", "locale": "de", "translation_of": both})
	alone := id(obj{"title": "Gamma"})
	french := id(obj{"title": "Delta", "locale": "fr"})
	list, admin := "GET /models/"+model+"/entries?sort=title", s.admin(t)
	one := func(id string) obj { return obj{"meta.total": 1, "data.#": 1, "data.0.id": id} }
	admin.run(t,
		step{name: "missing", call: list + "&filter%5Bmissing%5D=de", status: 200,
			want: obj{"meta.total": 2, "data.0.id": french, "data.1.id": alone}},
		step{name: "missing originals", call: list + "&filter%5Bmissing%5D=de&filter%5Blocale%5D=" +
			home, status: 200, want: one(alone)},
		step{name: "with a search", call: list + "&filter%5Bmissing%5D=de&q=gamma", status: 200,
			want: one(alone)},
		step{name: "searched, not missing", call: list + "&filter%5Bmissing%5D=de&q=alpha",
			status: 200, want: obj{"meta.total": 0}},
		step{name: "with a filter", call: list + "&filter%5Bmissing%5D=de&filter%5Btitle%5D=Delta",
			status: 200, want: one(french)},
		step{name: "a page", call: list + "&filter%5Bmissing%5D=de&per_page=1&page=2", status: 200,
			want: obj{"meta.total": 2, "data.#": 1, "data.0.id": alone}},
		step{name: "no choice", call: list + "&filter%5Bmissing%5D=&filter%5Boutdated%5D=",
			status: 200, want: obj{"meta.total": 4}},
		step{name: "unknown locale", call: list + "&filter%5Bmissing%5D=xx", status: 400,
			code: "BAD_REQUEST"},
		step{name: "other operator", call: list + "&filter%5Bmissing%5D%5Bne%5D=de", status: 400,
			code: "BAD_REQUEST"},
		step{name: "not a truth value", call: list + "&filter%5Boutdated%5D=1", status: 400,
			code: "BAD_REQUEST"},
		step{name: "nothing outdated", call: list + "&filter%5Boutdated%5D=true", status: 200,
			want: obj{"meta.total": 0, "data.#": 0}},
	)
	k.ok(t, 200, "PUT /"+model+"/"+both, obj{"title": "Alpha two"})
	admin.run(t,
		step{name: "outdated", call: list + "&filter%5Boutdated%5D=true", status: 200, want: one(german)},
		step{name: "not outdated", call: list + "&filter%5Boutdated%5D=false", status: 200,
			want: obj{"meta.total": 3}},
	)
	k.ok(t, 200, "PUT /"+model+"/"+german, obj{"title": "Beta two"})
	k.ok(t, 204, "DELETE /"+model+"/"+german, nil)
	admin.run(t,
		step{name: "caught up", call: list + "&filter%5Boutdated%5D=true", status: 200,
			want: obj{"meta.total": 0}},
		step{name: "missing again", call: list + "&filter%5Bmissing%5D=de", status: 200,
			want: obj{"meta.total": 3}},
	)
	k.step(t, step{name: "the API does not know it", call: "GET /" + model +
		"?filter%5Bmissing%5D=de", status: 400, code: "BAD_REQUEST"})
	fallback := "GET /" + model + "?fallback=true&filter%5Blocale%5D%5Bin%5D=de," + home
	k.run(t,
		step{name: "fallback from several locales", call: fallback, status: 400, code: "BAD_REQUEST"},
		step{name: "locale wins", call: fallback + "&locale=" + home, status: 200,
			want: obj{"meta.requested_locale": home, "meta.total": 1, "data.0.id": both}},
	)
}
