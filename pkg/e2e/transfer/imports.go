package transfer

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/uuid"

	"headless/pkg/e2e/kit"
)

// Imports has the scenarios of imports of entries and files.
var Imports = []kit.Scenario{
	{Name: "imports/flags", Run: refusesFlags},
	{Name: "import/entries", Run: importEntries},
	{Name: "import/translations", Run: importTranslations},
	{Name: "import/media", Run: importMedia},
	{Name: "import/awaited", Run: importAwaited},
}

func importEntries(t *testing.T, s *kit.Suite) {
	c, key := s.Admin(t), s.AdminKey(t)
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("body", "text", kit.Obj{"required": true})}})
	related := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("rel", "relation", kit.Obj{"model": model})}})
	first, second, third := uuid.NewString(), uuid.NewString(), uuid.NewString()
	entry := kit.Obj{"model": model, "id": first, "slug": "old-" + first[:8], "title": "Old",
		"status": "published", "locale": s.DefaultLocale(t), "data": kit.Obj{"body": "text"},
		"seo": kit.Obj{"title": "S", "description": ""}, "published_at": "2020-01-02T03:04:05.000Z",
		"created_at": "2019-01-02T03:04:05.000Z", "updated_at": "2021-01-02T03:04:05.000Z", "version": 7}
	draft := kit.Obj{"model": model, "id": second, "title": "Incomplete", "status": "draft", "data": kit.Obj{}}
	refers := kit.Obj{"model": related, "id": third, "title": "Refers", "status": "published",
		"data": kit.Obj{"rel": first}}
	body := kit.JSONLines(t, refers, entry, draft, kit.Obj{"model": "none-such", "id": uuid.NewString(),
		"title": "x"}, kit.Obj{"model": model, "id": "x", "title": "x"},
		kit.Obj{"model": model, "id": uuid.NewString(), "title": "Lacks", "status": "published", "data": kit.Obj{}})
	body.Bytes = append(body.Bytes, "{broken\n"...)
	c.Run(t,
		kit.Step{Name: "dry run", Call: "POST /import?dry_run=true", Body: body,
			Want: kit.Obj{"meta.created": 3, "meta.failed": 4}},
		kit.Step{Name: "nothing was done", Call: "GET /models/" + model + "/entries/" + first, Code: "NOT_FOUND"},
		kit.Step{Name: "dry, a slug twice", Call: "POST /import?dry_run=true", Body: kit.JSONLines(t, entry,
			kit.Obj{"model": model, "id": uuid.NewString(), "title": "x", "slug": entry["slug"], "data": entry["data"]}),
			Want: kit.Obj{"meta.created": 1, "meta.failed": 1}},
		kit.Step{Name: "taken", Call: "POST /import", Body: body, Want: kit.Obj{
			"data.#": 7, "meta": kit.Obj{"created": 3, "updated": 0, "unchanged": 0, "skipped": 0, "failed": 4},
			"data.0":        kit.Obj{"line": 1, "model": related, "id": third, "result": "created", "error": nil},
			"data.3.result": "failed", "data.3.error.code": "MODEL_NOT_FOUND",
			"data.4.error.details.id": kit.Present, "data.5.error.details": kit.Present,
			"data.6.line": 7, "data.6.error.code": "BAD_REQUEST",
		}},
	)
	key.Run(t,
		kit.Step{Name: "as it was", Call: "GET /" + model + "/" + first, Want: kit.Obj{
			"data.published_at": entry["published_at"], "data.created_at": entry["created_at"],
			"data.updated_at": entry["updated_at"], "data.slug": entry["slug"],
			"data.data": entry["data"], "data.seo": entry["seo"], "data.version": 1,
		}},
		kit.Step{Name: "the reference", Call: "GET /" + related + "/" + third + "?include=rel",
			Want: kit.Obj{"data.data.rel.id": first}},
		kit.Step{Name: "draft", Call: "GET /" + model + "/" + second, Want: kit.Obj{"data.status": "draft"}},
	)
	older, newer := kit.Obj{}, kit.Obj{}
	for k, v := range entry {
		older[k], newer[k] = v, v
	}
	older["title"], older["updated_at"] = "Older", "2020-06-02T03:04:05.000Z"
	newer["title"], newer["updated_at"] = "Newer", "2022-06-02T03:04:05.000Z"
	c.Run(t,
		kit.Step{Name: "again", Call: "POST /import", Body: kit.JSONLines(t, entry),
			Want: kit.Obj{"data.0.result": "unchanged"}},
		kit.Step{Name: "older", Call: "POST /import", Body: kit.JSONLines(t, older),
			Want: kit.Obj{"data.0.result": "skipped"}},
		kit.Step{Name: "fail", Call: "POST /import?on_conflict=fail", Body: kit.JSONLines(t, newer),
			Want: kit.Obj{"data.0.result": "failed", "data.0.error.code": "CONFLICT"}},
		kit.Step{Name: "skip", Call: "POST /import?on_conflict=skip", Body: kit.JSONLines(t, newer),
			Want: kit.Obj{"data.0.result": "skipped"}},
		kit.Step{Name: "version stays", Call: "GET /models/" + model + "/entries/" + first,
			Want: kit.Obj{"data.version": 1, "data.title": "Old"}},
		kit.Step{Name: "newer", Call: "POST /import", Body: kit.JSONLines(t, newer),
			Want: kit.Obj{"data.0.result": "updated"}},
		kit.Step{Name: "version grows", Call: "GET /models/" + model + "/entries/" + first,
			Want: kit.Obj{"data.version": 2, "data.title": "Newer", "data.updated_at": newer["updated_at"]}},
		kit.Step{Name: "a taken slug", Call: "POST /import",
			Body: kit.JSONLines(t, kit.Obj{"model": model, "id": uuid.NewString(), "title": "X",
				"slug": entry["slug"], "data": kit.Obj{}}), Want: kit.Obj{"data.0.error.code": "SLUG_CONFLICT"}},
		kit.Step{Name: "bad option", Call: "POST /import?on_conflict=x", Body: kit.JSONLines(t, entry),
			Code: "BAD_REQUEST"},
	)
	newer["draft"] = kit.Obj{"title": "Drafted", "data": kit.Obj{"body": "changed"}}
	c.Run(t,
		kit.Step{Name: "with a draft", Call: "POST /import", Body: kit.JSONLines(t, newer),
			Want: kit.Obj{"data.0.result": "updated"}},
		kit.Step{Name: "the same draft", Call: "POST /import", Body: kit.JSONLines(t, newer),
			Want: kit.Obj{"data.0.result": "unchanged"}},
	)
	newer["draft"] = kit.Obj{"title": "Drafted otherwise"}
	c.Run(t,
		kit.Step{Name: "another draft, to be skipped", Call: "POST /import?on_conflict=skip", Body: kit.JSONLines(t, newer),
			Want: kit.Obj{"data.0.result": "skipped"}},
		kit.Step{Name: "another draft, to be refused", Call: "POST /import?on_conflict=fail", Body: kit.JSONLines(t, newer),
			Want: kit.Obj{"data.0.error.code": "CONFLICT"}},
		kit.Step{Name: "another draft, dry", Call: "POST /import?dry_run=true", Body: kit.JSONLines(t, newer),
			Want: kit.Obj{"data.0.result": "updated"}},
		kit.Step{Name: "the draft stayed", Call: "GET /models/" + model + "/entries/" + first + "/draft",
			Want: kit.Obj{"data.title": "Drafted", "data.data.body": "changed"}},
		kit.Step{Name: "another draft", Call: "POST /import", Body: kit.JSONLines(t, newer),
			Want: kit.Obj{"data.0.result": "updated"}},
		kit.Step{Name: "it took the place of the one before", Call: "GET /models/" + model + "/entries/" + first + "/draft",
			Want: kit.Obj{"data.title": "Drafted otherwise", "data.data.body": "text"}},
		kit.Step{Name: "the other draft again", Call: "POST /import", Body: kit.JSONLines(t, newer),
			Want: kit.Obj{"data.0.result": "unchanged"}},
	)
	wrong := uuid.NewString()
	c.Run(t,
		kit.Step{Name: "a wrong draft", Call: "POST /import",
			Body: kit.JSONLines(t, kit.Obj{"model": model, "id": wrong, "title": "x", "data": kit.Obj{},
				"draft": kit.Obj{"data": kit.Obj{"body": 5}}}), Want: kit.Obj{"data.0.result": "failed",
				"data.0.error.details": kit.Obj{"draft.data.body": kit.List{"must be a string"}}}},
		kit.Step{Name: "nothing of its line is taken", Call: "GET /models/" + model + "/entries/" + wrong,
			Code: "NOT_FOUND"},
		kit.Step{Name: "an id of another model", Call: "POST /import",
			Body: kit.JSONLines(t, kit.Obj{"model": related, "id": first, "title": "x", "data": kit.Obj{}}),
			Want: kit.Obj{"data.0.error.code": "CONFLICT"}},
	)
	_, _, editor := s.User(t, "editor")
	editor.Run(t, kit.Step{Name: "an editor", Call: "POST /import", Body: kit.JSONLines(t, entry), Code: "FORBIDDEN"})
}

