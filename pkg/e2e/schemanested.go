package e2e

import "testing"

// nestedRenames renames and removes fields in groups, lists and blocks (extensions §10).
func nestedRenames(t *testing.T, s *suite) {
	c, key := s.admin(t), s.adminKey(t)
	group := func(name string, fields ...any) obj { return field(name, "group", obj{"fields": list(fields)}) }
	text := func(name string) obj { return field(name, "text", nil) }
	file := key.upload(t, "a.txt", []byte("text"), nil).str(t, "data.id")
	slug := s.model(t, obj{"fields": list{
		group("address", text("town"), text("zip"), field("map", "media", nil)),
		field("steps", "list", obj{"fields": list{field("name", "text", obj{"searchable": true})}}),
		field("parts", "blocks",
			obj{"fields": list{group("hero", text("title")), group("video", text("url"))}}),
	}})
	word := word()
	data := obj{"address": obj{"town": "Ulm", "zip": "89073", "map": file}, "steps": list{obj{"name": word}},
		"parts": list{obj{"type": "video", "url": "x"}, obj{"type": "hero", "title": "T"}}}
	want := obj{"place": obj{"city": "Ulm", "plan": file}, "steps": list{obj{"label": word}},
		"parts": list{obj{"type": "banner", "head": "T"}}}
	id := key.publish(t, slug, "One", data)
	key.ok(t, 200, "PUT /"+slug+"/"+id+"/draft", obj{"data": obj{"address": obj{"town": "Bonn"}}})
	trashed := key.publish(t, slug, "Two", data)
	key.ok(t, 204, "DELETE /"+slug+"/"+trashed, nil)
	fields := list{
		group("place", text("city"), field("plan", "media", nil)),
		field("steps", "list", obj{"fields": list{field("label", "text", obj{"searchable": true})}}),
		field("parts", "blocks", obj{"fields": list{group("banner", text("head"))}}),
	}
	rename := func(from, to string) obj { return obj{"model": slug, "from": from, "to": to} }
	renames := list{rename("address", "place"), rename("address.town", "place.city"),
		rename("address.map", "place.plan"), rename("steps.name", "steps.label"),
		rename("parts.hero", "parts.banner"), rename("parts.hero.title", "parts.banner.head")}
	model := obj{"slug": slug, "name": "M", "fields": fields}
	for name, row := range map[string]struct {
		rename  obj
		details []string
	}{
		"unknown from": {rename("address.street", "address.city"),
			[]string{"renames.0.from", "renames.0.to"}},
		"unknown to":    {rename("address.town", "place.street"), []string{"renames.0.to"}},
		"another group": {rename("address.town", "steps.label"), []string{"renames.0.to"}},
		"from stays":    {rename("steps", "place"), []string{"renames.0.from"}},
		"below no fields": {rename("address.town.x", "place.city.x"),
			[]string{"renames.0.from", "renames.0.to"}},
	} {
		c.step(t, step{name: name, call: "POST /schema/plan", body: obj{"schema": obj{
			"models": list{model}, "renames": list{row.rename}}}, status: 422,
			code: "VALIDATION_FAILED", details: row.details})
	}
	schema := obj{"models": list{model}, "renames": renames}
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
	key.run(t,
		step{name: "by id", call: "GET /" + slug + "/" + id, status: 200, want: obj{"data.data": want}},
		step{name: "list", call: "GET /" + slug + "?filter[data.place.city]=Ulm", status: 200,
			want: obj{"meta.total": 1, "data.0.data": want}},
		step{name: "search", call: "GET /" + slug + "?q=" + word, status: 200, want: obj{"meta.total": 1}},
		step{name: "draft", call: "GET /" + slug + "/" + id + "/draft", status: 200,
			want: obj{"data.data.place": obj{"city": "Bonn"}}},
		step{name: "a save", call: "PUT /" + slug + "/" + id, body: obj{"title": "Saved"}, status: 200,
			want: obj{"data.data": want}},
	)
	c.run(t,
		step{name: "usage", call: "GET /media/" + file + "/usage", status: 200,
			want: obj{"data.0.path": "data.place.plan"}},
		step{name: "from the trash", call: "POST /trash/" + trashed + "/restore", status: 200,
			want: obj{"data.data": want}},
		step{name: "an old revision", call: "POST /models/" + slug + "/entries/" + id +
			"/revisions/1/restore", status: 200, want: obj{"data.data": want}},
	)
}
