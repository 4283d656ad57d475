package e2e

import (
	"strings"
	"testing"
)

// redirectScenarios are about redirects and former slugs (extensions §8).
var redirectScenarios = []scenario{
	{name: "redirects/manage", run: manageRedirects},
	{name: "redirects/csv", run: redirectsCSV},
	{name: "redirects/roles", run: redirectRoles},
	{name: "redirects/slugs", run: formerSlugs},
	{name: "redirects/listed", run: listedRedirects},
	{name: "redirects/locales", run: formerSlugsInLocales},
}

func manageRedirects(t *testing.T, s *suite) {
	admin := s.admin(t)
	at := "/" + unique("at")
	made := admin.step(t,
		step{call: "POST /redirects", body: obj{"from": at + "/a", "to": at + "/b"}, status: 201, want: obj{
			"data.from": at + "/a", "data.to": at + "/b", "data.status": 301, "data.id": present,
		}})
	id := made.str(t, "data.id")
	invalid := func(name string, body obj, on ...string) step {
		return step{name: name, call: "POST /redirects", body: body, status: 422,
			code: "VALIDATION_FAILED", details: on}
	}
	admin.run(t,
		step{name: "read", call: "GET /redirects/" + id, status: 200, want: obj{"data.from": at + "/a"}},
		step{name: "unknown", call: "GET /redirects/no-such", status: 404, code: "NOT_FOUND"},
		step{name: "taken", call: "POST /redirects", body: obj{"from": at + "/a", "to": at + "/c"},
			status: 409, code: "CONFLICT"},
		invalid("nothing", obj{}, "from", "to"),
		invalid("no path", obj{"from": "a", "to": at}, "from"),
		invalid("an address as from", obj{"from": "https://example.com/a", "to": at}, "from"),
		invalid("status", obj{"from": at, "to": at + "/x", "status": 303}, "status"),
		invalid("another scheme", obj{"from": at, "to": "ftp://example.com"}, "to"),
		invalid("a host without a scheme", obj{"from": at, "to": "//example.com"}, "to"),
		invalid("a word", obj{"from": at, "to": "there"}, "to"),
		invalid("gone with a target", obj{"from": at, "to": at + "/x", "status": 410}, "to"),
		invalid("no target", obj{"from": at, "to": nil, "status": 302}, "to"),
		invalid("unknown key", obj{"from": at, "to": at + "/x", "code": 301}, "code"),
		invalid("itself", obj{"from": at, "to": at}, "to"),
		invalid("back", obj{"from": at + "/b", "to": at + "/a"}, "to"),
		invalid("back with a slash", obj{"from": at + "/b", "to": at + "/a/"}, "to"),
		invalid("back with a query", obj{"from": at + "/b/", "to": at + "/a?x=1#y"}, "to"),
		invalid("back with an escape", obj{"from": at + "/b", "to": at + "/%61"}, "to"),
		step{name: "on", call: "POST /redirects", body: obj{"from": at + "/b", "to": at + "/c",
			"status": 308}, status: 201},
		invalid("back in two steps", obj{"from": at + "/c", "to": at + "/a", "status": 302}, "to"),
		step{name: "out", call: "POST /redirects",
			body: obj{"from": at + "/c", "to": "https://example.com/c", "status": 307}, status: 201},
		step{name: "gone", call: "POST /redirects",
			body: obj{"from": at + "/g", "to": nil, "status": 410}, status: 201,
			want: obj{"data.to": nil, "data.status": 410}},
		step{name: "update", call: "PUT /redirects/" + id, body: obj{"status": 302}, status: 200,
			want: obj{"data.to": at + "/b", "data.status": 302}},
		step{name: "update to gone", call: "PUT /redirects/" + id, body: obj{"status": 410},
			status: 200, want: obj{"data.to": nil, "data.status": 410}},
		step{name: "update to a loop", call: "PUT /redirects/" + id,
			body: obj{"status": 301, "to": at + "/a"}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"to"}},
		step{name: "update to a taken from", call: "PUT /redirects/" + id,
			body: obj{"from": at + "/b"}, status: 409, code: "CONFLICT"},
		step{name: "another from", call: "PUT /redirects/" + id,
			body: obj{"from": at + "/z", "to": at + "/a", "status": 301}, status: 200},
		step{name: "the old from is free", call: "POST /redirects",
			body: obj{"from": at + "/a", "to": at + "/b"}, status: 201},
		step{name: "delete", call: "DELETE /redirects/" + id, status: 204},
		step{name: "deleted", call: "GET /redirects/" + id, status: 404, code: "NOT_FOUND"},
		step{name: "delete again", call: "DELETE /redirects/" + id, status: 404, code: "NOT_FOUND"},
		step{name: "list", call: "GET /redirects?per_page=1", status: 200,
			want: obj{"data.1": nil, "meta.per_page": 1}},
		step{name: "reserved", call: "POST /models", body: obj{"slug": "redirects", "name": "R"},
			status: 422, code: "VALIDATION_FAILED", details: []string{"slug"}},
	)
}

