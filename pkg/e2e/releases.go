package e2e

import (
	"fmt"
	"testing"
	"time"
)

var releaseScenarios = []scenario{
	{name: "releases/manage", run: manageReleases},
	{name: "releases/refused", run: refusedReleases},
	{name: "releases/publish", run: publishedRelease},
	{name: "releases/fails", run: failedRelease},
	{name: "releases/planned", run: plannedRelease},
	{name: "releases/preview", run: previewedRelease},
}

const nobody = "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"

func item(model, id, action string) obj { return obj{"model": model, "id": id, "action": action} }

// ended waits until a release is not publishing any more.
func (s *suite) ended(t *testing.T, release string) answer {
	t.Helper()
	var a answer
	s.fired(t, "the end of the release", func() bool {
		a = s.admin(t).ok(t, 200, "GET "+release, nil)
		return a.get("data.status") == "published" || a.get("data.status") == "failed"
	})
	return a
}

func manageReleases(t *testing.T, s *suite) {
	admin, model := s.admin(t), s.model(t, nil)
	id := s.key(t, nil).create(t, model, obj{"title": "One"}).str(t, "data.id")
	at := fromNow(time.Hour)
	one := "/releases/" +
		admin.step(t, step{call: "POST /releases", body: obj{"name": "R"}, status: 201, want: obj{
			"data.name": "R", "data.publish_at": nil, "data.items.#": 0, "data.status": "open",
			"data.problems.#": 0,
		}}).str(t, "data.id")
	admin.run(t,
		step{name: "update", call: "PUT " + one,
			body: obj{"publish_at": at, "items": list{item(model, id, "publish")}}, status: 200, want: obj{
				"data.name": "R", "data.publish_at": at, "data.items.0.id": id,
				"data.items.0.action": "publish",
			}},
		step{name: "read", call: "GET " + one, status: 200, want: obj{"data.items.0.model": model}},
		step{name: "check", call: "POST " + one + "/check", status: 200, want: obj{"data.#": 0}},
		step{name: "planned", call: "GET /planned?from=" + at + "&to=" + fromNow(2*time.Hour),
			status: 200, want: obj{"data.#": present, "meta.page": 1, "meta.total": present}},
		step{name: "nothing planned", call: "GET /planned?from=2001-01-01&to=2001-01-02", status: 200,
			want: obj{"data.#": 0, "meta.page": 1, "meta.per_page": 1, "meta.total": 0}},
		step{name: "unplan", call: "PUT " + one, body: obj{"publish_at": nil}, status: 200,
			want: obj{"data.publish_at": nil}},
	)
	if !s.walk(t, "/releases", func(v any) bool {
		return dig(v, "name") == "R" &&
			"/releases/"+str(dig(v, "id")) == one
	}) {
		t.Error("the release is not listed")
	}
	admin.run(t,
		step{name: "delete", call: "DELETE " + one, status: 204},
		step{name: "gone", call: "GET " + one, status: 404, code: "NOT_FOUND"},
		step{name: "gone, publish", call: "POST " + one + "/publish", status: 404, code: "NOT_FOUND"},
		step{name: "gone, check", call: "POST " + one + "/check", status: 404, code: "NOT_FOUND"},
		step{name: "gone, delete", call: "DELETE " + one, status: 404, code: "NOT_FOUND"},
	)
}

func refusedReleases(t *testing.T, s *suite) {
	admin, model := s.admin(t), s.model(t, nil)
	id := s.key(t, nil).create(t, model, obj{"title": "One"}).str(t, "data.id")
	many := make(list, 1001)
	for i := range many {
		many[i] = item(model, fmt.Sprintf("018f3f6e-3f0c-7b5a-9c3e-%012x", i), "publish")
	}
	for name, row := range map[string]struct {
		body    obj
		details []string
	}{
		"no name": {obj{}, []string{"name"}},
		"past":    {obj{"name": "x", "publish_at": "2020-01-01T00:00:00Z"}, []string{"publish_at"}},
		"unknown model": {obj{"name": "x", "items": list{item("no-such-model", id, "publish")}},
			[]string{"items.0.model"}},
		"unknown entry": {obj{"name": "x", "items": list{item(model, nobody, "publish")}},
			[]string{"items.0.id"}},
		"twice": {obj{"name": "x", "items": list{item(model, id, "publish"),
			item(model, id, "unpublish")}}, []string{"items.1.id"}},
		"action": {obj{"name": "x", "items": list{item(model, id, "archive")}},
			[]string{"items.0.action"}},
		"nothing in an item": {obj{"name": "x", "items": list{obj{}}},
			[]string{"items.0.action", "items.0.id", "items.0.model"}},
		"too many": {obj{"name": "x", "items": many}, []string{"items"}},
	} {
		t.Run(name, func(t *testing.T) {
			admin.step(t, step{call: "POST /releases", body: row.body, status: 422,
				code: "VALIDATION_FAILED", details: row.details})
		})
	}
	_, _, viewer := s.user(t, "viewer")
	_, _, editor := s.user(t, "editor")
	viewer.run(t, step{name: "viewer", call: "GET /releases", status: 403, code: "FORBIDDEN"})
	editor.run(t, step{name: "editor", call: "POST /releases", body: obj{"name": "x"}, status: 201})
}