func importTranslations(t *testing.T, s *kit.Suite) {
	c := s.Admin(t)
	s.UseLocale(t, "de", "Deutsch")
	s.UseLocale(t, "fr", "Français")
	codes := []string{s.DefaultLocale(t), "de", "fr"}
	model := s.Model(t, kit.Obj{"localized": true})
	var members, entries kit.List
	for _, code := range codes {
		members = append(members, kit.Obj{"id": uuid.NewString(), "locale": code})
	}
	for i := range codes {
		member := members[i].(kit.Obj)
		entries = append(entries, kit.Obj{"model": model, "id": member["id"], "title": "T",
			"locale": member["locale"], "data": kit.Obj{}, "translations": members})
	}
	path := "GET /models/" + model + "/entries/"
	c.Run(t,
		kit.Step{Name: "the last one alone", Call: "POST /import", Body: kit.JSONLines(t, entries[2]),
			Want: kit.Obj{"data.0.result": "created"}},
		kit.Step{Name: "all", Call: "POST /import", Body: kit.JSONLines(t, entries...),
			Want: kit.Obj{"data.0.result": "created", "data.1.result": "created", "data.2.result": "unchanged"}},
	)
	for i := range members {
		c.Run(t, kit.Step{Name: "linked", Call: path + members[i].(kit.Obj)["id"].(string) + "?translations=true",
			Want: kit.Obj{"data.translations.#": 3, "data.version": 1}})
	}
	other := kit.Obj{"model": model, "id": uuid.NewString(), "title": "Other", "locale": codes[0], "data": kit.Obj{}}
	joins := kit.Obj{"model": model, "id": uuid.NewString(), "title": "Joins", "locale": codes[1],
		"data": kit.Obj{}, "translation_of": other["id"]}
	taken := kit.Obj{"model": model, "id": uuid.NewString(), "title": "Taken", "locale": codes[1],
		"data": kit.Obj{}, "translations": kit.List{members[0]}}
	lost := kit.Obj{"model": model, "id": uuid.NewString(), "title": "Lost", "locale": codes[1],
		"data": kit.Obj{}, "translation_of": uuid.NewString()}
	c.Run(t,
		kit.Step{Name: "again", Call: "POST /import?on_conflict=fail", Body: kit.JSONLines(t, entries...),
			Want: kit.Obj{"meta.unchanged": 3}},
		kit.Step{Name: "the first", Call: "POST /import", Body: kit.JSONLines(t, other),
			Want: kit.Obj{"data.0.result": "created"}},
		kit.Step{Name: "translation_of", Call: "POST /import", Body: kit.JSONLines(t, joins),
			Want: kit.Obj{"data.0.result": "created"}},
		kit.Step{Name: "the same", Call: "POST /import", Body: kit.JSONLines(t, joins),
			Want: kit.Obj{"data.0.result": "unchanged"}},
		kit.Step{Name: "joined", Call: path + other["id"].(string) + "?translations=true",
			Want: kit.Obj{"data.translations.#": 2, "data.version": 1}},
		kit.Step{Name: "a taken place", Call: "POST /import", Body: kit.JSONLines(t, taken),
			Want: kit.Obj{"data.0.error.code": "CONFLICT"}},
		kit.Step{Name: "nothing to translate", Call: "POST /import", Body: kit.JSONLines(t, lost),
			Want: kit.Obj{"data.0.error.details.translation_of": kit.Present}},
		kit.Step{Name: "not a list", Call: "POST /import",
			Body: kit.JSONLines(t, kit.Obj{"model": model, "id": uuid.NewString(), "title": "x", "translations": "x"}),
			Want: kit.Obj{"data.0.error.details.translations": kit.Present}},
	)
}

