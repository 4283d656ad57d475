package e2e

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
)

var deliveryScenarios = []scenario{
	{name: "delivery/keys", run: publishableKeys},
	{name: "delivery/reads", run: deliveryReads},
	{name: "delivery/answers", run: deliveryAnswers},
	{name: "delivery/origins", run: deliveryOrigins},
	{name: "delivery/reach", run: deliveryReach},
	{name: "delivery/purges", run: deliveryPurges},
	{name: "delivery/limit", run: deliveryLimit},
	{name: "delivery/limit of an address", run: deliveryAddressLimit},
	{name: "delivery/tags of the API", run: tagsOfTheAPI},
}

// cacheForever is the Cache-Control of answers that caches keep.
const cacheForever = "public, max-age=0, s-maxage=86400, stale-while-revalidate=60, stale-if-error=86400"

// publishable makes a publishable key and returns a client of its delivery API.
func (s *suite) publishable(t *testing.T, definition obj) *client {
	t.Helper()
	body := obj{"name": unique("pub"), "kind": "publishable", "rate_limit": 100000}
	maps.Copy(body, definition)
	a := s.admin(t).ok(t, 201, "POST /keys", body)
	return &client{s: s, http: s.http, base: "/delivery/v1/" + a.str(t, "data.public_key"),
		id: a.str(t, "data.id"), name: a.str(t, "data.name")}
}

// tags returns the cache tags of an answer.
func tags(a answer) []string { return strings.Split(a.Header.Get("Cache-Tag"), ",") }

// tagged matches a header that has all of the named tags. It must lack a tag that is named with a
// leading exclamation mark.
func tagged(names ...string) matcher {
	return func(v any) error {
		have := "," + str(v) + ","
		for _, name := range names {
			name, absent := strings.CutPrefix(name, "!")
			if strings.Contains(have, ","+name+",") == absent {
				return fmt.Errorf("tags %v: %s present %t", v, name, !absent)
			}
		}
		return nil
	}
}

func publishableKeys(t *testing.T, s *suite) {
	admin := s.admin(t)
	made := admin.step(t,
		step{call: "POST /keys", body: obj{"name": unique("pub"), "kind": "publishable"},
			status: 201, want: obj{
				"data.kind": "publishable", "data.public_key": matches("^pub_"), "data.secret": nil,
				"data.role": nil, "data.scopes": list{"read"},
			}})
	id, public := made.str(t, "data.id"), made.str(t, "data.public_key")
	admin.run(t,
		step{name: "secret is the default", call: "POST /keys", body: obj{"name": unique("k")},
			status: 201, want: obj{"data.kind": "secret"}},
		step{name: "another kind", call: "POST /keys", body: obj{"name": "x", "kind": "open"},
			status: 422, code: "VALIDATION_FAILED", details: []string{"kind"}},
		step{name: "role", call: "POST /keys", body: obj{"name": "x", "kind": "publishable",
			"role": "admin"}, status: 422, code: "VALIDATION_FAILED", details: []string{"role"}},
		step{name: "scopes", call: "POST /keys", body: obj{"name": "x", "kind": "publishable",
			"scopes": list{"read", "write"}}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"scopes"}},
		step{name: "kind does not change", call: "PUT /keys/" + id, body: obj{"kind": "secret"},
			status: 422, code: "VALIDATION_FAILED", details: []string{"kind"}},
		step{name: "the same kind", call: "PUT /keys/" + id,
			body: obj{"kind": "publishable", "name": unique("pub")}, status: 200},
		step{name: "rotate", call: "POST /keys/" + id + "/rotate", status: 409, code: "CONFLICT"},
	)
	s.public().with("X-API-Key", public).with("X-API-Secret", public).step(t,
		step{call: "GET /ping", status: 401, code: "UNAUTHORIZED"})
	s.adminWith(public).step(t, step{call: "GET /keys", status: 401, code: "UNAUTHORIZED"})
}

