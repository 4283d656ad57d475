package previews

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// timeless returns an answer without the parts that depend on the time of the request, and without the
// description of the preview.
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

// shownBy returns the status and the content of an answer; of XML, its addresses.
func shownBy(a kit.Answer) string {
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
func sitePreviews(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	k, admin, en := s.Key(t, nil), s.Admin(t), s.DefaultLocale(t)
	at := "/" + kit.Unique("at")
	tag := s.Model(t, kit.Obj{"localized": true})
	model := s.Model(t, kit.Obj{"localized": true, "url": at + "/{locale}/{slug}", "fields": kit.List{
		kit.Field("word", "text", nil)}})
	admin.Put(t, "/models/"+model, kit.Obj{"fields": kit.List{kit.Field("word", "text", nil),
		kit.Field("size", "number", nil), kit.Field("tags", "relation", kit.Obj{"model": tag, "many": true}),
		kit.Field("next", "relation", kit.Obj{"model": model})}})
	single := s.Model(t, kit.Obj{"kind": "single"})
	tags := kit.List{k.Publish(t, tag, "Red", nil), k.Create(t, tag, kit.Obj{"title": "Blue"}).Str(t, "data.id")}
	items := kit.List{kit.ReleaseItem(tag, kit.Str(tags[1]), "publish")}
	one := k.Create(t, single, kit.Obj{"title": "Home", "data": kit.Obj{"body": "b"}}).Str(t, "data.id")
	items = append(items, kit.ReleaseItem(single, one, "publish"))
	var ids, plain []string
	for i := range 12 {
		title := fmt.Sprintf("Page %d", i)
		data := kit.Obj{"word": string(rune('a' + i%3)), "size": i, "tags": tags}
		if i > 0 {
			data["next"] = ids[i-1]
		}
		id := k.Create(t, model, kit.Obj{"title": title, "data": data}).Str(t, "data.id")
		ids = append(ids, id)
		if i%4 != 0 {
			k.Put(t, "/"+model+"/"+id, kit.Obj{"status": "published"})
		}
		if i%3 == 0 {
			k.Post(t, "/"+model, kit.Obj{"title": "Seite", "locale": "de", "translation_of": id,
				"status": "published", "data": kit.Obj{"word": "x", "tags": tags}})
		}
		switch i % 4 {
		case 0:
			items = append(items, kit.ReleaseItem(model, id, "publish"))
		case 1:
			k.Put(t, "/"+model+"/"+id+"/draft", kit.Obj{"title": "Changed " + title, "slug": fmt.Sprintf("new-%d", i),
				"data": kit.Obj{"word": "c", "size": 100 - i}})
			items = append(items, kit.ReleaseItem(model, id, "publish"))
		case 2:
			items = append(items, kit.ReleaseItem(model, id, "unpublish"))
		default:
			plain = append(plain, id)
		}
	}
	menu := kit.Unique("menu")
	admin.Post(t, "/menus", kit.Obj{"slug": menu, "name": "Menu", "items": kit.Obj{en: kit.List{
		kit.Obj{"entry": kit.Obj{"model": model, "id": ids[0]}}, kit.Obj{"entry": kit.Obj{"model": model, "id": ids[1]}},
		kit.Obj{"entry": kit.Obj{"model": model, "id": ids[2]},
			"children": kit.List{kit.Obj{"entry": kit.Obj{"model": model, "id": ids[3]}}}}}}})
	release := admin.Post(t, "/releases", kit.Obj{"name": "R", "items": items}).Str(t, "data.id")
	made := admin.Step(t, kit.Step{Call: "POST /previews",
		Body: kit.Obj{"release": release, "name": "For review", "expires_in": 600}, Status: 201,
		Want: kit.Obj{"data.changes": len(items), "data.problems.#": 0, "data.id": kit.Present,
			"data.expires_at": kit.Timestamp}})
	token := url.QueryEscape(made.Str(t, "data.token"))

	reads := []string{"/" + single, "/" + single + "/single", "/menus/" + menu,
		"/menus/" + menu + "?locale=de&fallback=true", "/" + tag, "/resolve?path=" + at + "/" + en + "/page-1",
		"/resolve?path=" + at + "/" + en + "/new-1&include=next,tags&urls=true&translations=true",
		"/resolve?path=" + at + "/" + en + "/page-0", "/resolve?path=" + at + "/" + en + "/page-2"}
	for _, more := range []string{"", "filter[data.word]=c", "filter[data.word][ne]=c&sort=-data.size", "sort=title",
		"sort=-slug", "filter[data.size][gte]=5", "filter[data.word]=a&filter[data.size][lt]=50",
		"filter[title][contains]=changed", "sort=data.word,-title", "filter[id][in]=" + strings.Join(ids[:3], ","),
		"include=next.next,tags", "fallback=true&locale=de", "translations=true&urls=true", "locale=any",
		"locale=de&include=tags", "filter[data.word][null]=true", "per_page=2&page=2&sort=title",
		"per_page=3&page=3&sort=-data.size", "fields=title,data.word&sort=data.size",
		"filter[data.tags]=" + kit.Str(tags[1])} {
		reads = append(reads, "/"+model+"?"+more)
	}
	for i, id := range ids {
		reads = append(reads, "/"+model+"/"+id, "/"+model+"/"+id+"?include=next,tags&translations=true&urls=true",
			fmt.Sprintf("/%s/page-%d", model, i), fmt.Sprintf("/%s/new-%d?fallback=true&locale=de", model, i))
	}
	walked := walkPreview(t, k, "/"+model+"?sort=-title&per_page=2", token)
	k.Run(t,
		kit.Step{Name: "meta", Call: "GET /" + model + "?preview=" + token, Header: kit.Obj{"Cache-Control": "no-store"},
			Want: kit.Obj{"meta.preview": kit.Obj{"release": release, "changes": len(items)}, "data.0.status": "published"}},
		kit.Step{Name: "without", Call: "GET /" + model + "/" + ids[0], Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "marks", Call: "GET /" + model + "/" + plain[0] + "?source=map&preview=" + token,
			Want: kit.Obj{"meta.sources": kit.Present, "meta.preview.release": release}},
		kit.Step{Name: "marks of a list", Call: "GET /" + model + "?per_page=1&source=map&preview=" + token,
			Want: kit.Obj{"meta.sources./data/0/title": kit.Present}},
	)
	delivery := s.PublishableKey(t, kit.Obj{"models": kit.List{model, single, tag}})
	calls := []string{"delivery /sitemap.xml", "delivery /sitemap-1.xml"}
	for _, call := range reads {
		calls = append(calls, "api "+call, "delivery "+call)
	}
	publishesAsPreviewed(t, s, release, calls, func(call string) kit.Answer {
		api, path, _ := strings.Cut(call, " ")
		if api == "api" {
			return k.Do(t, "GET "+path, nil)
		} else if strings.HasPrefix(path, "/sitemap") {
			return delivery.Fetch(t, path)
		}
		return delivery.Do(t, "GET "+path, nil)
	})
	kit.Same(t, "by cursors", walkPreview(t, k, "/"+model+"?sort=-title&per_page=2", ""), walked)
	k.Step(t, kit.Step{Name: "a published release", Call: "GET /" + model + "?preview=" + token,
		Want: kit.Obj{"meta.preview": kit.Obj{"release": release, "changes": 0}}})
}

// siteTranslations compares reads of translations, in a preview of the release that publishes some, with the same reads
// after it was published.
func siteTranslations(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	k, admin, en := s.Key(t, nil), s.Admin(t), s.DefaultLocale(t)
	at := "/" + kit.Unique("at")
	model := s.Model(t, kit.Obj{"localized": true, "url": at + "/{locale}/{path}", "tree": true,
		"fields": kit.List{kit.Field("word", "text", nil), kit.Field("code", "text", kit.Obj{"translatable": false})}})
	admin.Put(t, "/models/"+model, kit.Obj{"fields": kit.List{kit.Field("word", "text", nil),
		kit.Field("code", "text", kit.Obj{"translatable": false}), kit.Field("next", "relation", kit.Obj{"model": model})}})
	var items kit.List
	var ids []string
	for i := range 8 {
		original, translation := "published", "draft"
		if i%2 == 1 {
			original, translation = "draft", "published"
		}
		one := k.Create(t, model, kit.Obj{"title": fmt.Sprintf("Page %d", i), "status": original,
			"data": kit.Obj{"word": "a", "code": fmt.Sprint("c", i%3)}}).Str(t, "data.id")
		two := k.Create(t, model, kit.Obj{"title": fmt.Sprintf("Seite %d", i), "status": translation, "locale": "de",
			"translation_of": one, "data": kit.Obj{"word": "b", "next": one}}).Str(t, "data.id")
		ids = append(ids, one, two)
		for j, status := range []string{original, translation} {
			id := ids[2*i+j]
			action := "publish"
			if status == "published" {
				if action = "unpublish"; i%4 < 2 {
					k.Put(t, "/"+model+"/"+id+"/draft",
						kit.Obj{"slug": fmt.Sprintf("now-%d-%d", i, j), "data": kit.Obj{"code": fmt.Sprint("d", i%2)}})
					action = "publish"
				}
			}
			if i < 6 {
				items = append(items, kit.ReleaseItem(model, id, action))
			}
		}
	}
	menu := kit.Unique("menu")
	var entries kit.List
	for _, id := range ids[:8] {
		entries = append(entries, kit.Obj{"entry": kit.Obj{"model": model, "id": id}})
	}
	admin.Post(t, "/menus", kit.Obj{"slug": menu, "name": "Menu", "items": kit.Obj{en: entries}})
	release := admin.Post(t, "/releases", kit.Obj{"name": "R", "items": items}).Str(t, "data.id")
	reads := []string{"/sitemap-1.xml", "/menus/" + menu, "/menus/" + menu + "?locale=de",
		"/menus/" + menu + "?locale=de&fallback=true", "/" + model + "/tree", "/" + model + "/tree?locale=de"}
	for _, more := range []string{"locale=de", "locale=de&fallback=true",
		"locale=de&fallback=true&per_page=2&page=2&sort=title", "fallback=true", "locale=any&sort=title",
		"translations=true&urls=true", "locale=de&translations=true&include=next",
		"locale=de&fallback=true&filter[data.code]=c1", "locale=de&fallback=true&filter[data.word]=a&sort=-data.code",
		"filter[data.code]=d1", "locale=de&include=next&fallback=true"} {
		reads = append(reads, "/"+model+"?"+more)
	}
	for i, id := range ids {
		reads = append(reads, "/"+model+"/"+id, "/"+model+"/"+id+"?locale=de&fallback=true&translations=true&urls=true",
			fmt.Sprintf("/resolve?path=%s/%s/page-%d", at, en, i/2),
			fmt.Sprintf("/resolve?path=%s/de/seite-%d&fallback=true", at, i/2),
			fmt.Sprintf("/resolve?path=%s/de/page-%d&fallback=true", at, i/2),
			fmt.Sprintf("/resolve?path=%s/%s/now-%d-%d", at, en, i/2, i%2),
			fmt.Sprintf("/%s/page-%d?locale=de&fallback=true", model, i/2),
			fmt.Sprintf("/%s/now-%d-%d?locale=any", model, i/2, i%2))
	}
	delivery := s.PublishableKey(t, kit.Obj{"models": kit.List{model}})
	publishesAsPreviewed(t, s, release, reads, func(call string) kit.Answer {
		if strings.Contains(call, ".xml") {
			return delivery.Fetch(t, call)
		}
		return k.Do(t, "GET "+call, nil)
	})
}

// publishesAsPreviewed publishes a release, and compares reads with the same reads of its preview before.
func publishesAsPreviewed(t *testing.T, s *kit.Suite, release string, reads []string,
	read func(call string) kit.Answer) {
	t.Helper()
	admin, ahead := s.Admin(t), map[string]string{}
	token := url.QueryEscape(admin.Post(t, "/previews", kit.Obj{"release": release}).Str(t, "data.token"))
	for _, call := range reads {
		ahead[call] = shownBy(read(with(call, "preview="+token)))
	}
	admin.OK(t, 202, "POST /releases/"+release+"/publish", nil)
	s.EndOfRelease(t, "/releases/"+release).Has(t, "the release", kit.Obj{"data.status": "published"})
	for _, call := range reads {
		s.Eventually(t, call+" is as in the preview\n"+ahead[call]+"\n",
			func() bool { return shownBy(read(call)) == ahead[call] })
	}
}

// siteChildren compares reads of a tree, in a preview of the release that takes entries out of its middle, with the
// same reads after it was published: entries below them move up to the end, or leave with them, also those that the
// release moves or publishes before.
func siteChildren(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.Admin(t)
	at := "/" + kit.Unique("at")
	model := s.Model(t, kit.Obj{"tree": true, "url": at + "/{path}"})
	ids := kit.Obj{}
	for i, e := range []struct{ title, parent string }{{"Opens", ""}, {"One", "Opens"}, {"Two", "Opens"},
		{"Three", "Two"}, {"Closes", ""}, {"Four", "Closes"}, {"Five", "Four"}, {"New", "Four"}, {"Last", ""},
		{"New one", "Opens"}, {"Top", ""}, {"Middle", "Top"}, {"Low", "Middle"}} {
		ids[e.title] = k.Create(t, model, kit.Obj{"title": e.title, "parent": ids[e.parent], "position": i,
			"status": map[bool]string{true: "draft", false: "published"}[strings.HasPrefix(e.title, "New")]}).Str(t, "data.id")
	}
	one := func(title, action, children string) kit.Obj {
		i := kit.ReleaseItem(model, kit.Str(ids[title]), action)
		if children != "" {
			i["children"] = children
		}
		return i
	}
	release := admin.Post(t, "/releases", kit.Obj{"name": "R", "items": kit.List{one("New", "publish", ""),
		one("New one", "publish", ""), one("Opens", "unpublish", "up"), one("Closes", "unpublish", "down"),
		one("Two", "unpublish", "up"), one("Middle", "unpublish", "up"), one("Top", "unpublish", "up")}}).Str(t, "data.id")
	reads := []string{"/" + model + "/tree", "/" + model + "?sort=position&urls=true",
		"/" + model + "?filter[parent][null]=true&sort=-position"}
	for _, path := range []string{"/opens/one", "/one", "/closes/four/five", "/closes/four/new", "/three", "/two/three",
		"/opens/two/three", "/opens/new-one", "/top/middle/low", "/top/low", "/middle/low"} {
		reads = append(reads, "/resolve?path="+at+path)
	}
	publishesAsPreviewed(t, s, release, reads, func(call string) kit.Answer { return k.Do(t, "GET "+call, nil) })
}
