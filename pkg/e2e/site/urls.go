package site

import (
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// URLs has the scenarios of the URLs of entries (extensions §13).
var URLs = []kit.Scenario{
	{Name: "map/urls/templates", Run: urlTemplates},
	{Name: "map/urls/answers", Run: urlsInAnswers},
	{Name: "map/urls/locales", Run: urlsInLocales},
	{Name: "map/urls/dates", Run: urlsWithDates},
	{Name: "map/urls/home", Run: urlsOfHome},
	{Name: "map/urls/events", Run: urlsInEvents},
}

func urlTemplates(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	model := s.Model(t, nil)
	refused := func(name string, body kit.Obj, on string) kit.Step {
		return kit.Step{Name: name, Call: "PUT /models/" + model, Body: body, Invalid: on}
	}
	admin.Run(t,
		refused("a path without a tree", kit.Obj{"url": "/{path}"}, "url"),
		refused("an unknown part", kit.Obj{"url": "/{day}/{hour}"}, "url"),
		refused("an optional slug", kit.Obj{"url": "/{slug?}"}, "url"),
		refused("a home that is no slug", kit.Obj{"home": "Home page"}, "home"),
		kit.Step{Name: "every part", Call: "PUT /models/" + model,
			Body: kit.Obj{"url": "/{locale?}/{locale}/{year}/{month}/{day}/{id}/{slug}", "home": "start"},
			Want: kit.Obj{"data.home": "start"}},
	)
}

func urlsInAnswers(t *testing.T, s *kit.Suite) {
	k := s.AdminKey(t)
	at := "/" + kit.Unique("at")
	author := s.Model(t, kit.Obj{"url": at + "/people/{slug}"})
	bare := s.Model(t, nil)
	model := s.Model(t, kit.Obj{"url": at + "/{id}/{slug}", "fields": kit.List{
		kit.Field("body", "richtext", kit.Obj{"searchable": true}),
		kit.Field("author", "relation", kit.Obj{"model": author}),
		kit.Field("other", "relation", kit.Obj{"model": bare})}})
	person := k.Publish(t, author, "Ann "+kit.Unique("a"), nil)
	name := k.Get(t, "/"+author+"/"+person).Str(t, "data.slug")
	plain := k.Publish(t, bare, "Bare", nil)
	word := kit.Unique("word")
	id := k.Publish(t, model, word, kit.Obj{"author": person, "other": plain,
		"body": "[a](" + kit.EntryRef(person) + ") [b](" + kit.EntryRef(plain) + ")"})
	url := at + "/" + id + "/" + word
	d := s.PublishableKey(t, kit.Obj{"models": kit.List{model, author, bare}})
	k.Run(t,
		kit.Step{Name: "not asked for", Call: "GET /" + model + "/" + id, Want: kit.Obj{"data.url": nil}},
		kit.Step{Name: "by id", Call: "GET /" + model + "/" + id + "?urls=true", Want: kit.Obj{"data.url": url}},
		kit.Step{Name: "by slug", Call: "GET /" + model + "/" + word + "?urls=true", Want: kit.Obj{"data.url": url}},
		kit.Step{Name: "false", Call: "GET /" + model + "/" + id + "?urls=false", Want: kit.Obj{"data.url": nil}},
		kit.Step{Name: "another value", Call: "GET /" + model + "/" + id + "?urls=yes", Code: "BAD_REQUEST"},
		kit.Step{Name: "an empty value", Call: "GET /" + model + "?urls=", Code: "BAD_REQUEST"},
		kit.Step{Name: "twice", Call: "GET /" + model + "?urls=true&urls=true", Code: "BAD_REQUEST"},
		kit.Step{Name: "another value in search", Call: "GET /search?q=x&urls=1", Code: "BAD_REQUEST"},
		kit.Step{Name: "list", Call: "GET /" + model + "?urls=true", Want: kit.Obj{"data.0.url": url}},
		kit.Step{Name: "fields without it", Call: "GET /" + model + "/" + id + "?urls=true&fields=title&include=author",
			Want: kit.Obj{"data": kit.Obj{"id": id, "title": word}}},
		kit.Step{Name: "fields with it", Call: "GET /" + model + "/" + id + "?urls=true&fields=url",
			Want: kit.Obj{"data": kit.Obj{"id": id, "url": url}}},
		kit.Step{Name: "included", Call: "GET /" + model + "/" + id + "?urls=true&include=author,other",
			Want: kit.Obj{"data.data.author.url": at + "/people/" + name, "data.data.other.url": nil}},
		kit.Step{Name: "search", Call: "GET /search?q=" + word + "&urls=true", Want: kit.Obj{"data.0.url": url}},
		kit.Step{Name: "search with fields", Call: "GET /search?q=" + word + "&urls=true&fields=url",
			Want: kit.Obj{"data.0": kit.Obj{"id": id, "url": url}}},
		kit.Step{Name: "links in texts", Call: "GET /" + model + "/" + id,
			Want: kit.Obj{"data.data.body": "[a](" + at + "/people/" + name + ") [b](/bare)"}},
		kit.Step{Name: "sent back", Call: "PUT /" + model + "/" + id, Body: kit.Obj{"title": word, "url": "/x"},
			Want: kit.Obj{"data.url": nil}},
	)
	for call, want := range map[string]bool{"GET /" + bare + "/" + plain + "?urls=true": true,
		"GET /" + bare + "/" + plain: false} {
		data, _ := k.OK(t, 200, call, nil).Get("data").(kit.Obj)
		if value, there := data["url"]; there != want || value != nil {
			t.Errorf("%s: url %v, there %t; want null, there %t", call, value, there, want)
		}
	}
	k.Put(t, "/"+model+"/"+id+"/draft", kit.Obj{"title": "Draft", "slug": "other"})
	token := k.Post(t, "/"+model+"/"+id+"/preview", kit.Obj{}).Str(t, "data.token")
	k.Run(t,
		kit.Step{Name: "a draft", Call: "GET /" + model + "/" + id + "/draft?urls=true",
			Want: kit.Obj{"data.slug": "other", "data.url": url}},
		kit.Step{Name: "drafts", Call: "GET /" + model + "?version=draft&urls=true",
			Want: kit.Obj{"data.0.slug": "other", "data.0.url": url}},
		kit.Step{Name: "a preview", Call: "GET /" + model + "/" + id + "?preview=" + token + "&urls=true",
			Want: kit.Obj{"data.slug": "other", "data.url": url}},
	)
	d.Run(t,
		kit.Step{Name: "delivery", Call: "GET /" + model + "/" + id + "?urls=true", Want: kit.Obj{"data.url": url},
			Header: kit.Obj{"Cache-Tag": kit.Tagged("settings", "schema", "e."+id)}},
		kit.Step{Name: "delivered list", Call: "GET /" + model + "?urls=true&include=author",
			Want: kit.Obj{"data.0.url": url, "data.0.data.author.url": at + "/people/" + name}},
		kit.Step{Name: "delivered search", Call: "GET /search?q=" + word + "&urls=true", Want: kit.Obj{"data.0.url": url}},
		kit.Step{Name: "refused", Call: "GET /" + model + "?urls=1", Code: "BAD_REQUEST"},
		kit.Step{Name: "sync", Call: "GET /sync?models=" + model + "&urls=true", Want: kit.Obj{"data.0.entry.url": url}},
		kit.Step{Name: "sync without", Call: "GET /sync?models=" + model, Want: kit.Obj{"data.0.entry.url": nil}},
		kit.Step{Name: "sync refused", Call: "GET /sync?urls=x", Code: "BAD_REQUEST"},
	)
	next := d.Get(t, "/sync?models="+author+"&urls=true&per_page=1").Str(t, "meta.next_token")
	k.Put(t, "/"+author+"/"+person, kit.Obj{"title": "Anna"})
	s.Eventually(t, "the token keeps urls", func() bool {
		a := d.Get(t, "/sync?token="+next)
		return kit.Compare(a.Get("data.0.entry.url"), at+"/people/"+name) == nil
	})
}

func urlsInLocales(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "fr", "French")
	k := s.AdminKey(t)
	at := kit.Unique("at")
	model := s.Model(t, kit.Obj{"localized": true, "url": "/{locale?}/" + at + "/{slug}"})
	first := k.Create(t, model, kit.Obj{"title": "One", "status": "published"}).Str(t, "data.id")
	un := k.Create(t, model, kit.Obj{"title": "Un", "status": "published", "locale": "fr",
		"translation_of": first}).Str(t, "data.id")
	own, other := "/"+at+"/one", "/fr/"+at+"/un"
	k.Run(t,
		kit.Step{Name: "translations", Call: "GET /" + model + "/" + first + "?urls=true&translations=true",
			Want: kit.Obj{"data.url": own, "data.translations": kit.Item(kit.Obj{"id": first, "url": own})}},
		kit.Step{Name: "the other translation", Call: "GET /" + model + "/" + first + "?urls=true&translations=true",
			Want: kit.Obj{"data.translations": kit.Item(kit.Obj{"id": un, "url": other})}},
		kit.Step{Name: "fallback", Call: "GET /" + model + "/" + first + "?urls=true&fallback=true&locale=fr",
			Want: kit.Obj{"data.id": un, "data.url": other}},
	)
	d := s.PublishableKey(t, kit.Obj{"models": kit.List{model}})
	d.Fetch(t, "/sitemap-1.xml").Contains(t, "the sitemap", "://", own+"</loc>", other+"</loc>")
	d.Fetch(t, "/"+model+"/feed.xml?locale=fr").Contains(t, "the feed", other)
}

