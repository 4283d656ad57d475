package health

import (
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Scenarios are those of findings in published entries, and their repair.
var Scenarios = []kit.Scenario{
	{Name: "desk/health", Run: contentHealth},
	{Name: "desk/links", Run: replacesLinks},
	{Name: "desk/texts", Run: missingTexts},
}

// contentHealth is the scenario of content health (extensions §16).
func contentHealth(t *testing.T, s *kit.Suite) {
	admin, k := s.Admin(t), s.Key(t, nil)
	locale := s.DefaultLocale(t)
	model := s.Model(t, kit.Obj{"url": "/h/{slug}", "home": "home", "stale_after_months": 1,
		"fields": kit.List{kit.Field("body", "textarea", nil)}})
	linked := kit.Obj{"localized": false, "url": "/h/{slug}", "fields": kit.List{kit.Field("body", "textarea", nil),
		kit.Field("links", "relation", kit.Obj{"model": model, "many": true})}}
	from := s.Model(t, linked)
	title := kit.Unique("same title")
	target := k.Publish(t, model, title, nil)
	other := k.Publish(t, model, title, nil)
	source := k.Publish(t, from, kit.Unique("source"), kit.Obj{"links": kit.List{target}})
	findings(t, s, "texts and orphans", "model="+model,
		kit.Obj{"seo.title": 2, "seo.description": 2, "orphan": 1, "link.gone": 0})
	a := admin.Get(t, "/health?kind=orphan&locale="+locale+"&model="+model)
	for page := range 3 {
		got := admin.Step(t, kit.Step{Name: "page",
			Call: fmt.Sprintf("GET /health?per_page=2&page=%d&model=%s", page+1, model),
			Want: kit.Obj{"meta.page": page + 1, "meta.per_page": 2, "meta.total": 5}})
		kit.Same(t, "findings of a page", len(got.Get("data").([]any)), 2-page/2)
	}
	admin.Step(t, kit.Step{Name: "past the end", Call: "GET /health?page=9999&model=" + model,
		Want: kit.Obj{"data": kit.List{}, "meta.total": 5}})
	if a.Str(t, "data.0.id") != other || a.Str(t, "data.0.model") != model || a.Str(t, "data.0.field") != "" {
		t.Errorf("the orphan: %s", a.Raw)
	}
	k.OK(t, 200, "POST /"+model+"/"+target+"/unpublish", nil)
	findings(t, s, "unpublished", "model="+from, kit.Obj{"link.unpublished": 1})
	findings(t, s, "alone again", "model="+model, kit.Obj{"seo.title": 0})
	k.Delete(t, "/"+model+"/"+target)
	findings(t, s, "gone", "model="+from, kit.Obj{"link.unpublished": 0, "link.gone": 1})
	email, _, _ := s.User(t, "viewer")
	viewed := s.SignedIn(t, email).Open(t, "/health?model="+from, nil)
	viewed.Contains(t, "a viewer is led to the page", source+"#data.links.0")
	viewed.Lacks(t, "a viewer is not led to the form", source+"/edit")
	place := kit.Obj{"kind": "link.gone", "id": source, "field": "data.links.0"}
	_, reader := s.Role(t, kit.Obj{"models": kit.List{from}, "actions": kit.List{"read"}})
	reader.Step(t, kit.Step{Name: "who reads one model", Call: "POST /health/ignore", Body: place, Code: "FORBIDDEN"})
	at := "/models/" + from + "/entries/" + source + "/health"
	admin.Run(t,
		kit.Step{Name: "the place", Call: "GET " + at,
			Want: kit.Obj{"data.0.field": "data.links.0", "data.0.detail": target,
				"data.0.kind": "link.gone", "meta.counts.orphan": 1}},
		kit.Step{Name: "ignore", Call: "POST /health/ignore", Body: place, Status: 204},
		kit.Step{Name: "ignored", Call: "GET /health?model=" + from + "&kind=link.gone",
			Want: kit.Obj{"data": kit.List{}, "meta.total": 0}},
		kit.Step{Name: "by whom", Call: "GET /health?ignored=true&kind=link.gone&model=" + from,
			Want: kit.Obj{"meta.total": 1, "data.0.id": source}},
		kit.Step{Name: "not ignored", Call: "DELETE /health/ignore", Body: place, Status: 204},
		kit.Step{Name: "again", Call: "GET /health?model=" + from + "&kind=link.gone", Want: kit.Obj{"meta.total": 1}},
		kit.Step{Name: "not ignored twice", Call: "DELETE /health/ignore", Body: place, Code: "NOT_FOUND"},
		kit.Step{Name: "no such finding", Call: "POST /health/ignore", Body: kit.Obj{"kind": "stale", "id": source},
			Code: "NOT_FOUND"},
		kit.Step{Name: "a kind that is none", Call: "POST /health/ignore", Body: kit.Obj{"kind": "x", "id": source},
			Invalid: "kind"},
		kit.Step{Name: "an unknown kind", Call: "GET /health?kind=x", Code: "BAD_REQUEST"},
		kit.Step{Name: "an unknown model", Call: "GET /health?model=no-such", Code: "BAD_REQUEST"},
		kit.Step{Name: "a wrong cursor", Call: "GET /health?cursor=x", Code: "BAD_REQUEST"},
		kit.Step{Name: "no such entry", Call: "GET /models/" + from + "/entries/" + target + "/health", Code: "NOT_FOUND"},
		kit.Step{Name: "translations of a model without locales", Call: "PUT /models/" + from,
			Body: kit.Obj{"translate": kit.List{locale}}, Invalid: "translate"},
		kit.Step{Name: "months", Call: "PUT /models/" + from, Body: kit.Obj{"stale_after_months": -1},
			Invalid: "stale_after_months"},
	)
	k.Publish(t, from, kit.Unique("leads to it"), kit.Obj{"links": kit.List{other}})
	findings(t, s, "no orphan", "model="+model, kit.Obj{"orphan": 0})
	page := admin.Get(t, "/health?per_page=1&model="+from)
	if next := page.Str(t, "meta.next_cursor"); next == "" || page.Get("data.1") != nil {
		t.Errorf("a page of one: %s", page.Raw)
	} else if second := admin.Get(t, "/health?per_page=1&model="+from+"&cursor="+next); second.Str(t,
		"data.0.since") > page.Str(t, "data.0.since") {
		t.Errorf("%s comes after %s", second.Raw, page.Raw)
	}
}

// findings waits until a list of findings has some numbers by kind.
func findings(t *testing.T, s *kit.Suite, what, query string, want kit.Obj) {
	t.Helper()
	admin := s.Admin(t)
	s.Eventually(t, what, func() bool {
		counts, _ := admin.Get(t, "/health?"+query).Get("meta.counts").(kit.Obj)
		for kind, n := range want {
			if got, _ := counts[kind].(float64); int(got) != n {
				return false
			}
		}
		return true
	})
}

// missingTexts: an editor writes the texts that findings miss on one page, without JavaScript.
func missingTexts(t *testing.T, s *kit.Suite) {
	admin, k := s.Admin(t), s.Key(t, nil)
	model := s.Model(t, kit.Obj{"url": "/h/{slug}", "fields": kit.List{kit.Field("cover", "media", nil)}})
	file := k.Upload(t, "cover.png", kit.PNG(2, 2), nil).Str(t, "data.id")
	id := k.Publish(t, model, kit.Unique("Covered"), kit.Obj{"cover": file})
	email, _, _ := s.User(t, "editor")
	b := s.SignedIn(t, email)
	findings(t, s, "the findings", "model="+model, kit.Obj{"alt.missing": 1, "seo.description": 1})
	if p := b.Open(t, "/models/"+model+"/entries/"+id+"/edit", nil); strings.Count(p.HTML,
		"Missing alternative text") != 1 {
		t.Errorf("the form of the entry does not show what was found: %d %s", p.Status, p.HTML)
	}
	header, rows := kit.CSVRows(t, admin.Get(t, "/health/texts.csv?model="+model))
	if !reflect.DeepEqual(header, []string{"id", "title", "seo.title", "seo.description"}) || len(rows) != 1 ||
		rows[0][0] != id {
		t.Errorf("the file: %v %v", header, rows)
	}
	admin.Run(t,
		kit.Step{Name: "a file of no model", Call: "GET /health/texts.csv", Code: "BAD_REQUEST"},
		kit.Step{Name: "a file of links", Call: "GET /health/texts.csv?kind=orphan&model=" + model, Code: "BAD_REQUEST"})
	fields := b.Open(t, "/health?model="+model, nil).Hidden()
	fields["ids"] = []string{"alt.missing|" + id + "|data.cover", "seo.description|" + id + "|seo.description"}
	fields.Set("action", "write")
	at := b.Open(t, "/health/texts", fields).Path(t, "write texts")
	p := b.Open(t, at, nil)
	fields = url.Values{"alt-" + file: {"A red cover"}, "description-" + id: {"What it covers"}}
	for name := range fields {
		p.Contains(t, "the form of texts", `name="`+name+`"`)
	}
	fields.Set("_csrf", p.Hidden().Get("_csrf"))
	b.Open(t, at, fields).HasStatus(t, "texts", 303)
	admin.Run(t,
		kit.Step{Name: "the file", Call: "GET /media/" + file, Want: kit.Obj{"data.alt": "A red cover"}},
		kit.Step{Name: "the entry", Call: "GET /models/" + model + "/entries/" + id,
			Want: kit.Obj{"data.seo.description": "What it covers"}})
	findings(t, s, "the findings are gone", "model="+model, kit.Obj{"alt.missing": 0, "seo.description": 0})
}

// replacesLinks mends all links that lead to a deleted entry by one choice on the page of the findings.
func replacesLinks(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.Admin(t)
	target := s.Model(t, nil)
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("body", "richtext", nil),
		kit.Field("to", "relation", kit.Obj{"model": target}),
		kit.Field("any", "relation", kit.Obj{"models": kit.List{target, s.Model(t, nil)}, "many": true})}})
	old := k.Publish(t, target, "Former page", nil)
	now := k.Publish(t, target, "Present page", nil)
	text := k.Publish(t, model, "By a text", kit.Obj{"body": "See [it](cms://entry/" + old + "#oil)."})
	field := k.Publish(t, model, "By fields", kit.Obj{"to": old, "any": kit.List{kit.Obj{"model": target, "id": old}}})
	k.Delete(t, "/"+target+"/"+old)
	findings(t, s, "the findings", "model="+model, kit.Obj{"link.gone": 3})
	links := "POST /health/links"
	admin.Run(t,
		kit.Step{Name: "nothing", Call: links, Body: kit.Obj{}, Invalid: "from with"},
		kit.Step{Name: "itself", Call: links, Body: kit.Obj{"from": old, "with": old}, Invalid: "with"},
		kit.Step{Name: "no such entry", Call: links, Body: kit.Obj{"from": old, "with": kit.UnknownID}, Invalid: "with"},
	)
	s.AnonymousAdmin().Step(t, kit.Step{Call: links, Body: kit.Obj{"from": old, "with": now}, Code: "UNAUTHORIZED"})

	email, _, _ := s.User(t, "editor")
	b := s.SignedIn(t, email)
	fields := b.Open(t, "/health?model="+model, nil).Hidden()
	fields["ids"] = []string{"link.gone|" + text + "|data.body", "link.gone|" + field + "|data.to"}
	fields.Set("action", "choose")
	at := b.Open(t, "/health/links", fields).Path(t, "replace links")
	kit.Same(t, "the former entry once in "+at, strings.Count(at, old), 1)
	p := b.Open(t, at, nil)
	p.Contains(t, "the page", "Former page (in the trash)", "link to it: 3, as in")
	csrf := p.Hidden().Get("_csrf")
	p = b.Open(t, at, url.Values{"_csrf": {csrf}, "_do": {"pick with-" + old}, "with-" + old: {""}}) // without scripts
	p.HasStatus(t, "the choices", 200)
	p.Contains(t, "the choices", `name="_model"`)
	p = b.Open(t, at, url.Values{"_csrf": {csrf}, "with-" + old: {"", target + "/" + now}})
	if p.Status != 303 || !strings.Contains(p.Header.Get("Location"), "/jobs/") {
		t.Fatalf("%d to %q: %s", p.Status, p.Header.Get("Location"), p.HTML)
	}
	findings(t, s, "the findings are gone", "model="+model, kit.Obj{"link.gone": 0})
	admin.Run(t,
		kit.Step{Name: "the text", Call: "GET /models/" + model + "/entries/" + text,
			Want: kit.Obj{"data.data.body": "See [it](cms://entry/" + now + "#oil)."}},
		kit.Step{Name: "the fields", Call: "GET /models/" + model + "/entries/" + field,
			Want: kit.Obj{"data.data.to": now, "data.data.any.0.id": now, "data.data.any.0.model": target}})
}