func importMedia(t *testing.T, s *kit.Suite) {
	c := s.Admin(t)
	id, content := uuid.NewString(), "Some text "+kit.Unique("x")
	sum := sha256.Sum256([]byte(content))
	line := kit.Obj{"model": "media", "id": id, "name": "a.txt", "alt": "Alt", "caption": "Cap",
		"mime": "text/plain", "sha256": hex.EncodeToString(sum[:])}
	created := "2020-01-02T03:04:05.000Z"
	upload := func(hash string) kit.Body {
		return kit.Text("multipart/form-data; boundary=b",
			"--b\r\nContent-Disposition: form-data; name=\"id\"\r\n\r\n"+id+
				"\r\n--b\r\nContent-Disposition: form-data; name=\"created_at\"\r\n\r\n"+created+
				"\r\n--b\r\nContent-Disposition: form-data; name=\"sha256\"\r\n\r\n"+hash+
				"\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n"+
				"Content-Type: text/plain\r\n\r\n"+content+"\r\n--b--\r\n")
	}
	c.Run(t,
		kit.Step{Name: "before the content", Call: "POST /import", Body: kit.JSONLines(t, line),
			Want: kit.Obj{"data.0.result": "failed", "data.0.error.code": "FILE_NOT_FOUND"}},
		kit.Step{Name: "a dry run before the content", Call: "POST /import?dry_run=true", Body: kit.JSONLines(t, line),
			Want: kit.Obj{"data.0.result": "created"}},
		kit.Step{Name: "a wrong hash", Call: "POST /import/media", Body: upload(strings.Repeat("0", 64)), Invalid: "sha256"},
		kit.Step{Name: "content", Call: "POST /import/media", Body: upload(hex.EncodeToString(sum[:])), Status: 201,
			Want: kit.Obj{"data.id": id}},
		kit.Step{Name: "twice", Call: "POST /import/media", Body: upload(""), Code: "CONFLICT"},
		kit.Step{Name: "line", Call: "POST /import", Body: kit.JSONLines(t, line),
			Want: kit.Obj{"data.0.result": "updated"}},
		kit.Step{Name: "again", Call: "POST /import", Body: kit.JSONLines(t, line),
			Want: kit.Obj{"data.0.result": "unchanged"}},
		kit.Step{Name: "file", Call: "GET /media/" + id,
			Want: kit.Obj{"data.alt": "Alt", "data.caption": "Cap", "data.name": "a.txt", "data.created_at": created}},
	)
	line["focal"] = kit.Obj{"x": 0.25, "y": 0.5}
	line["tags"] = kit.List{kit.Unique("tag")}
	c.Run(t,
		kit.Step{Name: "a focal point", Call: "POST /import", Body: kit.JSONLines(t, line),
			Want: kit.Obj{"data.0.result": "updated"}},
		kit.Step{Name: "the same focal point", Call: "POST /import", Body: kit.JSONLines(t, line),
			Want: kit.Obj{"data.0.result": "unchanged"}},
		kit.Step{Name: "it is kept", Call: "GET /media/" + id,
			Want: kit.Obj{"data.focal": line["focal"], "data.tags": line["tags"]}},
	)
	large := kit.Obj{"id": uuid.NewString(), "name": "large.txt", "mime": "text/plain", "size": 10,
		"created_at": created}
	begun := c.Step(t, kit.Step{Name: "direct", Call: "POST /import/media/direct", Body: large, Status: 201,
		Want: kit.Obj{"data.id": large["id"], "data.upload.url": kit.Present}})
	c.Run(t, kit.Step{Name: "begun again", Call: "POST /import/media/direct", Body: large, Status: 201,
		Want: kit.Obj{"data.id": large["id"]}})
	kit.UploadDirectly(t, s, begun, []byte("0123456789"))
	c.Run(t,
		kit.Step{Name: "completed", Call: "POST /media/direct/" + large["id"].(string) + "/complete", Body: kit.Obj{},
			Status: 201, Want: kit.Obj{"data.id": large["id"]}},
		kit.Step{Name: "as old as it was", Call: "GET /media/" + large["id"].(string),
			Want: kit.Obj{"data.created_at": created}},
		kit.Step{Name: "there already", Call: "POST /import/media/direct", Body: large, Code: "CONFLICT"},
		kit.Step{Name: "a time that is none", Call: "POST /import/media/direct", Invalid: "created_at",
			Body: kit.Obj{"id": kit.UnknownID, "name": "a.txt", "mime": "text/plain", "size": 3, "created_at": kit.Obj{}}},
	)
}

