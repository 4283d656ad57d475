package e2e

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// resolve returns the call that resolves a path; more are parameters such as "&urls=true".
func resolve(path string, more ...string) string {
	return "GET /resolve?path=" + url.QueryEscape(path) + strings.Join(more, "")
}

func resolvePaths(t *testing.T, s *suite) {
	k, admin := s.key(t, nil), s.admin(t)
	at := "/" + unique("at")
	author := s.model(t, nil)
	model := s.model(t, obj{"url": at + "/posts/{slug}",
		"fields": list{field("body", "textarea", nil), field("author", "relation", obj{"model": author})}})
	elsewhere := "picture_of_another"
	s.model(t, obj{"fields": list{field(elsewhere, "media", nil)}})
	person := k.publish(t, author, "Ann", nil)
	id := k.publish(t, model, "Hello", obj{"author": person})
	draft := k.create(t, model, obj{"title": "Unseen"}).str(t, "data.id")
	path := at + "/posts/hello"
	entry := func(name, call string) step {
		return step{name: name, call: call, status: 200, want: obj{"data.id": id, "meta.kind": "entry",
			"meta.model": model, "meta.locale": s.defaultLocale(t), "meta.url": path,
			"meta.alternates.0": obj{"locale": s.defaultLocale(t), "url": path}, "meta.alternates.1": nil,
			"meta.redirect": nil}}
	}
	nothing := func(name, path string) step {
		return step{name: name, call: resolve(path), status: 404, code: "NOT_FOUND"}
	}
	refused := func(name, call string) step {
		return step{name: name, call: call, status: 400, code: "BAD_REQUEST"}
	}
	k.run(t,
		entry("by its path", resolve(path)),
		entry("with a slash at the end", resolve(path+"/")),
		entry("with a query", resolve(path+"?page=2")),
		entry("with a fragment", resolve(path+"#top")),
		entry("escaped", resolve(at+"/posts/%68ello")),
		nothing("escaped twice", at+"/posts/%2568ello"),
		nothing("a wrong escape", at+"/posts/hello%zz"),
		nothing("another case", at+"/posts/Hello"),
		nothing("an empty segment", at+"//posts/hello"),
		nothing("above", at+"/posts"),
		nothing("below", path+"/x"),
		nothing("unknown", at+"/posts/other"),
		nothing("a draft", at+"/posts/unseen"),
		nothing("NUL", at+"/posts/a\x00b"),
		nothing("not UTF-8", at+"/\xff"),
		nothing("an escaped NUL", at+"/%00"),
		nothing("the root", "/"+unique("nothing")),
		refused("no path", "GET /resolve"),
		refused("an empty path", "GET /resolve?path="),
		refused("no slash at the start", resolve("posts/hello")),
		refused("two slashes at the start", resolve("//posts/hello")),
		refused("too long", resolve("/"+strings.Repeat("a", 2000))),
		nothing("just short enough", "/"+strings.Repeat("a", 1999)),
		refused("urls", resolve(path, "&urls=x")),
		refused("refs", resolve(path, "&refs=x")),
		refused("include", resolve(path, "&include=nothing")),
		refused("include of nothing and of a field", resolve(path, "&include=author,nothing")),
		step{name: "include of a field of another model", call: resolve(path, "&include=author,"+elsewhere), status: 200,
			want: obj{"data.data.author.title": "Ann", "data.data." + elsewhere: nil}},
		step{name: "parameters", call: resolve(path, "&include=author&urls=true&fields=url,data.author&translations=true"),
			status: 200, want: obj{"data.url": path, "data.data.author.title": "Ann", "data.title": nil}},
		step{name: "fields without data", call: resolve(path, "&fields=title"), status: 200,
			want: obj{"data.data": nil, "data.seo": nil, "meta.kind": "entry", "meta.url": path}},
		step{name: "another method", call: "POST /resolve", body: obj{}, status: 405, code: "METHOD_NOT_ALLOWED"},
	)
	s.adminKey(t).step(t, step{name: "a draft for a key with the role admin", call: resolve(at + "/posts/unseen"),
		status: 200, want: obj{"data.id": draft, "meta.kind": "entry"}})
	admin.step(t, step{name: "reserved", call: "POST /models", body: obj{"slug": "resolve", "name": "R"},
		status: 422, code: "VALIDATION_FAILED", details: []string{"slug"}})
	t.Run("redirects", func(t *testing.T) {
		k.ok(t, 200, "PUT /"+model+"/"+id, obj{"slug": "welcome"})
		moved := func(name, from, to string, status int) step {
			return step{name: name, call: resolve(from), status: 200, want: obj{"data": obj{},
				"meta": obj{"kind": "redirect", "redirect": obj{"to": to, "status": status}}}}
		}
		k.run(t, moved("a former slug", path, at+"/posts/welcome", 301))
		own := admin.ok(t, 201, "POST /redirects", obj{"from": path, "to": at + "/own", "status": 302}).str(t, "data.id")
		on := admin.ok(t, 201, "POST /redirects", obj{"from": at + "/posts/welcome/", "status": 410}).str(t, "data.id")
		k.run(t, moved("an own redirect wins", path, at+"/own", 302),
			step{name: "gone", call: resolve(at + "/posts/welcome"), status: 200,
				want: obj{"data": obj{}, "meta": obj{"kind": "gone"}}})
		admin.ok(t, 204, "DELETE /redirects/"+own, nil)
		admin.ok(t, 204, "DELETE /redirects/"+on, nil)
		away := admin.ok(t, 201, "POST /redirects", obj{"from": at + "/posts/welcome", "to": "https://example.com/w"}).str(t, "data.id")
		k.run(t, moved("the final address", path, "https://example.com/w", 301))
		admin.ok(t, 204, "DELETE /redirects/"+away, nil)
		other := k.publish(t, model, "Hello", nil)
		k.step(t, step{call: resolve(path), status: 200, want: obj{"data.id": other}})
		k.ok(t, 204, "DELETE /"+model+"/"+other, nil)
		k.ok(t, 200, "PUT /"+model+"/"+id, obj{"status": "draft"})
		k.run(t, nothing("of an unpublished entry", path))
	})
}