func redirectsCSV(t *testing.T, s *suite) {
	admin := s.admin(t)
	at := "/" + unique("csv")
	first := "from,to,status\n" + at + "/a," + at + "/b,301\n" + at + "/g,,410\nno-path," + at +
		",301\n" + at + "/d," + at + "/e,abc\n"
	admin.step(t, step{call: "POST /redirects.csv", body: text("text/csv", first), status: 200, want: obj{
		"data.created": 2, "data.updated": 0, "data.failed.0.line": 4, "data.failed.1.line": 5,
		"data.failed.2": nil, "data.failed.0.message": contains("from"),
	}})
	second := at + "/a," + at + "/c,302\n" + at + "/b," + at + "/a,301\n" + at + "/n,https://example.com/n,\n"
	admin.step(t, step{call: "POST /redirects.csv", body: text("text/csv", second), status: 200, want: obj{
		"data.created": 2, "data.updated": 1, "data.failed": list{},
	}})
	all := string(admin.ok(t, 200, "GET /redirects.csv", nil).Raw)
	for _, line := range []string{"from,to,status\n", at + "/a," + at + "/c,302\n", at +
		"/g,,410\n", at + "/n,https://example.com/n,301\n"} {
		if !strings.Contains(all, line) {
			t.Errorf("%q is missing in\n%s", line, all)
		}
	}
	admin.step(t, step{call: "POST /redirects.csv", body: text("text/csv", all), status: 200,
		want: obj{"data.created": 0, "data.failed": list{}}})
	admin.step(t, step{call: "POST /redirects.csv", body: text("text/csv", "from,to\n\"a"),
		status: 400, code: "BAD_REQUEST"})
}

func redirectRoles(t *testing.T, s *suite) {
	at := "/" + unique("roles")
	_, _, editor := s.user(t, "editor")
	_, _, viewer := s.user(t, "viewer")
	_, none := s.role(t, obj{"models": list{"media"}})
	_, reader := s.role(t, obj{"models": list{"redirects"}, "actions": list{"read"}})
	_, writer := s.role(t, obj{"models": list{"redirects"}, "actions": list{"read", "write"}})
	id := editor.ok(t, 201, "POST /redirects", obj{"from": at + "/a", "to": at + "/b"}).str(t, "data.id")
	for _, c := range []*client{viewer, reader} {
		c.run(t,
			step{name: "list", call: "GET /redirects", status: 200},
			step{name: "read", call: "GET /redirects/" + id, status: 200},
			step{name: "former", call: "GET /redirects/former?per_page=1", status: 200, want: obj{"meta.page": 1}},
			step{name: "export", call: "GET /redirects.csv", status: 200},
			step{name: "create", call: "POST /redirects", body: obj{"from": at, "to": at + "/c"},
				status: 403, code: "FORBIDDEN"},
			step{name: "update", call: "PUT /redirects/" + id, body: obj{"status": 302},
				status: 403, code: "FORBIDDEN"},
			step{name: "delete", call: "DELETE /redirects/" + id, status: 403, code: "FORBIDDEN"},
			step{name: "import", call: "POST /redirects.csv", body: text("text/csv", "from,to\n"),
				status: 403, code: "FORBIDDEN"},
		)
	}
	writer.ok(t, 200, "PUT /redirects/"+id, obj{"status": 302})
	writer.step(t, step{call: "DELETE /redirects/" + id, status: 403, code: "FORBIDDEN"})
	none.step(t, step{call: "GET /redirects", status: 404, code: "NOT_FOUND"})
	none.step(t, step{call: "GET /redirects/former", status: 404, code: "NOT_FOUND"})
	s.anonymousAdmin().step(t, step{call: "GET /redirects", status: 401, code: "UNAUTHORIZED"})
	editor.ok(t, 204, "DELETE /redirects/"+id, nil)
}

