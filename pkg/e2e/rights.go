package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// rightsScenarios check that permissions belong to who causes a change (extensions §11).
var rightsScenarios = []scenario{
	{name: "rights/shared-2", run: func(t *testing.T, s *suite) { sharedRights(t, s, 2) }},
	{name: "rights/shared-3", run: func(t *testing.T, s *suite) { sharedRights(t, s, 3) }},
	{name: "rights/releases", run: releaseRights},
	{name: "rights/leaving", run: rightsAfterLeaving},
	{name: "rights/plans-bind", run: boundPlans},
	{name: "rights/releases-bind", run: boundReleases},
	{name: "rights/targets", run: targetRights},
	{name: "rights/previews", run: previewRights},
	{name: "rights/preview-links", run: previewLinks},
	{name: "rights/jobs", run: jobRights},
	{name: "rights/mails", run: mailRights},
	{name: "rights/pages", run: pageRights},
	{name: "rights/matrix", run: rightsMatrix},
	{name: "rights/groups-2", run: func(t *testing.T, s *suite) { rightsInGroups(t, s, 2) }},
	{name: "rights/groups-3", run: func(t *testing.T, s *suite) { rightsInGroups(t, s, 3) }},
	{name: "rights/groups-20", run: func(t *testing.T, s *suite) { rightsInGroups(t, s, 20) }},
	{name: "rights/shared-20", run: func(t *testing.T, s *suite) { sharedRights(t, s, 20) }},
}

// sharedRights saves a shared field as somebody who may save only one member of a group, in every
// way there is. The answer does not depend on the size of the group, and nothing changes.
func sharedRights(t *testing.T, s *suite, size int) {
	k, boss := s.key(t, nil), s.adminKey(t)
	model := s.model(t, obj{"localized": true, "fields": list{shared("price", "number"),
		field("body", "text", nil)}})
	s.useLocale(t, "de", "Deutsch")
	en := k.create(t, model, obj{"title": "One", "status": "published",
		"data": obj{"price": 5, "body": "en"}}).str(t, "data.id")
	de := k.create(t, model, obj{"title": "Eins", "locale": "de", "translation_of": en}).str(t, "data.id")
	for i := range size - 2 {
		code := fmt.Sprintf("x%c", 'a'+i)
		s.useLocale(t, code, code)
		k.create(t, model, obj{"title": code, "locale": code, "translation_of": en})
	}
	alone := k.create(t, model, obj{"title": "Allein", "locale": "de", "data": obj{"price": 1}}).str(t, "data.id")
	k.ok(t, 200, "PUT /"+model+"/"+de, obj{"data": obj{"price": 4}})
	k.ok(t, 200, "PUT /"+model+"/"+de, obj{"data": obj{"price": 5}})
	_, tr := s.role(t, obj{"models": list{model}, "actions": list{"read"}},
		obj{"models": list{model}, "locales": list{"de"}, "actions": list{"read", "write", "publish"}})
	at := "/models/" + model + "/entries/"
	before := boss.ok(t, 200, "GET /"+model+"/"+en, nil)
	version := before.get("data.version")
	tr.ok(t, 200, "PUT "+at+de+"/draft", obj{"data": obj{"price": 6}})
	tr.run(t,
		step{name: "save", call: "PUT " + at + de, body: obj{"data": obj{"price": 6}}, status: 403,
			code: "FORBIDDEN"},
		step{name: "publish a draft", call: "POST " + at + de + "/publish", status: 403, code: "FORBIDDEN"},
		step{name: "restore a revision", call: "POST " + at + de + "/revisions/2/restore", status: 403,
			code: "FORBIDDEN"},
		step{name: "save the present value", call: "PUT " + at + de,
			body: obj{"data": obj{"price": 5, "body": "eigen"}}, status: 200},
	)
	job := tr.ok(t, 202, "POST /jobs", obj{"action": "set", "model": model, "ids": list{de},
		"set": obj{"data": obj{"price": 6}}}).str(t, "data.id")
	s.eventually(t, "the job has ended",
		func() bool { return tr.ok(t, 200, "GET /jobs/"+job, nil).get("data.status") == "done" })
	tr.step(t, step{name: "job", call: "GET /jobs/" + job, status: 200,
		want: obj{"data.failed.0.code": "FORBIDDEN"}})
	boss.step(t, step{name: "nothing has changed", call: "GET /" + model + "/" + en, status: 200,
		want: obj{"data.version": version, "data.data.price": 5}})
	tr.ok(t, 204, "DELETE "+at+de+"/draft", nil)
	k.ok(t, 204, "DELETE /"+model+"/"+de, nil)
	tr.step(t, step{name: "a new member with another value", call: "POST " + at[:len(at)-1],
		body:   obj{"title": "Neu", "locale": "de", "translation_of": en, "data": obj{"price": 9}},
		status: 403, code: "FORBIDDEN"})
	k.ok(t, 200, "PUT /"+model+"/"+en, obj{"data": obj{"price": 8}})
	s.admin(t).ok(t, 200, "POST /trash/"+de+"/restore", nil)
	boss.step(t, step{name: "back from the trash with the value of the group",
		call: "GET /" + model + "/" + de, status: 200, want: obj{"data.data.price": 8}})
	tr.ok(t, 200, "PUT "+at+de, obj{"translation_of": nil})
	tr.ok(t, 200, "PUT "+at+alone, obj{"translation_of": en})
	boss.step(t, step{name: "joining takes the value of the group", call: "GET /" + model + "/" + alone,
		status: 200, want: obj{"data.data.price": 8}})
}

