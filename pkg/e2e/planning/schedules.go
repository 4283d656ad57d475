package planning

import (
	"testing"
	"time"

	"headless/pkg/e2e/kit"
)

// Schedules has the scenarios of planned changes of an entry.
var Schedules = []kit.Scenario{
	{Name: "schedule/manage", Run: manageSchedule},
	{Name: "schedule/refused", Run: refusedSchedule},
	{Name: "schedule/fires", Run: firedSchedule},
	{Name: "schedule/fails", Run: failedSchedule},
	{Name: "schedule/follows", Run: followedSchedule},
	{Name: "schedule/inactive model", Run: inactiveSchedule},
	{Name: "schedule/single", Run: singleSchedule},
}

func manageSchedule(t *testing.T, s *kit.Suite) {
	model, k, admin, boss := s.Model(t, nil), s.Key(t, nil), s.Admin(t), s.AdminKey(t)
	one := "/" + model + "/" + k.Create(t, model, kit.Obj{"title": "Planned"}).Str(t, "data.id")
	edit := "/models" + one[:len(model)+1] + "/entries" + one[len(model)+1:]
	from, to := kit.FromNow(time.Hour), kit.FromNow(2*time.Hour)
	k.Run(t,
		kit.Step{Name: "none to drop", Call: "DELETE " + one + "/schedule", Code: "NOT_FOUND"},
		kit.Step{Name: "plan", Call: "PUT " + one + "/schedule", Body: kit.Obj{"publish_at": from, "unpublish_at": to},
			Want: kit.Obj{"data.publish_at": from, "data.unpublish_at": to, "data.error": nil}},
		kit.Step{Name: "read without a role", Call: "GET " + one + "/schedule", Code: "FORBIDDEN"},
	)
	boss.Run(t,
		kit.Step{Name: "read", Call: "GET " + one + "/schedule",
			Want: kit.Obj{"data.publish_at": from, "data.unpublish_at": to}},
		kit.Step{Name: "replace", Call: "PUT " + one + "/schedule", Body: kit.Obj{"unpublish_at": to},
			Want: kit.Obj{"data.publish_at": nil, "data.unpublish_at": to}},
		kit.Step{Name: "the entry shows none", Call: "GET " + one, Want: kit.Obj{"data.schedule": nil}},
	)
	admin.Run(t,
		kit.Step{Name: "in admin JSON", Call: "GET " + edit, Want: kit.Obj{"data.schedule.unpublish_at": to}},
		kit.Step{Name: "in the list", Call: "GET " + edit[:len(edit)-37],
			Want: kit.Obj{"data.0.schedule.unpublish_at": to}},
		kit.Step{Name: "admin read", Call: "GET " + edit + "/schedule", Want: kit.Obj{"data.unpublish_at": to}},
		kit.Step{Name: "admin plan, an offset", Call: "PUT " + edit + "/schedule",
			Body: kit.Obj{"publish_at": "2035-01-01T02:00:00+02:00"},
			Want: kit.Obj{"data.publish_at": "2035-01-01T00:00:00.000Z"}},
		kit.Step{Name: "sent back", Call: "PUT " + edit + "/schedule",
			Body: kit.Obj{"publish_at": from, "unpublish_at": nil, "error": nil}},
		kit.Step{Name: "admin drop", Call: "DELETE " + edit + "/schedule", Status: 204},
		kit.Step{Name: "dropped", Call: "GET " + edit + "/schedule", Code: "NOT_FOUND"},
	)
	boss.Run(t, kit.Step{Name: "gone", Call: "GET " + one + "/schedule", Code: "NOT_FOUND"})
}

