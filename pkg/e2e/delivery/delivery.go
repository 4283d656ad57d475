package delivery

import (
	"net/http"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Reads has the scenarios of reads through the delivery API, and of caches.
var Reads = []kit.Scenario{
	{Name: "delivery/keys", Run: publishableKeys},
	{Name: "delivery/reads", Run: deliveryReads},
	{Name: "delivery/answers", Run: deliveryAnswers},
	{Name: "delivery/origins", Run: deliveryOrigins},
	{Name: "delivery/reach", Run: deliveryReach},
	{Name: "delivery/purges", Run: deliveryPurges},
	{Name: "delivery/limit", Run: deliveryLimit},
	{Name: "delivery/limit of an address", Run: deliveryAddressLimit},
	{Name: "delivery/tags of the API", Run: tagsOfTheAPI},
}

// tags returns the cache tags of an answer.
func tags(a kit.Answer) []string { return strings.Split(a.Header.Get("Cache-Tag"), ",") }

func publishableKeys(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	made := admin.Step(t, kit.Step{Call: "POST /keys", Body: kit.Obj{"name": kit.Unique("pub"), "kind": "publishable"},
		Status: 201, Want: kit.Obj{
			"data.kind": "publishable", "data.public_key": kit.Matches("^pub_"), "data.secret": nil,
			"data.role": nil, "data.scopes": kit.List{"read"},
		}})
	id, public := made.Str(t, "data.id"), made.Str(t, "data.public_key")
	admin.Run(t,
		kit.Step{Name: "secret is the default", Call: "POST /keys", Body: kit.Obj{"name": kit.Unique("k")}, Status: 201,
			Want: kit.Obj{"data.kind": "secret"}},
		kit.Step{Name: "another kind", Call: "POST /keys", Body: kit.Obj{"name": "x", "kind": "open"}, Invalid: "kind"},
		kit.Step{Name: "role", Call: "POST /keys", Body: kit.Obj{"name": "x", "kind": "publishable", "role": "admin"},
			Invalid: "role"},
		kit.Step{Name: "scopes", Call: "POST /keys",
			Body: kit.Obj{"name": "x", "kind": "publishable", "scopes": kit.List{"read", "write"}}, Invalid: "scopes"},
		kit.Step{Name: "kind does not change", Call: "PUT /keys/" + id, Body: kit.Obj{"kind": "secret"}, Invalid: "kind"},
		kit.Step{Name: "the same kind", Call: "PUT /keys/" + id,
			Body: kit.Obj{"kind": "publishable", "name": kit.Unique("pub")}},
		kit.Step{Name: "rotate", Call: "POST /keys/" + id + "/rotate", Code: "CONFLICT"},
	)
	s.Public().With("X-API-Key", public).With("X-API-Secret", public).Step(t, kit.Step{Call: "GET /ping",
		Code: "UNAUTHORIZED"})
	s.AdminByToken(public).Step(t, kit.Step{Call: "GET /keys", Code: "UNAUTHORIZED"})
}

func deliveryReads(t *testing.T, s *kit.Suite) {
	writer := s.AdminKey(t)
	model := s.Model(t,
		kit.Obj{"fields": kit.List{kit.Field("body", "textarea", kit.Obj{"searchable": true}),
			kit.Field("inner", "text", nil)}, "visible_fields": kit.List{"body"}})
	word := strings.ReplaceAll(kit.Unique("word"), "-", "")
	id := writer.Publish(t, model, "Shown", kit.Obj{"body": word, "inner": "hidden"})
	draft := writer.Create(t, model, kit.Obj{"title": "Draft", "data": kit.Obj{"body": word}}).Str(t, "data.id")
	d := s.PublishableKey(t, nil)
	d.Run(t,
		kit.Step{Name: "list", Call: "GET /" + model,
			Want: kit.Obj{"data.0.id": id, "data.1": nil, "data.0.data.inner": nil, "meta.total": 1, "meta.ignored": nil}},
		kit.Step{Name: "by slug", Call: "GET /" + model + "/shown", Want: kit.Obj{"data.id": id, "meta": kit.Obj{}}},
		kit.Step{Name: "by id", Call: "GET /" + model + "/" + id, Want: kit.Obj{"data.title": "Shown"}},
		kit.Step{Name: "draft", Call: "GET /" + model + "/" + draft, Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "drafts by filter", Call: "GET /" + model + "?filter[status]=draft",
			Want: kit.Obj{"data": kit.List{}}},
		kit.Step{Name: "hidden field", Call: "GET /" + model + "?filter[data.inner]=hidden", Code: "BAD_REQUEST"},
		kit.Step{Name: "unknown sort", Call: "GET /" + model + "?sort=nothing", Code: "BAD_REQUEST",
			Header: kit.Obj{"Cache-Control": "no-store"}},
		kit.Step{Name: "unknown model", Call: "GET /no-such-model", Code: "MODEL_NOT_FOUND",
			Header: kit.Obj{"Cache-Control": "no-store"}},
		kit.Step{Name: "search", Call: "GET /search?q=" + word, Want: kit.Obj{"data.0.id": id, "meta.total": 1}},
		kit.Step{Name: "settings", Call: "GET /settings", Want: kit.Obj{"meta.locale": s.DefaultLocale(t)},
			Header: kit.Obj{"Cache-Tag": kit.Tagged("settings", "k."+d.ID)}},
		kit.Step{Name: "locales", Call: "GET /i18n/locales", Header: kit.Obj{"Cache-Tag": kit.Tagged("locales")}},
		kit.Step{Name: "no form", Call: "GET /forms/none", Code: "FORM_NOT_FOUND",
			Header: kit.Obj{"Cache-Control": "no-store"}},
		kit.Step{Name: "version draft", Call: "GET /" + model + "?version=draft", Code: "FORBIDDEN",
			Header: kit.Obj{"Cache-Control": "no-store"}},
		kit.Step{Name: "version draft of one", Call: "GET /" + model + "/" + id + "?version=draft", Code: "FORBIDDEN"},
		kit.Step{Name: "version draft on search", Call: "GET /search?q=" + word + "&version=draft"},
		kit.Step{Name: "POST", Call: "POST /" + model, Body: kit.Obj{"title": "x"}, Code: "METHOD_NOT_ALLOWED",
			Header: kit.Obj{"Allow": "GET, HEAD, OPTIONS"}},
		kit.Step{Name: "DELETE", Call: "DELETE /" + model + "/" + id, Code: "METHOD_NOT_ALLOWED"},
		kit.Step{Name: "ping", Call: "GET /ping", Code: "NOT_FOUND"},
		kit.Step{Name: "files", Call: "GET /upload/files", Code: "NOT_FOUND"},
		kit.Step{Name: "openapi", Call: "GET /openapi.json", Code: "NOT_FOUND"},
		kit.Step{Name: "submit", Call: "POST /forms/none/submit", Body: kit.Obj{}, Code: "NOT_FOUND"},
		kit.Step{Name: "upload for a form", Call: "POST /forms/none/upload", Body: kit.Obj{}, Code: "NOT_FOUND"},
		kit.Step{Name: "draft of an entry", Call: "GET /" + model + "/" + id + "/draft", Code: "NOT_FOUND"},
		kit.Step{Name: "draft of an entry, PUT", Call: "PUT /" + model + "/" + id + "/draft", Body: kit.Obj{},
			Code: "NOT_FOUND"},
	)
	t.Run("other credentials have no effect", func(t *testing.T) {
		both := d.With("X-API-Key", writer.Header["X-API-Key"]).With("X-API-Secret", writer.Header["X-API-Secret"])
		both.Step(t, kit.Step{Call: "GET /" + model + "/" + draft, Code: "ENTRY_NOT_FOUND"})
	})
	t.Run("Accept-Language has no effect", func(t *testing.T) {
		s.UseLocale(t, "fr", "French")
		a := d.With("Accept-Language", "fr").Step(t, kit.Step{Call: "GET /settings",
			Want: kit.Obj{"meta.locale": s.DefaultLocale(t)}})
		if vary := a.Header.Get("Vary"); strings.Contains(vary, "Accept-Language") {
			t.Errorf("Vary: %s", vary)
		}
		d.Step(t, kit.Step{Call: "GET /settings?locale=fr", Want: kit.Obj{"meta.locale": "fr"}})
	})
}

func deliveryAnswers(t *testing.T, s *kit.Suite) {
	writer := s.Key(t, nil)
	locale := s.DefaultLocale(t)
	related := s.Model(t, nil)
	model := s.Model(t,
		kit.Obj{"fields": kit.List{kit.Field("friend", "relation", kit.Obj{"model": related}),
			kit.Field("photo", "media", nil)}})
	friend := writer.Create(t, related, kit.Obj{"title": "Friend"}).Str(t, "data.id")
	id := writer.Publish(t, model, "Entry", kit.Obj{"friend": friend})
	d := s.PublishableKey(t, nil)
	one := d.Step(t, kit.Step{Call: "GET /" + model + "/entry?include=friend", Want: kit.Obj{"data.data.friend": nil},
		Header: kit.Obj{
			"Cache-Control": kit.CacheForever, "ETag": kit.Matches(`^".+"$`),
			"Cache-Tag": kit.Tagged("k."+d.ID, "schema", "e."+id, "e."+friend), "Set-Cookie": "",
			"X-RateLimit-Limit": "", "X-RateLimit-Remaining": "",
		}})
	d.Step(t, kit.Step{Call: "GET /" + model,
		Header: kit.Obj{"Cache-Tag": kit.Tagged("l."+model+"."+locale, "e."+id, "schema", "!m."+model)}})
	d.Step(t, kit.Step{Call: "GET /" + model + "/nothing", Code: "ENTRY_NOT_FOUND",
		Header: kit.Obj{"Cache-Control": kit.CacheForever, "Cache-Tag": kit.Tagged("m."+model, "k."+d.ID)}})
	t.Run("ETag", func(t *testing.T) {
		tag := one.Header.Get("ETag")
		again := d.With("If-None-Match", tag).OK(t, 304, "GET /"+model+"/entry?include=friend", nil)
		if again.Header.Get("Cache-Tag") == "" || again.Header.Get("Cache-Control") != kit.CacheForever {
			t.Errorf("304 with %v", again.Header)
		}
		head := d.OK(t, 200, "HEAD /"+model+"/entry?include=friend", nil)
		if head.Header.Get("ETag") != tag || len(head.Raw) != 0 {
			t.Errorf("HEAD: %v, %d bytes", head.Header, len(head.Raw))
		}
	})
	t.Run("unknown names are dropped and the order does not matter", func(t *testing.T) {
		a := d.Get(t, "/"+model+"?per_page=5&sort=title&utm_source=x&populate=1")
		b := d.Get(t, "/"+model+"?sort=title&per_page=5")
		if a.Header.Get("ETag") != b.Header.Get("ETag") || a.Get("meta.ignored") != nil {
			t.Errorf("%s and %s", a.Raw, b.Raw)
		}
		// Scenarios that run beside this one change models, which purges every answer.
		for range 50 {
			d.Get(t, "/"+model+"?per_page=5&sort=title&utm_source=x&populate=1")
			cache := d.Get(t, "/"+model+"?sort=title&per_page=5").Header.Get("X-Cache")
			if cache == "" || strings.HasPrefix(strings.ToLower(cache), "hit") { // CloudFront: Hit from …
				return
			}
		}
		t.Error("the answer is never a hit: both are one cache key")
	})
	t.Run("at most fifty tags", func(t *testing.T) {
		many := s.Model(t, nil)
		for i := range 60 {
			writer.Create(t, many, kit.Obj{"title": "T", "slug": "t-" + kit.Str(i), "status": "published"})
		}
		a := d.Get(t, "/"+many+"?per_page=100")
		if got := tags(a); len(got) > 50 ||
			kit.Tagged("m."+many, "k."+d.ID, "schema")(a.Header.Get("Cache-Tag")) != nil {
			t.Errorf("%d tags: %v", len(got), got)
		}
	})
	for _, path := range []string{"/delivery", "/delivery/v1", "/delivery/v1/pub_unknown/settings"} {
		s.Bare().Step(t, kit.Step{Call: "GET " + path, Code: "NOT_FOUND", Header: kit.Obj{"Cache-Control": "no-store"}})
	}
}

func deliveryOrigins(t *testing.T, s *kit.Suite) {
	open := s.PublishableKey(t, nil)
	open.With("Origin", "https://a.example").Step(t, kit.Step{Call: "GET /settings",
		Header: kit.Obj{"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Credentials": ""}})
	open.With("Origin", "https://a.example").With("Access-Control-Request-Method", "GET").Step(t,
		kit.Step{Name: "preflight", Call: "OPTIONS /settings", Status: 204,
			Header: kit.Obj{"Access-Control-Allow-Origin": "*"}})
	bound := s.PublishableKey(t, kit.Obj{"origins": kit.List{"https://a.example"}})
	ours, theirs := bound.With("Origin", "https://a.example"), bound.With("Origin", "https://b.example")
	ours.Step(t, kit.Step{Call: "GET /settings",
		Header: kit.Obj{"Access-Control-Allow-Origin": "https://a.example", "Access-Control-Allow-Credentials": ""}})
	if vary := strings.Join(ours.Get(t, "/settings").Header.Values("Vary"), ", "); !strings.Contains(vary,
		"Origin") {
		t.Errorf("Vary: %s", vary)
	}
	theirs.Step(t, kit.Step{Call: "GET /settings", Code: "ORIGIN_NOT_ALLOWED",
		Header: kit.Obj{"Cache-Control": "no-store", "Access-Control-Allow-Origin": ""}})
	bound.Get(t, "/settings")
	ours.With("Access-Control-Request-Method", "GET").Step(t, kit.Step{Call: "OPTIONS /settings", Status: 204,
		Header: kit.Obj{
			"Access-Control-Allow-Origin":  "https://a.example",
			"Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
		}})
	s.Admin(t).Put(t, "/keys/"+bound.ID, kit.Obj{"origins": kit.List{"https://b.example"}})
	s.Eventually(t, "a change of the origins", func() bool {
		return ours.Do(t, "GET /settings", nil).Status == 403 &&
			theirs.Do(t, "GET /settings", nil).Status == 200
	})
}

func deliveryReach(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "fr", "French")
	writer := s.Key(t, nil)
	seen, unseen := s.Model(t, kit.Obj{"localized": true}), s.Model(t, nil)
	writer.Create(t, seen, kit.Obj{"title": "One", "status": "published", "locale": "fr"})
	writer.Publish(t, unseen, "Two", nil)
	d := s.PublishableKey(t, kit.Obj{"models": kit.List{seen}})
	d.Get(t, "/"+seen+"/one?locale=fr")
	d.Step(t, kit.Step{Call: "GET /" + unseen, Code: "MODEL_NOT_FOUND"})
	d.Step(t, kit.Step{Call: "GET /" + unseen + "/two", Code: "MODEL_NOT_FOUND"})
	s.Admin(t).Put(t, "/keys/"+d.ID, kit.Obj{"models": kit.List{seen, unseen}, "locales": kit.List{s.DefaultLocale(t)}})
	s.Eventually(t, "a change of models and locales", func() bool {
		return d.Do(t, "GET /"+unseen+"/two", nil).Status == 200 &&
			d.Do(t, "GET /"+seen+"/one?locale=fr", nil).Status == 404
	})
	t.Run("revoked", func(t *testing.T) {
		d.Get(t, "/settings")
		s.Admin(t).Delete(t, "/keys/"+d.ID)
		s.Eventually(t, "the end of the key",
			func() bool { return d.Do(t, "GET /settings", nil).Status == 404 })
		d.Step(t, kit.Step{Call: "GET /settings", Code: "NOT_FOUND", Header: kit.Obj{"Cache-Control": "no-store"},
			Want: kit.Obj{"error.message": kit.Contains("pub_")}})
	})
}

