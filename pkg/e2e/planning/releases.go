package planning

import (
	"fmt"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"headless/pkg/e2e/kit"
)

// previewedRelease makes preview links for all items of a release.
func previewedRelease(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.Admin(t)
	authors := s.Model(t, nil)
	posts := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("author", "relation", kit.Obj{"model": authors})},
		"preview_url": "https://example.com/{slug}?preview={token}"})
	author := k.Create(t, authors, kit.Obj{"title": "Author"}).Str(t, "data.id")
	post := k.Publish(t, posts, "Post", kit.Obj{"author": author})
	k.Put(t, "/"+posts+"/"+post+"/draft", kit.Obj{"title": "Post two"})
	k.Put(t, "/"+authors+"/"+author+"/draft", kit.Obj{"title": "Author two"})
	gone := k.Create(t, posts, kit.Obj{"title": "Gone"}).Str(t, "data.id")
	one := "/releases/" + admin.Post(t, "/releases", kit.Obj{"name": "P", "items": kit.List{
		kit.ReleaseItem(posts, post, "publish"), kit.ReleaseItem(authors, author, "publish"),
		kit.ReleaseItem(posts, gone, "publish"),
	}}).Str(t, "data.id")
	k.Delete(t, "/"+posts+"/"+gone)
	a := admin.Step(t, kit.Step{Name: "links", Call: "POST " + one + "/preview", Body: kit.Obj{"expires_in": 600},
		Status: 201, Want: kit.Obj{
			"data.#": 2, "data.0.id": post, "data.0.model": posts,
			"data.0.url":        kit.Matches("^https://example.com/post\\?preview=."),
			"data.0.expires_at": kit.Timestamp, "data.1.id": author, "data.1.url": nil,
		}})
	token := url.QueryEscape(a.Str(t, "data.0.token"))
	k.Run(t,
		kit.Step{Name: "with includes", Call: "GET /" + posts + "/" + post + "?include=author&preview=" + token,
			Want: kit.Obj{"data.title": "Post two", "data.data.author.title": "Author two"}},
		kit.Step{Name: "each for its entry", Call: "GET /" + authors + "/" + author + "?preview=" + token,
			Code: "FORBIDDEN"},
		kit.Step{Name: "the second", Call: "GET /" + authors + "/" + author + "?preview=" +
			url.QueryEscape(a.Str(t, "data.1.token")), Status: 200, Want: kit.Obj{"data.title": "Author two"}},
	)
	admin.Run(t,
		kit.Step{Name: "too short", Call: "POST " + one + "/preview", Body: kit.Obj{"expires_in": 0}, Invalid: "expires_in"},
		kit.Step{Name: "no release", Call: "POST /releases/" + kit.UnknownID + "/preview", Code: "NOT_FOUND"},
	)
}

// Releases has the scenarios of changes of several entries at a time.
var Releases = []kit.Scenario{
	{Name: "releases/manage", Run: manageReleases},
	{Name: "releases/deleted entry", Run: deletedInRelease},
	{Name: "releases/refused", Run: refusedReleases},
	{Name: "releases/publish", Run: publishedRelease},
	{Name: "releases/undo", Run: undoneRelease},
	{Name: "releases/undo once", Run: undoneOnce},
	{Name: "releases/fails", Run: failedRelease},
	{Name: "releases/planned", Run: plannedRelease},
	{Name: "releases/preview", Run: previewedRelease},
	{Name: "releases/renamed model", Run: renamedInRelease},
}