func urlsWithDates(t *testing.T, s *kit.Suite) {
	k := s.AdminKey(t)
	at := "/" + kit.Unique("at")
	model := s.Model(t, kit.Obj{"url": at + "/{year}/{month}/{day}/{slug}",
		"fields": kit.List{kit.Field("body", "richtext", nil)}})
	id := k.Create(t, model, kit.Obj{"title": "Dated"}).Str(t, "data.id")
	link := k.Create(t, model, kit.Obj{"title": "Link",
		"data": kit.Obj{"body": "[a](" + kit.EntryRef(id) + ")"}}).Str(t, "data.id")
	a := k.Get(t, "/"+model+"/"+id+"?urls=true")
	if data, _ := a.Get("data").(kit.Obj); data["url"] != nil {
		t.Errorf("never published: %v", data["url"])
	}
	k.Step(t, kit.Step{Call: "GET /" + model + "/" + link, Want: kit.Obj{"data.data.body": "[a](/dated)"}})
	day := k.Put(t, "/"+model+"/"+id, kit.Obj{"status": "published"}).Str(t, "data.published_at")
	url := at + "/" + strings.ReplaceAll(day[:10], "-", "/") + "/dated"
	k.Run(t,
		kit.Step{Name: "published", Call: "GET /" + model + "/" + id + "?urls=true", Want: kit.Obj{"data.url": url}},
		kit.Step{Name: "a link", Call: "GET /" + model + "/" + link, Want: kit.Obj{"data.data.body": "[a](" + url + ")"}},
		kit.Step{Name: "unpublished", Call: "PUT /" + model + "/" + id, Body: kit.Obj{"status": "draft"}},
		kit.Step{Name: "still dated", Call: "GET /" + model + "/" + id + "?urls=true", Want: kit.Obj{"data.url": url}},
	)
}

