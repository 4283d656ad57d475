package e2e

import (
	"strings"
	"testing"
)

// mapScenarios are about the map of the site: URLs, menus, the tree and paths (extensions §13).
var mapScenarios = []scenario{
	{name: "map/urls/templates", run: urlTemplates},
	{name: "map/urls/answers", run: urlsInAnswers},
	{name: "map/urls/locales", run: urlsInLocales},
	{name: "map/urls/dates", run: urlsWithDates},
	{name: "map/urls/home", run: urlsOfHome},
	{name: "map/urls/events", run: urlsInEvents},
	{name: "desk/health", run: contentHealth}, {name: "desk/links", run: replacesLinks},
	{name: "desk/texts", run: missingTexts},
	{name: "desk/targets", run: buildTargets},
	{name: "map/tree/save", run: saveInTree},
	{name: "map/tree/read", run: readTree},
	{name: "map/tree/move", run: moveInTree},
	{name: "map/tree/paths", run: pathsInTree},
	{name: "map/tree/translations", run: translateTree},
	{name: "map/tree/import", run: importTree},
	{name: "map/tree/leave/up", run: leaveUp},
	{name: "map/tree/leave/down", run: leaveDown},
	{name: "map/tree/leave/planned", run: leaveByPlan},
	{name: "map/tree/moves", run: tellMoves},
	{name: "map/tree/preview", run: treeAhead},
	{name: "map/menus/manage", run: manageMenus},
	{name: "map/menus/roles", run: menuRoles},
	{name: "map/menus/read", run: readMenus},
	{name: "map/menus/import", run: importMenus},
	{name: "map/resolve/paths", run: resolvePaths},
	{name: "map/resolve/delivered", run: resolveDelivered},
	{name: "map/resolve/precedence", run: resolvePrecedence},
	{name: "map/resolve/locales", run: resolveLocales},
	{name: "map/resolve/previews", run: resolvePreviews},
	{name: "map/resolve/dates", run: resolveDates},
}

func urlTemplates(t *testing.T, s *suite) {
	admin := s.admin(t)
	model := s.model(t, nil)
	refused := func(name string, body obj, on string) step {
		return step{name: name, call: "PUT /models/" + model, body: body, status: 422,
			code: "VALIDATION_FAILED", details: []string{on}}
	}
	admin.run(t,
		refused("a path without a tree", obj{"url": "/{path}"}, "url"),
		refused("an unknown part", obj{"url": "/{day}/{hour}"}, "url"),
		refused("an optional slug", obj{"url": "/{slug?}"}, "url"),
		refused("a home that is no slug", obj{"home": "Home page"}, "home"),
		step{name: "every part", call: "PUT /models/" + model,
			body:   obj{"url": "/{locale?}/{locale}/{year}/{month}/{day}/{id}/{slug}", "home": "start"},
			status: 200, want: obj{"data.home": "start"}},
	)
}

