package content

import (
	"encoding/json"
	"testing"

	"headless/pkg/e2e/kit"
)

// Drafts has the scenarios of drafts beside entries (extensions §2).
var Drafts = []kit.Scenario{
	{Name: "drafts/save", Run: saveDrafts},
	{Name: "drafts/removed field", Run: draftsOfRemovedFields},
	{Name: "drafts/checks", Run: draftChecks},
	{Name: "drafts/publish", Run: publishDrafts},
	{Name: "drafts/outdated", Run: outdatedDrafts},
	{Name: "drafts/roles", Run: draftRoles},
	{Name: "drafts/reads", Run: readWithDrafts},
	{Name: "drafts/match", Run: matchDrafts},
	{Name: "drafts/single", Run: singleDrafts},
	{Name: "drafts/admin", Run: adminDrafts},
	{Name: "drafts/incomplete", Run: incompleteEntries},
}

func draftModel(t *testing.T, s *kit.Suite) string {
	return s.Model(t, kit.Obj{"fields": kit.List{
		kit.Field("body", "textarea", kit.Obj{"required": true, "searchable": true}),
		kit.Field("code", "text", kit.Obj{"pattern": "^[A-Z]+$", "min": 2, "max": 5, "unique": true}),
		kit.Field("n", "number", kit.Obj{"max": 9}),
		kit.Field("kind", "select", kit.Obj{"options": kit.List{"a", "b"}}),
	}})
}

// draftsOfRemovedFields sends back a draft that was read before a field was removed from its model.
func draftsOfRemovedFields(t *testing.T, s *kit.Suite) {
	k, admin := s.AdminKey(t), s.Admin(t)
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("body", "textarea", nil), kit.Field("old", "text", nil),
		kit.Field("g", "group", kit.Obj{"fields": kit.List{kit.Field("a", "text", nil), kit.Field("b", "text", nil)}})}})
	id := k.Create(t, model, kit.Obj{"title": "Live", "data": kit.Obj{"body": "b", "old": "o"}}).Str(t, "data.id")
	draft := "/" + model + "/" + id + "/draft"
	read := k.Put(t, draft, kit.Obj{"data": kit.Obj{"body": "c", "old": "p",
		"g": kit.Obj{"a": "1", "b": "2"}}}).Get("data").(kit.Obj)
	delete(read, "published_at")
	admin.Put(t, "/models/"+model, kit.Obj{"fields": kit.List{kit.Field("body", "textarea", nil),
		kit.Field("g", "group", kit.Obj{"fields": kit.List{kit.Field("a", "text", nil)}})}})
	k.Run(t,
		kit.Step{Name: "sent back", Call: "PUT " + draft, Body: read,
			Want: kit.Obj{"data.data.body": "c", "data.data.g": kit.Obj{"a": "1"}}},
		kit.Step{Name: "never a field", Call: "PUT " + draft, Body: kit.Obj{"data": kit.Obj{"none": "x"}},
			Invalid: "data.none"},
	)
}

