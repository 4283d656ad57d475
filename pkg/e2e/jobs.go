package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

var jobScenarios = slices.Concat([]scenario{
	{name: "jobs/refused", run: refusedJobs},
	{name: "jobs/actions", run: jobActions},
	{name: "jobs/wording", run: replacedText},
	{name: "jobs/filter", run: filteredJob},
	{name: "jobs/list", run: jobsByList},
	{name: "jobs/failures", run: failedJobItems},
	{name: "jobs/roles", run: jobRoles},
}, releaseScenarios, bundleScenarios)

// job starts a job, waits for its end and returns the finished job.
func (s *suite) job(t *testing.T, body obj) answer {
	t.Helper()
	admin := s.admin(t)
	made := admin.step(t, step{call: "POST /jobs", body: body, status: 202, want: obj{
		"data.id": present, "data.status": present, "data.total": present, "data.done": present,
		"data.failed": present,
	}})
	return s.jobEnd(t, made.str(t, "data.id"))
}

// jobEnd waits for the end of a job.
func (s *suite) jobEnd(t *testing.T, id string) (a answer) {
	t.Helper()
	s.fired(t, "the end of the job", func() bool {
		a = s.admin(t).ok(t, 200, "GET /jobs/"+id, nil)
		return a.get("data.status") != "running"
	})
	return a
}

func refusedJobs(t *testing.T, s *suite) {
	admin, model := s.admin(t), s.model(t, nil)
	const id = "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"
	many := make(list, 10_001)
	for i := range many {
		many[i] = fmt.Sprintf("018f3f6e-3f0c-7b5a-9c3e-%012x", i)
	}
	for name, row := range map[string]struct {
		body    obj
		details []string
	}{
		"nothing": {obj{}, []string{"action", "model", "ids"}},
		"action":  {obj{"action": "explode", "model": model, "ids": list{id}}, []string{"action"}},
		"model": {obj{"action": "publish", "model": "no-such-model", "ids": list{id}},
			[]string{"model"}},
		"neither": {obj{"action": "publish", "model": model}, []string{"ids"}},
		"both": {obj{"action": "publish", "model": model, "ids": list{id},
			"filter": obj{}}, []string{"ids"}},
		"no ids":   {obj{"action": "publish", "model": model, "ids": list{}}, []string{"ids"}},
		"too many": {obj{"action": "publish", "model": model, "ids": many}, []string{"ids"}},
		"unknown filter": {obj{"action": "publish", "model": model,
			"filter": obj{"data.none": "x"}}, []string{"filter"}},
		"filter without operators":         {obj{"action": "delete", "model": model, "filter": obj{"title": obj{}}}, []string{"filter"}},
		"unknown filter without operators": {obj{"action": "delete", "model": model, "filter": obj{"data.none": obj{}}}, []string{"filter"}},
		"filter of trash":                  {obj{"action": "restore", "model": model, "filter": obj{}}, []string{"filter"}},
		"no set":                           {obj{"action": "set", "model": model, "ids": list{id}}, []string{"set"}},
		"set a title": {obj{"action": "set", "model": model, "ids": list{id},
			"set": obj{"title": "x"}}, []string{"set.title"}},
		"set a slug": {obj{"action": "set", "model": model, "ids": list{id},
			"set": obj{"slug": "x"}}, []string{"set.slug"}},
		"set unknown": {obj{"action": "set", "model": model, "ids": list{id},
			"set": obj{"data": obj{"none": 1}}}, []string{"set.data.none"}},
		"set values": {obj{"action": "set", "model": model, "ids": list{id}, "set": obj{"status": "new",
			"locale": "xx", "data": obj{"body": 1}, "seo": obj{"title": list{}}}},
			[]string{"set.status", "set.locale", "set.data.body", "set.seo.title"}},
		"set elsewhere": {obj{"action": "publish", "model": model, "ids": list{id},
			"set": obj{"status": "draft"}}, []string{"set"}},
		"unknown key": {obj{"action": "publish", "model": model, "ids": list{id}, "all": true},
			[]string{"all"}},
	} {
		t.Run(name, func(t *testing.T) {
			admin.step(t, step{call: "POST /jobs", body: row.body, status: 422,
				code: "VALIDATION_FAILED", details: row.details})
		})
	}
	admin.run(t,
		step{name: "no job", call: "GET /jobs/" + id, status: 404, code: "NOT_FOUND"},
		step{name: "no job to stop", call: "DELETE /jobs/" + id, status: 404, code: "NOT_FOUND"},
	)
}