func manageReleases(t *testing.T, s *kit.Suite) {
	admin, model := s.Admin(t), s.Model(t, nil)
	id := s.Key(t, nil).Create(t, model, kit.Obj{"title": "One"}).Str(t, "data.id")
	at := kit.FromNow(time.Hour)
	release := admin.Step(t, kit.Step{Call: "POST /releases", Body: kit.Obj{"name": "R"}, Status: 201, Want: kit.Obj{
		"data.name": "R", "data.publish_at": nil, "data.items.#": 0, "data.status": "open", "data.problems.#": 0,
	}}).Str(t, "data.id")
	one := "/releases/" + release
	admin.Run(t,
		kit.Step{Name: "update", Call: "PUT " + one,
			Body: kit.Obj{"publish_at": at, "items": kit.List{kit.ReleaseItem(model, id, "publish")}},
			Want: kit.Obj{"data.name": "R", "data.publish_at": at, "data.items.0.id": id, "data.items.0.action": "publish"}},
		kit.Step{Name: "read", Call: "GET " + one, Want: kit.Obj{"data.items.0.model": model}},
		kit.Step{Name: "check", Call: "POST " + one + "/check", Want: kit.Obj{"data.#": 0}},
		kit.Step{Name: "planned", Call: "GET /planned?from=" + at + "&to=" + kit.FromNow(2*time.Hour),
			Want: kit.Obj{"data.#": kit.Present, "meta.page": 1, "meta.total": kit.Present}},
		kit.Step{Name: "nothing planned", Call: "GET /planned?from=2001-01-01&to=2001-01-02",
			Want: kit.Obj{"data.#": 0, "meta.page": 1, "meta.per_page": 1, "meta.total": 0}},
		kit.Step{Name: "unplan", Call: "PUT " + one, Body: kit.Obj{"publish_at": nil},
			Want: kit.Obj{"data.publish_at": nil}},
	)
	s.Listed(t, "/releases", kit.Obj{"name": "R", "id": release})
	admin.Run(t,
		kit.Step{Name: "delete", Call: "DELETE " + one, Status: 204},
		kit.Step{Name: "gone", Call: "GET " + one, Code: "NOT_FOUND"},
		kit.Step{Name: "gone, publish", Call: "POST " + one + "/publish", Code: "NOT_FOUND"},
		kit.Step{Name: "gone, check", Call: "POST " + one + "/check", Code: "NOT_FOUND"},
		kit.Step{Name: "gone, delete", Call: "DELETE " + one, Code: "NOT_FOUND"},
	)
}

// deletedInRelease changes a release one of whose entries is in the trash, and then gone for good.
func deletedInRelease(t *testing.T, s *kit.Suite) {
	admin, k, model := s.Admin(t), s.Key(t, nil), s.Model(t, nil)
	id, other := k.Create(t, model, kit.Obj{"title": "One"}).Str(t, "data.id"),
		k.Create(t, model, kit.Obj{"title": "Two"}).Str(t, "data.id")
	stays, more := kit.ReleaseItem(model, id, "publish"), kit.ReleaseItem(model, other, "publish")
	one := "/releases/" + admin.Post(t, "/releases", kit.Obj{"name": "R", "items": kit.List{stays}}).Str(t, "data.id")
	change := func(name string) {
		items := admin.Get(t, one).Get("data.items")
		admin.Run(t,
			kit.Step{Name: name + ", the items sent back", Call: "PUT " + one, Body: kit.Obj{"items": items},
				Want: kit.Obj{"data.items.0.id": id}},
			kit.Step{Name: name + ", one more", Call: "PUT " + one, Body: kit.Obj{"items": kit.List{stays, more}},
				Want: kit.Obj{"data.items.#": 2}},
			kit.Step{Name: name + ", bound anew", Call: "PUT " + one, Invalid: "items.0.id",
				Body: kit.Obj{"items": kit.List{
					kit.Merge(kit.ReleaseItem(model, id, "publish"), kit.Obj{"version": "1"})}}},
			kit.Step{Name: name + ", to be unpublished", Call: "PUT " + one, Invalid: "items.0.id",
				Body: kit.Obj{"items": kit.List{kit.ReleaseItem(model, id, "unpublish")}}},
			kit.Step{Name: name + ", check", Call: "POST " + one + "/check",
				Want: kit.Obj{"data.#": 1, "data.0.id": id, "data.0.code": "ENTRY_NOT_FOUND"}},
		)
	}
	k.Delete(t, "/"+model+"/"+id)
	change("in the trash")
	admin.Delete(t, "/trash/"+id)
	change("gone")
}

