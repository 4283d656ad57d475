package e2e

import "testing"

// Drafts beside entries (extensions §2).
var draftScenarios = []scenario{
	{name: "drafts/save", run: saveDrafts},
	{name: "drafts/removed field", run: draftsOfRemovedFields},
	{name: "drafts/checks", run: draftChecks},
	{name: "drafts/publish", run: publishDrafts},
	{name: "drafts/outdated", run: outdatedDrafts},
	{name: "drafts/roles", run: draftRoles},
	{name: "drafts/reads", run: readWithDrafts},
	{name: "drafts/match", run: matchDrafts},
	{name: "drafts/single", run: singleDrafts},
	{name: "drafts/admin", run: adminDrafts},
	{name: "drafts/incomplete", run: incompleteEntries},
}

func draftModel(t *testing.T, s *suite) string {
	return s.model(t, obj{"fields": list{
		field("body", "textarea", obj{"required": true, "searchable": true}),
		field("code", "text", obj{"pattern": "^[A-Z]+$", "min": 2, "max": 5, "unique": true}),
		field("n", "number", obj{"max": 9}), field("kind", "select", obj{"options": list{"a", "b"}}),
	}})
}

// draftsOfRemovedFields sends back a draft that was read before a field was removed from its model.
func draftsOfRemovedFields(t *testing.T, s *suite) {
	k, admin := s.adminKey(t), s.admin(t)
	model := s.model(t, obj{"fields": list{field("body", "textarea", nil), field("old", "text", nil),
		field("g", "group", obj{"fields": list{field("a", "text", nil), field("b", "text", nil)}})}})
	id := k.create(t, model, obj{"title": "Live", "data": obj{"body": "b", "old": "o"}}).str(t, "data.id")
	draft := "/" + model + "/" + id + "/draft"
	read := k.ok(t, 200, "PUT "+draft, obj{"data": obj{"body": "c", "old": "p", "g": obj{"a": "1", "b": "2"}}}).get("data").(obj)
	delete(read, "published_at")
	admin.ok(t, 200, "PUT /models/"+model, obj{"fields": list{field("body", "textarea", nil),
		field("g", "group", obj{"fields": list{field("a", "text", nil)}})}})
	k.run(t,
		step{name: "sent back", call: "PUT " + draft, body: read, status: 200,
			want: obj{"data.data.body": "c", "data.data.g": obj{"a": "1"}}},
		step{name: "never a field", call: "PUT " + draft, body: obj{"data": obj{"none": "x"}}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"data.none"}},
	)
}

