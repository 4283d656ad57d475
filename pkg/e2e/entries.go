package e2e

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
)

var entryScenarios = []scenario{
	{name: "entries/create", run: createEntries},
	{name: "entries/shape", run: entryShape},
	{name: "entries/text", run: textIsKept},
	{name: "entries/slugs", run: slugs},
	{name: "entries/update", run: updateEntries},
	{name: "entries/statuses", run: statuses},
	{name: "entries/drafts", run: drafts},
	{name: "entries/delete", run: deleteEntries},
	{name: "entries/locales", run: entryLocales},
	{name: "entries/match", run: ifMatch},
	{name: "entries/races", run: slugRaces},
}

func createEntries(t *testing.T, s *suite) {
	model := s.model(t, obj{"fields": list{
		field("body", "textarea", obj{"required": true}),
		field("kind", "select", obj{"options": list{"a", "b"}, "default": "a"}), field("n", "number", nil),
	}})
	k := s.key(t, nil)
	post := "POST /" + model
	k.run(t,
		step{name: "defaults", call: post,
			body: obj{"title": "First one", "data": obj{"body": "x"}}, status: 201, want: obj{
				"data.slug": "first-one", "data.title": "First one", "data.status": "draft",
				"data.locale": s.defaultLocale(t), "data.published_at": nil,
				"data.data.kind": "a", "data.seo": obj{"title": "", "description": ""},
				"data.version": 1, "data.created_at": timestamp, "data.updated_at": timestamp, "meta": obj{},
			}},
		step{name: "everything", call: post, status: 201, body: obj{
			"title": "Second", "slug": "number-2", "status": "published", "locale": s.defaultLocale(t),
			"data": obj{"body": "y", "kind": "b", "n": 1.5}, "seo": obj{"title": "T", "description": "D"},
		}, want: obj{
			"data.slug": "number-2", "data.status": "published", "data.published_at": timestamp,
			"data.data.body": "y", "data.data.kind": "b",
			"data.data.n": 1.5, "data.seo": obj{"title": "T", "description": "D"},
		}},
		step{name: "archived at once", call: post, body: obj{"title": "Third", "status": "archived",
			"data": obj{"body": "z"}}, status: 201,
			want: obj{"data.status": "archived", "data.published_at": nil}},
		step{name: "read-only keys are ignored", call: post, status: 201, body: obj{
			"id": "00000000-0000-4000-8000-000000000000", "version": 7, "created_at": "x",
			"updated_at": 1, "published_at": "2001-01-01T00:00:00Z", "title": "Fourth",
			"data": obj{"body": "z"},
		}, want: obj{"data.version": 1, "data.id": not("00000000-0000-4000-8000-000000000000"),
			"data.published_at": nil}},
		step{name: "seo in part", call: post, body: obj{"title": "Fifth", "seo": obj{"title": "T"},
			"data": obj{"body": "z"}}, status: 201,
			want: obj{"data.seo": obj{"title": "T", "description": ""}}},
		step{name: "null is left out", call: post,
			body: obj{"title": "Sixth", "slug": nil, "status": nil, "locale": nil, "seo": nil,
				"data": obj{"body": "z", "kind": nil, "n": nil}}, status: 201,
			want: obj{"data.slug": "sixth", "data.status": "draft", "data.data.kind": "a"}},
	)
	invalid := func(name string, body any, details ...string) step {
		return step{name: name, call: post, body: body, status: 422, code: "VALIDATION_FAILED",
			details: details}
	}
	k.run(t,
		invalid("empty", obj{}, "title", "data.body"),
		invalid("required is null", obj{"title": nil, "data": obj{"body": nil}}, "title", "data.body"),
		invalid("no data", obj{"title": "x"}, "data.body"),
		invalid("title empty", obj{"title": "", "data": obj{"body": "z"}}, "title"),
		invalid("title too long", obj{"title": strings.Repeat("ä", 256), "data": obj{"body": "z"}}, "title"),
		invalid("wrong types", obj{"title": 1, "slug": 2, "status": 3, "locale": 4,
			"data": obj{"body": 5, "n": "6"}, "seo": obj{"title": 7}},
			"title", "slug", "status", "locale", "data.body", "data.n", "seo.title"),
		invalid("data is a list", obj{"title": "x", "data": list{}}, "data", "data.body"),
		invalid("seo is a text", obj{"title": "x", "data": obj{"body": "z"}, "seo": "x"}, "seo"),
		invalid("unknown keys", obj{"title": "x", "extra": 1, "data": obj{"body": "z", "other": 1},
			"seo": obj{"more": "x"}}, "extra", "data.other", "seo.more"),
		invalid("unknown status", obj{"title": "x", "status": "hidden", "data": obj{"body": "z"}}, "status"),
		invalid("status any", obj{"title": "x", "status": "any", "data": obj{"body": "z"}}, "status"),
		invalid("unknown locale", obj{"title": "x", "locale": "tlh", "data": obj{"body": "z"}}, "locale"),
		invalid("everything at once", obj{"status": "x", "slug": "A B", "data": obj{"kind": "c"}},
			"title", "status", "slug", "data.kind", "data.body"),
	)
	t.Run("title of 255", func(t *testing.T) {
		k.create(t, model, obj{"title": strings.Repeat("ä", 255), "data": obj{"body": "z"}})
	})
}

