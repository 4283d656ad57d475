package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"
)

var importScenarios = []scenario{
	{name: "import/entries", run: importEntries},
	{name: "import/translations", run: importTranslations},
	{name: "import/media", run: importMedia},
}

// lines returns objects as JSON lines.
func lines(t *testing.T, objects ...any) raw {
	t.Helper()
	var b strings.Builder
	for _, o := range objects {
		line, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	return text("application/x-ndjson", b.String())
}

func importEntries(t *testing.T, s *suite) {
	c, key := s.admin(t), s.adminKey(t)
	model := s.model(t, obj{"fields": list{field("body", "text", obj{"required": true})}})
	related := s.model(t, obj{"fields": list{field("rel", "relation", obj{"model": model})}})
	first, second, third := uuid.NewString(), uuid.NewString(), uuid.NewString()
	entry := obj{"model": model, "id": first, "slug": "old-" + first[:8], "title": "Old",
		"status": "published", "locale": s.defaultLocale(t), "data": obj{"body": "text"},
		"seo": obj{"title": "S", "description": ""}, "published_at": "2020-01-02T03:04:05.000Z",
		"created_at": "2019-01-02T03:04:05.000Z", "updated_at": "2021-01-02T03:04:05.000Z", "version": 7}
	draft := obj{"model": model, "id": second, "title": "Incomplete", "status": "draft", "data": obj{}}
	refers := obj{"model": related, "id": third, "title": "Refers", "status": "published",
		"data": obj{"rel": first}}
	body := lines(t, refers, entry, draft, obj{"model": "none-such", "id": uuid.NewString(),
		"title": "x"}, obj{"model": model, "id": "x", "title": "x"},
		obj{"model": model, "id": uuid.NewString(), "title": "Lacks", "status": "published", "data": obj{}})
	body.bytes = append(body.bytes, "{broken\n"...)
	c.run(t,
		step{name: "dry run", call: "POST /import?dry_run=true", body: body, status: 200,
			want: obj{"meta.created": 3, "meta.failed": 4}},
		step{name: "nothing was done", call: "GET /models/" + model + "/entries/" + first,
			status: 404, code: "NOT_FOUND"},
		step{name: "taken", call: "POST /import", body: body, status: 200, want: obj{
			"data.#": 7, "meta": obj{"created": 3, "updated": 0, "unchanged": 0, "skipped": 0, "failed": 4},
			"data.0":        obj{"line": 1, "model": related, "id": third, "result": "created", "error": nil},
			"data.3.result": "failed", "data.3.error.code": "MODEL_NOT_FOUND",
			"data.4.error.details.id": present, "data.5.error.details": present,
			"data.6.line": 7, "data.6.error.code": "BAD_REQUEST",
		}},
	)
	key.run(t,
		step{name: "as it was", call: "GET /" + model + "/" + first, status: 200, want: obj{
			"data.published_at": entry["published_at"], "data.created_at": entry["created_at"],
			"data.updated_at": entry["updated_at"], "data.slug": entry["slug"],
			"data.data": entry["data"], "data.seo": entry["seo"], "data.version": 1,
		}},
		step{name: "the reference", call: "GET /" + related + "/" + third + "?include=rel",
			status: 200, want: obj{"data.data.rel.id": first}},
		step{name: "draft", call: "GET /" + model + "/" + second, status: 200,
			want: obj{"data.status": "draft"}},
	)
	older, newer := obj{}, obj{}
	for k, v := range entry {
		older[k], newer[k] = v, v
	}
	older["title"], older["updated_at"] = "Older", "2020-06-02T03:04:05.000Z"
	newer["title"], newer["updated_at"] = "Newer", "2022-06-02T03:04:05.000Z"
	c.run(t,
		step{name: "again", call: "POST /import", body: lines(t, entry), status: 200,
			want: obj{"data.0.result": "unchanged"}},
		step{name: "older", call: "POST /import", body: lines(t, older), status: 200,
			want: obj{"data.0.result": "skipped"}},
		step{name: "fail", call: "POST /import?on_conflict=fail", body: lines(t, newer),
			status: 200, want: obj{"data.0.result": "failed", "data.0.error.code": "CONFLICT"}},
		step{name: "skip", call: "POST /import?on_conflict=skip", body: lines(t, newer),
			status: 200, want: obj{"data.0.result": "skipped"}},
		step{name: "version stays", call: "GET /models/" + model + "/entries/" + first, status: 200,
			want: obj{"data.version": 1, "data.title": "Old"}},
		step{name: "newer", call: "POST /import", body: lines(t, newer), status: 200,
			want: obj{"data.0.result": "updated"}},
		step{name: "version grows", call: "GET /models/" + model + "/entries/" + first, status: 200,
			want: obj{"data.version": 2, "data.title": "Newer", "data.updated_at": newer["updated_at"]}},
		step{name: "a taken slug", call: "POST /import",
			body: lines(t, obj{"model": model, "id": uuid.NewString(), "title": "X",
				"slug": entry["slug"], "data": obj{}}), status: 200,
			want: obj{"data.0.error.code": "SLUG_CONFLICT"}},
		step{name: "bad option", call: "POST /import?on_conflict=x", body: lines(t, entry),
			status: 400, code: "BAD_REQUEST"},
	)
	newer["draft"] = obj{"title": "Drafted", "data": obj{"body": "changed"}}
	c.run(t,
		step{name: "with a draft", call: "POST /import", body: lines(t, newer), status: 200,
			want: obj{"data.0.result": "updated"}},
		step{name: "the same draft", call: "POST /import", body: lines(t, newer), status: 200,
			want: obj{"data.0.result": "unchanged"}},
	)
	newer["draft"] = obj{"title": "Drafted otherwise"}
	c.run(t,
		step{name: "another draft, to be skipped", call: "POST /import?on_conflict=skip",
			body: lines(t, newer), status: 200, want: obj{"data.0.result": "skipped"}},
		step{name: "another draft, to be refused", call: "POST /import?on_conflict=fail",
			body: lines(t, newer), status: 200, want: obj{"data.0.error.code": "CONFLICT"}},
		step{name: "another draft, dry", call: "POST /import?dry_run=true", body: lines(t, newer),
			status: 200, want: obj{"data.0.result": "updated"}},
		step{name: "the draft stayed", call: "GET /models/" + model + "/entries/" + first + "/draft",
			status: 200, want: obj{"data.title": "Drafted", "data.data.body": "changed"}},
		step{name: "another draft", call: "POST /import", body: lines(t, newer), status: 200,
			want: obj{"data.0.result": "updated"}},
		step{name: "it took the place of the one before",
			call: "GET /models/" + model + "/entries/" + first + "/draft", status: 200,
			want: obj{"data.title": "Drafted otherwise", "data.data.body": "text"}},
		step{name: "the other draft again", call: "POST /import", body: lines(t, newer), status: 200,
			want: obj{"data.0.result": "unchanged"}},
	)
	wrong := uuid.NewString()
	c.run(t,
		step{name: "a wrong draft", call: "POST /import", status: 200,
			body: lines(t, obj{"model": model, "id": wrong, "title": "x", "data": obj{},
				"draft": obj{"data": obj{"body": 5}}}),
			want: obj{"data.0.result": "failed",
				"data.0.error.details": obj{"draft.data.body": list{"must be a string"}}}},
		step{name: "nothing of its line is taken", call: "GET /models/" + model + "/entries/" + wrong,
			status: 404, code: "NOT_FOUND"},
		step{name: "an id of another model", call: "POST /import", status: 200,
			body: lines(t, obj{"model": related, "id": first, "title": "x", "data": obj{}}),
			want: obj{"data.0.error.code": "CONFLICT"}},
	)
	_, _, editor := s.user(t, "editor")
	editor.run(t, step{name: "an editor", call: "POST /import", body: lines(t, entry), status: 403,
		code: "FORBIDDEN"})
}

func importTranslations(t *testing.T, s *suite) {
	c := s.admin(t)
	s.useLocale(t, "de", "Deutsch")
	s.useLocale(t, "fr", "Français")
	codes := []string{s.defaultLocale(t), "de", "fr"}
	model := s.model(t, obj{"localized": true})
	var members, entries list
	for _, code := range codes {
		members = append(members, obj{"id": uuid.NewString(), "locale": code})
	}
	for i := range codes {
		member := members[i].(obj)
		entries = append(entries, obj{"model": model, "id": member["id"], "title": "T",
			"locale": member["locale"], "data": obj{}, "translations": members})
	}
	path := "GET /models/" + model + "/entries/"
	c.run(t,
		step{name: "the last one alone", call: "POST /import", body: lines(t, entries[2]),
			status: 200, want: obj{"data.0.result": "created"}},
		step{name: "all", call: "POST /import", body: lines(t, entries...), status: 200,
			want: obj{"data.0.result": "created", "data.1.result": "created", "data.2.result": "unchanged"}},
	)
	for i := range members {
		c.run(t, step{name: "linked", call: path + members[i].(obj)["id"].(string) +
			"?translations=true", status: 200, want: obj{"data.translations.#": 3, "data.version": 1}})
	}
	other := obj{"model": model, "id": uuid.NewString(), "title": "Other", "locale": codes[0], "data": obj{}}
	joins := obj{"model": model, "id": uuid.NewString(), "title": "Joins", "locale": codes[1],
		"data": obj{}, "translation_of": other["id"]}
	taken := obj{"model": model, "id": uuid.NewString(), "title": "Taken", "locale": codes[1],
		"data": obj{}, "translations": list{members[0]}}
	lost := obj{"model": model, "id": uuid.NewString(), "title": "Lost", "locale": codes[1],
		"data": obj{}, "translation_of": uuid.NewString()}
	c.run(t,
		step{name: "again", call: "POST /import?on_conflict=fail", body: lines(t, entries...),
			status: 200, want: obj{"meta.unchanged": 3}},
		step{name: "the first", call: "POST /import", body: lines(t, other), status: 200,
			want: obj{"data.0.result": "created"}},
		step{name: "translation_of", call: "POST /import", body: lines(t, joins), status: 200,
			want: obj{"data.0.result": "created"}},
		step{name: "the same", call: "POST /import", body: lines(t, joins), status: 200,
			want: obj{"data.0.result": "unchanged"}},
		step{name: "joined", call: path + other["id"].(string) + "?translations=true", status: 200,
			want: obj{"data.translations.#": 2, "data.version": 1}},
		step{name: "a taken place", call: "POST /import", body: lines(t, taken), status: 200,
			want: obj{"data.0.error.code": "CONFLICT"}},
		step{name: "nothing to translate", call: "POST /import", body: lines(t, lost), status: 200,
			want: obj{"data.0.error.details.translation_of": present}},
		step{name: "not a list", call: "POST /import",
			body: lines(t, obj{"model": model, "id": uuid.NewString(), "title": "x",
				"translations": "x"}), status: 200, want: obj{"data.0.error.details.translations": present}},
	)
}

func importMedia(t *testing.T, s *suite) {
	c := s.admin(t)
	id, content := uuid.NewString(), "Some text "+unique("x")
	sum := sha256.Sum256([]byte(content))
	line := obj{"model": "media", "id": id, "name": "a.txt", "alt": "Alt", "caption": "Cap",
		"mime": "text/plain", "sha256": hex.EncodeToString(sum[:])}
	created := "2020-01-02T03:04:05.000Z"
	upload := func(hash string) raw {
		return text("multipart/form-data; boundary=b",
			"--b\r\nContent-Disposition: form-data; name=\"id\"\r\n\r\n"+id+
				"\r\n--b\r\nContent-Disposition: form-data; name=\"created_at\"\r\n\r\n"+created+"\r\n--b\r\nContent-Disposition: form-data; name=\"sha256\"\r\n\r\n"+hash+
				"\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n"+content+"\r\n--b--\r\n")
	}
	c.run(t,
		step{name: "before the content", call: "POST /import", body: lines(t, line), status: 200,
			want: obj{"data.0.result": "failed", "data.0.error.code": "FILE_NOT_FOUND"}},
		step{name: "a dry run before the content", call: "POST /import?dry_run=true",
			body: lines(t, line), status: 200, want: obj{"data.0.result": "created"}},
		step{name: "a wrong hash", call: "POST /import/media",
			body: upload(strings.Repeat("0", 64)), status: 422, code: "VALIDATION_FAILED",
			details: []string{"sha256"}},
		step{name: "content", call: "POST /import/media", body: upload(hex.EncodeToString(sum[:])),
			status: 201, want: obj{"data.id": id}},
		step{name: "twice", call: "POST /import/media", body: upload(""), status: 409, code: "CONFLICT"},
		step{name: "line", call: "POST /import", body: lines(t, line), status: 200,
			want: obj{"data.0.result": "updated"}},
		step{name: "again", call: "POST /import", body: lines(t, line), status: 200,
			want: obj{"data.0.result": "unchanged"}},
		step{name: "file", call: "GET /media/" + id, status: 200,
			want: obj{"data.alt": "Alt", "data.caption": "Cap", "data.name": "a.txt",
				"data.created_at": created}},
	)
	line["focal"] = obj{"x": 0.25, "y": 0.5}
	line["tags"] = list{unique("tag")}
	c.run(t,
		step{name: "a focal point", call: "POST /import", body: lines(t, line), status: 200,
			want: obj{"data.0.result": "updated"}},
		step{name: "the same focal point", call: "POST /import", body: lines(t, line), status: 200,
			want: obj{"data.0.result": "unchanged"}},
		step{name: "it is kept", call: "GET /media/" + id, status: 200,
			want: obj{"data.focal": line["focal"], "data.tags": line["tags"]}},
	)
	large := obj{"id": uuid.NewString(), "name": "large.txt", "mime": "text/plain", "size": 10,
		"created_at": created}
	begun := c.step(t, step{name: "direct", call: "POST /import/media/direct", body: large,
		status: 201, want: obj{"data.id": large["id"], "data.upload.url": present}})
	c.run(t, step{name: "begun again", call: "POST /import/media/direct", body: large, status: 201,
		want: obj{"data.id": large["id"]}})
	if status := transfer(t, s, begun, []byte("0123456789")); status >= 300 {
		t.Fatalf("the transfer was answered %d", status)
	}
	c.run(t,
		step{name: "completed", call: "POST /media/direct/" + large["id"].(string) + "/complete",
			body: obj{}, status: 201, want: obj{"data.id": large["id"]}},
		step{name: "as old as it was", call: "GET /media/" + large["id"].(string), status: 200,
			want: obj{"data.created_at": created}},
		step{name: "there already", call: "POST /import/media/direct", body: large, status: 409,
			code: "CONFLICT"},
	)
}
