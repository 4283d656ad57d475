package e2e

import (
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"
)

// contentHealth is the scenario of content health (extensions §16).
func contentHealth(t *testing.T, s *suite) {
	admin, k := s.admin(t), s.key(t, nil)
	locale := s.defaultLocale(t)
	model := s.model(t, obj{"url": "/h/{slug}", "home": "home", "stale_after_months": 1,
		"fields": list{field("body", "textarea", nil)}})
	linked := obj{"localized": false, "url": "/h/{slug}", "fields": list{field("body", "textarea", nil),
		field("links", "relation", obj{"model": model, "many": true})}}
	from := s.model(t, linked)
	title := unique("same title")
	target := k.publish(t, model, title, nil)
	other := k.publish(t, model, title, nil)
	source := k.publish(t, from, unique("source"), obj{"links": list{target}})
	s.findings(t, "texts and orphans", "model="+model, obj{"seo.title": 2, "seo.description": 2, "orphan": 1, "link.gone": 0})
	a := admin.ok(t, 200, "GET /health?kind=orphan&locale="+locale+"&model="+model, nil)
	for page := range 3 {
		got := admin.step(t, step{name: "page", status: 200,
			call: fmt.Sprintf("GET /health?per_page=2&page=%d&model=%s", page+1, model),
			want: obj{"meta.page": page + 1, "meta.per_page": 2, "meta.total": 5}})
		if n := len(got.get("data").([]any)); n != 2-page/2 {
			t.Errorf("page %d has %d findings: %s", page+1, n, got.Raw)
		}
	}
	admin.step(t, step{name: "past the end", call: "GET /health?page=9999&model=" + model, status: 200,
		want: obj{"data": list{}, "meta.total": 5}})
	if a.str(t, "data.0.id") != other || a.str(t, "data.0.model") != model || a.str(t, "data.0.field") != "" {
		t.Errorf("the orphan: %s", a.Raw)
	}
	k.ok(t, 200, "POST /"+model+"/"+target+"/unpublish", nil)
	s.findings(t, "unpublished", "model="+from, obj{"link.unpublished": 1})
	s.findings(t, "alone again", "model="+model, obj{"seo.title": 0})
	k.ok(t, 204, "DELETE /"+model+"/"+target, nil)
	s.findings(t, "gone", "model="+from, obj{"link.unpublished": 0, "link.gone": 1})
	email, _, _ := s.user(t, "viewer")
	b := s.newBrowser(t)
	b.signIn(t, email, password)
	if page := b.open(t, "/health?model="+from, nil); !strings.Contains(page.html, source+"#data.links.0") ||
		strings.Contains(page.html, source+"/edit") {
		t.Errorf("a viewer is led to the form: %d %s", page.status, page.html)
	}
	place := obj{"kind": "link.gone", "id": source, "field": "data.links.0"}
	at := "/models/" + from + "/entries/" + source + "/health"
	admin.run(t,
		step{name: "the place", call: "GET " + at, status: 200, want: obj{"data.0.field": "data.links.0", "data.0.detail": target,
			"data.0.kind": "link.gone", "meta.counts.orphan": 1}},
		step{name: "ignore", call: "POST /health/ignore", body: place, status: 204},
		step{name: "ignored", call: "GET /health?model=" + from + "&kind=link.gone", status: 200, want: obj{"data": list{}, "meta.total": 0}},
		step{name: "by whom", call: "GET /health?ignored=true&kind=link.gone&model=" + from, status: 200, want: obj{"meta.total": 1, "data.0.id": source}},
		step{name: "not ignored", call: "DELETE /health/ignore", body: place, status: 204},
		step{name: "again", call: "GET /health?model=" + from + "&kind=link.gone", status: 200, want: obj{"meta.total": 1}},
		step{name: "not ignored twice", call: "DELETE /health/ignore", body: place, status: 404, code: "NOT_FOUND"},
		step{name: "no such finding", call: "POST /health/ignore", body: obj{"kind": "stale", "id": source}, status: 404, code: "NOT_FOUND"},
		step{name: "a kind that is none", call: "POST /health/ignore", body: obj{"kind": "x", "id": source}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"kind"}},
		step{name: "an unknown kind", call: "GET /health?kind=x", status: 400, code: "BAD_REQUEST"},
		step{name: "an unknown model", call: "GET /health?model=no-such", status: 400, code: "BAD_REQUEST"},
		step{name: "a wrong cursor", call: "GET /health?cursor=x", status: 400, code: "BAD_REQUEST"},
		step{name: "no such entry", call: "GET /models/" + from + "/entries/" + target + "/health", status: 404, code: "NOT_FOUND"},
		step{name: "translations of a model without locales", call: "PUT /models/" + from, body: obj{"translate": list{locale}}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"translate"}},
		step{name: "months", call: "PUT /models/" + from, body: obj{"stale_after_months": -1}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"stale_after_months"}},
	)
	k.publish(t, from, unique("leads to it"), obj{"links": list{other}})
	s.findings(t, "no orphan", "model="+model, obj{"orphan": 0})
	page := admin.ok(t, 200, "GET /health?per_page=1&model="+from, nil)
	if next := page.str(t, "meta.next_cursor"); next == "" || page.get("data.1") != nil {
		t.Errorf("a page of one: %s", page.Raw)
	} else if second := admin.ok(t, 200, "GET /health?per_page=1&model="+from+"&cursor="+next, nil); second.str(t,
		"data.0.since") > page.str(t, "data.0.since") {
		t.Errorf("%s comes after %s", second.Raw, page.Raw)
	}
}

