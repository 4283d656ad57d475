package previews

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"headless/pkg/e2e/kit"
)

// Sites has the scenarios of previews of the site as a release or a day will leave it.
var Sites = []kit.Scenario{
	{Name: "preview/site", Run: sitePreviews},
	{Name: "preview/site drafts", Run: siteDrafts},
	{Name: "preview/site by an admin", Run: siteByAdmin},
	{Name: "preview/site until", Run: siteUntil},
	{Name: "preview/site tree", Run: siteTree},
	{Name: "preview/site children", Run: siteChildren},
	{Name: "preview/site links", Run: siteLinks},
	{Name: "preview/site translations", Run: siteTranslations},
	{Name: "preview/site problems", Run: siteProblems},
}

func with(call, parameter string) string {
	if strings.Contains(call, "?") {
		return call + "&" + parameter
	}
	return call + "?" + parameter
}

// walkPreview lists the titles of all pages of a list by their cursors.
func walkPreview(t *testing.T, k *kit.Client, call, token string) (titles []string) {
	t.Helper()
	if token != "" {
		call = with(call, "preview="+token)
	}
	for cursor := ""; ; {
		page := call
		if cursor != "" {
			page = with(call, "cursor="+url.QueryEscape(cursor))
		}
		a := k.Get(t, page)
		data, _ := a.Get("data").(kit.List)
		for _, e := range data {
			titles = append(titles, kit.Str(kit.Dig(e, "title")))
		}
		next, _ := a.Get("meta.next_cursor").(string)
		if next == "" || len(titles) > 100 {
			if got := len(titles); fmt.Sprint(a.Get("meta.total")) != fmt.Sprint(got) {
				t.Errorf("%s: %d titles, total %v", call, got, a.Get("meta.total"))
			}
			return titles
		}
		cursor = next
	}
}

