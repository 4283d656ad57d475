package e2e

import (
	"testing"
	"time"
)

var scheduleScenarios = []scenario{
	{name: "schedule/manage", run: manageSchedule},
	{name: "schedule/refused", run: refusedSchedule},
	{name: "schedule/fires", run: firedSchedule},
	{name: "schedule/fails", run: failedSchedule},
	{name: "schedule/follows", run: followedSchedule},
	{name: "schedule/inactive model", run: inactiveSchedule},
	{name: "schedule/single", run: singleSchedule},
}

// fromNow returns a time in the future, in the format of the API.
func fromNow(d time.Duration) string {
	return time.Now().Add(d).UTC().Format("2006-01-02T15:04:05.000Z")
}

// schedulePatience is how much longer a planned change may take than other work that follows an
// answer.
const schedulePatience = 5 * time.Second

// soon returns the time until a planned change is due. It is long enough for a slow target to answer
// the requests before it.
func (s *suite) soon() time.Duration { return 4*time.Second + s.target.Wait/10 }

// fired polls until done returns true, for at most the target's wait and schedulePatience.
func (s *suite) fired(t *testing.T, what string, done func() bool) {
	t.Helper()
	patient := *s.clone(schedulePatience)
	patient.eventually(t, what, done)
}

// clone returns a suite that only waits, longer than s.
func (s *suite) clone(longer time.Duration) *suite {
	return &suite{target: Target{Wait: s.target.Wait + longer}, working: s.working}
}

func manageSchedule(t *testing.T, s *suite) {
	model, k, admin, boss := s.model(t, nil), s.key(t, nil), s.admin(t), s.adminKey(t)
	one := "/" + model + "/" + k.create(t, model, obj{"title": "Planned"}).str(t, "data.id")
	edit := "/models" + one[:len(model)+1] + "/entries" + one[len(model)+1:]
	from, to := fromNow(time.Hour), fromNow(2*time.Hour)
	k.run(t,
		step{name: "none to drop", call: "DELETE " + one + "/schedule", status: 404, code: "NOT_FOUND"},
		step{name: "plan", call: "PUT " + one + "/schedule",
			body: obj{"publish_at": from, "unpublish_at": to}, status: 200,
			want: obj{"data.publish_at": from, "data.unpublish_at": to, "data.error": nil}},
		step{name: "read without a role", call: "GET " + one + "/schedule", status: 403, code: "FORBIDDEN"},
	)
	boss.run(t,
		step{name: "read", call: "GET " + one + "/schedule", status: 200,
			want: obj{"data.publish_at": from, "data.unpublish_at": to}},
		step{name: "replace", call: "PUT " + one + "/schedule", body: obj{"unpublish_at": to},
			status: 200, want: obj{"data.publish_at": nil, "data.unpublish_at": to}},
		step{name: "the entry shows none", call: "GET " + one, status: 200, want: obj{"data.schedule": nil}},
	)
	admin.run(t,
		step{name: "in admin JSON", call: "GET " + edit, status: 200,
			want: obj{"data.schedule.unpublish_at": to}},
		step{name: "in the list", call: "GET " + edit[:len(edit)-37], status: 200,
			want: obj{"data.0.schedule.unpublish_at": to}},
		step{name: "admin read", call: "GET " + edit + "/schedule", status: 200,
			want: obj{"data.unpublish_at": to}},
		step{name: "admin plan, an offset", call: "PUT " + edit + "/schedule",
			body: obj{"publish_at": "2035-01-01T02:00:00+02:00"}, status: 200,
			want: obj{"data.publish_at": "2035-01-01T00:00:00.000Z"}},
		step{name: "sent back", call: "PUT " + edit + "/schedule",
			body: obj{"publish_at": from, "unpublish_at": nil, "error": nil}, status: 200},
		step{name: "admin drop", call: "DELETE " + edit + "/schedule", status: 204},
		step{name: "dropped", call: "GET " + edit + "/schedule", status: 404, code: "NOT_FOUND"},
	)
	boss.run(t, step{name: "gone", call: "GET " + one + "/schedule", status: 404, code: "NOT_FOUND"})
}