func jobActions(t *testing.T, s *suite) {
	model, k, boss := s.model(t, nil), s.key(t, nil), s.adminKey(t)
	var ids list
	for i := range 5 {
		ids = append(ids, k.create(t, model, obj{"title": fmt.Sprint("Entry ", i)}).str(t, "data.id"))
	}
	twice := append(append(list{}, ids...), ids...)
	done := func(body obj) answer {
		t.Helper()
		body["model"] = model
		if body["ids"] == nil {
			body["ids"] = ids
		}
		a := s.job(t, body)
		if a.get("data.status") != "done" || compare(a.get("data.total"), 5) != nil ||
			compare(a.get("data.done"), 5) != nil || compare(a.get("data.failed.#"), 0) != nil {
			t.Fatalf("%v: %s", body["action"], a.Raw)
		}
		return a
	}
	a := done(obj{"action": "publish", "ids": twice})
	k.run(t, step{name: "published", call: "GET /" + model, status: 200, want: obj{"meta.total": 5}})
	boss.run(t, step{name: "each once", call: fmt.Sprint("GET /", model, "/", ids[0]), status: 200,
		want: obj{"data.version": 2}})
	done(obj{"action": "set", "set": obj{"data": obj{"body": "the same"}}})
	k.run(t, step{name: "set", call: "GET /" + model + "?filter[data.body]=the%20same", status: 200,
		want: obj{"meta.total": 5}})
	done(obj{"action": "set", "set": obj{}})
	k.run(t, step{name: "nothing set", call: fmt.Sprint("GET /", model, "/", ids[0]), status: 200,
		want: obj{"data.version": 4, "data.data.body": "the same"}})
	done(obj{"action": "unpublish"})
	k.run(t, step{name: "unpublished", call: "GET /" + model, status: 200, want: obj{"meta.total": 0}})
	done(obj{"action": "archive"})
	boss.run(t, step{name: "archived", call: "GET /" + model + "?filter[status]=archived",
		status: 200, want: obj{"meta.total": 5}})
	done(obj{"action": "revert"})
	boss.run(t, step{name: "reverted", call: "GET /" + model + "?filter[status]=draft",
		status: 200, want: obj{"meta.total": 5}})
	done(obj{"action": "delete"})
	boss.run(t, step{name: "deleted", call: "GET /" + model + "?filter[status]=any", status: 200,
		want: obj{"meta.total": 0}})
	done(obj{"action": "restore"})
	boss.run(t, step{name: "restored", call: "GET /" + model + "?filter[status]=any", status: 200,
		want: obj{"meta.total": 5}})
	id := a.str(t, "data.id")
	s.admin(t).run(t, step{name: "finished", call: "DELETE /jobs/" + id, status: 409, code: "CONFLICT"})
	if !s.walk(t, "/jobs", func(item any) bool {
		return dig(item, "id") == id &&
			dig(item, "status") == "done"
	}) {
		t.Error("the job is not listed")
	}
}

