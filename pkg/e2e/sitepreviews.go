package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var sitePreviewScenarios = []scenario{
	{name: "preview/site", run: sitePreviews},
	{name: "preview/site drafts", run: siteDrafts},
	{name: "preview/site by an admin", run: siteByAdmin},
	{name: "preview/site until", run: siteUntil},
	{name: "preview/site tree", run: siteTree},
	{name: "preview/site children", run: siteChildren},
	{name: "preview/site links", run: siteLinks},
	{name: "preview/site translations", run: siteTranslations},
	{name: "preview/site problems", run: siteProblems},
}

// timeless returns an answer without what depends on when it was made: times, and what meta says of a
// preview.
func timeless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		kept := maps.Clone(v)
		for _, key := range []string{"published_at", "updated_at", "preview", "next_cursor"} {
			delete(kept, key)
		}
		for key := range kept {
			kept[key] = timeless(kept[key])
		}
		return kept
	case []any:
		kept := slices.Clone(v)
		for i := range kept {
			kept[i] = timeless(kept[i])
		}
		return kept
	}
	return v
}

// shown returns what an answer shows; of XML, its addresses.
func shownBy(a answer) string {
	if a.JSON != nil {
		raw, _ := json.Marshal(timeless(a.JSON))
		return fmt.Sprint(a.Status, " ", string(raw))
	}
	var locs []string
	for _, part := range strings.Split(string(a.Raw), "<loc>")[1:] {
		loc, _, _ := strings.Cut(part, "</loc>")
		loc, _, _ = strings.Cut(loc, "?preview")
		locs = append(locs, loc)
	}
	return fmt.Sprint(a.Status, " ", locs)
}