func saveDrafts(t *testing.T, s *kit.Suite) {
	model, k := draftModel(t, s), s.AdminKey(t)
	made := k.Create(t, model, kit.Obj{"title": "Live", "status": "published",
		"data": kit.Obj{"body": "b", "n": 1}, "seo": kit.Obj{"title": "S", "description": "D"}})
	entry := "/" + model + "/" + made.Str(t, "data.id")
	k.Run(t,
		kit.Step{Name: "none yet", Call: "GET " + entry + "/draft", Code: "NOT_FOUND"},
		kit.Step{Name: "nothing to discard", Call: "DELETE " + entry + "/draft", Code: "NOT_FOUND"},
		kit.Step{Name: "save", Call: "PUT " + entry + "/draft",
			Body: kit.Obj{"title": "New", "data": kit.Obj{"n": 2}, "seo": kit.Obj{"title": "T"}, "status": "archived"},
			Want: kit.Obj{
				"data.title": "New", "data.status": "published", "data.data": kit.Obj{"body": "b", "n": 2},
				"data.seo": kit.Obj{"title": "T", "description": "D"}, "data.version": 1,
				"meta.draft.version": 1, "meta.draft.base_version": 1,
				"meta.draft.updated_at": kit.Timestamp, "meta.draft.actor": k.Name,
			}},
		kit.Step{Name: "on top", Call: "PUT " + entry + "/draft", Body: kit.Obj{"data": kit.Obj{"body": nil}},
			Want: kit.Obj{"data.title": "New", "data.data": kit.Obj{"n": 2}, "meta.draft.version": 2}},
		kit.Step{Name: "read", Call: "GET " + entry + "/draft",
			Want: kit.Obj{"data.title": "New", "meta.draft.version": 2}},
		kit.Step{Name: "the entry is as it was", Call: "GET " + entry,
			Want: kit.Obj{"data": made.Get("data"), "meta": kit.Obj{}}},
		kit.Step{Name: "discard", Call: "DELETE " + entry + "/draft", Status: 204},
		kit.Step{Name: "gone", Call: "GET " + entry + "/draft", Code: "NOT_FOUND"},
		kit.Step{Name: "a new one starts again", Call: "PUT " + entry + "/draft", Body: kit.Obj{"title": "Newer"},
			Want: kit.Obj{"meta.draft.version": 1}},
		kit.Step{Name: "into the trash", Call: "DELETE " + entry, Status: 204},
		kit.Step{Name: "not there", Call: "GET " + entry + "/draft", Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "not to be saved", Call: "PUT " + entry + "/draft", Body: kit.Obj{"title": "x"},
			Code: "ENTRY_NOT_FOUND"},
	)
	s.Admin(t).OK(t, 200, "POST /trash/"+made.Str(t, "data.id")+"/restore", nil)
	k.Run(t,
		kit.Step{Name: "back with its entry", Call: "GET " + entry + "/draft",
			Want: kit.Obj{"data.title": "Newer", "meta.draft.version": 1}},
		kit.Step{Name: "by slug", Call: "GET /" + model + "/live/draft", Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "unknown below", Call: "GET " + entry + "/drafts", Code: "NOT_FOUND"},
		kit.Step{Name: "other methods", Call: "POST " + entry + "/draft", Body: kit.Obj{}, Code: "METHOD_NOT_ALLOWED"},
	)
}

func draftChecks(t *testing.T, s *kit.Suite) {
	model, k := draftModel(t, s), s.AdminKey(t)
	entry := "/" + model + "/" +
		k.Create(t, model, kit.Obj{"title": "T", "status": "published", "data": kit.Obj{"body": "b"}}).Str(t, "data.id")
	bad := func(name string, body kit.Obj, invalid string) kit.Step {
		return kit.Step{Name: name, Call: "PUT " + entry + "/draft", Body: body, Invalid: invalid}
	}
	k.Run(t,
		bad("types", kit.Obj{"title": 1, "data": kit.Obj{"n": "x"}}, "title data.n"),
		bad("unknown names", kit.Obj{"more": 1, "data": kit.Obj{"more": 1}, "seo": kit.Obj{"more": "x"}},
			"more data.more seo.more"),
		bad("long text", kit.Obj{"data": kit.Obj{"code": "ABCDEF"}}, "data.code"),
		bad("option", kit.Obj{"data": kit.Obj{"kind": "c"}}, "data.kind"),
		bad("slug", kit.Obj{"slug": "A B"}, "slug"),
		bad("empty title", kit.Obj{"title": ""}, "title"),
		bad("locale", kit.Obj{"locale": "xx"}, "locale"),
		bad("translation", kit.Obj{"translation_of": kit.UnknownID}, "translation_of"),
		bad("base version", kit.Obj{"base_version": 99}, "base_version"),
		bad("base version's type", kit.Obj{"base_version": "1"}, "base_version"),
		kit.Step{Name: "left to publishing", Call: "PUT " + entry + "/draft",
			Body: kit.Obj{"locale": s.DefaultLocale(t), "data": kit.Obj{"body": nil, "code": "x", "n": 10}}},
		kit.Step{Name: "publishing checks all", Call: "POST " + entry + "/publish", Invalid: "data.body data.code data.n"},
	)
	k.Put(t, entry+"/draft", k.Get(t, entry+"/draft").Get("data"))
}

