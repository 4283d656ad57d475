package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

var usageScenarios = []scenario{
	{name: "usage/places", run: usagePlaces},
	{name: "usage/if_unused", run: deletesUnused},
	{name: "usage/race", run: deletesBesideSaves},
	{name: "usage/drafts", run: deletesBesideDrafts},
	{name: "usage/many", run: manyUses},
	{name: "usage/orphans", run: orphans},
	{name: "usage/replace", run: replacesFiles},
}

const noID = "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"

func usagePlaces(t *testing.T, s *suite) {
	k, admin := s.key(t, nil), s.admin(t)
	people := s.model(t, obj{"fields": list{field("friend", "text", nil)}})
	model := s.model(t, obj{"fields": list{
		field("cover", "media", nil), field("body", "textarea", nil),
		field("author", "relation", obj{"model": people}),
		field("steps", "list", obj{"fields": list{field("photo", "media", nil)}}),
		field("blocks", "blocks",
			obj{"fields": list{field("hero", "group",
				obj{"fields": list{field("picture", "media", obj{"many": true})}})}}),
	}})
	file := k.upload(t, "a.png", pngFile(1, 1), nil).str(t, "data.id")
	other := k.upload(t, "b.png", pngFile(1, 1), nil).str(t, "data.id")
	ada := k.publish(t, people, "Ada", nil)
	first := k.publish(t, model, "First",
		obj{"cover": file, "author": ada, "body": "![](http://example.com/media/" + file + "?w=400)"})
	second := k.publish(t, model, "Second", obj{
		"steps":  list{obj{"photo": other}, obj{"photo": file}},
		"blocks": list{obj{"type": "hero", "picture": list{other, file}}},
	})
	usage := "GET /media/" + file + "/usage"
	paths := func(a answer) string { return strings.Join(column(a.get("data"), "path"), " ") }
	a := admin.step(t, step{call: usage, status: 200, want: obj{
		"meta.total": 4, "data.0.model": model, "data.0.id": second, "data.0.title": "Second",
		"data.0.status": "published", "data.0.locale": s.defaultLocale(t), "data.0.draft": nil,
	}})
	if got, want := paths(a), "data.steps.1.photo data.blocks.0.picture.1 data.cover data.body"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	admin.run(t,
		step{name: "a page", call: usage + "?per_page=3&page=2", status: 200,
			want: obj{"data.#": 1, "data.0.path": "data.body", "meta.total": 4}},
		step{name: "entry", call: "GET /models/" + people + "/entries/" + ada + "/usage",
			status: 200, want: obj{"data.#": 1, "data.0.id": first, "data.0.path": "data.author"}},
		step{name: "unused", call: "GET /models/" + model + "/entries/" + first + "/usage",
			status: 200, want: obj{"data": list{}, "meta.total": 0}},
		step{name: "no such file", call: "GET /media/" + noID + "/usage", status: 404, code: "NOT_FOUND"},
		step{name: "no such entry", call: "GET /models/" + model + "/entries/" + noID + "/usage",
			status: 404, code: "NOT_FOUND"},
	)
	s.anonymousAdmin().step(t, step{call: usage, status: 401, code: "UNAUTHORIZED"})
	k.ok(t, 200, "PUT /"+model+"/"+first,
		obj{"data": obj{"cover": other}, "seo": obj{"description": "/media/" + file}})
	if got, want := paths(admin.ok(t, 200, usage, nil)), "data.body seo.description data.steps.1.photo data.blocks.0.picture.1"; got != want {
		t.Errorf("after a change: got %s, want %s", got, want)
	}
	k.ok(t, 204, "DELETE /"+model+"/"+second, nil)
	if got := paths(admin.ok(t, 200, usage, nil)); got != "data.body seo.description" {
		t.Errorf("the trash counts: %s", got)
	}
	admin.ok(t, 200, "POST /trash/"+second+"/restore", nil)
	if got := admin.ok(t, 200, usage, nil).get("meta.total"); got != 4.0 {
		t.Errorf("restored: %v", got)
	}
	key := unique("logo")
	key = strings.ReplaceAll(strings.ToLower(key), "-", "_")
	admin.ok(t, 200, "PUT /settings",
		list{obj{"group": "site", "key": key, "value": "https://example.com/media/" + file}})
	admin.step(t, step{call: usage, status: 200, want: obj{"meta.total": 5}})
	setting := find(admin.ok(t, 200, usage, nil).get("data"), "model", "settings")
	if setting["id"] != "site."+key || setting["path"] != "site."+key {
		t.Errorf("setting: %v", setting)
	}
	admin.ok(t, 200, "PUT /settings", list{obj{"group": "site", "key": key, "value": ""}})
	admin.step(t, step{call: usage, status: 200, want: obj{"meta.total": 4}})
}

