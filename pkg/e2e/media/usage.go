package media

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"headless/pkg/e2e/kit"
)

// Usage has the scenarios of the places where files and entries are used.
var Usage = []kit.Scenario{
	{Name: "usage/places", Run: usagePlaces},
	{Name: "usage/if_unused", Run: deletesUnused},
	{Name: "usage/race", Run: deletesBesideSaves},
	{Name: "usage/drafts", Run: deletesBesideDrafts},
	{Name: "usage/many", Run: manyUses},
	{Name: "usage/orphans", Run: orphans},
	{Name: "usage/replace", Run: replacesFiles},
}

func usagePlaces(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.Admin(t)
	people := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("friend", "text", nil)}})
	model := s.Model(t, kit.Obj{"fields": kit.List{
		kit.Field("cover", "media", nil), kit.Field("body", "textarea", nil),
		kit.Field("author", "relation", kit.Obj{"model": people}),
		kit.Field("steps", "list", kit.Obj{"fields": kit.List{kit.Field("photo", "media", nil)}}),
		kit.Field("blocks", "blocks",
			kit.Obj{"fields": kit.List{kit.Field("hero", "group",
				kit.Obj{"fields": kit.List{kit.Field("picture", "media", kit.Obj{"many": true})}})}}),
	}})
	file := k.Upload(t, "a.png", kit.PNG(1, 1), nil).Str(t, "data.id")
	other := k.Upload(t, "b.png", kit.PNG(1, 1), nil).Str(t, "data.id")
	ada := k.Publish(t, people, "Ada", nil)
	first := k.Publish(t, model, "First",
		kit.Obj{"cover": file, "author": ada, "body": "![](http://example.com/media/" + file + "?w=400)"})
	second := k.Publish(t, model, "Second", kit.Obj{
		"steps":  kit.List{kit.Obj{"photo": other}, kit.Obj{"photo": file}},
		"blocks": kit.List{kit.Obj{"type": "hero", "picture": kit.List{other, file}}},
	})
	usage := "GET /media/" + file + "/usage"
	paths := func(a kit.Answer) string { return strings.Join(kit.Column(a.Get("data"), "path"), " ") }
	a := admin.Step(t, kit.Step{Call: usage, Want: kit.Obj{
		"meta.total": 4, "data.0.model": model, "data.0.id": second, "data.0.title": "Second",
		"data.0.status": "published", "data.0.locale": s.DefaultLocale(t), "data.0.draft": nil,
	}})
	kit.Same(t, "places", paths(a), "data.steps.1.photo data.blocks.0.picture.1 data.cover data.body")
	admin.Run(t,
		kit.Step{Name: "a page", Call: usage + "?per_page=3&page=2",
			Want: kit.Obj{"data.#": 1, "data.0.path": "data.body", "meta.total": 4}},
		kit.Step{Name: "entry", Call: "GET /models/" + people + "/entries/" + ada + "/usage",
			Want: kit.Obj{"data.#": 1, "data.0.id": first, "data.0.path": "data.author"}},
		kit.Step{Name: "unused", Call: "GET /models/" + model + "/entries/" + first + "/usage",
			Want: kit.Obj{"data": kit.List{}, "meta.total": 0}},
		kit.Step{Name: "no such file", Call: "GET /media/" + kit.UnknownID + "/usage", Code: "NOT_FOUND"},
		kit.Step{Name: "no such entry", Call: "GET /models/" + model + "/entries/" + kit.UnknownID + "/usage",
			Code: "NOT_FOUND"},
	)
	s.AnonymousAdmin().Step(t, kit.Step{Call: usage, Code: "UNAUTHORIZED"})
	k.Put(t, "/"+model+"/"+first,
		kit.Obj{"data": kit.Obj{"cover": other}, "seo": kit.Obj{"description": "/media/" + file}})
	kit.Same(t, "after a change", paths(admin.OK(t, 200, usage, nil)),
		"data.body seo.description data.steps.1.photo data.blocks.0.picture.1")
	k.Delete(t, "/"+model+"/"+second)
	kit.Same(t, "the trash counts", paths(admin.OK(t, 200, usage, nil)), "data.body seo.description")
	admin.OK(t, 200, "POST /trash/"+second+"/restore", nil)
	admin.OK(t, 200, usage, nil).Has(t, "restored", kit.Obj{"meta.total": 4.0})
	key := kit.Unique("logo")
	key = strings.ReplaceAll(strings.ToLower(key), "-", "_")
	admin.Put(t, "/settings", kit.List{kit.Obj{"group": "site", "key": key, "value": "https://example.com/media/" + file}})
	admin.Step(t, kit.Step{Call: usage, Want: kit.Obj{"meta.total": 5}})
	admin.Step(t, kit.Step{Call: usage, Want: kit.Obj{
		"data": kit.Item(kit.Obj{"model": "settings", "id": "site." + key, "path": "site." + key})}})
	admin.Put(t, "/settings", kit.List{kit.Obj{"group": "site", "key": key, "value": ""}})
	admin.Step(t, kit.Step{Call: usage, Want: kit.Obj{"meta.total": 4}})
}