// translated makes a localized model with an entry in en and one in de, and a role that reads all of
// it and does everything in de.
func (s *suite) translated(t *testing.T) (model, en, de string, tr *client) {
	t.Helper()
	k := s.key(t, nil)
	s.useLocale(t, "de", "Deutsch")
	model = s.model(t, obj{"localized": true, "fields": list{field("body", "text", nil)}})
	en = k.create(t, model, obj{"title": "One"}).str(t, "data.id")
	de = k.create(t, model, obj{"title": "Eins", "locale": "de"}).str(t, "data.id")
	_, tr = s.role(t, obj{"models": list{model}, "actions": list{"read"}},
		obj{"models": list{model}, "locales": list{"de"}})
	return model, en, de, tr
}

// releaseRights changes releases of others: an item needs the right to what it says, everything
// else the rights for all items.
func releaseRights(t *testing.T, s *suite) {
	admin, k := s.admin(t), s.key(t, nil)
	model, en, de, tr := s.translated(t)
	at := fromNow(time.Hour)
	one := "/releases/" + admin.ok(t, 201, "POST /releases", obj{"name": "R", "publish_at": at,
		"items": list{item(model, de, "publish")}}).str(t, "data.id")
	both := list{item(model, de, "publish"), item(model, en, "publish")}
	tr.run(t,
		step{name: "create with another's locale", call: "POST /releases",
			body: obj{"name": "x", "items": both}, status: 403, code: "FORBIDDEN"},
		step{name: "add what one may not publish", call: "PUT " + one, body: obj{"items": both},
			status: 403, code: "FORBIDDEN"},
		step{name: "rename, all items are one's own", call: "PUT " + one, body: obj{"name": "S"},
			status: 200},
	)
	admin.ok(t, 200, "PUT "+one, obj{"items": both})
	tr.run(t,
		step{name: "remove another's item", call: "PUT " + one,
			body: obj{"items": list{item(model, de, "publish")}}, status: 403, code: "FORBIDDEN"},
		step{name: "change what an item says", call: "PUT " + one, body: obj{"items": list{
			item(model, de, "publish"), item(model, en, "unpublish")}}, status: 403, code: "FORBIDDEN"},
		step{name: "rename", call: "PUT " + one, body: obj{"name": "x"}, status: 403, code: "FORBIDDEN"},
		step{name: "move", call: "PUT " + one, body: obj{"publish_at": fromNow(2 * time.Hour)},
			status: 403, code: "FORBIDDEN"},
		step{name: "unplan", call: "PUT " + one, body: obj{"publish_at": nil}, status: 403, code: "FORBIDDEN"},
		step{name: "publish now", call: "POST " + one + "/publish", status: 403, code: "FORBIDDEN"},
		step{name: "delete", call: "DELETE " + one, status: 403, code: "FORBIDDEN"},
	)
	admin.step(t, step{name: "nothing has changed", call: "GET " + one, status: 200,
		want: obj{"data.name": "S", "data.publish_at": at, "data.items.#": 2, "data.status": "open"}})
	k.step(t, step{name: "nor is anything public", call: "GET /" + model + "/" + en, status: 404,
		code: "ENTRY_NOT_FOUND"})
	tr.ok(t, 200, "PUT "+one, obj{"items": list{item(model, en, "publish")}})
	tr.ok(t, 200, "PUT "+one, obj{"items": both})
	tr.step(t, step{name: "sent back", call: "PUT " + one, body: obj{"name": "S", "publish_at": at,
		"items": both}, status: 200})
	admin.ok(t, 202, "POST "+one+"/publish", nil)
	if got := s.ended(t, one); got.get("data.status") != "published" {
		t.Fatalf("%s", got.Raw)
	}
	email := tr.ok(t, 200, "GET /me", nil).str(t, "data.email")
	published := func(id string) (actor any) {
		s.walk(t, "/activity", func(v any) bool {
			actor = dig(v, "actor")
			return dig(v, "event") == "entry.published" && dig(v, "subject_id") == id
		})
		return actor
	}
	if by := published(de); by != email {
		t.Errorf("the item of %s was published by %v", email, by)
	}
	if by := published(en); by != s.target.AdminEmail {
		t.Errorf("the item of %s was published by %v", s.target.AdminEmail, by)
	}
	if !s.walk(t, "/activity", func(v any) bool {
		return dig(v, "event") == "release.updated" && dig(v, "actor") == email &&
			dig(v, "after.items.0.id") == de && dig(v, "before.name") == "S"
	}) {
		t.Error("no record of the item that was added")
	}
}