// findings waits until a list of findings has some numbers by kind. Sweeps first check the changes of
// earlier scenarios.
func (s *suite) findings(t *testing.T, what, query string, want obj) {
	t.Helper()
	admin := s.admin(t)
	s.clone(time.Minute).eventually(t, what, func() bool {
		counts, _ := admin.ok(t, 200, "GET /health?"+query, nil).get("meta.counts").(obj)
		for kind, n := range want {
			if got, _ := counts[kind].(float64); int(got) != n {
				return false
			}
		}
		return true
	})
}

// missingTexts: an editor writes the texts that findings miss on one page, without JavaScript.
func missingTexts(t *testing.T, s *suite) {
	admin, k := s.admin(t), s.key(t, nil)
	model := s.model(t, obj{"url": "/h/{slug}", "fields": list{field("cover", "media", nil)}})
	file := k.upload(t, "cover.png", pngFile(2, 2), nil).str(t, "data.id")
	id := k.publish(t, model, unique("Covered"), obj{"cover": file})
	email, _, _ := s.user(t, "editor")
	b := s.newBrowser(t)
	b.signIn(t, email, password)
	s.findings(t, "the findings", "model="+model, obj{"alt.missing": 1, "seo.description": 1})
	if p := b.open(t, "/models/"+model+"/entries/"+id+"/edit", nil); strings.Count(p.html, "Missing alternative text") != 1 {
		t.Errorf("the form of the entry does not show what was found: %d %s", p.status, p.html)
	}
	header, rows := rowsOf(t, admin.ok(t, 200, "GET /health/texts.csv?model="+model, nil))
	if !reflect.DeepEqual(header, []string{"id", "title", "seo.title", "seo.description"}) || len(rows) != 1 || rows[0][0] != id {
		t.Errorf("the file: %v %v", header, rows)
	}
	admin.run(t,
		step{name: "a file of no model", call: "GET /health/texts.csv", status: 400, code: "BAD_REQUEST"},
		step{name: "a file of links", call: "GET /health/texts.csv?kind=orphan&model=" + model, status: 400, code: "BAD_REQUEST"})
	fields := b.open(t, "/health?model="+model, nil).hidden()
	fields["ids"] = []string{"alt.missing|" + id + "|data.cover", "seo.description|" + id + "|seo.description"}
	fields.Set("action", "write")
	p := b.open(t, "/health/texts", fields)
	at, ok := strings.CutPrefix(p.header.Get("Location"), adminBase)
	if p.status != 303 || !ok {
		t.Fatalf("write texts: %d to %q", p.status, p.header.Get("Location"))
	}
	p = b.open(t, at, nil)
	fields = url.Values{"alt-" + file: {"A red cover"}, "description-" + id: {"What it covers"}}
	for name := range fields {
		if !strings.Contains(p.html, `name="`+name+`"`) {
			t.Fatalf("%s is missing in %s", name, p.html)
		}
	}
	fields.Set("_csrf", p.hidden().Get("_csrf"))
	if p = b.open(t, at, fields); p.status != 303 {
		t.Fatalf("%d %s", p.status, p.html)
	}
	admin.run(t,
		step{name: "the file", call: "GET /media/" + file, status: 200, want: obj{"data.alt": "A red cover"}},
		step{name: "the entry", call: "GET /models/" + model + "/entries/" + id, status: 200,
			want: obj{"data.seo.description": "What it covers"}})
	s.findings(t, "the findings are gone", "model="+model, obj{"alt.missing": 0, "seo.description": 0})
}