func deliveryReads(t *testing.T, s *suite) {
	writer := s.adminKey(t)
	model := s.model(t,
		obj{"fields": list{field("body", "textarea", obj{"searchable": true}),
			field("inner", "text", nil)}, "visible_fields": list{"body"}})
	word := strings.ReplaceAll(unique("word"), "-", "")
	id := writer.publish(t, model, "Shown", obj{"body": word, "inner": "hidden"})
	draft := writer.create(t, model, obj{"title": "Draft", "data": obj{"body": word}}).str(t, "data.id")
	d := s.publishable(t, nil)
	d.run(t,
		step{name: "list", call: "GET /" + model, status: 200,
			want: obj{"data.0.id": id, "data.1": nil, "data.0.data.inner": nil, "meta.total": 1,
				"meta.ignored": nil}},
		step{name: "by slug", call: "GET /" + model + "/shown", status: 200,
			want: obj{"data.id": id, "meta": obj{}}},
		step{name: "by id", call: "GET /" + model + "/" + id, status: 200, want: obj{"data.title": "Shown"}},
		step{name: "draft", call: "GET /" + model + "/" + draft, status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "drafts by filter", call: "GET /" + model + "?filter[status]=draft", status: 200,
			want: obj{"data": list{}}},
		step{name: "hidden field", call: "GET /" + model + "?filter[data.inner]=hidden",
			status: 400, code: "BAD_REQUEST"},
		step{name: "unknown sort", call: "GET /" + model + "?sort=nothing", status: 400,
			code: "BAD_REQUEST", header: obj{"Cache-Control": "no-store"}},
		step{name: "unknown model", call: "GET /no-such-model", status: 404,
			code: "MODEL_NOT_FOUND", header: obj{"Cache-Control": "no-store"}},
		step{name: "search", call: "GET /search?q=" + word, status: 200,
			want: obj{"data.0.id": id, "meta.total": 1}},
		step{name: "settings", call: "GET /settings", status: 200,
			want:   obj{"meta.locale": s.defaultLocale(t)},
			header: obj{"Cache-Tag": tagged("settings", "k."+d.id)}},
		step{name: "locales", call: "GET /i18n/locales", status: 200,
			header: obj{"Cache-Tag": tagged("locales")}},
		step{name: "no form", call: "GET /forms/none", status: 404, code: "FORM_NOT_FOUND",
			header: obj{"Cache-Control": "no-store"}},
		step{name: "version draft", call: "GET /" + model + "?version=draft", status: 403,
			code: "FORBIDDEN", header: obj{"Cache-Control": "no-store"}},
		step{name: "version draft of one", call: "GET /" + model + "/" + id + "?version=draft",
			status: 403, code: "FORBIDDEN"},
		step{name: "version draft on search", call: "GET /search?q=" + word + "&version=draft", status: 200},
		step{name: "POST", call: "POST /" + model, body: obj{"title": "x"}, status: 405,
			code: "METHOD_NOT_ALLOWED", header: obj{"Allow": "GET, HEAD, OPTIONS"}},
		step{name: "DELETE", call: "DELETE /" + model + "/" + id, status: 405, code: "METHOD_NOT_ALLOWED"},
		step{name: "ping", call: "GET /ping", status: 404, code: "NOT_FOUND"},
		step{name: "files", call: "GET /upload/files", status: 404, code: "NOT_FOUND"},
		step{name: "openapi", call: "GET /openapi.json", status: 404, code: "NOT_FOUND"},
		step{name: "submit", call: "POST /forms/none/submit", body: obj{}, status: 404, code: "NOT_FOUND"},
		step{name: "upload for a form", call: "POST /forms/none/upload", body: obj{}, status: 404, code: "NOT_FOUND"},
		step{name: "draft of an entry", call: "GET /" + model + "/" + id + "/draft", status: 404,
			code: "NOT_FOUND"},
		step{name: "draft of an entry, PUT", call: "PUT /" + model + "/" + id + "/draft",
			body: obj{}, status: 404, code: "NOT_FOUND"},
	)
	t.Run("other credentials have no effect", func(t *testing.T) {
		both := d.with("X-API-Key", writer.header["X-API-Key"]).with("X-API-Secret",
			writer.header["X-API-Secret"])
		both.step(t, step{call: "GET /" + model + "/" + draft, status: 404, code: "ENTRY_NOT_FOUND"})
	})
	t.Run("Accept-Language has no effect", func(t *testing.T) {
		s.useLocale(t, "fr", "French")
		a := d.with("Accept-Language", "fr").step(t,
			step{call: "GET /settings", status: 200, want: obj{"meta.locale": s.defaultLocale(t)}})
		if vary := a.Header.Get("Vary"); strings.Contains(vary, "Accept-Language") {
			t.Errorf("Vary: %s", vary)
		}
		d.step(t, step{call: "GET /settings?locale=fr", status: 200, want: obj{"meta.locale": "fr"}})
	})
}