func refusedReleases(t *testing.T, s *kit.Suite) {
	admin, model := s.Admin(t), s.Model(t, nil)
	id := s.Key(t, nil).Create(t, model, kit.Obj{"title": "One"}).Str(t, "data.id")
	many := make(kit.List, 1001)
	for i := range many {
		many[i] = kit.ReleaseItem(model, fmt.Sprintf("018f3f6e-3f0c-7b5a-9c3e-%012x", i), "publish")
	}
	for name, row := range map[string]struct {
		body    kit.Obj
		invalid string
	}{
		"no name": {kit.Obj{}, "name"},
		"past":    {kit.Obj{"name": "x", "publish_at": "2020-01-01T00:00:00Z"}, "publish_at"},
		"unknown model": {kit.Obj{"name": "x", "items": kit.List{kit.ReleaseItem("no-such-model", id, "publish")}},
			"items.0.model"},
		"unknown entry": {kit.Obj{"name": "x", "items": kit.List{kit.ReleaseItem(model, kit.UnknownID, "publish")}},
			"items.0.id"},
		"twice": {kit.Obj{"name": "x", "items": kit.List{kit.ReleaseItem(model, id, "publish"),
			kit.ReleaseItem(model, id, "unpublish")}}, "items.1.id"},
		"action": {kit.Obj{"name": "x", "items": kit.List{kit.ReleaseItem(model, id, "archive")}},
			"items.0.action"},
		"nothing in an item": {kit.Obj{"name": "x", "items": kit.List{kit.Obj{}}}, "items.0.action items.0.id items.0.model"},
		"too many":           {kit.Obj{"name": "x", "items": many}, "items"},
	} {
		t.Run(name, func(t *testing.T) {
			admin.Step(t, kit.Step{Call: "POST /releases", Body: row.body, Invalid: row.invalid})
		})
	}
	_, _, viewer := s.User(t, "viewer")
	_, _, editor := s.User(t, "editor")
	viewer.Run(t, kit.Step{Name: "viewer", Call: "GET /releases", Code: "FORBIDDEN"})
	editor.Run(t, kit.Step{Name: "editor", Call: "POST /releases", Body: kit.Obj{"name": "x"}, Status: 201})
}

func publishedRelease(t *testing.T, s *kit.Suite) {
	admin, model, k, boss := s.Admin(t), s.Model(t, nil), s.Key(t, nil), s.AdminKey(t)
	r := kit.NewReceiver(t)
	s.Subscribe(t, kit.Obj{"url": r.URL, "events": kit.List{"release.published"}})
	a := k.Create(t, model, kit.Obj{"title": "A"}).Str(t, "data.id")
	b := k.Create(t, model, kit.Obj{"title": "B", "status": "published"}).Str(t, "data.id")
	k.Put(t, "/"+model+"/"+b+"/draft", kit.Obj{"title": "B changed"})
	c := k.Create(t, model, kit.Obj{"title": "C", "status": "published"}).Str(t, "data.id")
	name := kit.Unique("release")
	one := "/releases/" + admin.Post(t, "/releases", kit.Obj{"name": name, "items": kit.List{
		kit.ReleaseItem(model, a, "publish"), kit.ReleaseItem(model, b, "publish"), kit.ReleaseItem(model, c, "unpublish"),
	}}).Str(t, "data.id")
	admin.Step(t, kit.Step{Call: "POST " + one + "/publish", Status: 202, Want: kit.Obj{"data.name": name}})
	s.EndOfRelease(t, one).Has(t, "the release", kit.Obj{"data.status": "published", "data.done": 3})
	k.Run(t,
		kit.Step{Name: "published", Call: "GET /" + model + "/" + a},
		kit.Step{Name: "the draft was taken", Call: "GET /" + model + "/" + b, Want: kit.Obj{"data.title": "B changed"}},
		kit.Step{Name: "unpublished", Call: "GET /" + model + "/" + c, Code: "ENTRY_NOT_FOUND"},
	)
	boss.Run(t, kit.Step{Name: "each once", Call: "GET /" + model + "/" + a, Want: kit.Obj{"data.version": 2}})
	admin.Run(t,
		kit.Step{Name: "published twice", Call: "POST " + one + "/publish", Code: "CONFLICT"},
		kit.Step{Name: "changed", Call: "PUT " + one, Body: kit.Obj{"name": "x"}, Code: "CONFLICT"},
	)
	s.Eventually(t, "release.published", func() bool {
		for _, d := range r.All() {
			if kit.Dig(d.Body, "data.name") == name && kit.Dig(d.Body, "data.items.2.action") == "unpublish" {
				return true
			}
		}
		return false
	})
}