// sitePreviews compares every kind of read of a release's preview with the same read after the release
// was published.
func sitePreviews(t *testing.T, s *suite) {
	s.useLocale(t, "de", "Deutsch")
	k, admin, en := s.key(t, nil), s.admin(t), s.defaultLocale(t)
	at := "/" + unique("at")
	tag := s.model(t, obj{"localized": true})
	model := s.model(t, obj{"localized": true, "url": at + "/{locale}/{slug}", "fields": list{
		field("word", "text", nil)}})
	admin.ok(t, 200, "PUT /models/"+model, obj{"fields": list{field("word", "text", nil), field("size", "number", nil),
		field("tags", "relation", obj{"model": tag, "many": true}), field("next", "relation", obj{"model": model})}})
	single := s.model(t, obj{"kind": "single"})
	tags := list{k.publish(t, tag, "Red", nil), k.create(t, tag, obj{"title": "Blue"}).str(t, "data.id")}
	items := list{item(tag, str(tags[1]), "publish")}
	one := k.create(t, single, obj{"title": "Home", "data": obj{"body": "b"}}).str(t, "data.id")
	items = append(items, item(single, one, "publish"))
	var ids, plain []string
	for i := range 12 {
		title := fmt.Sprintf("Page %d", i)
		data := obj{"word": string(rune('a' + i%3)), "size": i, "tags": tags}
		if i > 0 {
			data["next"] = ids[i-1]
		}
		id := k.create(t, model, obj{"title": title, "data": data}).str(t, "data.id")
		ids = append(ids, id)
		if i%4 != 0 {
			k.ok(t, 200, "PUT /"+model+"/"+id, obj{"status": "published"})
		}
		if i%3 == 0 {
			k.ok(t, 201, "POST /"+model, obj{"title": "Seite", "locale": "de", "translation_of": id,
				"status": "published", "data": obj{"word": "x", "tags": tags}})
		}
		switch i % 4 {
		case 0:
			items = append(items, item(model, id, "publish"))
		case 1:
			k.ok(t, 200, "PUT /"+model+"/"+id+"/draft", obj{"title": "Changed " + title, "slug": fmt.Sprintf("new-%d", i),
				"data": obj{"word": "c", "size": 100 - i}})
			items = append(items, item(model, id, "publish"))
		case 2:
			items = append(items, item(model, id, "unpublish"))
		default:
			plain = append(plain, id)
		}
	}
	menu := unique("menu")
	admin.ok(t, 201, "POST /menus", obj{"slug": menu, "name": "Menu", "items": obj{en: list{
		obj{"entry": obj{"model": model, "id": ids[0]}}, obj{"entry": obj{"model": model, "id": ids[1]}},
		obj{"entry": obj{"model": model, "id": ids[2]}, "children": list{obj{"entry": obj{"model": model, "id": ids[3]}}}}}}})
	release := admin.ok(t, 201, "POST /releases", obj{"name": "R", "items": items}).str(t, "data.id")
	made := admin.step(t, step{call: "POST /previews", body: obj{"release": release, "name": "For review", "expires_in": 600},
		status: 201, want: obj{"data.changes": len(items), "data.problems.#": 0, "data.id": present,
			"data.expires_at": timestamp}})
	token := url.QueryEscape(made.str(t, "data.token"))

	reads := []string{"/" + single, "/" + single + "/single", "/menus/" + menu, "/menus/" + menu + "?locale=de&fallback=true",
		"/" + tag, "/resolve?path=" + at + "/" + en + "/page-1", "/resolve?path=" + at + "/" + en + "/new-1&include=next,tags&urls=true&translations=true",
		"/resolve?path=" + at + "/" + en + "/page-0", "/resolve?path=" + at + "/" + en + "/page-2"}
	for _, more := range []string{"", "filter[data.word]=c", "filter[data.word][ne]=c&sort=-data.size", "sort=title", "sort=-slug",
		"filter[data.size][gte]=5", "filter[data.word]=a&filter[data.size][lt]=50", "filter[title][contains]=changed",
		"sort=data.word,-title", "filter[id][in]=" + strings.Join(ids[:3], ","), "include=next.next,tags", "fallback=true&locale=de",
		"translations=true&urls=true", "locale=any", "locale=de&include=tags", "filter[data.word][null]=true", "per_page=2&page=2&sort=title",
		"per_page=3&page=3&sort=-data.size", "fields=title,data.word&sort=data.size", "filter[data.tags]=" + str(tags[1])} {
		reads = append(reads, "/"+model+"?"+more)
	}
	for i, id := range ids {
		reads = append(reads, "/"+model+"/"+id, "/"+model+"/"+id+"?include=next,tags&translations=true&urls=true",
			fmt.Sprintf("/%s/page-%d", model, i), fmt.Sprintf("/%s/new-%d?fallback=true&locale=de", model, i))
	}
	delivery := s.publishable(t, obj{"models": list{model, single, tag}})
	ahead, walked := map[string]string{}, s.walkPreview(t, k, "/"+model+"?sort=-title&per_page=2", token)
	for _, call := range reads {
		ahead["api "+call] = shownBy(k.do(t, "GET "+with(call, "preview="+token), nil))
		ahead["delivery "+call] = shownBy(delivery.do(t, "GET "+with(call, "preview="+token), nil))
	}
	for _, call := range []string{"/sitemap.xml", "/sitemap-1.xml"} {
		ahead["delivery "+call] = shownBy(delivery.raw(t, with(call, "preview="+token)))
	}
	k.run(t,
		step{name: "meta", call: "GET /" + model + "?preview=" + token, status: 200, header: obj{"Cache-Control": "no-store"},
			want: obj{"meta.preview": obj{"release": release, "changes": len(items)}, "data.0.status": "published"}},
		step{name: "without", call: "GET /" + model + "/" + ids[0], status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "marks", call: "GET /" + model + "/" + plain[0] + "?source=map&preview=" + token, status: 200,
			want: obj{"meta.sources": present, "meta.preview.release": release}},
		step{name: "marks of a list", call: "GET /" + model + "?per_page=1&source=map&preview=" + token, status: 200,
			want: obj{"meta.sources./data/0/title": present}},
	)
	admin.ok(t, 202, "POST /releases/"+release+"/publish", nil)
	if a := s.ended(t, "/releases/"+release); a.get("data.status") != "published" {
		t.Fatalf("the release is %v: %s", a.get("data.status"), a.Raw)
	}
	for _, call := range slices.Sorted(maps.Keys(ahead)) {
		api, path, _ := strings.Cut(call, " ")
		reader := k
		if api == "delivery" {
			reader = delivery
		}
		var got string
		s.eventually(t, call+" is as in the preview\n"+ahead[call]+"\n", func() bool {
			if strings.HasSuffix(path, ".xml") {
				got = shownBy(reader.raw(t, path))
			} else {
				got = shownBy(reader.do(t, "GET "+path, nil))
			}
			return got == ahead[call]
		})
	}
	if now := s.walkPreview(t, k, "/"+model+"?sort=-title&per_page=2", ""); !slices.Equal(now, walked) {
		t.Errorf("cursors lead to %v, in the preview to %v", now, walked)
	}
	k.step(t, step{name: "a published release", call: "GET /" + model + "?preview=" + token, status: 200,
		want: obj{"meta.preview": obj{"release": release, "changes": 0}}})
}

