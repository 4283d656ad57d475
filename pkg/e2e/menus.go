package e2e

import (
	"strings"
	"testing"
)

func manageMenus(t *testing.T, s *suite) {
	admin, k := s.admin(t), s.key(t, nil)
	locale := s.defaultLocale(t)
	model := s.model(t, nil)
	id := k.publish(t, model, "Page", nil)
	slug := unique("menu")
	item := func(more obj) obj { return obj{"slug": slug, "name": "Main", "items": obj{locale: list{more}}} }
	refused := func(name string, body obj, on ...string) step {
		for i := range on {
			on[i] = strings.ReplaceAll(on[i], "@", "items."+locale+".0")
		}
		return step{name: name, call: "POST /menus", body: body, status: 422, code: "VALIDATION_FAILED", details: on}
	}
	nested := func(levels int) obj {
		inner := obj{"label": "x"}
		for range levels - 1 {
			inner = obj{"label": "x", "children": list{inner}}
		}
		return item(inner)
	}
	many := list{}
	for range 501 {
		many = append(many, obj{"label": "x"})
	}
	admin.run(t,
		refused("no slug", obj{"name": "x"}, "slug"),
		refused("a slug that is none", obj{"slug": "Main Menu", "name": "x"}, "slug"),
		refused("an unknown key", obj{"slug": slug, "x": 1}, "x"),
		refused("an unknown locale", obj{"slug": slug, "items": obj{"xx": list{}}}, "items.xx"),
		refused("items of another type", obj{"slug": slug, "items": list{}}, "items"),
		refused("an unknown key of an item", item(obj{"title": "x"}), "@.title"),
		refused("entry and href", item(obj{"entry": obj{"model": model, "id": id}, "href": "/x"}), "@.href"),
		refused("no such model", item(obj{"entry": obj{"model": "no-such", "id": id}}), "@.entry.model"),
		refused("no such entry", item(obj{"entry": obj{"model": model, "id": "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"}}), "@.entry.id"),
		refused("a script", item(obj{"href": "javascript:alert(1)"}), "@.href"),
		refused("a host without scheme", item(obj{"href": "//example.com"}), "@.href"),
		refused("a relative path", item(obj{"href": "about"}), "@.href"),
		refused("http without host", item(obj{"href": "https://"}), "@.href"),
		refused("a target", item(obj{"href": "/x", "target": "_top"}), "@.target"),
		refused("a label", item(obj{"label": strings.Repeat("x", 256)}), "@.label"),
		refused("below", item(obj{"label": "x", "children": list{obj{"href": "x"}}}), "@.children.0.href"),
		refused("ids twice", obj{"slug": slug, "items": obj{locale: list{obj{"id": "a"}, obj{"id": "a"}}}}, "items."+locale+".1.id"),
		refused("five levels", nested(5), "@.children.0.children.0.children.0.children"),
		refused("too many", obj{"slug": slug, "items": obj{locale: many}}, "items."+locale),
		step{name: "four levels", call: "POST /menus", body: nested(4), status: 201},
		step{name: "taken", call: "POST /menus", body: item(obj{"label": "x"}), status: 409, code: "CONFLICT"},
	)
	links := list{obj{"id": "own", "href": "/a?b#c"}, obj{"href": "#top"}, obj{"href": "https://example.com/x"},
		obj{"href": "mailto:a@example.com"}, obj{"href": "tel:+49123"}, obj{"label": "Heading"}}
	a := admin.ok(t, 200, "PUT /menus/"+slug, obj{"items": obj{locale: links}})
	first := "data.items." + locale + "."
	if a.str(t, first+"0.id") != "own" || a.str(t, first+"1.id") == "" {
		t.Errorf("ids: %s", a.Raw)
	}
	made := a.str(t, first+"1.id")
	tag := admin.ok(t, 200, "GET /menus/"+slug, nil).Header.Get("ETag")
	admin.run(t,
		step{name: "ids stay", call: "PUT /menus/" + slug, body: a.get("data"), status: 200, want: obj{first + "1.id": made,
			"data.name": "Main"}},
		step{name: "list", call: "GET /menus?per_page=1", status: 200, want: obj{"meta.per_page": 1}},
		step{name: "unknown", call: "GET /menus/no-such", status: 404, code: "NOT_FOUND"},
		step{name: "unknown to change", call: "PUT /menus/no-such", body: obj{"name": "x"}, status: 404, code: "NOT_FOUND"},
	)
	if tag != "" {
		admin.with("If-Match", `"other"`).step(t, step{call: "PUT /menus/" + slug, body: obj{"name": "x"}, status: 412, code: "PRECONDITION_FAILED"})
		admin.with("If-Match", tag).ok(t, 200, "PUT /menus/"+slug, obj{"name": "Renamed"})
	} else {
		t.Error("no ETag")
	}
	admin.step(t, step{name: "another slug", call: "PUT /menus/" + slug, body: obj{"slug": slug + "-2"}, status: 200})
	admin.run(t,
		step{name: "the old slug", call: "GET /menus/" + slug, status: 404, code: "NOT_FOUND"},
		step{name: "delete", call: "DELETE /menus/" + slug + "-2", status: 204},
		step{name: "delete again", call: "DELETE /menus/" + slug + "-2", status: 404, code: "NOT_FOUND"},
		step{name: "reserved", call: "POST /models", body: obj{"slug": "menus", "name": "R"},
			status: 422, code: "VALIDATION_FAILED", details: []string{"slug"}},
	)
}

