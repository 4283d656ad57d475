package site

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Resolve has the scenarios of the entries and redirects at a path.
var Resolve = []kit.Scenario{
	{Name: "map/resolve/paths", Run: resolvePaths},
	{Name: "map/resolve/delivered", Run: resolveDelivered},
	{Name: "map/resolve/precedence", Run: resolvePrecedence},
	{Name: "map/resolve/locales", Run: resolveLocales},
	{Name: "map/resolve/previews", Run: resolvePreviews},
	{Name: "map/resolve/dates", Run: resolveDates},
}

// resolve returns the call that resolves a path; more are parameters such as "&urls=true".
func resolve(path string, more ...string) string {
	return "GET /resolve?path=" + url.QueryEscape(path) + strings.Join(more, "")
}

func resolvePaths(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.Admin(t)
	at := "/" + kit.Unique("at")
	author := s.Model(t, nil)
	model := s.Model(t, kit.Obj{"url": at + "/posts/{slug}",
		"fields": kit.List{kit.Field("body", "textarea", nil), kit.Field("author", "relation", kit.Obj{"model": author})}})
	elsewhere := "picture_of_another"
	s.Model(t, kit.Obj{"fields": kit.List{kit.Field(elsewhere, "media", nil)}})
	person := k.Publish(t, author, "Ann", nil)
	id := k.Publish(t, model, "Hello", kit.Obj{"author": person})
	draft := k.Create(t, model, kit.Obj{"title": "Unseen"}).Str(t, "data.id")
	path := at + "/posts/hello"
	entry := func(name, call string) kit.Step {
		return kit.Step{Name: name, Call: call, Want: kit.Obj{"data.id": id, "meta.kind": "entry",
			"meta.model": model, "meta.locale": s.DefaultLocale(t), "meta.url": path,
			"meta.alternates.0": kit.Obj{"locale": s.DefaultLocale(t), "url": path}, "meta.alternates.1": nil,
			"meta.redirect": nil}}
	}
	nothing := func(name, path string) kit.Step {
		return kit.Step{Name: name, Call: resolve(path), Code: "NOT_FOUND"}
	}
	refused := func(name, call string) kit.Step {
		return kit.Step{Name: name, Call: call, Code: "BAD_REQUEST"}
	}
	k.Run(t,
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
		nothing("the root", "/"+kit.Unique("nothing")),
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
		kit.Step{Name: "include of a field of another model", Call: resolve(path, "&include=author,"+elsewhere),
			Want: kit.Obj{"data.data.author.title": "Ann", "data.data." + elsewhere: nil}},
		kit.Step{Name: "parameters",
			Call: resolve(path, "&include=author&urls=true&fields=url,data.author&translations=true"),
			Want: kit.Obj{"data.url": path, "data.data.author.title": "Ann", "data.title": nil}},
		kit.Step{Name: "fields without data", Call: resolve(path, "&fields=title"),
			Want: kit.Obj{"data.data": nil, "data.seo": nil, "meta.kind": "entry", "meta.url": path}},
		kit.Step{Name: "another method", Call: "POST /resolve", Body: kit.Obj{}, Code: "METHOD_NOT_ALLOWED"},
	)
	s.AdminKey(t).Step(t, kit.Step{Name: "a draft for a key with the role admin", Call: resolve(at + "/posts/unseen"),
		Want: kit.Obj{"data.id": draft, "meta.kind": "entry"}})
	admin.Step(t, kit.Step{Name: "reserved", Call: "POST /models", Body: kit.Obj{"slug": "resolve", "name": "R"},
		Invalid: "slug"})
	t.Run("redirects", func(t *testing.T) {
		k.Put(t, "/"+model+"/"+id, kit.Obj{"slug": "welcome"})
		moved := func(name, from, to string, status int) kit.Step {
			return kit.Step{Name: name, Call: resolve(from), Want: kit.Obj{"data": kit.Obj{},
				"meta": kit.Obj{"kind": "redirect", "redirect": kit.Obj{"to": to, "status": status}}}}
		}
		k.Run(t, moved("a former slug", path, at+"/posts/welcome", 301))
		own := admin.Post(t, "/redirects", kit.Obj{"from": path, "to": at + "/own", "status": 302}).Str(t, "data.id")
		on := admin.Post(t, "/redirects", kit.Obj{"from": at + "/posts/welcome/", "status": 410}).Str(t, "data.id")
		k.Run(t, moved("an own redirect wins", path, at+"/own", 302),
			kit.Step{Name: "gone", Call: resolve(at + "/posts/welcome"),
				Want: kit.Obj{"data": kit.Obj{}, "meta": kit.Obj{"kind": "gone"}}})
		admin.Delete(t, "/redirects/"+own)
		admin.Delete(t, "/redirects/"+on)
		away := admin.Post(t, "/redirects",
			kit.Obj{"from": at + "/posts/welcome", "to": "https://example.com/w"}).Str(t, "data.id")
		k.Run(t, moved("the final address", path, "https://example.com/w", 301))
		admin.Delete(t, "/redirects/"+away)
		other := k.Publish(t, model, "Hello", nil)
		k.Step(t, kit.Step{Call: resolve(path), Want: kit.Obj{"data.id": other}})
		k.Delete(t, "/"+model+"/"+other)
		k.Put(t, "/"+model+"/"+id, kit.Obj{"status": "draft"})
		k.Run(t, nothing("of an unpublished entry", path))
	})
}

