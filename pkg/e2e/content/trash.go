package content

import (
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Trash has the scenarios of the trash and revisions.
var Trash = []kit.Scenario{
	{Name: "trash", Run: trash},
	{Name: "trash/conflicts", Run: trashConflicts},
	{Name: "revisions", Run: revisions},
}

func trash(t *testing.T, s *kit.Suite) {
	admin, k := s.Admin(t), s.Key(t, nil)
	model := s.Model(t, nil)
	w := kit.Word()
	made := k.Create(t, model, kit.Obj{"title": "Lost " + w, "status": "published",
		"data": kit.Obj{"body": "b"}, "seo": kit.Obj{"title": "T"}})
	id := made.Str(t, "data.id")
	k.Delete(t, "/"+model+"/"+id)
	s.Listed(t, "/trash", kit.Obj{"id": id, "model": model, "title": "Lost " + w, "slug": "lost-" + w,
		"deleted_at": kit.Present})
	admin.Step(t, kit.Step{Name: "search", Call: "GET /trash?q=lost+" + w + "&model=" + model,
		Want: kit.Obj{"meta.total": 1, "data.0.id": id}})
	admin.Step(t, kit.Step{Name: "several", Call: "POST /trash/restore", Body: kit.Obj{"ids": []any{kit.UnknownID}},
		Want: kit.Obj{"data.done": 0, "data.failed.0.code": "NOT_FOUND"}})
	admin.Step(t, kit.Step{Name: "past the end", Call: "GET /trash?page=100000",
		Want: kit.Obj{"data.#": 0, "meta.page": 100000, "meta.total": kit.Present}})
	restored := admin.OK(t, 200, "POST /trash/"+id+"/restore", nil)
	for _, key := range []string{"id", "title", "slug", "status", "data", "seo", "published_at", "created_at"} {
		restored.Has(t, "restored", kit.Obj{"data." + key: made.Get("data." + key)})
	}
	k.Run(t,
		kit.Step{Name: "read", Call: "GET /" + model + "/" + id},
		kit.Step{Name: "listed", Call: "GET /" + model, Want: kit.Obj{"meta.total": 1}},
		kit.Step{Name: "found", Call: "GET /search?q=" + w, Want: kit.Obj{"meta.total": 1}},
		kit.Step{Name: "delete", Call: "DELETE /" + model + "/" + id, Status: 204},
	)
	admin.Run(t,
		kit.Step{Name: "not in the trash twice", Call: "POST /trash/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f/restore",
			Code: "NOT_FOUND"},
		kit.Step{Name: "for good", Call: "DELETE /trash/" + id, Status: 204},
		kit.Step{Name: "gone", Call: "POST /trash/" + id + "/restore", Code: "NOT_FOUND"},
		kit.Step{Name: "gone, again", Call: "DELETE /trash/" + id, Code: "NOT_FOUND"},
	)
}

func trashConflicts(t *testing.T, s *kit.Suite) {
	admin, k := s.Admin(t), s.Key(t, nil)
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("sku", "text", kit.Obj{"unique": true})}})
	a := k.Create(t, model, kit.Obj{"title": "A", "slug": "a", "data": kit.Obj{"sku": "1"}}).Str(t, "data.id")
	k.Delete(t, "/"+model+"/"+a)
	b := k.Create(t, model, kit.Obj{"title": "B", "slug": "a", "data": kit.Obj{"sku": "2"}}).Str(t, "data.id")
	admin.Run(t, kit.Step{Name: "slug", Call: "POST /trash/" + a + "/restore", Code: "SLUG_CONFLICT"})
	k.Put(t, "/"+model+"/"+b, kit.Obj{"slug": "b", "data": kit.Obj{"sku": "1"}})
	admin.Run(t, kit.Step{Name: "unique", Call: "POST /trash/" + a + "/restore", Code: "CONFLICT"})
	k.Put(t, "/"+model+"/"+b, kit.Obj{"data": kit.Obj{"sku": "2"}})
	admin.Run(t, kit.Step{Name: "free", Call: "POST /trash/" + a + "/restore",
		Want: kit.Obj{"data.slug": "a", "data.data.sku": "1"}})
	single := s.Model(t, kit.Obj{"kind": "single"})
	one := k.Create(t, single, kit.Obj{"title": "One"}).Str(t, "data.id")
	k.Delete(t, "/"+single+"/"+one)
	k.Create(t, single, kit.Obj{"title": "Two"})
	admin.Run(t, kit.Step{Name: "single", Call: "POST /trash/" + one + "/restore", Code: "CONFLICT"})
}

func revisions(t *testing.T, s *kit.Suite) {
	admin, k := s.Admin(t), s.Key(t, nil)
	model := s.Model(t, nil)
	id := k.Create(t, model, kit.Obj{"title": "One", "slug": "one", "data": kit.Obj{"body": "1"},
		"seo": kit.Obj{"title": "S"}}).Str(t, "data.id")
	k.Put(t, "/"+model+"/"+id, kit.Obj{"title": "Two", "slug": "two", "data": kit.Obj{"body": "2"},
		"seo": kit.Obj{"title": "R"}})
	k.Put(t, "/"+model+"/"+id, kit.Obj{"status": "published"})
	base := "/models/" + model + "/entries/" + id + "/revisions"
	a := admin.Step(t, kit.Step{Call: "GET " + base, Want: kit.Obj{"meta.total": 3, "data.#": 3}})
	versions := strings.Join(kit.Column(a.Get("data"), "version"), " ")
	kit.Same(t, "versions", versions, "3 2 1")
	for _, item := range a.Get("data").(kit.List) {
		if !strings.Contains(kit.Str(kit.Dig(item, "actor")), k.Name) || kit.Timestamp(kit.Dig(item, "time")) != nil {
			t.Errorf("revision %v", item)
		}
	}
	admin.Run(t,
		kit.Step{Name: "restore", Call: "POST " + base + "/1/restore", Want: kit.Obj{
			"data.title": "One", "data.slug": "one", "data.data.body": "1", "data.seo.title": "S",
			"data.status": "published", "data.version": 4,
		}},
		kit.Step{Name: "leaves a revision", Call: "GET " + base, Want: kit.Obj{"meta.total": 4}},
		kit.Step{Name: "unknown", Call: "POST " + base + "/99/restore", Code: "NOT_FOUND"},
	)
	k.Run(t, kit.Step{Name: "read at once", Call: "GET /" + model + "/one", Want: kit.Obj{"data.data.body": "1"}})
	k.Create(t, model, kit.Obj{"title": "x", "slug": "two"})
	admin.Run(t, kit.Step{Name: "slug taken since", Call: "POST " + base + "/2/restore", Code: "SLUG_CONFLICT"})
	k.Delete(t, "/"+model+"/"+id)
	admin.OK(t, 200, "POST /trash/"+id+"/restore", nil)
	admin.Run(t, kit.Step{Name: "delete and restore leave one each", Call: "GET " + base,
		Want: kit.Obj{"meta.total": 6}})
}