// undoneRelease takes back the changes of a release, leaves an entry alone that was changed since, and publishes the
// release again.
func undoneRelease(t *testing.T, s *kit.Suite) {
	admin, model, k := s.Admin(t), s.Model(t, nil), s.Key(t, nil)
	a := k.Create(t, model, kit.Obj{"title": "A"}).Str(t, "data.id")
	b, c := k.Publish(t, model, "B", nil), k.Publish(t, model, "C", nil)
	k.Put(t, "/"+model+"/"+b+"/draft", kit.Obj{"title": "B changed"})
	one := "/releases/" + admin.Post(t, "/releases", kit.Obj{"name": "U", "items": kit.List{
		kit.ReleaseItem(model, a, "publish"), kit.ReleaseItem(model, b, "publish"), kit.ReleaseItem(model, c, "unpublish"),
	}}).Str(t, "data.id")
	admin.Step(t, kit.Step{Name: "too early", Call: "POST " + one + "/undo", Code: "CONFLICT"})
	publish := func() {
		t.Helper()
		admin.OK(t, 202, "POST "+one+"/publish", nil)
		s.EndOfRelease(t, one).Has(t, "the release", kit.Obj{"data.status": "published"})
	}
	publish()
	k.Put(t, "/"+model+"/"+a, kit.Obj{"title": "A later"})
	_, _, viewer := s.User(t, "viewer")
	viewer.Step(t, kit.Step{Name: "viewer", Call: "POST " + one + "/undo", Code: "FORBIDDEN"})
	job := admin.Step(t, kit.Step{Name: "undo", Call: "POST " + one + "/undo", Status: 202, Want: kit.Obj{
		"data.action": "undo_release", "data.release": one[len("/releases/"):], "data.total": 3}}).Str(t, "data.id")
	s.EndOfJob(t, job).Has(t, "the job", kit.Obj{"data.status": "done", "data.failed.0.id": a,
		"data.failed.0.model": model, "data.failed.0.code": "CONFLICT", "data.failed.#": 1})
	k.Run(t,
		kit.Step{Name: "changed since", Call: "GET /" + model + "/" + a, Want: kit.Obj{"data.title": "A later"}},
		kit.Step{Name: "as before", Call: "GET /" + model + "/" + b, Want: kit.Obj{"data.title": "B"}},
		kit.Step{Name: "back", Call: "GET /" + model + "/" + c, Want: kit.Obj{"data.title": "C"}},
	)
	s.AdminKey(t).Step(t, kit.Step{Name: "a draft again", Call: "GET /" + model + "/" + b + "/draft",
		Want: kit.Obj{"data.title": "B changed"}})
	admin.Run(t,
		kit.Step{Name: "open", Call: "GET " + one, Want: kit.Obj{"data.status": "open", "data.done": 1,
			"data.published_at": nil}},
		kit.Step{Name: "nothing more", Call: "POST " + one + "/undo", Code: "CONFLICT"},
		kit.Step{Name: "no release", Call: "POST /releases/" + kit.UnknownID + "/undo", Code: "NOT_FOUND"},
	)
	publish()
	k.Run(t,
		kit.Step{Name: "again", Call: "GET /" + model + "/" + b, Want: kit.Obj{"data.title": "B changed"}},
		kit.Step{Name: "unpublished again", Call: "GET /" + model + "/" + c, Code: "ENTRY_NOT_FOUND"},
	)
}

// undoneOnce takes back releases by several requests at the same moment. One of them begins the job.
func undoneOnce(t *testing.T, s *kit.Suite) {
	admin, model, k := s.Admin(t), s.Model(t, nil), s.Key(t, nil)
	for range 4 {
		id := k.Create(t, model, kit.Obj{"title": "A"}).Str(t, "data.id")
		release := "/releases/" + admin.Post(t, "/releases", kit.Obj{"name": "U",
			"items": kit.List{kit.ReleaseItem(model, id, "publish")}}).Str(t, "data.id")
		admin.OK(t, 202, "POST "+release+"/publish", nil)
		s.EndOfRelease(t, release)
		var begun atomic.Int64
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				switch a := admin.Do(t, "POST "+release+"/undo", nil); a.Status {
				case 202:
					begun.Add(1)
				case 409:
				default:
					t.Errorf("%d %s", a.Status, a.Raw)
				}
			})
		}
		all.Wait()
		if begun.Load() != 1 {
			t.Errorf("%d jobs take back a release", begun.Load())
		}
	}
}

