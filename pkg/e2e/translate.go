package e2e

import "testing"

// editorScenarios use the features of the admin area's pages for editors through its JSON API.
var editorScenarios = []scenario{
	{name: "translate/copy and empty", run: translatesEntries},
	{name: "draft/merge", run: mergesDrafts},
}

func translatesEntries(t *testing.T, s *suite) {
	s.useLocale(t, "de", "Deutsch")
	s.useLocale(t, "fr", "Français")
	model := s.model(t,
		obj{"localized": true, "fields": list{field("body", "textarea", obj{"required": true}),
			field("n", "number", nil), field("code", "text", obj{"unique": true})}})
	k, admin, all := s.key(t, nil), s.admin(t), s.adminKey(t)
	id := k.publish(t, model, "Hello", obj{"body": "text", "n": 1, "code": "A"})
	at := "POST /models/" + model + "/entries/" + id + "/translate"
	admin.run(t,
		step{name: "a copy", call: at, body: obj{"locale": "de"}, status: 201,
			want: obj{"data.title": "Hello", "data.locale": "de", "data.status": "draft",
				"data.data": obj{"body": "text", "n": 1}}},
		step{name: "empty", call: at, body: obj{"locale": "fr", "texts": "empty"}, status: 201,
			want: obj{"data.title": "Hello", "data.locale": "fr", "data.data": obj{"n": 1}}},
		step{name: "taken", call: at, body: obj{"locale": "de", "texts": "copy"}, status: 409,
			code: "CONFLICT"},
		step{name: "no locale", call: at, body: obj{}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"locale"}},
		step{name: "no such locale", call: at, body: obj{"locale": "xx"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"locale"}},
		step{name: "other values", call: at, body: obj{"locale": "de", "texts": "half",
			"title": "x"}, status: 422, code: "VALIDATION_FAILED", details: []string{"texts", "title"}},
		step{name: "no entry", call: "POST /models/" + model + "/entries/" + noID + "/translate",
			body: obj{"locale": "de"}, status: 404, code: "NOT_FOUND"},
	)
	all.step(t, step{name: "a group", call: "GET /" + model + "/" + id + "?translations=true",
		status: 200, want: obj{"data.translations.#": 3}})
	_, _, viewer := s.user(t, "viewer")
	viewer.run(t, step{name: "viewer", call: at, body: obj{"locale": "de"}, status: 403, code: "FORBIDDEN"})
}

func mergesDrafts(t *testing.T, s *suite) {
	model := s.model(t, obj{"fields": list{field("body", "textarea", nil), field("note", "textarea", nil)}})
	k, admin := s.key(t, nil), s.admin(t)
	id := k.publish(t, model, "First", obj{"body": "b"})
	entry := "/models/" + model + "/entries/" + id
	at := "POST " + entry + "/draft/merge"
	admin.run(t,
		step{name: "no draft", call: at, body: obj{"base_version": 1}, status: 404, code: "NOT_FOUND"},
		step{name: "draft", call: "PUT " + entry + "/draft",
			body: obj{"title": "Drafted", "data": obj{"body": "drafted"}}, status: 200},
		step{name: "save", call: "PUT " + entry,
			body: obj{"title": "Saved", "data": obj{"note": "saved"}}, status: 200},
		step{name: "outdated", call: "POST " + entry + "/publish", status: 412, code: "PRECONDITION_FAILED"},
		step{name: "no version", call: at, body: obj{}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"base_version"}},
		step{name: "former version", call: at, body: obj{"base_version": 1}, status: 412,
			code: "PRECONDITION_FAILED"},
		step{name: "no field", call: at,
			body: obj{"base_version": 2, "take": list{"title", "data.none"}}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"take.1"}},
		step{name: "other keys", call: at, body: obj{"base_version": 2, "take": "title",
			"keep": list{}}, status: 422, code: "VALIDATION_FAILED", details: []string{"take", "keep"}},
		step{name: "merge", call: at, body: obj{"base_version": 2, "take": list{"title"}},
			status: 200,
			want: obj{"data.title": "Saved", "data.data": obj{"body": "drafted", "note": "saved"},
				"meta.draft.base_version": 2}},
		step{name: "publish", call: "POST " + entry + "/publish", status: 200,
			want: obj{"data.title": "Saved", "data.data": obj{"body": "drafted", "note": "saved"}}},
	)
}
