package api

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
	"headless/pkg/must"
)

// Repairs has the scenarios of parameters, headers and names that all routes share (extensions §1).
var Repairs = []kit.Scenario{
	{Name: "repairs/locale", Run: localeParameter},
	{Name: "repairs/locale of one", Run: localeOfOne},
	{Name: "repairs/inactive locale", Run: inactiveLocale},
	{Name: "repairs/ignored", Run: ignoredParameters},
	{Name: "repairs/order of meta", Run: orderOfMeta},
	{Name: "repairs/gzip", Run: compressedAnswers},
	{Name: "repairs/link", Run: nextLinks},
	{Name: "repairs/include", Run: includeLimit},
	{Name: "repairs/idempotency", Run: idempotency},
	{Name: "repairs/reserved", Run: reservedSlugs},
}

func localeParameter(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	k, home := s.Key(t, nil), s.DefaultLocale(t)
	model, single := s.Model(t, kit.Obj{"localized": true}), s.Model(t, kit.Obj{"localized": true, "kind": "single"})
	w := kit.Word()
	k.Create(t, model, kit.Obj{"title": "House " + w, "status": "published"})
	k.Create(t, model, kit.Obj{"title": "Haus " + w, "status": "published", "locale": "de"})
	k.Create(t, single, kit.Obj{"title": "Heim", "status": "published", "locale": "de"})
	l := "GET /" + model
	k.Run(t,
		kit.Step{Name: "list", Call: l + "?locale=de",
			Want: kit.Obj{"meta.total": 1, "data.0.locale": "de", "meta.ignored": nil}},
		kit.Step{Name: "any", Call: l + "?locale=any", Want: kit.Obj{"meta.total": 2}},
		kit.Step{Name: "wins", Call: l + "?locale=de&filter%5Blocale%5D=" + home,
			Want: kit.Obj{"meta.total": 1, "data.0.locale": "de"}},
		kit.Step{Name: "search", Call: "GET /search?q=" + w + "&locale=de",
			Want: kit.Obj{"meta.total": 1, "data.0.locale": "de"}},
		kit.Step{Name: "search, any", Call: "GET /search?q=" + w + "&locale=any", Want: kit.Obj{"meta.total": 2}},
		kit.Step{Name: "single", Call: "GET /" + single + "?locale=de", Want: kit.Obj{"data.title": "Heim"}},
		kit.Step{Name: "single, none", Call: "GET /" + single + "?locale=" + home, Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "filter of nothing", Call: l + "?filter%5Blocale%5D=xx", Want: kit.Obj{"meta.total": 0}},
		kit.Step{Name: "by slug", Call: l + "/house-" + w + "?locale=xx", Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "twice", Call: l + "?locale=de&locale=" + home, Code: "BAD_REQUEST",
			Want: kit.Obj{"error.message": kit.Contains("locale once")}},
	)
	for _, value := range []string{"xx", "", "de," + home} {
		k.Run(t,
			kit.Step{Name: "list " + value, Call: l + "?locale=" + value, Code: "BAD_REQUEST",
				Want: kit.Obj{"error.message": kit.Contains("de")}},
			kit.Step{Name: "search " + value, Call: "GET /search?q=x&locale=" + value, Code: "BAD_REQUEST",
				Want: kit.Obj{"error.message": kit.Contains("de")}},
		)
	}
}