func urlsOfHome(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "fr", "French")
	k := s.AdminKey(t)
	at := kit.Unique("at")
	model := s.Model(t, kit.Obj{"localized": true, "url": "/" + at + "/{locale?}/{slug}/", "home": "start"})
	id := k.Create(t, model, kit.Obj{"title": "Start", "status": "published"}).Str(t, "data.id")
	fr := k.Create(t, model, kit.Obj{"title": "Start", "status": "published", "locale": "fr"}).Str(t, "data.id")
	page := k.Publish(t, model, "Page", nil)
	for entry, url := range map[string]string{id: "/" + at, fr: "/" + at + "/fr", page: "/" + at + "/page"} {
		k.Step(t, kit.Step{Call: "GET /" + model + "/" + entry + "?urls=true", Want: kit.Obj{"data.url": url}})
	}
	d := s.PublishableKey(t, kit.Obj{"models": kit.List{model}})
	s.Eventually(t, "the path with the slug leads to the one without", func() bool {
		all := d.Get(t, "/redirects?per_page=1000").Get("data")
		return kit.Item(kit.Obj{"from": "/" + at + "/start", "to": "/" + at})(all) == nil &&
			kit.Item(kit.Obj{"from": "/" + at + "/fr/start", "to": "/" + at + "/fr", "status": 301})(all) == nil
	})
}

func urlsInEvents(t *testing.T, s *kit.Suite) {
	k := s.AdminKey(t)
	r := kit.NewReceiver(t)
	model := s.Model(t, kit.Obj{"url": "/" + kit.Unique("at") + "/{slug}"})
	s.Subscribe(t, kit.Obj{"url": r.URL, "models": kit.List{model}})
	id := k.Publish(t, model, "Told", nil)
	url := k.Get(t, "/"+model+"/"+id+"?urls=true").Str(t, "data.url")
	s.WaitAbout(t, r, "entry.published", "id", id).Has(t, "the event", kit.Obj{"data.url": url})
}
