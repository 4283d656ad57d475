package e2e

import "testing"

func updateEntries(t *testing.T, s *suite) {
	model := s.model(t, obj{"fields": list{
		field("body", "textarea", obj{"required": true}), field("note", "text", nil),
		field("place", "group", obj{"fields": list{field("city", "text", nil), field("zip", "text", nil)}}),
	}})
	k := s.key(t, nil)
	made := k.create(t, model, obj{"title": "One", "status": "published",
		"data": obj{"body": "b", "note": "n", "place": obj{"city": "Ulm", "zip": "1"}},
		"seo":  obj{"title": "T", "description": "D"}})
	entry := "/" + model + "/" + made.str(t, "data.id")
	k.run(t,
		step{name: "nothing", call: "PUT " + entry, body: obj{}, status: 200,
			want: obj{"data.title": "One", "data.data.note": "n", "data.version": 2}},
		step{name: "title", call: "PUT " + entry, body: obj{"title": "Two"}, status: 200,
			want: obj{"data.title": "Two", "data.data.body": "b", "data.seo.title": "T",
				"data.version": 3, "data.status": "published"}},
		step{name: "one field", call: "PUT " + entry, body: obj{"data": obj{"note": "m"}},
			status: 200, want: obj{"data.data.note": "m", "data.data.body": "b"}},
		step{name: "one seo text", call: "PUT " + entry, body: obj{"seo": obj{"title": "U"}},
			status: 200, want: obj{"data.seo": obj{"title": "U", "description": "D"}}},
		step{name: "a group as a whole", call: "PUT " + entry,
			body: obj{"data": obj{"place": obj{"city": "Bonn"}}}, status: 200,
			want: obj{"data.data.place.city": "Bonn", "data.data.place.zip": nil}},
		step{name: "null clears", call: "PUT " + entry,
			body: obj{"data": obj{"note": nil}, "seo": obj{"title": nil}}, status: 200,
			want: obj{"data.data.note": nil, "data.data.body": "b", "data.seo.title": "",
				"data.seo.description": "D"}},
		step{name: "required cannot be cleared", call: "PUT " + entry,
			body: obj{"data": obj{"body": nil}}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"data.body"}},
		step{name: "title cannot be cleared", call: "PUT " + entry, body: obj{"title": nil},
			status: 422, code: "VALIDATION_FAILED", details: []string{"title"}},
		step{name: "unknown", call: "PUT " + entry, body: obj{"data": obj{"x": 1}, "y": 2},
			status: 422, code: "VALIDATION_FAILED", details: []string{"data.x", "y"}},
		step{name: "nothing was changed by refusals", call: "GET " + entry, status: 200,
			want: obj{"data.version": 7, "data.data.body": "b"}},
		step{name: "unknown id", call: "PUT /" + model + "/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f",
			body: obj{}, status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "not JSON", call: "PUT " + entry, body: text("application/json", "{"),
			status: 400, code: "BAD_REQUEST"},
		step{name: "not in another model", call: "PUT /" + s.model(t, nil) + "/" +
			made.str(t, "data.id"), body: obj{}, status: 404, code: "ENTRY_NOT_FOUND"},
	)
	t.Run("a draft may lack what is required", func(t *testing.T) {
		draft := k.create(t, model, obj{"title": "Draft", "data": obj{"body": "b"}}).str(t, "data.id")
		k.ok(t, 200, "PUT /"+model+"/"+draft, obj{"data": obj{"body": nil}})
		k.step(t, step{call: "PUT /" + model + "/" + draft, body: obj{"status": "published"},
			status: 422, code: "VALIDATION_FAILED", details: []string{"data.body"}})
		k.ok(t, 200, "PUT /"+model+"/"+draft, obj{"status": "published", "data": obj{"body": "c"}})
	})
}

func statuses(t *testing.T, s *suite) {
	model := s.model(t, nil)
	k := s.key(t, nil)
	entry := "/" + model + "/" + k.create(t, model, obj{"title": "Moves"}).str(t, "data.id")
	k.step(t, step{call: "GET " + entry, status: 404, code: "ENTRY_NOT_FOUND"})
	first := k.step(t, step{call: "PUT " + entry, body: obj{"status": "published"}, status: 200,
		want: obj{"data.published_at": timestamp}}).str(t, "data.published_at")
	k.run(t,
		step{name: "read at once", call: "GET " + entry, status: 200, want: obj{"data.published_at": first}},
		step{name: "listed at once", call: "GET /" + model, status: 200,
			want: obj{"meta.total": 1, "data.0.title": "Moves"}},
		step{name: "an edit keeps the time", call: "PUT " + entry, body: obj{"title": "Moved"},
			status: 200, want: obj{"data.published_at": first}},
		step{name: "archived keeps the time", call: "PUT " + entry, body: obj{"status": "archived"},
			status: 200, want: obj{"data.status": "archived", "data.published_at": first}},
		step{name: "hidden at once", call: "GET " + entry, status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "not listed", call: "GET /" + model, status: 200,
			want: obj{"meta.total": 0, "data": list{}}},
	)
	again := k.ok(t, 200, "PUT "+entry, obj{"status": "published"}).str(t, "data.published_at")
	if again <= first {
		t.Errorf("published again at %s, not after %s", again, first)
	}
}

