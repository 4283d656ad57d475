package rights

import (
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Reach has the scenarios of keys that are limited to some models and locales (extensions §11).
var Reach = []kit.Scenario{{Name: "keys/reach", Run: keyReach}}

func keyReach(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "German")
	en := s.DefaultLocale(t)
	hidden := s.Model(t, kit.Obj{"localized": true})
	seen := s.Model(t, kit.Obj{"localized": true, "fields": kit.List{
		kit.Field("body", "textarea", kit.Obj{"searchable": true}),
		kit.Field("other", "relation", kit.Obj{"model": hidden}),
	}})
	all := s.Key(t, nil)
	word := "reach" + strings.ReplaceAll(kit.Unique("w"), "-", "")
	secret := all.Publish(t, hidden, "Hidden "+word, kit.Obj{"body": word})
	open := all.Publish(t, seen, "Seen "+word, kit.Obj{"body": word, "other": secret})
	german := all.Create(t, seen, kit.Obj{"title": "Deutsch " + word, "locale": "de",
		"status": "published", "data": kit.Obj{"body": word}}).Str(t, "data.id")
	k := s.Key(t, kit.Obj{"role": "admin", "models": kit.List{seen}, "locales": kit.List{en}})

	k.Run(t,
		kit.Step{Name: "a model it has", Call: "GET /" + seen + "/" + open, Want: kit.Obj{"data.id": open}},
		kit.Step{Name: "a relation that leaves it dangles", Call: "GET /" + seen + "/" + open + "?include=other",
			Want: kit.Obj{"data.data.other": nil}},
		kit.Step{Name: "another model", Call: "GET /" + hidden, Code: "MODEL_NOT_FOUND"},
		kit.Step{Name: "an entry of another model", Call: "GET /" + hidden + "/" + secret, Code: "MODEL_NOT_FOUND"},
		kit.Step{Name: "an entry in another locale", Call: "GET /" + seen + "/" + german, Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "a list of every locale", Call: "GET /" + seen + "?filter[locale]=any",
			Want: kit.Obj{"meta.total": 1, "data.0.id": open}},
		kit.Step{Name: "search in one locale", Call: "GET /search?q=" + word,
			Want: kit.Obj{"meta.total": 1, "data.0.id": open}},
		kit.Step{Name: "search in every locale", Call: "GET /search?q=" + word + "&filter[locale]=any",
			Want: kit.Obj{"meta.total": 1}},
		kit.Step{Name: "search in another model", Call: "GET /search?q=" + word + "&models=" + hidden, Code: "BAD_REQUEST"},
		kit.Step{Name: "create in another model", Call: "POST /" + hidden, Body: kit.Obj{"title": "x"},
			Code: "MODEL_NOT_FOUND"},
		kit.Step{Name: "create in another locale", Call: "POST /" + seen, Body: kit.Obj{"title": "x", "locale": "de"},
			Code: "FORBIDDEN"},
		kit.Step{Name: "move to another locale", Call: "PUT /" + seen + "/" + open, Body: kit.Obj{"locale": "de"},
			Code: "FORBIDDEN"},
		kit.Step{Name: "change in another locale", Call: "PUT /" + seen + "/" + german, Body: kit.Obj{"title": "x"},
			Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "delete in another locale", Call: "DELETE /" + seen + "/" + german, Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "create and publish, since keys go by scopes", Call: "POST /" + seen,
			Body: kit.Obj{"title": kit.Unique("t"), "status": "published"}, Status: 201},
		kit.Step{Name: "a reference that it cannot see", Call: "POST /" + seen,
			Body: kit.Obj{"title": "x", "data": kit.Obj{"other": secret}}, Invalid: "data.other"},
		kit.Step{Name: "media must be named", Call: "GET /upload/files", Code: "NOT_FOUND"},
	)
	admin := s.Admin(t)
	admin.Run(t,
		kit.Step{Name: "unknown names", Call: "POST /keys",
			Body:    kit.Obj{"name": "x", "models": kit.List{"no-such-model"}, "locales": kit.List{"xx"}},
			Invalid: "models.0 locales.0"},
		kit.Step{Name: "areas are known", Call: "PUT /keys/" + k.ID,
			Body: kit.Obj{"models": kit.List{seen, "media", "media"}}, Want: kit.Obj{"data.models": kit.List{seen, "media"}}},
	)
	k.Get(t, "/upload/files")
	admin.Put(t, "/keys/"+k.ID, kit.Obj{"models": kit.List{}, "locales": kit.List{}})
	k.Get(t, "/"+seen+"/"+german)
}