func deletesUnused(t *testing.T, s *suite) {
	k, admin, adminKey := s.key(t, nil), s.admin(t), s.adminKey(t)
	people := s.model(t, nil)
	model := s.model(t,
		obj{"fields": list{field("cover", "media", nil), field("author", "relation", obj{"model": people})}})
	file := k.upload(t, "a.png", pngFile(1, 1), nil).str(t, "data.id")
	ada := k.publish(t, people, "Ada", nil)
	public := k.publish(t, model, "Public", obj{"cover": file, "author": ada})
	k.create(t, model, obj{"title": "Draft", "data": obj{"cover": file, "author": ada}})
	at, person := "DELETE /upload/files/"+file, "DELETE /"+people+"/"+ada
	k.run(t,
		step{name: "another value", call: at + "?if_unused=false", status: 400, code: "BAD_REQUEST"},
		step{name: "empty", call: person + "?if_unused=", status: 400, code: "BAD_REQUEST"},
		step{name: "file", call: at + "?if_unused=true", status: 409, code: "IN_USE", want: obj{
			"error.details.usage.#": 1, "error.details.usage.0.id": public,
			"error.details.usage.0.path": "data.cover", "error.details.more": 1,
		}},
		step{name: "entry", call: person + "?if_unused=true", status: 409, code: "IN_USE",
			want: obj{"error.details.usage.#": 1, "error.details.more": 1}},
		step{name: "nothing is deleted", call: "GET /" + model + "/" + public +
			"?include=cover,author", status: 200,
			want: obj{"data.data.cover.id": file, "data.data.author.id": ada}},
		step{name: "no such file", call: "DELETE /upload/files/" + noID + "?if_unused=true",
			status: 404, code: "FILE_NOT_FOUND"},
		step{name: "no such entry", call: "DELETE /" + people + "/" + noID + "?if_unused=true",
			status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "no such model", call: "DELETE /nothing/" + noID + "?if_unused=true",
			status: 404, code: "MODEL_NOT_FOUND"},
	)
	adminKey.step(t, step{call: at + "?if_unused=true", status: 409, code: "IN_USE",
		want: obj{"error.details.usage.#": 2, "error.details.more": nil}})
	admin.run(t,
		step{name: "admin file", call: "DELETE /media/" + file + "?if_unused=true", status: 409,
			code: "IN_USE", want: obj{"error.details.usage.#": 2}},
		step{name: "admin entry", call: "DELETE /models/" + people + "/entries/" + ada +
			"?if_unused=true", status: 409, code: "IN_USE", want: obj{"error.details.usage.#": 2}},
	)
	s.key(t, obj{"scopes": list{"read", "write"}}).step(t,
		step{call: at + "?if_unused=true", status: 403, code: "FORBIDDEN"})
	hiding := s.model(t, obj{"visible_fields": list{"author"}, "fields": list{
		field("author", "relation", obj{"model": people}), field("editor", "relation", obj{"model": people})}})
	bob := k.publish(t, people, "Bob", nil)
	k.publish(t, hiding, "By Bob", obj{"author": bob, "editor": bob})
	k.step(t, step{name: "a hidden field", call: "DELETE /" + people + "/" + bob + "?if_unused=true", status: 409, code: "IN_USE",
		want: obj{"error.details.usage.#": 1, "error.details.usage.0.path": "data.author", "error.details.more": 1}})
	for _, id := range column(adminKey.ok(t, 200, "GET /"+model+"?filter%5Bstatus%5D=any",
		nil).get("data"), "id") {
		k.ok(t, 200, "PUT /"+model+"/"+id, obj{"data": obj{"cover": nil}})
		k.ok(t, 204, "DELETE /"+model+"/"+id, nil)
	}
	k.run(t,
		step{name: "unused file", call: at + "?if_unused=true", status: 204},
		step{name: "unused entry", call: person + "?if_unused=true", status: 204},
		step{name: "gone", call: at + "?if_unused=true", status: 404, code: "FILE_NOT_FOUND"},
		step{name: "cannot be referred to", call: "POST /" + model,
			body: obj{"title": "x", "data": obj{"cover": file}}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"data.cover"}},
	)
	admin.ok(t, 200, "POST /trash/"+ada+"/restore", nil)
	k.create(t, model, obj{"title": "Again", "data": obj{"author": ada}})
	k.step(t, step{call: person + "?if_unused=true", status: 409, code: "IN_USE",
		want: obj{"error.details.usage": list{}, "error.details.more": 1}})
	itself := s.model(t, obj{"fields": list{field("next", "json", nil)}})
	id := k.publish(t, itself, "Self", nil)
	k.ok(t, 200, "PUT /"+itself+"/"+id, obj{"data": obj{"next": id}})
	k.ok(t, 204, "DELETE /"+itself+"/"+id+"?if_unused=true", nil)
}

// saveBesideDelete saves an entry that refers to a file and, at the same time, deletes the file if
// it is unused. It checks that exactly one of the two succeeds, and returns the answer to the
// delete.
func (c *client) saveBesideDelete(t *testing.T, status int, file, call string, body obj) answer {
	t.Helper()
	var saved, deleted answer
	var both sync.WaitGroup
	both.Go(func() { saved = c.do(t, call, body) })
	both.Go(func() { deleted = c.do(t, "DELETE /upload/files/"+file+"?if_unused=true", nil) })
	both.Wait()
	if !(saved.Status == status && deleted.Status == 409) && !(saved.Status == 422 && deleted.Status == 204) {
		t.Errorf("save %d, delete %d: %.200s %.200s", saved.Status, deleted.Status, saved.Raw,
			deleted.Raw)
	}
	return deleted
}

