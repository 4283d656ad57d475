package e2e

import (
	"strings"
	"testing"
)

// replacesFiles replaces all references to one file by references to another.
func replacesFiles(t *testing.T, s *suite) {
	k, boss, admin := s.key(t, nil), s.adminKey(t), s.admin(t)
	pictures := field("cover", "media", obj{"mimes": list{"image/*"}})
	model := s.model(t,
		obj{"fields": list{pictures, field("body", "textarea", nil),
			field("steps", "list", obj{"fields": list{field("photo", "media", nil)}})}})
	file := k.upload(t, "old.png", pngFile(1, 1), nil).str(t, "data.id")
	with := k.upload(t, "new.png", pngFile(2, 2), nil).str(t, "data.id")
	text := k.upload(t, "new.txt", []byte("text"), nil).str(t, "data.id")
	first := k.publish(t, model, "First", obj{"cover": file, "body": "see /media/" + file +
		"?w=32 and /media/" + with})
	second := k.publish(t, model, "Second", obj{"steps": list{obj{"photo": with}, obj{"photo": file}}})
	drafted := k.publish(t, model, "Third", obj{"cover": file})
	k.ok(t, 200, "PUT /"+model+"/"+drafted+"/draft", obj{"data": obj{"body": "/media/" + file}})
	trashed := k.publish(t, model, "Fourth", obj{"cover": file})
	k.ok(t, 204, "DELETE /"+model+"/"+trashed, nil)
	key := strings.ReplaceAll(strings.ToLower(unique("logo")), "-", "_")
	admin.ok(t, 200, "PUT /settings", list{obj{"group": "site", "key": key, "value": file}})
	replace := "POST /media/" + file + "/replace"
	admin.run(t,
		step{name: "nothing", call: replace, body: obj{}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"with"}},
		step{name: "itself", call: replace, body: obj{"with": file}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"with"}},
		step{name: "no such file", call: replace, body: obj{"with": noID}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"with"}},
		step{name: "unknown key", call: replace, body: obj{"with": with, "all": true}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"all"}},
		step{name: "no file to replace", call: "POST /media/" + noID + "/replace",
			body: obj{"with": with}, status: 404, code: "NOT_FOUND"},
	)
	s.anonymousAdmin().step(t, step{call: replace, body: obj{"with": with}, status: 401,
		code: "UNAUTHORIZED"})
	run := func(with string) answer {
		t.Helper()
		made := admin.step(t, step{call: replace, body: obj{"with": with}, status: 202,
			want: obj{"data.action": "replace", "data.model": "media", "data.status": "running"}})
		var a answer
		s.fired(t, "the end of the job", func() bool {
			a = admin.ok(t, 200, "GET /jobs/"+made.str(t, "data.id"), nil)
			return a.get("data.status") != "running"
		})
		return a
	}
	if a := run(text); a.get("data.total") != 4.0 || a.get("data.done") != 4.0 ||
		dig(a.get("data.failed"), "#") != 2.0 {
		t.Errorf("another type of file: %s", a.Raw)
	}
	k.step(t, step{name: "a field refuses it", call: "GET /" + model + "/" + first, status: 200,
		want: obj{"data.data.cover": file, "data.version": 1}})
	k.step(t, step{name: "another takes it", call: "GET /" + model + "/" + second, status: 200,
		want: obj{"data.data.steps.1.photo": text, "data.version": 2}})
	if a := run(with); a.get("data.status") != "done" || a.get("data.total") != 2.0 ||
		dig(a.get("data.failed"), "#") != 0.0 {
		t.Errorf("the job: %s", a.Raw)
	}
	boss.run(t,
		step{name: "fields and texts", call: "GET /" + model + "/" + first, status: 200,
			want: obj{"data.data.cover": with, "data.data.body": "see /media/" + with +
				"?w=32 and /media/" + with, "data.version": 2}},
		step{name: "an entry with a draft", call: "GET /" + model + "/" + drafted, status: 200,
			want: obj{"data.data.cover": with, "data.version": 2}},
		step{name: "the draft", call: "GET /" + model + "/" + drafted + "/draft", status: 200,
			want: obj{"data.data.body": "/media/" + with, "data.data.cover": with}},
		step{name: "is not outdated", call: "POST /" + model + "/" + drafted + "/publish",
			status: 200, want: obj{"data.data.body": "/media/" + with}},
	)
	admin.run(t,
		step{name: "unused", call: "GET /media/" + file + "/usage", status: 200, want: obj{"data": list{}}},
		step{name: "to be deleted", call: "DELETE /media/" + file + "?if_unused=true", status: 204},
	)
	if v := find(admin.ok(t, 200, "GET /settings", nil).get("data"), "key", key); v["value"] != text {
		t.Errorf("the setting: %v", v)
	}
}