func refusedSchedule(t *testing.T, s *kit.Suite) {
	model, k := s.Model(t, nil), s.Key(t, nil)
	made := k.Create(t, model, kit.Obj{"title": "Refused", "slug": "refused"})
	at := "PUT /" + model + "/" + made.Str(t, "data.id") + "/schedule"
	k.Run(t,
		kit.Step{Name: "empty", Call: at, Body: kit.Obj{}, Code: "VALIDATION_FAILED"},
		kit.Step{Name: "past", Call: at, Body: kit.Obj{"publish_at": "2020-01-01T00:00:00Z"}, Invalid: "publish_at"},
		kit.Step{Name: "too far", Call: at, Body: kit.Obj{"publish_at": kit.FromNow(11 * 365 * 24 * time.Hour)},
			Invalid: "publish_at"},
		kit.Step{Name: "no time", Call: at, Body: kit.Obj{"publish_at": "tomorrow"}, Invalid: "publish_at"},
		kit.Step{Name: "a date", Call: at, Body: kit.Obj{"unpublish_at": "2035-01-01"}, Invalid: "unpublish_at"},
		kit.Step{Name: "the wrong way round", Call: at,
			Body:    kit.Obj{"publish_at": kit.FromNow(2 * time.Hour), "unpublish_at": kit.FromNow(time.Hour)},
			Invalid: "unpublish_at"},
		kit.Step{Name: "at once", Call: at,
			Body:    kit.Obj{"publish_at": "2035-01-01T00:00:00Z", "unpublish_at": "2035-01-01T00:00:00Z"},
			Invalid: "unpublish_at"},
		kit.Step{Name: "by slug", Call: "PUT /" + model + "/refused/schedule",
			Body: kit.Obj{"publish_at": kit.FromNow(time.Hour)}, Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "no entry", Call: "PUT /" + model + "/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f/schedule",
			Body: kit.Obj{"publish_at": kit.FromNow(time.Hour)}, Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "no model", Call: "PUT /no-such-model/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f/schedule",
			Body: kit.Obj{"publish_at": kit.FromNow(time.Hour)}, Code: "MODEL_NOT_FOUND"},
		kit.Step{Name: "method", Call: "POST /" + model + "/refused/schedule", Body: kit.Obj{}, Code: "METHOD_NOT_ALLOWED"},
		kit.Step{Name: "no such route", Call: "GET /" + model + "/refused/scheduled", Code: "NOT_FOUND"},
	)
	s.Key(t, kit.Obj{"scopes": kit.List{"read"}}).Run(t,
		kit.Step{Name: "scope", Call: at, Body: kit.Obj{"publish_at": kit.FromNow(time.Hour)}, Code: "FORBIDDEN"})
	s.Public().Run(t, kit.Step{Name: "no key", Call: at, Body: kit.Obj{"publish_at": kit.FromNow(time.Hour)},
		Code: "UNAUTHORIZED"})
}

func firedSchedule(t *testing.T, s *kit.Suite) {
	model, k := s.Model(t, nil), s.Key(t, nil)
	r := kit.NewReceiver(t)
	s.Subscribe(t,
		kit.Obj{"url": r.URL, "models": kit.List{model}, "events": kit.List{"entry.published", "entry.unpublished"}})
	one := "/" + model + "/" + k.Create(t, model, kit.Obj{"title": "Soon"}).Str(t, "data.id")
	k.Put(t, one+"/schedule", kit.Obj{"publish_at": kit.FromNow(s.Target.Soon),
		"unpublish_at": kit.FromNow(3 * s.Target.Soon)})
	k.Run(t, kit.Step{Name: "not yet", Call: "GET " + one, Code: "ENTRY_NOT_FOUND"})
	s.Eventually(t, "published", func() bool { return k.Do(t, "GET "+one, nil).Status == 200 })
	s.Eventually(t, "unpublished", func() bool { return k.Do(t, "GET "+one, nil).Status == 404 })
	s.AdminKey(t).Run(t,
		kit.Step{Name: "done", Call: "GET " + one + "/schedule", Code: "NOT_FOUND"},
		kit.Step{Name: "a draft", Call: "GET " + one, Want: kit.Obj{"data.status": "draft", "data.version": 3}},
	)
	got := r.Wait(t, s, 2)
	kinds := map[string]bool{got[0].Event(): true, got[1].Event(): true}
	if !kinds["entry.published"] || !kinds["entry.unpublished"] {
		t.Errorf("events %v", kinds)
	}
	kit.Never(t, "an event came twice", func() bool { return len(r.All()) > 2 })
	s.Listed(t, "/activity", kit.Obj{"source": "schedule", "event": "entry.published", "actor": k.Name})
}

func failedSchedule(t *testing.T, s *kit.Suite) {
	model, k, boss := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("body", "text", kit.Obj{"required": true})}}),
		s.Key(t, nil), s.AdminKey(t)
	r := kit.NewReceiver(t)
	s.Subscribe(t, kit.Obj{"url": r.URL, "models": kit.List{model}, "events": kit.List{"entry.schedule_failed"}})
	one := "/" + model + "/" +
		k.Create(t, model, kit.Obj{"title": "Incomplete", "data": kit.Obj{"body": "x"}}).Str(t, "data.id")
	k.Put(t, one, kit.Obj{"data": kit.Obj{"body": nil}})
	k.Put(t, one+"/schedule", kit.Obj{"publish_at": kit.FromNow(s.Target.Soon)})
	s.Eventually(t, "failed", func() bool {
		a := boss.Do(t, "GET "+one+"/schedule", nil)
		return a.Status == 200 && a.Get("data.error.code") == "VALIDATION_FAILED"
	})
	boss.Run(t,
		kit.Step{Name: "shown", Call: "GET " + one + "/schedule",
			Want: kit.Obj{"data.publish_at": nil, "data.error.message": kit.Present, "data.error.at": kit.Timestamp}},
		kit.Step{Name: "still a draft", Call: "GET " + one, Want: kit.Obj{"data.status": "draft"}},
	)
	d := r.Wait(t, s, 1)[0]
	d.Check(t, s, kit.HookSecret)
	d.Has(t, "the failure", kit.Obj{"data.code": "VALIDATION_FAILED", "data.action": "publish"})
	k.Put(t, one, kit.Obj{"data": kit.Obj{"body": "complete"}})
	boss.Run(t, kit.Step{Name: "gone after a save", Call: "GET " + one + "/schedule", Code: "NOT_FOUND"})
}

