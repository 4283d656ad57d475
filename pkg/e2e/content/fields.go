package content

import (
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Fields has the scenarios of the types of fields, and changes of models.
var Fields = []kit.Scenario{
	{Name: "fields/types", Run: fieldTypes},
	{Name: "fields/nested", Run: nestedFields},
	{Name: "fields/relations", Run: relationFields},
	{Name: "fields/unique", Run: uniqueFields},
	{Name: "fields/definitions", Run: badDefinitions},
	{Name: "fields/changes", Run: changedModels},
	{Name: "fields/nulls", Run: nullsInRows},
	{Name: "fields/too many objects", Run: tooManyObjects},
	{Name: "fields/nulls of before", Run: nullsOfBefore},
}

func fieldTypes(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	for _, row := range []struct {
		name      string
		field     kit.Obj
		good, bad kit.List
	}{
		{"text", kit.Field("f", "text", kit.Obj{"min": 2, "max": 4}), kit.List{"ab", "äöüß", nil},
			kit.List{"a", "abcde", 1, true, kit.List{"ab"}, kit.Obj{}}},
		{"pattern", kit.Field("f", "text", kit.Obj{"pattern": "^[A-Z]{2}[0-9]+$"}), kit.List{"AB1"},
			kit.List{"ab1", "AB", "xAB1"}},
		{"textarea", kit.Field("f", "textarea", nil), kit.List{"a\nb", ""}, kit.List{1}},
		{"richtext", kit.Field("f", "richtext", nil), kit.List{"# Title\n\n**bold**"}, kit.List{kit.Obj{"a": 1}}},
		{"number", kit.Field("f", "number", kit.Obj{"min": -1, "max": 10.5}), kit.List{-1, 0, 10.5, 3.25},
			kit.List{-2, 11, "3", true}},
		{"boolean", kit.Field("f", "boolean", nil), kit.List{true, false}, kit.List{"true", 1}},
		{"date", kit.Field("f", "date", nil), kit.List{"2024-02-29"},
			kit.List{"2023-02-29", "2024-13-01", "29.02.2024", "2024-02-29T00:00:00Z", 20240229}},
		{"datetime", kit.Field("f", "datetime", nil),
			kit.List{"2024-02-29T12:30:00Z", "2024-02-29T12:30:00.5+02:00"},
			kit.List{"2024-02-30T12:30:00Z", "2024-02-29 12:30", "yesterday", 1}},
		{"email", kit.Field("f", "email", nil), kit.List{"ada@example.com"},
			kit.List{"ada", "ada@", "@example.com", "a b@example.com", "Ada <ada@example.com>"}},
		{"url", kit.Field("f", "url", nil), kit.List{"https://example.com/a?b=c#d"},
			kit.List{"example.com", "javascript:alert(1)", "http://", "x"}},
		{"select", kit.Field("f", "select", kit.Obj{"options": kit.List{"a", "b"}}), kit.List{"a"},
			kit.List{"c", "A", kit.List{"a"}, 1}},
		{"multiselect", kit.Field("f", "multiselect", kit.Obj{"options": kit.List{"a", "b"}}),
			kit.List{kit.List{"a"}, kit.List{"b", "a"}, kit.List{}}, kit.List{"a", kit.List{"c"}, kit.List{1}}},
		{"json", kit.Field("f", "json", nil),
			kit.List{kit.Obj{"a": kit.List{1, nil, kit.Obj{"b": "c"}}}, kit.List{1}, "x", 1.5, true}, nil},
		{"required text", kit.Field("f", "text", kit.Obj{"required": true}), kit.List{"x"}, kit.List{"", nil}},
		{"required boolean", kit.Field("f", "boolean", kit.Obj{"required": true}), kit.List{false, true}, kit.List{nil}},
		{"required number", kit.Field("f", "number", kit.Obj{"required": true}), kit.List{0}, kit.List{nil}},
	} {
		t.Run(row.name, func(t *testing.T) {
			model := s.Model(t, kit.Obj{"fields": kit.List{row.field}})
			for _, v := range row.good {
				a := k.Step(t,
					kit.Step{Call: "POST /" + model, Body: kit.Obj{"title": "x", "data": kit.Obj{"f": v}}, Status: 201})
				a.Has(t, kit.Str(v), kit.Obj{"data.data.f": v})
			}
			for _, v := range row.bad {
				a := k.Step(t, kit.Step{Call: "POST /" + model, Body: kit.Obj{"title": "x", "data": kit.Obj{"f": v}},
					Code: "VALIDATION_FAILED"})
				for path := range a.Get("error.details").(kit.Obj) { // of a list, the item may be named
					if path != "data.f" && path != "data.f.0" {
						t.Errorf("%v: details on %s", v, path)
					}
				}
			}
		})
	}
	t.Run("large numbers", func(t *testing.T) {
		model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("f", "json", nil)}})
		a := k.Post(t, "/"+model,
			kit.Text("application/json", `{"title":"x","data":{"f":12345678901234567890.10}}`))
		a.Contains(t, "the same number", "12345678901234567890.1")
	})
}