func failedRelease(t *testing.T, s *kit.Suite) {
	admin, k := s.Admin(t), s.Key(t, nil)
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("body", "text", kit.Obj{"required": true})}})
	full := kit.Obj{"body": "x"}
	good := k.Create(t, model, kit.Obj{"title": "Good", "data": full}).Str(t, "data.id")
	bad := k.Create(t, model, kit.Obj{"title": "Bad", "data": full}).Str(t, "data.id")
	k.Put(t, "/"+model+"/"+bad, kit.Obj{"data": kit.Obj{"body": nil}})
	one := "/releases/" + admin.Post(t, "/releases",
		kit.Obj{"name": "F", "items": kit.List{kit.ReleaseItem(model, good, "publish"),
			kit.ReleaseItem(model, bad, "publish")}}).Str(t, "data.id")
	admin.Run(t, kit.Step{Name: "check", Call: "POST " + one + "/check", Want: kit.Obj{
		"data.#": 1, "data.0.model": model, "data.0.id": bad, "data.0.code": "VALIDATION_FAILED",
		"data.0.message": kit.Present, "data.0.details": kit.Present,
	}})
	admin.OK(t, 202, "POST "+one+"/publish", nil)
	s.EndOfRelease(t, one).Has(t, "the release", kit.Obj{"data.status": "failed", "data.problems.0.id": bad})
	k.Run(t, kit.Step{Name: "nothing was done", Call: "GET /" + model + "/" + good, Code: "ENTRY_NOT_FOUND"})
	k.Put(t, "/"+model+"/"+bad, kit.Obj{"data": full})
	admin.OK(t, 202, "POST "+one+"/publish", nil)
	s.EndOfRelease(t, one).Has(t, "the release", kit.Obj{"data.status": "published", "data.problems.#": 0})
	t.Run("clash between items", func(t *testing.T) {
		model := s.Model(t, nil)
		a := k.Create(t, model, kit.Obj{"title": "A", "status": "published"}).Str(t, "data.id")
		b := k.Create(t, model, kit.Obj{"title": "B", "status": "published"}).Str(t, "data.id")
		k.Put(t, "/"+model+"/"+a+"/draft", kit.Obj{"slug": "same"})
		k.Put(t, "/"+model+"/"+b+"/draft", kit.Obj{"slug": "same"})
		two := "/releases/" + admin.Post(t, "/releases", kit.Obj{"name": "C",
			"items": kit.List{kit.ReleaseItem(model, a, "publish"), kit.ReleaseItem(model, b, "publish")}}).Str(t, "data.id")
		admin.Run(t, kit.Step{Name: "check", Call: "POST " + two + "/check",
			Want: kit.Obj{"data.#": 1, "data.0.id": b, "data.0.code": "SLUG_CONFLICT"}})
	})
	t.Run("clash of unique values", func(t *testing.T) {
		model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("code", "text", kit.Obj{"unique": true})}})
		a := k.Create(t, model, kit.Obj{"title": "A", "data": kit.Obj{"code": "A"}}).Str(t, "data.id")
		b := k.Create(t, model, kit.Obj{"title": "B"}).Str(t, "data.id")
		k.Put(t, "/"+model+"/"+a+"/draft", kit.Obj{"data": kit.Obj{"code": "same"}})
		k.Put(t, "/"+model+"/"+b+"/draft", kit.Obj{"data": kit.Obj{"code": "same"}})
		three := "/releases/" + admin.Post(t, "/releases", kit.Obj{"name": "U",
			"items": kit.List{kit.ReleaseItem(model, a, "publish"), kit.ReleaseItem(model, b, "publish")}}).Str(t, "data.id")
		admin.Step(t, kit.Step{Name: "check", Call: "POST " + three + "/check",
			Want: kit.Obj{"data.#": 1, "data.0.id": b, "data.0.code": "CONFLICT"}})
		admin.OK(t, 202, "POST "+three+"/publish", nil)
		s.EndOfRelease(t, three).Has(t, "the release", kit.Obj{"data.status": "failed", "data.done": 0,
			"data.problems.0.id": b})
		k.Put(t, "/"+model+"/"+b+"/draft", kit.Obj{"data": kit.Obj{"code": "A"}})
		admin.Step(t, kit.Step{Name: "given up by an item before", Call: "POST " + three + "/check",
			Want: kit.Obj{"data.#": 0}})
		admin.OK(t, 202, "POST "+three+"/publish", nil)
		s.EndOfRelease(t, three).Has(t, "the release", kit.Obj{"data.status": "published"})
	})
}