func resolveDelivered(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	at := "/" + kit.Unique("at")
	model := s.Model(t, kit.Obj{"url": at + "/{slug}"})
	d := s.PublishableKey(t, kit.Obj{"models": kit.List{model}})
	is := func(path string, status int, kind string) {
		t.Helper()
		s.Eventually(t, fmt.Sprintf("%s: %d %s", path, status, kind), func() bool {
			a := d.Do(t, resolve(path), nil)
			return a.Status == status && (kind == "" || a.Get("meta.kind") == kind)
		})
	}
	d.Step(t, kit.Step{Call: resolve(at + "/one"), Code: "NOT_FOUND",
		Header: kit.Obj{"Cache-Tag": kit.Tagged("paths", "schema"), "Cache-Control": kit.CacheForever}})
	id := k.Publish(t, model, "One", nil)
	is(at+"/one", 200, "entry")
	d.Step(t, kit.Step{Call: resolve(at + "/one"), Want: kit.Obj{"data.id": id},
		Header: kit.Obj{"Cache-Tag": kit.Tagged("e."+id, "schema", "settings"), "Cache-Control": kit.CacheForever}})
	k.Put(t, "/"+model+"/"+id, kit.Obj{"slug": "two"})
	is(at+"/one", 200, "redirect")
	is(at+"/two", 200, "entry")
	d.Step(t, kit.Step{Call: resolve(at + "/one"), Header: kit.Obj{"Cache-Tag": kit.Tagged("paths")}})
	k.Delete(t, "/"+model+"/"+id)
	is(at+"/one", 404, "")
	is(at+"/two", 404, "")
	d.Run(t,
		kit.Step{Name: "no path", Call: "GET /resolve", Code: "BAD_REQUEST", Header: kit.Obj{"Cache-Control": "no-store"}},
		kit.Step{Name: "a model that the key may not read", Call: resolve("/" + s.Model(t, nil)), Code: "NOT_FOUND"},
	)
	from := s.Admin(t).Post(t, "/redirects", kit.Obj{"from": at + "/one", "to": at + "/x"}).Str(t, "data.id")
	is(at+"/one", 200, "redirect")
	s.Admin(t).Delete(t, "/redirects/"+from)
	is(at+"/one", 404, "")
}

