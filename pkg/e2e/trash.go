package e2e

import (
	"strings"
	"testing"
)

var trashScenarios = []scenario{
	{name: "trash", run: trash},
	{name: "trash/conflicts", run: trashConflicts},
	{name: "revisions", run: revisions},
}

func trash(t *testing.T, s *suite) {
	admin, k := s.admin(t), s.key(t, nil)
	model := s.model(t, nil)
	w := word()
	made := k.create(t, model, obj{"title": "Lost " + w, "status": "published",
		"data": obj{"body": "b"}, "seo": obj{"title": "T"}})
	id := made.str(t, "data.id")
	k.ok(t, 204, "DELETE /"+model+"/"+id, nil)
	found := s.walk(t, "/trash", func(item any) bool {
		return dig(item, "id") == id && dig(item, "model") == model &&
			dig(item, "title") == "Lost "+w && dig(item, "slug") == "lost-"+w &&
			dig(item, "deleted_at") != nil
	})
	if !found {
		t.Error("the entry is not in the trash")
	}
	admin.step(t, step{name: "search", call: "GET /trash?q=lost+" + w + "&model=" + model, status: 200,
		want: obj{"meta.total": 1, "data.0.id": id}})
	admin.step(t, step{name: "several", call: "POST /trash/restore", body: obj{"ids": []any{noID}}, status: 200,
		want: obj{"data.done": 0, "data.failed.0.code": "NOT_FOUND"}})
	admin.step(t, step{name: "past the end", call: "GET /trash?page=100000", status: 200,
		want: obj{"data.#": 0, "meta.page": 100000, "meta.total": present}})
	restored := admin.ok(t, 200, "POST /trash/"+id+"/restore", nil)
	for _, key := range []string{"id", "title", "slug", "status", "data", "seo", "published_at",
		"created_at"} {
		if err := compare(restored.get("data."+key), made.get("data."+key)); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
	k.run(t,
		step{name: "read", call: "GET /" + model + "/" + id, status: 200},
		step{name: "listed", call: "GET /" + model, status: 200, want: obj{"meta.total": 1}},
		step{name: "found", call: "GET /search?q=" + w, status: 200, want: obj{"meta.total": 1}},
		step{name: "delete", call: "DELETE /" + model + "/" + id, status: 204},
	)
	admin.run(t,
		step{name: "not in the trash twice",
			call: "POST /trash/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f/restore", status: 404, code: "NOT_FOUND"},
		step{name: "for good", call: "DELETE /trash/" + id, status: 204},
		step{name: "gone", call: "POST /trash/" + id + "/restore", status: 404, code: "NOT_FOUND"},
		step{name: "gone, again", call: "DELETE /trash/" + id, status: 404, code: "NOT_FOUND"},
	)
}

func trashConflicts(t *testing.T, s *suite) {
	admin, k := s.admin(t), s.key(t, nil)
	model := s.model(t, obj{"fields": list{field("sku", "text", obj{"unique": true})}})
	a := k.create(t, model, obj{"title": "A", "slug": "a", "data": obj{"sku": "1"}}).str(t, "data.id")
	k.ok(t, 204, "DELETE /"+model+"/"+a, nil)
	b := k.create(t, model, obj{"title": "B", "slug": "a", "data": obj{"sku": "2"}}).str(t, "data.id")
	admin.run(t, step{name: "slug", call: "POST /trash/" + a + "/restore", status: 409,
		code: "SLUG_CONFLICT"})
	k.ok(t, 200, "PUT /"+model+"/"+b, obj{"slug": "b", "data": obj{"sku": "1"}})
	admin.run(t, step{name: "unique", call: "POST /trash/" + a + "/restore", status: 409, code: "CONFLICT"})
	k.ok(t, 200, "PUT /"+model+"/"+b, obj{"data": obj{"sku": "2"}})
	admin.run(t, step{name: "free", call: "POST /trash/" + a + "/restore", status: 200,
		want: obj{"data.slug": "a", "data.data.sku": "1"}})
	single := s.model(t, obj{"kind": "single"})
	one := k.create(t, single, obj{"title": "One"}).str(t, "data.id")
	k.ok(t, 204, "DELETE /"+single+"/"+one, nil)
	k.create(t, single, obj{"title": "Two"})
	admin.run(t, step{name: "single", call: "POST /trash/" + one + "/restore", status: 409, code: "CONFLICT"})
}

func revisions(t *testing.T, s *suite) {
	admin, k := s.admin(t), s.key(t, nil)
	model := s.model(t, nil)
	id := k.create(t, model, obj{"title": "One", "slug": "one", "data": obj{"body": "1"},
		"seo": obj{"title": "S"}}).str(t, "data.id")
	k.ok(t, 200, "PUT /"+model+"/"+id, obj{"title": "Two", "slug": "two", "data": obj{"body": "2"},
		"seo": obj{"title": "R"}})
	k.ok(t, 200, "PUT /"+model+"/"+id, obj{"status": "published"})
	base := "/models/" + model + "/entries/" + id + "/revisions"
	a := admin.step(t, step{call: "GET " + base, status: 200, want: obj{"meta.total": 3, "data.#": 3}})
	versions := strings.Join(column(a.get("data"), "version"), " ")
	if versions != "3 2 1" {
		t.Errorf("versions %s, want 3 2 1", versions)
	}
	for _, item := range a.get("data").(list) {
		if !strings.Contains(str(dig(item, "actor")), k.name) || timestamp(dig(item, "time")) != nil {
			t.Errorf("revision %v", item)
		}
	}
	admin.run(t,
		step{name: "restore", call: "POST " + base + "/1/restore", status: 200, want: obj{
			"data.title": "One", "data.slug": "one", "data.data.body": "1", "data.seo.title": "S",
			"data.status": "published", "data.version": 4,
		}},
		step{name: "leaves a revision", call: "GET " + base, status: 200, want: obj{"meta.total": 4}},
		step{name: "unknown", call: "POST " + base + "/99/restore", status: 404, code: "NOT_FOUND"},
	)
	k.run(t, step{name: "read at once", call: "GET /" + model + "/one", status: 200,
		want: obj{"data.data.body": "1"}})
	k.create(t, model, obj{"title": "x", "slug": "two"})
	admin.run(t, step{name: "slug taken since", call: "POST " + base + "/2/restore", status: 409,
		code: "SLUG_CONFLICT"})
	k.ok(t, 204, "DELETE /"+model+"/"+id, nil)
	admin.ok(t, 200, "POST /trash/"+id+"/restore", nil)
	admin.run(t, step{name: "delete and restore leave one each", call: "GET " + base, status: 200,
		want: obj{"meta.total": 6}})
}
