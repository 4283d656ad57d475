package content

import (
	"testing"

	"headless/pkg/e2e/kit"
)

func updateEntries(t *testing.T, s *kit.Suite) {
	model := s.Model(t, kit.Obj{"fields": kit.List{
		kit.Field("body", "textarea", kit.Obj{"required": true}), kit.Field("note", "text", nil),
		kit.Field("place", "group", kit.Obj{"fields": kit.List{kit.Field("city", "text", nil),
			kit.Field("zip", "text", nil)}}),
	}})
	k := s.Key(t, nil)
	made := k.Create(t, model, kit.Obj{"title": "One", "status": "published",
		"data": kit.Obj{"body": "b", "note": "n", "place": kit.Obj{"city": "Ulm", "zip": "1"}},
		"seo":  kit.Obj{"title": "T", "description": "D"}})
	entry := "/" + model + "/" + made.Str(t, "data.id")
	k.Run(t,
		kit.Step{Name: "nothing", Call: "PUT " + entry, Body: kit.Obj{},
			Want: kit.Obj{"data.title": "One", "data.data.note": "n", "data.version": 2}},
		kit.Step{Name: "title", Call: "PUT " + entry, Body: kit.Obj{"title": "Two"},
			Want: kit.Obj{"data.title": "Two", "data.data.body": "b", "data.seo.title": "T",
				"data.version": 3, "data.status": "published"}},
		kit.Step{Name: "one field", Call: "PUT " + entry, Body: kit.Obj{"data": kit.Obj{"note": "m"}},
			Want: kit.Obj{"data.data.note": "m", "data.data.body": "b"}},
		kit.Step{Name: "one seo text", Call: "PUT " + entry, Body: kit.Obj{"seo": kit.Obj{"title": "U"}},
			Want: kit.Obj{"data.seo": kit.Obj{"title": "U", "description": "D"}}},
		kit.Step{Name: "a group as a whole", Call: "PUT " + entry,
			Body: kit.Obj{"data": kit.Obj{"place": kit.Obj{"city": "Bonn"}}},
			Want: kit.Obj{"data.data.place.city": "Bonn", "data.data.place.zip": nil}},
		kit.Step{Name: "null clears", Call: "PUT " + entry,
			Body: kit.Obj{"data": kit.Obj{"note": nil}, "seo": kit.Obj{"title": nil}},
			Want: kit.Obj{"data.data.note": nil, "data.data.body": "b", "data.seo.title": "", "data.seo.description": "D"}},
		kit.Step{Name: "required cannot be cleared", Call: "PUT " + entry, Body: kit.Obj{"data": kit.Obj{"body": nil}},
			Invalid: "data.body"},
		kit.Step{Name: "title cannot be cleared", Call: "PUT " + entry, Body: kit.Obj{"title": nil}, Invalid: "title"},
		kit.Step{Name: "unknown", Call: "PUT " + entry, Body: kit.Obj{"data": kit.Obj{"x": 1}, "y": 2}, Invalid: "data.x y"},
		kit.Step{Name: "nothing was changed by refusals", Call: "GET " + entry,
			Want: kit.Obj{"data.version": 7, "data.data.body": "b"}},
		kit.Step{Name: "unknown id", Call: "PUT /" + model + "/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f", Body: kit.Obj{},
			Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "not JSON", Call: "PUT " + entry, Body: kit.Text("application/json", "{"), Code: "BAD_REQUEST"},
		kit.Step{Name: "not in another model", Call: "PUT /" + s.Model(t, nil) + "/" + made.Str(t, "data.id"),
			Body: kit.Obj{}, Code: "ENTRY_NOT_FOUND"},
	)
	t.Run("a draft may lack what is required", func(t *testing.T) {
		draft := k.Create(t, model, kit.Obj{"title": "Draft", "data": kit.Obj{"body": "b"}}).Str(t, "data.id")
		k.Put(t, "/"+model+"/"+draft, kit.Obj{"data": kit.Obj{"body": nil}})
		k.Step(t, kit.Step{Call: "PUT /" + model + "/" + draft, Body: kit.Obj{"status": "published"}, Invalid: "data.body"})
		k.Put(t, "/"+model+"/"+draft, kit.Obj{"status": "published", "data": kit.Obj{"body": "c"}})
	})
}

