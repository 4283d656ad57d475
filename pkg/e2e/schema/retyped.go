package schema

import (
	"testing"

	"headless/pkg/e2e/kit"
)

// retyped gives fields another type. Values that do not fit it are lost at once, everywhere, and the others stay
// (extensions §10).
func retyped(t *testing.T, s *kit.Suite) {
	c, key := s.Admin(t), s.AdminKey(t)
	group := func(name string, fields ...any) kit.Obj {
		return kit.Field(name, "group", kit.Obj{"fields": kit.List(fields)})
	}
	list := func(name string, fields ...any) kit.Obj {
		return kit.Field(name, "list", kit.Obj{"fields": kit.List(fields)})
	}
	slug := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("n", "number", nil), kit.Field("color", "text", nil),
		kit.Field("size", "json", nil), kit.Field("tags", "json", nil), kit.Field("free", "number", nil),
		group("place", kit.Field("zip", "number", nil)), list("steps", kit.Field("at", "text", nil)),
		kit.Field("parts", "blocks", kit.Obj{"fields": kit.List{group("hero", kit.Field("head", "number", nil))}})}})
	data := func(color string) kit.Obj {
		return kit.Obj{"n": 5, "color": color, "size": kit.Obj{"w": 1, "h": nil}, "tags": "a,b", "free": 1,
			"place": kit.Obj{"zip": 89073}, "steps": kit.List{kit.Obj{"at": "2026-01-31"}, kit.Obj{"at": "noon"}},
			"parts": kit.List{kit.Obj{"type": "hero", "head": 1}}}
	}
	want := func(color string) kit.Obj {
		o := kit.Obj{"size": kit.Obj{"w": 1}, "free": 1, "postal": kit.Obj{},
			"steps": kit.List{kit.Obj{"at": "2026-01-31"}, kit.Obj{}}, "parts": kit.List{kit.Obj{"type": "hero"}}}
		if color != "" {
			o["color"] = color
		}
		return o
	}
	red := key.Publish(t, slug, "Red", data("red"))
	odd := key.Publish(t, slug, "Odd", data("mauve"))
	key.Put(t, "/"+slug+"/"+odd+"/draft", kit.Obj{"data": kit.Obj{"n": 6, "color": "red"}})
	trashed := key.Publish(t, slug, "Gone", data("red"))
	key.Delete(t, "/"+slug+"/"+trashed)
	schema := kit.Obj{"models": kit.List{kit.Obj{"slug": slug, "name": "M", "fields": kit.List{
		kit.Field("n", "text", nil), kit.Field("color", "select", kit.Obj{"options": kit.List{"red", "blue"}}),
		group("size", kit.Field("w", "number", nil), kit.Field("h", "number", nil)),
		list("tags", kit.Field("name", "text", nil)), kit.Field("free", "json", nil),
		group("postal", kit.Field("zip", "text", nil)), list("steps", kit.Field("at", "date", nil)),
		kit.Field("parts", "blocks", kit.Obj{"fields": kit.List{group("hero", kit.Field("head", "text", nil))}})}}},
		"renames": kit.List{kit.Obj{"model": slug, "from": "place", "to": "postal"}}}
	id, _ := planned(t, c, schema)
	c.Run(t, kit.Step{Name: "without leave", Call: "POST /schema/apply",
		Body: kit.Obj{"schema": schema, "plan_id": id}, Invalid: "allow"})
	applied(t, c, schema, "loses_data")
	read := kit.Step{Name: "by id", Call: "GET /" + slug + "/" + odd, Want: kit.Obj{"data.data": want("")}}
	list5 := "GET /" + slug + "?filter%5Bdata.n%5D"
	key.Run(t,
		kit.Step{Name: "what fits", Call: "GET /" + slug + "/" + red, Want: kit.Obj{"data.data.color": "red",
			"data.data.free": 1, "data.data.steps": want("")["steps"], "data.data.postal": kit.Obj{}}},
		kit.Step{Name: "filter", Call: list5 + "=5", Want: kit.Obj{"meta.total": 0}},
		kit.Step{Name: "filter, null", Call: list5 + "%5Bnull%5D=true", Want: kit.Obj{"meta.total": 2}},
		kit.Step{Name: "filter of what fits", Call: "GET /" + slug + "?filter%5Bdata.color%5D=mauve",
			Want: kit.Obj{"meta.total": 0}},
		kit.Step{Name: "sort", Call: "GET /" + slug + "?sort=-data.color,title",
			Want: kit.Obj{"data.0.id": odd, "data.1.id": red}},
		kit.Step{Name: "draft", Call: "GET /" + slug + "/" + odd + "/draft", Want: kit.Obj{"data.data.color": "red",
			"data.data.n": nil}},
	)
	s.Eventually(t, "the entries are rewritten", func() bool {
		return kit.Compare(key.Do(t, read.Call, nil).Get("data.data"), want("")) == nil
	})
	key.Step(t, read)
	line := key.Get(t, "/"+slug+"/"+red).Get("data").(kit.Obj)
	line["model"] = slug
	c.Run(t,
		kit.Step{Name: "import of what was read", Call: "POST /import", Body: kit.JSONLines(t, line),
			Want: kit.Obj{"data.0.result": "unchanged"}},
		kit.Step{Name: "an old revision", Call: "POST /models/" + slug + "/entries/" + red + "/revisions/1/restore",
			Want: kit.Obj{"data.data": want("red")}},
		kit.Step{Name: "from the trash", Call: "POST /trash/" + trashed + "/restore",
			Want: kit.Obj{"data.data": want("red")}},
	)
	key.Run(t,
		kit.Step{Name: "a value of the new type", Call: "PUT /" + slug + "/" + odd, Body: kit.Obj{"data": kit.Obj{"n": "5"}},
			Want: kit.Obj{"data.data.n": "5"}},
		kit.Step{Name: "is found", Call: list5 + "=5", Want: kit.Obj{"meta.total": 1, "data.0.data.n": "5"}},
		kit.Step{Name: "and publishing the draft", Call: "POST /" + slug + "/" + odd + "/publish",
			Body: kit.Obj{"force": true}, Want: kit.Obj{"data.data.n": "5", "data.data.color": "red"}},
	)
}
