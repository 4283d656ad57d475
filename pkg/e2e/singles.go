package e2e

import "testing"

var singleScenarios = []scenario{
	{name: "singles", run: singles},
	{name: "singles/locales", run: singleLocales},
}

func singles(t *testing.T, s *suite) {
	model := s.model(t, obj{"kind": "single"})
	plain, admin := s.key(t, nil), s.adminKey(t)
	plain.run(t,
		step{name: "none yet", call: "GET /" + model, status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "none yet, alias", call: "GET /" + model + "/single", status: 404,
			code: "ENTRY_NOT_FOUND"},
	)
	id := plain.create(t, model, obj{"title": "Home", "data": obj{"body": "x"}}).str(t, "data.id")
	entry := "/" + model + "/" + id
	plain.run(t,
		step{name: "a draft is hidden", call: "GET /" + model, status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "a second is refused", call: "POST /" + model,
			body: obj{"title": "Other", "data": obj{}}, status: 409, code: "CONFLICT"},
		step{name: "publish", call: "PUT " + entry, body: obj{"status": "published"}, status: 200},
		step{name: "model", call: "GET /" + model, status: 200,
			want: obj{"data.id": id, "data.title": "Home", "meta": obj{}}},
		step{name: "alias", call: "GET /" + model + "/single", status: 200,
			want: obj{"data.id": id, "meta": obj{}}},
		step{name: "by id", call: "GET " + entry, status: 200, want: obj{"data.id": id}},
		step{name: "by slug", call: "GET /" + model + "/home", status: 200, want: obj{"data.id": id}},
		step{name: "alias with fields", call: "GET /" + model + "/single?fields=title", status: 200,
			want: obj{"data": obj{"id": id, "title": "Home"}}},
	)
	admin.run(t, step{name: "admin", call: "GET /" + model, status: 200, want: obj{"data.id": id}})
	plain.run(t,
		step{name: "delete", call: "DELETE " + entry, status: 204},
		step{name: "the place is free", call: "POST /" + model,
			body: obj{"title": "Next", "status": "published"}, status: 201},
		step{name: "the next", call: "GET /" + model, status: 200, want: obj{"data.title": "Next"}},
		step{name: "alias on a collection", call: "GET /" + s.model(t, nil) + "/single",
			status: 404, code: "ENTRY_NOT_FOUND"},
	)
}

func singleLocales(t *testing.T, s *suite) {
	s.useLocale(t, "de", "Deutsch")
	model := s.model(t, obj{"kind": "single", "localized": true})
	k := s.key(t, nil)
	en := k.create(t, model, obj{"title": "Home", "status": "published"}).str(t, "data.id")
	k.run(t, step{name: "none in the locale", call: "GET /" + model + "/single?locale=de",
		status: 404, code: "ENTRY_NOT_FOUND"})
	de := k.create(t, model, obj{"title": "Start", "status": "published", "locale": "de"}).str(t, "data.id")
	k.run(t,
		step{name: "default", call: "GET /" + model, status: 200, want: obj{"data.id": en}},
		step{name: "filter", call: "GET /" + model + "?filter%5Blocale%5D=de", status: 200,
			want: obj{"data.id": de}},
		step{name: "alias", call: "GET /" + model + "/single?locale=de", status: 200,
			want: obj{"data.id": de}},
		step{name: "one in a locale", call: "POST /" + model,
			body: obj{"title": "x", "locale": "de"}, status: 409, code: "CONFLICT"},
	)
}