func drafts(t *testing.T, s *suite) {
	model := s.model(t, nil)
	plain, admin := s.key(t, nil), s.adminKey(t)
	ids := map[string]string{}
	for _, status := range []string{"draft", "published", "archived"} {
		ids[status] = plain.create(t, model, obj{"title": status, "slug": "is-" + status,
			"status": status}).str(t, "data.id")
	}
	for status, id := range ids {
		seen := step{status: 200, want: obj{"data.id": id, "data.status": status}}
		hidden := seen
		if status != "published" {
			hidden = step{status: 404, code: "ENTRY_NOT_FOUND"}
		}
		for _, path := range []string{"/" + id, "/is-" + status} {
			seen.call, hidden.call = "GET /"+model+path, "GET /"+model+path
			seen.name, hidden.name = "admin "+status+path, "plain "+status+path
			admin.run(t, seen)
			plain.run(t, hidden)
		}
	}
	l := "GET /" + model
	plain.run(t,
		step{name: "plain list", call: l, status: 200,
			want: obj{"meta.total": 1, "data.0.id": ids["published"]}},
		step{name: "plain filter published", call: l + "?filter%5Bstatus%5D=published", status: 200,
			want: obj{"meta.total": 1}},
		step{name: "plain filter draft", call: l + "?filter%5Bstatus%5D=draft", status: 200,
			want: obj{"meta.total": 0, "data": list{}}},
		step{name: "plain filter any", call: l + "?filter%5Bstatus%5D=any", status: 200,
			want: obj{"data.#": matcher(atMostOne)}},
	)
	admin.run(t,
		step{name: "admin list", call: l, status: 200,
			want: obj{"meta.total": 1, "data.0.id": ids["published"]}},
		step{name: "admin filter draft", call: l + "?filter%5Bstatus%5D=draft", status: 200,
			want: obj{"meta.total": 1, "data.0.id": ids["draft"]}},
		step{name: "admin filter archived", call: l + "?filter%5Bstatus%5D=archived", status: 200,
			want: obj{"meta.total": 1, "data.0.id": ids["archived"]}},
		step{name: "admin filter any", call: l + "?filter%5Bstatus%5D=any", status: 200,
			want: obj{"meta.total": 3}},
	)
	plain.run(t,
		step{name: "a key without a role updates a draft", call: "PUT /" + model + "/" +
			ids["draft"], body: obj{"title": "New"}, status: 200,
			want: obj{"data.title": "New", "data.status": "draft"}},
		step{name: "and deletes one", call: "DELETE /" + model + "/" + ids["draft"], status: 204},
	)
	admin.run(t, step{name: "it is gone", call: "GET /" + model + "/" + ids["draft"], status: 404,
		code: "ENTRY_NOT_FOUND"})
}

func atMostOne(v any) error {
	if n, ok := v.(float64); ok && n <= 1 {
		return nil
	}
	return compare(v, 1)
}

func deleteEntries(t *testing.T, s *suite) {
	model := s.model(t, nil)
	k := s.key(t, nil)
	id := k.create(t, model, obj{"title": "Gone", "status": "published"}).str(t, "data.id")
	k.publish(t, model, "Stays", nil)
	k.run(t,
		step{name: "of another model", call: "DELETE /" + s.model(t, nil) + "/" + id, status: 404,
			code: "ENTRY_NOT_FOUND"},
		step{name: "delete", call: "DELETE /" + model + "/" + id, status: 204},
		step{name: "again", call: "DELETE /" + model + "/" + id, status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "by id", call: "GET /" + model + "/" + id, status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "by slug", call: "GET /" + model + "/gone", status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "update", call: "PUT /" + model + "/" + id, body: obj{}, status: 404,
			code: "ENTRY_NOT_FOUND"},
		step{name: "list", call: "GET /" + model, status: 200,
			want: obj{"meta.total": 1, "data.0.title": "Stays"}},
		step{name: "the slug is free", call: "POST /" + model, body: obj{"title": "Gone"},
			status: 201, want: obj{"data.slug": "gone"}},
		step{name: "unknown id", call: "DELETE /" + model + "/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f",
			status: 404, code: "ENTRY_NOT_FOUND"},
	)
}