func formerSlugs(t *testing.T, s *suite) {
	writer := s.adminKey(t)
	model := s.model(t, nil)
	id := writer.publish(t, model, "First", nil)
	d := s.publishable(t, nil)
	shows := func(slug, path string, want any) {
		t.Helper()
		s.eventually(t, slug+" "+path,
			func() bool { return compare(d.do(t, "GET /"+model+"/"+slug, nil).get(path), want) == nil })
	}
	shows("first", "data.id", id)
	writer.ok(t, 200, "PUT /"+model+"/"+id, obj{"slug": "second"})
	shows("first", "meta.moved_to", "second")
	d.step(t, step{call: "GET /" + model + "/first", status: 200,
		want: obj{"data.id": id, "data.slug": "second"}, header: obj{
			"Cache-Tag": tagged("paths", "e."+id, "schema"), "Cache-Control": cacheForever,
		}})
	d.step(t, step{call: "GET /" + model + "/second", status: 200, want: obj{"meta": obj{}}})
	writer.step(t, step{call: "GET /" + model + "/first", status: 404, code: "ENTRY_NOT_FOUND"})
	writer.ok(t, 200, "PUT /"+model+"/"+id, obj{"slug": "third", "title": "Other"})
	shows("first", "meta.moved_to", "third")
	shows("second", "meta.moved_to", "third")
	shows("first", "data.title", "Other")

	draft := writer.create(t, model, obj{"title": "D", "slug": "unseen"}).str(t, "data.id")
	writer.ok(t, 200, "PUT /"+model+"/"+draft, obj{"slug": "later"})
	d.step(t, step{name: "a slug of a draft", call: "GET /" + model + "/unseen", status: 404,
		code: "ENTRY_NOT_FOUND"})

	t.Run("whoever has the slug now wins", func(t *testing.T) {
		other := writer.publish(t, model, "First", nil)
		shows("first", "data.id", other)
		shows("first", "meta.moved_to", nil)
		writer.ok(t, 200, "PUT /"+model+"/"+other, obj{"status": "draft"})
		shows("first", "error.code", "ENTRY_NOT_FOUND")
		writer.ok(t, 204, "DELETE /"+model+"/"+other, nil)
		shows("first", "data.id", id)
		held := writer.create(t, model, obj{"title": "First"}).str(t, "data.id")
		shows("first", "error.code", "ENTRY_NOT_FOUND")
		writer.ok(t, 200, "PUT /"+model+"/"+held, obj{"slug": "elsewhere"})
		shows("first", "meta.moved_to", "third")
	})
	t.Run("the entry that had the slug last", func(t *testing.T) {
		other := writer.publish(t, model, "Second", nil)
		writer.ok(t, 200, "PUT /"+model+"/"+other, obj{"slug": "fourth"})
		shows("second", "data.id", other)
		writer.ok(t, 204, "DELETE /"+model+"/"+other, nil)
		s.admin(t).ok(t, 204, "DELETE /trash/"+other, nil)
		shows("second", "error.code", "ENTRY_NOT_FOUND")
	})
	t.Run("back again", func(t *testing.T) {
		writer.ok(t, 200, "PUT /"+model+"/"+id, obj{"slug": "first"})
		shows("first", "meta", obj{})
		shows("third", "meta.moved_to", "first")
	})
	t.Run("unpublish", func(t *testing.T) {
		writer.ok(t, 200, "PUT /"+model+"/"+id, obj{"status": "draft"})
		shows("third", "error.code", "ENTRY_NOT_FOUND")
		writer.ok(t, 200, "PUT /"+model+"/"+id, obj{"status": "published"})
		shows("third", "meta.moved_to", "first")
	})
	t.Run("renamed while it is not published", func(t *testing.T) {
		away := writer.publish(t, model, "Away", nil)
		writer.ok(t, 200, "PUT /"+model+"/"+away, obj{"status": "draft"})
		for _, slug := range []string{"never-seen", "away", "never-seen-2"} {
			writer.ok(t, 200, "PUT /"+model+"/"+away, obj{"slug": slug})
		}
		shows("away", "error.code", "ENTRY_NOT_FOUND")
		writer.ok(t, 200, "PUT /"+model+"/"+away, obj{"slug": "home", "status": "published"})
		shows("away", "meta.moved_to", "home")
		shows("never-seen", "error.code", "ENTRY_NOT_FOUND")
		shows("never-seen-2", "error.code", "ENTRY_NOT_FOUND")
		writer.ok(t, 200, "PUT /"+model+"/"+away, obj{"status": "archived"})
		writer.ok(t, 200, "PUT /"+model+"/"+away, obj{"slug": "house", "status": "published"})
		shows("home", "meta.moved_to", "house")
		shows("away", "meta.moved_to", "house")
	})
	t.Run("trash", func(t *testing.T) {
		writer.ok(t, 204, "DELETE /"+model+"/"+id, nil)
		shows("third", "error.code", "ENTRY_NOT_FOUND")
		s.admin(t).ok(t, 200, "POST /trash/"+id+"/restore", nil)
		shows("third", "meta.moved_to", "first")
		writer.ok(t, 204, "DELETE /"+model+"/"+id, nil)
		s.admin(t).ok(t, 204, "DELETE /trash/"+id, nil)
		shows("third", "error.code", "ENTRY_NOT_FOUND")
	})
}

