package locales

import (
	"testing"

	"headless/pkg/e2e/kit"
)

// undoneFiles takes a file from translators back (extensions §3, §7). Later changes stay.
func undoneFiles(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	k, admin := s.AdminKey(t), s.Admin(t)
	model := s.Model(t, kit.Obj{"localized": true, "fields": kit.List{kit.Field("cover", "media", nil)}})
	door := k.Upload(t, "door.png", kit.PNG(2, 2), map[string]string{"alt": "A door"}).Str(t, "data.id")
	made := k.Publish(t, model, "Made", kit.Obj{"cover": door})
	drafted := k.Publish(t, model, "Drafted", nil)
	de := k.Create(t, model, kit.Obj{"title": "Fertig", "locale": "de", "translation_of": drafted,
		"status": "published"}).Str(t, "data.id")
	file := string(admin.OK(t, 200, "GET /models/"+model+"/entries.xliff?locale=de&ids="+made+","+drafted, nil).Raw)
	words := translation(t, file, map[string]string{"title": "Neu", "media-" + door: "Eine Tür"})
	undo := func(upload kit.Answer) kit.Answer {
		t.Helper()
		a := admin.OK(t, 202, "POST /jobs", kit.Obj{"action": "revert", "model": model, "of": upload.Str(t, "meta.job")})
		return s.EndOfJob(t, a.Str(t, "data.id"))
	}
	upload := takeXLIFF(t, admin, model, words)
	upload.Has(t, "taken", kit.Obj{"meta.created": 1, "meta.updated": 1})
	admin.Get(t, "/jobs/"+upload.Str(t, "meta.job")).Has(t, "the job",
		kit.Obj{"data.status": "done", "data.action": "translate", "data.total": 3, "data.done": 3})
	undo(upload).Has(t, "undone", kit.Obj{"data.status": "done", "data.total": 3, "data.failed": kit.List{}})
	k.Get(t, "/"+model+"/"+made+"?translations=true").Has(t, "the new entry is gone", kit.Obj{"data.translations.#": 1})
	k.Step(t, kit.Step{Name: "no draft", Call: "GET /" + model + "/" + de + "/draft", Code: "NOT_FOUND"})
	k.Get(t, "/upload/files/"+door).Has(t, "no text", kit.Obj{"data.alts": nil})
	admin.Step(t, kit.Step{Name: "once", Call: "POST /jobs",
		Body: kit.Obj{"action": "revert", "model": model, "of": upload.Str(t, "meta.job")}, Code: "CONFLICT"})

	upload = takeXLIFF(t, admin, model, words)
	k.Put(t, "/"+model+"/"+de+"/draft", kit.Obj{"title": "Später"})
	admin.Put(t, "/media/"+door, kit.Obj{"alts": kit.Obj{"de": "Später"}})
	undo(upload).Has(t, "what stays", kit.Obj{"data.total": 3, "data.failed.#": 2,
		"data.failed.0.model": "media", "data.failed.0.id": door, "data.failed.0.code": "CONFLICT",
		"data.failed.1.id": de, "data.failed.1.code": "CONFLICT"})
	k.Get(t, "/"+model+"/"+de+"/draft").Has(t, "later", kit.Obj{"data.title": "Später"})
	k.Get(t, "/upload/files/"+door).Has(t, "later", kit.Obj{"data.alts": kit.Obj{"de": "Später"}})
	takeXLIFF(t, admin, model, file).Has(t, "nothing to undo", kit.Obj{"meta.job": ""})
}