func publishDrafts(t *testing.T, s *kit.Suite) {
	model, k := draftModel(t, s), s.Key(t, nil)
	made := k.Create(t, model, kit.Obj{"title": "One", "status": "published", "data": kit.Obj{"body": "b"}})
	entry, at := "/"+model+"/"+made.Str(t, "data.id"), made.Str(t, "data.published_at")
	k.Put(t, entry+"/draft", kit.Obj{"title": "Two", "slug": "two"})
	k.Run(t,
		kit.Step{Name: "publish", Call: "POST " + entry + "/publish", Want: kit.Obj{
			"data.title": "Two", "data.slug": "two", "data.version": 2, "data.status": "published",
			"data.published_at": at, "data.data.body": "b",
		}},
		kit.Step{Name: "read at once", Call: "GET /" + model + "/two", Want: kit.Obj{"data.title": "Two"}},
		kit.Step{Name: "without a draft, a save like any", Call: "POST " + entry + "/publish", Body: kit.Obj{},
			Want: kit.Obj{"data.version": 3, "data.published_at": at}},
		kit.Step{Name: "unknown option", Call: "POST " + entry + "/publish", Body: kit.Obj{"now": true}, Invalid: "now"},
		kit.Step{Name: "option of another type", Call: "POST " + entry + "/publish", Body: kit.Obj{"force": 1},
			Invalid: "force"},
	)
	k.Put(t, entry+"/draft", kit.Obj{"title": "Three", "slug": nil})
	k.Run(t,
		kit.Step{Name: "unpublish", Call: "POST " + entry + "/unpublish",
			Want: kit.Obj{"data.status": "draft", "data.title": "Two", "data.version": 4}},
		kit.Step{Name: "hidden at once", Call: "GET " + entry, Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "the draft stayed", Call: "POST " + entry + "/publish",
			Want: kit.Obj{"data.title": "Three", "data.slug": "three", "data.published_at": kit.Not(at)}},
	)
	k.Create(t, model, kit.Obj{"title": "x", "slug": "taken", "data": kit.Obj{"body": "b", "code": "AB"}})
	k.Put(t, entry+"/draft", kit.Obj{"slug": "taken"})
	k.Step(t, kit.Step{Call: "POST " + entry + "/publish", Code: "SLUG_CONFLICT"})
	k.Put(t, entry+"/draft", kit.Obj{"slug": "free", "data": kit.Obj{"code": "AB"}})
	k.Step(t, kit.Step{Call: "POST " + entry + "/publish", Code: "CONFLICT"})
	k.Run(t,
		kit.Step{Name: "unknown", Call: "POST /" + model + "/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f/publish",
			Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "by slug", Call: "POST /" + model + "/three/unpublish", Code: "ENTRY_NOT_FOUND"},
	)
}

func outdatedDrafts(t *testing.T, s *kit.Suite) {
	model, k := draftModel(t, s), s.AdminKey(t)
	entry := "/" + model + "/" +
		k.Create(t, model, kit.Obj{"title": "One", "status": "published", "data": kit.Obj{"body": "b"}}).Str(t, "data.id")
	k.Put(t, entry+"/draft", kit.Obj{"data": kit.Obj{"n": 2}})
	k.Put(t, entry, kit.Obj{"status": "archived"})
	k.Step(t, kit.Step{Name: "another status does not count", Call: "POST " + entry + "/publish",
		Want: kit.Obj{"data.data.n": 2}})
	k.Put(t, entry+"/draft", kit.Obj{"data": kit.Obj{"n": 3}})
	k.Put(t, entry, kit.Obj{"title": "Two"})
	now := k.Get(t, entry)
	k.Run(t,
		kit.Step{Name: "outdated", Call: "POST " + entry + "/publish", Code: "PRECONDITION_FAILED"},
		kit.Step{Name: "still", Call: "POST " + entry + "/publish", Body: kit.Obj{"force": false},
			Code: "PRECONDITION_FAILED"},
		kit.Step{Name: "looked at", Call: "PUT " + entry + "/draft",
			Body: kit.Obj{"base_version": json.Number(kit.Str(now.Get("data.version")) + ".0")},
			Want: kit.Obj{"meta.draft.base_version": now.Get("data.version")}},
		kit.Step{Name: "published", Call: "POST " + entry + "/publish",
			Want: kit.Obj{"data.title": "Two", "data.data.n": 3}},
	)
	k.Put(t, entry+"/draft", kit.Obj{"data": kit.Obj{"n": 4}})
	k.Put(t, entry, kit.Obj{"slug": "moved"})
	k.Step(t, kit.Step{Call: "POST " + entry + "/publish", Code: "PRECONDITION_FAILED"})
	k.Step(t, kit.Step{Call: "POST " + entry + "/publish", Body: kit.Obj{"force": true},
		Want: kit.Obj{"data.slug": "moved", "data.data.n": 4}})
}

