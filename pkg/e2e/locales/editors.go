package locales

import (
	"testing"

	"headless/pkg/e2e/kit"
)

// Editors has the scenarios of what the admin area's pages for editors do, through its JSON API.
var Editors = []kit.Scenario{
	{Name: "translate/copy and empty", Run: translatesEntries},
	{Name: "draft/merge", Run: mergesDrafts},
}

func translatesEntries(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	s.UseLocale(t, "fr", "Français")
	model := s.Model(t,
		kit.Obj{"localized": true, "fields": kit.List{kit.Field("body", "textarea", kit.Obj{"required": true}),
			kit.Field("n", "number", nil), kit.Field("code", "text", kit.Obj{"unique": true})}})
	k, admin, all := s.Key(t, nil), s.Admin(t), s.AdminKey(t)
	id := k.Publish(t, model, "Hello", kit.Obj{"body": "text", "n": 1, "code": "A"})
	at := "POST /models/" + model + "/entries/" + id + "/translate"
	admin.Run(t,
		kit.Step{Name: "a copy", Call: at, Body: kit.Obj{"locale": "de"}, Status: 201,
			Want: kit.Obj{"data.title": "Hello", "data.locale": "de", "data.status": "draft",
				"data.data": kit.Obj{"body": "text", "n": 1}}},
		kit.Step{Name: "empty", Call: at, Body: kit.Obj{"locale": "fr", "texts": "empty"}, Status: 201,
			Want: kit.Obj{"data.title": "Hello", "data.locale": "fr", "data.data": kit.Obj{"n": 1}}},
		kit.Step{Name: "taken", Call: at, Body: kit.Obj{"locale": "de", "texts": "copy"}, Code: "CONFLICT"},
		kit.Step{Name: "no locale", Call: at, Body: kit.Obj{}, Invalid: "locale"},
		kit.Step{Name: "no such locale", Call: at, Body: kit.Obj{"locale": "xx"}, Invalid: "locale"},
		kit.Step{Name: "other values", Call: at, Body: kit.Obj{"locale": "de", "texts": "half", "title": "x"},
			Invalid: "texts title"},
		kit.Step{Name: "no entry", Call: "POST /models/" + model + "/entries/" + kit.UnknownID + "/translate",
			Body: kit.Obj{"locale": "de"}, Code: "NOT_FOUND"},
	)
	all.Step(t, kit.Step{Name: "a group", Call: "GET /" + model + "/" + id + "?translations=true",
		Want: kit.Obj{"data.translations.#": 3}})
	_, _, viewer := s.User(t, "viewer")
	viewer.Run(t, kit.Step{Name: "viewer", Call: at, Body: kit.Obj{"locale": "de"}, Code: "FORBIDDEN"})
}

func mergesDrafts(t *testing.T, s *kit.Suite) {
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("body", "textarea", nil),
		kit.Field("note", "textarea", nil)}})
	k, admin := s.Key(t, nil), s.Admin(t)
	id := k.Publish(t, model, "First", kit.Obj{"body": "b"})
	entry := "/models/" + model + "/entries/" + id
	at := "POST " + entry + "/draft/merge"
	admin.Run(t,
		kit.Step{Name: "no draft", Call: at, Body: kit.Obj{"base_version": 1}, Code: "NOT_FOUND"},
		kit.Step{Name: "draft", Call: "PUT " + entry + "/draft",
			Body: kit.Obj{"title": "Drafted", "data": kit.Obj{"body": "drafted"}}},
		kit.Step{Name: "save", Call: "PUT " + entry, Body: kit.Obj{"title": "Saved", "data": kit.Obj{"note": "saved"}}},
		kit.Step{Name: "outdated", Call: "POST " + entry + "/publish", Code: "PRECONDITION_FAILED"},
		kit.Step{Name: "no version", Call: at, Body: kit.Obj{}, Invalid: "base_version"},
		kit.Step{Name: "former version", Call: at, Body: kit.Obj{"base_version": 1}, Code: "PRECONDITION_FAILED"},
		kit.Step{Name: "no field", Call: at, Body: kit.Obj{"base_version": 2, "take": kit.List{"title", "data.none"}},
			Invalid: "take.1"},
		kit.Step{Name: "other keys", Call: at, Body: kit.Obj{"base_version": 2, "take": "title", "keep": kit.List{}},
			Invalid: "take keep"},
		kit.Step{Name: "merge", Call: at, Body: kit.Obj{"base_version": 2, "take": kit.List{"title"}},
			Want: kit.Obj{"data.title": "Saved", "data.data": kit.Obj{"body": "drafted", "note": "saved"},
				"meta.draft.base_version": 2}},
		kit.Step{Name: "publish", Call: "POST " + entry + "/publish",
			Want: kit.Obj{"data.title": "Saved", "data.data": kit.Obj{"body": "drafted", "note": "saved"}}},
	)
}