func publishedRelease(t *testing.T, s *suite) {
	admin, model, k, boss := s.admin(t), s.model(t, nil), s.key(t, nil), s.adminKey(t)
	r := newReceiver(t)
	s.subscribe(t, obj{"url": r.url, "events": list{"release.published"}})
	a := k.create(t, model, obj{"title": "A"}).str(t, "data.id")
	b := k.create(t, model, obj{"title": "B", "status": "published"}).str(t, "data.id")
	k.ok(t, 200, "PUT /"+model+"/"+b+"/draft", obj{"title": "B changed"})
	c := k.create(t, model, obj{"title": "C", "status": "published"}).str(t, "data.id")
	name := unique("release")
	one := "/releases/" + admin.ok(t, 201, "POST /releases", obj{"name": name, "items": list{
		item(model, a, "publish"), item(model, b, "publish"), item(model, c, "unpublish"),
	}}).str(t, "data.id")
	admin.step(t, step{call: "POST " + one + "/publish", status: 202, want: obj{"data.name": name}})
	if got := s.ended(t, one); got.get("data.status") != "published" ||
		compare(got.get("data.done"), 3) != nil {
		t.Fatalf("%s", got.Raw)
	}
	k.run(t,
		step{name: "published", call: "GET /" + model + "/" + a, status: 200},
		step{name: "the draft was taken", call: "GET /" + model + "/" + b, status: 200,
			want: obj{"data.title": "B changed"}},
		step{name: "unpublished", call: "GET /" + model + "/" + c, status: 404, code: "ENTRY_NOT_FOUND"},
	)
	boss.run(t, step{name: "each once", call: "GET /" + model + "/" + a, status: 200,
		want: obj{"data.version": 2}})
	admin.run(t,
		step{name: "published twice", call: "POST " + one + "/publish", status: 409, code: "CONFLICT"},
		step{name: "changed", call: "PUT " + one, body: obj{"name": "x"}, status: 409, code: "CONFLICT"},
	)
	s.eventually(t, "release.published", func() bool {
		for _, d := range r.all() {
			if dig(d.body, "data.name") == name && dig(d.body, "data.items.2.action") == "unpublish" {
				return true
			}
		}
		return false
	})
}