func listedRedirects(t *testing.T, s *suite) {
	writer, admin := s.key(t, nil), s.admin(t)
	model := s.model(t, nil)
	at := "/" + model
	admin.ok(t, 200, "PUT /models/"+model, obj{"url": at + "/{slug}"})
	d := s.publishable(t, obj{"models": list{model}})
	to := func(from string) (found obj) {
		a := d.ok(t, 200, "GET /redirects?per_page=1000", nil)
		for _, item := range a.get("data").(list) {
			if r := item.(obj); r["from"] == at+from {
				return r
			}
		}
		return nil
	}
	leads := func(from string, want any) {
		t.Helper()
		s.eventually(t, from, func() bool {
			got := to(from)
			if want == nil {
				return got == nil
			}
			return got != nil && compare(got["to"], want) == nil && compare(got["status"], 301) == nil
		})
	}
	leads("/one", nil)
	id := writer.publish(t, model, "One", nil)
	writer.ok(t, 200, "PUT /"+model+"/"+id, obj{"slug": "two"})
	leads("/one", at+"/two")
	d.step(t, step{call: "GET /redirects", status: 200,
		header: obj{"Cache-Tag": tagged("paths", "k."+d.id, "schema")},
		want:   obj{"meta.page": 1, "meta.per_page": 25}})
	writer.ok(t, 200, "PUT /"+model+"/"+id, obj{"slug": "three"})
	leads("/one", at+"/three")
	leads("/two", at+"/three")
	admin.step(t, step{name: "loop", call: "POST /redirects",
		body: obj{"from": at + "/three", "to": at + "/one"}, status: 422, code: "VALIDATION_FAILED",
		details: []string{"to"}})
	admin.step(t, step{name: "loop with a slash", call: "POST /redirects",
		body: obj{"from": at + "/three", "to": at + "/one/"}, status: 422, code: "VALIDATION_FAILED",
		details: []string{"to"}})
	away := admin.ok(t, 201, "POST /redirects", obj{"from": at + "/three", "to": at + "/away",
		"status": 302}).str(t, "data.id")
	leads("/one", at+"/away")
	own := admin.ok(t, 201, "POST /redirects", obj{"from": at + "/one", "to": at + "/own"}).str(t, "data.id")
	leads("/one", at+"/own")
	admin.ok(t, 204, "DELETE /redirects/"+own, nil)
	admin.ok(t, 204, "DELETE /redirects/"+away, nil)
	leads("/one", at+"/three")
	gone := admin.ok(t, 201, "POST /redirects", obj{"from": at + "/x", "status": 410}).str(t, "data.id")
	s.eventually(t, "an address that is gone", func() bool {
		r := to("/x")
		return r != nil &&
			r["to"] == nil && r["status"] == 410.0
	})
	admin.ok(t, 204, "DELETE /redirects/"+gone, nil)

	t.Run("a loop is left out", func(t *testing.T) {
		back := admin.ok(t, 201, "POST /redirects",
			obj{"from": at + "/four", "to": at + "/three"}).str(t, "data.id")
		writer.ok(t, 200, "PUT /"+model+"/"+id, obj{"slug": "four"})
		leads("/three", nil)
		leads("/four", at+"/three")
		admin.ok(t, 204, "DELETE /redirects/"+back, nil)
		leads("/three", at+"/four")
	})
	t.Run("a slug that another entry has", func(t *testing.T) {
		other := writer.publish(t, model, "One", nil)
		leads("/one", nil)
		writer.ok(t, 204, "DELETE /"+model+"/"+other, nil)
		leads("/one", at+"/four")
	})
	writer.ok(t, 200, "PUT /"+model+"/"+id, obj{"status": "draft"})
	leads("/one", nil)
	writer.ok(t, 200, "PUT /"+model+"/"+id, obj{"status": "published"})
	leads("/one", at+"/four")
	d.step(t, step{call: "GET /redirects?per_page=0", status: 400, code: "BAD_REQUEST"})
	d.step(t, step{call: "GET /redirects?per_page=5000", status: 200, want: obj{"meta.per_page": 1000}})
	t.Run("not for a key without the model", func(t *testing.T) {
		blind := s.publishable(t, obj{"models": list{s.model(t, nil)}})
		if a := blind.ok(t, 200, "GET /redirects?per_page=1000", nil); strings.Contains(string(a.Raw),
			at+"/four") {
			t.Errorf("%s", a.Raw)
		}
	})
}