func nestedFields(t *testing.T, s *kit.Suite) {
	link := kit.List{kit.Field("label", "text", kit.Obj{"required": true}), kit.Field("href", "url", nil)}
	model := s.Model(t, kit.Obj{"fields": kit.List{
		kit.Field("author", "group",
			kit.Obj{"fields": kit.List{kit.Field("name", "text", kit.Obj{"required": true}),
				kit.Field("age", "number", nil)}}),
		kit.Field("links", "list", kit.Obj{"fields": link, "max": 2}),
		kit.Field("blocks", "blocks", kit.Obj{"fields": kit.List{
			kit.Field("hero", "group", kit.Obj{"fields": kit.List{kit.Field("heading", "text", kit.Obj{"required": true})}}),
			kit.Field("columns", "group", kit.Obj{"fields": kit.List{kit.Field("items", "list", kit.Obj{"fields": link})}}),
		}}),
	}})
	k := s.Key(t, nil)
	post := "POST /" + model
	whole := kit.Obj{
		"author": kit.Obj{"name": "Ada", "age": 36},
		"links":  kit.List{kit.Obj{"label": "a", "href": "https://example.com"}, kit.Obj{"label": "b"}},
		"blocks": kit.List{kit.Obj{"type": "hero", "heading": "H"},
			kit.Obj{"type": "columns", "items": kit.List{kit.Obj{"label": "x"}}}},
	}
	a := k.Create(t, model, kit.Obj{"title": "x", "data": whole})
	a.Has(t, "nested values", kit.Obj{"data.data.author.name": "Ada", "data.data.links.1.label": "b",
		"data.data.blocks.0.type": "hero", "data.data.blocks.0.heading": "H",
		"data.data.blocks.1.items.0.label": "x"})
	for _, row := range []struct {
		name    string
		data    kit.Obj
		invalid string
	}{
		{"in a group", kit.Obj{"author": kit.Obj{"age": "x"}}, "data.author.name data.author.age"},
		{"not a group", kit.Obj{"author": "Ada"}, "data.author"},
		{"unknown in a group", kit.Obj{"author": kit.Obj{"name": "a", "x": 1}}, "data.author.x"},
		{"in a list", kit.Obj{"links": kit.List{kit.Obj{"label": "a"}, kit.Obj{"href": "no"}}},
			"data.links.1.label data.links.1.href"},
		{"too many", kit.Obj{"links": kit.List{kit.Obj{"label": "a"}, kit.Obj{"label": "b"}, kit.Obj{"label": "c"}}},
			"data.links"},
		{"not a list", kit.Obj{"links": kit.Obj{}}, "data.links"},
		{"in a block", kit.Obj{"blocks": kit.List{kit.Obj{"type": "hero"}}}, "data.blocks.0.heading"},
		{"in a list of a block", kit.Obj{"blocks": kit.List{kit.Obj{"type": "hero", "heading": "x"},
			kit.Obj{"type": "columns", "items": kit.List{kit.Obj{}}}}}, "data.blocks.1.items.0.label"},
		{"unknown block", kit.Obj{"blocks": kit.List{kit.Obj{"type": "none"}}}, "data.blocks.0.type"},
		{"no type", kit.Obj{"blocks": kit.List{kit.Obj{"heading": "x"}}}, "data.blocks.0.type"},
	} {
		k.Run(t, kit.Step{Name: row.name, Call: post, Body: kit.Obj{"title": "x", "data": row.data},
			Invalid: row.invalid})
	}
}