func resolveDelivered(t *testing.T, s *suite) {
	k := s.key(t, nil)
	at := "/" + unique("at")
	model := s.model(t, obj{"url": at + "/{slug}"})
	d := s.publishable(t, obj{"models": list{model}})
	is := func(path string, status int, kind string) {
		t.Helper()
		s.eventually(t, fmt.Sprintf("%s: %d %s", path, status, kind), func() bool {
			a := d.do(t, resolve(path), nil)
			return a.Status == status && (kind == "" || a.get("meta.kind") == kind)
		})
	}
	d.step(t, step{call: resolve(at + "/one"), status: 404, code: "NOT_FOUND",
		header: obj{"Cache-Tag": tagged("paths", "schema"), "Cache-Control": cacheForever}})
	id := k.publish(t, model, "One", nil)
	is(at+"/one", 200, "entry")
	d.step(t, step{call: resolve(at + "/one"), status: 200, want: obj{"data.id": id},
		header: obj{"Cache-Tag": tagged("e."+id, "schema", "settings"), "Cache-Control": cacheForever}})
	k.ok(t, 200, "PUT /"+model+"/"+id, obj{"slug": "two"})
	is(at+"/one", 200, "redirect")
	is(at+"/two", 200, "entry")
	d.step(t, step{call: resolve(at + "/one"), status: 200, header: obj{"Cache-Tag": tagged("paths")}})
	k.ok(t, 204, "DELETE /"+model+"/"+id, nil)
	is(at+"/one", 404, "")
	is(at+"/two", 404, "")
	d.run(t,
		step{name: "no path", call: "GET /resolve", status: 400, code: "BAD_REQUEST",
			header: obj{"Cache-Control": "no-store"}},
		step{name: "a model that the key may not read", call: resolve("/" + s.model(t, nil)), status: 404, code: "NOT_FOUND"},
	)
	from := s.admin(t).ok(t, 201, "POST /redirects", obj{"from": at + "/one", "to": at + "/x"}).str(t, "data.id")
	is(at+"/one", 200, "redirect")
	s.admin(t).ok(t, 204, "DELETE /redirects/"+from, nil)
	is(at+"/one", 404, "")
}

