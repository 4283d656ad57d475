package e2e

import (
	"strings"
	"testing"
)

// reachScenarios are about keys that are limited to some models and locales (extensions §11).
var reachScenarios = []scenario{{name: "keys/reach", run: keyReach}}

func keyReach(t *testing.T, s *suite) {
	s.useLocale(t, "de", "German")
	en := s.defaultLocale(t)
	hidden := s.model(t, obj{"localized": true})
	seen := s.model(t, obj{"localized": true, "fields": list{
		field("body", "textarea", obj{"searchable": true}), field("other", "relation", obj{"model": hidden}),
	}})
	all := s.key(t, nil)
	word := "reach" + strings.ReplaceAll(unique("w"), "-", "")
	secret := all.publish(t, hidden, "Hidden "+word, obj{"body": word})
	open := all.publish(t, seen, "Seen "+word, obj{"body": word, "other": secret})
	german := all.create(t, seen, obj{"title": "Deutsch " + word, "locale": "de",
		"status": "published", "data": obj{"body": word}}).str(t, "data.id")
	k := s.key(t, obj{"role": "admin", "models": list{seen}, "locales": list{en}})

	k.run(t,
		step{name: "a model it has", call: "GET /" + seen + "/" + open, status: 200,
			want: obj{"data.id": open}},
		step{name: "a relation that leaves it dangles", call: "GET /" + seen + "/" + open +
			"?include=other", status: 200, want: obj{"data.data.other": nil}},
		step{name: "another model", call: "GET /" + hidden, status: 404, code: "MODEL_NOT_FOUND"},
		step{name: "an entry of another model", call: "GET /" + hidden + "/" + secret, status: 404,
			code: "MODEL_NOT_FOUND"},
		step{name: "an entry in another locale", call: "GET /" + seen + "/" + german, status: 404,
			code: "ENTRY_NOT_FOUND"},
		step{name: "a list of every locale", call: "GET /" + seen + "?filter[locale]=any",
			status: 200, want: obj{"meta.total": 1, "data.0.id": open}},
		step{name: "search in one locale", call: "GET /search?q=" + word, status: 200,
			want: obj{"meta.total": 1, "data.0.id": open}},
		step{name: "search in every locale", call: "GET /search?q=" + word + "&filter[locale]=any",
			status: 200, want: obj{"meta.total": 1}},
		step{name: "search in another model", call: "GET /search?q=" + word + "&models=" + hidden,
			status: 400, code: "BAD_REQUEST"},
		step{name: "create in another model", call: "POST /" + hidden, body: obj{"title": "x"},
			status: 404, code: "MODEL_NOT_FOUND"},
		step{name: "create in another locale", call: "POST /" + seen,
			body: obj{"title": "x", "locale": "de"}, status: 403, code: "FORBIDDEN"},
		step{name: "move to another locale", call: "PUT /" + seen + "/" + open,
			body: obj{"locale": "de"}, status: 403, code: "FORBIDDEN"},
		step{name: "change in another locale", call: "PUT /" + seen + "/" + german,
			body: obj{"title": "x"}, status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "delete in another locale", call: "DELETE /" + seen + "/" + german, status: 404,
			code: "ENTRY_NOT_FOUND"},
		step{name: "create and publish, since keys go by scopes", call: "POST /" + seen,
			body: obj{"title": unique("t"), "status": "published"}, status: 201},
		step{name: "a reference that it cannot see", call: "POST /" + seen,
			body: obj{"title": "x", "data": obj{"other": secret}}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"data.other"}},
		step{name: "media must be named", call: "GET /upload/files", status: 404, code: "NOT_FOUND"},
	)
	admin := s.admin(t)
	admin.run(t,
		step{name: "unknown names", call: "POST /keys",
			body: obj{"name": "x", "models": list{"no-such-model"}, "locales": list{"xx"}}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"models.0", "locales.0"}},
		step{name: "areas are known", call: "PUT /keys/" + k.id,
			body: obj{"models": list{seen, "media", "media"}}, status: 200,
			want: obj{"data.models": list{seen, "media"}}},
	)
	k.ok(t, 200, "GET /upload/files", nil)
	admin.ok(t, 200, "PUT /keys/"+k.id, obj{"models": list{}, "locales": list{}})
	k.ok(t, 200, "GET /"+seen+"/"+german, nil)
}