func resolvePrecedence(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.Admin(t)
	at := "/" + kit.Unique("at")
	loose := s.Model(t, kit.Obj{"url": at + "/{slug}"})
	strict := s.Model(t, kit.Obj{"url": at + "/page-{slug}"})
	first := k.Create(t, loose, kit.Obj{"title": "Loose", "slug": "page-x", "status": "published"}).Str(t, "data.id")
	k.Step(t, kit.Step{Call: resolve(at + "/page-x"), Want: kit.Obj{"data.id": first}})
	second := k.Create(t, strict, kit.Obj{"title": "Strict", "slug": "x", "status": "published"}).Str(t, "data.id")
	k.Step(t, kit.Step{Call: resolve(at + "/page-x"), Want: kit.Obj{"data.id": second, "meta.model": strict}})
	k.Delete(t, "/"+strict+"/"+second)
	a, b := s.Model(t, kit.Obj{"url": at + "/same/{slug}"}), s.Model(t, kit.Obj{"url": at + "/same/{slug}"})
	for _, m := range []string{a, b} {
		k.Publish(t, m, "Same", nil)
	}
	k.Step(t, kit.Step{Call: resolve(at + "/same/same"), Want: kit.Obj{"meta.model": min(a, b)}})
	byID := s.Model(t, kit.Obj{"url": at + "/same/{id}"})
	id := k.Publish(t, byID, "Any", nil)
	k.Step(t, kit.Step{Call: resolve(at + "/same/" + id), Want: kit.Obj{"data.id": id, "meta.model": byID}})
	one := s.Model(t, kit.Obj{"kind": "single", "url": at + "/about"})
	about := k.Publish(t, one, "About", nil)
	k.Step(t, kit.Step{Call: resolve(at + "/about"), Want: kit.Obj{"data.id": about, "meta.kind": "entry"}})
	t.Run("at most 20 of a shape", func(t *testing.T) {
		for range 20 {
			s.Model(t, kit.Obj{"url": at + "/many/{locale}/{slug}"})
		}
		other := s.Model(t, nil)
		admin.Step(t, kit.Step{Call: "PUT /models/" + other, Body: kit.Obj{"url": at + "/many/{locale}/{slug}"},
			Invalid: "url"})
		admin.Put(t, "/models/"+other, kit.Obj{"url": at + "/more/{locale}/{slug}"})
	})
}

func resolveLocales(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "fr", "French")
	s.UseLocale(t, "it", "Italiano")
	s.Admin(t).Put(t, "/locales/it", kit.Obj{"fallback": s.DefaultLocale(t)})
	k := s.AdminKey(t)
	at := kit.Unique("at")
	model := s.Model(t, kit.Obj{"localized": true, "url": "/{locale?}/" + at + "/{slug}", "home": "start"})
	en := k.Create(t, model, kit.Obj{"title": "One", "status": "published"}).Str(t, "data.id")
	fr := k.Create(t, model, kit.Obj{"title": "Un", "status": "published", "locale": "fr", "translation_of": en}).Str(t,
		"data.id")
	home := k.Create(t, model, kit.Obj{"title": "Start", "locale": "fr", "status": "published"}).Str(t, "data.id")
	both := kit.List{kit.Obj{"locale": s.DefaultLocale(t), "url": "/" + at + "/one"},
		kit.Obj{"locale": "fr", "url": "/fr/" + at + "/un"}}
	alternates := kit.Matcher(func(v any) error {
		for _, l := range both {
			if kit.Find(v, "locale", kit.Str(l.(kit.Obj)["locale"])) == nil {
				return fmt.Errorf("%v lacks %v", v, l)
			}
		}
		return nil
	})
	k.Run(t,
		kit.Step{Name: "the default locale", Call: resolve("/" + at + "/one"),
			Want: kit.Obj{"data.id": en, "meta.locale": s.DefaultLocale(t), "meta.alternates": alternates}},
		kit.Step{Name: "another locale", Call: resolve("/fr/" + at + "/un"),
			Want: kit.Obj{"data.id": fr, "meta.locale": "fr", "meta.alternates": alternates}},
		kit.Step{Name: "the default locale named", Call: resolve("/" + s.DefaultLocale(t) + "/" + at + "/one"),
			Code: "NOT_FOUND"},
		kit.Step{Name: "a slug of another locale", Call: resolve("/fr/" + at + "/one"), Code: "NOT_FOUND"},
		kit.Step{Name: "the home", Call: resolve("/fr/" + at), Want: kit.Obj{"data.id": home, "meta.url": "/fr/" + at}},
		kit.Step{Name: "the slug of the home", Call: resolve("/fr/" + at + "/start"),
			Want: kit.Obj{"meta.redirect": kit.Obj{"to": "/fr/" + at, "status": 301}}},
		kit.Step{Name: "fallback", Call: resolve("/it/"+at+"/one", "&fallback=true"),
			Want: kit.Obj{"data.id": en, "meta.locale": s.DefaultLocale(t), "meta.requested_locale": "it"}},
		kit.Step{Name: "no fallback", Call: resolve("/it/" + at + "/one"), Code: "NOT_FOUND"},
		kit.Step{Name: "the fallback that is there", Call: resolve("/fr/"+at+"/one", "&fallback=true"),
			Want: kit.Obj{"data.id": fr, "meta.locale": "fr", "meta.requested_locale": "fr"}},
	)
	k.Put(t, "/"+model+"/"+fr, kit.Obj{"status": "draft"})
	a := s.Key(t, nil).OK(t, 200, resolve("/"+at+"/one"), nil)
	kit.Same(t, "alternates, none of a draft", len(a.Get("meta.alternates").(kit.List)), 1)
	tree := s.Model(t, kit.Obj{"localized": true, "tree": true, "url": "/" + at + "-tree/{locale?}/{path}"})
	moved := k.Publish(t, tree, "Moved", nil)
	k.Put(t, "/"+tree+"/"+moved, kit.Obj{"locale": "fr"})
	k.Step(t, kit.Step{Name: "an entry that had another locale", Call: resolve("/" + at + "-tree/fr/moved"),
		Want: kit.Obj{"data.id": moved, "meta.locale": "fr"}})
}