func draftRoles(t *testing.T, s *kit.Suite) {
	model := draftModel(t, s)
	admin, plain, reader := s.AdminKey(t), s.Key(t, nil),
		s.Key(t, kit.Obj{"scopes": kit.List{"read"}, "role": "admin"})
	id := plain.Create(t, model, kit.Obj{"title": "One", "status": "published",
		"data": kit.Obj{"body": "b"}}).Str(t, "data.id")
	entry := "/" + model + "/" + id
	plain.Run(t,
		kit.Step{Name: "saves and sees the id only", Call: "PUT " + entry + "/draft", Body: kit.Obj{"title": "Hidden"},
			Want: kit.Obj{"data": kit.Obj{"id": id}, "meta.draft.version": 1}},
		kit.Step{Name: "does not read", Call: "GET " + entry + "/draft", Code: "FORBIDDEN"},
		kit.Step{Name: "learns nothing", Call: "GET /" + kit.Unique("none") + "/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f/draft",
			Code: "FORBIDDEN"},
		kit.Step{Name: "no version", Call: "GET " + entry + "?version=draft", Code: "FORBIDDEN"},
		kit.Step{Name: "no version in lists", Call: "GET /" + model + "?version=draft", Code: "FORBIDDEN"},
		kit.Step{Name: "no filter", Call: "GET /" + model + "?filter%5Bhas_draft%5D=true", Code: "BAD_REQUEST"},
		kit.Step{Name: "no sort", Call: "GET /" + model + "?sort=has_draft", Code: "BAD_REQUEST"},
		kit.Step{Name: "published is for all", Call: "GET " + entry + "?version=published",
			Want: kit.Obj{"data.title": "One"}},
		kit.Step{Name: "other versions", Call: "GET " + entry + "?version=1", Code: "BAD_REQUEST"},
	)
	reader.Run(t,
		kit.Step{Name: "reads", Call: "GET " + entry + "/draft", Want: kit.Obj{"data.title": "Hidden"}},
		kit.Step{Name: "does not save", Call: "PUT " + entry + "/draft", Body: kit.Obj{"title": "x"}, Code: "FORBIDDEN"},
		kit.Step{Name: "does not discard", Call: "DELETE " + entry + "/draft", Code: "FORBIDDEN"},
		kit.Step{Name: "does not publish", Call: "POST " + entry + "/publish", Code: "FORBIDDEN"},
		kit.Step{Name: "does not unpublish", Call: "POST " + entry + "/unpublish", Code: "FORBIDDEN"},
	)
	plain.Step(t, kit.Step{Name: "discards", Call: "DELETE " + entry + "/draft", Status: 204})
	admin.Step(t, kit.Step{Name: "gone", Call: "GET " + entry + "/draft", Code: "NOT_FOUND"})
}

