package site

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/uuid"

	"headless/pkg/e2e/kit"
)

// Menus has the scenarios of menus.
var Menus = []kit.Scenario{
	{Name: "map/menus/manage", Run: manageMenus},
	{Name: "map/menus/roles", Run: menuRoles},
	{Name: "map/menus/read", Run: readMenus},
	{Name: "map/menus/import", Run: importMenus},
	{Name: "map/menus/renamed model", Run: renamedInMenu},
}

func manageMenus(t *testing.T, s *kit.Suite) {
	admin, k := s.Admin(t), s.Key(t, nil)
	locale := s.DefaultLocale(t)
	model := s.Model(t, nil)
	id := k.Publish(t, model, "Page", nil)
	slug := kit.Unique("menu")
	item := func(more kit.Obj) kit.Obj {
		return kit.Obj{"slug": slug, "name": "Main", "items": kit.Obj{locale: kit.List{more}}}
	}
	refused := func(name string, body kit.Obj, invalid string) kit.Step {
		return kit.Step{Name: name, Call: "POST /menus", Body: body,
			Invalid: strings.ReplaceAll(invalid, "@", "items."+locale+".0")}
	}
	nested := func(levels int) kit.Obj {
		inner := kit.Obj{"label": "x"}
		for range levels - 1 {
			inner = kit.Obj{"label": "x", "children": kit.List{inner}}
		}
		return item(inner)
	}
	many := kit.List{}
	for range 501 {
		many = append(many, kit.Obj{"label": "x"})
	}
	admin.Run(t,
		refused("no slug", kit.Obj{"name": "x"}, "slug"),
		refused("a slug that is none", kit.Obj{"slug": "Main Menu", "name": "x"}, "slug"),
		refused("an unknown key", kit.Obj{"slug": slug, "x": 1}, "x"),
		refused("an unknown locale", kit.Obj{"slug": slug, "items": kit.Obj{"xx": kit.List{}}}, "items.xx"),
		refused("items of another type", kit.Obj{"slug": slug, "items": kit.List{}}, "items"),
		refused("an unknown key of an item", item(kit.Obj{"title": "x"}), "@.title"),
		refused("entry and href", item(kit.Obj{"entry": kit.Obj{"model": model, "id": id}, "href": "/x"}), "@.href"),
		refused("no such model", item(kit.Obj{"entry": kit.Obj{"model": "no-such", "id": id}}), "@.entry.model"),
		refused("no such entry", item(kit.Obj{"entry": kit.Obj{"model": model, "id": kit.UnknownID}}), "@.entry.id"),
		refused("a script", item(kit.Obj{"href": "javascript:alert(1)"}), "@.href"),
		refused("a host without scheme", item(kit.Obj{"href": "//example.com"}), "@.href"),
		refused("a relative path", item(kit.Obj{"href": "about"}), "@.href"),
		refused("http without host", item(kit.Obj{"href": "https://"}), "@.href"),
		refused("a target", item(kit.Obj{"href": "/x", "target": "_top"}), "@.target"),
		refused("a label", item(kit.Obj{"label": strings.Repeat("x", 256)}), "@.label"),
		refused("below", item(kit.Obj{"label": "x", "children": kit.List{kit.Obj{"href": "x"}}}), "@.children.0.href"),
		refused("ids twice", kit.Obj{"slug": slug,
			"items": kit.Obj{locale: kit.List{kit.Obj{"id": "a"}, kit.Obj{"id": "a"}}}}, "items."+locale+".1.id"),
		refused("five levels", nested(5), "@.children.0.children.0.children.0.children"),
		refused("too many", kit.Obj{"slug": slug, "items": kit.Obj{locale: many}}, "items."+locale),
		kit.Step{Name: "four levels", Call: "POST /menus", Body: nested(4), Status: 201},
		kit.Step{Name: "taken", Call: "POST /menus", Body: item(kit.Obj{"label": "x"}), Code: "CONFLICT"},
	)
	links := kit.List{kit.Obj{"id": "own", "href": "/a?b#c"}, kit.Obj{"href": "#top"},
		kit.Obj{"href": "https://example.com/x"},
		kit.Obj{"href": "mailto:a@example.com"}, kit.Obj{"href": "tel:+49123"}, kit.Obj{"label": "Heading"}}
	a := admin.Put(t, "/menus/"+slug, kit.Obj{"items": kit.Obj{locale: links}})
	first := "data.items." + locale + "."
	if a.Str(t, first+"0.id") != "own" || a.Str(t, first+"1.id") == "" {
		t.Errorf("ids: %s", a.Raw)
	}
	made := a.Str(t, first+"1.id")
	tag := admin.Get(t, "/menus/"+slug).Header.Get("ETag")
	admin.Run(t,
		kit.Step{Name: "ids stay", Call: "PUT /menus/" + slug, Body: a.Get("data"),
			Want: kit.Obj{first + "1.id": made, "data.name": "Main"}},
		kit.Step{Name: "list", Call: "GET /menus?per_page=1", Want: kit.Obj{"meta.per_page": 1}},
		kit.Step{Name: "unknown", Call: "GET /menus/no-such", Code: "NOT_FOUND"},
		kit.Step{Name: "unknown to change", Call: "PUT /menus/no-such", Body: kit.Obj{"name": "x"}, Code: "NOT_FOUND"},
	)
	if tag != "" {
		admin.With("If-Match", `"other"`).Step(t, kit.Step{Call: "PUT /menus/" + slug, Body: kit.Obj{"name": "x"},
			Code: "PRECONDITION_FAILED"})
		admin.With("If-Match", tag).Put(t, "/menus/"+slug, kit.Obj{"name": "Renamed"})
	} else {
		t.Error("no ETag")
	}
	admin.Step(t, kit.Step{Name: "another slug", Call: "PUT /menus/" + slug, Body: kit.Obj{"slug": slug + "-2"}})
	admin.Run(t,
		kit.Step{Name: "the old slug", Call: "GET /menus/" + slug, Code: "NOT_FOUND"},
		kit.Step{Name: "delete", Call: "DELETE /menus/" + slug + "-2", Status: 204},
		kit.Step{Name: "delete again", Call: "DELETE /menus/" + slug + "-2", Code: "NOT_FOUND"},
		kit.Step{Name: "reserved", Call: "POST /models", Body: kit.Obj{"slug": "menus", "name": "R"}, Invalid: "slug"},
	)
}