// siteDrafts looks at the site with all drafts, as far as their maker may read them.
func siteDrafts(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	path := "/" + kit.Unique("at")
	hidden, model := s.Model(t, nil), s.Model(t,
		kit.Obj{"fields": kit.List{kit.Field("body", "text", nil), kit.Field("secret", "text", nil)},
			"visible_fields": kit.List{"body"}, "url": path + "/{slug}"})
	_, limited := s.Role(t, kit.Obj{"models": kit.List{model}})
	draft := k.Create(t, model, kit.Obj{"title": "Draft", "data": kit.Obj{"body": "d", "secret": "CANARY"}}).Str(t,
		"data.id")
	live := k.Publish(t, model, "Live", kit.Obj{"body": "l"})
	k.Put(t, "/"+model+"/"+live+"/draft", kit.Obj{"title": "Changed", "slug": "changed"})
	gone := k.Create(t, model, kit.Obj{"title": "Archived", "status": "archived"}).Str(t, "data.id")
	k.Put(t, "/"+model+"/"+gone+"/draft", kit.Obj{"title": "Archived too"})
	unseen := k.Create(t, hidden, kit.Obj{"title": "Unseen"}).Str(t, "data.id")
	token := url.QueryEscape(limited.Step(t, kit.Step{Call: "POST /previews", Body: kit.Obj{"drafts": true}, Status: 201,
		Want: kit.Obj{"data.changes": 2, "data.problems.#": 0}}).Str(t, "data.token"))
	at := "?preview=" + token
	k.Run(t,
		kit.Step{Name: "list", Call: "GET /" + model + at + "&sort=title", Want: kit.Obj{"meta.total": 2,
			"data.0.title": "Changed", "data.1.title": "Draft", "data.1.status": "published",
			"data.1.published_at": kit.Timestamp, "data.1.data.secret": nil,
			"meta.preview": kit.Obj{"drafts": true, "changes": 2}}},
		kit.Step{Name: "by its new slug", Call: "GET /" + model + "/changed" + at, Want: kit.Obj{"data.id": live}},
		kit.Step{Name: "archived", Call: "GET /" + model + "/" + gone + at, Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "not read by the maker", Call: "GET /" + hidden + "/" + unseen + at, Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "a search", Call: "GET /" + model + at + "&q=draft", Code: "BAD_REQUEST"},
		kit.Step{Name: "search", Call: "GET /search" + at + "&q=draft", Code: "BAD_REQUEST"},
		kit.Step{Name: "source", Call: "GET /" + model + "/" + draft + at + "&source=other", Code: "BAD_REQUEST"},
		kit.Step{Name: "a key that may not read it", Call: "GET /" + model + at},
	)
	s.Key(t, kit.Obj{"models": kit.List{hidden}}).Step(t, kit.Step{Name: "of another model", Call: "GET /" + model + at,
		Code: "MODEL_NOT_FOUND"})
	d := s.PublishableKey(t, nil)
	own := s.PublishableKey(t, kit.Obj{"models": kit.List{model}})
	s.Eventually(t, "the redirect of a draft's slug", func() bool { // other scenarios change redirects meanwhile
		for page := 1; ; page++ {
			a := own.Get(t, "/redirects"+at+"&per_page=100&page="+strconv.Itoa(page))
			for _, r := range a.Get("data").(kit.List) {
				if kit.Dig(r, "from") == path+"/live" {
					return kit.Dig(r, "to") == path+"/changed" && kit.Dig(a.Get("meta.preview"), "changes") == 2.0
				}
			}
			if len(a.Get("data").(kit.List)) == 0 {
				return false
			}
		}
	})
	d.Run(t, kit.Step{Name: "sync", Call: "GET /sync" + at, Code: "BAD_REQUEST"},
		kit.Step{Name: "feed", Call: "GET /" + model + "/feed.xml" + at, Code: "BAD_REQUEST"},
		kit.Step{Name: "a wrong token of a sitemap", Call: "GET /sitemap.xml?preview=x", Code: "FORBIDDEN"},
		kit.Step{Name: "by its former slug", Call: "GET /" + model + "/live" + at,
			Want: kit.Obj{"meta.moved_to": "changed"}},
		kit.Step{Name: "delivered", Call: "GET /" + model + "/" + draft + at, Header: kit.Obj{"Cache-Control": "no-store"},
			Want: kit.Obj{"data.title": "Draft", "meta.preview.changes": 2}})
	k.Put(t, "/"+model+"/"+live+"/draft", kit.Obj{"title": "Changed again"})
	k.Step(t, kit.Step{Name: "looked up at each read", Call: "GET /" + model + "/" + live + at,
		Want: kit.Obj{"data.title": "Changed again"}})
}

// siteByAdmin compares what a preview shows to a key with the role admin with what it shows to any other.
func siteByAdmin(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	k, admin := s.Key(t, nil), s.AdminKey(t)
	model, single := s.Model(t, kit.Obj{"localized": true, "tree": true}), s.Model(t, kit.Obj{"kind": "single"})
	from := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("to", "relation", kit.Obj{"model": model, "many": true}),
		kit.Field("note", "text", nil)},
		"visible_fields": kit.List{"to"}})
	_, maker := s.Role(t, kit.Obj{"models": kit.List{model, single, from}}) // sees no drafts of other scenarios
	live := k.Create(t, model, kit.Obj{"title": "Live", "status": "published"}).Str(t, "data.id")
	draft := k.Create(t, model, kit.Obj{"title": "Draft", "locale": "de", "translation_of": live}).Str(t, "data.id")
	archived := k.Create(t, model, kit.Obj{"title": "Archived", "status": "archived"}).Str(t, "data.id")
	k.Create(t, single, kit.Obj{"title": "Single"})
	referring := k.Publish(t, from, "From", kit.Obj{"to": kit.List{live, draft, archived}, "note": "n"})
	reads := []string{"/" + single, "/" + single + "/single", "/" + from + "?include=to&fields=data.to",
		"/" + model + "/tree", "/" + model + "/tree?locale=de"}
	for _, path := range []string{draft, archived, "archived", "draft?locale=de", "live?translations=true",
		live + "?locale=de&fallback=true"} {
		reads = append(reads, "/"+model+"/"+path)
	}
	for _, filters := range []string{"", "filter[status]=any", "filter[status]=draft", "filter[status]=archived",
		"locale=any"} {
		reads = append(reads, "/"+model+"?sort=title&"+filters)
	}
	release := s.Admin(t).Post(t, "/releases", kit.Obj{"name": "R", "items": kit.List{}}).Str(t, "data.id")
	for _, of := range []kit.Obj{{"at": kit.FromNow(time.Hour)}, {"release": release}, {"drafts": true}} {
		token := url.QueryEscape(maker.Post(t, "/previews", of).Str(t, "data.token"))
		for _, call := range reads {
			call = "GET " + with(call, "preview="+token)
			kit.Same(t, call, shownBy(admin.Do(t, call, nil)), shownBy(k.Do(t, call, nil)))
		}
		admin.Step(t, kit.Step{Name: "hidden fields", Call: "GET /" + from + "/" + referring + "?preview=" + token,
			Want: kit.Obj{"data.data.note": "n"}})
	}
}

