package e2e

import (
	"net/url"
	"strings"
	"testing"
)

var searchScenarios = []scenario{
	{name: "search/words", run: searchWords},
	{name: "search/fresh", run: searchFresh},
	{name: "search/locales", run: searchLocales},
	{name: "search/lists", run: searchLists},
	{name: "search/admin", run: searchAdmin},
}

// word returns a word that is nowhere else on the target, without an ending that a stemmer would
// remove.
func word() string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return 'g' + r - '0'
		}
		return r
	}, strings.ReplaceAll(unique("zx"), "-", "")) + "zx"
}

func searchWords(t *testing.T, s *suite) {
	k := s.key(t, nil)
	posts, pages := s.model(t, nil),
		s.model(t,
			obj{"fields": list{field("text", "richtext", obj{"searchable": true}),
				field("note", "text", nil)}})
	w := word()
	inTitle := k.publish(t, posts, "The "+w+" elephants", obj{"body": "Nothing here."})
	inBody := k.publish(t, pages, "A page",
		obj{"text": "# Heading\n\nMany words stand before the **" + w +
			"** and then an Éléphant walks.", "note": "unsearched" + w})
	k.create(t, posts, obj{"title": "Draft " + w})
	search := func(q string) string { return "GET /search?q=" + url.QueryEscape(q) }
	k.run(t,
		step{name: "both", call: search(w), status: 200, want: obj{
			"meta.total": 2, "meta.page": 1, "meta.per_page": 25, "data.0.id": inTitle,
			"data.0.model": posts, "data.0.slug": "the-" + w + "-elephants",
			"data.0.locale": s.defaultLocale(t),
			"data.0.title":  "The " + w + " elephants", "data.0.published_at": timestamp,
			"data.0.score": present, "data.1.id": inBody, "data.1.model": pages,
		}},
		step{name: "excerpt", call: search(w + " walks"), status: 200,
			want: obj{"meta.total": 1, "data.0.excerpt": matches("(?s)^[^<>#*]*" + w)}},
		step{name: "case", call: search(strings.ToUpper(w)), status: 200, want: obj{"meta.total": 2}},
		step{name: "prefix", call: search(w[:len(w)-2]), status: 200, want: obj{"meta.total": 2}},
		step{name: "all words", call: search(w + " page"), status: 200,
			want: obj{"meta.total": 1, "data.0.id": inBody}},
		step{name: "no prefix before the last", call: search(w[:len(w)-2] + " elephants"),
			status: 200, want: obj{"meta.total": 0}},
		step{name: "word endings", call: search(w + " elephant"), status: 200, want: obj{"meta.total": 2}},
		step{name: "prefix of the word as written", call: search(w + " elephan"), status: 200,
			want: obj{"meta.total": 2}},
		step{name: "accents", call: search("éléphant " + w), status: 200, want: obj{"meta.total": 2}},
		step{name: "no match", call: search(w + " giraffe"), status: 200,
			want: obj{"meta.total": 0, "data": list{}}},
		step{name: "not searchable", call: search("unsearched" + w), status: 200, want: obj{"meta.total": 0}},
		step{name: "models", call: search(w) + "&models=" + pages, status: 200,
			want: obj{"meta.total": 1, "data.0.id": inBody}},
		step{name: "several models", call: search(w) + "&models=" + pages + "," + posts,
			status: 200, want: obj{"meta.total": 2}},
		step{name: "no q", call: "GET /search", status: 400, code: "BAD_REQUEST"},
		step{name: "empty q", call: "GET /search?q=", status: 400, code: "BAD_REQUEST"},
		step{name: "bad page", call: search(w) + "&page=0", status: 400, code: "BAD_REQUEST"},
		step{name: "unknown include", call: search(w) + "&include=nothing", status: 400, code: "BAD_REQUEST"},
		step{name: "unknown sort", call: search(w) + "&sort=slug", status: 400, code: "BAD_REQUEST"},
		step{name: "unknown filter", call: search(w) + "&filter%5Bnothing%5D=1", status: 400,
			code: "BAD_REQUEST"},
		step{name: "fields", call: search(w) + "&fields=title&per_page=1", status: 200,
			want: obj{"data.0": obj{"id": inTitle, "title": "The " + w + " elephants"}}},
		step{name: "capped", call: search(w) + "&per_page=1000", status: 200,
			want: obj{"meta.per_page": 100}},
		step{name: "second page", call: search(w) + "&per_page=1&page=2", status: 200,
			want: obj{"meta.total": 2, "data.#": 1, "data.0.id": inBody}},
		step{name: "by title", call: search(w) + "&sort=title", status: 200,
			want: obj{"data.0.id": inBody, "data.1.id": inTitle}},
		step{name: "odd characters", call: search(`"` + w + `" AND (OR * -x`), status: 200},
	)
}