func deletesUnused(t *testing.T, s *kit.Suite) {
	k, admin, adminKey := s.Key(t, nil), s.Admin(t), s.AdminKey(t)
	people := s.Model(t, nil)
	model := s.Model(t,
		kit.Obj{"fields": kit.List{kit.Field("cover", "media", nil),
			kit.Field("author", "relation", kit.Obj{"model": people})}})
	file := k.Upload(t, "a.png", kit.PNG(1, 1), nil).Str(t, "data.id")
	ada := k.Publish(t, people, "Ada", nil)
	public := k.Publish(t, model, "Public", kit.Obj{"cover": file, "author": ada})
	k.Create(t, model, kit.Obj{"title": "Draft", "data": kit.Obj{"cover": file, "author": ada}})
	at, person := "DELETE /upload/files/"+file, "DELETE /"+people+"/"+ada
	k.Run(t,
		kit.Step{Name: "another value", Call: at + "?if_unused=false", Code: "BAD_REQUEST"},
		kit.Step{Name: "empty", Call: person + "?if_unused=", Code: "BAD_REQUEST"},
		kit.Step{Name: "file", Call: at + "?if_unused=true", Code: "IN_USE", Want: kit.Obj{
			"error.details.usage.#": 1, "error.details.usage.0.id": public,
			"error.details.usage.0.path": "data.cover", "error.details.more": 1,
		}},
		kit.Step{Name: "entry", Call: person + "?if_unused=true", Code: "IN_USE",
			Want: kit.Obj{"error.details.usage.#": 1, "error.details.more": 1}},
		kit.Step{Name: "nothing is deleted", Call: "GET /" + model + "/" + public + "?include=cover,author",
			Want: kit.Obj{"data.data.cover.id": file, "data.data.author.id": ada}},
		kit.Step{Name: "no such file", Call: "DELETE /upload/files/" + kit.UnknownID + "?if_unused=true",
			Code: "FILE_NOT_FOUND"},
		kit.Step{Name: "no such entry", Call: "DELETE /" + people + "/" + kit.UnknownID + "?if_unused=true",
			Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "no such model", Call: "DELETE /nothing/" + kit.UnknownID + "?if_unused=true",
			Code: "MODEL_NOT_FOUND"},
	)
	adminKey.Step(t, kit.Step{Call: at + "?if_unused=true", Code: "IN_USE",
		Want: kit.Obj{"error.details.usage.#": 2, "error.details.more": nil}})
	admin.Run(t,
		kit.Step{Name: "admin file", Call: "DELETE /media/" + file + "?if_unused=true", Code: "IN_USE",
			Want: kit.Obj{"error.details.usage.#": 2}},
		kit.Step{Name: "admin entry", Call: "DELETE /models/" + people + "/entries/" + ada + "?if_unused=true",
			Code: "IN_USE", Want: kit.Obj{"error.details.usage.#": 2}},
	)
	s.Key(t, kit.Obj{"scopes": kit.List{"read", "write"}}).Step(t, kit.Step{Call: at + "?if_unused=true",
		Code: "FORBIDDEN"})
	hiding := s.Model(t, kit.Obj{"visible_fields": kit.List{"author"}, "fields": kit.List{
		kit.Field("author", "relation", kit.Obj{"model": people}),
		kit.Field("editor", "relation", kit.Obj{"model": people})}})
	bob := k.Publish(t, people, "Bob", nil)
	k.Publish(t, hiding, "By Bob", kit.Obj{"author": bob, "editor": bob})
	k.Step(t, kit.Step{Name: "a hidden field", Call: "DELETE /" + people + "/" + bob + "?if_unused=true", Code: "IN_USE",
		Want: kit.Obj{"error.details.usage.#": 1, "error.details.usage.0.path": "data.author", "error.details.more": 1}})
	s.UseLocale(t, "nn", "Nynorsk")
	localized := s.Model(t, kit.Obj{"localized": true, "fields": kit.List{
		kit.Field("author", "relation", kit.Obj{"model": people})}})
	eve := k.Publish(t, people, "Eve", nil)
	k.Create(t, localized, kit.Obj{"title": "By Eve", "locale": "nn", "status": "published",
		"data": kit.Obj{"author": eve}})
	admin.Put(t, "/locales/nn", kit.Obj{"is_active": false})
	k.Step(t, kit.Step{Name: "an inactive locale", Call: "DELETE /" + people + "/" + eve + "?if_unused=true",
		Code: "IN_USE", Want: kit.Obj{"error.details.usage": kit.List{}, "error.details.more": 1}})
	for _, id := range kit.Column(adminKey.Get(t, "/"+model+"?filter%5Bstatus%5D=any").Get("data"), "id") {
		k.Put(t, "/"+model+"/"+id, kit.Obj{"data": kit.Obj{"cover": nil}})
		k.Delete(t, "/"+model+"/"+id)
	}
	k.Run(t,
		kit.Step{Name: "unused file", Call: at + "?if_unused=true", Status: 204},
		kit.Step{Name: "unused entry", Call: person + "?if_unused=true", Status: 204},
		kit.Step{Name: "gone", Call: at + "?if_unused=true", Code: "FILE_NOT_FOUND"},
		kit.Step{Name: "cannot be referred to", Call: "POST /" + model,
			Body: kit.Obj{"title": "x", "data": kit.Obj{"cover": file}}, Invalid: "data.cover"},
	)
	admin.OK(t, 200, "POST /trash/"+ada+"/restore", nil)
	k.Create(t, model, kit.Obj{"title": "Again", "data": kit.Obj{"author": ada}})
	k.Step(t, kit.Step{Call: person + "?if_unused=true", Code: "IN_USE",
		Want: kit.Obj{"error.details.usage": kit.List{}, "error.details.more": 1}})
	itself := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("next", "json", nil)}})
	id := k.Publish(t, itself, "Self", nil)
	k.Put(t, "/"+itself+"/"+id, kit.Obj{"data": kit.Obj{"next": id}})
	k.Delete(t, "/"+itself+"/"+id+"?if_unused=true")
}

