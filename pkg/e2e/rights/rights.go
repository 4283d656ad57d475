package rights

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"headless/pkg/e2e/kit"
)

// Changes has the scenarios of the permissions of those who cause changes (extensions §11).
var Changes = []kit.Scenario{
	{Name: "rights/shared-2", Run: func(t *testing.T, s *kit.Suite) { sharedRights(t, s, 2) }},
	{Name: "rights/shared-3", Run: func(t *testing.T, s *kit.Suite) { sharedRights(t, s, 3) }},
	{Name: "rights/releases", Run: releaseRights},
	{Name: "rights/leaving", Run: rightsAfterLeaving},
	{Name: "rights/plans-bind", Run: boundPlans},
	{Name: "rights/releases-bind", Run: boundReleases},
	{Name: "rights/targets", Run: targetRights},
	{Name: "rights/previews", Run: previewRights},
	{Name: "rights/preview-links", Run: previewLinks},
	{Name: "rights/jobs", Run: jobRights},
	{Name: "rights/mails", Run: mailRights},
	{Name: "rights/pages", Run: pageRights},
	{Name: "rights/matrix", Run: rightsMatrix},
	{Name: "rights/groups-2", Run: func(t *testing.T, s *kit.Suite) { rightsInGroups(t, s, 2) }},
	{Name: "rights/groups-3", Run: func(t *testing.T, s *kit.Suite) { rightsInGroups(t, s, 3) }},
	{Name: "rights/groups-20", Run: func(t *testing.T, s *kit.Suite) { rightsInGroups(t, s, 20) }},
	{Name: "rights/shared-20", Run: func(t *testing.T, s *kit.Suite) { sharedRights(t, s, 20) }},
}