func with(call, parameter string) string {
	if strings.Contains(call, "?") {
		return call + "&" + parameter
	}
	return call + "?" + parameter
}

// walkPreview lists the titles of all pages of a list by their cursors.
func (s *suite) walkPreview(t *testing.T, k *client, call, token string) (titles []string) {
	t.Helper()
	if token != "" {
		call = with(call, "preview="+token)
	}
	for cursor := ""; ; {
		page := call
		if cursor != "" {
			page = with(call, "cursor="+url.QueryEscape(cursor))
		}
		a := k.ok(t, 200, "GET "+page, nil)
		data, _ := a.get("data").(list)
		for _, e := range data {
			titles = append(titles, str(dig(e, "title")))
		}
		next, _ := a.get("meta.next_cursor").(string)
		if next == "" || len(titles) > 100 {
			if got := len(titles); fmt.Sprint(a.get("meta.total")) != fmt.Sprint(got) {
				t.Errorf("%s: %d titles, total %v", call, got, a.get("meta.total"))
			}
			return titles
		}
		cursor = next
	}
}

// siteDrafts looks at the site with all drafts, as far as their maker may read them.
func siteDrafts(t *testing.T, s *suite) {
	k := s.key(t, nil)
	path := "/" + unique("at")
	hidden, model := s.model(t, nil), s.model(t, obj{"fields": list{field("body", "text", nil), field("secret", "text", nil)},
		"visible_fields": list{"body"}, "url": path + "/{slug}"})
	_, limited := s.role(t, obj{"models": list{model}})
	draft := k.create(t, model, obj{"title": "Draft", "data": obj{"body": "d", "secret": "CANARY"}}).str(t, "data.id")
	live := k.publish(t, model, "Live", obj{"body": "l"})
	k.ok(t, 200, "PUT /"+model+"/"+live+"/draft", obj{"title": "Changed", "slug": "changed"})
	gone := k.create(t, model, obj{"title": "Archived", "status": "archived"}).str(t, "data.id")
	k.ok(t, 200, "PUT /"+model+"/"+gone+"/draft", obj{"title": "Archived too"})
	unseen := k.create(t, hidden, obj{"title": "Unseen"}).str(t, "data.id")
	token := url.QueryEscape(limited.step(t, step{call: "POST /previews", body: obj{"drafts": true}, status: 201,
		want: obj{"data.changes": 2, "data.problems.#": 0}}).str(t, "data.token"))
	at := "?preview=" + token
	k.run(t,
		step{name: "list", call: "GET /" + model + at + "&sort=title", status: 200, want: obj{"meta.total": 2,
			"data.0.title": "Changed", "data.1.title": "Draft", "data.1.status": "published", "data.1.published_at": timestamp,
			"data.1.data.secret": nil, "meta.preview": obj{"drafts": true, "changes": 2}}},
		step{name: "by its new slug", call: "GET /" + model + "/changed" + at, status: 200, want: obj{"data.id": live}},
		step{name: "archived", call: "GET /" + model + "/" + gone + at, status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "not read by the maker", call: "GET /" + hidden + "/" + unseen + at, status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "a search", call: "GET /" + model + at + "&q=draft", status: 400, code: "BAD_REQUEST"},
		step{name: "search", call: "GET /search" + at + "&q=draft", status: 400, code: "BAD_REQUEST"},
		step{name: "source", call: "GET /" + model + "/" + draft + at + "&source=other", status: 400, code: "BAD_REQUEST"},
		step{name: "a key that may not read it", call: "GET /" + model + at, status: 200},
	)
	s.key(t, obj{"models": list{hidden}}).step(t, step{name: "of another model", call: "GET /" + model + at, status: 404,
		code: "MODEL_NOT_FOUND"})
	d := s.publishable(t, nil)
	own := s.publishable(t, obj{"models": list{model}})
	s.eventually(t, "the redirect of a draft's slug", func() bool { // other scenarios change redirects meanwhile
		for page := 1; ; page++ {
			a := own.ok(t, 200, "GET /redirects"+at+"&per_page=100&page="+strconv.Itoa(page), nil)
			for _, r := range a.get("data").(list) {
				if dig(r, "from") == path+"/live" {
					return dig(r, "to") == path+"/changed" && dig(a.get("meta.preview"), "changes") == 2.0
				}
			}
			if len(a.get("data").(list)) == 0 {
				return false
			}
		}
	})
	d.run(t, step{name: "sync", call: "GET /sync" + at, status: 400, code: "BAD_REQUEST"},
		step{name: "feed", call: "GET /" + model + "/feed.xml" + at, status: 400, code: "BAD_REQUEST"},
		step{name: "a wrong token of a sitemap", call: "GET /sitemap.xml?preview=x", status: 403, code: "FORBIDDEN"},
		step{name: "by its former slug", call: "GET /" + model + "/live" + at, status: 200, want: obj{"meta.moved_to": "changed"}},
		step{name: "delivered", call: "GET /" + model + "/" + draft + at, status: 200, header: obj{"Cache-Control": "no-store"},
			want: obj{"data.title": "Draft", "meta.preview.changes": 2}})
	k.ok(t, 200, "PUT /"+model+"/"+live+"/draft", obj{"title": "Changed again"})
	k.step(t, step{name: "looked up at each read", call: "GET /" + model + "/" + live + at, status: 200,
		want: obj{"data.title": "Changed again"}})
}

