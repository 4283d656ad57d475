package e2e

import (
	"fmt"
	"testing"
)

// rightsScenarios check that permissions belong to who causes a change (extensions §11).
var rightsScenarios = []scenario{
	{name: "rights/shared-2", run: func(t *testing.T, s *suite) { sharedRights(t, s, 2) }},
	{name: "rights/shared-3", run: func(t *testing.T, s *suite) { sharedRights(t, s, 3) }},
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