func ignoredParameters(t *testing.T, s *kit.Suite) {
	at := "/" + kit.Unique("at")
	model, k := s.Model(t, kit.Obj{"url": at + "/{slug}"}), s.Key(t, nil)
	id := k.Publish(t, model, "One", nil)
	single := s.Model(t, kit.Obj{"kind": "single"})
	k.Publish(t, single, "Home", nil)
	get := func(c *kit.Client, path string) any {
		t.Helper()
		req, _ := c.NewRequest(t, "GET "+path, nil)
		a := kit.Exchange(t, c.HTTP, req)
		a.HasStatus(t, path, 200)
		return kit.Dig(decoded(t, a.Raw), "meta.ignored")
	}
	long := strings.Repeat("x", 80)
	var many []string
	for i := range 30 {
		many = append(many, fmt.Sprintf("p%d=1", i))
	}
	for path, want := range map[string]any{
		"/" + model + "?depth=x&populate=1&populate=y&sort=title": kit.List{"depth", "populate"}, "/" +
			model: nil, "/" + model + "/" + id + "?Locale=de&page=1": kit.List{"Locale", "page"},
		"/" + single + "?filter[data.x]=1&include=&page=1": kit.List{"filter[data.x]", "page"},
		"/ping?x=1": kit.List{"x"}, "/search?q=x&version=draft": kit.List{"version"},
		"/resolve?path=" + at + "/one&version=draft": kit.List{"version"},
		"/upload/files?where=1":                      kit.List{"where"}, "/" + model + "?" + long + "=1": kit.List{long[:64]},
	} {
		if err := kit.Compare(get(k, path), want); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	for path, want := range map[string]any{"/settings?locale=xx&a=1": kit.List{"a"},
		"/i18n/locales?b=1": kit.List{"b"}} {
		if err := kit.Compare(get(s.Public(), path), want); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if names, _ := get(k, "/"+model+"?"+strings.Join(many, "&")).(kit.List); len(names) != 20 ||
		names[0] != "p0" {
		t.Errorf("of 30 names: %v", names)
	}
}

func compressedAnswers(t *testing.T, s *kit.Suite) {
	model, k := s.Model(t, nil), s.Key(t, nil)
	small := "/" + model + "/" + k.Publish(t, model, "Small", nil)
	large := "/" + model + "/" + k.Publish(t, model, "Large", kit.Obj{"body": strings.Repeat("many words ", 500)})
	ask := func(c *kit.Client, path, accept string, more ...string) kit.Answer {
		t.Helper()
		req, _ := c.NewRequest(t, "GET "+path, nil)
		req.Header.Set("Accept-Encoding", accept)
		for i := 0; i < len(more); i += 2 {
			req.Header.Set(more[i], more[i+1])
		}
		return kit.Exchange(t, c.HTTP, req)
	}
	for _, x := range []struct {
		path, accept string
		gzip         bool
	}{{large, "gzip", true}, {large, "*", true}, {large, "gzip;q=0", false},
		{large, "identity", false}, {small, "gzip", false}} {
		a := ask(k, x.path, x.accept)
		kit.Same(t, x.path+" with "+x.accept, a.Header.Get("Content-Encoding") == "gzip", x.gzip)
		if !strings.Contains(strings.Join(a.Header.Values("Vary"), ","), "Accept-Encoding") {
			t.Errorf("%s with %q: Vary %v", x.path, x.accept, a.Header.Values("Vary"))
		}
		if x.gzip {
			r, err := gzip.NewReader(bytes.NewReader(a.Raw))
			must.Do(t, err)
			a.Raw, err = io.ReadAll(r)
			must.Do(t, err)
		}
		if decoded(t, a.Raw) == nil {
			t.Errorf("%s with %q: %.100s", x.path, x.accept, a.Raw)
		}
	}
	packed := ask(k, large, "gzip")
	plain := ask(k, large, "identity")
	a, b := packed.Header.Get("ETag"), plain.Header.Get("ETag")
	if a == b || strings.HasPrefix(a, "W/") || strings.HasPrefix(b, "W/") {
		t.Errorf("tags %s and %s", a, b)
	}
	for _, tag := range []string{a, b} {
		for _, accept := range []string{"gzip", "identity"} {
			ask(k, large, accept, "If-None-Match", tag).HasStatus(t, "If-None-Match "+tag+" with "+accept, 304)
		}
		k.With("If-Match", tag).Put(t, large, kit.Obj{"title": "Large"})
		packed = ask(k, large, "gzip")
		if tag == a {
			break // the entry has changed
		}
	}
	k.With("If-Match", packed.Header.Get("ETag")).Put(t, large, kit.Obj{"title": "Large 2"})
	if a := ask(s.Admin(t), "/models", "gzip"); a.Header.Get("Content-Encoding") != "gzip" && len(a.Raw) > 1024 {
		t.Error("the admin area does not compress")
	}
}

func nextLinks(t *testing.T, s *kit.Suite) {
	model, k := s.Model(t, nil), s.Key(t, nil)
	for i := range 5 {
		k.Publish(t, model, fmt.Sprintf("T%d", i), nil)
	}
	var titles []string
	path := "/" + model + "?sort=title&per_page=2&page=1&fields=title"
	for range 5 {
		a := k.Get(t, path)
		titles = append(titles, kit.Column(a.Get("data"), "title")...)
		link := a.Header.Get("Link")
		kit.Same(t, "no Link without a cursor", link == "", a.Get("meta.next_cursor") == nil)
		if link == "" {
			break
		}
		address, ok := strings.CutSuffix(strings.TrimPrefix(link, "<"), `>; rel="next"`)
		u, err := url.Parse(address)
		if err != nil || !ok || !u.IsAbs() || u.Query().Get("sort") != "title" ||
			u.Query().Get("fields") != "title" {
			t.Fatalf("Link %q: %v", link, err)
		}
		path = strings.TrimPrefix(u.Path, kit.APIBase) + "?" + u.RawQuery
	}
	kit.Same(t, "by links", titles, []string{"T0", "T1", "T2", "T3", "T4"})
}

func includeLimit(t *testing.T, s *kit.Suite) {
	k, model := s.Key(t, nil), kit.Unique("m")
	s.Model(t,
		kit.Obj{"slug": model, "fields": kit.List{kit.Field("rel", "relation", kit.Obj{"model": model, "many": true})}})
	var ids kit.List
	for i := range 30 {
		ids = append(ids,
			k.Create(t, model, kit.Obj{"title": fmt.Sprintf("E%d", i), "status": "published"}).Str(t, "data.id"))
	}
	for _, id := range ids {
		k.OK(t, 200, fmt.Sprintf("PUT /%s/%s", model, id), kit.Obj{"data": kit.Obj{"rel": ids}})
	}
	k.Run(t,
		kit.Step{Name: "within", Call: "GET /" + model + "?per_page=30&include=rel",
			Want: kit.Obj{"data.#": 30, "data.0.data.rel.#": 30}},
		kit.Step{Name: "two deep, one entry", Call: "GET /" + model + "?per_page=1&include=rel.rel",
			Want: kit.Obj{"data.0.data.rel.0.data.rel.#": 30}},
		kit.Step{Name: "two deep", Call: "GET /" + model + "?per_page=30&include=rel.rel", Code: "BAD_REQUEST",
			Want: kit.Obj{"error.message": kit.Contains("2000")}},
		kit.Step{Name: "three deep", Call: "GET /" + model + "?per_page=100&include=rel.rel.rel", Code: "BAD_REQUEST"},
		kit.Step{Name: "three deep, one entry", Call: fmt.Sprintf("GET /%s/%s?include=rel.rel.rel", model, ids[0]),
			Code: "BAD_REQUEST"},
	)
}

// decoded returns a body decoded from JSON, nil if it is not JSON.
func decoded(t *testing.T, body []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(body, &v); err != nil {
		t.Errorf("no JSON: %v: %.200s", err, body)
	}
	return v
}

func idempotency(t *testing.T, s *kit.Suite) {
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("body", "text", kit.Obj{"required": true})}})
	k, other := s.Key(t, nil), s.Key(t, nil)
	post, name := "POST /"+model, kit.Unique("order")
	body := kit.Obj{"title": "Once", "data": kit.Obj{"body": "b"}}
	once := k.With("Idempotency-Key", name)
	first := once.Step(t, kit.Step{Call: post, Body: body, Status: 201, Header: kit.Obj{"Idempotency-Replayed": ""}})
	again := once.Step(t, kit.Step{Call: post, Body: body, Status: 201,
		Header: kit.Obj{"Idempotency-Replayed": "true", "ETag": first.Header.Get("ETag")}})
	kit.Same(t, "the same answer", string(first.Raw), string(again.Raw))
	once.Run(t,
		kit.Step{Name: "another body", Call: post, Body: kit.Obj{"title": "Other", "data": kit.Obj{"body": "b"}},
			Code: "VALIDATION_FAILED"},
		kit.Step{Name: "another address", Call: post + "?draft=true", Body: body, Code: "VALIDATION_FAILED"},
	)
	other.With("Idempotency-Key", name).Step(t, kit.Step{Name: "other credentials", Call: post, Body: body, Status: 201,
		Want: kit.Obj{"data.slug": "once-2"}, Header: kit.Obj{"Idempotency-Replayed": ""}})
	bad := k.With("Idempotency-Key", kit.Unique("order"))
	bad.Step(t, kit.Step{Name: "refused", Call: post, Body: kit.Obj{"title": "x"}, Invalid: "data.body"})
	bad.Step(t, kit.Step{Name: "refused again", Call: post, Body: kit.Obj{"title": "x"}, Invalid: "data.body",
		Header: kit.Obj{"Idempotency-Replayed": "true"}})
	k.With("Idempotency-Key", strings.Repeat("y", 255)).Step(t, kit.Step{Call: post, Body: body, Status: 201})
	if a := k.With("Idempotency-Key", strings.Repeat("x", 256)).Do(t, post, body); a.Status != 400 ||
		a.Code() != "BAD_REQUEST" {
		t.Errorf("a key of 256 characters: %d %s", a.Status, a.Raw)
	}
	at := "POST /" + model + "/" + first.Str(t, "data.id") + "/publish"
	publish := k.With("Idempotency-Key", kit.Unique("publish"))
	publish.Step(t, kit.Step{Call: at, Want: kit.Obj{"data.version": 2}})
	publish.Step(t, kit.Step{Call: at, Want: kit.Obj{"data.version": 2},
		Header: kit.Obj{"Idempotency-Replayed": "true"}})
	k.Step(t, kit.Step{Name: "published once", Call: "GET /" + model + "/once", Want: kit.Obj{"data.version": 2}})
	file, text := k.With("Idempotency-Key", kit.Unique("file")), []byte("sent twice")
	sent := file.Step(t, kit.Step{Name: "file", Call: "POST /upload", Body: kit.FileBody(t, "a.txt", text, nil),
		Status: 201})
	file.Run(t,
		kit.Step{Name: "with another boundary", Call: "POST /upload", Body: kit.FileBody(t, "a.txt", text, nil),
			Status: 201, Want: kit.Obj{"data.id": sent.Get("data.id")}, Header: kit.Obj{"Idempotency-Replayed": "true"}},
		kit.Step{Name: "another name", Call: "POST /upload", Body: kit.FileBody(t, "b.txt", text, nil),
			Code: "VALIDATION_FAILED"},
	)
	all := make(chan kit.Answer, 8)
	race := k.With("Idempotency-Key", kit.Unique("race"))
	for range cap(all) {
		go func() { all <- race.Do(t, post, kit.Obj{"title": "Race", "data": kit.Obj{"body": "b"}}) }()
	}
	ids := map[any]bool{}
	for range cap(all) {
		switch a := <-all; a.Status {
		case 201:
			ids[a.Get("data.id")] = true
		case 409:
		default:
			t.Errorf("race: %d %s", a.Status, a.Raw)
		}
	}
	kit.Same(t, "entries made at once", len(ids), 1)
}

func reservedSlugs(t *testing.T, s *kit.Suite) {
	for _, slug := range []string{"delivery", "sync", "redirects", "sitemap", "feed", "schema", "mcp", "media", "seen"} {
		s.Admin(t).Step(t, kit.Step{Name: slug, Call: "POST /models",
			Body: kit.Obj{"slug": slug, "name": "X", "fields": kit.List{}}, Invalid: "slug"})
	}
}