// importAwaited: cached answers change when that begins to exist to which a text refers.
func importAwaited(t *testing.T, s *kit.Suite) {
	c, key := s.Admin(t), s.AdminKey(t)
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("body", "richtext", nil)}})
	linked, sent, direct := uuid.NewString(), uuid.NewString(), uuid.NewString()
	text := "[a](cms://entry/" + linked + ") ![b](cms://media/" + sent + ") ![c](cms://media/" + direct + ")"
	id := key.Publish(t, model, "Refers", kit.Obj{"body": text})
	d := s.PublishableKey(t, nil)
	shows := func() string { return d.Get(t, "/"+model+"/"+id).Str(t, "data.data.body") }
	if got := shows(); got != text {
		t.Fatalf("before: %s", got)
	}
	changes := func(what, stored string) {
		t.Helper()
		s.Eventually(t, what+" is shown", func() bool { return !strings.Contains(shows(), stored) })
	}
	c.Step(t, kit.Step{Call: "POST /import", Want: kit.Obj{"meta.created": 1}, Body: kit.JSONLines(t,
		kit.Obj{"model": model, "id": linked, "title": "Linked", "status": "published"})})
	changes("the entry", "cms://entry/")
	c.Step(t, kit.Step{Call: "POST /import/media", Status: 201, Body: kit.Text("multipart/form-data; boundary=b",
		"--b\r\nContent-Disposition: form-data; name=\"id\"\r\n\r\n"+sent+"\r\n--b\r\n"+
			"Content-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n"+
			kit.Unique("text")+"\r\n--b--\r\n")})
	changes("the file", "cms://media/"+sent)
	begun := c.Step(t, kit.Step{Call: "POST /import/media/direct", Status: 201,
		Body: kit.Obj{"id": direct, "name": "direct.txt", "mime": "text/plain", "size": 10}})
	kit.UploadDirectly(t, s, begun, []byte("0123456789"))
	c.Step(t, kit.Step{Call: "POST /media/direct/" + direct + "/complete", Body: kit.Obj{}, Status: 201})
	changes("the direct upload", "cms://media/")
}