// replacedText replaces a name in titles, texts and drafts, and takes that back.
func replacedText(t *testing.T, s *suite) {
	model, k := s.model(t, obj{"fields": list{field("body", "richtext", nil)}}), s.key(t, obj{"role": "admin"})
	one := k.create(t, model, obj{"title": "By Acme", "slug": "acme", "status": "published",
		"data": obj{"body": "Acme [Acme](https://example.com/Acme) acme"}}).str(t, "data.id")
	k.ok(t, 200, "PUT /"+model+"/"+one+"/draft", obj{"title": "With Acme"})
	two := k.create(t, model, obj{"title": "Other"}).str(t, "data.id")
	k.ok(t, 200, "PUT /"+model+"/"+two, obj{"title": "Another"})
	body := func(more obj) obj {
		b := obj{"action": "replace_text", "model": model, "ids": list{one, two}, "find": "Acme", "replace": "Beta"}
		for key, v := range more {
			b[key] = v
		}
		return b
	}
	for name, more := range map[string]obj{"find": {"find": " "}, "replace": {"replace": nil}, "of": {"of": one}} {
		s.admin(t).run(t, step{name: name, call: "POST /jobs", body: body(more), status: 422,
			code: "VALIDATION_FAILED", details: []string{name}})
	}
	shows := func(name, title, text, draft string, version int) {
		t.Helper()
		k.run(t, step{name: name, call: "GET /" + model + "/" + one, status: 200, want: obj{"data.title": title,
			"data.slug": "acme", "data.data.body": text, "data.version": version}},
			step{name: name + " draft", call: "GET /" + model + "/" + one + "/draft", status: 200,
				want: obj{"data.title": draft}},
			step{name: name + " other", call: "GET /" + model + "/" + two, status: 200,
				want: obj{"data.title": "Another", "data.version": 2}})
	}
	a := s.job(t, body(nil))
	shows("replaced", "By Beta", "Beta [Beta](https://example.com/Acme) acme", "With Beta", 2)
	s.job(t, obj{"action": "revert", "model": model, "ids": list{one, two}, "of": a.str(t, "data.id")})
	shows("taken back", "By Acme", "Acme [Acme](https://example.com/Acme) acme", "With Acme", 3)
}

func filteredJob(t *testing.T, s *suite) {
	model := s.model(t, obj{"fields": list{field("n", "number", nil), field("kind", "text", nil)}})
	k := s.key(t, nil)
	for i := range 12 {
		k.create(t, model,
			obj{"title": fmt.Sprint("Entry ", i), "data": obj{"n": i, "kind": fmt.Sprint("k", i%2)}})
	}
	a := s.job(t,
		obj{"action": "publish", "model": model,
			"filter": obj{"data.n": obj{"lt": 6}, "data.kind": "k1", "status": "draft"}})
	if compare(a.get("data.total"), 3) != nil || compare(a.get("data.done"), 3) != nil {
		t.Fatalf("%s", a.Raw)
	}
	k.run(t, step{name: "those alone", call: "GET /" + model, status: 200, want: obj{"meta.total": 3}})
	entry := k.create(t, model, obj{"title": "With a draft"}).str(t, "data.id")
	k.ok(t, 200, "PUT /"+model+"/"+entry+"/draft", obj{"data": obj{"n": 100}})
	s.job(t, obj{"action": "publish", "model": model, "filter": obj{"has_draft": true}})
	k.run(t, step{name: "with a draft", call: "GET /" + model + "?filter[data.n]=100", status: 200,
		want: obj{"meta.total": 1, "data.0.id": entry}})
	k.ok(t, 204, "DELETE /"+model+"/"+entry, nil)
	if a := s.job(t, obj{"action": "delete", "model": model, "filter": obj{}}); compare(a.get("data.done"),
		12) != nil {
		t.Fatalf("%s", a.Raw)
	}
}