// siteByAdmin compares what a preview shows to a key with the role admin with what it shows to any other.
func siteByAdmin(t *testing.T, s *suite) {
	s.useLocale(t, "de", "Deutsch")
	k, admin := s.key(t, nil), s.adminKey(t)
	model, single := s.model(t, obj{"localized": true, "tree": true}), s.model(t, obj{"kind": "single"})
	from := s.model(t, obj{"fields": list{field("to", "relation", obj{"model": model, "many": true}), field("note", "text", nil)},
		"visible_fields": list{"to"}})
	_, maker := s.role(t, obj{"models": list{model, single, from}}) // sees no drafts of other scenarios
	live := k.create(t, model, obj{"title": "Live", "status": "published"}).str(t, "data.id")
	draft := k.create(t, model, obj{"title": "Draft", "locale": "de", "translation_of": live}).str(t, "data.id")
	archived := k.create(t, model, obj{"title": "Archived", "status": "archived"}).str(t, "data.id")
	k.create(t, single, obj{"title": "Single"})
	referring := k.publish(t, from, "From", obj{"to": list{live, draft, archived}, "note": "n"})
	reads := []string{"/" + single, "/" + single + "/single", "/" + from + "?include=to&fields=data.to", "/" + model + "/tree", "/" + model + "/tree?locale=de"}
	for _, path := range []string{draft, archived, "archived", "draft?locale=de", "live?translations=true", live + "?locale=de&fallback=true"} {
		reads = append(reads, "/"+model+"/"+path)
	}
	for _, filters := range []string{"", "filter[status]=any", "filter[status]=draft", "filter[status]=archived", "locale=any"} {
		reads = append(reads, "/"+model+"?sort=title&"+filters)
	}
	release := s.admin(t).ok(t, 201, "POST /releases", obj{"name": "R", "items": list{}}).str(t, "data.id")
	for _, of := range []obj{{"at": fromNow(time.Hour)}, {"release": release}, {"drafts": true}} {
		token := url.QueryEscape(maker.ok(t, 201, "POST /previews", of).str(t, "data.token"))
		for _, call := range reads {
			call = "GET " + with(call, "preview="+token)
			if got, want := shownBy(admin.do(t, call, nil)), shownBy(k.do(t, call, nil)); got != want {
				t.Errorf("%v, %s: %s, others get %s", of, call, got, want)
			}
		}
		admin.step(t, step{name: "hidden fields", call: "GET /" + from + "/" + referring + "?preview=" + token, status: 200,
			want: obj{"data.data.note": "n"}})
	}
}