func menuRoles(t *testing.T, s *kit.Suite) {
	_, _, editor := s.User(t, "editor")
	_, _, viewer := s.User(t, "viewer")
	_, none := s.Role(t, kit.Obj{"models": kit.List{"media"}})
	_, reader := s.Role(t, kit.Obj{"models": kit.List{"menus"}, "actions": kit.List{"read"}})
	_, drafter := s.Role(t, kit.Obj{"models": kit.List{"menus"}, "actions": kit.List{"read", "write", "delete"}})
	_, writer := s.Role(t, kit.Obj{"models": kit.List{"menus"}, "actions": kit.List{"read", "write", "publish"}})
	slug := kit.Unique("menu")
	editor.Post(t, "/menus", kit.Obj{"slug": slug})
	for _, c := range []*kit.Client{viewer, reader, drafter} {
		c.Run(t,
			kit.Step{Name: "list", Call: "GET /menus"},
			kit.Step{Name: "read", Call: "GET /menus/" + slug},
			kit.Step{Name: "create", Call: "POST /menus", Body: kit.Obj{"slug": "x"}, Code: "FORBIDDEN"},
			kit.Step{Name: "update", Call: "PUT /menus/" + slug, Body: kit.Obj{"name": "x"}, Code: "FORBIDDEN"},
			kit.Step{Name: "delete", Call: "DELETE /menus/" + slug, Code: "FORBIDDEN"},
		)
	}
	writer.Put(t, "/menus/"+slug, kit.Obj{"name": "By a writer"})
	none.Step(t, kit.Step{Call: "GET /menus", Code: "NOT_FOUND"})
	s.AnonymousAdmin().Step(t, kit.Step{Call: "GET /menus", Code: "UNAUTHORIZED"})
	editor.Delete(t, "/menus/"+slug)
}