func deliveryPurges(t *testing.T, s *kit.Suite) {
	writer := s.Key(t, nil)
	model := s.Model(t, nil)
	id := writer.Publish(t, model, "Before", nil)
	d := s.PublishableKey(t, nil)
	shows := func(call, path string, want any) {
		t.Helper()
		s.Eventually(t, call, func() bool { return kit.Compare(d.Do(t, call, nil).Get(path), want) == nil })
	}
	shows("GET /"+model+"/later", "data", nil)
	shows("GET /"+model, "meta.total", 1)
	writer.Put(t, "/"+model+"/"+id, kit.Obj{"title": "After"})
	shows("GET /"+model+"/before", "data.title", "After")
	shows("GET /"+model, "data.0.title", "After")
	later := writer.Publish(t, model, "Later", nil)
	shows("GET /"+model+"/later", "data.id", later)
	shows("GET /"+model, "meta.total", 2)
	writer.Delete(t, "/"+model+"/"+later)
	shows("GET /"+model+"/later", "error.code", "ENTRY_NOT_FOUND")
	shows("GET /"+model, "meta.total", 1)
	s.Admin(t).Put(t, "/models/"+model, kit.Obj{"is_active": false})
	shows("GET /"+model, "error.code", "MODEL_NOT_FOUND")
	admin := s.Admin(t)
	admin.Run(t,
		kit.Step{Name: "tags", Call: "POST /purge", Body: kit.Obj{"tags": kit.List{"e." + id}}, Status: 202},
		kit.Step{Name: "all", Call: "POST /purge", Body: kit.Obj{"all": true}, Status: 202},
		kit.Step{Name: "neither", Call: "POST /purge", Body: kit.Obj{}, Code: "VALIDATION_FAILED"},
		kit.Step{Name: "no tags", Call: "POST /purge", Body: kit.Obj{"tags": kit.List{}}, Code: "VALIDATION_FAILED"},
		kit.Step{Name: "a bad tag", Call: "POST /purge", Body: kit.Obj{"tags": kit.List{"a,b"}}, Code: "VALIDATION_FAILED"},
		kit.Step{Name: "pending", Call: "GET /purge",
			Want: kit.Obj{"meta.month.tags": kit.Present, "meta.month.paths": kit.Present}},
	)
}