// siteTree looks at the entries below one whose draft has another slug.
func siteTree(t *testing.T, s *suite) {
	k := s.adminKey(t)
	at := "/" + unique("at")
	model := s.model(t, obj{"tree": true, "url": at + "/{path}"})
	_, limited := s.role(t, obj{"models": list{model}}) // sees no drafts of other scenarios
	above := k.publish(t, model, "Above", nil)
	below := k.create(t, model, obj{"title": "Below", "parent": above}).str(t, "data.id")
	k.ok(t, 200, "PUT /"+model+"/"+above+"/draft", obj{"slug": "now"})
	token := "?preview=" + url.QueryEscape(limited.ok(t, 201, "POST /previews", obj{"drafts": true}).str(t, "data.token"))
	k.run(t, step{name: "tree", call: "GET /" + model + "/tree" + token, status: 200,
		want: obj{"data.0.children.0.url": at + "/now/below"}},
		step{name: "resolve", call: "GET /resolve" + token + "&path=" + at + "/now/below", status: 200, want: obj{"data.id": below}})
	if a := s.publishable(t, obj{"models": list{model}}).raw(t, "/sitemap-1.xml"+token); !strings.Contains(string(a.Raw), at+"/now/below<") {
		t.Errorf("the sitemap is %s", a.Raw)
	}
}

// siteUntil looks at the site as of times between plans.
func siteUntil(t *testing.T, s *suite) {
	k, admin := s.key(t, nil), s.admin(t)
	model := s.model(t, obj{"url": "/" + unique("at") + "/{year}/{slug}"})
	one := k.create(t, model, obj{"title": "One"}).str(t, "data.id")
	two := k.publish(t, model, "Two", nil)
	first, second, third := fromNow(time.Hour), fromNow(2*time.Hour), fromNow(3*time.Hour)
	admin.ok(t, 200, "PUT /models/"+model+"/entries/"+one+"/schedule", obj{"publish_at": first, "unpublish_at": third})
	admin.ok(t, 201, "POST /releases", obj{"name": "R", "publish_at": second, "items": list{item(model, two, "unpublish")}})
	_, limited := s.role(t, obj{"models": list{model}})
	for _, c := range []struct {
		at, titles string
		changes    int
	}{{fromNow(30 * time.Minute), "Two", 0}, {first, "One,Two", 1}, {fromNow(90 * time.Minute), "One,Two", 1},
		{second, "One", 2}, {third, "", 2}, {fromNow(-time.Hour), "Two", 0}} {
		token := url.QueryEscape(limited.step(t, step{name: c.at, call: "POST /previews", body: obj{"at": c.at}, status: 201,
			want: obj{"data.changes": c.changes, "data.problems.#": 0}}).str(t, "data.token"))
		titles := s.walkPreview(t, k, "/"+model+"?sort=title", token)
		if got := strings.Join(titles, ","); got != c.titles {
			t.Errorf("as of %s: %s, not %s", c.at, got, c.titles)
		}
		k.step(t, step{call: "GET /" + model + "?preview=" + token, status: 200,
			want: obj{"meta.preview": obj{"at": c.at, "changes": c.changes}}})
		if c.at == first {
			k.step(t, step{call: "GET /" + model + "/one?urls=true&preview=" + token, status: 200, want: obj{
				"data.published_at": first, "data.updated_at": first, "data.version": 2, "data.url": matches("/" + first[:4] + "/one$")}})
		}
	}
}

