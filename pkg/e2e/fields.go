package e2e

import (
	"strings"
	"testing"
)

var fieldScenarios = []scenario{
	{name: "fields/types", run: fieldTypes},
	{name: "fields/nested", run: nestedFields},
	{name: "fields/relations", run: relationFields},
	{name: "fields/unique", run: uniqueFields},
	{name: "fields/definitions", run: badDefinitions},
	{name: "fields/changes", run: changedModels},
}

func fieldTypes(t *testing.T, s *suite) {
	k := s.key(t, nil)
	for _, row := range []struct {
		name      string
		field     obj
		good, bad list
	}{
		{"text", field("f", "text", obj{"min": 2, "max": 4}), list{"ab", "äöüß", nil},
			list{"a", "abcde", 1, true, list{"ab"}, obj{}}},
		{"pattern", field("f", "text", obj{"pattern": "^[A-Z]{2}[0-9]+$"}), list{"AB1"},
			list{"ab1", "AB", "xAB1"}},
		{"textarea", field("f", "textarea", nil), list{"a\nb", ""}, list{1}},
		{"richtext", field("f", "richtext", nil), list{"# Title\n\n**bold**"}, list{obj{"a": 1}}},
		{"number", field("f", "number", obj{"min": -1, "max": 10.5}), list{-1, 0, 10.5, 3.25},
			list{-2, 11, "3", true}},
		{"boolean", field("f", "boolean", nil), list{true, false}, list{"true", 1}},
		{"date", field("f", "date", nil), list{"2024-02-29"},
			list{"2023-02-29", "2024-13-01", "29.02.2024", "2024-02-29T00:00:00Z", 20240229}},
		{"datetime", field("f", "datetime", nil),
			list{"2024-02-29T12:30:00Z", "2024-02-29T12:30:00.5+02:00"},
			list{"2024-02-30T12:30:00Z", "2024-02-29 12:30", "yesterday", 1}},
		{"email", field("f", "email", nil), list{"ada@example.com"},
			list{"ada", "ada@", "@example.com", "a b@example.com", "Ada <ada@example.com>"}},
		{"url", field("f", "url", nil), list{"https://example.com/a?b=c#d"},
			list{"example.com", "javascript:alert(1)", "http://", "x"}},
		{"select", field("f", "select", obj{"options": list{"a", "b"}}), list{"a"},
			list{"c", "A", list{"a"}, 1}},
		{"multiselect", field("f", "multiselect", obj{"options": list{"a", "b"}}),
			list{list{"a"}, list{"b", "a"}, list{}}, list{"a", list{"c"}, list{1}}},
		{"json", field("f", "json", nil), list{obj{"a": list{1, nil, obj{"b": "c"}}}, list{1}, "x",
			1.5, true}, nil},
		{"required text", field("f", "text", obj{"required": true}), list{"x"}, list{"", nil}},
		{"required boolean", field("f", "boolean", obj{"required": true}), list{false, true}, list{nil}},
		{"required number", field("f", "number", obj{"required": true}), list{0}, list{nil}},
	} {
		t.Run(row.name, func(t *testing.T) {
			model := s.model(t, obj{"fields": list{row.field}})
			for _, v := range row.good {
				a := k.step(t,
					step{call: "POST /" + model, body: obj{"title": "x", "data": obj{"f": v}}, status: 201})
				if err := compare(a.get("data.data.f"), v); err != nil {
					t.Errorf("%v: %v", v, err)
				}
			}
			for _, v := range row.bad {
				a := k.step(t,
					step{call: "POST /" + model, body: obj{"title": "x", "data": obj{"f": v}},
						status: 422, code: "VALIDATION_FAILED"})
				for path := range a.get("error.details").(obj) { // of a list, the item may be named
					if path != "data.f" && path != "data.f.0" {
						t.Errorf("%v: details on %s", v, path)
					}
				}
			}
		})
	}
	t.Run("large numbers", func(t *testing.T) {
		model := s.model(t, obj{"fields": list{field("f", "json", nil)}})
		a := k.ok(t, 201, "POST /"+model,
			text("application/json", `{"title":"x","data":{"f":12345678901234567890.10}}`))
		if !strings.Contains(string(a.Raw), "12345678901234567890.1") {
			t.Errorf("the number was changed: %s", a.Raw)
		}
	})
}