func urlsInAnswers(t *testing.T, s *suite) {
	k := s.adminKey(t)
	at := "/" + unique("at")
	author := s.model(t, obj{"url": at + "/people/{slug}"})
	bare := s.model(t, nil)
	model := s.model(t, obj{"url": at + "/{id}/{slug}", "fields": list{
		field("body", "richtext", obj{"searchable": true}), field("author", "relation", obj{"model": author}),
		field("other", "relation", obj{"model": bare})}})
	person := k.publish(t, author, "Ann "+unique("a"), nil)
	name := k.ok(t, 200, "GET /"+author+"/"+person, nil).str(t, "data.slug")
	plain := k.publish(t, bare, "Bare", nil)
	word := unique("word")
	id := k.publish(t, model, word, obj{"author": person, "other": plain,
		"body": "[a](" + entryRef(person) + ") [b](" + entryRef(plain) + ")"})
	url := at + "/" + id + "/" + word
	d := s.publishable(t, obj{"models": list{model, author, bare}})
	k.run(t,
		step{name: "not asked for", call: "GET /" + model + "/" + id, status: 200, want: obj{"data.url": nil}},
		step{name: "by id", call: "GET /" + model + "/" + id + "?urls=true", status: 200, want: obj{"data.url": url}},
		step{name: "by slug", call: "GET /" + model + "/" + word + "?urls=true", status: 200, want: obj{"data.url": url}},
		step{name: "false", call: "GET /" + model + "/" + id + "?urls=false", status: 200, want: obj{"data.url": nil}},
		step{name: "another value", call: "GET /" + model + "/" + id + "?urls=yes", status: 400, code: "BAD_REQUEST"},
		step{name: "an empty value", call: "GET /" + model + "?urls=", status: 400, code: "BAD_REQUEST"},
		step{name: "twice", call: "GET /" + model + "?urls=true&urls=true", status: 400, code: "BAD_REQUEST"},
		step{name: "another value in search", call: "GET /search?q=x&urls=1", status: 400, code: "BAD_REQUEST"},
		step{name: "list", call: "GET /" + model + "?urls=true", status: 200, want: obj{"data.0.url": url}},
		step{name: "fields without it", call: "GET /" + model + "/" + id + "?urls=true&fields=title&include=author",
			status: 200, want: obj{"data": obj{"id": id, "title": word}}},
		step{name: "fields with it", call: "GET /" + model + "/" + id + "?urls=true&fields=url", status: 200,
			want: obj{"data": obj{"id": id, "url": url}}},
		step{name: "included", call: "GET /" + model + "/" + id + "?urls=true&include=author,other", status: 200,
			want: obj{"data.data.author.url": at + "/people/" + name, "data.data.other.url": nil}},
		step{name: "search", call: "GET /search?q=" + word + "&urls=true", status: 200, want: obj{"data.0.url": url}},
		step{name: "search with fields", call: "GET /search?q=" + word + "&urls=true&fields=url", status: 200,
			want: obj{"data.0": obj{"id": id, "url": url}}},
		step{name: "links in texts", call: "GET /" + model + "/" + id, status: 200,
			want: obj{"data.data.body": "[a](" + at + "/people/" + name + ") [b](/bare)"}},
		step{name: "sent back", call: "PUT /" + model + "/" + id, body: obj{"title": word, "url": "/x"}, status: 200,
			want: obj{"data.url": nil}},
	)
	for call, want := range map[string]bool{"GET /" + bare + "/" + plain + "?urls=true": true,
		"GET /" + bare + "/" + plain: false} {
		data, _ := k.ok(t, 200, call, nil).get("data").(obj)
		if value, there := data["url"]; there != want || value != nil {
			t.Errorf("%s: url %v, there %t; want null, there %t", call, value, there, want)
		}
	}
	k.ok(t, 200, "PUT /"+model+"/"+id+"/draft", obj{"title": "Draft", "slug": "other"})
	token := k.ok(t, 201, "POST /"+model+"/"+id+"/preview", obj{}).str(t, "data.token")
	k.run(t,
		step{name: "a draft", call: "GET /" + model + "/" + id + "/draft?urls=true", status: 200,
			want: obj{"data.slug": "other", "data.url": url}},
		step{name: "drafts", call: "GET /" + model + "?version=draft&urls=true", status: 200,
			want: obj{"data.0.slug": "other", "data.0.url": url}},
		step{name: "a preview", call: "GET /" + model + "/" + id + "?preview=" + token + "&urls=true", status: 200,
			want: obj{"data.slug": "other", "data.url": url}},
	)
	d.run(t,
		step{name: "delivery", call: "GET /" + model + "/" + id + "?urls=true", status: 200, want: obj{"data.url": url},
			header: obj{"Cache-Tag": tagged("settings", "schema", "e."+id)}},
		step{name: "delivered list", call: "GET /" + model + "?urls=true&include=author", status: 200,
			want: obj{"data.0.url": url, "data.0.data.author.url": at + "/people/" + name}},
		step{name: "delivered search", call: "GET /search?q=" + word + "&urls=true", status: 200,
			want: obj{"data.0.url": url}},
		step{name: "refused", call: "GET /" + model + "?urls=1", status: 400, code: "BAD_REQUEST"},
		step{name: "sync", call: "GET /sync?models=" + model + "&urls=true", status: 200,
			want: obj{"data.0.entry.url": url}},
		step{name: "sync without", call: "GET /sync?models=" + model, status: 200, want: obj{"data.0.entry.url": nil}},
		step{name: "sync refused", call: "GET /sync?urls=x", status: 400, code: "BAD_REQUEST"},
	)
	next := d.ok(t, 200, "GET /sync?models="+author+"&urls=true&per_page=1", nil).str(t, "meta.next_token")
	k.ok(t, 200, "PUT /"+author+"/"+person, obj{"title": "Anna"})
	s.eventually(t, "the token keeps urls", func() bool {
		a := d.ok(t, 200, "GET /sync?token="+next, nil)
		return compare(a.get("data.0.entry.url"), at+"/people/"+name) == nil
	})
}