// sharedRights saves a shared field as somebody who may save only one member of a group, in every
// way there is. The answer does not depend on the size of the group, and nothing changes.
func sharedRights(t *testing.T, s *kit.Suite, size int) {
	k, boss := s.Key(t, nil), s.AdminKey(t)
	model := s.Model(t, kit.Obj{"localized": true, "fields": kit.List{kit.SharedField("price", "number"),
		kit.Field("body", "text", nil)}})
	s.UseLocale(t, "de", "Deutsch")
	en := k.Create(t, model, kit.Obj{"title": "One", "status": "published",
		"data": kit.Obj{"price": 5, "body": "en"}}).Str(t, "data.id")
	de := k.Create(t, model, kit.Obj{"title": "Eins", "locale": "de", "translation_of": en}).Str(t, "data.id")
	for i := range size - 2 {
		code := fmt.Sprintf("x%c", 'a'+i)
		s.UseLocale(t, code, code)
		k.Create(t, model, kit.Obj{"title": code, "locale": code, "translation_of": en})
	}
	alone := k.Create(t, model, kit.Obj{"title": "Allein", "locale": "de", "data": kit.Obj{"price": 1}}).Str(t,
		"data.id")
	for _, price := range []float64{4, 5} { // a timer may save the other members of a large group
		k.Put(t, "/"+model+"/"+de, kit.Obj{"data": kit.Obj{"price": price}})
		s.Eventually(t, "the group has the price",
			func() bool { return boss.Get(t, "/"+model+"/"+en).Get("data.data.price") == price })
	}
	_, tr := s.Role(t, kit.Obj{"models": kit.List{model}, "actions": kit.List{"read"}},
		kit.Obj{"models": kit.List{model}, "locales": kit.List{"de"}, "actions": kit.List{"read", "write", "publish"}})
	at := "/models/" + model + "/entries/"
	before := boss.Get(t, "/"+model+"/"+en)
	version := before.Get("data.version")
	tr.Put(t, at+de+"/draft", kit.Obj{"data": kit.Obj{"price": 6}})
	tr.Run(t,
		kit.Step{Name: "save", Call: "PUT " + at + de, Body: kit.Obj{"data": kit.Obj{"price": 6}}, Code: "FORBIDDEN"},
		kit.Step{Name: "publish a draft", Call: "POST " + at + de + "/publish", Code: "FORBIDDEN"},
		kit.Step{Name: "restore a revision", Call: "POST " + at + de + "/revisions/2/restore", Code: "FORBIDDEN"},
		kit.Step{Name: "save the present value", Call: "PUT " + at + de,
			Body: kit.Obj{"data": kit.Obj{"price": 5, "body": "eigen"}}},
	)
	job := tr.OK(t, 202, "POST /jobs", kit.Obj{"action": "set", "model": model, "ids": kit.List{de},
		"set": kit.Obj{"data": kit.Obj{"price": 6}}}).Str(t, "data.id")
	s.Eventually(t, "the job has ended",
		func() bool { return tr.Get(t, "/jobs/"+job).Get("data.status") == "done" })
	tr.Step(t, kit.Step{Name: "job", Call: "GET /jobs/" + job, Want: kit.Obj{"data.failed.0.code": "FORBIDDEN"}})
	boss.Step(t, kit.Step{Name: "nothing has changed", Call: "GET /" + model + "/" + en,
		Want: kit.Obj{"data.version": version, "data.data.price": 5}})
	tr.Delete(t, at+de+"/draft")
	k.Delete(t, "/"+model+"/"+de)
	tr.Step(t, kit.Step{Name: "a new member with another value", Call: "POST " + at[:len(at)-1],
		Body: kit.Obj{"title": "Neu", "locale": "de", "translation_of": en, "data": kit.Obj{"price": 9}},
		Code: "FORBIDDEN"})
	k.Put(t, "/"+model+"/"+en, kit.Obj{"data": kit.Obj{"price": 8}})
	s.Admin(t).OK(t, 200, "POST /trash/"+de+"/restore", nil)
	boss.Step(t, kit.Step{Name: "back from the trash with the value of the group", Call: "GET /" + model + "/" + de,
		Want: kit.Obj{"data.data.price": 8}})
	tr.Put(t, at+de, kit.Obj{"translation_of": nil})
	tr.Put(t, at+alone, kit.Obj{"translation_of": en})
	boss.Step(t, kit.Step{Name: "joining takes the value of the group", Call: "GET /" + model + "/" + alone,
		Want: kit.Obj{"data.data.price": 8}})
}

// translated makes a localized model with an entry in en and one in de, and a role that reads all of
// it and does everything in de.
func translated(t *testing.T, s *kit.Suite) (model, en, de string, tr *kit.Client) {
	t.Helper()
	k := s.Key(t, nil)
	s.UseLocale(t, "de", "Deutsch")
	model = s.Model(t, kit.Obj{"localized": true, "fields": kit.List{kit.Field("body", "text", nil)}})
	en = k.Create(t, model, kit.Obj{"title": "One"}).Str(t, "data.id")
	de = k.Create(t, model, kit.Obj{"title": "Eins", "locale": "de"}).Str(t, "data.id")
	_, tr = s.Role(t, kit.Obj{"models": kit.List{model}, "actions": kit.List{"read"}},
		kit.Obj{"models": kit.List{model}, "locales": kit.List{"de"}})
	return model, en, de, tr
}