func deliveryAnswers(t *testing.T, s *suite) {
	writer := s.key(t, nil)
	locale := s.defaultLocale(t)
	related := s.model(t, nil)
	model := s.model(t,
		obj{"fields": list{field("friend", "relation", obj{"model": related}), field("photo", "media", nil)}})
	friend := writer.create(t, related, obj{"title": "Friend"}).str(t, "data.id")
	id := writer.publish(t, model, "Entry", obj{"friend": friend})
	d := s.publishable(t, nil)
	one := d.step(t, step{call: "GET /" + model + "/entry?include=friend", status: 200,
		want: obj{"data.data.friend": nil}, header: obj{
			"Cache-Control": cacheForever, "ETag": matches(`^".+"$`),
			"Cache-Tag": tagged("k."+d.id, "schema", "e."+id, "e."+friend), "Set-Cookie": "",
			"X-RateLimit-Limit": "", "X-RateLimit-Remaining": "",
		}})
	d.step(t,
		step{call: "GET /" + model, status: 200,
			header: obj{"Cache-Tag": tagged("l."+model+"."+locale, "e."+id, "schema", "!m."+model)}})
	d.step(t, step{call: "GET /" + model + "/nothing", status: 404, code: "ENTRY_NOT_FOUND", header: obj{
		"Cache-Control": cacheForever, "Cache-Tag": tagged("m."+model, "k."+d.id),
	}})
	t.Run("ETag", func(t *testing.T) {
		tag := one.Header.Get("ETag")
		again := d.with("If-None-Match", tag).ok(t, 304, "GET /"+model+"/entry?include=friend", nil)
		if again.Header.Get("Cache-Tag") == "" || again.Header.Get("Cache-Control") != cacheForever {
			t.Errorf("304 with %v", again.Header)
		}
		head := d.ok(t, 200, "HEAD /"+model+"/entry?include=friend", nil)
		if head.Header.Get("ETag") != tag || len(head.Raw) != 0 {
			t.Errorf("HEAD: %v, %d bytes", head.Header, len(head.Raw))
		}
	})
	t.Run("unknown names are dropped and the order does not matter", func(t *testing.T) {
		a := d.ok(t, 200, "GET /"+model+"?per_page=5&sort=title&utm_source=x&populate=1", nil)
		b := d.ok(t, 200, "GET /"+model+"?sort=title&per_page=5", nil)
		if a.Header.Get("ETag") != b.Header.Get("ETag") || a.get("meta.ignored") != nil {
			t.Errorf("%s and %s", a.Raw, b.Raw)
		}
		// Scenarios that run beside this one change models, which purges every answer.
		for range 50 {
			d.ok(t, 200, "GET /"+model+"?per_page=5&sort=title&utm_source=x&populate=1", nil)
			cache := d.ok(t, 200, "GET /"+model+"?sort=title&per_page=5", nil).Header.Get("X-Cache")
			if cache == "" || strings.HasPrefix(strings.ToLower(cache), "hit") { // CloudFront: Hit from …
				return
			}
		}
		t.Error("the answer is never a hit: both are one cache key")
	})
	t.Run("at most fifty tags", func(t *testing.T) {
		many := s.model(t, nil)
		for i := range 60 {
			writer.create(t, many, obj{"title": "T", "slug": "t-" + str(i), "status": "published"})
		}
		a := d.ok(t, 200, "GET /"+many+"?per_page=100", nil)
		if got := tags(a); len(got) > 50 ||
			tagged("m."+many, "k."+d.id, "schema")(a.Header.Get("Cache-Tag")) != nil {
			t.Errorf("%d tags: %v", len(got), got)
		}
	})
	for _, path := range []string{"/delivery", "/delivery/v1", "/delivery/v1/pub_unknown/settings"} {
		a := (&client{s: s, http: s.http}).do(t, "GET "+path, nil)
		if a.Status != 404 || a.code() != "NOT_FOUND" || a.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %s %s", path, a.Status, a.Raw, a.Header.Get("Cache-Control"))
		}
	}
}

