package locales

import (
	"testing"

	"headless/pkg/e2e/kit"
)

// translationLists lists, in the admin area, the entries without a translation in a locale and the
// translations that are older than their original.
func translationLists(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	s.UseLocale(t, "fr", "Français")
	home, model, k := s.DefaultLocale(t), s.Model(t, kit.Obj{"localized": true}), s.Key(t, nil)
	id := func(body kit.Obj) string { return k.Create(t, model, body).Str(t, "data.id") }
	both := id(kit.Obj{"title": "Alpha", "status": "published"})
	german := id(kit.Obj{"title": "Beta", "locale": "de", "translation_of": both, "status": "published"})
	alone := id(kit.Obj{"title": "Gamma"})
	french := id(kit.Obj{"title": "Delta", "locale": "fr"})
	list, admin := "GET /models/"+model+"/entries?sort=title", s.Admin(t)
	one := func(id string) kit.Obj { return kit.Obj{"meta.total": 1, "data.#": 1, "data.0.id": id} }
	admin.Run(t,
		kit.Step{Name: "missing", Call: list + "&filter%5Bmissing%5D=de",
			Want: kit.Obj{"meta.total": 2, "data.0.id": french, "data.1.id": alone}},
		kit.Step{Name: "missing originals", Call: list + "&filter%5Bmissing%5D=de&filter%5Blocale%5D=" + home,
			Want: one(alone)},
		kit.Step{Name: "with a search", Call: list + "&filter%5Bmissing%5D=de&q=gamma", Want: one(alone)},
		kit.Step{Name: "searched, not missing", Call: list + "&filter%5Bmissing%5D=de&q=alpha",
			Want: kit.Obj{"meta.total": 0}},
		kit.Step{Name: "with a filter", Call: list + "&filter%5Bmissing%5D=de&filter%5Btitle%5D=Delta", Want: one(french)},
		kit.Step{Name: "a page", Call: list + "&filter%5Bmissing%5D=de&per_page=1&page=2",
			Want: kit.Obj{"meta.total": 2, "data.#": 1, "data.0.id": alone}},
		kit.Step{Name: "no choice", Call: list + "&filter%5Bmissing%5D=&filter%5Boutdated%5D=",
			Want: kit.Obj{"meta.total": 4}},
		kit.Step{Name: "unknown locale", Call: list + "&filter%5Bmissing%5D=xx", Code: "BAD_REQUEST"},
		kit.Step{Name: "other operator", Call: list + "&filter%5Bmissing%5D%5Bne%5D=de", Code: "BAD_REQUEST"},
		kit.Step{Name: "not a truth value", Call: list + "&filter%5Boutdated%5D=1", Code: "BAD_REQUEST"},
		kit.Step{Name: "nothing outdated", Call: list + "&filter%5Boutdated%5D=true",
			Want: kit.Obj{"meta.total": 0, "data.#": 0}},
	)
	k.Put(t, "/"+model+"/"+both, kit.Obj{"title": "Alpha two"})
	admin.Run(t,
		kit.Step{Name: "outdated", Call: list + "&filter%5Boutdated%5D=true", Want: one(german)},
		kit.Step{Name: "not outdated", Call: list + "&filter%5Boutdated%5D=false", Want: kit.Obj{"meta.total": 3}},
	)
	_, limited := s.Role(t, kit.Obj{"models": kit.List{model}, "locales": kit.List{"de"}})
	_, reader := s.Role(t, kit.Obj{"models": kit.List{model}, "actions": kit.List{"read"}})
	s.Eventually(t, "the finding", func() bool {
		return reader.OK(t, 200, "GET /models/"+model+"/entries/"+german+"/health", nil).Get("data.0.kind") ==
			"translation.outdated"
	})
	limited.Run(t, // the original does not exist for this reader
		kit.Step{Name: "limited, outdated", Call: list + "&filter%5Boutdated%5D=true", Want: kit.Obj{"meta.total": 0}},
		kit.Step{Name: "limited, not outdated", Call: list + "&filter%5Boutdated%5D=false", Want: one(german)},
		kit.Step{Name: "limited, missing", Call: list + "&filter%5Bmissing%5D=" + home, Want: one(german)},
		kit.Step{Name: "limited, missing here", Call: list + "&filter%5Bmissing%5D=de", Want: kit.Obj{"meta.total": 0}},
		kit.Step{Name: "limited, health", Call: "GET /health?kind=translation.outdated", Want: kit.Obj{"data.#": 0}},
		kit.Step{Name: "limited, health of the entry", Call: "GET /models/" + model + "/entries/" + german + "/health",
			Want: kit.Obj{"data.#": 0}},
	)
	k.Put(t, "/"+model+"/"+german, kit.Obj{"title": "Beta two"})
	k.Delete(t, "/"+model+"/"+german)
	admin.Run(t,
		kit.Step{Name: "caught up", Call: list + "&filter%5Boutdated%5D=true", Want: kit.Obj{"meta.total": 0}},
		kit.Step{Name: "missing again", Call: list + "&filter%5Bmissing%5D=de", Want: kit.Obj{"meta.total": 3}},
	)
	k.Step(t, kit.Step{Name: "the API does not know it", Call: "GET /" + model + "?filter%5Bmissing%5D=de",
		Code: "BAD_REQUEST"})
	fallback := "GET /" + model + "?fallback=true&filter%5Blocale%5D%5Bin%5D=de," + home
	k.Run(t,
		kit.Step{Name: "fallback from several locales", Call: fallback, Code: "BAD_REQUEST"},
		kit.Step{Name: "locale wins", Call: fallback + "&locale=" + home,
			Want: kit.Obj{"meta.requested_locale": home, "meta.total": 1, "data.0.id": both}},
	)
}