// siteLinks makes, lists and ends links to the site.
func siteLinks(t *testing.T, s *suite) {
	k, admin := s.key(t, nil), s.admin(t)
	model := s.model(t, nil)
	id := k.create(t, model, obj{"title": "Draft"}).str(t, "data.id")
	slug, limited := s.role(t, obj{"models": list{model}})
	refused := func(name string, body obj, on ...string) step {
		return step{name: name, call: "POST /previews", body: body, status: 422, code: "VALIDATION_FAILED", details: on}
	}
	limited.run(t,
		refused("none", obj{}, "at"), refused("two", obj{"drafts": true, "at": fromNow(time.Hour)}, "at", "drafts"),
		refused("false", obj{"drafts": false}, "drafts"), refused("no time", obj{"at": "soon"}, "at"),
		refused("no release", obj{"release": noID}, "release"), refused("no locale", obj{"drafts": true, "locales": list{"xx"}}, "locales"),
		refused("no locales", obj{"drafts": true, "locales": list{}}, "locales"),
		refused("too long", obj{"drafts": true, "expires_in": 2592001}, "expires_in"),
		refused("unknown", obj{"drafts": true, "x": 1}, "x"),
	)
	made := limited.ok(t, 201, "POST /previews", obj{"drafts": true, "name": "All", "locales": list{s.defaultLocale(t)}})
	token, link := url.QueryEscape(made.str(t, "data.token")), made.str(t, "data.id")
	limited.step(t, step{name: "listed", call: "GET /previews", status: 200, want: obj{"data.#": 1, "data.0.id": link,
		"data.0.kind": "site", "data.0.at": timestamp, "data.0.expires_at": made.str(t, "data.expires_at"), "data.0.token": nil,
		"data.0.view.name": "All"}})
	read := "GET /" + model + "/" + id + "?preview=" + token
	k.step(t, step{call: read, status: 200})
	if !s.walk(t, "/activity", func(v any) bool {
		return dig(v, "event") == "preview.created" && dig(v, "subject") == "site preview All"
	}) {
		t.Error("the link is not in the activity log")
	}
	limited.step(t, step{name: "end", call: "DELETE /previews/" + link, status: 204})
	k.run(t, step{name: "ended", call: read, status: 403, code: "FORBIDDEN"},
		step{name: "ended, of a list", call: "GET /" + model + "?preview=" + token, status: 403, code: "FORBIDDEN"},
		step{name: "ended, of a menu", call: "GET /menus/none?preview=" + token, status: 403, code: "FORBIDDEN"})
	token = url.QueryEscape(limited.ok(t, 201, "POST /previews", obj{"drafts": true}).str(t, "data.token"))
	admin.ok(t, 200, "PUT /roles/"+slug, obj{"rules": list{obj{"models": list{model}, "actions": list{"read"}}}})
	k.step(t, step{name: "a maker who may write nothing", call: "GET /" + model + "/" + id + "?preview=" + token, status: 403,
		code: "FORBIDDEN"})
	limited.step(t, step{name: "nor makes any", call: "POST /previews", body: obj{"drafts": true}, status: 403, code: "FORBIDDEN"})
}