// siteUntil looks at the site as of times between plans.
func siteUntil(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.Admin(t)
	model := s.Model(t, kit.Obj{"url": "/" + kit.Unique("at") + "/{year}/{slug}"})
	one := k.Create(t, model, kit.Obj{"title": "One"}).Str(t, "data.id")
	two := k.Publish(t, model, "Two", nil)
	first, second, third := kit.FromNow(time.Hour), kit.FromNow(2*time.Hour), kit.FromNow(3*time.Hour)
	admin.Put(t, "/models/"+model+"/entries/"+one+"/schedule", kit.Obj{"publish_at": first, "unpublish_at": third})
	admin.Post(t, "/releases", kit.Obj{"name": "R", "publish_at": second,
		"items": kit.List{kit.ReleaseItem(model, two, "unpublish")}})
	_, limited := s.Role(t, kit.Obj{"models": kit.List{model}})
	for _, c := range []struct {
		at, titles string
		changes    int
	}{{kit.FromNow(30 * time.Minute), "Two", 0}, {first, "One,Two", 1}, {kit.FromNow(90 * time.Minute), "One,Two", 1},
		{second, "One", 2}, {third, "", 2}, {kit.FromNow(-time.Hour), "Two", 0}} {
		token := url.QueryEscape(limited.Step(t, kit.Step{Name: c.at, Call: "POST /previews", Body: kit.Obj{"at": c.at},
			Status: 201, Want: kit.Obj{"data.changes": c.changes, "data.problems.#": 0}}).Str(t, "data.token"))
		titles := walkPreview(t, k, "/"+model+"?sort=title", token)
		kit.Same(t, "as of "+c.at, strings.Join(titles, ","), c.titles)
		k.Step(t, kit.Step{Call: "GET /" + model + "?preview=" + token,
			Want: kit.Obj{"meta.preview": kit.Obj{"at": c.at, "changes": c.changes}}})
		if c.at == first {
			k.Step(t, kit.Step{Call: "GET /" + model + "/one?urls=true&preview=" + token, Want: kit.Obj{
				"data.published_at": first, "data.updated_at": first, "data.version": 2,
				"data.url": kit.Matches("/" + first[:4] + "/one$")}})
		}
	}
	k.Delete(t, "/"+model+"/"+one)
	admin.OK(t, 200, "POST /trash/"+one+"/restore", nil)
	limited.Step(t, kit.Step{Name: "a plan that ended in the trash", Call: "POST /previews", Body: kit.Obj{"at": first},
		Status: 201, Want: kit.Obj{"data.changes": 0}})
}