func searchFresh(t *testing.T, s *suite) {
	k := s.key(t, nil)
	model := s.model(t, nil)
	one, two := word(), word()
	count := func(w string, n int) {
		t.Helper()
		k.step(t, step{call: "GET /search?q=" + w, status: 200, want: obj{"meta.total": n}})
		k.step(t, step{call: "GET /" + model + "?q=" + w, status: 200, want: obj{"meta.total": n}})
	}
	entry := "/" + model + "/" + k.publish(t, model, "x", obj{"body": one})
	count(one, 1)
	k.ok(t, 200, "PUT "+entry, obj{"data": obj{"body": two}})
	count(one, 0)
	count(two, 1)
	k.ok(t, 200, "PUT "+entry, obj{"status": "draft"})
	count(two, 0)
	k.ok(t, 200, "PUT "+entry, obj{"status": "published"})
	count(two, 1)
	k.ok(t, 204, "DELETE "+entry, nil)
	count(two, 0)
}

func searchLocales(t *testing.T, s *suite) {
	s.useLocale(t, "de", "Deutsch")
	k := s.key(t, nil)
	model := s.model(t, obj{"localized": true})
	w := word()
	en := k.publish(t, model, w+" houses", nil)
	de := k.create(t, model, obj{"title": w + " Häuser und Bücher", "status": "published",
		"locale": "de"}).str(t, "data.id")
	k.run(t,
		step{name: "default", call: "GET /search?q=" + w, status: 200,
			want: obj{"meta.total": 1, "data.0.id": en}},
		step{name: "one", call: "GET /search?q=" + w + "&filter%5Blocale%5D=de", status: 200,
			want: obj{"meta.total": 1, "data.0.id": de, "data.0.locale": "de"}},
		step{name: "any", call: "GET /search?q=" + w + "&filter%5Blocale%5D=any", status: 200,
			want: obj{"meta.total": 2}},
		step{name: "endings of the locale", call: "GET /search?q=" + w +
			"+buch&filter%5Blocale%5D=de", status: 200, want: obj{"meta.total": 1}},
	)
}

func searchLists(t *testing.T, s *suite) {
	k := s.key(t, nil)
	model := s.model(t,
		obj{"fields": list{field("body", "textarea", obj{"searchable": true}), field("kind", "text", nil)}})
	w := word()
	k.publish(t, model, "A "+w, obj{"kind": "a"})
	b := k.publish(t, model, "B", obj{"kind": "b", "body": w})
	l := "GET /" + model + "?q=" + w
	k.run(t,
		step{name: "score", call: l, status: 200, want: obj{"meta.total": 2, "data.1.id": b}},
		step{name: "sorted", call: l + "&sort=-title", status: 200, want: obj{"data.0.id": b}},
		step{name: "filtered", call: l + "&filter%5Bdata.kind%5D=b", status: 200,
			want: obj{"meta.total": 1, "data.0.id": b}},
		step{name: "paged", call: l + "&per_page=1&page=2", status: 200,
			want: obj{"meta.total": 2, "data.#": 1}},
	)
}

// searchAdmin finds entries of every status in the admin area.
func searchAdmin(t *testing.T, s *suite) {
	k, admin := s.key(t, nil), s.admin(t)
	posts, pages := s.model(t, nil), s.model(t, nil)
	w := word()
	k.publish(t, posts, "Live "+w, nil)
	k.create(t, pages, obj{"title": "Draft " + w})
	admin.run(t,
		step{name: "all", call: "GET /search?q=" + w, status: 200,
			want: obj{"meta.total": 2, "meta.page": 1}},
		step{name: "a draft", call: "GET /search?q=draft+" + w, status: 200,
			want: obj{"meta.total": 1, "data.0.model": pages, "data.0.title": "Draft " + w}},
		step{name: "a prefix", call: "GET /search?q=" + w[:len(w)-2], status: 200,
			want: obj{"meta.total": 2}},
		step{name: "without words", call: "GET /search", status: 400, code: "BAD_REQUEST"},
		step{name: "guide", call: "GET /help", status: 200, want: obj{"data.guide": present}},
	)
	s.anonymousAdmin().step(t, step{call: "GET /search?q=" + w, status: 401, code: "UNAUTHORIZED"})
}