func entryLocales(t *testing.T, s *suite) {
	s.useLocale(t, "de", "Deutsch")
	k := s.key(t, nil)
	home := s.defaultLocale(t)
	model := s.model(t, obj{"localized": true})
	en := k.create(t, model, obj{"title": "House", "slug": "same", "status": "published"}).str(t, "data.id")
	de := k.create(t, model, obj{"title": "Haus", "slug": "same", "status": "published",
		"locale": "de"}).str(t, "data.id")
	by := "GET /" + model + "/"
	k.run(t,
		step{name: "slug, default", call: by + "same", status: 200,
			want: obj{"data.id": en, "data.locale": home}},
		step{name: "slug, locale", call: by + "same?locale=de", status: 200, want: obj{"data.id": de}},
		step{name: "slug, filter", call: by + "same?filter%5Blocale%5D=de", status: 200,
			want: obj{"data.id": de}},
		step{name: "slug, locale before filter", call: by + "same?locale=de&filter%5Blocale%5D=" +
			home, status: 200, want: obj{"data.id": de}},
		step{name: "id", call: by + de, status: 200, want: obj{"data.locale": "de"}},
		step{name: "id, its locale", call: by + de + "?locale=de", status: 200},
		step{name: "id, another", call: by + de + "?locale=" + home, status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "list, default", call: "GET /" + model, status: 200,
			want: obj{"meta.total": 1, "data.0.id": en}},
		step{name: "list, filter", call: "GET /" + model + "?filter%5Blocale%5D=de", status: 200,
			want: obj{"meta.total": 1, "data.0.id": de}},
		step{name: "taken in the locale", call: "POST /" + model,
			body: obj{"title": "x", "slug": "same", "locale": "de"}, status: 409, code: "SLUG_CONFLICT"},
		step{name: "moved to a taken one", call: "PUT /" + model + "/" + de,
			body: obj{"locale": home}, status: 409, code: "SLUG_CONFLICT"},
	)
	flat := s.model(t, nil)
	k.run(t,
		step{name: "not localized, default", call: "POST /" + flat,
			body: obj{"title": "x", "locale": home}, status: 201},
		step{name: "not localized, another", call: "POST /" + flat,
			body: obj{"title": "x", "locale": "de"}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"locale"}},
	)
	t.Run("inactive", func(t *testing.T) {
		admin := s.admin(t)
		s.useLocale(t, "is", "Íslenska")
		k.create(t, model, obj{"title": "Hús", "locale": "is"})
		admin.ok(t, 200, "PUT /locales/is", obj{"is_active": false})
		k.step(t, step{call: "POST /" + model, body: obj{"title": "x", "locale": "is"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"locale"}})
		if l := find(s.public().ok(t, 200, "GET /i18n/locales", nil).get("data"), "code", "is"); l != nil {
			t.Error("an inactive locale is listed")
		}
		admin.ok(t, 200, "PUT /locales/is", obj{"is_active": true})
		k.create(t, model, obj{"title": "x", "locale": "is"})
	})
}

func ifMatch(t *testing.T, s *suite) {
	model := s.model(t, nil)
	k := s.key(t, nil)
	entry := "/" + model + "/" + k.publish(t, model, "Matched", nil)
	old := k.ok(t, 200, "GET "+entry, nil).Header.Get("ETag")
	k.with("If-Match", old).ok(t, 200, "PUT "+entry, obj{"title": "One"})
	fresh := k.ok(t, 200, "GET "+entry, nil).Header.Get("ETag")
	stale := func(name, call, tag string) {
		k.with("If-Match", tag).run(t, step{name: name, call: call, body: obj{"title": "Two"},
			status: 412, code: "PRECONDITION_FAILED"})
	}
	stale("older", "PUT "+entry, old)
	stale("made up", "PUT "+entry, `"x"`)
	stale("weak", "PUT "+entry, "W/"+fresh)
	k.with("If-Match", old).run(t, step{name: "delete, older", call: "DELETE " + entry, status: 412,
		code: "PRECONDITION_FAILED"})
	k.run(t, step{name: "unchanged", call: "GET " + entry, status: 200,
		want: obj{"data.title": "One", "data.version": 2}})
	k.with("If-Match", old+", "+fresh).run(t, step{name: "list of tags", call: "PUT " + entry,
		body: obj{"title": "Three"}, status: 200})
	k.with("If-Match", "*").run(t,
		step{name: "star", call: "PUT " + entry, body: obj{"title": "Four"}, status: 200},
		step{name: "star, delete", call: "DELETE " + entry, status: 204},
	)
	if tag := k.do(t, "GET "+entry, nil); tag.Status != 404 {
		t.Errorf("%d after the delete", tag.Status)
	}
}