func failedRelease(t *testing.T, s *suite) {
	admin, k := s.admin(t), s.key(t, nil)
	model := s.model(t, obj{"fields": list{field("body", "text", obj{"required": true})}})
	full := obj{"body": "x"}
	good := k.create(t, model, obj{"title": "Good", "data": full}).str(t, "data.id")
	bad := k.create(t, model, obj{"title": "Bad", "data": full}).str(t, "data.id")
	k.ok(t, 200, "PUT /"+model+"/"+bad, obj{"data": obj{"body": nil}})
	one := "/releases/" +
		admin.ok(t, 201, "POST /releases",
			obj{"name": "F", "items": list{item(model, good, "publish"),
				item(model, bad, "publish")}}).str(t, "data.id")
	admin.run(t, step{name: "check", call: "POST " + one + "/check", status: 200, want: obj{
		"data.#": 1, "data.0.model": model, "data.0.id": bad, "data.0.code": "VALIDATION_FAILED",
		"data.0.message": present, "data.0.details": present,
	}})
	admin.ok(t, 202, "POST "+one+"/publish", nil)
	if got := s.ended(t, one); got.get("data.status") != "failed" || got.get("data.problems.0.id") != bad {
		t.Fatalf("%s", got.Raw)
	}
	k.run(t, step{name: "nothing was done", call: "GET /" + model + "/" + good, status: 404,
		code: "ENTRY_NOT_FOUND"})
	k.ok(t, 200, "PUT /"+model+"/"+bad, obj{"data": full})
	admin.ok(t, 202, "POST "+one+"/publish", nil)
	if got := s.ended(t, one); got.get("data.status") != "published" ||
		compare(got.get("data.problems.#"), 0) != nil {
		t.Fatalf("%s", got.Raw)
	}
	t.Run("clash between items", func(t *testing.T) {
		model := s.model(t, nil)
		a := k.create(t, model, obj{"title": "A", "status": "published"}).str(t, "data.id")
		b := k.create(t, model, obj{"title": "B", "status": "published"}).str(t, "data.id")
		k.ok(t, 200, "PUT /"+model+"/"+a+"/draft", obj{"slug": "same"})
		k.ok(t, 200, "PUT /"+model+"/"+b+"/draft", obj{"slug": "same"})
		two := "/releases/" +
			admin.ok(t, 201, "POST /releases",
				obj{"name": "C",
					"items": list{item(model, a, "publish"), item(model, b, "publish")}}).str(t, "data.id")
		admin.run(t, step{name: "check", call: "POST " + two + "/check", status: 200,
			want: obj{"data.#": 1, "data.0.id": b, "data.0.code": "SLUG_CONFLICT"}})
	})
	t.Run("clash of unique values", func(t *testing.T) {
		model := s.model(t, obj{"fields": list{field("code", "text", obj{"unique": true})}})
		a := k.create(t, model, obj{"title": "A", "data": obj{"code": "A"}}).str(t, "data.id")
		b := k.create(t, model, obj{"title": "B"}).str(t, "data.id")
		k.ok(t, 200, "PUT /"+model+"/"+a+"/draft", obj{"data": obj{"code": "same"}})
		k.ok(t, 200, "PUT /"+model+"/"+b+"/draft", obj{"data": obj{"code": "same"}})
		three := "/releases/" + admin.ok(t, 201, "POST /releases", obj{"name": "U",
			"items": list{item(model, a, "publish"), item(model, b, "publish")}}).str(t, "data.id")
		admin.step(t, step{name: "check", call: "POST " + three + "/check", status: 200,
			want: obj{"data.#": 1, "data.0.id": b, "data.0.code": "CONFLICT"}})
		admin.ok(t, 202, "POST "+three+"/publish", nil)
		if got := s.ended(t, three); got.get("data.status") != "failed" ||
			compare(got.get("data.done"), 0) != nil || got.get("data.problems.0.id") != b {
			t.Errorf("%s", got.Raw)
		}
		k.ok(t, 200, "PUT /"+model+"/"+b+"/draft", obj{"data": obj{"code": "A"}})
		admin.step(t, step{name: "given up by an item before", call: "POST " + three + "/check",
			status: 200, want: obj{"data.#": 0}})
		admin.ok(t, 202, "POST "+three+"/publish", nil)
		if got := s.ended(t, three); got.get("data.status") != "published" {
			t.Errorf("%s", got.Raw)
		}
	})
}

func plannedRelease(t *testing.T, s *suite) {
	admin, model, k := s.admin(t), s.model(t, nil), s.key(t, nil)
	id := k.create(t, model, obj{"title": "Soon"}).str(t, "data.id")
	later := k.create(t, model, obj{"title": "Later"}).str(t, "data.id")
	k.ok(t, 200, "PUT /"+model+"/"+later+"/schedule",
		obj{"publish_at": fromNow(time.Hour), "unpublish_at": fromNow(90 * time.Minute)})
	one := "/releases/" +
		admin.ok(t, 201, "POST /releases", obj{"name": "P", "publish_at": fromNow(s.soon()),
			"items": list{item(model, id, "publish")}}).str(t, "data.id")
	a := admin.ok(t, 200, "GET /planned", nil)
	var seen []string
	for _, v := range a.get("data").(list) {
		if dig(v, "id") == later || dig(v, "id") == id || "/releases/"+str(dig(v, "id")) == one {
			seen = append(seen, str(dig(v, "action")))
		}
	}
	if len(seen) < 2 || seen[len(seen)-2] != "publish" || seen[len(seen)-1] != "unpublish" {
		t.Errorf("planned %v", seen)
	}
	admin.run(t, step{name: "no time", call: "GET /planned?from=soon", status: 400, code: "BAD_REQUEST"})
	if got := s.ended(t, one); got.get("data.status") != "published" {
		t.Fatalf("%s", got.Raw)
	}
	k.run(t, step{name: "published", call: "GET /" + model + "/" + id, status: 200})
}