// releaseRights changes releases of others: an item needs the right to what it says, everything
// else the rights for all items.
func releaseRights(t *testing.T, s *kit.Suite) {
	admin, k := s.Admin(t), s.Key(t, nil)
	model, en, de, tr := translated(t, s)
	at := kit.FromNow(time.Hour)
	one := "/releases/" + admin.Post(t, "/releases", kit.Obj{"name": "R", "publish_at": at,
		"items": kit.List{kit.ReleaseItem(model, de, "publish")}}).Str(t, "data.id")
	both := kit.List{kit.ReleaseItem(model, de, "publish"), kit.ReleaseItem(model, en, "publish")}
	tr.Run(t,
		kit.Step{Name: "create with another's locale", Call: "POST /releases", Body: kit.Obj{"name": "x", "items": both},
			Code: "FORBIDDEN"},
		kit.Step{Name: "add what one may not publish", Call: "PUT " + one, Body: kit.Obj{"items": both}, Code: "FORBIDDEN"},
		kit.Step{Name: "rename, all items are one's own", Call: "PUT " + one, Body: kit.Obj{"name": "S"}},
	)
	admin.Put(t, one, kit.Obj{"items": both})
	tr.Run(t,
		kit.Step{Name: "remove another's item", Call: "PUT " + one,
			Body: kit.Obj{"items": kit.List{kit.ReleaseItem(model, de, "publish")}}, Code: "FORBIDDEN"},
		kit.Step{Name: "change what an item says", Call: "PUT " + one,
			Body: kit.Obj{"items": kit.List{kit.ReleaseItem(model, de, "publish"), kit.ReleaseItem(model, en, "unpublish")}},
			Code: "FORBIDDEN"},
		kit.Step{Name: "rename", Call: "PUT " + one, Body: kit.Obj{"name": "x"}, Code: "FORBIDDEN"},
		kit.Step{Name: "move", Call: "PUT " + one, Body: kit.Obj{"publish_at": kit.FromNow(2 * time.Hour)},
			Code: "FORBIDDEN"},
		kit.Step{Name: "unplan", Call: "PUT " + one, Body: kit.Obj{"publish_at": nil}, Code: "FORBIDDEN"},
		kit.Step{Name: "publish now", Call: "POST " + one + "/publish", Code: "FORBIDDEN"},
		kit.Step{Name: "delete", Call: "DELETE " + one, Code: "FORBIDDEN"},
	)
	admin.Step(t, kit.Step{Name: "nothing has changed", Call: "GET " + one,
		Want: kit.Obj{"data.name": "S", "data.publish_at": at, "data.items.#": 2, "data.status": "open"}})
	k.Step(t, kit.Step{Name: "nor is anything public", Call: "GET /" + model + "/" + en, Code: "ENTRY_NOT_FOUND"})
	tr.Put(t, one, kit.Obj{"items": kit.List{kit.ReleaseItem(model, en, "publish")}})
	tr.Put(t, one, kit.Obj{"items": both})
	tr.Step(t, kit.Step{Name: "sent back", Call: "PUT " + one,
		Body: kit.Obj{"name": "S", "publish_at": at, "items": both}})
	admin.OK(t, 202, "POST "+one+"/publish", nil)
	s.EndOfRelease(t, one).Has(t, "the release", kit.Obj{"data.status": "published"})
	email := tr.Get(t, "/me").Str(t, "data.email")
	published := func(id string) (actor any) {
		s.Walk(t, "/activity", func(v any) bool {
			actor = kit.Dig(v, "actor")
			return kit.Dig(v, "event") == "entry.published" && kit.Dig(v, "subject_id") == id
		})
		return actor
	}
	kit.Same(t, "who published", published(de), email)
	kit.Same(t, "who published", published(en), s.Target.AdminEmail)
	s.Listed(t, "/activity", kit.Obj{"event": "release.updated", "actor": email, "after.items.0.id": de,
		"before.name": "S"})
}

