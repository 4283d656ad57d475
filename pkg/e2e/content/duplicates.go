package content

import (
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Duplicates has the scenarios of copies of entries (extensions §7), and of blocks that need none.
var Duplicates = []kit.Scenario{
	{Name: "duplicate/copies", Run: duplicateEntries},
	{Name: "duplicate/refused", Run: refusedDuplicates},
	{Name: "duplicate/reused blocks", Run: reusedBlocks},
}

func duplicateEntries(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	model := s.Model(t, kit.Obj{"localized": true, "fields": kit.List{
		kit.Field("body", "text", kit.Obj{"required": true}),
		kit.Field("code", "text", kit.Obj{"unique": true, "required": true}),
		kit.Field("n", "number", kit.Obj{"default": 5}),
	}})
	k, admin, all := s.Key(t, nil), s.Admin(t), s.AdminKey(t)
	id := k.Create(t, model, kit.Obj{"title": "First", "status": "published", "seo": kit.Obj{"title": "S"},
		"data": kit.Obj{"body": "b", "code": "A", "n": 1}}).Str(t, "data.id")
	k.Post(t, "/"+model, kit.Obj{"title": "Erstes", "locale": "de", "translation_of": id,
		"data": kit.Obj{"body": "b", "code": "B"}})
	k.Put(t, "/"+model+"/"+id+"/draft", kit.Obj{"title": "Changed"})
	entry := "/models/" + model + "/entries/" + id
	copied := admin.Step(t, kit.Step{Name: "copy", Call: "POST " + entry + "/duplicate", Status: 201, Want: kit.Obj{
		"data.title": "First", "data.slug": "first-2", "data.status": "draft",
		"data.locale": s.DefaultLocale(t), "data.data": kit.Obj{"body": "b", "n": 1},
		"data.seo.title": "S", "data.version": 1, "data.published_at": nil, "data.has_draft": false,
		"data.created_at": kit.Timestamp,
	}}).Str(t, "data.id")
	admin.Run(t,
		kit.Step{Name: "again", Call: "POST " + entry + "/duplicate", Body: kit.Obj{}, Status: 201,
			Want: kit.Obj{"data.slug": "first-3"}},
		kit.Step{Name: "a title", Call: "POST " + entry + "/duplicate", Body: kit.Obj{"title": "Second Edition"},
			Status: 201, Want: kit.Obj{"data.title": "Second Edition", "data.slug": "second-edition"}},
		kit.Step{Name: "a taken title", Call: "POST " + entry + "/duplicate",
			Body: kit.Obj{"title": "Second Edition", "locale": nil}, Status: 201,
			Want: kit.Obj{"data.slug": "second-edition-2"}},
		kit.Step{Name: "a locale", Call: "POST " + entry + "/duplicate", Body: kit.Obj{"locale": "de", "title": "Zweites"},
			Status: 201, Want: kit.Obj{"data.locale": "de", "data.slug": "zweites"}},
		kit.Step{Name: "an incomplete one", Call: "POST /models/" + model + "/entries/" + copied + "/duplicate",
			Status: 201, Want: kit.Obj{"data.data": kit.Obj{"body": "b", "n": 1}}},
		kit.Step{Name: "no draft", Call: "GET /models/" + model + "/entries/" + copied + "/draft", Code: "NOT_FOUND"},
		kit.Step{Name: "the source stays", Call: "GET " + entry,
			Want: kit.Obj{"data.slug": "first", "data.version": 1, "data.has_draft": true, "data.data.code": "A"}},
		kit.Step{Name: "activity", Call: "GET /activity?filter%5Bsubject_id%5D=" + copied,
			Want: kit.Obj{"data.#": 1, "data.0.event": "entry.created"}},
	)
	all.Step(t, kit.Step{Name: "no group", Call: "GET /" + model + "/" + copied + "?translations=true",
		Want: kit.Obj{"data.translations.#": 1}})
}

func refusedDuplicates(t *testing.T, s *kit.Suite) {
	model, single := s.Model(t, nil), s.Model(t, kit.Obj{"kind": "single"})
	k, admin := s.Key(t, nil), s.Admin(t)
	at := "POST /models/" + model + "/entries/" + k.Create(t, model, kit.Obj{"title": "One"}).Str(t,
		"data.id") + "/duplicate"
	one := k.Create(t, single, kit.Obj{"title": "Only"}).Str(t, "data.id")
	const unknown = kit.UnknownID
	admin.Run(t,
		kit.Step{Name: "unknown key", Call: at, Body: kit.Obj{"slug": "x"}, Invalid: "slug"},
		kit.Step{Name: "types", Call: at, Body: kit.Obj{"title": 1, "locale": kit.List{}}, Invalid: "title locale"},
		kit.Step{Name: "empty title", Call: at, Body: kit.Obj{"title": ""}, Invalid: "title"},
		kit.Step{Name: "long title", Call: at, Body: kit.Obj{"title": strings.Repeat("x", 256)}, Invalid: "title"},
		kit.Step{Name: "unknown locale", Call: at, Body: kit.Obj{"locale": "xx"}, Invalid: "locale"},
		kit.Step{Name: "single type", Call: "POST /models/" + single + "/entries/" + one + "/duplicate", Code: "CONFLICT"},
		kit.Step{Name: "no entry", Call: "POST /models/" + model + "/entries/" + unknown + "/duplicate", Code: "NOT_FOUND"},
		kit.Step{Name: "no model", Call: "POST /models/no-such-model/entries/" + unknown + "/duplicate", Code: "NOT_FOUND"},
	)
	_, _, viewer := s.User(t, "viewer")
	viewer.Run(t, kit.Step{Name: "viewer", Call: at, Code: "FORBIDDEN"})
	_, _, editor := s.User(t, "editor")
	editor.Run(t, kit.Step{Name: "editor", Call: at, Status: 201})
}