func menuRoles(t *testing.T, s *suite) {
	_, _, editor := s.user(t, "editor")
	_, _, viewer := s.user(t, "viewer")
	_, none := s.role(t, obj{"models": list{"media"}})
	_, reader := s.role(t, obj{"models": list{"menus"}, "actions": list{"read"}})
	_, writer := s.role(t, obj{"models": list{"menus"}, "actions": list{"read", "write"}})
	slug := unique("menu")
	editor.ok(t, 201, "POST /menus", obj{"slug": slug})
	for _, c := range []*client{viewer, reader} {
		c.run(t,
			step{name: "list", call: "GET /menus", status: 200},
			step{name: "read", call: "GET /menus/" + slug, status: 200},
			step{name: "create", call: "POST /menus", body: obj{"slug": "x"}, status: 403, code: "FORBIDDEN"},
			step{name: "update", call: "PUT /menus/" + slug, body: obj{"name": "x"}, status: 403, code: "FORBIDDEN"},
			step{name: "delete", call: "DELETE /menus/" + slug, status: 403, code: "FORBIDDEN"},
		)
	}
	writer.ok(t, 200, "PUT /menus/"+slug, obj{"name": "By a writer"})
	none.step(t, step{call: "GET /menus", status: 404, code: "NOT_FOUND"})
	s.anonymousAdmin().step(t, step{call: "GET /menus", status: 401, code: "UNAUTHORIZED"})
	editor.ok(t, 204, "DELETE /menus/"+slug, nil)
}