// jobsByList starts jobs with further filters of the list in the admin area: the search text and
// the state of translations.
func jobsByList(t *testing.T, s *suite) {
	s.useLocale(t, "de", "Deutsch")
	home, model := s.defaultLocale(t), s.model(t, obj{"localized": true})
	k := s.key(t, obj{"role": "admin"})
	id := func(body obj) string { return k.create(t, model, body).str(t, "data.id") }
	both := id(obj{"title": "Alpha lamp"})
	german := id(obj{"title": "Beta lamp", "locale": "de", "translation_of": both})
	alone := id(obj{"title": "Gamma lamp"})
	k.ok(t, 200, "PUT /"+model+"/"+both, obj{"title": "Alpha lamp two"})
	handled := func(action string, filter obj, ids ...string) {
		t.Helper()
		a := s.job(t, obj{"action": action, "model": model, "filter": filter})
		for path, want := range map[string]any{"data.status": "done", "data.total": len(ids),
			"data.done": len(ids), "data.failed.#": 0} {
			if err := compare(a.get(path), want); err != nil {
				t.Errorf("%s: %v\n%s", path, err, a.Raw)
			}
		}
		for _, id := range ids {
			k.run(t, step{name: "handled", call: "GET /" + model + "/" + id, status: 200,
				want: obj{"data.status": map[string]string{"publish": "published",
					"archive": "archived"}[action]}})
		}
	}
	handled("publish", obj{"missing": "de", "locale": home}, alone)
	handled("publish", obj{"missing": obj{"in": list{"de"}}, "status": "draft"})
	handled("archive", obj{"outdated": true}, german)
	handled("archive", obj{"outdated": "false", "q": "gamma"}, alone)
	handled("publish", obj{"q": "lamp", "status": "archived"}, german, alone)
	for name, filter := range map[string]obj{"locale": {"missing": "xx"}, "value": {"outdated": 1},
		"operator": {"missing": obj{"ne": "de"}}, "text": {"q": 1},
		"long text": {"q": strings.Repeat("x", 600)}} {
		s.admin(t).run(t, step{name: name, call: "POST /jobs", status: 422, code: "VALIDATION_FAILED",
			body: obj{"action": "publish", "model": model, "filter": filter},
			want: obj{"error.details.filter": present}})
	}
}

func failedJobItems(t *testing.T, s *suite) {
	model, k := s.model(t, obj{"fields": list{field("body", "text", obj{"required": true})}}), s.key(t, nil)
	good := k.create(t, model, obj{"title": "Good", "data": obj{"body": "x"}}).str(t, "data.id")
	bad := k.create(t, model, obj{"title": "Bad", "data": obj{"body": "x"}}).str(t, "data.id")
	k.ok(t, 200, "PUT /"+model+"/"+bad, obj{"data": obj{"body": nil}})
	const none = "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"
	a := s.job(t, obj{"action": "publish", "model": model, "ids": list{bad, none, good}})
	for path, want := range map[string]any{
		"status": "done", "total": 3, "done": 3, "failed.#": 2, "failed.0.id": bad,
		"failed.0.code": "VALIDATION_FAILED", "failed.0.message": present,
		"failed.1.id": none, "failed.1.code": "ENTRY_NOT_FOUND",
	} {
		if err := compare(a.get("data."+path), want); err != nil {
			t.Errorf("%s: %v\n%s", path, err, a.Raw)
		}
	}
	k.run(t, step{name: "the others go on", call: "GET /" + model + "/" + good, status: 200})
}

func jobRoles(t *testing.T, s *suite) {
	model := s.model(t, nil)
	id := s.key(t, nil).create(t, model, obj{"title": "One"}).str(t, "data.id")
	body := obj{"action": "publish", "model": model, "ids": list{id}}
	s.anonymousAdmin().run(t, step{name: "nobody", call: "POST /jobs", body: body, status: 401,
		code: "UNAUTHORIZED"})
	_, _, viewer := s.user(t, "viewer")
	_, _, editor := s.user(t, "editor")
	viewer.run(t,
		step{name: "viewer", call: "POST /jobs", body: body, status: 403, code: "FORBIDDEN"},
		step{name: "viewer reads", call: "GET /jobs", status: 403, code: "FORBIDDEN"},
	)
	editor.run(t, step{name: "editor", call: "POST /jobs", body: body, status: 202})
}