// rightsAfterLeaving deactivates who planned, and takes rights away from who added an item.
func rightsAfterLeaving(t *testing.T, s *suite) {
	admin := s.admin(t)
	model, _, de, tr := s.translated(t)
	at, me := "/models/"+model+"/entries/"+de, tr.ok(t, 200, "GET /me", nil)
	role, user := me.str(t, "data.role"), me.str(t, "data.id")
	one := "/releases/" + tr.ok(t, 201, "POST /releases", obj{"name": "R",
		"items": list{item(model, de, "publish")}}).str(t, "data.id")
	admin.ok(t, 200, "PUT /roles/"+role, obj{"rules": list{obj{"models": list{model}, "actions": list{"read"}}}})
	admin.step(t, step{name: "by the rights of who added it", call: "POST " + one + "/check", status: 200,
		want: obj{"data.#": 1, "data.0.id": de, "data.0.code": "FORBIDDEN"}})
	admin.ok(t, 202, "POST "+one+"/publish", nil)
	if got := s.ended(t, one); got.get("data.status") != "failed" ||
		got.get("data.problems.0.code") != "FORBIDDEN" {
		t.Fatalf("%s", got.Raw)
	}
	admin.ok(t, 200, "PUT /roles/"+role, obj{"rules": list{obj{"models": list{model}}}})
	tr.ok(t, 200, "PUT "+at+"/schedule", obj{"publish_at": fromNow(s.soon())})
	admin.ok(t, 200, "PUT /users/"+user, obj{"is_active": false})
	s.forbiddenPlan(t, admin, at)

	k := s.key(t, nil)
	admin.ok(t, 204, "DELETE "+at+"/schedule", nil)
	k.ok(t, 200, "PUT /"+model+"/"+de+"/schedule", obj{"publish_at": fromNow(s.soon())})
	if !s.walk(t, "/keys", func(v any) bool {
		id := str(dig(v, "id"))
		return dig(v, "name") == k.name && admin.do(t, "DELETE /keys/"+id, nil).Status == 204
	}) {
		t.Fatal("the key is not listed")
	}
	s.forbiddenPlan(t, admin, at)
}

// forbiddenPlan waits until the plan of an entry ends with FORBIDDEN.
func (s *suite) forbiddenPlan(t *testing.T, admin *client, at string) {
	t.Helper()
	s.fired(t, "the plan fails", func() bool {
		return admin.do(t, "GET "+at+"/schedule", nil).get("data.error.code") == "FORBIDDEN"
	})
	admin.step(t, step{name: "not published", call: "GET " + at, status: 200,
		want: obj{"data.status": "draft"}})
}

