package schema

import (
	"testing"

	"headless/pkg/e2e/kit"
)

// reusedNames gives a former name of a field to another one. Rows that have the names of their time follow the fields:
// drafts, revisions of both, the trash, presets and comments (extensions §10).
func reusedNames(t *testing.T, s *kit.Suite) {
	c, key := s.Admin(t), s.AdminKey(t)
	_, anna, hers := s.User(t, "editor")
	text := func(name string) kit.Obj { return kit.Field(name, "text", nil) }
	parts := func(name string) kit.Obj {
		return kit.Field("parts", "blocks", kit.Obj{"fields": kit.List{kit.Field("hero", "group",
			kit.Obj{"fields": kit.List{text(name), text("more")}})}})
	}
	for name, row := range map[string]struct {
		changes []kit.List // of the fields, each with a rename or null at the end
		now     string     // name of the field that was a
		other   any        // name of the field that was b; null if it was removed
	}{
		"another one is renamed": {changes: []kit.List{{"c", "b", "a c"}, {"c", "a", "b a"}}, now: "c", other: "a"},
		"another one is made":    {changes: []kit.List{{"c", "b", "a c"}, {"c", "b", "a", nil}}, now: "c", other: "b"},
		"of one that is removed": {changes: []kit.List{{"a", nil}, {"a", "b", nil}}, now: "a"},
		"in a circle": {changes: []kit.List{{"c", "b", "a c"}, {"c", "a", "b a"}, {"b", "a", "c b"}},
			now: "b", other: "a"},
	} {
		slug := s.Model(t, kit.Obj{"fields": kit.List{text("a"), text("b"), parts("a")}})
		data := func(a, b string) kit.Obj {
			return kit.Obj{"a": a, "b": b, "parts": kit.List{kit.Obj{"type": "hero", "a": a, "more": b}}}
		}
		entries, presets := "/models/"+slug+"/entries/", "/models/"+slug+"/presets"
		id, trashed := key.Publish(t, slug, "One", data("1", "2")), key.Publish(t, slug, "Two", data("3", "4"))
		key.Delete(t, "/"+slug+"/"+trashed)
		key.Put(t, "/"+slug+"/"+id, kit.Obj{"data": data("5", "6")})
		draft := "/" + slug + "/" + id + "/draft"
		key.Put(t, draft, kit.Obj{"data": kit.Obj{"a": "7"}})
		key.Put(t, draft, kit.Obj{"data": data("8", "9")})
		template := c.Post(t, presets, kit.Obj{"name": "T", "values": data("10", "11")}).Str(t, "data.id")
		block := c.Post(t, presets, kit.Obj{"name": "B", "field": "parts", "kind": "hero",
			"values": kit.Obj{"a": "12", "more": "13"}}).Str(t, "data.id")
		c.Post(t, entries+id+"/comments", kit.Obj{"field": "data.a", "text": "of a", "assignee": anna})
		c.Post(t, entries+id+"/comments", kit.Obj{"field": "data.b", "text": "of b"})
		inner := "a"
		for _, change := range row.changes {
			fields, renames, last := kit.List{}, kit.List{}, len(change)-1
			for _, name := range change[:last] {
				fields = append(fields, text(name.(string)))
			}
			rename := func(from, to string) {
				renames = append(renames, kit.Obj{"model": slug, "from": from, "to": to})
			}
			if names, ok := change[last].(string); ok {
				rename(names[:1], names[2:])
			}
			next := map[string]string{"a": "head", "head": "a"}[inner]
			rename("parts.hero."+inner, "parts.hero."+next)
			inner = next
			schema := kit.Obj{"models": kit.List{kit.Obj{"slug": slug, "name": "M",
				"fields": append(fields, parts(inner))}}, "renames": renames}
			s.Eventually(t, name+": the entries are rewritten", func() bool {
				id, _ := planned(t, c, schema)
				return c.Do(t, "POST /schema/apply",
					kit.Obj{"schema": schema, "plan_id": id, "allow": kit.List{"loses_data"}}).Status == 200
			})
		}
		want := func(a, b string) kit.Obj {
			o := kit.Obj{row.now: a, "parts": kit.List{kit.Obj{"type": "hero", inner: a, "more": b}}}
			if other, ok := row.other.(string); ok {
				o[other] = b
			}
			return o
		}
		var pathOfB any
		if row.other != nil {
			pathOfB = "data." + row.other.(string)
		}
		mixed := want("7", "6")
		mixed["parts"] = kit.List{kit.Obj{"type": "hero", inner: "5", "more": "6"}}
		c.Run(t,
			kit.Step{Name: name + ": entry", Call: "GET " + entries + id, Want: kit.Obj{"data.data": want("5", "6")}},
			kit.Step{Name: name + ": draft", Call: "GET " + entries + id + "/draft",
				Want: kit.Obj{"data.data": want("8", "9")}},
			kit.Step{Name: name + ": revision of the draft", Call: "POST " + entries + id + "/revisions/d1/restore",
				Want: kit.Obj{"data.data": mixed}},
			kit.Step{Name: name + ": list of revisions", Call: "GET " + entries + id + "/revisions",
				Want: kit.Obj{"data": kit.Matcher(func(list any) error {
					var data kit.List
					for _, version := range []string{"d2", "d1", "1"} {
						data = append(data, kit.Find(list, "version", version)["data"])
					}
					return kit.Compare(data, kit.List{want("8", "9"), mixed, want("1", "2")})
				})}},
			kit.Step{Name: name + ": revision", Call: "POST " + entries + id + "/revisions/1/restore",
				Want: kit.Obj{"data.data": want("1", "2")}},
			kit.Step{Name: name + ": trash", Call: "POST /trash/" + trashed + "/restore",
				Want: kit.Obj{"data.data": want("3", "4")}},
			kit.Step{Name: name + ": template", Call: "GET " + presets + "/" + template,
				Want: kit.Obj{"data.values": want("10", "11")}},
			kit.Step{Name: name + ": block", Call: "GET " + presets + "/" + block,
				Want: kit.Obj{"data.values": kit.Obj{inner: "12", "more": "13"}}},
			kit.Step{Name: name + ": comment", Call: "GET " + entries + id + "/comments?filter[field]=data." + row.now,
				Want: kit.Obj{"meta.total": 1, "data.0.text": "of a", "data.0.field": "data." + row.now}},
			kit.Step{Name: name + ": comments", Call: "GET " + entries + id + "/comments",
				Want: kit.Obj{"data.1.text": "of b", "data.1.field": pathOfB}},
		)
		hers.Step(t, kit.Step{Name: name + ": task", Call: "GET /tasks",
			Want: kit.Obj{"data.0.id": id, "data.0.field": "data." + row.now}})
	}
}