func deliveryOrigins(t *testing.T, s *suite) {
	open := s.publishable(t, nil)
	open.with("Origin", "https://a.example").step(t,
		step{call: "GET /settings", status: 200, header: obj{"Access-Control-Allow-Origin": "*",
			"Access-Control-Allow-Credentials": ""}})
	open.with("Origin", "https://a.example").with("Access-Control-Request-Method", "GET").step(t,
		step{name: "preflight", call: "OPTIONS /settings", status: 204,
			header: obj{"Access-Control-Allow-Origin": "*"}})
	bound := s.publishable(t, obj{"origins": list{"https://a.example"}})
	ours, theirs := bound.with("Origin", "https://a.example"), bound.with("Origin", "https://b.example")
	ours.step(t, step{call: "GET /settings", status: 200, header: obj{
		"Access-Control-Allow-Origin": "https://a.example", "Access-Control-Allow-Credentials": "",
	}})
	if vary := strings.Join(ours.ok(t, 200, "GET /settings", nil).Header.Values("Vary"), ", "); !strings.Contains(vary,
		"Origin") {
		t.Errorf("Vary: %s", vary)
	}
	theirs.step(t, step{call: "GET /settings", status: 403, code: "ORIGIN_NOT_ALLOWED",
		header: obj{"Cache-Control": "no-store", "Access-Control-Allow-Origin": ""}})
	bound.ok(t, 200, "GET /settings", nil)
	ours.with("Access-Control-Request-Method", "GET").step(t,
		step{call: "OPTIONS /settings", status: 204, header: obj{
			"Access-Control-Allow-Origin":  "https://a.example",
			"Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
		}})
	s.admin(t).ok(t, 200, "PUT /keys/"+bound.id, obj{"origins": list{"https://b.example"}})
	s.eventually(t, "a change of the origins", func() bool {
		return ours.do(t, "GET /settings", nil).Status == 403 &&
			theirs.do(t, "GET /settings", nil).Status == 200
	})
}

func deliveryReach(t *testing.T, s *suite) {
	s.useLocale(t, "fr", "French")
	writer := s.key(t, nil)
	seen, unseen := s.model(t, obj{"localized": true}), s.model(t, nil)
	writer.create(t, seen, obj{"title": "One", "status": "published", "locale": "fr"})
	writer.publish(t, unseen, "Two", nil)
	d := s.publishable(t, obj{"models": list{seen}})
	d.ok(t, 200, "GET /"+seen+"/one?locale=fr", nil)
	d.step(t, step{call: "GET /" + unseen, status: 404, code: "MODEL_NOT_FOUND"})
	d.step(t, step{call: "GET /" + unseen + "/two", status: 404, code: "MODEL_NOT_FOUND"})
	s.admin(t).ok(t, 200, "PUT /keys/"+d.id,
		obj{"models": list{seen, unseen}, "locales": list{s.defaultLocale(t)}})
	s.eventually(t, "a change of models and locales", func() bool {
		return d.do(t, "GET /"+unseen+"/two", nil).Status == 200 &&
			d.do(t, "GET /"+seen+"/one?locale=fr", nil).Status == 404
	})
	t.Run("revoked", func(t *testing.T) {
		d.ok(t, 200, "GET /settings", nil)
		s.admin(t).ok(t, 204, "DELETE /keys/"+d.id, nil)
		s.eventually(t, "the end of the key",
			func() bool { return d.do(t, "GET /settings", nil).Status == 404 })
		d.step(t, step{call: "GET /settings", status: 404, code: "NOT_FOUND",
			header: obj{"Cache-Control": "no-store"}})
	})
}

