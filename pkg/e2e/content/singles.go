package content

import (
	"testing"

	"headless/pkg/e2e/kit"
)

// Singles has the scenarios of models of one entry.
var Singles = []kit.Scenario{
	{Name: "singles", Run: singles},
	{Name: "singles/locales", Run: singleLocales},
	{Name: "singles/writes", Run: singleWrites},
}

func singles(t *testing.T, s *kit.Suite) {
	model := s.Model(t, kit.Obj{"kind": "single"})
	plain, admin := s.Key(t, nil), s.AdminKey(t)
	plain.Run(t,
		kit.Step{Name: "none yet", Call: "GET /" + model, Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "none yet, alias", Call: "GET /" + model + "/single", Code: "ENTRY_NOT_FOUND"},
	)
	id := plain.Create(t, model, kit.Obj{"title": "Home", "data": kit.Obj{"body": "x"}}).Str(t, "data.id")
	entry := "/" + model + "/" + id
	plain.Run(t,
		kit.Step{Name: "a draft is hidden", Call: "GET /" + model, Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "a second is refused", Call: "POST /" + model, Body: kit.Obj{"title": "Other", "data": kit.Obj{}},
			Code: "CONFLICT"},
		kit.Step{Name: "publish", Call: "PUT " + entry, Body: kit.Obj{"status": "published"}},
		kit.Step{Name: "model", Call: "GET /" + model,
			Want: kit.Obj{"data.id": id, "data.title": "Home", "meta": kit.Obj{}}},
		kit.Step{Name: "alias", Call: "GET /" + model + "/single", Want: kit.Obj{"data.id": id, "meta": kit.Obj{}}},
		kit.Step{Name: "by id", Call: "GET " + entry, Want: kit.Obj{"data.id": id}},
		kit.Step{Name: "by slug", Call: "GET /" + model + "/home", Want: kit.Obj{"data.id": id}},
		kit.Step{Name: "alias with fields", Call: "GET /" + model + "/single?fields=title",
			Want: kit.Obj{"data": kit.Obj{"id": id, "title": "Home"}}},
	)
	admin.Run(t, kit.Step{Name: "admin", Call: "GET /" + model, Want: kit.Obj{"data.id": id}})
	plain.Run(t,
		kit.Step{Name: "delete", Call: "DELETE " + entry, Status: 204},
		kit.Step{Name: "the place is free", Call: "POST /" + model, Body: kit.Obj{"title": "Next", "status": "published"},
			Status: 201},
		kit.Step{Name: "the next", Call: "GET /" + model, Want: kit.Obj{"data.title": "Next"}},
		kit.Step{Name: "alias on a collection", Call: "GET /" + s.Model(t, nil) + "/single", Code: "ENTRY_NOT_FOUND"},
	)
}

func singleLocales(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	model := s.Model(t, kit.Obj{"kind": "single", "localized": true})
	k := s.Key(t, nil)
	en := k.Create(t, model, kit.Obj{"title": "Home", "status": "published"}).Str(t, "data.id")
	k.Run(t, kit.Step{Name: "none in the locale", Call: "GET /" + model + "/single?locale=de", Code: "ENTRY_NOT_FOUND"})
	de := k.Create(t, model, kit.Obj{"title": "Start", "status": "published", "locale": "de"}).Str(t, "data.id")
	k.Run(t,
		kit.Step{Name: "default", Call: "GET /" + model, Want: kit.Obj{"data.id": en}},
		kit.Step{Name: "filter", Call: "GET /" + model + "?filter%5Blocale%5D=de", Want: kit.Obj{"data.id": de}},
		kit.Step{Name: "alias", Call: "GET /" + model + "/single?locale=de", Want: kit.Obj{"data.id": de}},
		kit.Step{Name: "one in a locale", Call: "POST /" + model, Body: kit.Obj{"title": "x", "locale": "de"},
			Code: "CONFLICT"},
	)
	one := "/" + s.Model(t, kit.Obj{"kind": "single"})
	k.Create(t, one[1:], kit.Obj{"title": "Home", "status": "published"})
	for _, call := range []string{"GET " + one, "GET " + one + "/single", "PUT " + one + "/single",
		"PUT " + one + "/single/draft", "POST " + one + "/single/publish", "DELETE " + one + "/single"} {
		k.Step(t, kit.Step{Name: "not localized", Call: call + "?locale=de", Body: kit.Obj{}, Code: "ENTRY_NOT_FOUND"})
	}
}

// singleWrites updates and deletes the entry of a single-type model without its id.
func singleWrites(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	model := s.Model(t, kit.Obj{"kind": "single", "localized": true})
	k := s.Key(t, nil)
	single := "/" + model + "/single"
	k.Run(t,
		kit.Step{Name: "none yet", Call: "PUT " + single, Body: kit.Obj{"title": "x"}, Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "none to delete", Call: "DELETE " + single, Code: "ENTRY_NOT_FOUND"},
	)
	en := k.Create(t, model, kit.Obj{"title": "Home"}).Str(t, "data.id")
	de := k.Create(t, model, kit.Obj{"title": "Start", "locale": "de"}).Str(t, "data.id")
	k.Run(t,
		kit.Step{Name: "default locale", Call: "PUT " + single, Body: kit.Obj{"status": "published"},
			Want: kit.Obj{"data.id": en, "data.title": "Home", "data.status": "published"}},
		kit.Step{Name: "other locale", Call: "PUT " + single + "?locale=de", Body: kit.Obj{"title": "Anfang"},
			Want: kit.Obj{"data.id": de, "data.title": "Anfang", "data.status": "draft"}},
		kit.Step{Name: "no such locale", Call: "PUT " + single + "?locale=xx", Body: kit.Obj{"title": "x"},
			Code: "ENTRY_NOT_FOUND"},
	)
	tag := k.Get(t, single).Header.Get("ETag")
	k.With("If-Match", tag).OK(t, 200, "PUT "+single, kit.Obj{"title": "Second"})
	k.With("If-Match", tag).Run(t,
		kit.Step{Name: "changed since", Call: "PUT " + single, Body: kit.Obj{"title": "Third"}, Code: "PRECONDITION_FAILED"},
		kit.Step{Name: "not deleted", Call: "DELETE " + single, Code: "PRECONDITION_FAILED"},
	)
	s.Key(t, kit.Obj{"scopes": kit.List{"read"}}).Run(t,
		kit.Step{Name: "without the scope", Call: "PUT " + single, Body: kit.Obj{"title": "x"}, Code: "FORBIDDEN"},
		kit.Step{Name: "nor to delete", Call: "DELETE " + single, Code: "FORBIDDEN"},
	)
	k.Run(t,
		kit.Step{Name: "deleted", Call: "DELETE " + single, Status: 204},
		kit.Step{Name: "gone", Call: "GET " + single, Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "the other stays", Call: "PUT /" + model + "/" + de, Body: kit.Obj{"status": "published"}},
		kit.Step{Name: "and is found", Call: "GET " + single + "?locale=de", Want: kit.Obj{"data.title": "Anfang"}},
		kit.Step{Name: "on a collection", Call: "PUT /" + s.Model(t, nil) + "/single", Body: kit.Obj{"title": "x"},
			Code: "ENTRY_NOT_FOUND"},
	)
}