// saveBesideDelete saves an entry that refers to a file and, at the same time, deletes the file if
// it is unused. It checks that exactly one of the two succeeds, and returns the answer to the
// delete.
func saveBesideDelete(t *testing.T, c *kit.Client, status int, file, call string, body kit.Obj) kit.Answer {
	t.Helper()
	var saved, deleted kit.Answer
	var both sync.WaitGroup
	both.Go(func() { saved = c.Do(t, call, body) })
	both.Go(func() { deleted = c.Do(t, "DELETE /upload/files/"+file+"?if_unused=true", nil) })
	both.Wait()
	if !(saved.Status == status && deleted.Status == 409) && !(saved.Status == 422 && deleted.Status == 204) {
		t.Errorf("save %d, delete %d: %.200s %.200s", saved.Status, deleted.Status, saved.Raw, deleted.Raw)
	}
	return deleted
}

// deletesBesideSaves deletes files while entries that refer to them are saved: either the save is
// refused or the file stays.
func deletesBesideSaves(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("cover", "media", nil)}})
	for round := range 8 {
		file := k.Upload(t, fmt.Sprintf("%d.txt", round), []byte("x"), nil).Str(t, "data.id")
		deleted := saveBesideDelete(t, k, 201, file, "POST /"+model, kit.Obj{"title": "x", "data": kit.Obj{"cover": file}})
		if want := map[int]int{http.StatusNoContent: 404, http.StatusConflict: 200}[deleted.Status]; want != 0 {
			if a := k.Do(t, "GET /upload/files/"+file, nil); a.Status != want {
				t.Errorf("the file: %d, want %d", a.Status, want)
			}
		}
	}
}