// siteTranslations compares reads of translations, in a preview of the release that publishes some, with the same reads
// after it was published.
func siteTranslations(t *testing.T, s *suite) {
	s.useLocale(t, "de", "Deutsch")
	k, admin, en := s.key(t, nil), s.admin(t), s.defaultLocale(t)
	at := "/" + unique("at")
	model := s.model(t, obj{"localized": true, "url": at + "/{locale}/{path}", "tree": true,
		"fields": list{field("word", "text", nil), field("code", "text", obj{"translatable": false})}})
	admin.ok(t, 200, "PUT /models/"+model, obj{"fields": list{field("word", "text", nil), field("code", "text", obj{"translatable": false}),
		field("next", "relation", obj{"model": model})}})
	var items list
	var ids []string
	for i := range 8 {
		original, translation := "published", "draft"
		if i%2 == 1 {
			original, translation = "draft", "published"
		}
		one := k.create(t, model, obj{"title": fmt.Sprintf("Page %d", i), "status": original, "data": obj{"word": "a", "code": fmt.Sprint("c", i%3)}}).str(t, "data.id")
		two := k.create(t, model, obj{"title": fmt.Sprintf("Seite %d", i), "status": translation, "locale": "de", "translation_of": one,
			"data": obj{"word": "b", "next": one}}).str(t, "data.id")
		ids = append(ids, one, two)
		for j, status := range []string{original, translation} {
			id := ids[2*i+j]
			action := "publish"
			if status == "published" {
				if action = "unpublish"; i%4 < 2 {
					k.ok(t, 200, "PUT /"+model+"/"+id+"/draft", obj{"slug": fmt.Sprintf("now-%d-%d", i, j), "data": obj{"code": fmt.Sprint("d", i%2)}})
					action = "publish"
				}
			}
			if i < 6 {
				items = append(items, item(model, id, action))
			}
		}
	}
	menu := unique("menu")
	var entries list
	for _, id := range ids[:8] {
		entries = append(entries, obj{"entry": obj{"model": model, "id": id}})
	}
	admin.ok(t, 201, "POST /menus", obj{"slug": menu, "name": "Menu", "items": obj{en: entries}})
	release := admin.ok(t, 201, "POST /releases", obj{"name": "R", "items": items}).str(t, "data.id")
	reads := []string{"/sitemap-1.xml", "/menus/" + menu, "/menus/" + menu + "?locale=de", "/menus/" + menu + "?locale=de&fallback=true",
		"/" + model + "/tree", "/" + model + "/tree?locale=de"}
	for _, more := range []string{"locale=de", "locale=de&fallback=true", "locale=de&fallback=true&per_page=2&page=2&sort=title", "fallback=true",
		"locale=any&sort=title", "translations=true&urls=true", "locale=de&translations=true&include=next", "locale=de&fallback=true&filter[data.code]=c1",
		"locale=de&fallback=true&filter[data.word]=a&sort=-data.code", "filter[data.code]=d1", "locale=de&include=next&fallback=true"} {
		reads = append(reads, "/"+model+"?"+more)
	}
	for i, id := range ids {
		reads = append(reads, "/"+model+"/"+id, "/"+model+"/"+id+"?locale=de&fallback=true&translations=true&urls=true",
			fmt.Sprintf("/resolve?path=%s/%s/page-%d", at, en, i/2), fmt.Sprintf("/resolve?path=%s/de/seite-%d&fallback=true", at, i/2),
			fmt.Sprintf("/resolve?path=%s/de/page-%d&fallback=true", at, i/2), fmt.Sprintf("/resolve?path=%s/%s/now-%d-%d", at, en, i/2, i%2),
			fmt.Sprintf("/%s/page-%d?locale=de&fallback=true", model, i/2), fmt.Sprintf("/%s/now-%d-%d?locale=any", model, i/2, i%2))
	}
	delivery := s.publishable(t, obj{"models": list{model}})
	s.publishesAsPreviewed(t, release, reads, func(call string) answer {
		if strings.Contains(call, ".xml") {
			return delivery.raw(t, call)
		}
		return k.do(t, "GET "+call, nil)
	})
}

// publishesAsPreviewed publishes a release, and compares reads with the same reads of its preview before.
func (s *suite) publishesAsPreviewed(t *testing.T, release string, reads []string, read func(call string) answer) {
	t.Helper()
	admin, ahead := s.admin(t), map[string]string{}
	token := url.QueryEscape(admin.ok(t, 201, "POST /previews", obj{"release": release}).str(t, "data.token"))
	for _, call := range reads {
		ahead[call] = shownBy(read(with(call, "preview="+token)))
	}
	admin.ok(t, 202, "POST /releases/"+release+"/publish", nil)
	if a := s.ended(t, "/releases/"+release); a.get("data.status") != "published" {
		t.Fatalf("the release is %v: %s", a.get("data.status"), a.Raw)
	}
	for _, call := range reads {
		s.eventually(t, call+" is as in the preview\n"+ahead[call]+"\n", func() bool { return shownBy(read(call)) == ahead[call] })
	}
}