func nestedFields(t *testing.T, s *suite) {
	link := list{field("label", "text", obj{"required": true}), field("href", "url", nil)}
	model := s.model(t, obj{"fields": list{
		field("author", "group",
			obj{"fields": list{field("name", "text", obj{"required": true}), field("age", "number", nil)}}),
		field("links", "list", obj{"fields": link, "max": 2}),
		field("blocks", "blocks", obj{"fields": list{
			field("hero", "group", obj{"fields": list{field("heading", "text", obj{"required": true})}}),
			field("columns", "group", obj{"fields": list{field("items", "list", obj{"fields": link})}}),
		}}),
	}})
	k := s.key(t, nil)
	post := "POST /" + model
	whole := obj{
		"author": obj{"name": "Ada", "age": 36},
		"links":  list{obj{"label": "a", "href": "https://example.com"}, obj{"label": "b"}},
		"blocks": list{obj{"type": "hero", "heading": "H"},
			obj{"type": "columns", "items": list{obj{"label": "x"}}}},
	}
	a := k.create(t, model, obj{"title": "x", "data": whole})
	for path, want := range map[string]any{"author.name": "Ada", "links.1.label": "b",
		"blocks.0.type": "hero", "blocks.0.heading": "H", "blocks.1.items.0.label": "x"} {
		if err := compare(a.get("data.data."+path), want); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, row := range []struct {
		name    string
		data    obj
		details []string
	}{
		{"in a group", obj{"author": obj{"age": "x"}}, []string{"data.author.name", "data.author.age"}},
		{"not a group", obj{"author": "Ada"}, []string{"data.author"}},
		{"unknown in a group", obj{"author": obj{"name": "a", "x": 1}}, []string{"data.author.x"}},
		{"in a list", obj{"links": list{obj{"label": "a"}, obj{"href": "no"}}},
			[]string{"data.links.1.label", "data.links.1.href"}},
		{"too many", obj{"links": list{obj{"label": "a"}, obj{"label": "b"}, obj{"label": "c"}}},
			[]string{"data.links"}},
		{"not a list", obj{"links": obj{}}, []string{"data.links"}},
		{"in a block", obj{"blocks": list{obj{"type": "hero"}}}, []string{"data.blocks.0.heading"}},
		{"in a list of a block",
			obj{"blocks": list{obj{"type": "hero", "heading": "x"},
				obj{"type": "columns", "items": list{obj{}}}}}, []string{"data.blocks.1.items.0.label"}},
		{"unknown block", obj{"blocks": list{obj{"type": "none"}}}, []string{"data.blocks.0.type"}},
		{"no type", obj{"blocks": list{obj{"heading": "x"}}}, []string{"data.blocks.0.type"}},
	} {
		k.run(t, step{name: row.name, call: post, body: obj{"title": "x", "data": row.data},
			status: 422, code: "VALIDATION_FAILED", details: row.details})
	}
}

func relationFields(t *testing.T, s *suite) {
	authors, other := s.model(t, nil), s.model(t, nil)
	model := s.model(t, obj{"fields": list{
		field("author", "relation", obj{"model": authors}),
		field("friends", "relation", obj{"model": authors, "many": true}), field("cover", "media", nil),
	}})
	k := s.key(t, nil)
	ada, draft, stranger := k.publish(t, authors, "Ada", nil),
		k.create(t, authors, obj{"title": "Draft"}).str(t, "data.id"), k.publish(t, other, "x", nil)
	const none = "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"
	try := func(name string, data obj, details ...string) step {
		st := step{name: name, call: "POST /" + model, body: obj{"title": "x", "data": data}, status: 201}
		if details != nil {
			st.status, st.code, st.details = 422, "VALIDATION_FAILED", details
		}
		return st
	}
	k.run(t,
		try("one", obj{"author": ada}), try("a draft", obj{"author": draft}),
		try("many", obj{"friends": list{ada, draft}}), try("none", obj{"author": nil, "friends": list{}}),
		try("unknown", obj{"author": none}, "data.author"),
		try("of another model", obj{"author": stranger}, "data.author"),
		try("not an id", obj{"author": "ada"}, "data.author"),
		try("a list for one", obj{"author": list{ada}}, "data.author"),
		try("one for a list", obj{"friends": ada}, "data.friends"),
		try("media unknown", obj{"cover": none}, "data.cover"),
	)
	t.Run("one of many unknown", func(t *testing.T) {
		a := k.step(t,
			step{call: "POST /" + model,
				body: obj{"title": "x", "data": obj{"friends": list{ada, none}}}, status: 422,
				code: "VALIDATION_FAILED"})
		if details, _ := a.get("error.details").(obj); details["data.friends"] == nil &&
			details["data.friends.1"] == nil {
			t.Errorf("details %v", details)
		}
	})
}

func uniqueFields(t *testing.T, s *suite) {
	model := s.model(t, obj{"fields": list{field("sku", "text", obj{"unique": true})}})
	k := s.key(t, nil)
	first := k.create(t, model, obj{"title": "a", "data": obj{"sku": "S-1"}}).str(t, "data.id")
	second := k.create(t, model, obj{"title": "b", "data": obj{"sku": "S-2"}}).str(t, "data.id")
	k.run(t,
		step{name: "taken, by a draft", call: "POST /" + model,
			body: obj{"title": "c", "data": obj{"sku": "S-1"}}, status: 409, code: "CONFLICT"},
		step{name: "taken, on update", call: "PUT /" + model + "/" + second,
			body: obj{"data": obj{"sku": "S-1"}}, status: 409, code: "CONFLICT"},
		step{name: "its own", call: "PUT /" + model + "/" + first,
			body: obj{"data": obj{"sku": "S-1"}}, status: 200},
		step{name: "none twice", call: "POST /" + model, body: obj{"title": "d"}, status: 201},
		step{name: "none thrice", call: "POST /" + model,
			body: obj{"title": "e", "data": obj{"sku": nil}}, status: 201},
		step{name: "moved", call: "PUT /" + model + "/" + first,
			body: obj{"data": obj{"sku": "S-3"}}, status: 200},
		step{name: "free again", call: "PUT /" + model + "/" + second,
			body: obj{"data": obj{"sku": "S-1"}}, status: 200},
		step{name: "delete", call: "DELETE /" + model + "/" + second, status: 204},
		step{name: "the trash does not count", call: "POST /" + model,
			body: obj{"title": "f", "data": obj{"sku": "S-1"}}, status: 201},
	)
}

func badDefinitions(t *testing.T, s *suite) {
	admin := s.admin(t)
	with := func(fields ...any) obj {
		return obj{"slug": unique("d"), "name": "x", "kind": "collection", "fields": fields}
	}
	for name, body := range map[string]obj{
		"no slug":  {"name": "x", "kind": "collection"},
		"bad slug": {"slug": "A_b", "name": "x", "kind": "collection"},
		"no name":  {"slug": unique("d"), "kind": "collection"},
		"name too long": {"slug": unique("d"), "name": strings.Repeat("x", 256),
			"kind": "collection"}, "bad kind": {"slug": unique("d"), "name": "x", "kind": "plural"},
		"unknown type":  with(field("a", "picture", nil)),
		"no field name": with(field("", "text", nil)), "bad field name": with(field("a b.c", "text", nil)),
		"twice":                  with(field("a", "text", nil), field("a", "number", nil)),
		"bad pattern":            with(field("a", "text", obj{"pattern": "("})),
		"no options":             with(field("a", "select", nil)),
		"relation to nothing":    with(field("a", "relation", obj{"model": unique("none")})),
		"min over max":           with(field("a", "number", obj{"min": 2, "max": 1})),
		"bad default":            with(field("a", "number", obj{"default": "x"})),
		"group without fields":   with(field("a", "group", nil)),
		"block that is no group": with(field("a", "blocks", obj{"fields": list{field("b", "text", nil)}})),
		"bad default sort": {"slug": unique("d"), "name": "x", "kind": "collection",
			"default_sort": "nothing"},
		"unknown visible field": {"slug": unique("d"), "name": "x", "kind": "collection",
			"visible_fields": list{"nothing"}},
		"per page": {"slug": unique("d"), "name": "x", "kind": "collection",
			"max_per_page": 0},
		"an upside-down is_active": {"slug": unique("d"), "name": "x", "kind": "collection",
			"is_active": "no"},
	} {
		admin.run(t, step{name: name, call: "POST /models", body: body, status: 422,
			code: "VALIDATION_FAILED"})
	}
	for _, slug := range []string{"upload", "search", "i18n", "forms", "settings", "ping",
		"openapi", "admin", "assets", "preview"} {
		admin.run(t, step{name: "reserved " + slug, call: "POST /models",
			body: obj{"slug": slug, "name": "x", "kind": "collection"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"slug"}})
	}
	admin.run(t, step{name: "taken", call: "POST /models",
		body: obj{"slug": s.model(t, nil), "name": "x", "kind": "collection"}, status: 409, code: "CONFLICT"})
}

func changedModels(t *testing.T, s *suite) {
	admin, k := s.admin(t), s.key(t, nil)
	model := s.model(t, obj{"fields": list{field("a", "text", nil), field("b", "text", nil)}})
	id := k.publish(t, model, "Old", obj{"a": "1", "b": "2"})
	admin.ok(t, 200, "PUT /models/"+model,
		obj{"fields": list{field("a", "text", nil), field("c", "number", obj{"required": true})}})
	k.run(t,
		step{name: "still readable", call: "GET /" + model + "/" + id, status: 200,
			want: obj{"data.title": "Old", "data.data.a": "1"}},
		step{name: "still listed", call: "GET /" + model + "?filter%5Bdata.a%5D=1", status: 200,
			want: obj{"meta.total": 1}},
		step{name: "the next save is validated", call: "PUT /" + model + "/" + id,
			body: obj{"title": "New"}, status: 422, code: "VALIDATION_FAILED", details: []string{"data.c"}},
		step{name: "by the new definition", call: "PUT /" + model + "/" + id,
			body: obj{"data": obj{"c": 3}}, status: 200, want: obj{"data.data.c": 3}},
		step{name: "the new field is found", call: "GET /" + model + "?filter%5Bdata.c%5D=3",
			status: 200, want: obj{"meta.total": 1}},
		step{name: "the old field is unknown", call: "GET /" + model + "?filter%5Bdata.b%5D=2",
			status: 400, code: "BAD_REQUEST"},
	)
	admin.ok(t, 200, "PUT /models/"+model, obj{"is_active": false})
	k.run(t,
		step{name: "inactive", call: "GET /" + model, status: 404, code: "MODEL_NOT_FOUND"},
		step{name: "inactive, entry", call: "GET /" + model + "/" + id, status: 404, code: "MODEL_NOT_FOUND"},
	)
	admin.ok(t, 200, "PUT /models/"+model, obj{"is_active": true})
	k.ok(t, 200, "GET /"+model+"/"+id, nil)
	admin.run(t, step{name: "delete with entries", call: "DELETE /models/" + model, status: 409,
		code: "CONFLICT"})
	empty := s.model(t, nil)
	admin.run(t, step{name: "delete without", call: "DELETE /models/" + empty, status: 204})
	k.run(t, step{name: "gone", call: "GET /" + empty, status: 404, code: "MODEL_NOT_FOUND"})
}