func deliveryLimit(t *testing.T, s *kit.Suite) {
	d := s.PublishableKey(t, kit.Obj{"rate_limit": 1})
	var limited kit.Answer
	for i := 0; limited.Status == 0 && i < 5; i++ {
		if a := d.Do(t, "GET /settings?locale="+kit.Str(i), nil); a.Status == http.StatusTooManyRequests {
			limited = a
		}
	}
	h := limited.Header
	if limited.Code() != "RATE_LIMITED" || h.Get("Retry-After") == "" ||
		h.Get("Cache-Control") != "no-store" || h.Get("X-RateLimit-Limit") != "" {
		t.Errorf("%d %s %v", limited.Status, limited.Raw, h)
	}
}

// deliveryAddressLimit lets one address send all it can, and looks whether others are answered.
func deliveryAddressLimit(t *testing.T, s *kit.Suite) {
	a := s.Admin(t).Post(t, "/keys", kit.Obj{"name": kit.Unique("pub"), "kind": "publishable"})
	a.Has(t, "the default limit", kit.Obj{"data.rate_limit": 60_000})
	if s.Target.OneAddress { // it may be that of a CDN
		return
	}
	d := s.PublishableKey(t, kit.Obj{"rate_limit": 1500}) // one address: 150, and 15 searches
	refused := map[string]int{}
	d.HTTP = s.Visitor(t).HTTP
	for i := range 40 { // a minute may end meanwhile, which starts the count again once
		if d.Do(t, "GET /search?q="+kit.Unique("x"), nil).Status == http.StatusTooManyRequests {
			refused["search"] = i
			break
		}
	}
	for i := range 400 {
		a := d.Do(t, "GET /settings?locale="+kit.Unique("x"), nil)
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
	if !s.OwnAddresses {
		return
	}
	for range 5 {
		other := *d
		other.HTTP = s.Visitor(t).HTTP
		other.Get(t, "/settings?locale=en")
		other.Get(t, "/search?q="+kit.Unique("x"))
	}
}

func tagsOfTheAPI(t *testing.T, s *kit.Suite) {
	writer := s.Key(t, nil)
	model := s.Model(t, nil)
	id := writer.Publish(t, model, "Entry", nil)
	asked := writer.With("X-Cache-Tags", "1")
	asked.Step(t, kit.Step{Call: "GET /" + model,
		Header: kit.Obj{"X-Cache-Tags": kit.Tagged("e."+id, "l."+model+"."+s.DefaultLocale(t), "schema", "!k."+writer.ID)}})
	asked.Step(t, kit.Step{Call: "GET /" + model + "/none", Code: "ENTRY_NOT_FOUND",
		Header: kit.Obj{"X-Cache-Tags": kit.Tagged("m." + model)}})
	s.Public().With("X-Cache-Tags", "1").Step(t, kit.Step{Call: "GET /settings",
		Header: kit.Obj{"X-Cache-Tags": "settings"}})
	writer.Step(t, kit.Step{Call: "GET /" + model, Header: kit.Obj{"X-Cache-Tags": ""}})
}