func saveDrafts(t *testing.T, s *suite) {
	model, k := draftModel(t, s), s.adminKey(t)
	made := k.create(t, model, obj{"title": "Live", "status": "published",
		"data": obj{"body": "b", "n": 1}, "seo": obj{"title": "S", "description": "D"}})
	entry := "/" + model + "/" + made.str(t, "data.id")
	k.run(t,
		step{name: "none yet", call: "GET " + entry + "/draft", status: 404, code: "NOT_FOUND"},
		step{name: "nothing to discard", call: "DELETE " + entry + "/draft", status: 404, code: "NOT_FOUND"},
		step{name: "save", call: "PUT " + entry + "/draft",
			body: obj{"title": "New", "data": obj{"n": 2}, "seo": obj{"title": "T"},
				"status": "archived"}, status: 200, want: obj{
				"data.title": "New", "data.status": "published", "data.data": obj{"body": "b", "n": 2},
				"data.seo": obj{"title": "T", "description": "D"}, "data.version": 1,
				"meta.draft.version": 1, "meta.draft.base_version": 1,
				"meta.draft.updated_at": timestamp, "meta.draft.actor": k.name,
			}},
		step{name: "on top", call: "PUT " + entry + "/draft", body: obj{"data": obj{"body": nil}},
			status: 200, want: obj{"data.title": "New", "data.data": obj{"n": 2}, "meta.draft.version": 2}},
		step{name: "read", call: "GET " + entry + "/draft", status: 200,
			want: obj{"data.title": "New", "meta.draft.version": 2}},
		step{name: "the entry is as it was", call: "GET " + entry, status: 200,
			want: obj{"data": made.get("data"), "meta": obj{}}},
		step{name: "discard", call: "DELETE " + entry + "/draft", status: 204},
		step{name: "gone", call: "GET " + entry + "/draft", status: 404, code: "NOT_FOUND"},
		step{name: "a new one starts again", call: "PUT " + entry + "/draft",
			body: obj{"title": "Newer"}, status: 200, want: obj{"meta.draft.version": 1}},
		step{name: "into the trash", call: "DELETE " + entry, status: 204},
		step{name: "not there", call: "GET " + entry + "/draft", status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "not to be saved", call: "PUT " + entry + "/draft", body: obj{"title": "x"},
			status: 404, code: "ENTRY_NOT_FOUND"},
	)
	s.admin(t).ok(t, 200, "POST /trash/"+made.str(t, "data.id")+"/restore", nil)
	k.run(t,
		step{name: "back with its entry", call: "GET " + entry + "/draft", status: 200,
			want: obj{"data.title": "Newer", "meta.draft.version": 1}},
		step{name: "by slug", call: "GET /" + model + "/live/draft", status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "unknown below", call: "GET " + entry + "/drafts", status: 404, code: "NOT_FOUND"},
		step{name: "other methods", call: "POST " + entry + "/draft", body: obj{}, status: 405,
			code: "METHOD_NOT_ALLOWED"},
	)
}

func draftChecks(t *testing.T, s *suite) {
	model, k := draftModel(t, s), s.adminKey(t)
	entry := "/" + model + "/" +
		k.create(t, model,
			obj{"title": "T", "status": "published", "data": obj{"body": "b"}}).str(t, "data.id")
	bad := func(name string, body obj, details ...string) step {
		return step{name: name, call: "PUT " + entry + "/draft", body: body, status: 422,
			code: "VALIDATION_FAILED", details: details}
	}
	k.run(t,
		bad("types", obj{"title": 1, "data": obj{"n": "x"}}, "title", "data.n"),
		bad("unknown names", obj{"more": 1, "data": obj{"more": 1}, "seo": obj{"more": "x"}},
			"more", "data.more", "seo.more"),
		bad("long text", obj{"data": obj{"code": "ABCDEF"}}, "data.code"),
		bad("option", obj{"data": obj{"kind": "c"}}, "data.kind"),
		bad("slug", obj{"slug": "A B"}, "slug"),
		bad("empty title", obj{"title": ""}, "title"),
		bad("locale", obj{"locale": "xx"}, "locale"),
		bad("translation", obj{"translation_of": "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"}, "translation_of"),
		bad("base version", obj{"base_version": 99}, "base_version"),
		bad("base version's type", obj{"base_version": "1"}, "base_version"),
		step{name: "left to publishing", call: "PUT " + entry + "/draft",
			body:   obj{"locale": s.defaultLocale(t), "data": obj{"body": nil, "code": "x", "n": 10}},
			status: 200},
		step{name: "publishing checks all", call: "POST " + entry + "/publish", status: 422,
			code: "VALIDATION_FAILED", details: []string{"data.body", "data.code", "data.n"}},
	)
	k.ok(t, 200, "PUT "+entry+"/draft", k.ok(t, 200, "GET "+entry+"/draft", nil).get("data"))
}