func readWithDrafts(t *testing.T, s *kit.Suite) {
	w := kit.Word()
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("body", "textarea", kit.Obj{"searchable": true})}})
	refers := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("to", "relation", kit.Obj{"model": model})}})
	k := s.AdminKey(t)
	a := k.Publish(t, model, "A", kit.Obj{"body": "old"})
	b := k.Publish(t, model, "B", kit.Obj{"body": "old"})
	from := k.Publish(t, refers, "From", kit.Obj{"to": a})
	k.Put(t, "/"+model+"/"+a+"/draft", kit.Obj{"title": w, "slug": "new", "data": kit.Obj{"body": w}})
	l := "GET /" + model
	k.Run(t,
		kit.Step{Name: "one", Call: l + "/" + a + "?version=draft",
			Want: kit.Obj{"data.title": w, "data.status": "published", "meta.draft.version": 1, "data.draft": nil}},
		kit.Step{Name: "one without", Call: l + "/" + b + "?version=draft",
			Want: kit.Obj{"data.title": "B", "meta": kit.Obj{}}},
		kit.Step{Name: "by the stored slug", Call: l + "/a?version=draft", Want: kit.Obj{"data.slug": "new"}},
		kit.Step{Name: "not by the draft's", Call: l + "/new?version=draft", Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "list", Call: l + "?version=draft&sort=title",
			Want: kit.Obj{"data.0.title": w, "data.0.draft.version": 1, "data.1.draft": nil, "meta.total": 2}},
		kit.Step{Name: "include", Call: "GET /" + refers + "/" + from + "?version=draft&include=to",
			Want: kit.Obj{"data.data.to.title": w, "data.data.to.draft.version": 1}},
		kit.Step{Name: "include without", Call: "GET /" + refers + "/" + from + "?include=to",
			Want: kit.Obj{"data.data.to.title": "A", "data.data.to.draft": nil}},
		kit.Step{Name: "filter", Call: l + "?filter%5Bhas_draft%5D=true",
			Want: kit.Obj{"meta.total": 1, "data.0.id": a, "data.0.title": "A"}},
		kit.Step{Name: "filter, none", Call: l + "?filter%5Bhas_draft%5D=false",
			Want: kit.Obj{"meta.total": 1, "data.0.id": b}},
		kit.Step{Name: "sort", Call: l + "?sort=-has_draft", Want: kit.Obj{"data.0.id": a, "data.1.id": b}},
		kit.Step{Name: "search goes by the entry", Call: "GET /search?q=" + w, Want: kit.Obj{"meta.total": 0}},
	)
}

func matchDrafts(t *testing.T, s *kit.Suite) {
	model, k := draftModel(t, s), s.AdminKey(t)
	entry := "/" + model + "/" +
		k.Create(t, model, kit.Obj{"title": "One", "status": "published", "data": kit.Obj{"body": "b"}}).Str(t, "data.id")
	k.With("If-Match", "*").Step(t, kit.Step{Name: "no draft yet", Call: "PUT " + entry + "/draft",
		Body: kit.Obj{"title": "x"}, Code: "PRECONDITION_FAILED"})
	k.Put(t, entry+"/draft", kit.Obj{"title": "Two"})
	old := k.Get(t, entry+"/draft").Header.Get("ETag")
	k.With("If-None-Match", old).OK(t, 304, "GET "+entry+"/draft", nil)
	k.With("If-Match", old).Put(t, entry+"/draft", kit.Obj{"title": "Three"})
	stale := k.With("If-Match", old)
	stale.Run(t,
		kit.Step{Name: "save", Call: "PUT " + entry + "/draft", Body: kit.Obj{"title": "x"}, Code: "PRECONDITION_FAILED"},
		kit.Step{Name: "discard", Call: "DELETE " + entry + "/draft", Code: "PRECONDITION_FAILED"},
		kit.Step{Name: "publish", Call: "POST " + entry + "/publish", Body: kit.Obj{"force": true},
			Code: "PRECONDITION_FAILED"},
		kit.Step{Name: "unpublish", Call: "POST " + entry + "/unpublish", Code: "PRECONDITION_FAILED"},
	)
	tag := k.Get(t, entry).Header.Get("ETag")
	k.With("If-Match", tag).Step(t, kit.Step{Call: "POST " + entry + "/publish", Want: kit.Obj{"data.title": "Three"}})
}

func singleDrafts(t *testing.T, s *kit.Suite) {
	model, k := s.Model(t, kit.Obj{"kind": "single"}), s.AdminKey(t)
	k.Step(t, kit.Step{Name: "no entry", Call: "PUT /" + model + "/single/draft", Body: kit.Obj{"title": "x"},
		Code: "ENTRY_NOT_FOUND"})
	k.Create(t, model, kit.Obj{"title": "Home", "status": "published"})
	k.Run(t,
		kit.Step{Name: "save", Call: "PUT /" + model + "/single/draft", Body: kit.Obj{"title": "New home"}},
		kit.Step{Name: "read", Call: "GET /" + model + "?version=draft",
			Want: kit.Obj{"data.title": "New home", "meta.draft.version": 1}},
		kit.Step{Name: "publish", Call: "POST /" + model + "/single/publish", Want: kit.Obj{"data.title": "New home"}},
		kit.Step{Name: "unpublish", Call: "POST /" + model + "/single/unpublish", Want: kit.Obj{"data.status": "draft"}},
		kit.Step{Name: "not of a collection", Call: "POST /" + s.Model(t, nil) + "/single/publish",
			Code: "ENTRY_NOT_FOUND"},
	)
}