// rightsAfterLeaving deactivates who planned, and takes rights away from who added an item.
func rightsAfterLeaving(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	model, _, de, tr := translated(t, s)
	at, me := "/models/"+model+"/entries/"+de, tr.Get(t, "/me")
	role, user := me.Str(t, "data.role"), me.Str(t, "data.id")
	one := "/releases/" + tr.Post(t, "/releases", kit.Obj{"name": "R",
		"items": kit.List{kit.ReleaseItem(model, de, "publish")}}).Str(t, "data.id")
	admin.Put(t, "/roles/"+role, kit.Obj{"rules": kit.List{kit.Obj{"models": kit.List{model},
		"actions": kit.List{"read"}}}})
	admin.Step(t, kit.Step{Name: "by the rights of who added it", Call: "POST " + one + "/check",
		Want: kit.Obj{"data.#": 1, "data.0.id": de, "data.0.code": "FORBIDDEN"}})
	admin.OK(t, 202, "POST "+one+"/publish", nil)
	s.EndOfRelease(t, one).Has(t, "the release", kit.Obj{"data.status": "failed", "data.problems.0.code": "FORBIDDEN"})
	admin.Put(t, "/roles/"+role, kit.Obj{"rules": kit.List{kit.Obj{"models": kit.List{model}}}})
	tr.Put(t, at+"/schedule", kit.Obj{"publish_at": kit.FromNow(s.Target.Soon)})
	admin.Put(t, "/users/"+user, kit.Obj{"is_active": false})
	forbiddenPlan(t, s, admin, at)

	k := s.Key(t, nil)
	admin.Delete(t, at+"/schedule")
	k.Put(t, "/"+model+"/"+de+"/schedule", kit.Obj{"publish_at": kit.FromNow(s.Target.Soon)})
	if !s.Walk(t, "/keys", func(v any) bool {
		id := kit.Str(kit.Dig(v, "id"))
		return kit.Dig(v, "name") == k.Name && admin.Do(t, "DELETE /keys/"+id, nil).Status == 204
	}) {
		t.Fatal("the key is not listed")
	}
	forbiddenPlan(t, s, admin, at)
}

// forbiddenPlan waits until the plan of an entry ends with FORBIDDEN.
func forbiddenPlan(t *testing.T, s *kit.Suite, admin *kit.Client, at string) {
	t.Helper()
	s.Eventually(t, "the plan fails", func() bool {
		return admin.Do(t, "GET "+at+"/schedule", nil).Get("data.error.code") == "FORBIDDEN"
	})
	admin.Step(t, kit.Step{Name: "not published", Call: "GET " + at, Want: kit.Obj{"data.status": "draft"}})
}

// jobRights runs jobs on what one may not change, and stops those of others.
func jobRights(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	model, en, de, tr := translated(t, s)
	var job kit.Answer
	for name, body := range map[string]kit.Obj{
		"ids":    {"action": "publish", "model": model, "ids": kit.List{en, de}},
		"filter": {"action": "unpublish", "model": model, "filter": kit.Obj{"title": "One"}},
		"set":    {"action": "set", "model": model, "ids": kit.List{en}, "set": kit.Obj{"data": kit.Obj{"body": "x"}}},
		"delete": {"action": "delete", "model": model, "ids": kit.List{en}},
	} {
		id := tr.OK(t, 202, "POST /jobs", body).Str(t, "data.id")
		s.Eventually(t, "the job ends", func() bool {
			job = admin.Get(t, "/jobs/"+id)
			return job.Get("data.status") == "done"
		})
		if name != "filter" && (job.Get("data.failed.0.id") != en || job.Get("data.failed.0.code") != "FORBIDDEN") {
			t.Errorf("%s: %s", name, job.Raw)
		}
		tr.Step(t, kit.Step{Name: "stopped after its end", Call: "DELETE /jobs/" + id, Code: "CONFLICT"})
	}
	other := admin.OK(t, 202, "POST /jobs", kit.Obj{"action": "archive", "model": model, "ids": kit.List{de}}).Str(t,
		"data.id")
	tr.Step(t, kit.Step{Name: "stop another's", Call: "DELETE /jobs/" + other, Code: "FORBIDDEN"})
	_, german := s.Role(t, kit.Obj{"models": kit.List{model}, "locales": kit.List{"de"}})
	own := german.OK(t, 202, "POST /jobs", kit.Obj{"action": "set", "model": model, "ids": kit.List{de},
		"set": kit.Obj{}}).Str(t, "data.id")
	german.Run(t,
		kit.Step{Name: "another's, of all locales", Call: "GET /jobs/" + other, Code: "NOT_FOUND"},
		kit.Step{Name: "stop what is hidden", Call: "DELETE /jobs/" + other, Code: "NOT_FOUND"},
		kit.Step{Name: "one's own", Call: "GET /jobs/" + own},
		kit.Step{Name: "listed", Call: "GET /jobs", Want: kit.Obj{"meta.total": 1, "data.0.id": own}})
	s.AdminKey(t).Step(t, kit.Step{Name: "nothing has changed", Call: "GET /" + model + "/" + en,
		Want: kit.Obj{"data.version": 1}})
}