func readMenus(t *testing.T, s *suite) {
	s.useLocale(t, "it", "Italiano")
	locale := s.defaultLocale(t)
	s.admin(t).ok(t, 200, "PUT /locales/it", obj{"fallback": locale})
	admin, k := s.admin(t), s.adminKey(t)
	at := "/" + unique("at")
	model := s.model(t, obj{"url": at + "/{slug}"})
	bare := s.model(t, nil)
	id := k.publish(t, model, "About", nil)
	plain := k.publish(t, bare, "Plain", nil)
	draft := k.create(t, model, obj{"title": "Draft"}).str(t, "data.id")
	slug := unique("menu")
	r := newReceiver(t)
	s.subscribe(t, obj{"url": r.url, "events": list{"menu.updated"}})
	ref := func(m, id string) obj { return obj{"model": m, "id": id} }
	admin.ok(t, 201, "POST /menus", obj{"slug": slug, "items": obj{locale: list{
		obj{"id": "a", "entry": ref(model, id), "children": list{obj{"id": "b", "href": "/x", "label": "X", "target": "_blank", "rel": "nofollow"}}},
		obj{"id": "c", "entry": ref(model, draft), "children": list{obj{"id": "d", "href": "/y", "label": "Y"}}},
		obj{"id": "e", "label": "Plain one", "entry": ref(bare, plain)},
		obj{"id": "f", "label": "Heading"},
	}}})
	told := s.waitAbout(t, r, "menu.updated", "slug", slug)
	if err := compare(dig(told.body, "data"), obj{"slug": slug, "locales": list{locale}}); err != nil {
		t.Error(err)
	}
	reader := s.key(t, nil)
	d := s.publishable(t, nil)
	call := "GET /menus/" + slug
	shown := list{
		obj{"id": "a", "label": "About", "url": at + "/about", "children": list{
			obj{"id": "b", "label": "X", "url": "/x", "target": "_blank", "rel": "nofollow", "children": list{}}}},
		obj{"id": "e", "label": "Plain one", "url": nil, "children": list{}},
		obj{"id": "f", "label": "Heading", "url": nil, "children": list{}},
	}
	for _, c := range []*client{reader, d} {
		c.run(t,
			step{name: "items", call: call, status: 200, want: obj{"data": shown, "meta": obj{"locale": locale}}},
			step{name: "another locale", call: call + "?locale=it", status: 200,
				want: obj{"data": list{}, "meta": obj{"locale": "it"}}},
			step{name: "fallback", call: call + "?locale=it&fallback=true", status: 200,
				want: obj{"data": shown, "meta": obj{"locale": locale, "requested_locale": "it"}}},
			step{name: "no fallback needed", call: call + "?fallback=true", status: 200,
				want: obj{"meta": obj{"locale": locale, "requested_locale": locale}}},
			step{name: "an unknown locale", call: call + "?locale=xx", status: 400, code: "BAD_REQUEST"},
			step{name: "an empty locale", call: call + "?locale=", status: 400, code: "BAD_REQUEST"},
			step{name: "unknown", call: "GET /menus/no-such", status: 404, code: "NOT_FOUND"},
		)
	}
	k.step(t, step{name: "a key with the role admin", call: call, status: 200,
		want: obj{"data.1.id": "c", "data.1.label": "Draft", "data.1.children.0.id": "d"}})
	d.step(t, step{name: "tags", call: call, status: 200,
		header: obj{"Cache-Tag": tagged("menu."+slug, "e."+id, "e."+draft), "Cache-Control": cacheForever}})
	is := func(what, path string, want any) {
		t.Helper()
		s.eventually(t, what, func() bool { return compare(d.do(t, call, nil).get(path), want) == nil })
	}
	k.ok(t, 200, "PUT /"+model+"/"+id, obj{"title": "About us", "slug": "us"})
	is("a new title", "data.0.label", "About us")
	is("a new address", "data.0.url", at+"/us")
	k.ok(t, 200, "PUT /"+model+"/"+id, obj{"status": "draft"})
	is("an unpublished entry", "data.0.id", "e")
	k.ok(t, 200, "PUT /"+model+"/"+id, obj{"status": "published"})
	is("a published entry", "data.0.id", "a")
	t.Run("uses", func(t *testing.T) {
		use := obj{"model": "menus", "id": slug, "title": slug, "locale": locale, "status": "", "path": "items." + locale + ".0"}
		admin.step(t, step{call: "GET /models/" + model + "/entries/" + id + "/usage", status: 200, want: obj{"data": list{use}}})
		reader.step(t, step{call: "DELETE /" + model + "/" + id + "?if_unused=true", status: 409, code: "IN_USE",
			want: obj{"error.details.usage": list{use}}})
	})
	admin.ok(t, 200, "PUT /menus/"+slug, obj{"items": obj{locale: list{obj{"id": "z", "label": "New"}}}})
	is("a new item", "data.0.id", "z")
	reader.ok(t, 204, "DELETE /"+model+"/"+id+"?if_unused=true", nil)
	admin.ok(t, 204, "DELETE /menus/"+slug, nil)
	is("a deleted menu", "error.code", "NOT_FOUND")
}

func importMenus(t *testing.T, s *suite) {
	admin := s.admin(t)
	slug := unique("menu")
	line := func(label string) raw {
		return text("application/x-ndjson", `{"model": "menus", "slug": "`+slug+`", "name": "M", "items": {"`+
			s.defaultLocale(t)+`": [{"id": "a", "label": "`+label+`"}]}}`+"\n")
	}
	for _, row := range []struct{ call, label, result string }{
		{"POST /import?dry_run=true", "One", "created"}, {"POST /import", "One", "created"},
		{"POST /import", "One", "unchanged"}, {"POST /import?on_conflict=skip", "Two", "skipped"},
		{"POST /import?on_conflict=fail", "Two", "failed"}, {"POST /import", "Two", "updated"},
	} {
		admin.step(t, step{call: row.call, body: line(row.label), status: 200, want: obj{"data.0.result": row.result,
			"data.0.model": "menus"}})
	}
	admin.step(t, step{call: "GET /menus/" + slug, status: 200,
		want: obj{"data.items." + s.defaultLocale(t) + ".0.label": "Two"}})
}