// refusesFlags sends a value other than true and false for each flag of the admin area: 400 in queries, 422 in bodies.
func refusesFlags(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	admin, model := s.Admin(t), s.Model(t, kit.Obj{"localized": true})
	entries := "/models/" + model + "/entries"
	id := s.AdminKey(t).Publish(t, model, "One", nil)
	for _, v := range []string{"", "maybe", "1"} {
		bad := func(call string, body any) kit.Step {
			return kit.Step{Name: call + v, Call: call + v, Body: body, Code: "BAD_REQUEST"}
		}
		invalid := func(call, flag string, body any) kit.Step {
			return kit.Step{Name: call + " " + v, Call: call, Body: body, Invalid: flag}
		}
		admin.Run(t,
			bad("GET "+entries+".xliff?locale=de&due=", nil),
			bad("POST /import?dry_run=", kit.JSONLines(t)),
			bad("DELETE "+entries+"/"+id+"?if_unused=", nil),
			bad("POST "+entries+"?draft=", kit.Obj{"title": "Two"}),
			invalid("POST "+entries+".csv", "dry_run", kit.Obj{"upload": id, "dry_run": v}),
			invalid("POST "+entries+"/"+id+"/publish", "force", kit.Obj{"force": v}),
			invalid("POST /jobs", "force", kit.Obj{"model": model, "action": "publish", "ids": kit.List{id}, "force": v}),
		)
		if v != "" { // the form of the page sends an empty one
			admin.Step(t, bad("GET /health?ignored=", nil))
		}
	}
	admin.Step(t, kit.Step{Name: "a form", Call: "POST " + entries + ".csv", Invalid: "dry_run",
		Body: kit.FileBody(t, "a.csv", []byte("title\nx\n"), map[string]string{"dry_run": "maybe"})})
}
