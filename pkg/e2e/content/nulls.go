package content

import (
	"encoding/json"
	"maps"
	"path"
	"testing"

	"github.com/google/uuid"

	"headless/pkg/e2e/kit"
	"headless/pkg/must"
)

// nullsInRows sends null for fields of groups, lists and blocks through every door. The stored
// entry lacks it, as at the top level. It stays inside a value of type json.
func nullsInRows(t *testing.T, s *kit.Suite) {
	fields := kit.List{kit.Field("name", "text", kit.Obj{"required": true}), kit.Field("note", "text", nil),
		kit.Field("any", "json", nil), kit.Field("sub", "list", kit.Obj{"fields": kit.List{kit.Field("x", "text", nil)}})}
	s.UseLocale(t, "de", "Deutsch")
	model := s.Model(t, kit.Obj{"localized": true, "fields": kit.List{
		kit.Field("group", "group", kit.Obj{"fields": fields}), kit.Field("rows", "list", kit.Obj{"fields": fields}),
		kit.Field("parts", "blocks", kit.Obj{"fields": kit.List{kit.Field("card", "group", kit.Obj{"fields": fields})}})}})
	k, admin := s.AdminKey(t), s.Admin(t)
	object := func(more kit.Obj) kit.Obj {
		o := kit.Obj{"name": "n", "any": kit.Obj{"deep": nil}}
		maps.Copy(o, more)
		return o
	}
	dataOf := func(more, ofBlock kit.Obj) kit.Obj {
		ofBlock["type"] = "card"
		return kit.Obj{"group": object(more), "rows": kit.List{object(more)}, "parts": kit.List{object(ofBlock)}}
	}
	sub := kit.List{kit.Obj{"x": nil}}
	sent := dataOf(kit.Obj{"note": nil, "sub": sub}, kit.Obj{"note": nil, "sub": nil})
	want := dataOf(kit.Obj{"sub": kit.List{kit.Obj{}}}, kit.Obj{})
	stored := kit.Obj{"data.data": want}
	entry := "/" + model + "/" + k.Step(t, kit.Step{Name: "create", Call: "POST /" + model, Status: 201,
		Body: kit.Obj{"title": "One", "data": sent}, Want: stored}).Str(t, "data.id")
	k.Run(t,
		kit.Step{Name: "read", Call: "GET " + entry, Want: stored},
		kit.Step{Name: "update", Call: "PUT " + entry, Body: kit.Obj{"data": sent}, Want: stored},
		kit.Step{Name: "draft", Call: "PUT " + entry + "/draft", Body: kit.Obj{"data": sent}, Want: stored},
		kit.Step{Name: "read the draft", Call: "GET " + entry + "/draft", Want: stored},
		kit.Step{Name: "translation", Call: "POST /" + model, Status: 201,
			Body: kit.Obj{"title": "Eins", "locale": "de", "translation_of": path.Base(entry), "data": sent}, Want: stored},
		kit.Step{Name: "required", Call: "POST /" + model,
			Body: kit.Obj{"title": "x", "data": kit.Obj{"rows": kit.List{kit.Obj{"name": nil}}}}, Invalid: "data.rows.0.name"},
		kit.Step{Name: "unknown", Call: "POST /" + model,
			Body:    kit.Obj{"title": "x", "data": kit.Obj{"group": kit.Obj{"name": "n", "none": nil}}},
			Invalid: "data.group.none"},
		kit.Step{Name: "an item", Call: "POST /" + model,
			Body: kit.Obj{"title": "x", "data": kit.Obj{"rows": kit.List{nil}}}, Invalid: "data.rows.0"},
	)
	id := uuid.NewString()
	line := kit.Obj{"model": model, "id": id, "title": "Imported " + model, "data": sent}
	for _, result := range []string{"created", "unchanged"} {
		admin.Step(t, kit.Step{Name: "import, " + result, Call: "POST /import", Body: kit.JSONLines(t, line),
			Want: kit.Obj{"data.0.result": result}})
	}
	k.Step(t, kit.Step{Name: "imported", Call: "GET /" + model + "/" + id, Want: stored})
	admin.Step(t, kit.Step{Name: "template", Call: "POST /models/" + model + "/presets", Status: 201,
		Body: kit.Obj{"name": "Page", "values": sent}, Want: kit.Obj{"data.values": want}})
	text, _ := s.CallTool(t, kit.Credentials(s.Key(t, kit.Obj{"scopes": kit.List{"read", "write"}, "role": "admin"})),
		"write_draft", kit.Obj{"model": model, "title": "By an agent", "data": sent})
	var written any
	must.Do(t, json.Unmarshal([]byte(text), &written))
	kit.Same(t, "write_draft", kit.Dig(written, "data"), want)
}

// nullsOfBefore are nulls that an entry already has: as those of an older version, they are read and compared, and
// the next save leaves them out.
func nullsOfBefore(t *testing.T, s *kit.Suite) {
	k, admin := s.AdminKey(t), s.Admin(t)
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("rows", "json", nil)}})
	entry := k.Create(t, model, kit.Obj{"title": "One", "data": kit.Obj{
		"rows": kit.List{kit.Obj{"name": "n", "note": nil}}}}).Str(t, "data.id")
	admin.Put(t, "/models/"+model, kit.Obj{"fields": kit.List{kit.Field("rows", "list", kit.Obj{"fields": kit.List{
		kit.Field("name", "text", nil), kit.Field("note", "text", nil)}})}})
	stored := kit.Obj{"data.data.rows": kit.List{kit.Obj{"name": "n"}}}
	k.Run(t,
		kit.Step{Name: "read", Call: "GET /" + model + "/" + entry, Want: kit.Obj{"data.data.rows.0.name": "n"}},
		kit.Step{Name: "the next save", Call: "PUT /" + model + "/" + entry, Body: kit.Obj{"title": "Two"}, Want: stored},
	)
	admin.Run(t,
		kit.Step{Name: "revisions", Call: "GET /models/" + model + "/entries/" + entry + "/revisions",
			Want: kit.Obj{"data.1.version": 1}},
		kit.Step{Name: "restore", Call: "POST /models/" + model + "/entries/" + entry + "/revisions/1/restore", Want: stored},
	)
}