func readMenus(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "it", "Italiano")
	locale := s.DefaultLocale(t)
	s.Admin(t).Put(t, "/locales/it", kit.Obj{"fallback": locale})
	admin, k := s.Admin(t), s.AdminKey(t)
	at := "/" + kit.Unique("at")
	model := s.Model(t, kit.Obj{"url": at + "/{slug}"})
	bare := s.Model(t, nil)
	id := k.Publish(t, model, "About", nil)
	plain := k.Publish(t, bare, "Plain", nil)
	draft := k.Create(t, model, kit.Obj{"title": "Draft"}).Str(t, "data.id")
	slug := kit.Unique("menu")
	r := kit.NewReceiver(t)
	s.Subscribe(t, kit.Obj{"url": r.URL, "events": kit.List{"menu.updated"}})
	ref := func(m, id string) kit.Obj { return kit.Obj{"model": m, "id": id} }
	admin.Post(t, "/menus", kit.Obj{"slug": slug, "items": kit.Obj{locale: kit.List{
		kit.Obj{"id": "a", "entry": ref(model, id),
			"children": kit.List{kit.Obj{"id": "b", "href": "/x", "label": "X", "target": "_blank", "rel": "nofollow"}}},
		kit.Obj{"id": "c", "entry": ref(model, draft), "children": kit.List{kit.Obj{"id": "d", "href": "/y", "label": "Y"}}},
		kit.Obj{"id": "e", "label": "Plain one", "entry": ref(bare, plain)}, kit.Obj{"id": "f", "label": "Heading"},
	}}})
	s.WaitAbout(t, r, "menu.updated", "slug", slug).Has(t, "the event",
		kit.Obj{"data": kit.Obj{"slug": slug, "locales": kit.List{locale}}})
	reader := s.Key(t, nil)
	d := s.PublishableKey(t, nil)
	call := "GET /menus/" + slug
	shown := kit.List{
		kit.Obj{"id": "a", "label": "About", "url": at + "/about", "children": kit.List{
			kit.Obj{"id": "b", "label": "X", "url": "/x", "target": "_blank", "rel": "nofollow", "children": kit.List{}}}},
		kit.Obj{"id": "e", "label": "Plain one", "url": nil, "children": kit.List{}},
		kit.Obj{"id": "f", "label": "Heading", "url": nil, "children": kit.List{}},
	}
	for _, c := range []*kit.Client{reader, d} {
		c.Run(t,
			kit.Step{Name: "items", Call: call, Want: kit.Obj{"data": shown, "meta": kit.Obj{"locale": locale}}},
			kit.Step{Name: "another locale", Call: call + "?locale=it",
				Want: kit.Obj{"data": kit.List{}, "meta": kit.Obj{"locale": "it"}}},
			kit.Step{Name: "fallback", Call: call + "?locale=it&fallback=true",
				Want: kit.Obj{"data": shown, "meta": kit.Obj{"locale": locale, "requested_locale": "it"}}},
			kit.Step{Name: "no fallback needed", Call: call + "?fallback=true",
				Want: kit.Obj{"meta": kit.Obj{"locale": locale, "requested_locale": locale}}},
			kit.Step{Name: "an unknown locale", Call: call + "?locale=xx", Code: "BAD_REQUEST"},
			kit.Step{Name: "an empty locale", Call: call + "?locale=", Code: "BAD_REQUEST"},
			kit.Step{Name: "unknown", Call: "GET /menus/no-such", Code: "NOT_FOUND"},
		)
	}
	k.Step(t, kit.Step{Name: "a key with the role admin", Call: call,
		Want: kit.Obj{"data.1.id": "c", "data.1.label": "Draft", "data.1.children.0.id": "d"}})
	d.Step(t, kit.Step{Name: "tags", Call: call,
		Header: kit.Obj{"Cache-Tag": kit.Tagged("menu."+slug, "e."+id, "e."+draft), "Cache-Control": kit.CacheForever}})
	is := func(what, path string, want any) {
		t.Helper()
		s.Eventually(t, what, func() bool { return kit.Compare(d.Do(t, call, nil).Get(path), want) == nil })
	}
	k.Put(t, "/"+model+"/"+id, kit.Obj{"title": "About us", "slug": "us"})
	is("a new title", "data.0.label", "About us")
	is("a new address", "data.0.url", at+"/us")
	k.Put(t, "/"+model+"/"+id, kit.Obj{"status": "draft"})
	is("an unpublished entry", "data.0.id", "e")
	k.Put(t, "/"+model+"/"+id, kit.Obj{"status": "published"})
	is("a published entry", "data.0.id", "a")
	t.Run("uses", func(t *testing.T) {
		use := kit.Obj{"model": "menus", "id": slug, "title": slug, "locale": locale, "status": "",
			"path": "items." + locale + ".0"}
		admin.Step(t, kit.Step{Call: "GET /models/" + model + "/entries/" + id + "/usage",
			Want: kit.Obj{"data": kit.List{use}}})
		reader.Step(t, kit.Step{Call: "DELETE /" + model + "/" + id + "?if_unused=true", Code: "IN_USE",
			Want: kit.Obj{"error.details.usage": kit.List{use}}})
	})
	admin.Put(t, "/menus/"+slug, kit.Obj{"items": kit.Obj{locale: kit.List{kit.Obj{"id": "z", "label": "New"}}}})
	is("a new item", "data.0.id", "z")
	reader.Delete(t, "/"+model+"/"+id+"?if_unused=true")
	admin.Delete(t, "/menus/"+slug)
	is("a deleted menu", "error.code", "NOT_FOUND")
}