// writer makes a model with an unpublished entry, somebody who may save it and not publish it, and an
// editor who plans.
func writer(t *testing.T, s *kit.Suite) (model, id string, writer, planner *kit.Client, email string) {
	t.Helper()
	model = s.Model(t, kit.Obj{"fields": kit.List{kit.Field("body", "text", nil)}})
	id = s.Key(t, nil).Create(t, model, kit.Obj{"title": "Planned", "data": kit.Obj{"body": "approved"}}).Str(t,
		"data.id")
	_, writer = s.Role(t, kit.Obj{"models": kit.List{model}, "actions": kit.List{"read", "write"}})
	email, _, planner = s.User(t, "editor")
	return model, id, writer, planner, email
}

// boundPlans changes, in every way, what somebody else planned to publish.
func boundPlans(t *testing.T, s *kit.Suite) {
	model, id, writer, planner, email := writer(t, s)
	at := "/models/" + model + "/entries/" + id
	me := writer.Get(t, "/me")
	plan := func(when time.Duration) {
		planner.Step(t, kit.Step{Name: "plan", Call: "PUT " + at + "/schedule",
			Body: kit.Obj{"publish_at": kit.FromNow(when)}, Want: kit.Obj{"data.changed": nil}})
	}
	changed := func(name string) {
		t.Helper()
		planner.Step(t, kit.Step{Name: name, Call: "GET " + at + "/schedule",
			Want: kit.Obj{"data.changed.by.id": me.Get("data.id"), "data.changed.by.name": me.Get("data.name"),
				"data.changed.at": kit.Timestamp}})
	}
	plan(time.Hour)
	planner.Put(t, at, kit.Obj{"data": kit.Obj{"body": "by who may publish"}})
	writer.Put(t, at, kit.Obj{"data": kit.Obj{"body": "by who may publish"}})
	planner.Step(t, kit.Step{Name: "nothing has changed", Call: "GET " + at + "/schedule",
		Want: kit.Obj{"data.changed": nil}})
	writer.Put(t, at, kit.Obj{"data": kit.Obj{"body": "UNAPPROVED"}})
	changed("saved")
	planner.Step(t, kit.Step{Name: "in admin JSON", Call: "GET " + at,
		Want: kit.Obj{"data.schedule.changed.by.id": me.Get("data.id")}})
	plan(time.Hour)
	writer.Put(t, at+"/draft", kit.Obj{"data": kit.Obj{"body": "draft"}})
	changed("a draft saved")
	plan(time.Hour)
	writer.Delete(t, at+"/draft")
	changed("a draft discarded")
	plan(time.Hour)
	writer.OK(t, 200, "POST "+at+"/revisions/1/restore", nil)
	changed("a revision restored")
	plan(time.Hour)
	job := writer.OK(t, 202, "POST /jobs", kit.Obj{"action": "set", "model": model, "ids": kit.List{id},
		"set": kit.Obj{"data": kit.Obj{"body": "by a job"}}}).Str(t, "data.id")
	s.Eventually(t, "the job ends", func() bool {
		return writer.Get(t, "/jobs/"+job).Get("data.status") == "done"
	})
	changed("saved by a job")
	if s.Target.Mail != nil {
		_, all := s.WaitForMail(t, email, 0)
		s.Eventually(t, "one mail", func() bool { _, all = s.WaitForMail(t, email, 0); return all != "" })
		if n := strings.Count(all, "Subject: A planned entry was changed"); n != 1 ||
			!strings.Contains(all, "/admin"+at) || strings.Contains(all, "UNAPPROVED") {
			t.Errorf("%d mails: %s", n, all)
		}
	}
	plan(s.Target.Soon)
	writer.Put(t, at, kit.Obj{"data": kit.Obj{"body": "UNAPPROVED"}})
	s.Eventually(t, "the plan fails", func() bool {
		return planner.Do(t, "GET "+at+"/schedule", nil).Get("data.error.code") == "CONFLICT"
	})
	planner.Step(t, kit.Step{Name: "not published", Call: "GET " + at, Want: kit.Obj{"data.status": "draft"}})
	planner.Put(t, at, kit.Obj{"status": "published"})
	planner.Put(t, at+"/schedule", kit.Obj{"unpublish_at": kit.FromNow(s.Target.Soon)})
	writer.Put(t, at+"/draft", kit.Obj{"data": kit.Obj{"body": "later"}})
	s.Eventually(t, "unpublished, whoever saved since", func() bool {
		return planner.Get(t, at).Get("data.status") == "draft"
	})
}

