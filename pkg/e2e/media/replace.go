package media

import (
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// replacesFiles replaces all references to one file by references to another.
func replacesFiles(t *testing.T, s *kit.Suite) {
	k, boss, admin := s.Key(t, nil), s.AdminKey(t), s.Admin(t)
	pictures := kit.Field("cover", "media", kit.Obj{"mimes": kit.List{"image/*"}})
	model := s.Model(t,
		kit.Obj{"fields": kit.List{pictures, kit.Field("body", "textarea", nil),
			kit.Field("steps", "list", kit.Obj{"fields": kit.List{kit.Field("photo", "media", nil)}})}})
	file := k.Upload(t, "old.png", kit.PNG(1, 1), nil).Str(t, "data.id")
	with := k.Upload(t, "new.png", kit.PNG(2, 2), nil).Str(t, "data.id")
	text := k.Upload(t, "new.txt", []byte("text"), nil).Str(t, "data.id")
	first := k.Publish(t, model, "First", kit.Obj{"cover": file, "body": "see /media/" + file +
		"?w=32 and /media/" + with})
	second := k.Publish(t, model, "Second", kit.Obj{"steps": kit.List{kit.Obj{"photo": with}, kit.Obj{"photo": file}}})
	drafted := k.Publish(t, model, "Third", kit.Obj{"cover": file})
	k.Put(t, "/"+model+"/"+drafted+"/draft", kit.Obj{"data": kit.Obj{"body": "/media/" + file}})
	trashed := k.Publish(t, model, "Fourth", kit.Obj{"cover": file})
	k.Delete(t, "/"+model+"/"+trashed)
	key := strings.ReplaceAll(strings.ToLower(kit.Unique("logo")), "-", "_")
	admin.Put(t, "/settings", kit.List{kit.Obj{"group": "site", "key": key, "value": file}})
	replace := "POST /media/" + file + "/replace"
	admin.Run(t,
		kit.Step{Name: "nothing", Call: replace, Body: kit.Obj{}, Invalid: "with"},
		kit.Step{Name: "itself", Call: replace, Body: kit.Obj{"with": file}, Invalid: "with"},
		kit.Step{Name: "no such file", Call: replace, Body: kit.Obj{"with": kit.UnknownID}, Invalid: "with"},
		kit.Step{Name: "unknown key", Call: replace, Body: kit.Obj{"with": with, "all": true}, Invalid: "all"},
		kit.Step{Name: "no file to replace", Call: "POST /media/" + kit.UnknownID + "/replace", Body: kit.Obj{"with": with},
			Code: "NOT_FOUND"},
	)
	s.AnonymousAdmin().Step(t, kit.Step{Call: replace, Body: kit.Obj{"with": with}, Code: "UNAUTHORIZED"})
	run := func(with string) kit.Answer {
		t.Helper()
		made := admin.Step(t, kit.Step{Call: replace, Body: kit.Obj{"with": with}, Status: 202,
			Want: kit.Obj{"data.action": "replace", "data.model": "media", "data.status": "running"}})
		var a kit.Answer
		s.Eventually(t, "the end of the job", func() bool {
			a = admin.Get(t, "/jobs/"+made.Str(t, "data.id"))
			return a.Get("data.status") != "running"
		})
		return a
	}
	if a := run(text); a.Get("data.total") != 4.0 || a.Get("data.done") != 4.0 ||
		kit.Dig(a.Get("data.failed"), "#") != 2.0 {
		t.Errorf("another type of file: %s", a.Raw)
	}
	k.Step(t, kit.Step{Name: "a field refuses it", Call: "GET /" + model + "/" + first,
		Want: kit.Obj{"data.data.cover": file, "data.version": 1}})
	k.Step(t, kit.Step{Name: "another takes it", Call: "GET /" + model + "/" + second,
		Want: kit.Obj{"data.data.steps.1.photo": text, "data.version": 2}})
	replaced := run(with)
	replaced.Has(t, "the job", kit.Obj{"data.status": "done", "data.total": 2, "data.failed": kit.List{}})
	undo := func(of kit.Answer) kit.Answer {
		t.Helper()
		a := admin.OK(t, 202, "POST /jobs", kit.Obj{"action": "revert", "model": "media", "of": of.Str(t, "data.id")})
		a = s.EndOfJob(t, a.Str(t, "data.id"))
		a.Has(t, "the undo", kit.Obj{"data.status": "done", "data.total": 2, "data.failed": kit.List{}})
		return a
	}
	undone := undo(replaced)
	k.Get(t, "/"+model+"/"+first).Has(t, "as before", kit.Obj{"data.data.cover": file,
		"data.data.body": "see /media/" + file + "?w=32 and /media/" + with})
	boss.Get(t, "/"+model+"/"+drafted+"/draft").Has(t, "the draft as before",
		kit.Obj{"data.data.body": "/media/" + file})
	admin.Step(t, kit.Step{Name: "once", Call: "POST /jobs", Body: kit.Obj{"action": "revert", "model": "media",
		"of": replaced.Str(t, "data.id")}, Code: "CONFLICT"})
	undo(undone)
	boss.Run(t,
		kit.Step{Name: "fields and texts", Call: "GET /" + model + "/" + first,
			Want: kit.Obj{"data.data.cover": with, "data.data.body": "see /media/" + with +
				"?w=32 and /media/" + with, "data.version": 4}},
		kit.Step{Name: "an entry with a draft", Call: "GET /" + model + "/" + drafted,
			Want: kit.Obj{"data.data.cover": with, "data.version": 4}},
		kit.Step{Name: "the draft", Call: "GET /" + model + "/" + drafted + "/draft",
			Want: kit.Obj{"data.data.body": "/media/" + with, "data.data.cover": with}},
		kit.Step{Name: "is not outdated", Call: "POST /" + model + "/" + drafted + "/publish",
			Want: kit.Obj{"data.data.body": "/media/" + with}},
	)
	admin.Run(t,
		kit.Step{Name: "unused", Call: "GET /media/" + file + "/usage", Want: kit.Obj{"data": kit.List{}}},
		kit.Step{Name: "to be deleted", Call: "DELETE /media/" + file + "?if_unused=true", Status: 204},
	)
	admin.Get(t, "/settings").Has(t, "the setting", kit.Obj{"data": kit.Item(kit.Obj{"key": key, "value": text})})
}