func refusedSchedule(t *testing.T, s *suite) {
	model, k := s.model(t, nil), s.key(t, nil)
	made := k.create(t, model, obj{"title": "Refused", "slug": "refused"})
	at := "PUT /" + model + "/" + made.str(t, "data.id") + "/schedule"
	k.run(t,
		step{name: "empty", call: at, body: obj{}, status: 422, code: "VALIDATION_FAILED"},
		step{name: "past", call: at, body: obj{"publish_at": "2020-01-01T00:00:00Z"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"publish_at"}},
		step{name: "too far", call: at, body: obj{"publish_at": fromNow(11 * 365 * 24 * time.Hour)},
			status: 422, code: "VALIDATION_FAILED", details: []string{"publish_at"}},
		step{name: "no time", call: at, body: obj{"publish_at": "tomorrow"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"publish_at"}},
		step{name: "a date", call: at, body: obj{"unpublish_at": "2035-01-01"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"unpublish_at"}},
		step{name: "the wrong way round", call: at, body: obj{"publish_at": fromNow(2 * time.Hour),
			"unpublish_at": fromNow(time.Hour)}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"unpublish_at"}},
		step{name: "at once", call: at, body: obj{"publish_at": "2035-01-01T00:00:00Z",
			"unpublish_at": "2035-01-01T00:00:00Z"}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"unpublish_at"}},
		step{name: "by slug", call: "PUT /" + model + "/refused/schedule",
			body: obj{"publish_at": fromNow(time.Hour)}, status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "no entry", call: "PUT /" + model +
			"/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f/schedule",
			body: obj{"publish_at": fromNow(time.Hour)}, status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "no model",
			call: "PUT /no-such-model/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f/schedule",
			body: obj{"publish_at": fromNow(time.Hour)}, status: 404, code: "MODEL_NOT_FOUND"},
		step{name: "method", call: "POST /" + model + "/refused/schedule", body: obj{}, status: 405,
			code: "METHOD_NOT_ALLOWED"},
		step{name: "no such route", call: "GET /" + model + "/refused/scheduled", status: 404,
			code: "NOT_FOUND"},
	)
	s.key(t, obj{"scopes": list{"read"}}).run(t,
		step{name: "scope", call: at, body: obj{"publish_at": fromNow(time.Hour)}, status: 403,
			code: "FORBIDDEN"})
	s.public().run(t, step{name: "no key", call: at, body: obj{"publish_at": fromNow(time.Hour)},
		status: 401, code: "UNAUTHORIZED"})
}

func firedSchedule(t *testing.T, s *suite) {
	model, k := s.model(t, nil), s.key(t, nil)
	r := newReceiver(t)
	s.subscribe(t,
		obj{"url": r.url, "models": list{model}, "events": list{"entry.published", "entry.unpublished"}})
	one := "/" + model + "/" + k.create(t, model, obj{"title": "Soon"}).str(t, "data.id")
	k.ok(t, 200, "PUT "+one+"/schedule", obj{"publish_at": fromNow(s.soon()),
		"unpublish_at": fromNow(3 * s.soon())})
	k.run(t, step{name: "not yet", call: "GET " + one, status: 404, code: "ENTRY_NOT_FOUND"})
	s.fired(t, "published", func() bool { return k.do(t, "GET "+one, nil).Status == 200 })
	s.fired(t, "unpublished", func() bool { return k.do(t, "GET "+one, nil).Status == 404 })
	s.adminKey(t).run(t,
		step{name: "done", call: "GET " + one + "/schedule", status: 404, code: "NOT_FOUND"},
		step{name: "a draft", call: "GET " + one, status: 200,
			want: obj{"data.status": "draft", "data.version": 3}},
	)
	got := r.wait(t, s, 2)
	kinds := map[string]bool{got[0].event(): true, got[1].event(): true}
	if !kinds["entry.published"] || !kinds["entry.unpublished"] {
		t.Errorf("events %v", kinds)
	}
	never(t, "an event came twice", func() bool { return len(r.all()) > 2 })
	if !s.walk(t, "/activity", func(item any) bool {
		return dig(item, "source") == "schedule" && dig(item, "event") == "entry.published" &&
			dig(item, "actor") == k.name
	}) {
		t.Error("no activity of the schedule")
	}
}

