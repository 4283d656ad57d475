package e2e

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// Repairs of the base (extensions §1).
var repairScenarios = []scenario{
	{name: "repairs/locale", run: localeParameter},
	{name: "repairs/locale of one", run: localeOfOne},
	{name: "repairs/inactive locale", run: inactiveLocale},
	{name: "repairs/ignored", run: ignoredParameters},
	{name: "repairs/order of meta", run: orderOfMeta},
	{name: "repairs/gzip", run: compressedAnswers},
	{name: "repairs/link", run: nextLinks},
	{name: "repairs/include", run: includeLimit},
	{name: "repairs/idempotency", run: idempotency},
	{name: "repairs/reserved", run: reservedSlugs},
}

func localeParameter(t *testing.T, s *suite) {
	s.useLocale(t, "de", "Deutsch")
	k, home := s.key(t, nil), s.defaultLocale(t)
	model, single := s.model(t, obj{"localized": true}), s.model(t, obj{"localized": true, "kind": "single"})
	w := word()
	k.create(t, model, obj{"title": "House " + w, "status": "published"})
	k.create(t, model, obj{"title": "Haus " + w, "status": "published", "locale": "de"})
	k.create(t, single, obj{"title": "Heim", "status": "published", "locale": "de"})
	l := "GET /" + model
	k.run(t,
		step{name: "list", call: l + "?locale=de", status: 200,
			want: obj{"meta.total": 1, "data.0.locale": "de", "meta.ignored": nil}},
		step{name: "any", call: l + "?locale=any", status: 200, want: obj{"meta.total": 2}},
		step{name: "wins", call: l + "?locale=de&filter%5Blocale%5D=" + home, status: 200,
			want: obj{"meta.total": 1, "data.0.locale": "de"}},
		step{name: "search", call: "GET /search?q=" + w + "&locale=de", status: 200,
			want: obj{"meta.total": 1, "data.0.locale": "de"}},
		step{name: "search, any", call: "GET /search?q=" + w + "&locale=any", status: 200,
			want: obj{"meta.total": 2}},
		step{name: "single", call: "GET /" + single + "?locale=de", status: 200,
			want: obj{"data.title": "Heim"}},
		step{name: "single, none", call: "GET /" + single + "?locale=" + home, status: 404,
			code: "ENTRY_NOT_FOUND"},
		step{name: "filter of nothing", call: l + "?filter%5Blocale%5D=xx", status: 200,
			want: obj{"meta.total": 0}},
		step{name: "by slug", call: l + "/house-" + w + "?locale=xx", status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "twice", call: l + "?locale=de&locale=" + home, status: 400, code: "BAD_REQUEST",
			want: obj{"error.message": contains(`"de,` + home + `" is not`)}},
	)
	for _, value := range []string{"xx", "", "de," + home} {
		k.run(t,
			step{name: "list " + value, call: l + "?locale=" + value, status: 400,
				code: "BAD_REQUEST", want: obj{"error.message": contains("de")}},
			step{name: "search " + value, call: "GET /search?q=x&locale=" + value, status: 400,
				code: "BAD_REQUEST", want: obj{"error.message": contains("de")}},
		)
	}
}