func statuses(t *testing.T, s *kit.Suite) {
	model := s.Model(t, nil)
	k := s.Key(t, nil)
	entry := "/" + model + "/" + k.Create(t, model, kit.Obj{"title": "Moves"}).Str(t, "data.id")
	k.Step(t, kit.Step{Call: "GET " + entry, Code: "ENTRY_NOT_FOUND"})
	first := k.Step(t, kit.Step{Call: "PUT " + entry, Body: kit.Obj{"status": "published"},
		Want: kit.Obj{"data.published_at": kit.Timestamp}}).Str(t, "data.published_at")
	k.Run(t,
		kit.Step{Name: "read at once", Call: "GET " + entry, Want: kit.Obj{"data.published_at": first}},
		kit.Step{Name: "listed at once", Call: "GET /" + model, Want: kit.Obj{"meta.total": 1, "data.0.title": "Moves"}},
		kit.Step{Name: "an edit keeps the time", Call: "PUT " + entry, Body: kit.Obj{"title": "Moved"},
			Want: kit.Obj{"data.published_at": first}},
		kit.Step{Name: "archived keeps the time", Call: "PUT " + entry, Body: kit.Obj{"status": "archived"},
			Want: kit.Obj{"data.status": "archived", "data.published_at": first}},
		kit.Step{Name: "hidden at once", Call: "GET " + entry, Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "not listed", Call: "GET /" + model, Want: kit.Obj{"meta.total": 0, "data": kit.List{}}},
	)
	again := k.Put(t, entry, kit.Obj{"status": "published"}).Str(t, "data.published_at")
	if again <= first {
		t.Errorf("published again at %s, not after %s", again, first)
	}
}

func drafts(t *testing.T, s *kit.Suite) {
	model := s.Model(t, nil)
	plain, admin := s.Key(t, nil), s.AdminKey(t)
	ids := map[string]string{}
	for _, status := range []string{"draft", "published", "archived"} {
		ids[status] = plain.Create(t, model, kit.Obj{"title": status, "slug": "is-" + status,
			"status": status}).Str(t, "data.id")
	}
	for status, id := range ids {
		seen := kit.Step{Want: kit.Obj{"data.id": id, "data.status": status}}
		hidden := seen
		if status != "published" {
			hidden = kit.Step{Code: "ENTRY_NOT_FOUND"}
		}
		for _, path := range []string{"/" + id, "/is-" + status} {
			seen.Call, hidden.Call = "GET /"+model+path, "GET /"+model+path
			seen.Name, hidden.Name = "admin "+status+path, "plain "+status+path
			admin.Run(t, seen)
			plain.Run(t, hidden)
		}
	}
	l := "GET /" + model
	plain.Run(t,
		kit.Step{Name: "plain list", Call: l, Want: kit.Obj{"meta.total": 1, "data.0.id": ids["published"]}},
		kit.Step{Name: "plain filter published", Call: l + "?filter%5Bstatus%5D=published", Want: kit.Obj{"meta.total": 1}},
		kit.Step{Name: "plain filter draft", Call: l + "?filter%5Bstatus%5D=draft",
			Want: kit.Obj{"meta.total": 0, "data": kit.List{}}},
		kit.Step{Name: "plain filter any", Call: l + "?filter%5Bstatus%5D=any",
			Want: kit.Obj{"data.#": kit.Matcher(atMostOne)}},
	)
	admin.Run(t,
		kit.Step{Name: "admin list", Call: l, Want: kit.Obj{"meta.total": 1, "data.0.id": ids["published"]}},
		kit.Step{Name: "admin filter draft", Call: l + "?filter%5Bstatus%5D=draft",
			Want: kit.Obj{"meta.total": 1, "data.0.id": ids["draft"]}},
		kit.Step{Name: "admin filter archived", Call: l + "?filter%5Bstatus%5D=archived",
			Want: kit.Obj{"meta.total": 1, "data.0.id": ids["archived"]}},
		kit.Step{Name: "admin filter any", Call: l + "?filter%5Bstatus%5D=any", Want: kit.Obj{"meta.total": 3}},
	)
	plain.Run(t,
		kit.Step{Name: "a key without a role updates a draft", Call: "PUT /" + model + "/" + ids["draft"],
			Body: kit.Obj{"title": "New"}, Want: kit.Obj{"data.title": "New", "data.status": "draft"}},
		kit.Step{Name: "and deletes one", Call: "DELETE /" + model + "/" + ids["draft"], Status: 204},
	)
	admin.Run(t, kit.Step{Name: "it is gone", Call: "GET /" + model + "/" + ids["draft"], Code: "ENTRY_NOT_FOUND"})
}