// deletesBesideSaves deletes files while entries that refer to them are saved: either the save is
// refused or the file stays.
func deletesBesideSaves(t *testing.T, s *suite) {
	k := s.key(t, nil)
	model := s.model(t, obj{"fields": list{field("cover", "media", nil)}})
	for round := range 8 {
		file := k.upload(t, fmt.Sprintf("%d.txt", round), []byte("x"), nil).str(t, "data.id")
		deleted := k.saveBesideDelete(t, 201, file, "POST /"+model,
			obj{"title": "x", "data": obj{"cover": file}})
		if want := map[int]int{http.StatusNoContent: 404, http.StatusConflict: 200}[deleted.Status]; want != 0 {
			if a := k.do(t, "GET /upload/files/"+file, nil); a.Status != want {
				t.Errorf("the file: %d, want %d", a.Status, want)
			}
		}
	}
}

// deletesBesideDrafts deletes files while drafts that refer to them are saved, and then saves a
// draft that refers to a deleted one.
func deletesBesideDrafts(t *testing.T, s *suite) {
	k := s.adminKey(t)
	model := s.model(t, obj{"fields": list{field("cover", "media", nil)}})
	entry := k.publish(t, model, "Live", nil)
	call := "PUT /" + model + "/" + entry + "/draft"
	for round := range 8 {
		file := k.upload(t, fmt.Sprintf("%d.txt", round), []byte("x"), nil).str(t, "data.id")
		deleted := k.saveBesideDelete(t, 200, file, call, obj{"data": obj{"cover": file}})
		if deleted.Status == http.StatusNoContent {
			k.step(t, step{call: call, body: obj{"data": obj{"cover": file}}, status: 422,
				code: "VALIDATION_FAILED", details: []string{"data.cover"}})
		}
	}
	// An unknown reference is checked only when the draft is published.
	k.step(t, step{call: call, body: obj{"data": obj{"cover": noID}}, status: 200})
}

// manyUses checks that more entries than are read together are each listed once, and counted in an
// error.
func manyUses(t *testing.T, s *suite) {
	const many = 450
	k, admin := s.adminKey(t), s.admin(t)
	model := s.model(t, obj{"fields": list{field("cover", "media", nil)}})
	file := k.upload(t, "a.txt", []byte("x"), nil).str(t, "data.id")
	var makers sync.WaitGroup
	for maker := range 9 {
		makers.Go(func() {
			for i := range many / 9 {
				k.create(t, model, obj{"title": fmt.Sprint("Entry ", maker, " ", i),
					"data": obj{"cover": file}})
			}
		})
	}
	makers.Wait()
	seen, before := map[string]bool{}, ""
	for page := 1; page <= 5; page++ {
		a := admin.step(t, step{call: fmt.Sprintf("GET /media/%s/usage?per_page=100&page=%d", file, page),
			status: 200, want: obj{"meta.total": many, "meta.total_relation": nil}})
		for _, id := range column(a.get("data"), "id") {
			seen[id] = true
			before = id
		}
	}
	if len(seen) != many {
		t.Errorf("%d of %d are listed", len(seen), many)
	}
	k.ok(t, 200, "PUT /"+model+"/"+before, obj{"title": "Newest"})
	admin.step(t, step{call: "GET /media/" + file + "/usage?per_page=1", status: 200,
		want: obj{"data.0.id": before, "meta.total": many}})
	k.step(t, step{call: "DELETE /upload/files/" + file + "?if_unused=true", status: 409, code: "IN_USE",
		want: obj{"error.details.usage.#": 20, "error.details.more": many - 20}})
}

func orphans(t *testing.T, s *suite) {
	k, admin := s.key(t, nil), s.admin(t)
	folder := unique("Orphans")
	id := admin.ok(t, 201, "POST /media/folders", obj{"name": folder}).str(t, "data.id")
	in := map[string]string{"folder_id": id}
	model := s.model(t, obj{"fields": list{field("cover", "media", nil)}})
	used := k.upload(t, "used.txt", []byte("x"), in).str(t, "data.id")
	k.upload(t, "orphan.txt", []byte("x"), in)
	k.publish(t, model, "x", obj{"cover": used})
	l := "GET /media?filter%5Bfolder%5D=" + folder + "&filter%5Bused%5D="
	admin.run(t,
		step{name: "unused", call: l + "false", status: 200,
			want: obj{"data.#": 1, "data.0.name": "orphan.txt", "meta.total": 1}},
		step{name: "used", call: l + "true", status: 200,
			want: obj{"data.#": 1, "data.0.name": "used.txt", "meta.total": 1}},
		step{name: "another value", call: l + "maybe", status: 400, code: "BAD_REQUEST"},
	)
}