func ignoredParameters(t *testing.T, s *suite) {
	model, k := s.model(t, nil), s.key(t, nil)
	id := k.publish(t, model, "One", nil)
	get := func(c *client, path string) any {
		t.Helper()
		req, _ := c.request(t, "GET "+path, nil)
		resp, err := c.http.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		a := answer{Status: resp.StatusCode}
		if a.Raw, err = io.ReadAll(resp.Body); err != nil || a.Status != 200 {
			t.Fatalf("%s: %d %s %v", path, a.Status, a.Raw, err)
		}
		a.JSON = decoded(t, a.Raw)
		return a.get("meta.ignored")
	}
	long := strings.Repeat("x", 80)
	var many []string
	for i := range 30 {
		many = append(many, fmt.Sprintf("p%d=1", i))
	}
	for path, want := range map[string]any{
		"/" + model + "?depth=x&populate=1&populate=y&sort=title": list{"depth", "populate"}, "/" +
			model: nil, "/" + model + "/" + id + "?Locale=de&page=1": list{"Locale", "page"},
		"/ping?x=1": list{"x"}, "/search?q=x&version=draft": list{"version"},
		"/upload/files?where=1": list{"where"}, "/" + model + "?" + long + "=1": list{long[:64]},
	} {
		if err := compare(get(k, path), want); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	for path, want := range map[string]any{"/settings?locale=xx&a=1": list{"a"},
		"/i18n/locales?b=1": list{"b"}} {
		if err := compare(get(s.public(), path), want); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if names, _ := get(k, "/"+model+"?"+strings.Join(many, "&")).(list); len(names) != 20 ||
		names[0] != "p0" {
		t.Errorf("of 30 names: %v", names)
	}
}

func compressedAnswers(t *testing.T, s *suite) {
	model, k := s.model(t, nil), s.key(t, nil)
	small := "/" + model + "/" + k.publish(t, model, "Small", nil)
	large := "/" + model + "/" + k.publish(t, model, "Large", obj{"body": strings.Repeat("many words ", 500)})
	ask := func(c *client, path, accept string, more ...string) (*http.Response, []byte) {
		t.Helper()
		req, _ := c.request(t, "GET "+path, nil)
		req.Header.Set("Accept-Encoding", accept)
		for i := 0; i < len(more); i += 2 {
			req.Header.Set(more[i], more[i+1])
		}
		resp, err := c.http.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp, body
	}
	for _, x := range []struct {
		path, accept string
		gzip         bool
	}{{large, "gzip", true}, {large, "*", true}, {large, "gzip;q=0", false},
		{large, "identity", false}, {small, "gzip", false}} {
		resp, body := ask(k, x.path, x.accept)
		if got := resp.Header.Get("Content-Encoding") == "gzip"; got != x.gzip {
			t.Errorf("%s with %q: gzip is %v", x.path, x.accept, got)
		}
		if !strings.Contains(strings.Join(resp.Header.Values("Vary"), ","), "Accept-Encoding") {
			t.Errorf("%s with %q: Vary %v", x.path, x.accept, resp.Header.Values("Vary"))
		}
		if x.gzip {
			r, err := gzip.NewReader(strings.NewReader(string(body)))
			if err != nil {
				t.Fatal(err)
			}
			if body, err = io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
		}
		if decoded(t, body) == nil {
			t.Errorf("%s with %q: %.100s", x.path, x.accept, body)
		}
	}
	packed, _ := ask(k, large, "gzip")
	plain, _ := ask(k, large, "identity")
	a, b := packed.Header.Get("ETag"), plain.Header.Get("ETag")
	if a == b || strings.HasPrefix(a, "W/") || strings.HasPrefix(b, "W/") {
		t.Errorf("tags %s and %s", a, b)
	}
	for _, tag := range []string{a, b} {
		for _, accept := range []string{"gzip", "identity"} {
			if resp, _ := ask(k, large, accept, "If-None-Match", tag); resp.StatusCode != 304 {
				t.Errorf("If-None-Match %s with %s: %d", tag, accept, resp.StatusCode)
			}
		}
		k.with("If-Match", tag).ok(t, 200, "PUT "+large, obj{"title": "Large"})
		packed, _ = ask(k, large, "gzip")
		if tag == a {
			break // the entry has changed
		}
	}
	k.with("If-Match", packed.Header.Get("ETag")).ok(t, 200, "PUT "+large, obj{"title": "Large 2"})
	if resp, body := ask(s.admin(t), "/models", "gzip"); resp.Header.Get("Content-Encoding") != "gzip" &&
		len(body) > 1024 {
		t.Error("the admin area does not compress")
	}
}

func nextLinks(t *testing.T, s *suite) {
	model, k := s.model(t, nil), s.key(t, nil)
	for i := range 5 {
		k.publish(t, model, fmt.Sprintf("T%d", i), nil)
	}
	var titles []string
	path := "/" + model + "?sort=title&per_page=2&page=1&fields=title"
	for range 5 {
		a := k.ok(t, 200, "GET "+path, nil)
		titles = append(titles, column(a.get("data"), "title")...)
		link := a.Header.Get("Link")
		if (link == "") != (a.get("meta.next_cursor") == nil) {
			t.Errorf("Link %q with cursor %v", link, a.get("meta.next_cursor"))
		}
		if link == "" {
			break
		}
		address, ok := strings.CutSuffix(strings.TrimPrefix(link, "<"), `>; rel="next"`)
		u, err := url.Parse(address)
		if err != nil || !ok || !u.IsAbs() || u.Query().Get("sort") != "title" ||
			u.Query().Get("fields") != "title" {
			t.Fatalf("Link %q: %v", link, err)
		}
		path = strings.TrimPrefix(u.Path, apiBase) + "?" + u.RawQuery
	}
	if want := []string{"T0", "T1", "T2", "T3", "T4"}; !slices.Equal(titles, want) {
		t.Errorf("by links: %v", titles)
	}
}

func includeLimit(t *testing.T, s *suite) {
	k, model := s.key(t, nil), unique("m")
	s.model(t,
		obj{"slug": model, "fields": list{field("rel", "relation", obj{"model": model, "many": true})}})
	var ids list
	for i := range 30 {
		ids = append(ids,
			k.create(t, model, obj{"title": fmt.Sprintf("E%d", i), "status": "published"}).str(t, "data.id"))
	}
	for _, id := range ids {
		k.ok(t, 200, fmt.Sprintf("PUT /%s/%s", model, id), obj{"data": obj{"rel": ids}})
	}
	k.run(t,
		step{name: "within", call: "GET /" + model + "?per_page=30&include=rel", status: 200,
			want: obj{"data.#": 30, "data.0.data.rel.#": 30}},
		step{name: "two deep, one entry", call: "GET /" + model + "?per_page=1&include=rel.rel",
			status: 200, want: obj{"data.0.data.rel.0.data.rel.#": 30}},
		step{name: "two deep", call: "GET /" + model + "?per_page=30&include=rel.rel", status: 400,
			code: "BAD_REQUEST", want: obj{"error.message": contains("2000")}},
		step{name: "three deep", call: "GET /" + model + "?per_page=100&include=rel.rel.rel",
			status: 400, code: "BAD_REQUEST"},
		step{name: "three deep, one entry", call: fmt.Sprintf("GET /%s/%s?include=rel.rel.rel",
			model, ids[0]), status: 400, code: "BAD_REQUEST"},
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

func idempotency(t *testing.T, s *suite) {
	model := s.model(t, obj{"fields": list{field("body", "text", obj{"required": true})}})
	k, other := s.key(t, nil), s.key(t, nil)
	post, name := "POST /"+model, unique("order")
	body := obj{"title": "Once", "data": obj{"body": "b"}}
	once := k.with("Idempotency-Key", name)
	first := once.step(t, step{call: post, body: body, status: 201, header: obj{"Idempotency-Replayed": ""}})
	again := once.step(t, step{call: post, body: body, status: 201,
		header: obj{"Idempotency-Replayed": "true", "ETag": first.Header.Get("ETag")}})
	if string(first.Raw) != string(again.Raw) {
		t.Errorf("first %s, again %s", first.Raw, again.Raw)
	}
	once.run(t,
		step{name: "another body", call: post,
			body: obj{"title": "Other", "data": obj{"body": "b"}}, status: 422, code: "VALIDATION_FAILED"},
		step{name: "another address", call: post + "?draft=true", body: body, status: 422,
			code: "VALIDATION_FAILED"},
	)
	other.with("Idempotency-Key", name).step(t, step{name: "other credentials", call: post,
		body: body, status: 201, want: obj{"data.slug": "once-2"}, header: obj{"Idempotency-Replayed": ""}})
	bad := k.with("Idempotency-Key", unique("order"))
	bad.step(t, step{name: "refused", call: post, body: obj{"title": "x"}, status: 422,
		code: "VALIDATION_FAILED", details: []string{"data.body"}})
	bad.step(t, step{name: "refused again", call: post, body: obj{"title": "x"}, status: 422,
		code: "VALIDATION_FAILED", details: []string{"data.body"},
		header: obj{"Idempotency-Replayed": "true"}})
	k.with("Idempotency-Key", strings.Repeat("y", 255)).step(t, step{call: post, body: body, status: 201})
	if a := k.with("Idempotency-Key", strings.Repeat("x", 256)).do(t, post, body); a.Status != 400 ||
		a.code() != "BAD_REQUEST" {
		t.Errorf("a key of 256 characters: %d %s", a.Status, a.Raw)
	}
	at := "POST /" + model + "/" + first.str(t, "data.id") + "/publish"
	publish := k.with("Idempotency-Key", unique("publish"))
	publish.step(t, step{call: at, status: 200, want: obj{"data.version": 2}})
	publish.step(t, step{call: at, status: 200, want: obj{"data.version": 2},
		header: obj{"Idempotency-Replayed": "true"}})
	k.step(t, step{name: "published once", call: "GET /" + model + "/once", status: 200,
		want: obj{"data.version": 2}})
	file, text := k.with("Idempotency-Key", unique("file")), []byte("sent twice")
	sent := file.step(t, step{name: "file", call: "POST /upload", body: form(t, "a.txt", text, nil), status: 201})
	file.run(t,
		step{name: "with another boundary", call: "POST /upload", body: form(t, "a.txt", text, nil), status: 201,
			want: obj{"data.id": sent.get("data.id")}, header: obj{"Idempotency-Replayed": "true"}},
		step{name: "another name", call: "POST /upload", body: form(t, "b.txt", text, nil), status: 422,
			code: "VALIDATION_FAILED"},
	)
	all := make(chan answer, 8)
	race := k.with("Idempotency-Key", unique("race"))
	for range cap(all) {
		go func() { all <- race.do(t, post, obj{"title": "Race", "data": obj{"body": "b"}}) }()
	}
	ids := map[any]bool{}
	for range cap(all) {
		switch a := <-all; a.Status {
		case 201:
			ids[a.get("data.id")] = true
		case 409:
		default:
			t.Errorf("race: %d %s", a.Status, a.Raw)
		}
	}
	if len(ids) != 1 {
		t.Errorf("%d entries were made at once", len(ids))
	}
}

func reservedSlugs(t *testing.T, s *suite) {
	for _, slug := range []string{"delivery", "sync", "redirects", "sitemap", "feed", "schema",
		"mcp", "media", "seen"} {
		s.admin(t).step(t,
			step{name: slug, call: "POST /models",
				body: obj{"slug": slug, "name": "X", "fields": list{}}, status: 422,
				code: "VALIDATION_FAILED", details: []string{"slug"}})
	}
}