// jobRights runs jobs on what one may not change, and stops those of others.
func jobRights(t *testing.T, s *suite) {
	admin := s.admin(t)
	model, en, de, tr := s.translated(t)
	var job answer
	for name, body := range map[string]obj{
		"ids":    {"action": "publish", "model": model, "ids": list{en, de}},
		"filter": {"action": "unpublish", "model": model, "filter": obj{"title": "One"}},
		"set":    {"action": "set", "model": model, "ids": list{en}, "set": obj{"data": obj{"body": "x"}}},
		"delete": {"action": "delete", "model": model, "ids": list{en}},
	} {
		id := tr.ok(t, 202, "POST /jobs", body).str(t, "data.id")
		s.fired(t, "the job ends", func() bool {
			job = admin.ok(t, 200, "GET /jobs/"+id, nil)
			return job.get("data.status") == "done"
		})
		if name != "filter" && (job.get("data.failed.0.id") != en || job.get("data.failed.0.code") != "FORBIDDEN") {
			t.Errorf("%s: %s", name, job.Raw)
		}
		tr.step(t, step{name: "stopped after its end", call: "DELETE /jobs/" + id, status: 409, code: "CONFLICT"})
	}
	other := admin.ok(t, 202, "POST /jobs", obj{"action": "archive", "model": model, "ids": list{de}}).str(t, "data.id")
	tr.step(t, step{name: "stop another's", call: "DELETE /jobs/" + other, status: 403, code: "FORBIDDEN"})
	_, german := s.role(t, obj{"models": list{model}, "locales": list{"de"}})
	own := german.ok(t, 202, "POST /jobs", obj{"action": "set", "model": model, "ids": list{de}, "set": obj{}}).str(t, "data.id")
	german.run(t,
		step{name: "another's, of all locales", call: "GET /jobs/" + other, status: 404, code: "NOT_FOUND"},
		step{name: "stop what is hidden", call: "DELETE /jobs/" + other, status: 404, code: "NOT_FOUND"},
		step{name: "one's own", call: "GET /jobs/" + own, status: 200},
		step{name: "listed", call: "GET /jobs", status: 200, want: obj{"meta.total": 1, "data.0.id": own}})
	s.adminKey(t).step(t, step{name: "nothing has changed", call: "GET /" + model + "/" + en, status: 200,
		want: obj{"data.version": 1}})
}

// writer makes a model with an unpublished entry, somebody who may save it and not publish it, and an
// editor who plans.
func (s *suite) writer(t *testing.T) (model, id string, writer, planner *client, email string) {
	t.Helper()
	model = s.model(t, obj{"fields": list{field("body", "text", nil)}})
	id = s.key(t, nil).create(t, model, obj{"title": "Planned", "data": obj{"body": "approved"}}).str(t, "data.id")
	_, writer = s.role(t, obj{"models": list{model}, "actions": list{"read", "write"}})
	email, _, planner = s.user(t, "editor")
	return model, id, writer, planner, email
}

// boundPlans changes, in every way, what somebody else planned to publish.
func boundPlans(t *testing.T, s *suite) {
	model, id, writer, planner, email := s.writer(t)
	at := "/models/" + model + "/entries/" + id
	me := writer.ok(t, 200, "GET /me", nil)
	plan := func(when time.Duration) {
		planner.step(t, step{name: "plan", call: "PUT " + at + "/schedule",
			body: obj{"publish_at": fromNow(when)}, status: 200, want: obj{"data.changed": nil}})
	}
	changed := func(name string) {
		t.Helper()
		planner.step(t, step{name: name, call: "GET " + at + "/schedule", status: 200,
			want: obj{"data.changed.by.id": me.get("data.id"), "data.changed.by.name": me.get("data.name"),
				"data.changed.at": timestamp}})
	}
	plan(time.Hour)
	planner.ok(t, 200, "PUT "+at, obj{"data": obj{"body": "by who may publish"}})
	writer.ok(t, 200, "PUT "+at, obj{"data": obj{"body": "by who may publish"}})
	planner.step(t, step{name: "nothing has changed", call: "GET " + at + "/schedule", status: 200,
		want: obj{"data.changed": nil}})
	writer.ok(t, 200, "PUT "+at, obj{"data": obj{"body": "UNAPPROVED"}})
	changed("saved")
	planner.step(t, step{name: "in admin JSON", call: "GET " + at, status: 200,
		want: obj{"data.schedule.changed.by.id": me.get("data.id")}})
	plan(time.Hour)
	writer.ok(t, 200, "PUT "+at+"/draft", obj{"data": obj{"body": "draft"}})
	changed("a draft saved")
	plan(time.Hour)
	writer.ok(t, 204, "DELETE "+at+"/draft", nil)
	changed("a draft discarded")
	plan(time.Hour)
	writer.ok(t, 200, "POST "+at+"/revisions/1/restore", nil)
	changed("a revision restored")
	plan(time.Hour)
	job := writer.ok(t, 202, "POST /jobs", obj{"action": "set", "model": model, "ids": list{id},
		"set": obj{"data": obj{"body": "by a job"}}}).str(t, "data.id")
	s.fired(t, "the job ends", func() bool {
		return writer.ok(t, 200, "GET /jobs/"+job, nil).get("data.status") == "done"
	})
	changed("saved by a job")
	if s.target.Mail != nil {
		_, all := s.mailTo(t, email, 0)
		s.eventually(t, "one mail", func() bool { _, all = s.mailTo(t, email, 0); return all != "" })
		if n := strings.Count(all, "Subject: A planned entry was changed"); n != 1 ||
			!strings.Contains(all, "/admin"+at) || strings.Contains(all, "UNAPPROVED") {
			t.Errorf("%d mails: %s", n, all)
		}
	}
	plan(s.soon())
	writer.ok(t, 200, "PUT "+at, obj{"data": obj{"body": "UNAPPROVED"}})
	s.fired(t, "the plan fails", func() bool {
		return planner.do(t, "GET "+at+"/schedule", nil).get("data.error.code") == "CONFLICT"
	})
	planner.step(t, step{name: "not published", call: "GET " + at, status: 200,
		want: obj{"data.status": "draft"}})
	planner.ok(t, 200, "PUT "+at, obj{"status": "published"})
	planner.ok(t, 200, "PUT "+at+"/schedule", obj{"unpublish_at": fromNow(s.soon())})
	writer.ok(t, 200, "PUT "+at+"/draft", obj{"data": obj{"body": "later"}})
	s.fired(t, "unpublished, whoever saved since", func() bool {
		return planner.ok(t, 200, "GET "+at, nil).get("data.status") == "draft"
	})
}

