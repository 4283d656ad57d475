package e2e

import (
	"strings"
	"testing"
)

// Copies of entries (extensions §7).
var duplicateScenarios = []scenario{
	{name: "duplicate/copies", run: duplicateEntries},
	{name: "duplicate/refused", run: refusedDuplicates},
}

func duplicateEntries(t *testing.T, s *suite) {
	s.useLocale(t, "de", "Deutsch")
	model := s.model(t, obj{"localized": true, "fields": list{
		field("body", "text", obj{"required": true}),
		field("code", "text", obj{"unique": true, "required": true}), field("n", "number", obj{"default": 5}),
	}})
	k, admin, all := s.key(t, nil), s.admin(t), s.adminKey(t)
	id := k.create(t, model, obj{"title": "First", "status": "published", "seo": obj{"title": "S"},
		"data": obj{"body": "b", "code": "A", "n": 1}}).str(t, "data.id")
	k.ok(t, 201, "POST /"+model, obj{"title": "Erstes", "locale": "de", "translation_of": id,
		"data": obj{"body": "b", "code": "B"}})
	k.ok(t, 200, "PUT /"+model+"/"+id+"/draft", obj{"title": "Changed"})
	entry := "/models/" + model + "/entries/" + id
	copied := admin.step(t, step{name: "copy", call: "POST " + entry + "/duplicate", status: 201, want: obj{
		"data.title": "First", "data.slug": "first-2", "data.status": "draft",
		"data.locale": s.defaultLocale(t), "data.data": obj{"body": "b", "n": 1},
		"data.seo.title": "S", "data.version": 1, "data.published_at": nil, "data.has_draft": false,
		"data.created_at": timestamp,
	}}).str(t, "data.id")
	admin.run(t,
		step{name: "again", call: "POST " + entry + "/duplicate", body: obj{}, status: 201,
			want: obj{"data.slug": "first-3"}},
		step{name: "a title", call: "POST " + entry + "/duplicate",
			body: obj{"title": "Second Edition"}, status: 201,
			want: obj{"data.title": "Second Edition", "data.slug": "second-edition"}},
		step{name: "a taken title", call: "POST " + entry + "/duplicate",
			body: obj{"title": "Second Edition", "locale": nil}, status: 201,
			want: obj{"data.slug": "second-edition-2"}},
		step{name: "a locale", call: "POST " + entry + "/duplicate",
			body: obj{"locale": "de", "title": "Zweites"}, status: 201,
			want: obj{"data.locale": "de", "data.slug": "zweites"}},
		step{name: "an incomplete one", call: "POST /models/" + model + "/entries/" + copied +
			"/duplicate", status: 201, want: obj{"data.data": obj{"body": "b", "n": 1}}},
		step{name: "no draft", call: "GET /models/" + model + "/entries/" + copied + "/draft",
			status: 404, code: "NOT_FOUND"},
		step{name: "the source stays", call: "GET " + entry, status: 200,
			want: obj{"data.slug": "first", "data.version": 1, "data.has_draft": true,
				"data.data.code": "A"}},
		step{name: "activity", call: "GET /activity?filter%5Bsubject_id%5D=" + copied, status: 200,
			want: obj{"data.#": 1, "data.0.event": "entry.created"}},
	)
	all.step(t, step{name: "no group", call: "GET /" + model + "/" + copied + "?translations=true",
		status: 200, want: obj{"data.translations.#": 1}})
}

func refusedDuplicates(t *testing.T, s *suite) {
	model, single := s.model(t, nil), s.model(t, obj{"kind": "single"})
	k, admin := s.key(t, nil), s.admin(t)
	at := "POST /models/" + model + "/entries/" + k.create(t, model, obj{"title": "One"}).str(t,
		"data.id") + "/duplicate"
	one := k.create(t, single, obj{"title": "Only"}).str(t, "data.id")
	const unknown = "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"
	admin.run(t,
		step{name: "unknown key", call: at, body: obj{"slug": "x"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"slug"}},
		step{name: "types", call: at, body: obj{"title": 1, "locale": list{}}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"title", "locale"}},
		step{name: "empty title", call: at, body: obj{"title": ""}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"title"}},
		step{name: "long title", call: at, body: obj{"title": strings.Repeat("x", 256)},
			status: 422, code: "VALIDATION_FAILED", details: []string{"title"}},
		step{name: "unknown locale", call: at, body: obj{"locale": "xx"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"locale"}},
		step{name: "single type", call: "POST /models/" + single + "/entries/" + one + "/duplicate",
			status: 409, code: "CONFLICT"},
		step{name: "no entry", call: "POST /models/" + model + "/entries/" + unknown + "/duplicate",
			status: 404, code: "NOT_FOUND"},
		step{name: "no model", call: "POST /models/no-such-model/entries/" + unknown + "/duplicate",
			status: 404, code: "NOT_FOUND"},
	)
	_, _, viewer := s.user(t, "viewer")
	viewer.run(t, step{name: "viewer", call: at, status: 403, code: "FORBIDDEN"})
	_, _, editor := s.user(t, "editor")
	editor.run(t, step{name: "editor", call: at, status: 201})
}