func publishDrafts(t *testing.T, s *suite) {
	model, k := draftModel(t, s), s.key(t, nil)
	made := k.create(t, model, obj{"title": "One", "status": "published", "data": obj{"body": "b"}})
	entry, at := "/"+model+"/"+made.str(t, "data.id"), made.str(t, "data.published_at")
	k.ok(t, 200, "PUT "+entry+"/draft", obj{"title": "Two", "slug": "two"})
	k.run(t,
		step{name: "publish", call: "POST " + entry + "/publish", status: 200, want: obj{
			"data.title": "Two", "data.slug": "two", "data.version": 2, "data.status": "published",
			"data.published_at": at, "data.data.body": "b",
		}},
		step{name: "read at once", call: "GET /" + model + "/two", status: 200,
			want: obj{"data.title": "Two"}},
		step{name: "without a draft, a save like any", call: "POST " + entry + "/publish",
			body: obj{}, status: 200, want: obj{"data.version": 3, "data.published_at": at}},
		step{name: "unknown option", call: "POST " + entry + "/publish", body: obj{"now": true},
			status: 422, code: "VALIDATION_FAILED", details: []string{"now"}},
		step{name: "option of another type", call: "POST " + entry + "/publish",
			body: obj{"force": 1}, status: 422, code: "VALIDATION_FAILED", details: []string{"force"}},
	)
	k.ok(t, 200, "PUT "+entry+"/draft", obj{"title": "Three", "slug": nil})
	k.run(t,
		step{name: "unpublish", call: "POST " + entry + "/unpublish", status: 200,
			want: obj{"data.status": "draft", "data.title": "Two", "data.version": 4}},
		step{name: "hidden at once", call: "GET " + entry, status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "the draft stayed", call: "POST " + entry + "/publish", status: 200,
			want: obj{"data.title": "Three", "data.slug": "three", "data.published_at": not(at)}},
	)
	k.create(t, model, obj{"title": "x", "slug": "taken", "data": obj{"body": "b", "code": "AB"}})
	k.ok(t, 200, "PUT "+entry+"/draft", obj{"slug": "taken"})
	k.step(t, step{call: "POST " + entry + "/publish", status: 409, code: "SLUG_CONFLICT"})
	k.ok(t, 200, "PUT "+entry+"/draft", obj{"slug": "free", "data": obj{"code": "AB"}})
	k.step(t, step{call: "POST " + entry + "/publish", status: 409, code: "CONFLICT"})
	k.run(t,
		step{name: "unknown", call: "POST /" + model +
			"/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f/publish", status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "by slug", call: "POST /" + model + "/three/unpublish", status: 404,
			code: "ENTRY_NOT_FOUND"},
	)
}

func outdatedDrafts(t *testing.T, s *suite) {
	model, k := draftModel(t, s), s.adminKey(t)
	entry := "/" + model + "/" +
		k.create(t, model, obj{"title": "One", "status": "published",
			"data": obj{"body": "b"}}).str(t, "data.id")
	k.ok(t, 200, "PUT "+entry+"/draft", obj{"data": obj{"n": 2}})
	k.ok(t, 200, "PUT "+entry, obj{"status": "archived"})
	k.step(t, step{name: "another status does not count", call: "POST " + entry + "/publish",
		status: 200, want: obj{"data.data.n": 2}})
	k.ok(t, 200, "PUT "+entry+"/draft", obj{"data": obj{"n": 3}})
	k.ok(t, 200, "PUT "+entry, obj{"title": "Two"})
	now := k.ok(t, 200, "GET "+entry, nil)
	k.run(t,
		step{name: "outdated", call: "POST " + entry + "/publish", status: 412, code: "PRECONDITION_FAILED"},
		step{name: "still", call: "POST " + entry + "/publish", body: obj{"force": false},
			status: 412, code: "PRECONDITION_FAILED"},
		step{name: "looked at", call: "PUT " + entry + "/draft",
			body: obj{"base_version": now.get("data.version")}, status: 200,
			want: obj{"meta.draft.base_version": now.get("data.version")}},
		step{name: "published", call: "POST " + entry + "/publish", status: 200,
			want: obj{"data.title": "Two", "data.data.n": 3}},
	)
	k.ok(t, 200, "PUT "+entry+"/draft", obj{"data": obj{"n": 4}})
	k.ok(t, 200, "PUT "+entry, obj{"slug": "moved"})
	k.step(t, step{call: "POST " + entry + "/publish", status: 412, code: "PRECONDITION_FAILED"})
	k.step(t, step{call: "POST " + entry + "/publish", body: obj{"force": true}, status: 200,
		want: obj{"data.slug": "moved", "data.data.n": 4}})
}