func atMostOne(v any) error {
	if n, ok := v.(float64); ok && n <= 1 {
		return nil
	}
	return kit.Compare(v, 1)
}

func deleteEntries(t *testing.T, s *kit.Suite) {
	model := s.Model(t, nil)
	k := s.Key(t, nil)
	id := k.Create(t, model, kit.Obj{"title": "Gone", "status": "published"}).Str(t, "data.id")
	k.Publish(t, model, "Stays", nil)
	k.Run(t,
		kit.Step{Name: "of another model", Call: "DELETE /" + s.Model(t, nil) + "/" + id, Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "delete", Call: "DELETE /" + model + "/" + id, Status: 204},
		kit.Step{Name: "again", Call: "DELETE /" + model + "/" + id, Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "by id", Call: "GET /" + model + "/" + id, Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "by slug", Call: "GET /" + model + "/gone", Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "update", Call: "PUT /" + model + "/" + id, Body: kit.Obj{}, Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "list", Call: "GET /" + model, Want: kit.Obj{"meta.total": 1, "data.0.title": "Stays"}},
		kit.Step{Name: "the slug is free", Call: "POST /" + model, Body: kit.Obj{"title": "Gone"}, Status: 201,
			Want: kit.Obj{"data.slug": "gone"}},
		kit.Step{Name: "unknown id", Call: "DELETE /" + model + "/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f",
			Code: "ENTRY_NOT_FOUND"},
	)
}