func resolvePrecedence(t *testing.T, s *suite) {
	k, admin := s.key(t, nil), s.admin(t)
	at := "/" + unique("at")
	loose := s.model(t, obj{"url": at + "/{slug}"})
	strict := s.model(t, obj{"url": at + "/page-{slug}"})
	first := k.create(t, loose, obj{"title": "Loose", "slug": "page-x", "status": "published"}).str(t, "data.id")
	k.step(t, step{call: resolve(at + "/page-x"), status: 200, want: obj{"data.id": first}})
	second := k.create(t, strict, obj{"title": "Strict", "slug": "x", "status": "published"}).str(t, "data.id")
	k.step(t, step{call: resolve(at + "/page-x"), status: 200, want: obj{"data.id": second, "meta.model": strict}})
	k.ok(t, 204, "DELETE /"+strict+"/"+second, nil)
	a, b := s.model(t, obj{"url": at + "/same/{slug}"}), s.model(t, obj{"url": at + "/same/{slug}"})
	for _, m := range []string{a, b} {
		k.publish(t, m, "Same", nil)
	}
	k.step(t, step{call: resolve(at + "/same/same"), status: 200, want: obj{"meta.model": min(a, b)}})
	byID := s.model(t, obj{"url": at + "/same/{id}"})
	id := k.publish(t, byID, "Any", nil)
	k.step(t, step{call: resolve(at + "/same/" + id), status: 200, want: obj{"data.id": id, "meta.model": byID}})
	one := s.model(t, obj{"kind": "single", "url": at + "/about"})
	about := k.publish(t, one, "About", nil)
	k.step(t, step{call: resolve(at + "/about"), status: 200, want: obj{"data.id": about, "meta.kind": "entry"}})
	t.Run("at most 20 of a shape", func(t *testing.T) {
		for range 20 {
			s.model(t, obj{"url": at + "/many/{locale}/{slug}"})
		}
		other := s.model(t, nil)
		admin.step(t, step{call: "PUT /models/" + other, body: obj{"url": at + "/many/{locale}/{slug}"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"url"}})
		admin.ok(t, 200, "PUT /models/"+other, obj{"url": at + "/more/{locale}/{slug}"})
	})
}