func draftRoles(t *testing.T, s *suite) {
	model := draftModel(t, s)
	admin, plain, reader := s.adminKey(t), s.key(t, nil),
		s.key(t, obj{"scopes": list{"read"}, "role": "admin"})
	id := plain.create(t, model, obj{"title": "One", "status": "published",
		"data": obj{"body": "b"}}).str(t, "data.id")
	entry := "/" + model + "/" + id
	plain.run(t,
		step{name: "saves and sees the id only", call: "PUT " + entry + "/draft",
			body: obj{"title": "Hidden"}, status: 200,
			want: obj{"data": obj{"id": id}, "meta.draft.version": 1}},
		step{name: "does not read", call: "GET " + entry + "/draft", status: 403, code: "FORBIDDEN"},
		step{name: "learns nothing", call: "GET /" + unique("none") +
			"/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f/draft", status: 403, code: "FORBIDDEN"},
		step{name: "no version", call: "GET " + entry + "?version=draft", status: 403, code: "FORBIDDEN"},
		step{name: "no version in lists", call: "GET /" + model + "?version=draft", status: 403,
			code: "FORBIDDEN"},
		step{name: "no filter", call: "GET /" + model + "?filter%5Bhas_draft%5D=true", status: 400,
			code: "BAD_REQUEST"},
		step{name: "no sort", call: "GET /" + model + "?sort=has_draft", status: 400, code: "BAD_REQUEST"},
		step{name: "published is for all", call: "GET " + entry + "?version=published", status: 200,
			want: obj{"data.title": "One"}},
		step{name: "other versions", call: "GET " + entry + "?version=1", status: 400, code: "BAD_REQUEST"},
	)
	reader.run(t,
		step{name: "reads", call: "GET " + entry + "/draft", status: 200, want: obj{"data.title": "Hidden"}},
		step{name: "does not save", call: "PUT " + entry + "/draft", body: obj{"title": "x"},
			status: 403, code: "FORBIDDEN"},
		step{name: "does not discard", call: "DELETE " + entry + "/draft", status: 403, code: "FORBIDDEN"},
		step{name: "does not publish", call: "POST " + entry + "/publish", status: 403, code: "FORBIDDEN"},
		step{name: "does not unpublish", call: "POST " + entry + "/unpublish", status: 403,
			code: "FORBIDDEN"},
	)
	plain.step(t, step{name: "discards", call: "DELETE " + entry + "/draft", status: 204})
	admin.step(t, step{name: "gone", call: "GET " + entry + "/draft", status: 404, code: "NOT_FOUND"})
}