func resolvePreviews(t *testing.T, s *kit.Suite) {
	k := s.AdminKey(t)
	at := "/" + kit.Unique("at")
	model := s.Model(t, kit.Obj{"url": at + "/{slug}"})
	id := k.Create(t, model, kit.Obj{"title": "Draft"}).Str(t, "data.id")
	other := k.Publish(t, model, "Other", nil)
	k.Put(t, "/"+model+"/"+id+"/draft", kit.Obj{"title": "Changed"})
	token := k.Post(t, "/"+model+"/"+id+"/preview", kit.Obj{}).Str(t, "data.token")
	reader := s.Key(t, nil)
	d := s.PublishableKey(t, kit.Obj{"models": kit.List{model}})
	for _, c := range []*kit.Client{reader, d} {
		c.Run(t,
			kit.Step{Name: "the draft", Call: resolve(at+"/draft", "&preview="+token),
				Want:   kit.Obj{"data.title": "Changed", "data.id": id, "meta.kind": "entry", "meta.url": at + "/draft"},
				Header: kit.Obj{"Cache-Control": "no-store"}},
			kit.Step{Name: "another entry", Call: resolve(at+"/other", "&preview="+token), Code: "FORBIDDEN"},
			kit.Step{Name: "no entry", Call: resolve(at+"/nothing", "&preview="+token), Code: "FORBIDDEN"},
			kit.Step{Name: "another token", Call: resolve(at+"/draft", "&preview=x"), Code: "FORBIDDEN"},
		)
	}
	if other == "" {
		t.Error("no entry")
	}
}

func resolveDates(t *testing.T, s *kit.Suite) {
	k := s.AdminKey(t)
	at := "/" + kit.Unique("at")
	model := s.Model(t, kit.Obj{"url": at + "/{year}/{month}/{slug}-{day}"})
	id := k.Publish(t, model, "Dated", nil)
	path := k.Get(t, "/"+model+"/"+id+"?urls=true").Str(t, "data.url")
	k.Run(t,
		kit.Step{Name: "by date", Call: resolve(path), Want: kit.Obj{"data.id": id}},
		kit.Step{Name: "another date", Call: resolve(at + "/1999/12/dated-31"), Code: "NOT_FOUND"},
	)
}