// siteLinks makes, lists and ends links to the site.
func siteLinks(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.Admin(t)
	model := s.Model(t, nil)
	id := k.Create(t, model, kit.Obj{"title": "Draft"}).Str(t, "data.id")
	slug, limited := s.Role(t, kit.Obj{"models": kit.List{model}})
	refused := func(name string, body kit.Obj, invalid string) kit.Step {
		return kit.Step{Name: name, Call: "POST /previews", Body: body, Invalid: invalid}
	}
	limited.Run(t,
		refused("none", kit.Obj{}, "at"), refused("two", kit.Obj{"drafts": true, "at": kit.FromNow(time.Hour)}, "at drafts"),
		refused("false", kit.Obj{"drafts": false}, "drafts"), refused("no time", kit.Obj{"at": "soon"}, "at"),
		refused("no release", kit.Obj{"release": kit.UnknownID}, "release"),
		refused("no locale", kit.Obj{"drafts": true, "locales": kit.List{"xx"}}, "locales"),
		refused("no locales", kit.Obj{"drafts": true, "locales": kit.List{}}, "locales"),
		refused("too long", kit.Obj{"drafts": true, "expires_in": 2592001}, "expires_in"),
		refused("unknown", kit.Obj{"drafts": true, "x": 1}, "x"),
	)
	made := limited.Post(t, "/previews", kit.Obj{"drafts": true, "name": "All", "locales": kit.List{s.DefaultLocale(t)}})
	token, link := url.QueryEscape(made.Str(t, "data.token")), made.Str(t, "data.id")
	limited.Step(t, kit.Step{Name: "listed", Call: "GET /previews", Want: kit.Obj{"data.#": 1, "data.0.id": link,
		"data.0.kind": "site", "data.0.at": kit.Timestamp, "data.0.expires_at": made.Str(t, "data.expires_at"),
		"data.0.token": nil, "data.0.view.name": "All"}})
	read := "GET /" + model + "/" + id + "?preview=" + token
	k.Step(t, kit.Step{Call: read})
	s.Listed(t, "/activity", kit.Obj{"event": "preview.created", "subject": "site preview All"})
	limited.Step(t, kit.Step{Name: "end", Call: "DELETE /previews/" + link, Status: 204})
	k.Run(t, kit.Step{Name: "ended", Call: read, Code: "FORBIDDEN"},
		kit.Step{Name: "ended, of a list", Call: "GET /" + model + "?preview=" + token, Code: "FORBIDDEN"},
		kit.Step{Name: "ended, of a menu", Call: "GET /menus/none?preview=" + token, Code: "FORBIDDEN"})
	token = url.QueryEscape(limited.Post(t, "/previews", kit.Obj{"drafts": true}).Str(t, "data.token"))
	admin.Put(t, "/roles/"+slug, kit.Obj{"rules": kit.List{kit.Obj{"models": kit.List{model},
		"actions": kit.List{"read"}}}})
	k.Step(t, kit.Step{Name: "a maker who may write nothing", Call: "GET /" + model + "/" + id + "?preview=" + token,
		Code: "FORBIDDEN"})
	limited.Step(t, kit.Step{Name: "nor makes any", Call: "POST /previews", Body: kit.Obj{"drafts": true},
		Code: "FORBIDDEN"})
}