// boundReleases changes the entry of an item of somebody else's release.
func boundReleases(t *testing.T, s *suite) {
	model, id, writer, planner, _ := s.writer(t)
	at := "/models/" + model + "/entries/" + id
	other := s.key(t, nil).create(t, model, obj{"title": "Other"}).str(t, "data.id")
	items := func(more obj) list {
		first := item(model, id, "publish")
		for key, v := range more {
			first[key] = v
		}
		return list{first, item(model, other, "publish")}
	}
	planner.step(t, step{name: "not the present version", call: "POST /releases",
		body: obj{"name": "R", "items": items(obj{"version": "2"})}, status: 422,
		code: "VALIDATION_FAILED", details: []string{"items.0.version"}})
	one := "/releases/" + planner.ok(t, 201, "POST /releases", obj{"name": "R",
		"items": items(obj{"version": "1"})}).str(t, "data.id")
	writer.ok(t, 200, "PUT "+at+"/draft", obj{"data": obj{"body": "UNAPPROVED"}})
	by := writer.ok(t, 200, "GET /me", nil).get("data.id")
	planner.run(t,
		step{name: "shown", call: "GET " + one, status: 200,
			want: obj{"data.items.0.changed.by.id": by, "data.items.0.changed.at": timestamp,
				"data.items.1.changed": nil}},
		step{name: "check", call: "POST " + one + "/check", status: 200, want: obj{"data.#": 1,
			"data.0.id": id, "data.0.code": "CONFLICT", "data.0.changed.by.id": by}},
		step{name: "sent back", call: "PUT " + one, body: obj{"name": "S", "items": items(nil)},
			status: 200, want: obj{"data.items.0.changed.by.id": by}},
	)
	planner.ok(t, 202, "POST "+one+"/publish", nil)
	if got := s.ended(t, one); got.get("data.status") != "failed" || compare(got.get("data.done"), 0) != nil ||
		got.get("data.problems.0.code") != "CONFLICT" {
		t.Fatalf("%s", got.Raw)
	}
	writer.step(t, step{name: "bound by who may not publish", call: "PUT " + one,
		body: obj{"items": items(obj{"version": "d1"})}, status: 403, code: "FORBIDDEN"})
	planner.run(t,
		step{name: "an older version", call: "PUT " + one, body: obj{"items": items(obj{"version": "1"})},
			status: 422, code: "VALIDATION_FAILED", details: []string{"items.0.version"}},
		step{name: "bound anew", call: "PUT " + one, body: obj{"items": items(obj{"version": "d1"})},
			status: 200, want: obj{"data.items.0.changed": nil}},
		step{name: "check again", call: "POST " + one + "/check", status: 200, want: obj{"data.#": 0}},
	)
	planner.ok(t, 202, "POST "+one+"/publish", nil)
	if got := s.ended(t, one); got.get("data.status") != "published" {
		t.Fatalf("%s", got.Raw)
	}
}