func importMenus(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	slug := kit.Unique("menu")
	line := func(label string) kit.Body {
		return kit.Text("application/x-ndjson", `{"model": "menus", "slug": "`+slug+`", "name": "M", "items": {"`+
			s.DefaultLocale(t)+`": [{"id": "a", "label": "`+label+`"}]}}`+"\n")
	}
	for _, row := range []struct{ call, label, result string }{
		{"POST /import?dry_run=true", "One", "created"}, {"POST /import", "One", "created"},
		{"POST /import", "One", "unchanged"}, {"POST /import?on_conflict=skip", "Two", "skipped"},
		{"POST /import?on_conflict=fail", "Two", "failed"}, {"POST /import", "Two", "updated"},
	} {
		admin.Step(t, kit.Step{Call: row.call, Body: line(row.label),
			Want: kit.Obj{"data.0.result": row.result, "data.0.model": "menus"}})
	}
	admin.Step(t, kit.Step{Call: "GET /menus/" + slug,
		Want: kit.Obj{"data.items." + s.DefaultLocale(t) + ".0.label": "Two"}})
	admin.Step(t, kit.Step{Name: "in a locale that the site does not have", Call: "POST /import",
		Body: kit.JSONLines(t, kit.Obj{"model": "menus", "slug": slug, "items": kit.Obj{
			s.DefaultLocale(t): kit.List{kit.Obj{"id": "a", "label": "Three"}}, "tlh": kit.List{kit.Obj{"label": "wej"}}}}),
		Want: kit.Obj{"data.0.result": "updated"}})
	admin.Step(t, kit.Step{Name: "left out", Call: "GET /menus/" + slug, Want: kit.Obj{"data.items.tlh": nil,
		"data.items." + s.DefaultLocale(t) + ".0.label": "Three"}})
	whole := kit.Obj{"model": "menus", "slug": slug + "-2", "name": "M", "items": kit.Obj{s.DefaultLocale(t): kit.List{
		kit.Obj{"id": "a", "entry": kit.Obj{"model": "comes-later", "id": uuid.NewString()}}}},
		"created_at": "2020-01-02T03:04:05.000Z", "updated_at": "2021-01-02T03:04:05.000Z"}
	newer, wrong := maps.Clone(whole), maps.Clone(whole)
	newer["name"], newer["updated_at"] = "Newer", "2022-01-02T03:04:05.000Z"
	wrong["updated_at"] = "yesterday"
	admin.Run(t,
		kit.Step{Name: "dry, before its entries", Call: "POST /import?dry_run=true", Body: kit.JSONLines(t, whole),
			Want: kit.Obj{"data.0.result": "created"}},
		kit.Step{Name: "a wrong time", Call: "POST /import", Body: kit.JSONLines(t, wrong),
			Want: kit.Obj{"data.0.error.details.updated_at": kit.Present}},
		kit.Step{Name: "before its entries", Call: "POST /import", Body: kit.JSONLines(t, whole),
			Want: kit.Obj{"data.0.result": "created"}},
		kit.Step{Name: "as old as it was", Call: "GET /menus/" + slug + "-2",
			Want: kit.Obj{"data.created_at": whole["created_at"], "data.updated_at": whole["updated_at"]}},
		kit.Step{Name: "what was changed there before the first import", Call: "POST /import",
			Body: kit.JSONLines(t, newer), Want: kit.Obj{"data.0.result": "updated"}},
		kit.Step{Name: "older", Call: "POST /import", Body: kit.JSONLines(t, whole),
			Want: kit.Obj{"data.0.result": "skipped"}},
		kit.Step{Name: "a save", Call: "PUT /menus/" + slug + "-2", Body: kit.Obj{"name": "Saved"},
			Want: kit.Obj{"data.created_at": whole["created_at"], "data.name": "Saved"}},
	)
}