func deliveryPurges(t *testing.T, s *suite) {
	writer := s.key(t, nil)
	model := s.model(t, nil)
	id := writer.publish(t, model, "Before", nil)
	d := s.publishable(t, nil)
	shows := func(call, path string, want any) {
		t.Helper()
		s.eventually(t, call, func() bool { return compare(d.do(t, call, nil).get(path), want) == nil })
	}
	shows("GET /"+model+"/later", "data", nil)
	shows("GET /"+model, "meta.total", 1)
	writer.ok(t, 200, "PUT /"+model+"/"+id, obj{"title": "After"})
	shows("GET /"+model+"/before", "data.title", "After")
	shows("GET /"+model, "data.0.title", "After")
	later := writer.publish(t, model, "Later", nil)
	shows("GET /"+model+"/later", "data.id", later)
	shows("GET /"+model, "meta.total", 2)
	writer.ok(t, 204, "DELETE /"+model+"/"+later, nil)
	shows("GET /"+model+"/later", "error.code", "ENTRY_NOT_FOUND")
	shows("GET /"+model, "meta.total", 1)
	s.admin(t).ok(t, 200, "PUT /models/"+model, obj{"is_active": false})
	shows("GET /"+model, "error.code", "MODEL_NOT_FOUND")
	admin := s.admin(t)
	admin.run(t,
		step{name: "tags", call: "POST /purge", body: obj{"tags": list{"e." + id}}, status: 202},
		step{name: "all", call: "POST /purge", body: obj{"all": true}, status: 202},
		step{name: "neither", call: "POST /purge", body: obj{}, status: 422, code: "VALIDATION_FAILED"},
		step{name: "no tags", call: "POST /purge", body: obj{"tags": list{}}, status: 422,
			code: "VALIDATION_FAILED"},
		step{name: "a bad tag", call: "POST /purge", body: obj{"tags": list{"a,b"}}, status: 422,
			code: "VALIDATION_FAILED"},
		step{name: "pending", call: "GET /purge", status: 200,
			want: obj{"meta.month.tags": present, "meta.month.paths": present}},
	)
}

func deliveryLimit(t *testing.T, s *suite) {
	d := s.publishable(t, obj{"rate_limit": 1})
	var limited answer
	for i := 0; limited.Status == 0 && i < 5; i++ {
		if a := d.do(t, "GET /settings?locale="+str(i), nil); a.Status == http.StatusTooManyRequests {
			limited = a
		}
	}
	h := limited.Header
	if limited.code() != "RATE_LIMITED" || h.Get("Retry-After") == "" ||
		h.Get("Cache-Control") != "no-store" || h.Get("X-RateLimit-Limit") != "" {
		t.Errorf("%d %s %v", limited.Status, limited.Raw, h)
	}
}

// deliveryAddressLimit lets one address send all it can, and looks whether others are answered.
func deliveryAddressLimit(t *testing.T, s *suite) {
	a := s.admin(t).ok(t, 201, "POST /keys", obj{"name": unique("pub"), "kind": "publishable"})
	if got := a.get("data.rate_limit"); compare(got, 60_000) != nil {
		t.Errorf("the default limit is %v", got)
	}
	if s.target.BehindCDN {
		return
	}
	d := s.publishable(t, obj{"rate_limit": 1500}) // one address: 150, and 15 searches
	refused := map[string]int{}
	d.http = s.visitor(t).http
	for i := range 40 { // a minute may end meanwhile, which starts the count again once
		if d.do(t, "GET /search?q="+unique("x"), nil).Status == http.StatusTooManyRequests {
			refused["search"] = i
			break
		}
	}
	for i := range 400 {
		a := d.do(t, "GET /settings?locale="+unique("x"), nil)
		if a.Status == http.StatusTooManyRequests {
			refused["page"] = i
			if got := a.Header.Get("Cache-Control"); got != "no-store" || a.Header.Get("Retry-After") == "" {
				t.Error(a.Header)
			}
			break
		}
	}
	if refused["search"] < 15 || refused["page"] < 150-30 {
		t.Errorf("refused after %v", refused)
	}
	if !s.ownAddresses {
		return
	}
	for range 5 {
		other := *d
		other.http = s.visitor(t).http
		other.ok(t, 200, "GET /settings?locale=en", nil)
		other.ok(t, 200, "GET /search?q="+unique("x"), nil)
	}
}

func tagsOfTheAPI(t *testing.T, s *suite) {
	writer := s.key(t, nil)
	model := s.model(t, nil)
	id := writer.publish(t, model, "Entry", nil)
	asked := writer.with("X-Cache-Tags", "1")
	asked.step(t,
		step{call: "GET /" + model, status: 200,
			header: obj{"X-Cache-Tags": tagged("e."+id, "l."+model+"."+s.defaultLocale(t), "schema",
				"!k."+writer.id)}})
	asked.step(t, step{call: "GET /" + model + "/none", status: 404, code: "ENTRY_NOT_FOUND",
		header: obj{"X-Cache-Tags": tagged("m." + model)}})
	s.public().with("X-Cache-Tags", "1").step(t,
		step{call: "GET /settings", status: 200, header: obj{"X-Cache-Tags": "settings"}})
	writer.step(t, step{call: "GET /" + model, status: 200, header: obj{"X-Cache-Tags": ""}})
}