// boundReleases changes the entry of an item of somebody else's release.
func boundReleases(t *testing.T, s *kit.Suite) {
	model, id, writer, planner, _ := writer(t, s)
	at := "/models/" + model + "/entries/" + id
	other := s.Key(t, nil).Create(t, model, kit.Obj{"title": "Other"}).Str(t, "data.id")
	items := func(more kit.Obj) kit.List {
		first := kit.ReleaseItem(model, id, "publish")
		maps.Copy(first, more)
		return kit.List{first, kit.ReleaseItem(model, other, "publish")}
	}
	planner.Step(t, kit.Step{Name: "not the present version", Call: "POST /releases",
		Body: kit.Obj{"name": "R", "items": items(kit.Obj{"version": "2"})}, Invalid: "items.0.version"})
	one := "/releases/" + planner.Post(t, "/releases", kit.Obj{"name": "R",
		"items": items(kit.Obj{"version": "1"})}).Str(t, "data.id")
	writer.Put(t, at+"/draft", kit.Obj{"data": kit.Obj{"body": "UNAPPROVED"}})
	by := writer.Get(t, "/me").Get("data.id")
	planner.Run(t,
		kit.Step{Name: "shown", Call: "GET " + one,
			Want: kit.Obj{"data.items.0.changed.by.id": by, "data.items.0.changed.at": kit.Timestamp,
				"data.items.1.changed": nil}},
		kit.Step{Name: "check", Call: "POST " + one + "/check",
			Want: kit.Obj{"data.#": 1, "data.0.id": id, "data.0.code": "CONFLICT", "data.0.changed.by.id": by}},
		kit.Step{Name: "sent back", Call: "PUT " + one, Body: kit.Obj{"name": "S", "items": items(nil)},
			Want: kit.Obj{"data.items.0.changed.by.id": by}},
	)
	planner.OK(t, 202, "POST "+one+"/publish", nil)
	s.EndOfRelease(t, one).Has(t, "the release", kit.Obj{"data.status": "failed", "data.done": 0,
		"data.problems.0.code": "CONFLICT"})
	writer.Step(t, kit.Step{Name: "bound by who may not publish", Call: "PUT " + one,
		Body: kit.Obj{"items": items(kit.Obj{"version": "d1"})}, Code: "FORBIDDEN"})
	planner.Run(t,
		kit.Step{Name: "an older version", Call: "PUT " + one, Body: kit.Obj{"items": items(kit.Obj{"version": "1"})},
			Invalid: "items.0.version"},
		kit.Step{Name: "bound anew", Call: "PUT " + one, Body: kit.Obj{"items": items(kit.Obj{"version": "d1"})},
			Want: kit.Obj{"data.items.0.changed": nil}},
		kit.Step{Name: "check again", Call: "POST " + one + "/check", Want: kit.Obj{"data.#": 0}},
	)
	planner.OK(t, 202, "POST "+one+"/publish", nil)
	s.EndOfRelease(t, one).Has(t, "the release", kit.Obj{"data.status": "published"})
}
