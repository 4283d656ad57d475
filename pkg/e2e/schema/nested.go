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

// renamesInTexts renames and removes blocks in texts and their fields (extensions §10, §12).
func renamesInTexts(t *testing.T, s *kit.Suite) {
	c, key := s.Admin(t), s.AdminKey(t)
	target, other, slug := s.Model(t, nil), s.Model(t, nil), kit.Unique("model")
	related := key.Publish(t, target, "Target", nil)
	field := func(name, kind string, fields ...any) kit.Obj {
		return kit.Field(name, kind, kit.Obj{"fields": kit.List(fields)})
	}
	model := func(kinds ...any) kit.Obj {
		body := kit.Merge(field("body", "richtext", kinds...), kit.Obj{"searchable": true})
		return kit.Obj{"slug": slug, "name": "M", "fields": kit.List{field("rows", "list", body)}}
	}
	link := kit.Field("link", "relation", kit.Obj{"models": kit.List{target, other}})
	c.Post(t, "/models", model(field("video", "group", kit.Field("url", "text", nil)),
		field("figure", "group", kit.Field("caption", "text", nil), kit.Field("size", "text", nil), link)))
	word, renamed := kit.Word(), kit.Unique("renamed")
	// value has a text with a block, between the same words and the same code.
	value := func(blocks string) kit.Obj {
		return kit.Obj{"rows": kit.List{kit.Obj{"body": "A caption of a figure.\n\n" + blocks +
			"\n~~~\ncaption: code\n~~~\n"}}}
	}
	was := value("```block figure\ncaption: " + word + "\nsize: large\n" +
		"link: {model: " + target + ", id: " + related + "}\n```\n```block video\nurl: x\n```\n")
	now := value("```block picture\nlegend: " + word + "\n" +
		`link: {"id":"` + related + `","model":"` + renamed + "\"}\n```\n")
	id, trashed := key.Publish(t, slug, "One", was), key.Publish(t, slug, "Two", was)
	key.Delete(t, "/"+slug+"/"+trashed)
	rename := func(from, to string) kit.Obj { return kit.Obj{"model": slug, "from": from, "to": to} }
	applied(t, c, kit.Obj{"models": kit.List{model(field("picture", "group",
		kit.Field("legend", "text", nil), kit.Field("size", "number", nil), link))},
		"renames": kit.List{rename("rows.body.figure", "rows.body.picture"),
			rename("rows.body.figure.caption", "rows.body.picture.legend")}}, "loses_data")
	c.Put(t, "/models/"+target, kit.Obj{"slug": renamed})
	key.Run(t,
		kit.Step{Name: "by id", Call: "GET /" + slug + "/" + id, Want: kit.Obj{"data.data": now}},
		kit.Step{Name: "list", Call: "GET /" + slug, Want: kit.Obj{"data.0.data": now}},
		kit.Step{Name: "parts", Call: "GET /" + slug + "/" + id + "?richtext=parts",
			Want: kit.Obj{"data.data.rows.0.body.1.legend": word}},
		kit.Step{Name: "a save", Call: "PUT /" + slug + "/" + id, Body: kit.Obj{"data": now},
			Want: kit.Obj{"data.data": now}},
	)
	c.Run(t,
		kit.Step{Name: "from the trash", Call: "POST /trash/" + trashed + "/restore", Want: kit.Obj{"data.data": now}},
		kit.Step{Name: "an old revision", Call: "POST /models/" + slug + "/entries/" + id + "/revisions/1/restore",
			Want: kit.Obj{"data.data": now}},
	)
	key.Step(t, kit.Step{Name: "search", Call: "GET /" + slug + "?q=" + word, Want: kit.Obj{"meta.total": 2}})
}
