package content

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"headless/pkg/e2e/kit"
	"headless/pkg/must"
)

// Entries has the scenarios of entries, from creation to deletion.
var Entries = []kit.Scenario{
	{Name: "entries/create", Run: createEntries},
	{Name: "entries/shape", Run: entryShape},
	{Name: "entries/text", Run: textIsKept},
	{Name: "entries/slugs", Run: slugs},
	{Name: "entries/update", Run: updateEntries},
	{Name: "entries/statuses", Run: statuses},
	{Name: "entries/drafts", Run: drafts},
	{Name: "entries/delete", Run: deleteEntries},
	{Name: "entries/locales", Run: entryLocales},
	{Name: "entries/match", Run: ifMatch},
	{Name: "entries/races", Run: slugRaces},
}

func createEntries(t *testing.T, s *kit.Suite) {
	model := s.Model(t, kit.Obj{"fields": kit.List{
		kit.Field("body", "textarea", kit.Obj{"required": true}),
		kit.Field("kind", "select", kit.Obj{"options": kit.List{"a", "b"}, "default": "a"}),
		kit.Field("n", "number", nil),
	}})
	k := s.Key(t, nil)
	post := "POST /" + model
	k.Run(t,
		kit.Step{Name: "defaults", Call: post, Body: kit.Obj{"title": "First one", "data": kit.Obj{"body": "x"}},
			Status: 201, Want: kit.Obj{
				"data.slug": "first-one", "data.title": "First one", "data.status": "draft",
				"data.locale": s.DefaultLocale(t), "data.published_at": nil,
				"data.data.kind": "a", "data.seo": kit.Obj{"title": "", "description": ""},
				"data.version": 1, "data.created_at": kit.Timestamp, "data.updated_at": kit.Timestamp,
				"meta": kit.Obj{},
			}},
		kit.Step{Name: "everything", Call: post, Status: 201, Body: kit.Obj{
			"title": "Second", "slug": "number-2", "status": "published", "locale": s.DefaultLocale(t),
			"data": kit.Obj{"body": "y", "kind": "b", "n": 1.5}, "seo": kit.Obj{"title": "T", "description": "D"},
		}, Want: kit.Obj{
			"data.slug": "number-2", "data.status": "published", "data.published_at": kit.Timestamp,
			"data.data.body": "y", "data.data.kind": "b",
			"data.data.n": 1.5, "data.seo": kit.Obj{"title": "T", "description": "D"},
		}},
		kit.Step{Name: "archived at once", Call: post,
			Body: kit.Obj{"title": "Third", "status": "archived", "data": kit.Obj{"body": "z"}}, Status: 201,
			Want: kit.Obj{"data.status": "archived", "data.published_at": nil}},
		kit.Step{Name: "read-only keys are ignored", Call: post, Status: 201, Body: kit.Obj{
			"id": "00000000-0000-4000-8000-000000000000", "version": 7, "created_at": "x",
			"updated_at": 1, "published_at": "2001-01-01T00:00:00Z", "title": "Fourth",
			"data": kit.Obj{"body": "z"},
		}, Want: kit.Obj{"data.version": 1, "data.id": kit.Not("00000000-0000-4000-8000-000000000000"),
			"data.published_at": nil}},
		kit.Step{Name: "seo in part", Call: post,
			Body: kit.Obj{"title": "Fifth", "seo": kit.Obj{"title": "T"}, "data": kit.Obj{"body": "z"}}, Status: 201,
			Want: kit.Obj{"data.seo": kit.Obj{"title": "T", "description": ""}}},
		kit.Step{Name: "null is left out", Call: post,
			Body: kit.Obj{"title": "Sixth", "slug": nil, "status": nil, "locale": nil, "seo": nil,
				"data": kit.Obj{"body": "z", "kind": nil, "n": nil}}, Status: 201,
			Want: kit.Obj{"data.slug": "sixth", "data.status": "draft", "data.data.kind": "a"}},
	)
	invalid := func(name string, body any, invalid string) kit.Step {
		return kit.Step{Name: name, Call: post, Body: body, Invalid: invalid}
	}
	k.Run(t,
		invalid("empty", kit.Obj{}, "title data.body"),
		invalid("required is null", kit.Obj{"title": nil, "data": kit.Obj{"body": nil}}, "title data.body"),
		invalid("no data", kit.Obj{"title": "x"}, "data.body"),
		invalid("title empty", kit.Obj{"title": "", "data": kit.Obj{"body": "z"}}, "title"),
		invalid("title too long", kit.Obj{"title": strings.Repeat("ä", 256), "data": kit.Obj{"body": "z"}}, "title"),
		invalid("wrong types", kit.Obj{"title": 1, "slug": 2, "status": 3, "locale": 4,
			"data": kit.Obj{"body": 5, "n": "6"}, "seo": kit.Obj{"title": 7}},
			"title slug status locale data.body data.n seo.title"),
		invalid("data is a list", kit.Obj{"title": "x", "data": kit.List{}}, "data data.body"),
		invalid("seo is a text", kit.Obj{"title": "x", "data": kit.Obj{"body": "z"}, "seo": "x"}, "seo"),
		invalid("unknown keys", kit.Obj{"title": "x", "extra": 1, "data": kit.Obj{"body": "z", "other": 1},
			"seo": kit.Obj{"more": "x"}}, "extra data.other seo.more"),
		invalid("unknown status", kit.Obj{"title": "x", "status": "hidden", "data": kit.Obj{"body": "z"}}, "status"),
		invalid("status any", kit.Obj{"title": "x", "status": "any", "data": kit.Obj{"body": "z"}}, "status"),
		invalid("unknown locale", kit.Obj{"title": "x", "locale": "tlh", "data": kit.Obj{"body": "z"}}, "locale"),
		invalid("everything at once", kit.Obj{"status": "x", "slug": "A B", "data": kit.Obj{"kind": "c"}},
			"title status slug data.kind data.body"),
	)
	t.Run("title of 255", func(t *testing.T) {
		k.Create(t, model, kit.Obj{"title": strings.Repeat("ä", 255), "data": kit.Obj{"body": "z"}})
	})
}