func relationFields(t *testing.T, s *kit.Suite) {
	authors, other := s.Model(t, nil), s.Model(t, nil)
	model := s.Model(t, kit.Obj{"fields": kit.List{
		kit.Field("author", "relation", kit.Obj{"model": authors}),
		kit.Field("friends", "relation", kit.Obj{"model": authors, "many": true}), kit.Field("cover", "media", nil),
	}})
	k := s.Key(t, nil)
	ada, draft, stranger := k.Publish(t, authors, "Ada", nil),
		k.Create(t, authors, kit.Obj{"title": "Draft"}).Str(t, "data.id"), k.Publish(t, other, "x", nil)
	const none = kit.UnknownID
	try := func(name string, data kit.Obj) kit.Step {
		return kit.Step{Name: name, Call: "POST /" + model, Body: kit.Obj{"title": "x", "data": data}, Status: 201}
	}
	refused := func(name string, data kit.Obj, invalid string) kit.Step {
		return kit.Step{Name: name, Call: "POST /" + model, Body: kit.Obj{"title": "x", "data": data}, Invalid: invalid}
	}
	k.Run(t,
		try("one", kit.Obj{"author": ada}), try("a draft", kit.Obj{"author": draft}),
		try("many", kit.Obj{"friends": kit.List{ada, draft}}),
		try("none", kit.Obj{"author": nil, "friends": kit.List{}}),
		refused("unknown", kit.Obj{"author": none}, "data.author"),
		refused("of another model", kit.Obj{"author": stranger}, "data.author"),
		refused("not an id", kit.Obj{"author": "ada"}, "data.author"),
		refused("a list for one", kit.Obj{"author": kit.List{ada}}, "data.author"),
		refused("one for a list", kit.Obj{"friends": ada}, "data.friends"),
		refused("media unknown", kit.Obj{"cover": none}, "data.cover"),
	)
	t.Run("one of many unknown", func(t *testing.T) {
		a := k.Step(t, kit.Step{Call: "POST /" + model,
			Body: kit.Obj{"title": "x", "data": kit.Obj{"friends": kit.List{ada, none}}}, Code: "VALIDATION_FAILED"})
		if details, _ := a.Get("error.details").(kit.Obj); details["data.friends"] == nil &&
			details["data.friends.1"] == nil {
			t.Errorf("details %v", details)
		}
	})
}

func uniqueFields(t *testing.T, s *kit.Suite) {
	fields := kit.List{kit.Field("sku", "text", kit.Obj{"unique": true})}
	model := s.Model(t, kit.Obj{"fields": fields})
	k := s.Key(t, nil)
	s.UseLocale(t, "de", "Deutsch")
	localized := s.Model(t, kit.Obj{"localized": true, "fields": fields})
	for _, locale := range []string{"de", s.DefaultLocale(t)} {
		k.Create(t, localized, kit.Obj{"title": "a", "locale": locale, "data": kit.Obj{"sku": "S-1"}})
	}
	first := k.Create(t, model, kit.Obj{"title": "a", "data": kit.Obj{"sku": "S-1"}}).Str(t, "data.id")
	second := k.Create(t, model, kit.Obj{"title": "b", "data": kit.Obj{"sku": "S-2"}}).Str(t, "data.id")
	k.Run(t,
		kit.Step{Name: "taken, by a draft", Call: "POST /" + model,
			Body: kit.Obj{"title": "c", "data": kit.Obj{"sku": "S-1"}}, Code: "CONFLICT"},
		kit.Step{Name: "taken, on update", Call: "PUT /" + model + "/" + second,
			Body: kit.Obj{"data": kit.Obj{"sku": "S-1"}}, Code: "CONFLICT"},
		kit.Step{Name: "its own", Call: "PUT /" + model + "/" + first, Body: kit.Obj{"data": kit.Obj{"sku": "S-1"}}},
		kit.Step{Name: "none twice", Call: "POST /" + model, Body: kit.Obj{"title": "d"}, Status: 201},
		kit.Step{Name: "none thrice", Call: "POST /" + model, Body: kit.Obj{"title": "e", "data": kit.Obj{"sku": nil}},
			Status: 201},
		kit.Step{Name: "moved", Call: "PUT /" + model + "/" + first, Body: kit.Obj{"data": kit.Obj{"sku": "S-3"}}},
		kit.Step{Name: "free again", Call: "PUT /" + model + "/" + second, Body: kit.Obj{"data": kit.Obj{"sku": "S-1"}}},
		kit.Step{Name: "delete", Call: "DELETE /" + model + "/" + second, Status: 204},
		kit.Step{Name: "the trash does not count", Call: "POST /" + model,
			Body: kit.Obj{"title": "f", "data": kit.Obj{"sku": "S-1"}}, Status: 201},
	)
}