func formerSlugsInLocales(t *testing.T, s *suite) {
	s.useLocale(t, "fr", "French")
	writer := s.key(t, nil)
	model := s.model(t, obj{"localized": true, "url": "/{locale}/x/{slug}"})
	id := writer.create(t, model, obj{"title": "Un", "locale": "fr", "status": "published"}).str(t, "data.id")
	writer.ok(t, 200, "PUT /"+model+"/"+id, obj{"slug": "deux"})
	d := s.publishable(t, obj{"models": list{model}})
	d.step(t, step{call: "GET /" + model + "/un?locale=fr", status: 200,
		want: obj{"data.id": id, "meta.moved_to": "deux"}})
	d.step(t, step{call: "GET /" + model + "/un", status: 404, code: "ENTRY_NOT_FOUND"})
	d.step(t, step{call: "GET /" + model + "/un?locale=fr&fallback=true", status: 200,
		want: obj{"data.id": id, "meta.moved_to": "deux", "meta.locale": "fr"}})
	a := d.ok(t, 200, "GET /redirects?per_page=1000", nil)
	if !strings.Contains(string(a.Raw), `{"from":"/fr/x/un","to":"/fr/x/deux","status":301}`) {
		t.Errorf("%s", a.Raw)
	}
}

func redirectsInSchema(t *testing.T, s *suite) {
	admin := s.admin(t)
	at := "/" + unique("schema")
	schema := obj{"redirects": list{obj{"from": at + "/a", "to": at + "/b", "status": 302},
		obj{"from": at + "/gone", "to": nil, "status": 410}}}
	_, changes := planned(t, admin, schema)
	if got := changes["redirects."+at+"/a"]; compare(got["op"], "create") != nil ||
		compare(got["kind"], "redirect") != nil || compare(got["risk"], "safe") != nil {
		t.Errorf("%v", changes)
	}
	applied(t, admin, schema)
	a := admin.ok(t, 200, "GET /schema", nil)
	if got := find(a.get("data.redirects"), "from", at+"/a"); compare(got,
		obj{"from": at + "/a", "to": at + "/b", "status": 302}) != nil {
		t.Errorf("%v", got)
	}
	back := obj{"redirects": list{obj{"from": at + "/b", "to": at + "/a"},
		obj{"from": at + "/c", "to": "nowhere", "status": 303}}}
	admin.step(t, step{call: "POST /schema/plan", body: obj{"schema": back}, status: 422,
		code:    "VALIDATION_FAILED",
		details: []string{"redirects.0.to", "redirects.1.status"}})
	applied(t, admin,
		obj{"redirects": list{obj{"from": at + "/a", "to": at + "/c"},
			obj{"from": at + "/b", "to": at + "/a"}}})
	if got := find(admin.ok(t, 200, "GET /schema", nil).get("data.redirects"), "from", at+"/b"); compare(got["to"],
		at+"/a") != nil {
		t.Errorf("%v", got)
	}
	applied(t, admin, obj{"deletes": obj{"redirects": list{at + "/a", at + "/b", at + "/gone"}}})
	if got := find(admin.ok(t, 200, "GET /schema", nil).get("data.redirects"), "from", at+"/b"); got != nil {
		t.Errorf("%v", got)
	}
}