func entryShape(t *testing.T, s *suite) {
	model := s.model(t, nil)
	k := s.key(t, nil)
	made := k.create(t, model, obj{"title": "Shape", "status": "published", "data": obj{"body": "x"}})
	id := made.str(t, "data.id")
	want := []string{"id", "slug", "title", "status", "locale", "data", "seo", "published_at",
		"created_at", "updated_at", "version"}
	for _, a := range []answer{made, k.ok(t, 200, "GET /"+model+"/"+id, nil),
		k.ok(t, 200, "GET /"+model+"/shape", nil), k.ok(t, 200, "PUT /"+model+"/"+id, obj{})} {
		if got := keysInOrder(t, a, "data"); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("keys %v, want %v", got, want)
		}
	}
	t.Run("what was read can be sent back", func(t *testing.T) {
		read := k.ok(t, 200, "GET /"+model+"/"+id, nil)
		again := k.ok(t, 200, "PUT /"+model+"/"+id, read.get("data"))
		if err := compare(again.get("data.data"), read.get("data.data")); err != nil {
			t.Error(err)
		}
	})
}

// keysInOrder lists the keys of an object in the body as they were sent.
func keysInOrder(t *testing.T, a answer, key string) []string {
	t.Helper()
	var body map[string]json.RawMessage
	if err := json.Unmarshal(a.Raw, &body); err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(strings.NewReader(string(body[key])))
	var keys []string
	depth := 0
	for isKey := true; ; {
		token, err := dec.Token()
		if err != nil {
			return keys
		}
		switch delim, _ := token.(json.Delim); delim {
		case '{', '[':
			depth++
			isKey = depth == 1
			continue
		case '}', ']':
			depth--
		default:
			if depth == 1 && isKey {
				keys = append(keys, token.(string))
				isKey = false
				continue
			}
		}
		if depth == 1 {
			isKey = true
		}
	}
}

func textIsKept(t *testing.T, s *suite) {
	model := s.model(t, nil)
	k := s.key(t, nil)
	for name, body := range map[string]string{
		"spaces": "  two  before, one after ", "line ends": "a\r\nb\rc\n\n",
		"markup": "<script>alert(1)</script> &amp; <b>", "combining": "e\u0301 and é, \u212b",
		"emoji": "👩‍👩‍👧 \U0001F1E9\U0001F1EA", "zero width": "a\u200bb\ufeffc",
		"controls": "a\tb\x01c", "separators": "a\u2028b\u2029c", "escapes": `\u0041 "quoted" \\`,
		"right to left": "שלום \u202e abc", "long": strings.Repeat("wörd ", 10000),
	} {
		t.Run(name, func(t *testing.T) {
			made := k.create(t, model, obj{"title": "T " + body[:1], "slug": unique("kept"),
				"status": "published", "data": obj{"body": body}})
			for _, a := range []answer{made, k.ok(t, 200, "GET /"+model+"/"+made.str(t, "data.id"), nil)} {
				if got := a.str(t, "data.data.body"); got != body {
					t.Errorf("got %.80q, want %.80q", got, body)
				}
			}
		})
	}
}