func badDefinitions(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	with := func(fields ...any) kit.Obj {
		return kit.Obj{"slug": kit.Unique("d"), "name": "x", "kind": "collection", "fields": fields}
	}
	for name, body := range map[string]kit.Obj{
		"no slug":  {"name": "x", "kind": "collection"},
		"bad slug": {"slug": "A_b", "name": "x", "kind": "collection"},
		"no name":  {"slug": kit.Unique("d"), "kind": "collection"},
		"name too long": {"slug": kit.Unique("d"), "name": strings.Repeat("x", 256),
			"kind": "collection"}, "bad kind": {"slug": kit.Unique("d"), "name": "x", "kind": "plural"},
		"unknown type":  with(kit.Field("a", "picture", nil)),
		"no field name": with(kit.Field("", "text", nil)), "bad field name": with(kit.Field("a b.c", "text", nil)),
		"twice":                  with(kit.Field("a", "text", nil), kit.Field("a", "number", nil)),
		"bad pattern":            with(kit.Field("a", "text", kit.Obj{"pattern": "("})),
		"no options":             with(kit.Field("a", "select", nil)),
		"relation to nothing":    with(kit.Field("a", "relation", kit.Obj{"model": kit.Unique("none")})),
		"min over max":           with(kit.Field("a", "number", kit.Obj{"min": 2, "max": 1})),
		"bad default":            with(kit.Field("a", "number", kit.Obj{"default": "x"})),
		"group without fields":   with(kit.Field("a", "group", nil)),
		"block that is no group": with(kit.Field("a", "blocks", kit.Obj{"fields": kit.List{kit.Field("b", "text", nil)}})),
		"bad default sort": {"slug": kit.Unique("d"), "name": "x", "kind": "collection",
			"default_sort": "nothing"},
		"unknown visible field": {"slug": kit.Unique("d"), "name": "x", "kind": "collection",
			"visible_fields": kit.List{"nothing"}},
		"per page": {"slug": kit.Unique("d"), "name": "x", "kind": "collection",
			"max_per_page": 0},
		"an upside-down is_active": {"slug": kit.Unique("d"), "name": "x", "kind": "collection",
			"is_active": "no"},
	} {
		admin.Run(t, kit.Step{Name: name, Call: "POST /models", Body: body, Code: "VALIDATION_FAILED"})
	}
	for _, slug := range []string{"upload", "search", "i18n", "forms", "settings", "ping",
		"openapi", "admin", "assets", "preview"} {
		admin.Run(t, kit.Step{Name: "reserved " + slug, Call: "POST /models",
			Body: kit.Obj{"slug": slug, "name": "x", "kind": "collection"}, Invalid: "slug"})
	}
	admin.Run(t, kit.Step{Name: "taken", Call: "POST /models",
		Body: kit.Obj{"slug": s.Model(t, nil), "name": "x", "kind": "collection"}, Code: "CONFLICT"})
}

func changedModels(t *testing.T, s *kit.Suite) {
	admin, k := s.Admin(t), s.Key(t, nil)
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("a", "text", nil), kit.Field("b", "text", nil)}})
	id := k.Publish(t, model, "Old", kit.Obj{"a": "1", "b": "2"})
	admin.Put(t, "/models/"+model,
		kit.Obj{"fields": kit.List{kit.Field("a", "text", nil), kit.Field("c", "number", kit.Obj{"required": true})}})
	k.Run(t,
		kit.Step{Name: "still readable", Call: "GET /" + model + "/" + id,
			Want: kit.Obj{"data.title": "Old", "data.data.a": "1"}},
		kit.Step{Name: "still listed", Call: "GET /" + model + "?filter%5Bdata.a%5D=1", Want: kit.Obj{"meta.total": 1}},
		kit.Step{Name: "the next save is validated", Call: "PUT /" + model + "/" + id, Body: kit.Obj{"title": "New"},
			Invalid: "data.c"},
		kit.Step{Name: "by the new definition", Call: "PUT /" + model + "/" + id, Body: kit.Obj{"data": kit.Obj{"c": 3}},
			Want: kit.Obj{"data.data.c": 3}},
		kit.Step{Name: "the new field is found", Call: "GET /" + model + "?filter%5Bdata.c%5D=3",
			Want: kit.Obj{"meta.total": 1}},
		kit.Step{Name: "the old field is unknown", Call: "GET /" + model + "?filter%5Bdata.b%5D=2", Code: "BAD_REQUEST"},
	)
	holders := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("to", "relation", kit.Obj{"model": model}),
		kit.Field("text", "richtext", nil)}})
	link := "[Old](cms://entry/" + id + ")"
	holder := k.Publish(t, holders, "Holder", kit.Obj{"to": id, "text": link})
	admin.Put(t, "/models/"+model, kit.Obj{"is_active": false})
	for _, c := range []*kit.Client{k, s.AdminKey(t)} {
		c.Run(t,
			kit.Step{Name: "inactive", Call: "GET /" + model, Code: "MODEL_NOT_FOUND"},
			kit.Step{Name: "inactive, entry", Call: "GET /" + model + "/" + id, Code: "MODEL_NOT_FOUND"},
			kit.Step{Name: "inactive, included", Call: "GET /" + holders + "/" + holder + "?include=to",
				Want: kit.Obj{"data.data.to": nil, "data.data.text": link}},
		)
	}
	admin.Put(t, "/models/"+model, kit.Obj{"is_active": true})
	k.Get(t, "/"+model+"/"+id)
	admin.Run(t, kit.Step{Name: "delete with entries", Call: "DELETE /models/" + model, Code: "CONFLICT"})
	empty := s.Model(t, nil)
	admin.Run(t, kit.Step{Name: "delete without", Call: "DELETE /models/" + empty, Status: 204})
	k.Run(t, kit.Step{Name: "gone", Call: "GET /" + empty, Code: "MODEL_NOT_FOUND"})
}