func resolveLocales(t *testing.T, s *suite) {
	s.useLocale(t, "fr", "French")
	s.useLocale(t, "it", "Italiano")
	s.admin(t).ok(t, 200, "PUT /locales/it", obj{"fallback": s.defaultLocale(t)})
	k := s.adminKey(t)
	at := unique("at")
	model := s.model(t, obj{"localized": true, "url": "/{locale?}/" + at + "/{slug}", "home": "start"})
	en := k.create(t, model, obj{"title": "One", "status": "published"}).str(t, "data.id")
	fr := k.create(t, model, obj{"title": "Un", "status": "published", "locale": "fr", "translation_of": en}).str(t, "data.id")
	home := k.create(t, model, obj{"title": "Start", "locale": "fr", "status": "published"}).str(t, "data.id")
	both := list{obj{"locale": s.defaultLocale(t), "url": "/" + at + "/one"}, obj{"locale": "fr", "url": "/fr/" + at + "/un"}}
	alternates := matcher(func(v any) error {
		for _, l := range both {
			if find(v, "locale", str(l.(obj)["locale"])) == nil {
				return fmt.Errorf("%v lacks %v", v, l)
			}
		}
		return nil
	})
	k.run(t,
		step{name: "the default locale", call: resolve("/" + at + "/one"), status: 200,
			want: obj{"data.id": en, "meta.locale": s.defaultLocale(t), "meta.alternates": alternates}},
		step{name: "another locale", call: resolve("/fr/" + at + "/un"), status: 200,
			want: obj{"data.id": fr, "meta.locale": "fr", "meta.alternates": alternates}},
		step{name: "the default locale named", call: resolve("/" + s.defaultLocale(t) + "/" + at + "/one"), status: 404, code: "NOT_FOUND"},
		step{name: "a slug of another locale", call: resolve("/fr/" + at + "/one"), status: 404, code: "NOT_FOUND"},
		step{name: "the home", call: resolve("/fr/" + at), status: 200, want: obj{"data.id": home, "meta.url": "/fr/" + at}},
		step{name: "the slug of the home", call: resolve("/fr/" + at + "/start"), status: 200,
			want: obj{"meta.redirect": obj{"to": "/fr/" + at, "status": 301}}},
		step{name: "fallback", call: resolve("/it/"+at+"/one", "&fallback=true"), status: 200,
			want: obj{"data.id": en, "meta.locale": s.defaultLocale(t), "meta.requested_locale": "it"}},
		step{name: "no fallback", call: resolve("/it/" + at + "/one"), status: 404, code: "NOT_FOUND"},
		step{name: "the fallback that is there", call: resolve("/fr/"+at+"/one", "&fallback=true"), status: 200,
			want: obj{"data.id": fr, "meta.locale": "fr", "meta.requested_locale": "fr"}},
	)
	k.ok(t, 200, "PUT /"+model+"/"+fr, obj{"status": "draft"})
	a := s.key(t, nil).ok(t, 200, resolve("/"+at+"/one"), nil)
	if n := len(a.get("meta.alternates").(list)); n != 1 {
		t.Errorf("%d alternates, want none of a draft: %s", n, a.Raw)
	}
	tree := s.model(t, obj{"localized": true, "tree": true, "url": "/" + at + "-tree/{locale?}/{path}"})
	moved := k.publish(t, tree, "Moved", nil)
	k.ok(t, 200, "PUT /"+tree+"/"+moved, obj{"locale": "fr"})
	k.step(t, step{name: "an entry that had another locale", call: resolve("/" + at + "-tree/fr/moved"), status: 200,
		want: obj{"data.id": moved, "meta.locale": "fr"}})
}

func resolvePreviews(t *testing.T, s *suite) {
	k := s.adminKey(t)
	at := "/" + unique("at")
	model := s.model(t, obj{"url": at + "/{slug}"})
	id := k.create(t, model, obj{"title": "Draft"}).str(t, "data.id")
	other := k.publish(t, model, "Other", nil)
	k.ok(t, 200, "PUT /"+model+"/"+id+"/draft", obj{"title": "Changed"})
	token := k.ok(t, 201, "POST /"+model+"/"+id+"/preview", obj{}).str(t, "data.token")
	reader := s.key(t, nil)
	d := s.publishable(t, obj{"models": list{model}})
	for _, c := range []*client{reader, d} {
		c.run(t,
			step{name: "the draft", call: resolve(at+"/draft", "&preview="+token), status: 200,
				want:   obj{"data.title": "Changed", "data.id": id, "meta.kind": "entry", "meta.url": at + "/draft"},
				header: obj{"Cache-Control": "no-store"}},
			step{name: "another entry", call: resolve(at+"/other", "&preview="+token), status: 403, code: "FORBIDDEN"},
			step{name: "no entry", call: resolve(at+"/nothing", "&preview="+token), status: 403, code: "FORBIDDEN"},
			step{name: "another token", call: resolve(at+"/draft", "&preview=x"), status: 403, code: "FORBIDDEN"},
		)
	}
	if other == "" {
		t.Error("no entry")
	}
}

func resolveDates(t *testing.T, s *suite) {
	k := s.adminKey(t)
	at := "/" + unique("at")
	model := s.model(t, obj{"url": at + "/{year}/{month}/{slug}-{day}"})
	id := k.publish(t, model, "Dated", nil)
	path := k.ok(t, 200, "GET /"+model+"/"+id+"?urls=true", nil).str(t, "data.url")
	k.run(t,
		step{name: "by date", call: resolve(path), status: 200, want: obj{"data.id": id}},
		step{name: "another date", call: resolve(at + "/1999/12/dated-31"), status: 404, code: "NOT_FOUND"},
	)
}