func readWithDrafts(t *testing.T, s *suite) {
	w := word()
	model := s.model(t, obj{"fields": list{field("body", "textarea", obj{"searchable": true})}})
	refers := s.model(t, obj{"fields": list{field("to", "relation", obj{"model": model})}})
	k := s.adminKey(t)
	a := k.publish(t, model, "A", obj{"body": "old"})
	b := k.publish(t, model, "B", obj{"body": "old"})
	from := k.publish(t, refers, "From", obj{"to": a})
	k.ok(t, 200, "PUT /"+model+"/"+a+"/draft", obj{"title": w, "slug": "new", "data": obj{"body": w}})
	l := "GET /" + model
	k.run(t,
		step{name: "one", call: l + "/" + a + "?version=draft", status: 200,
			want: obj{"data.title": w, "data.status": "published", "meta.draft.version": 1,
				"data.draft": nil}},
		step{name: "one without", call: l + "/" + b + "?version=draft", status: 200,
			want: obj{"data.title": "B", "meta": obj{}}},
		step{name: "by the stored slug", call: l + "/a?version=draft", status: 200,
			want: obj{"data.slug": "new"}},
		step{name: "not by the draft's", call: l + "/new?version=draft", status: 404,
			code: "ENTRY_NOT_FOUND"},
		step{name: "list", call: l + "?version=draft&sort=title", status: 200,
			want: obj{"data.0.title": w, "data.0.draft.version": 1, "data.1.draft": nil, "meta.total": 2}},
		step{name: "include", call: "GET /" + refers + "/" + from + "?version=draft&include=to",
			status: 200, want: obj{"data.data.to.title": w, "data.data.to.draft.version": 1}},
		step{name: "include without", call: "GET /" + refers + "/" + from + "?include=to",
			status: 200, want: obj{"data.data.to.title": "A", "data.data.to.draft": nil}},
		step{name: "filter", call: l + "?filter%5Bhas_draft%5D=true", status: 200,
			want: obj{"meta.total": 1, "data.0.id": a, "data.0.title": "A"}},
		step{name: "filter, none", call: l + "?filter%5Bhas_draft%5D=false", status: 200,
			want: obj{"meta.total": 1, "data.0.id": b}},
		step{name: "sort", call: l + "?sort=-has_draft", status: 200,
			want: obj{"data.0.id": a, "data.1.id": b}},
		step{name: "search goes by the entry", call: "GET /search?q=" + w, status: 200,
			want: obj{"meta.total": 0}},
	)
}

func matchDrafts(t *testing.T, s *suite) {
	model, k := draftModel(t, s), s.adminKey(t)
	entry := "/" + model + "/" +
		k.create(t, model, obj{"title": "One", "status": "published",
			"data": obj{"body": "b"}}).str(t, "data.id")
	k.with("If-Match", "*").step(t, step{name: "no draft yet", call: "PUT " + entry + "/draft",
		body: obj{"title": "x"}, status: 412, code: "PRECONDITION_FAILED"})
	k.ok(t, 200, "PUT "+entry+"/draft", obj{"title": "Two"})
	old := k.ok(t, 200, "GET "+entry+"/draft", nil).Header.Get("ETag")
	k.with("If-None-Match", old).ok(t, 304, "GET "+entry+"/draft", nil)
	k.with("If-Match", old).ok(t, 200, "PUT "+entry+"/draft", obj{"title": "Three"})
	stale := k.with("If-Match", old)
	stale.run(t,
		step{name: "save", call: "PUT " + entry + "/draft", body: obj{"title": "x"}, status: 412,
			code: "PRECONDITION_FAILED"},
		step{name: "discard", call: "DELETE " + entry + "/draft", status: 412, code: "PRECONDITION_FAILED"},
		step{name: "publish", call: "POST " + entry + "/publish", body: obj{"force": true},
			status: 412, code: "PRECONDITION_FAILED"},
		step{name: "unpublish", call: "POST " + entry + "/unpublish", status: 412,
			code: "PRECONDITION_FAILED"},
	)
	tag := k.ok(t, 200, "GET "+entry, nil).Header.Get("ETag")
	k.with("If-Match", tag).step(t, step{call: "POST " + entry + "/publish", status: 200,
		want: obj{"data.title": "Three"}})
}

func singleDrafts(t *testing.T, s *suite) {
	model, k := s.model(t, obj{"kind": "single"}), s.adminKey(t)
	k.step(t, step{name: "no entry", call: "PUT /" + model + "/single/draft",
		body: obj{"title": "x"}, status: 404, code: "ENTRY_NOT_FOUND"})
	k.create(t, model, obj{"title": "Home", "status": "published"})
	k.run(t,
		step{name: "save", call: "PUT /" + model + "/single/draft", body: obj{"title": "New home"},
			status: 200},
		step{name: "read", call: "GET /" + model + "?version=draft", status: 200,
			want: obj{"data.title": "New home", "meta.draft.version": 1}},
		step{name: "publish", call: "POST /" + model + "/single/publish", status: 200,
			want: obj{"data.title": "New home"}},
		step{name: "unpublish", call: "POST /" + model + "/single/unpublish", status: 200,
			want: obj{"data.status": "draft"}},
		step{name: "not of a collection", call: "POST /" + s.model(t, nil) + "/single/publish",
			status: 404, code: "ENTRY_NOT_FOUND"},
	)
}