func followedSchedule(t *testing.T, s *kit.Suite) {
	model, k, boss := s.Model(t, nil), s.Key(t, nil), s.AdminKey(t)
	id := k.Create(t, model, kit.Obj{"title": "By hand"}).Str(t, "data.id")
	one, to := "/"+model+"/"+id, kit.FromNow(2*time.Hour)
	k.Put(t, one+"/schedule", kit.Obj{"publish_at": kit.FromNow(time.Hour), "unpublish_at": to})
	k.Put(t, one, kit.Obj{"title": "Saved"})
	boss.Run(t, kit.Step{Name: "a save keeps it", Call: "GET " + one + "/schedule",
		Want: kit.Obj{"data.publish_at": kit.Present, "data.unpublish_at": to}})
	k.Put(t, one, kit.Obj{"status": "published"})
	boss.Run(t, kit.Step{Name: "published by hand", Call: "GET " + one + "/schedule",
		Want: kit.Obj{"data.publish_at": nil, "data.unpublish_at": to}})
	k.Delete(t, one)
	boss.Run(t, kit.Step{Name: "in the trash", Call: "GET " + one + "/schedule", Code: "ENTRY_NOT_FOUND"})
	s.Admin(t).OK(t, 200, "POST /trash/"+id+"/restore", nil)
	boss.Run(t, kit.Step{Name: "the trash drops all", Call: "GET " + one + "/schedule", Code: "NOT_FOUND"})
}

func singleSchedule(t *testing.T, s *kit.Suite) {
	model, k, boss := s.Model(t, kit.Obj{"kind": "single"}), s.Key(t, nil), s.AdminKey(t)
	at := "/" + model + "/single/schedule"
	boss.Run(t, kit.Step{Name: "none yet", Call: "PUT " + at, Body: kit.Obj{"publish_at": kit.FromNow(time.Hour)},
		Code: "ENTRY_NOT_FOUND"})
	k.Create(t, model, kit.Obj{"title": "One"})
	boss.Run(t,
		kit.Step{Name: "plan", Call: "PUT " + at, Body: kit.Obj{"publish_at": kit.FromNow(time.Hour)}},
		kit.Step{Name: "read", Call: "GET " + at, Want: kit.Obj{"data.publish_at": kit.Present}},
		kit.Step{Name: "drop", Call: "DELETE " + at, Status: 204},
	)
}

// inactiveSchedule schedules an entry whose model is inactive when it is due, and one in the
// distant future.
func inactiveSchedule(t *testing.T, s *kit.Suite) {
	model, k, admin := s.Model(t, nil), s.Key(t, nil), s.Admin(t)
	id := k.Create(t, model, kit.Obj{"title": "Late"}).Str(t, "data.id")
	far := k.Create(t, model, kit.Obj{"title": "Far"}).Str(t, "data.id")
	k.Put(t, "/"+model+"/"+id+"/schedule", kit.Obj{"publish_at": kit.FromNow(s.Target.Soon)})
	k.Put(t, "/"+model+"/"+far+"/schedule", kit.Obj{"publish_at": kit.FromNow(3000 * 24 * time.Hour)})
	admin.Get(t, "/planned?model="+model).Has(t, "far ahead", kit.Obj{"data": kit.Item(kit.Obj{"id": far})})
	admin.Put(t, "/models/"+model, kit.Obj{"is_active": false})
	at := "/models/" + model + "/entries/" + id
	s.Eventually(t, "failed", func() bool {
		return admin.Get(t, at).Get("data.schedule.error.code") == "MODEL_NOT_FOUND"
	})
	admin.Step(t, kit.Step{Name: "shown", Call: "GET " + at + "/schedule",
		Want: kit.Obj{"data.error.code": "MODEL_NOT_FOUND"}})
	s.AdminKey(t).Step(t, kit.Step{Name: "not by the API", Call: "GET /" + model + "/" + id + "/schedule",
		Code: "MODEL_NOT_FOUND"})
}