// deletesBesideDrafts deletes files while drafts that refer to them are saved, and then saves a
// draft that refers to a deleted one.
func deletesBesideDrafts(t *testing.T, s *kit.Suite) {
	k := s.AdminKey(t)
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("cover", "media", nil)}})
	entry := k.Publish(t, model, "Live", nil)
	call := "PUT /" + model + "/" + entry + "/draft"
	for round := range 8 {
		file := k.Upload(t, fmt.Sprintf("%d.txt", round), []byte("x"), nil).Str(t, "data.id")
		deleted := saveBesideDelete(t, k, 200, file, call, kit.Obj{"data": kit.Obj{"cover": file}})
		if deleted.Status == http.StatusNoContent {
			k.Step(t, kit.Step{Call: call, Body: kit.Obj{"data": kit.Obj{"cover": file}}, Invalid: "data.cover"})
		}
	}
	// An unknown reference is checked only when the draft is published.
	k.Step(t, kit.Step{Call: call, Body: kit.Obj{"data": kit.Obj{"cover": kit.UnknownID}}})
}

// manyUses checks that more entries than are read together are each listed once, and counted in an
// error.
func manyUses(t *testing.T, s *kit.Suite) {
	const many = 450
	k, admin := s.AdminKey(t), s.Admin(t)
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("cover", "media", nil)}})
	file := k.Upload(t, "a.txt", []byte("x"), nil).Str(t, "data.id")
	var makers sync.WaitGroup
	for maker := range 9 {
		makers.Go(func() {
			for i := range many / 9 {
				k.Create(t, model, kit.Obj{"title": fmt.Sprint("Entry ", maker, " ", i), "data": kit.Obj{"cover": file}})
			}
		})
	}
	makers.Wait()
	seen, before := map[string]bool{}, ""
	for page := 1; page <= 5; page++ {
		a := admin.Step(t, kit.Step{Call: fmt.Sprintf("GET /media/%s/usage?per_page=100&page=%d", file, page),
			Want: kit.Obj{"meta.total": many, "meta.total_relation": nil}})
		for _, id := range kit.Column(a.Get("data"), "id") {
			seen[id] = true
			before = id
		}
	}
	kit.Same(t, "listed", len(seen), many)
	k.Put(t, "/"+model+"/"+before, kit.Obj{"title": "Newest"})
	admin.Step(t, kit.Step{Call: "GET /media/" + file + "/usage?per_page=1",
		Want: kit.Obj{"data.0.id": before, "meta.total": many}})
	k.Step(t, kit.Step{Call: "DELETE /upload/files/" + file + "?if_unused=true", Code: "IN_USE",
		Want: kit.Obj{"error.details.usage.#": 20, "error.details.more": many - 20}})
}

func orphans(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.Admin(t)
	folder := kit.Unique("Orphans")
	id := admin.Post(t, "/media/folders", kit.Obj{"name": folder}).Str(t, "data.id")
	in := map[string]string{"folder_id": id}
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("cover", "media", nil)}})
	used := k.Upload(t, "used.txt", []byte("x"), in).Str(t, "data.id")
	k.Upload(t, "orphan.txt", []byte("x"), in)
	k.Publish(t, model, "x", kit.Obj{"cover": used})
	l := "GET /media?filter%5Bfolder%5D=" + folder + "&filter%5Bused%5D="
	admin.Run(t,
		kit.Step{Name: "unused", Call: l + "false",
			Want: kit.Obj{"data.#": 1, "data.0.name": "orphan.txt", "meta.total": 1}},
		kit.Step{Name: "used", Call: l + "true", Want: kit.Obj{"data.#": 1, "data.0.name": "used.txt", "meta.total": 1}},
		kit.Step{Name: "another value", Call: l + "maybe", Code: "BAD_REQUEST"},
	)
}