func slugs(t *testing.T, s *suite) {
	model := s.model(t, nil)
	k := s.key(t, nil)
	post := "POST /" + model
	made := func(name, title, slug string) step {
		return step{name: name, call: post, body: obj{"title": title}, status: 201,
			want: obj{"data.slug": slug}}
	}
	refused := func(name, slug string) step {
		return step{name: name, call: post, body: obj{"title": "x", "slug": slug}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"slug"}}
	}
	k.run(t,
		made("folded", "Ünïcödé & Straße!", "unicode-strasse"),
		made("taken", "Ünïcödé & Straße!", "unicode-strasse-2"),
		made("taken twice", "Unicode, Strasse", "unicode-strasse-3"),
		step{name: "sent and taken", call: post, body: obj{"title": "x", "slug": "unicode-strasse"},
			status: 409, code: "SLUG_CONFLICT"},
		step{name: "nothing left of the title", call: post, body: obj{"title": "!!!"}, status: 201,
			want: obj{"data.slug": matches(`^[a-z0-9]+(-[a-z0-9]+)*$`)}},
		step{name: "another script", call: post, body: obj{"title": "日本語"}, status: 201,
			want: obj{"data.slug": matches(`^[a-z0-9]+(-[a-z0-9]+)*$`)}},
		step{name: "title single", call: post, body: obj{"title": "Single"}, status: 201,
			want: obj{"data.slug": not("single")}},
		step{name: "long title", call: post, body: obj{"title": strings.Repeat("word ", 50)},
			status: 201, want: obj{"data.slug": matches(`^[a-z-]{100,160}$`)}},
		step{name: "160", call: post, body: obj{"title": "x", "slug": strings.Repeat("a", 160)}, status: 201},
		refused("161", strings.Repeat("a", 161)), refused("upper case", "Abc"),
		refused("space", "a b"), refused("dashes", "a--b"), refused("dash at the end", "a-"),
		refused("underscore", "a_b"), refused("umlaut", "ä"), refused("slash", "a/b"),
		refused("single", "single"), refused("UUID", "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"),
	)
	a := k.create(t, model, obj{"title": "A", "slug": "slug-a", "status": "published"}).str(t, "data.id")
	k.create(t, model, obj{"title": "B", "slug": "slug-b", "status": "published"})
	k.run(t,
		step{name: "update to a taken one", call: "PUT /" + model + "/" + a,
			body: obj{"slug": "slug-b"}, status: 409, code: "SLUG_CONFLICT"},
		step{name: "update to its own", call: "PUT /" + model + "/" + a,
			body: obj{"slug": "slug-a"}, status: 200},
		step{name: "update to a free one", call: "PUT /" + model + "/" + a,
			body: obj{"slug": "slug-c"}, status: 200},
		step{name: "the new one finds", call: "GET /" + model + "/slug-c", status: 200,
			want: obj{"data.id": a}},
		step{name: "the old one does not", call: "GET /" + model + "/slug-a", status: 404,
			code: "ENTRY_NOT_FOUND"},
		step{name: "the old one is free", call: post, body: obj{"title": "x", "slug": "slug-a"}, status: 201},
		step{name: "a title leaves the slug", call: "PUT /" + model + "/" + a,
			body: obj{"title": "Other"}, status: 200, want: obj{"data.slug": "slug-c"}},
	)
	t.Run("another model",
		func(t *testing.T) { k.create(t, s.model(t, nil), obj{"title": "x", "slug": "slug-b"}) })
}

func slugRaces(t *testing.T, s *suite) {
	model := s.model(t, nil)
	k := s.key(t, nil)
	const writers = 8
	var made, conflicts int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			a := k.do(t, "POST /"+model, obj{"title": "Race", "slug": "race", "status": "published"})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case a.Status == 201:
				made++
			case a.code() == "SLUG_CONFLICT":
				conflicts++
			default:
				t.Errorf("%d %s", a.Status, a.Raw)
			}
		})
	}
	wg.Wait()
	if made != 1 || conflicts != writers-1 {
		t.Errorf("%d made, %d conflicts of %d", made, conflicts, writers)
	}
	k.step(t, step{call: "GET /" + model, status: 200, want: obj{"meta.total": 1}})
}