func adminDrafts(t *testing.T, s *suite) {
	admin, k := s.admin(t), s.key(t, nil)
	model := s.model(t, nil)
	id := k.create(t, model, obj{"title": "One", "status": "published",
		"data": obj{"body": "b"}}).str(t, "data.id")
	entry := "/models/" + model + "/entries/" + id
	admin.run(t,
		step{name: "has none", call: "GET " + entry, status: 200, want: obj{"data.has_draft": false}},
		step{name: "save", call: "PUT " + entry + "/draft", body: obj{"title": "Two"}, status: 200,
			want: obj{"data.title": "Two", "data.has_draft": true, "meta.draft.version": 1}},
		step{name: "again", call: "PUT " + entry + "/draft", body: obj{"title": "Three"},
			status: 200, want: obj{"meta.draft.version": 2}},
		step{name: "has one", call: "GET " + entry, status: 200,
			want: obj{"data.title": "One", "data.has_draft": true}},
		step{name: "listed", call: "GET /models/" + model +
			"/entries?filter%5Bhas_draft%5D=true&sort=has_draft", status: 200,
			want: obj{"meta.total": 1, "data.0.has_draft": true}},
		step{name: "read", call: "GET " + entry + "/draft", status: 200, want: obj{"data.title": "Three"}},
		step{name: "revisions", call: "GET " + entry + "/revisions", status: 200, want: obj{
			"meta.total": 3, "data.0.version": "d2", "data.0.draft": true, "data.0.title": "Three",
			"data.1.version": "d1", "data.2.version": 1,
		}},
		step{name: "activity", call: "GET /activity?filter%5Bsubject_id%5D=" + id +
			"&filter%5Bevent%5D=entry.draft_saved", status: 200,
			want: obj{"data.#": 1, "data.0.subject_id": id}},
		step{name: "discard", call: "DELETE " + entry + "/draft", status: 204},
		step{name: "discarded", call: "GET /activity?filter%5Bsubject_id%5D=" + id +
			"&filter%5Bevent%5D=entry.draft_discarded", status: 200, want: obj{"data.#": 1}},
		step{name: "restore", call: "POST " + entry + "/revisions/d1/restore", status: 200,
			want: obj{"data.title": "Two", "meta.draft.version": 1}},
		step{name: "unknown revision", call: "POST " + entry + "/revisions/d99/restore",
			status: 404, code: "NOT_FOUND"},
		step{name: "publish", call: "POST " + entry + "/publish", body: obj{}, status: 200,
			want: obj{"data.title": "Two", "data.has_draft": false}},
		step{name: "unpublish", call: "POST " + entry + "/unpublish", body: obj{}, status: 200,
			want: obj{"data.status": "draft"}},
		step{name: "none left", call: "GET " + entry + "/draft", status: 404, code: "NOT_FOUND"},
	)
}

func incompleteEntries(t *testing.T, s *suite) {
	model, k := draftModel(t, s), s.adminKey(t)
	post := "POST /" + model + "?draft=true"
	k.run(t,
		step{name: "incomplete", call: post, body: obj{"title": "Begun", "data": obj{"code": "x"}},
			status: 201, want: obj{"data.status": "draft", "data.version": 1}},
		step{name: "another status", call: post, body: obj{"title": "x", "status": "published"},
			status: 422, code: "VALIDATION_FAILED", details: []string{"status"}},
		step{name: "the rest is checked", call: post,
			body: obj{"title": "x", "data": obj{"n": 10, "kind": "c"}}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"data.n", "data.kind"}},
		step{name: "without", call: "POST /" + model, body: obj{"title": "x"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"data.body"}},
		step{name: "another value", call: "POST /" + model + "?draft=1", body: obj{"title": "x"},
			status: 400, code: "BAD_REQUEST"},
	)
}
