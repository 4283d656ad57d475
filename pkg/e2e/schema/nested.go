package schema

import (
	"testing"

	"headless/pkg/e2e/kit"
)

// nestedRenames renames and removes fields in groups, lists and blocks (extensions §10).
func nestedRenames(t *testing.T, s *kit.Suite) {
	c, key := s.Admin(t), s.AdminKey(t)
	group := func(name string, fields ...any) kit.Obj {
		return kit.Field(name, "group", kit.Obj{"fields": kit.List(fields)})
	}
	text := func(name string) kit.Obj { return kit.Field(name, "text", nil) }
	file := key.Upload(t, "a.txt", []byte("text"), nil).Str(t, "data.id")
	slug := s.Model(t, kit.Obj{"fields": kit.List{
		group("address", text("town"), text("zip"), kit.Field("map", "media", nil)),
		kit.Field("steps", "list", kit.Obj{"fields": kit.List{kit.Field("name", "text", kit.Obj{"searchable": true})}}),
		kit.Field("parts", "blocks",
			kit.Obj{"fields": kit.List{group("hero", text("title")), group("video", text("url"))}}),
	}})
	word := kit.Word()
	data := kit.Obj{"address": kit.Obj{"town": "Ulm", "zip": "89073", "map": file},
		"steps": kit.List{kit.Obj{"name": word}},
		"parts": kit.List{kit.Obj{"type": "video", "url": "x"}, kit.Obj{"type": "hero", "title": "T"}}}
	want := kit.Obj{"place": kit.Obj{"city": "Ulm", "plan": file}, "steps": kit.List{kit.Obj{"label": word}},
		"parts": kit.List{kit.Obj{"type": "banner", "head": "T"}}}
	id := key.Publish(t, slug, "One", data)
	key.Put(t, "/"+slug+"/"+id+"/draft", kit.Obj{"data": kit.Obj{"address": kit.Obj{"town": "Bonn"}}})
	trashed := key.Publish(t, slug, "Two", data)
	key.Delete(t, "/"+slug+"/"+trashed)
	fields := kit.List{
		group("place", text("city"), kit.Field("plan", "media", nil)),
		kit.Field("steps", "list", kit.Obj{"fields": kit.List{kit.Field("label", "text", kit.Obj{"searchable": true})}}),
		kit.Field("parts", "blocks", kit.Obj{"fields": kit.List{group("banner", text("head"))}}),
	}
	rename := func(from, to string) kit.Obj { return kit.Obj{"model": slug, "from": from, "to": to} }
	renames := kit.List{rename("address", "place"), rename("address.town", "place.city"),
		rename("address.map", "place.plan"), rename("steps.name", "steps.label"),
		rename("parts.hero", "parts.banner"), rename("parts.hero.title", "parts.banner.head")}
	model := kit.Obj{"slug": slug, "name": "M", "fields": fields}
	for name, row := range map[string]struct {
		rename  kit.Obj
		invalid string
	}{
		"unknown from":    {rename("address.street", "address.city"), "renames.0.from renames.0.to"},
		"unknown to":      {rename("address.town", "place.street"), "renames.0.to"},
		"another group":   {rename("address.town", "steps.label"), "renames.0.to"},
		"from stays":      {rename("steps", "place"), "renames.0.from"},
		"below no fields": {rename("address.town.x", "place.city.x"), "renames.0.from renames.0.to"},
	} {
		c.Step(t, kit.Step{Name: name, Call: "POST /schema/plan",
			Body:    kit.Obj{"schema": kit.Obj{"models": kit.List{model}, "renames": kit.List{row.rename}}},
			Invalid: row.invalid})
	}
	schema := kit.Obj{"models": kit.List{model}, "renames": renames}
	_, changes := planned(t, c, schema)
	for path, op := range map[string]string{
		"place": "rename", "place.fields.city": "rename", "place.fields.zip": "delete",
		"steps.fields.label": "rename", "parts.fields.banner": "rename",
		"parts.fields.banner.fields.head": "rename", "parts.fields.video": "delete",
	} {
		if got := changes["models."+slug+".fields."+path]; got["op"] != op {
			t.Errorf("%s: %v, want %s", path, got, op)
		}
	}
	applied(t, c, schema, "loses_data")
	key.Run(t,
		kit.Step{Name: "by id", Call: "GET /" + slug + "/" + id, Want: kit.Obj{"data.data": want}},
		kit.Step{Name: "list", Call: "GET /" + slug + "?filter[data.place.city]=Ulm",
			Want: kit.Obj{"meta.total": 1, "data.0.data": want}},
		kit.Step{Name: "search", Call: "GET /" + slug + "?q=" + word, Want: kit.Obj{"meta.total": 1}},
		kit.Step{Name: "draft", Call: "GET /" + slug + "/" + id + "/draft",
			Want: kit.Obj{"data.data.place": kit.Obj{"city": "Bonn"}}},
		kit.Step{Name: "a save", Call: "PUT /" + slug + "/" + id, Body: kit.Obj{"title": "Saved"},
			Want: kit.Obj{"data.data": want}},
	)
	c.Run(t,
		kit.Step{Name: "usage", Call: "GET /media/" + file + "/usage", Want: kit.Obj{"data.0.path": "data.place.plan"}},
		kit.Step{Name: "from the trash", Call: "POST /trash/" + trashed + "/restore", Want: kit.Obj{"data.data": want}},
		kit.Step{Name: "an old revision", Call: "POST /models/" + slug + "/entries/" + id + "/revisions/1/restore",
			Want: kit.Obj{"data.data": want}},
	)
}