func adminDrafts(t *testing.T, s *kit.Suite) {
	admin, k := s.Admin(t), s.Key(t, nil)
	model := s.Model(t, nil)
	id := k.Create(t, model, kit.Obj{"title": "One", "status": "published",
		"data": kit.Obj{"body": "b"}}).Str(t, "data.id")
	entry := "/models/" + model + "/entries/" + id
	admin.Run(t,
		kit.Step{Name: "has none", Call: "GET " + entry, Want: kit.Obj{"data.has_draft": false}},
		kit.Step{Name: "save", Call: "PUT " + entry + "/draft", Body: kit.Obj{"title": "Two"},
			Want: kit.Obj{"data.title": "Two", "data.has_draft": true, "meta.draft.version": 1}},
		kit.Step{Name: "again", Call: "PUT " + entry + "/draft", Body: kit.Obj{"title": "Three"},
			Want: kit.Obj{"meta.draft.version": 2}},
		kit.Step{Name: "has one", Call: "GET " + entry, Want: kit.Obj{"data.title": "One", "data.has_draft": true}},
		kit.Step{Name: "listed", Call: "GET /models/" + model + "/entries?filter%5Bhas_draft%5D=true&sort=has_draft",
			Want: kit.Obj{"meta.total": 1, "data.0.has_draft": true}},
		kit.Step{Name: "read", Call: "GET " + entry + "/draft", Want: kit.Obj{"data.title": "Three"}},
		kit.Step{Name: "revisions", Call: "GET " + entry + "/revisions", Want: kit.Obj{
			"meta.total": 3, "data.0.version": "d2", "data.0.draft": true, "data.0.title": "Three",
			"data.1.version": "d1", "data.2.version": 1,
		}},
		kit.Step{Name: "activity",
			Call: "GET /activity?filter%5Bsubject_id%5D=" + id + "&filter%5Bevent%5D=entry.draft_saved",
			Want: kit.Obj{"data.#": 1, "data.0.subject_id": id}},
		kit.Step{Name: "discard", Call: "DELETE " + entry + "/draft", Status: 204},
		kit.Step{Name: "discarded", Call: "GET /activity?filter%5Bsubject_id%5D=" + id +
			"&filter%5Bevent%5D=entry.draft_discarded", Status: 200, Want: kit.Obj{"data.#": 1}},
		kit.Step{Name: "restore", Call: "POST " + entry + "/revisions/d1/restore",
			Want: kit.Obj{"data.title": "Two", "meta.draft.version": 1}},
		kit.Step{Name: "unknown revision", Call: "POST " + entry + "/revisions/d99/restore", Code: "NOT_FOUND"},
		kit.Step{Name: "publish", Call: "POST " + entry + "/publish", Body: kit.Obj{},
			Want: kit.Obj{"data.title": "Two", "data.has_draft": false}},
		kit.Step{Name: "unpublish", Call: "POST " + entry + "/unpublish", Body: kit.Obj{},
			Want: kit.Obj{"data.status": "draft"}},
		kit.Step{Name: "none left", Call: "GET " + entry + "/draft", Code: "NOT_FOUND"},
	)
}

func incompleteEntries(t *testing.T, s *kit.Suite) {
	model, k := draftModel(t, s), s.AdminKey(t)
	post := "POST /" + model + "?draft=true"
	k.Run(t,
		kit.Step{Name: "incomplete", Call: post, Body: kit.Obj{"title": "Begun", "data": kit.Obj{"code": "x"}}, Status: 201,
			Want: kit.Obj{"data.status": "draft", "data.version": 1}},
		kit.Step{Name: "another status", Call: post, Body: kit.Obj{"title": "x", "status": "published"}, Invalid: "status"},
		kit.Step{Name: "the rest is checked", Call: post,
			Body: kit.Obj{"title": "x", "data": kit.Obj{"n": 10, "kind": "c"}}, Invalid: "data.n data.kind"},
		kit.Step{Name: "without", Call: "POST /" + model, Body: kit.Obj{"title": "x"}, Invalid: "data.body"},
		kit.Step{Name: "another value", Call: "POST /" + model + "?draft=1", Body: kit.Obj{"title": "x"},
			Code: "BAD_REQUEST"},
	)
}