// siteProblems compares the problems that a preview names with those of the check of a release.
func siteProblems(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.Admin(t)
	model := s.Model(t, nil)
	_, writer := s.Role(t, kit.Obj{"models": kit.List{model}, "actions": kit.List{"read", "write"}})
	create := func(title string) string { return k.Create(t, model, kit.Obj{"title": title}).Str(t, "data.id") }
	fine, changed, gone, planned := create("Fine"), create("Changed"), create("Gone"), create("Planned")
	release := admin.Post(t, "/releases", kit.Obj{"name": "R", "items": kit.List{kit.ReleaseItem(model, fine, "publish"),
		kit.ReleaseItem(model, changed, "publish"), kit.ReleaseItem(model, gone, "publish")}}).Str(t, "data.id")
	later := kit.FromNow(time.Hour)
	admin.Put(t, "/models/"+model+"/entries/"+planned+"/schedule", kit.Obj{"publish_at": later})
	writer.Step(t, kit.Step{Name: "a plan goes by the rights of who made it", Call: "POST /previews",
		Body: kit.Obj{"at": later}, Status: 201, Want: kit.Obj{"data.changes": 1, "data.problems.#": 0}})
	for _, id := range []string{changed, planned} { // which its planner has not seen
		writer.Put(t, "/models/"+model+"/entries/"+id, kit.Obj{"title": "Other"})
	}
	k.Delete(t, "/"+model+"/"+gone)
	want := admin.Step(t, kit.Step{Name: "check", Call: "POST /releases/" + release + "/check",
		Want: kit.Obj{"data.#": 2}}).Get("data")
	for _, c := range []struct {
		name    string
		body    kit.Obj
		changes int
	}{{"release", kit.Obj{"release": release}, 2},
		{"locale", kit.Obj{"release": release, "locales": kit.List{s.DefaultLocale(t)}}, 2}} {
		a := admin.Step(t, kit.Step{Name: c.name, Call: "POST /previews", Body: c.body, Status: 201,
			Want: kit.Obj{"data.changes": c.changes}})
		kit.Same(t, c.name, fmt.Sprint(a.Get("data.problems")), fmt.Sprint(want))
	}
	writer.Step(t, kit.Step{Name: "a plan that was changed", Call: "POST /previews", Body: kit.Obj{"at": later},
		Status: 201, Want: kit.Obj{"data.changes": 1, "data.problems.#": 1, "data.problems.0.id": planned,
			"data.problems.0.code": "CONFLICT"}})
	admin.Put(t, "/releases/"+release, kit.Obj{"publish_at": kit.FromNow(30 * time.Minute)})
	writer.Step(t, kit.Step{Name: "a release in a time", Call: "POST /previews", Body: kit.Obj{"at": later}, Status: 201,
		Want: kit.Obj{"data.problems.#": 3}})
}

// siteTree looks at the entries below one whose draft has another slug.
func siteTree(t *testing.T, s *kit.Suite) {
	k := s.AdminKey(t)
	at := "/" + kit.Unique("at")
	model := s.Model(t, kit.Obj{"tree": true, "url": at + "/{path}"})
	_, limited := s.Role(t, kit.Obj{"models": kit.List{model}}) // sees no drafts of other scenarios
	above := k.Publish(t, model, "Above", nil)
	below := k.Create(t, model, kit.Obj{"title": "Below", "parent": above}).Str(t, "data.id")
	k.Put(t, "/"+model+"/"+above+"/draft", kit.Obj{"slug": "now"})
	token := "?preview=" + url.QueryEscape(limited.Post(t, "/previews", kit.Obj{"drafts": true}).Str(t, "data.token"))
	k.Run(t, kit.Step{Name: "tree", Call: "GET /" + model + "/tree" + token,
		Want: kit.Obj{"data.0.children.0.url": at + "/now/below"}},
		kit.Step{Name: "marks", Call: "GET /" + model + "/tree" + token + "&source=stega",
			Want: kit.Obj{"data.0.children.0.title": kit.Matches("^Below.+"), "meta.preview": kit.Present}},
		kit.Step{Name: "addresses of marks", Call: "GET /" + model + "/tree" + token + "&source=map",
			Want: kit.Obj{"data.0.children.0.title": "Below",
				"meta.sources./data/0/children/0/title": kit.Matches("/entries/" + below + "/edit#title$")}},
		kit.Step{Name: "marks without a preview", Call: "GET /" + model + "/tree?source=map", Code: "FORBIDDEN"},
		kit.Step{Name: "resolve", Call: "GET /resolve" + token + "&path=" + at + "/now/below",
			Want: kit.Obj{"data.id": below}})
	d := s.PublishableKey(t, kit.Obj{"models": kit.List{model}})
	d.Fetch(t, "/sitemap-1.xml"+token).Contains(t, "the sitemap", at+"/now/below<")
}