func plannedRelease(t *testing.T, s *kit.Suite) {
	admin, model, k := s.Admin(t), s.Model(t, nil), s.Key(t, nil)
	id := k.Create(t, model, kit.Obj{"title": "Soon"}).Str(t, "data.id")
	later := k.Create(t, model, kit.Obj{"title": "Later"}).Str(t, "data.id")
	k.Put(t, "/"+model+"/"+later+"/schedule",
		kit.Obj{"publish_at": kit.FromNow(time.Hour), "unpublish_at": kit.FromNow(90 * time.Minute)})
	one := "/releases/" + admin.Post(t, "/releases", kit.Obj{"name": "P", "publish_at": kit.FromNow(s.Target.Soon),
		"items": kit.List{kit.ReleaseItem(model, id, "publish")}}).Str(t, "data.id")
	a := admin.Get(t, "/planned")
	var seen []string
	for _, v := range a.Get("data").(kit.List) {
		if kit.Dig(v, "id") == later || kit.Dig(v, "id") == id || "/releases/"+kit.Str(kit.Dig(v, "id")) == one {
			seen = append(seen, kit.Str(kit.Dig(v, "action")))
		}
	}
	if len(seen) < 2 || seen[len(seen)-2] != "publish" || seen[len(seen)-1] != "unpublish" {
		t.Errorf("planned %v", seen)
	}
	admin.Run(t, kit.Step{Name: "no time", Call: "GET /planned?from=soon", Code: "BAD_REQUEST"})
	s.EndOfRelease(t, one).Has(t, "the release", kit.Obj{"data.status": "published"})
	k.Run(t, kit.Step{Name: "published", Call: "GET /" + model + "/" + id})
}

// renamedInRelease gives the model of an item another slug, and another model its former one.
func renamedInRelease(t *testing.T, s *kit.Suite) {
	admin, k, model := s.Admin(t), s.Key(t, nil), s.Model(t, nil)
	id := k.Create(t, model, kit.Obj{"title": "One"}).Str(t, "data.id")
	release := admin.Post(t, "/releases",
		kit.Obj{"name": "R", "items": kit.List{kit.ReleaseItem(model, id, "publish")}}).Str(t, "data.id")
	_, reader := s.Role(t, kit.Obj{"models": kit.List{model}, "actions": kit.List{"read"}})
	slug := kit.Unique("renamed")
	admin.Put(t, "/models/"+model, kit.Obj{"slug": slug})
	admin.Post(t, "/models", kit.Obj{"slug": model, "name": "Other", "fields": kit.List{kit.Field("a", "text", nil)}})
	one := "/releases/" + release
	admin.Run(t,
		kit.Step{Name: "the item follows", Call: "GET " + one, Want: kit.Obj{"data.items.0.model": slug}},
		kit.Step{Name: "nothing is wrong", Call: "POST " + one + "/check", Want: kit.Obj{"data.#": 0}},
	)
	reader.Step(t, kit.Step{Name: "still listed for who reads the model", Call: "GET /releases",
		Want: kit.Obj{"data": kit.Item(kit.Obj{"id": release})}})
	token := admin.Post(t, "/previews", kit.Obj{"release": release}).Str(t, "data.token")
	k.Step(t, kit.Step{Name: "preview", Call: "GET /" + slug + "?preview=" + token,
		Want: kit.Obj{"meta.total": 1, "meta.preview.changes": 1}})
	admin.OK(t, 202, "POST "+one+"/publish", nil)
	s.EndOfRelease(t, one).Has(t, "published", kit.Obj{"data.status": "published", "data.problems.#": 0})
	k.Step(t, kit.Step{Name: "public", Call: "GET /" + slug + "/" + id, Want: kit.Obj{"data.status": "published"}})
}