// replacesLinks mends all links that lead to a deleted entry by one choice on the page of the findings.
func replacesLinks(t *testing.T, s *suite) {
	k, admin := s.key(t, nil), s.admin(t)
	target := s.model(t, nil)
	model := s.model(t, obj{"fields": list{field("body", "richtext", nil), field("to", "relation", obj{"model": target}),
		field("any", "relation", obj{"models": list{target, s.model(t, nil)}, "many": true})}})
	old := k.publish(t, target, "Former page", nil)
	now := k.publish(t, target, "Present page", nil)
	text := k.publish(t, model, "By a text", obj{"body": "See [it](cms://entry/" + old + "#oil)."})
	field := k.publish(t, model, "By fields", obj{"to": old, "any": list{obj{"model": target, "id": old}}})
	k.ok(t, 204, "DELETE /"+target+"/"+old, nil)
	s.findings(t, "the findings", "model="+model, obj{"link.gone": 3})
	links := "POST /health/links"
	admin.run(t,
		step{name: "nothing", call: links, body: obj{}, status: 422, code: "VALIDATION_FAILED", details: []string{"from", "with"}},
		step{name: "itself", call: links, body: obj{"from": old, "with": old}, status: 422, code: "VALIDATION_FAILED", details: []string{"with"}},
		step{name: "no such entry", call: links, body: obj{"from": old, "with": noID}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"with"}},
	)
	s.anonymousAdmin().step(t, step{call: links, body: obj{"from": old, "with": now}, status: 401, code: "UNAUTHORIZED"})

	email, _, _ := s.user(t, "editor")
	b := s.newBrowser(t)
	b.signIn(t, email, password)
	fields := b.open(t, "/health?model="+model, nil).hidden()
	fields["ids"] = []string{"link.gone|" + text + "|data.body", "link.gone|" + field + "|data.to"}
	fields.Set("action", "choose")
	p := b.open(t, "/health/links", fields)
	at, ok := strings.CutPrefix(p.header.Get("Location"), adminBase)
	if p.status != 303 || !ok || strings.Count(at, old) != 1 {
		t.Fatalf("replace links: %d to %q", p.status, p.header.Get("Location"))
	}
	p = b.open(t, at, nil)
	if !strings.Contains(p.html, "Former page (in the trash)") || !strings.Contains(p.html, "link to it: 3, as in") {
		t.Errorf("the page: %s", p.html)
	}
	csrf := p.hidden().Get("_csrf")
	p = b.open(t, at, url.Values{"_csrf": {csrf}, "_do": {"pick with-" + old}, "with-" + old: {""}}) // without scripts
	if p.status != 200 || !strings.Contains(p.html, `name="_model"`) {
		t.Errorf("the choices: %d %s", p.status, p.html)
	}
	p = b.open(t, at, url.Values{"_csrf": {csrf}, "with-" + old: {"", target + "/" + now}})
	if p.status != 303 || !strings.Contains(p.header.Get("Location"), "/jobs/") {
		t.Fatalf("%d to %q: %s", p.status, p.header.Get("Location"), p.html)
	}
	s.findings(t, "the findings are gone", "model="+model, obj{"link.gone": 0})
	admin.run(t,
		step{name: "the text", call: "GET /models/" + model + "/entries/" + text, status: 200,
			want: obj{"data.data.body": "See [it](cms://entry/" + now + "#oil)."}},
		step{name: "the fields", call: "GET /models/" + model + "/entries/" + field, status: 200,
			want: obj{"data.data.to": now, "data.data.any.0.id": now, "data.data.any.0.model": target}})
}