func entryLocales(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	k := s.Key(t, nil)
	home := s.DefaultLocale(t)
	model := s.Model(t, kit.Obj{"localized": true})
	en := k.Create(t, model, kit.Obj{"title": "House", "slug": "same", "status": "published"}).Str(t, "data.id")
	de := k.Create(t, model, kit.Obj{"title": "Haus", "slug": "same", "status": "published",
		"locale": "de"}).Str(t, "data.id")
	by := "GET /" + model + "/"
	k.Run(t,
		kit.Step{Name: "slug, default", Call: by + "same", Want: kit.Obj{"data.id": en, "data.locale": home}},
		kit.Step{Name: "slug, locale", Call: by + "same?locale=de", Want: kit.Obj{"data.id": de}},
		kit.Step{Name: "slug, filter", Call: by + "same?filter%5Blocale%5D=de", Want: kit.Obj{"data.id": de}},
		kit.Step{Name: "slug, locale before filter", Call: by + "same?locale=de&filter%5Blocale%5D=" + home,
			Want: kit.Obj{"data.id": de}},
		kit.Step{Name: "id", Call: by + de, Want: kit.Obj{"data.locale": "de"}},
		kit.Step{Name: "id, its locale", Call: by + de + "?locale=de"},
		kit.Step{Name: "id, another", Call: by + de + "?locale=" + home, Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "list, default", Call: "GET /" + model, Want: kit.Obj{"meta.total": 1, "data.0.id": en}},
		kit.Step{Name: "list, filter", Call: "GET /" + model + "?filter%5Blocale%5D=de",
			Want: kit.Obj{"meta.total": 1, "data.0.id": de}},
		kit.Step{Name: "taken in the locale", Call: "POST /" + model,
			Body: kit.Obj{"title": "x", "slug": "same", "locale": "de"}, Code: "SLUG_CONFLICT"},
		kit.Step{Name: "moved to none", Call: "PUT /" + model + "/" + de, Body: kit.Obj{"locale": nil},
			Code: "VALIDATION_FAILED", Want: kit.Obj{"error.details": kit.Obj{"locale": kit.List{"is required"}}}},
		kit.Step{Name: "moved to a taken one", Call: "PUT /" + model + "/" + de, Body: kit.Obj{"locale": home},
			Code: "SLUG_CONFLICT"},
	)
	flat := s.Model(t, nil)
	k.Run(t,
		kit.Step{Name: "not localized, default", Call: "POST /" + flat, Body: kit.Obj{"title": "x", "locale": home},
			Status: 201},
		kit.Step{Name: "not localized, another", Call: "POST /" + flat, Body: kit.Obj{"title": "x", "locale": "de"},
			Invalid: "locale"},
	)
	t.Run("inactive", func(t *testing.T) {
		admin := s.Admin(t)
		s.UseLocale(t, "is", "Íslenska")
		k.Create(t, model, kit.Obj{"title": "Hús", "locale": "is"})
		admin.Put(t, "/locales/is", kit.Obj{"is_active": false})
		k.Step(t, kit.Step{Call: "POST /" + model, Body: kit.Obj{"title": "x", "locale": "is"}, Invalid: "locale"})
		s.Public().Get(t, "/i18n/locales").Has(t, "no inactive locale",
			kit.Obj{"data": kit.Not(kit.Item(kit.Obj{"code": "is"}))})
		admin.Put(t, "/locales/is", kit.Obj{"is_active": true})
		k.Create(t, model, kit.Obj{"title": "x", "locale": "is"})
	})
}

func ifMatch(t *testing.T, s *kit.Suite) {
	model := s.Model(t, nil)
	k := s.Key(t, nil)
	entry := "/" + model + "/" + k.Publish(t, model, "Matched", nil)
	old := k.Get(t, entry).Header.Get("ETag")
	k.With("If-Match", old).Put(t, entry, kit.Obj{"title": "One"})
	fresh := k.Get(t, entry).Header.Get("ETag")
	stale := func(name, call, tag string) {
		k.With("If-Match", tag).Run(t, kit.Step{Name: name, Call: call, Body: kit.Obj{"title": "Two"},
			Code: "PRECONDITION_FAILED"})
	}
	stale("older", "PUT "+entry, old)
	stale("made up", "PUT "+entry, `"x"`)
	stale("weak", "PUT "+entry, "W/"+fresh)
	k.With("If-Match", old).Run(t, kit.Step{Name: "delete, older", Call: "DELETE " + entry, Code: "PRECONDITION_FAILED"})
	k.Run(t, kit.Step{Name: "unchanged", Call: "GET " + entry, Want: kit.Obj{"data.title": "One", "data.version": 2}})
	put := k.With("If-Match", old+", "+fresh).Step(t, kit.Step{Name: "list of tags", Call: "PUT " + entry,
		Body: kit.Obj{"title": "Three"}})
	k.Step(t, kit.Step{Name: "the tag of an update is that of the next read", Call: "GET " + entry,
		Header: kit.Obj{"ETag": put.Header.Get("ETag")}})
	k.With("If-Match", "*").Run(t,
		kit.Step{Name: "star, of nothing", Call: "PUT /" + model + "/" + kit.UnknownID, Body: kit.Obj{},
			Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "star", Call: "PUT " + entry, Body: kit.Obj{"title": "Four"}},
		kit.Step{Name: "star, delete", Call: "DELETE " + entry, Status: 204},
	)
	k.Step(t, kit.Step{Name: "after the delete", Call: "GET " + entry, Code: "ENTRY_NOT_FOUND"})
}
