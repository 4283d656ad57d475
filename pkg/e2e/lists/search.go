package lists

import (
	"net/url"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Search has the scenarios of the search for words.
var Search = []kit.Scenario{
	{Name: "search/words", Run: searchWords},
	{Name: "search/fresh", Run: searchFresh},
	{Name: "search/locales", Run: searchLocales},
	{Name: "search/lists", Run: searchLists},
	{Name: "search/admin", Run: searchAdmin},
}

func searchWords(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	posts, pages := s.Model(t, nil),
		s.Model(t,
			kit.Obj{"fields": kit.List{kit.Field("text", "richtext", kit.Obj{"searchable": true}),
				kit.Field("note", "text", nil)}})
	w := kit.Word()
	inTitle := k.Publish(t, posts, "The "+w+" elephants", kit.Obj{"body": "Nothing here."})
	inBody := k.Publish(t, pages, "A page",
		kit.Obj{"text": "# Heading\n\nMany words stand before the **" + w +
			"** and then an Éléphant walks.", "note": "unsearched" + w})
	draft := k.Create(t, posts, kit.Obj{"title": "Draft " + w}).Str(t, "data.id")
	search := func(q string) string { return "GET /search?q=" + url.QueryEscape(q) }
	k.Run(t,
		kit.Step{Name: "both", Call: search(w), Want: kit.Obj{
			"meta.total": 2, "meta.page": 1, "meta.per_page": 25, "data.0.id": inTitle,
			"data.0.model": posts, "data.0.slug": "the-" + w + "-elephants",
			"data.0.locale": s.DefaultLocale(t),
			"data.0.title":  "The " + w + " elephants", "data.0.published_at": kit.Timestamp,
			"data.0.score": kit.Present, "data.1.id": inBody, "data.1.model": pages,
		}},
		kit.Step{Name: "excerpt", Call: search(w + " walks"),
			Want: kit.Obj{"meta.total": 1, "data.0.excerpt": kit.Matches("(?s)^[^<>#*]*" + w)}},
		kit.Step{Name: "case", Call: search(strings.ToUpper(w)), Want: kit.Obj{"meta.total": 2}},
		kit.Step{Name: "prefix", Call: search(w[:len(w)-2]), Want: kit.Obj{"meta.total": 2}},
		kit.Step{Name: "all words", Call: search(w + " page"), Want: kit.Obj{"meta.total": 1, "data.0.id": inBody}},
		kit.Step{Name: "no prefix before the last", Call: search(w[:len(w)-2] + " elephants"),
			Want: kit.Obj{"meta.total": 0}},
		kit.Step{Name: "word endings", Call: search(w + " elephant"), Want: kit.Obj{"meta.total": 2}},
		kit.Step{Name: "prefix of the word as written", Call: search(w + " elephan"), Want: kit.Obj{"meta.total": 2}},
		kit.Step{Name: "accents", Call: search("éléphant " + w), Want: kit.Obj{"meta.total": 2}},
		kit.Step{Name: "no match", Call: search(w + " giraffe"), Want: kit.Obj{"meta.total": 0, "data": kit.List{}}},
		kit.Step{Name: "not searchable", Call: search("unsearched" + w), Want: kit.Obj{"meta.total": 0}},
		kit.Step{Name: "models", Call: search(w) + "&models=" + pages, Want: kit.Obj{"meta.total": 1, "data.0.id": inBody}},
		kit.Step{Name: "several models", Call: search(w) + "&models=" + pages + "," + posts,
			Want: kit.Obj{"meta.total": 2}},
		kit.Step{Name: "no q", Call: "GET /search", Code: "BAD_REQUEST"},
		kit.Step{Name: "empty q", Call: "GET /search?q=", Code: "BAD_REQUEST"},
		kit.Step{Name: "bad page", Call: search(w) + "&page=0", Code: "BAD_REQUEST"},
		kit.Step{Name: "unknown include", Call: search(w) + "&include=nothing", Code: "BAD_REQUEST"},
		kit.Step{Name: "unknown sort", Call: search(w) + "&sort=slug", Code: "BAD_REQUEST"},
		kit.Step{Name: "unknown filter", Call: search(w) + "&filter%5Bnothing%5D=1", Code: "BAD_REQUEST"},
		kit.Step{Name: "fields", Call: search(w) + "&fields=title&per_page=1",
			Want: kit.Obj{"data.0": kit.Obj{"id": inTitle, "title": "The " + w + " elephants"}}},
		kit.Step{Name: "capped", Call: search(w) + "&per_page=1000", Want: kit.Obj{"meta.per_page": 100}},
		kit.Step{Name: "second page", Call: search(w) + "&per_page=1&page=2",
			Want: kit.Obj{"meta.total": 2, "data.#": 1, "data.0.id": inBody}},
		kit.Step{Name: "by title", Call: search(w) + "&sort=title",
			Want: kit.Obj{"data.0.id": inBody, "data.1.id": inTitle}},
		kit.Step{Name: "drafts", Call: search(w) + "&filter%5Bstatus%5D=draft", Want: kit.Obj{"meta.total": 0}},
		kit.Step{Name: "a model of nobody", Call: search(w) + "&models=nope", Code: "BAD_REQUEST"},
		kit.Step{Name: "a model twice", Call: search(w) + "&models=" + pages + "," + pages, Want: kit.Obj{"meta.total": 1}},
		kit.Step{Name: "unknown field", Call: search(w) + "&fields=data", Code: "BAD_REQUEST"},
		kit.Step{Name: "filter of a title", Call: search(w) + "&filter%5Btitle%5D=x", Code: "BAD_REQUEST"},
		kit.Step{Name: "rubbish cursor", Call: search(w) + "&cursor=zz", Code: "BAD_REQUEST"},
		kit.Step{Name: "41 words", Call: "GET /search?q=" + kit.Words(41), Code: "BAD_REQUEST"},
		kit.Step{Name: "no page there", Call: search(w) + "&page=5", Want: kit.Obj{"meta.total": 2, "data": kit.List{}}},
		kit.Step{Name: "odd characters", Call: search(`"` + w + `" AND (OR * -x`)},
	)
	s.AdminKey(t).Step(t, kit.Step{Name: "drafts for admin", Call: search(w) + "&filter%5Bstatus%5D=draft",
		Want: kit.Obj{"meta.total": 1, "data.0.id": draft}})
}

func searchFresh(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	model := s.Model(t, nil)
	one, two := kit.Word(), kit.Word()
	count := func(w string, n int) {
		t.Helper()
		k.Step(t, kit.Step{Call: "GET /search?q=" + w, Want: kit.Obj{"meta.total": n}})
		k.Step(t, kit.Step{Call: "GET /" + model + "?q=" + w, Want: kit.Obj{"meta.total": n}})
	}
	entry := "/" + model + "/" + k.Publish(t, model, "x", kit.Obj{"body": one})
	count(one, 1)
	title := kit.Word()
	k.Put(t, entry, kit.Obj{"title": title})
	count(title, 1)
	k.Put(t, entry, kit.Obj{"title": "x"})
	count(title, 0)
	k.Put(t, entry, kit.Obj{"data": kit.Obj{"body": two}})
	count(one, 0)
	count(two, 1)
	for _, status := range []string{"archived", "published", "draft"} {
		k.Put(t, entry, kit.Obj{"status": status})
		count(two, map[string]int{"published": 1}[status])
	}
	k.Put(t, entry, kit.Obj{"status": "published"})
	count(two, 1)
	k.Delete(t, entry)
	count(two, 0)
}

func searchLocales(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	k := s.Key(t, nil)
	model := s.Model(t, kit.Obj{"localized": true})
	w := kit.Word()
	en := k.Publish(t, model, w+" houses", nil)
	de := k.Create(t, model, kit.Obj{"title": w + " Häuser und Bücher", "status": "published",
		"locale": "de"}).Str(t, "data.id")
	k.Run(t,
		kit.Step{Name: "default", Call: "GET /search?q=" + w, Want: kit.Obj{"meta.total": 1, "data.0.id": en}},
		kit.Step{Name: "one", Call: "GET /search?q=" + w + "&filter%5Blocale%5D=de",
			Want: kit.Obj{"meta.total": 1, "data.0.id": de, "data.0.locale": "de"}},
		kit.Step{Name: "any", Call: "GET /search?q=" + w + "&filter%5Blocale%5D=any", Want: kit.Obj{"meta.total": 2}},
		kit.Step{Name: "several", Call: "GET /search?q=" + w + "&filter%5Blocale%5D%5Bin%5D=de,fr",
			Want: kit.Obj{"meta.total": 1, "data.0.id": de}},
		kit.Step{Name: "others", Call: "GET /search?q=" + w + "&filter%5Blocale%5D%5Bne%5D=" + s.DefaultLocale(t),
			Want: kit.Obj{"meta.total": 1, "data.0.id": de}},
		kit.Step{Name: "endings of the locale", Call: "GET /search?q=" + w + "+buch&filter%5Blocale%5D=de",
			Want: kit.Obj{"meta.total": 1}},
	)
}

func searchLists(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	model := s.Model(t,
		kit.Obj{"fields": kit.List{kit.Field("body", "textarea", kit.Obj{"searchable": true}),
			kit.Field("kind", "text", nil)}})
	w := kit.Word()
	k.Publish(t, model, "A "+w, kit.Obj{"kind": "a"})
	b := k.Publish(t, model, "B", kit.Obj{"kind": "b", "body": w})
	l := "GET /" + model + "?q=" + w
	k.Run(t,
		kit.Step{Name: "score", Call: l, Want: kit.Obj{"meta.total": 2, "data.1.id": b}},
		kit.Step{Name: "sorted", Call: l + "&sort=-title", Want: kit.Obj{"data.0.id": b}},
		kit.Step{Name: "filtered", Call: l + "&filter%5Bdata.kind%5D=b", Want: kit.Obj{"meta.total": 1, "data.0.id": b}},
		kit.Step{Name: "paged", Call: l + "&per_page=1&page=2", Want: kit.Obj{"meta.total": 2, "data.#": 1}},
	)
}

// searchAdmin finds entries of every status in the admin area.
func searchAdmin(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.Admin(t)
	posts, pages := s.Model(t, nil), s.Model(t, nil)
	w := kit.Word()
	k.Publish(t, posts, "Live "+w, nil)
	k.Create(t, pages, kit.Obj{"title": "Draft " + w})
	admin.Run(t,
		kit.Step{Name: "all", Call: "GET /search?q=" + w, Want: kit.Obj{"meta.total": 2, "meta.page": 1}},
		kit.Step{Name: "a draft", Call: "GET /search?q=draft+" + w,
			Want: kit.Obj{"meta.total": 1, "data.0.model": pages, "data.0.title": "Draft " + w}},
		kit.Step{Name: "a prefix", Call: "GET /search?q=" + w[:len(w)-2], Want: kit.Obj{"meta.total": 2}},
		kit.Step{Name: "without words", Call: "GET /search", Code: "BAD_REQUEST"},
		kit.Step{Name: "guide", Call: "GET /help", Want: kit.Obj{"data.guide": kit.Present}},
	)
	s.AnonymousAdmin().Step(t, kit.Step{Call: "GET /search?q=" + w, Code: "UNAUTHORIZED"})
}