func failedSchedule(t *testing.T, s *suite) {
	model, k, boss := s.model(t, obj{"fields": list{field("body", "text", obj{"required": true})}}),
		s.key(t, nil), s.adminKey(t)
	r := newReceiver(t)
	s.subscribe(t, obj{"url": r.url, "models": list{model}, "events": list{"entry.schedule_failed"}})
	one := "/" + model + "/" +
		k.create(t, model, obj{"title": "Incomplete", "data": obj{"body": "x"}}).str(t, "data.id")
	k.ok(t, 200, "PUT "+one, obj{"data": obj{"body": nil}})
	k.ok(t, 200, "PUT "+one+"/schedule", obj{"publish_at": fromNow(s.soon())})
	s.fired(t, "failed", func() bool {
		a := boss.do(t, "GET "+one+"/schedule", nil)
		return a.Status == 200 && a.get("data.error.code") == "VALIDATION_FAILED"
	})
	boss.run(t,
		step{name: "shown", call: "GET " + one + "/schedule", status: 200,
			want: obj{"data.publish_at": nil, "data.error.message": present, "data.error.at": timestamp}},
		step{name: "still a draft", call: "GET " + one, status: 200, want: obj{"data.status": "draft"}},
	)
	d := r.wait(t, s, 1)[0]
	d.check(t, s, hookSecret)
	if dig(d.body, "data.code") != "VALIDATION_FAILED" || dig(d.body, "data.action") != "publish" {
		t.Errorf("%s", d.raw)
	}
	k.ok(t, 200, "PUT "+one, obj{"data": obj{"body": "complete"}})
	boss.run(t, step{name: "gone after a save", call: "GET " + one + "/schedule", status: 404,
		code: "NOT_FOUND"})
}

func followedSchedule(t *testing.T, s *suite) {
	model, k, boss := s.model(t, nil), s.key(t, nil), s.adminKey(t)
	id := k.create(t, model, obj{"title": "By hand"}).str(t, "data.id")
	one, to := "/"+model+"/"+id, fromNow(2*time.Hour)
	k.ok(t, 200, "PUT "+one+"/schedule", obj{"publish_at": fromNow(time.Hour), "unpublish_at": to})
	k.ok(t, 200, "PUT "+one, obj{"title": "Saved"})
	boss.run(t, step{name: "a save keeps it", call: "GET " + one + "/schedule", status: 200,
		want: obj{"data.publish_at": present, "data.unpublish_at": to}})
	k.ok(t, 200, "PUT "+one, obj{"status": "published"})
	boss.run(t, step{name: "published by hand", call: "GET " + one + "/schedule", status: 200,
		want: obj{"data.publish_at": nil, "data.unpublish_at": to}})
	k.ok(t, 204, "DELETE "+one, nil)
	boss.run(t, step{name: "in the trash", call: "GET " + one + "/schedule", status: 404,
		code: "ENTRY_NOT_FOUND"})
	s.admin(t).ok(t, 200, "POST /trash/"+id+"/restore", nil)
	boss.run(t, step{name: "the trash drops all", call: "GET " + one + "/schedule", status: 404,
		code: "NOT_FOUND"})
}

func singleSchedule(t *testing.T, s *suite) {
	model, k, boss := s.model(t, obj{"kind": "single"}), s.key(t, nil), s.adminKey(t)
	at := "/" + model + "/single/schedule"
	boss.run(t, step{name: "none yet", call: "PUT " + at, body: obj{"publish_at": fromNow(time.Hour)},
		status: 404, code: "ENTRY_NOT_FOUND"})
	k.create(t, model, obj{"title": "One"})
	boss.run(t,
		step{name: "plan", call: "PUT " + at, body: obj{"publish_at": fromNow(time.Hour)}, status: 200},
		step{name: "read", call: "GET " + at, status: 200, want: obj{"data.publish_at": present}},
		step{name: "drop", call: "DELETE " + at, status: 204},
	)
}

// inactiveSchedule schedules an entry whose model is inactive when it is due, and one in the
// distant future.
func inactiveSchedule(t *testing.T, s *suite) {
	model, k, admin := s.model(t, nil), s.key(t, nil), s.admin(t)
	id := k.create(t, model, obj{"title": "Late"}).str(t, "data.id")
	far := k.create(t, model, obj{"title": "Far"}).str(t, "data.id")
	k.ok(t, 200, "PUT /"+model+"/"+id+"/schedule", obj{"publish_at": fromNow(s.soon())})
	k.ok(t, 200, "PUT /"+model+"/"+far+"/schedule", obj{"publish_at": fromNow(3000 * 24 * time.Hour)})
	if find(admin.ok(t, 200, "GET /planned?model="+model, nil).get("data"), "id", far) == nil {
		t.Error("what is planned far ahead is not listed")
	}
	admin.ok(t, 200, "PUT /models/"+model, obj{"is_active": false})
	at := "/models/" + model + "/entries/" + id
	s.fired(t, "failed", func() bool {
		return admin.ok(t, 200, "GET "+at, nil).get("data.schedule.error.code") == "MODEL_NOT_FOUND"
	})
	admin.step(t, step{name: "shown", call: "GET " + at + "/schedule", status: 200,
		want: obj{"data.error.code": "MODEL_NOT_FOUND"}})
	s.adminKey(t).step(t, step{name: "not by the API", call: "GET /" + model + "/" + id + "/schedule",
		status: 404, code: "MODEL_NOT_FOUND"})
}