// siteChildren compares reads of a tree, in a preview of the release that takes entries out of its middle, with the same
// reads after it was published: entries below them move up to the end, or leave with them, also those that the release
// moves or publishes before.
func siteChildren(t *testing.T, s *suite) {
	k, admin := s.key(t, nil), s.admin(t)
	at := "/" + unique("at")
	model := s.model(t, obj{"tree": true, "url": at + "/{path}"})
	ids := obj{}
	for i, e := range []struct{ title, parent string }{{"Opens", ""}, {"One", "Opens"}, {"Two", "Opens"}, {"Three", "Two"},
		{"Closes", ""}, {"Four", "Closes"}, {"Five", "Four"}, {"New", "Four"}, {"Last", ""}} {
		ids[e.title] = k.create(t, model, obj{"title": e.title, "parent": ids[e.parent], "position": i,
			"status": map[bool]string{true: "draft", false: "published"}[e.title == "New"]}).str(t, "data.id")
	}
	one := func(title, action, children string) obj {
		i := item(model, str(ids[title]), action)
		if children != "" {
			i["children"] = children
		}
		return i
	}
	release := admin.ok(t, 201, "POST /releases", obj{"name": "R", "items": list{one("New", "publish", ""),
		one("Opens", "unpublish", "up"), one("Closes", "unpublish", "down"), one("Two", "unpublish", "up")}}).str(t, "data.id")
	reads := []string{"/" + model + "/tree", "/" + model + "?sort=position&urls=true", "/" + model + "?filter[parent][null]=true&sort=-position"}
	for _, path := range []string{"/opens/one", "/one", "/closes/four/five", "/closes/four/new", "/three", "/two/three", "/opens/two/three"} {
		reads = append(reads, "/resolve?path="+at+path)
	}
	s.publishesAsPreviewed(t, release, reads, func(call string) answer { return k.do(t, "GET "+call, nil) })
}

// siteProblems compares the problems that a preview names with those of the check of a release.
func siteProblems(t *testing.T, s *suite) {
	k, admin := s.key(t, nil), s.admin(t)
	model := s.model(t, nil)
	_, writer := s.role(t, obj{"models": list{model}, "actions": list{"read", "write"}})
	create := func(title string) string { return k.create(t, model, obj{"title": title}).str(t, "data.id") }
	fine, changed, gone, planned := create("Fine"), create("Changed"), create("Gone"), create("Planned")
	release := admin.ok(t, 201, "POST /releases", obj{"name": "R", "items": list{item(model, fine, "publish"),
		item(model, changed, "publish"), item(model, gone, "publish")}}).str(t, "data.id")
	later := fromNow(time.Hour)
	admin.ok(t, 200, "PUT /models/"+model+"/entries/"+planned+"/schedule", obj{"publish_at": later})
	writer.step(t, step{name: "a plan goes by the rights of who made it", call: "POST /previews", body: obj{"at": later}, status: 201,
		want: obj{"data.changes": 1, "data.problems.#": 0}})
	for _, id := range []string{changed, planned} { // which its planner has not seen
		writer.ok(t, 200, "PUT /models/"+model+"/entries/"+id, obj{"title": "Other"})
	}
	k.ok(t, 204, "DELETE /"+model+"/"+gone, nil)
	want := admin.step(t, step{name: "check", call: "POST /releases/" + release + "/check", status: 200,
		want: obj{"data.#": 2}}).get("data")
	for _, c := range []struct {
		name    string
		body    obj
		changes int
	}{{"release", obj{"release": release}, 2}, {"locale", obj{"release": release, "locales": list{s.defaultLocale(t)}}, 2}} {
		a := admin.step(t, step{name: c.name, call: "POST /previews", body: c.body, status: 201, want: obj{"data.changes": c.changes}})
		if got := fmt.Sprint(a.get("data.problems")); got != fmt.Sprint(want) {
			t.Errorf("%s: the problems are %s, those of the check %v", c.name, got, want)
		}
	}
	writer.step(t, step{name: "a plan that was changed", call: "POST /previews", body: obj{"at": later}, status: 201,
		want: obj{"data.changes": 1, "data.problems.#": 1, "data.problems.0.id": planned, "data.problems.0.code": "CONFLICT"}})
	admin.ok(t, 200, "PUT /releases/"+release, obj{"publish_at": fromNow(30 * time.Minute)})
	writer.step(t, step{name: "a release in a time", call: "POST /previews", body: obj{"at": later}, status: 201,
		want: obj{"data.problems.#": 3}})
}