func urlsInLocales(t *testing.T, s *suite) {
	s.useLocale(t, "fr", "French")
	k := s.adminKey(t)
	at := unique("at")
	model := s.model(t, obj{"localized": true, "url": "/{locale?}/" + at + "/{slug}"})
	first := k.create(t, model, obj{"title": "One", "status": "published"}).str(t, "data.id")
	un := k.create(t, model, obj{"title": "Un", "status": "published", "locale": "fr",
		"translation_of": first}).str(t, "data.id")
	own, other := "/"+at+"/one", "/fr/"+at+"/un"
	k.run(t,
		step{name: "translations", call: "GET /" + model + "/" + first + "?urls=true&translations=true", status: 200,
			want: obj{"data.url": own, "data.translations": matcher(func(v any) error {
				if err := compare(find(v, "id", first)["url"], own); err != nil {
					return err
				}
				return compare(find(v, "id", un)["url"], other)
			})}},
		step{name: "fallback", call: "GET /" + model + "/" + first + "?urls=true&fallback=true&locale=fr", status: 200,
			want: obj{"data.id": un, "data.url": other}},
	)
	d := s.publishable(t, obj{"models": list{model}})
	if text := string(d.raw(t, "/sitemap-1.xml").Raw); !strings.Contains(text, "://") ||
		!strings.Contains(text, own+"</loc>") || !strings.Contains(text, other+"</loc>") {
		t.Errorf("sitemap: %s", text)
	}
	if text := string(d.raw(t, "/"+model+"/feed.xml?locale=fr").Raw); !strings.Contains(text, other) {
		t.Errorf("feed: %s", text)
	}
}

func urlsWithDates(t *testing.T, s *suite) {
	k := s.adminKey(t)
	at := "/" + unique("at")
	model := s.model(t, obj{"url": at + "/{year}/{month}/{day}/{slug}", "fields": list{field("body", "richtext", nil)}})
	id := k.create(t, model, obj{"title": "Dated"}).str(t, "data.id")
	link := k.create(t, model, obj{"title": "Link", "data": obj{"body": "[a](" + entryRef(id) + ")"}}).str(t, "data.id")
	a := k.ok(t, 200, "GET /"+model+"/"+id+"?urls=true", nil)
	if data, _ := a.get("data").(obj); data["url"] != nil {
		t.Errorf("never published: %v", data["url"])
	}
	k.step(t, step{call: "GET /" + model + "/" + link, status: 200, want: obj{"data.data.body": "[a](/dated)"}})
	day := k.ok(t, 200, "PUT /"+model+"/"+id, obj{"status": "published"}).str(t, "data.published_at")
	url := at + "/" + strings.ReplaceAll(day[:10], "-", "/") + "/dated"
	k.run(t,
		step{name: "published", call: "GET /" + model + "/" + id + "?urls=true", status: 200, want: obj{"data.url": url}},
		step{name: "a link", call: "GET /" + model + "/" + link, status: 200, want: obj{"data.data.body": "[a](" + url + ")"}},
		step{name: "unpublished", call: "PUT /" + model + "/" + id, body: obj{"status": "draft"}, status: 200},
		step{name: "still dated", call: "GET /" + model + "/" + id + "?urls=true", status: 200, want: obj{"data.url": url}},
	)
}

func urlsOfHome(t *testing.T, s *suite) {
	s.useLocale(t, "fr", "French")
	k := s.adminKey(t)
	at := unique("at")
	model := s.model(t, obj{"localized": true, "url": "/" + at + "/{locale?}/{slug}/", "home": "start"})
	id := k.create(t, model, obj{"title": "Start", "status": "published"}).str(t, "data.id")
	fr := k.create(t, model, obj{"title": "Start", "status": "published", "locale": "fr"}).str(t, "data.id")
	page := k.publish(t, model, "Page", nil)
	for entry, url := range map[string]string{id: "/" + at, fr: "/" + at + "/fr", page: "/" + at + "/page"} {
		k.step(t, step{call: "GET /" + model + "/" + entry + "?urls=true", status: 200, want: obj{"data.url": url}})
	}
	d := s.publishable(t, obj{"models": list{model}})
	s.eventually(t, "the path with the slug leads to the one without", func() bool {
		a := d.ok(t, 200, "GET /redirects?per_page=1000", nil)
		one, two := find(a.get("data"), "from", "/"+at+"/start"), find(a.get("data"), "from", "/"+at+"/fr/start")
		return one != nil && two != nil && compare(one["to"], "/"+at) == nil &&
			compare(two["to"], "/"+at+"/fr") == nil && compare(two["status"], 301) == nil
	})
}

func urlsInEvents(t *testing.T, s *suite) {
	k := s.adminKey(t)
	r := newReceiver(t)
	model := s.model(t, obj{"url": "/" + unique("at") + "/{slug}"})
	s.subscribe(t, obj{"url": r.url, "models": list{model}})
	id := k.publish(t, model, "Told", nil)
	url := k.ok(t, 200, "GET /"+model+"/"+id+"?urls=true", nil).str(t, "data.url")
	told := s.waitAbout(t, r, "entry.published", "id", id)
	if got := dig(told.body, "data.url"); got != url {
		t.Errorf("url %v, want %s", got, url)
	}
}