// renamedInMenu gives the model of an entry in a menu another slug.
func renamedInMenu(t *testing.T, s *kit.Suite) {
	admin, locale, model := s.Admin(t), s.DefaultLocale(t), s.Model(t, nil)
	id := s.Key(t, nil).Publish(t, model, "Page", nil)
	one := "/menus/" + admin.Post(t, "/menus", kit.Obj{"slug": kit.Unique("menu"), "name": "Main", "items": kit.Obj{
		locale: kit.List{kit.Obj{"label": "Parent", "children": kit.List{
			kit.Obj{"entry": kit.Obj{"model": model, "id": id}}}}}}}).Str(t, "data.slug")
	slug := kit.Unique("renamed")
	admin.Put(t, "/models/"+model, kit.Obj{"slug": slug})
	entry := "data.items." + locale + ".0.children.0.entry"
	menu := admin.Step(t, kit.Step{Name: "the item follows", Call: "GET " + one,
		Want: kit.Obj{entry: kit.Obj{"model": slug, "id": id}}})
	admin.With("If-Match", menu.Header.Get("ETag")).Step(t, kit.Step{Name: "sent back, it is the same", Call: "PUT " + one,
		Body: kit.Obj{"items": menu.Get("data.items")}, Want: kit.Obj{"data.updated_at": menu.Get("data.updated_at"),
			entry: kit.Obj{"model": slug, "id": id}}})
	for _, wrong := range []string{model, s.Model(t, nil)} {
		admin.Step(t, kit.Step{Name: "of another model", Call: "PUT " + one, Invalid: "items." + locale + ".0.entry.model",
			Body: kit.Obj{"items": kit.Obj{locale: kit.List{kit.Obj{"entry": kit.Obj{"model": wrong, "id": id}}}}}})
	}
}