func entryShape(t *testing.T, s *kit.Suite) {
	model := s.Model(t, nil)
	k := s.Key(t, nil)
	made := k.Create(t, model, kit.Obj{"title": "Shape", "status": "published", "data": kit.Obj{"body": "x"}})
	id := made.Str(t, "data.id")
	want := []string{"id", "slug", "title", "status", "locale", "data", "seo", "published_at",
		"created_at", "updated_at", "version"}
	for _, a := range []kit.Answer{made, k.Get(t, "/"+model+"/"+id),
		k.Get(t, "/"+model+"/shape"), k.Put(t, "/"+model+"/"+id, kit.Obj{})} {
		if got := keysInOrder(t, a, "data"); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("keys %v, want %v", got, want)
		}
	}
	t.Run("what was read can be sent back", func(t *testing.T) {
		read := k.Get(t, "/"+model+"/"+id)
		again := k.Put(t, "/"+model+"/"+id, read.Get("data"))
		again.Has(t, "the same", kit.Obj{"data.data": read.Get("data.data")})
	})
}

// keysInOrder lists the keys of an object in the body as they were sent.
func keysInOrder(t *testing.T, a kit.Answer, key string) []string {
	t.Helper()
	var body map[string]json.RawMessage
	must.Do(t, json.Unmarshal(a.Raw, &body))
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

func textIsKept(t *testing.T, s *kit.Suite) {
	model := s.Model(t, nil)
	k := s.Key(t, nil)
	for name, body := range map[string]string{
		"spaces": "  two  before, one after ", "line ends": "a\r\nb\rc\n\n",
		"markup": "<script>alert(1)</script> &amp; <b>", "combining": "e\u0301 and é, \u212b",
		"emoji": "👩‍👩‍👧 \U0001F1E9\U0001F1EA", "zero width": "a\u200bb\ufeffc",
		"controls": "a\tb\x01c", "separators": "a\u2028b\u2029c", "escapes": `\u0041 "quoted" \\`,
		"right to left": "שלום \u202e abc", "long": strings.Repeat("wörd ", 10000),
	} {
		t.Run(name, func(t *testing.T) {
			made := k.Create(t, model, kit.Obj{"title": "T " + body[:1], "slug": kit.Unique("kept"),
				"status": "published", "data": kit.Obj{"body": body}})
			for _, a := range []kit.Answer{made, k.Get(t, "/"+model+"/"+made.Str(t, "data.id"))} {
				a.Has(t, "body", kit.Obj{"data.data.body": body})
			}
		})
	}
}

func slugs(t *testing.T, s *kit.Suite) {
	model := s.Model(t, nil)
	k := s.Key(t, nil)
	post := "POST /" + model
	made := func(name, title, slug string) kit.Step {
		return kit.Step{Name: name, Call: post, Body: kit.Obj{"title": title}, Status: 201,
			Want: kit.Obj{"data.slug": slug}}
	}
	refused := func(name, slug string) kit.Step {
		return kit.Step{Name: name, Call: post, Body: kit.Obj{"title": "x", "slug": slug}, Invalid: "slug"}
	}
	k.Run(t,
		made("folded", "Ünïcödé & Straße!", "unicode-strasse"),
		made("taken", "Ünïcödé & Straße!", "unicode-strasse-2"),
		made("taken twice", "Unicode, Strasse", "unicode-strasse-3"),
		kit.Step{Name: "sent and taken", Call: post, Body: kit.Obj{"title": "x", "slug": "unicode-strasse"},
			Code: "SLUG_CONFLICT"},
		kit.Step{Name: "empty", Call: post, Body: kit.Obj{"title": "No Slug", "slug": ""}, Status: 201,
			Want: kit.Obj{"data.slug": "no-slug"}},
		kit.Step{Name: "nothing left of the title", Call: post, Body: kit.Obj{"title": "!!!"}, Status: 201,
			Want: kit.Obj{"data.slug": kit.Matches(`^[a-z0-9]+(-[a-z0-9]+)*$`)}},
		kit.Step{Name: "another script", Call: post, Body: kit.Obj{"title": "日本語"}, Status: 201,
			Want: kit.Obj{"data.slug": kit.Matches(`^[a-z0-9]+(-[a-z0-9]+)*$`)}},
		kit.Step{Name: "title single", Call: post, Body: kit.Obj{"title": "Single"}, Status: 201,
			Want: kit.Obj{"data.slug": kit.Not("single")}},
		kit.Step{Name: "long title", Call: post, Body: kit.Obj{"title": strings.Repeat("word ", 50)}, Status: 201,
			Want: kit.Obj{"data.slug": kit.Matches(`^[a-z-]{100,160}$`)}},
		kit.Step{Name: "160", Call: post, Body: kit.Obj{"title": "x", "slug": strings.Repeat("a", 160)}, Status: 201},
		refused("161", strings.Repeat("a", 161)), refused("upper case", "Abc"),
		refused("space", "a b"), refused("dashes", "a--b"), refused("dash at the end", "a-"),
		refused("underscore", "a_b"), refused("umlaut", "ä"), refused("slash", "a/b"),
		refused("single", "single"), refused("UUID", kit.UnknownID),
	)
	a := k.Create(t, model, kit.Obj{"title": "A", "slug": "slug-a", "status": "published"}).Str(t, "data.id")
	k.Create(t, model, kit.Obj{"title": "B", "slug": "slug-b", "status": "published"})
	k.Run(t,
		kit.Step{Name: "update to a taken one", Call: "PUT /" + model + "/" + a, Body: kit.Obj{"slug": "slug-b"},
			Code: "SLUG_CONFLICT"},
		kit.Step{Name: "update to its own", Call: "PUT /" + model + "/" + a, Body: kit.Obj{"slug": "slug-a"}},
		kit.Step{Name: "update to a free one", Call: "PUT /" + model + "/" + a, Body: kit.Obj{"slug": "slug-c"}},
		kit.Step{Name: "the new one finds", Call: "GET /" + model + "/slug-c", Want: kit.Obj{"data.id": a}},
		kit.Step{Name: "the old one does not", Call: "GET /" + model + "/slug-a", Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "the old one is free", Call: post, Body: kit.Obj{"title": "x", "slug": "slug-a"}, Status: 201},
		kit.Step{Name: "a title leaves the slug", Call: "PUT /" + model + "/" + a, Body: kit.Obj{"title": "Other"},
			Want: kit.Obj{"data.slug": "slug-c"}},
		kit.Step{Name: "null makes one", Call: "PUT /" + model + "/" + a,
			Body: kit.Obj{"title": "Unicode strasse", "slug": nil}, Want: kit.Obj{"data.slug": "unicode-strasse-4"}},
		kit.Step{Name: "its own is not taken", Call: "PUT /" + model + "/" + a, Body: kit.Obj{"slug": nil},
			Want: kit.Obj{"data.slug": "unicode-strasse-4"}},
	)
	t.Run("another model",
		func(t *testing.T) { k.Create(t, s.Model(t, nil), kit.Obj{"title": "x", "slug": "slug-b"}) })
}

func slugRaces(t *testing.T, s *kit.Suite) {
	model := s.Model(t, nil)
	k := s.Key(t, nil)
	const writers = 8
	var made, conflicts int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			a := k.Do(t, "POST /"+model, kit.Obj{"title": "Race", "slug": "race", "status": "published"})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case a.Status == 201:
				made++
			case a.Code() == "SLUG_CONFLICT":
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
	k.Step(t, kit.Step{Call: "GET /" + model, Want: kit.Obj{"meta.total": 1}})
}
