package site

import (
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Redirects has the scenarios of redirects and former slugs (extensions §8).
var Redirects = []kit.Scenario{
	{Name: "redirects/manage", Run: manageRedirects},
	{Name: "redirects/csv", Run: redirectsCSV},
	{Name: "redirects/roles", Run: redirectRoles},
	{Name: "redirects/slugs", Run: formerSlugs},
	{Name: "redirects/listed", Run: listedRedirects},
	{Name: "redirects/locales", Run: formerSlugsInLocales},
}

func manageRedirects(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	at := "/" + kit.Unique("at")
	made := admin.Step(t, kit.Step{Call: "POST /redirects", Body: kit.Obj{"from": at + "/a", "to": at + "/b"},
		Status: 201,
		Want:   kit.Obj{"data.from": at + "/a", "data.to": at + "/b", "data.status": 301, "data.id": kit.Present}})
	id := made.Str(t, "data.id")
	invalid := func(name string, body kit.Obj, keys string) kit.Step {
		return kit.Step{Name: name, Call: "POST /redirects", Body: body, Invalid: keys}
	}
	admin.Run(t,
		kit.Step{Name: "read", Call: "GET /redirects/" + id, Want: kit.Obj{"data.from": at + "/a"}},
		kit.Step{Name: "unknown", Call: "GET /redirects/no-such", Code: "NOT_FOUND"},
		kit.Step{Name: "taken", Call: "POST /redirects", Body: kit.Obj{"from": at + "/a", "to": at + "/c"},
			Code: "CONFLICT"},
		kit.Step{Name: "taken with a slash", Call: "POST /redirects", Body: kit.Obj{"from": at + "/a/", "to": at + "/c"},
			Code: "CONFLICT"},
		kit.Step{Name: "taken with an escape", Call: "POST /redirects", Body: kit.Obj{"from": at + "/%61", "to": at + "/c"},
			Code: "CONFLICT"},
		invalid("nothing", kit.Obj{}, "from to"),
		invalid("no path", kit.Obj{"from": "a", "to": at}, "from"),
		invalid("an address as from", kit.Obj{"from": "https://example.com/a", "to": at}, "from"),
		invalid("status", kit.Obj{"from": at, "to": at + "/x", "status": 303}, "status"),
		invalid("another scheme", kit.Obj{"from": at, "to": "ftp://example.com"}, "to"),
		invalid("a host without a scheme", kit.Obj{"from": at, "to": "//example.com"}, "to"),
		invalid("a word", kit.Obj{"from": at, "to": "there"}, "to"),
		invalid("gone with a target", kit.Obj{"from": at, "to": at + "/x", "status": 410}, "to"),
		invalid("no target", kit.Obj{"from": at, "to": nil, "status": 302}, "to"),
		invalid("unknown key", kit.Obj{"from": at, "to": at + "/x", "code": 301}, "code"),
		invalid("itself", kit.Obj{"from": at, "to": at}, "to"),
		invalid("back", kit.Obj{"from": at + "/b", "to": at + "/a"}, "to"),
		invalid("back with a slash", kit.Obj{"from": at + "/b", "to": at + "/a/"}, "to"),
		invalid("back with a query", kit.Obj{"from": at + "/b/", "to": at + "/a?x=1#y"}, "to"),
		invalid("back with an escape", kit.Obj{"from": at + "/b", "to": at + "/%61"}, "to"),
		kit.Step{Name: "on", Call: "POST /redirects", Body: kit.Obj{"from": at + "/b", "to": at + "/c", "status": 308},
			Status: 201},
		invalid("back in two steps", kit.Obj{"from": at + "/c", "to": at + "/a", "status": 302}, "to"),
		kit.Step{Name: "out", Call: "POST /redirects",
			Body: kit.Obj{"from": at + "/c", "to": "https://example.com/c", "status": 307}, Status: 201},
		kit.Step{Name: "gone", Call: "POST /redirects", Body: kit.Obj{"from": at + "/g", "to": nil, "status": 410},
			Status: 201, Want: kit.Obj{"data.to": nil, "data.status": 410}},
		kit.Step{Name: "update", Call: "PUT /redirects/" + id, Body: kit.Obj{"status": 302},
			Want: kit.Obj{"data.to": at + "/b", "data.status": 302}},
		kit.Step{Name: "update to gone", Call: "PUT /redirects/" + id, Body: kit.Obj{"status": 410},
			Want: kit.Obj{"data.to": nil, "data.status": 410}},
		kit.Step{Name: "update to a loop", Call: "PUT /redirects/" + id, Body: kit.Obj{"status": 301, "to": at + "/a"},
			Invalid: "to"},
		kit.Step{Name: "update to a taken from", Call: "PUT /redirects/" + id, Body: kit.Obj{"from": at + "/b"},
			Code: "CONFLICT"},
		kit.Step{Name: "update to a taken from with a slash", Call: "PUT /redirects/" + id,
			Body: kit.Obj{"from": at + "/g/"}, Code: "CONFLICT"},
		kit.Step{Name: "its own from with a slash", Call: "PUT /redirects/" + id, Body: kit.Obj{"from": at + "/a/"}},
		kit.Step{Name: "another from", Call: "PUT /redirects/" + id,
			Body: kit.Obj{"from": at + "/z", "to": at + "/a", "status": 301}},
		kit.Step{Name: "the old from is free", Call: "POST /redirects", Body: kit.Obj{"from": at + "/a", "to": at + "/b"},
			Status: 201},
		kit.Step{Name: "delete", Call: "DELETE /redirects/" + id, Status: 204},
		kit.Step{Name: "deleted", Call: "GET /redirects/" + id, Code: "NOT_FOUND"},
		kit.Step{Name: "delete again", Call: "DELETE /redirects/" + id, Code: "NOT_FOUND"},
		kit.Step{Name: "list", Call: "GET /redirects?per_page=1", Want: kit.Obj{"data.1": nil, "meta.per_page": 1}},
		kit.Step{Name: "reserved", Call: "POST /models", Body: kit.Obj{"slug": "redirects", "name": "R"}, Invalid: "slug"},
	)
}

func redirectsCSV(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	at := "/" + kit.Unique("csv")
	first := "from,to,status\n" + at + "/a," + at + "/b,301\n" + at + "/g,,410\nno-path," + at +
		",301\n" + at + "/d," + at + "/e,abc\n"
	admin.Step(t, kit.Step{Call: "POST /redirects.csv", Body: kit.Text("text/csv", first), Want: kit.Obj{
		"data.created": 2, "data.updated": 0, "data.failed.0.line": 4, "data.failed.1.line": 5,
		"data.failed.2": nil, "data.failed.0.message": kit.Contains("from"),
	}})
	second := at + "/a," + at + "/c,302\n" + at + "/b," + at + "/a,301\n" + at + "/n,https://example.com/n,\n"
	admin.Step(t, kit.Step{Call: "POST /redirects.csv", Body: kit.Text("text/csv", second),
		Want: kit.Obj{"data.created": 2, "data.updated": 1, "data.failed": kit.List{}}})
	all := admin.Get(t, "/redirects.csv")
	all.Contains(t, "the file", "from,to,status\n", at+"/a,"+at+"/c,302\n", at+"/g,,410\n",
		at+"/n,https://example.com/n,301\n")
	own := "from,to,status\n"
	for line := range strings.Lines(string(all.Raw)) {
		if strings.HasPrefix(line, at+"/") { // other scenarios delete theirs meanwhile
			own += line
		}
	}
	admin.Step(t, kit.Step{Call: "POST /redirects.csv", Body: kit.Text("text/csv", own),
		Want: kit.Obj{"data.created": 0, "data.failed": kit.List{}}})
	admin.Step(t, kit.Step{Name: "one address", Call: "POST /redirects.csv", Body: kit.Text("text/csv",
		at+"/n/,https://example.com/m,\n"+at+"/p,"+at+"/q,\n"+at+"/p/,"+at+"/r,\n"),
		Want: kit.Obj{"data.created": 1, "data.updated": 2, "data.failed": kit.List{}}})
	admin.Step(t, kit.Step{Call: "POST /redirects.csv", Body: kit.Text("text/csv", "from,to\n\"a"), Code: "BAD_REQUEST"})
	undoneCSV(t, s, admin)
}

// undoneCSV takes an import of redirects back, and that undo. What somebody has changed since stays and is named.
func undoneCSV(t *testing.T, s *kit.Suite, admin *kit.Client) {
	t.Helper()
	at := "/" + kit.Unique("undo")
	kept := admin.Step(t, kit.Step{Call: "POST /redirects", Body: kit.Obj{"from": at + "/a", "to": at + "/b"},
		Status: 201}).Str(t, "data.id")
	upload := admin.Step(t, kit.Step{Call: "POST /redirects.csv", Body: kit.Text("text/csv",
		at+"/a,"+at+"/c,302\n"+at+"/b,"+at+"/a,\n"+at+"/n,,410\n")}).Str(t, "meta.job")
	revert := func(of string) kit.Obj { return kit.Obj{"action": "revert", "model": "redirects", "of": of} }
	undo := func(of string) kit.Answer {
		t.Helper()
		return s.EndOfJob(t, admin.OK(t, 202, "POST /jobs", revert(of)).Str(t, "data.id"))
	}
	admin.Get(t, "/jobs/"+upload).Has(t, "the job", kit.Obj{"data.status": "done", "data.action": "import",
		"data.model": "redirects", "data.total": 3, "data.done": 3})
	_, writer := s.Role(t, kit.Obj{"models": kit.List{"redirects"}, "actions": kit.List{"read", "write", "delete"}})
	writer.Step(t, kit.Step{Name: "not without the right to publish", Call: "POST /jobs", Body: revert(upload),
		Code: "FORBIDDEN"})
	undone := undo(upload)
	undone.Has(t, "undone", kit.Obj{"data.status": "done", "data.total": 3, "data.failed": kit.List{}})
	admin.Get(t, "/redirects/"+kept).Has(t, "as before", kit.Obj{"data.to": at + "/b", "data.status": 301})
	if all := string(admin.Get(t, "/redirects.csv").Raw); strings.Contains(all, at+"/n") {
		t.Errorf("after the undo: %s", all)
	}
	admin.Step(t, kit.Step{Name: "once", Call: "POST /jobs", Body: revert(upload), Code: "CONFLICT"})
	redone := undo(undone.Str(t, "data.id"))
	redone.Has(t, "the undo of the undo", kit.Obj{"data.total": 3, "data.failed": kit.List{}})
	admin.Get(t, "/redirects.csv").Contains(t, "the file", at+"/a,"+at+"/c,302\n", at+"/b,"+at+"/a,301\n", at+"/n,,410\n")
	admin.Put(t, "/redirects/"+kept, kit.Obj{"to": at + "/later"})
	undo(redone.Str(t, "data.id")).Has(t, "what stays", kit.Obj{"data.total": 3, "data.failed.#": 1,
		"data.failed.0.model": "redirects", "data.failed.0.id": kept, "data.failed.0.code": "CONFLICT"})
	admin.Get(t, "/redirects/"+kept).Has(t, "later", kit.Obj{"data.to": at + "/later"})
	admin.Step(t, kit.Step{Name: "nothing to undo", Call: "POST /redirects.csv", Body: kit.Text("text/csv",
		at+"/a,"+at+"/later,302\n"), Want: kit.Obj{"meta.job": ""}})
}

func redirectRoles(t *testing.T, s *kit.Suite) {
	at := "/" + kit.Unique("roles")
	_, _, editor := s.User(t, "editor")
	_, _, viewer := s.User(t, "viewer")
	_, none := s.Role(t, kit.Obj{"models": kit.List{"media"}})
	_, reader := s.Role(t, kit.Obj{"models": kit.List{"redirects"}, "actions": kit.List{"read"}})
	_, drafter := s.Role(t, kit.Obj{"models": kit.List{"redirects"}, "actions": kit.List{"read", "write", "delete"}})
	_, writer := s.Role(t, kit.Obj{"models": kit.List{"redirects"}, "actions": kit.List{"read", "write", "publish"}})
	id := editor.Post(t, "/redirects", kit.Obj{"from": at + "/a", "to": at + "/b"}).Str(t, "data.id")
	for _, c := range []*kit.Client{viewer, reader, drafter} {
		c.Run(t,
			kit.Step{Name: "list", Call: "GET /redirects"},
			kit.Step{Name: "read", Call: "GET /redirects/" + id},
			kit.Step{Name: "former", Call: "GET /redirects/former?per_page=1", Want: kit.Obj{"meta.page": 1}},
			kit.Step{Name: "export", Call: "GET /redirects.csv"},
			kit.Step{Name: "create", Call: "POST /redirects", Body: kit.Obj{"from": at, "to": at + "/c"}, Code: "FORBIDDEN"},
			kit.Step{Name: "update", Call: "PUT /redirects/" + id, Body: kit.Obj{"status": 302}, Code: "FORBIDDEN"},
			kit.Step{Name: "delete", Call: "DELETE /redirects/" + id, Code: "FORBIDDEN"},
			kit.Step{Name: "import", Call: "POST /redirects.csv", Body: kit.Text("text/csv", "from,to\n"), Code: "FORBIDDEN"},
		)
	}
	writer.Put(t, "/redirects/"+id, kit.Obj{"status": 302})
	writer.Step(t, kit.Step{Call: "DELETE /redirects/" + id, Code: "FORBIDDEN"})
	none.Step(t, kit.Step{Call: "GET /redirects", Code: "NOT_FOUND"})
	none.Step(t, kit.Step{Call: "GET /redirects/former", Code: "NOT_FOUND"})
	s.AnonymousAdmin().Step(t, kit.Step{Call: "GET /redirects", Code: "UNAUTHORIZED"})
	editor.Delete(t, "/redirects/"+id)
}

func formerSlugs(t *testing.T, s *kit.Suite) {
	writer := s.AdminKey(t)
	model := s.Model(t, nil)
	id := writer.Publish(t, model, "First", nil)
	d := s.PublishableKey(t, nil)
	shows := func(slug, path string, want any) {
		t.Helper()
		s.Eventually(t, slug+" "+path,
			func() bool { return kit.Compare(d.Do(t, "GET /"+model+"/"+slug, nil).Get(path), want) == nil })
	}
	shows("first", "data.id", id)
	writer.Put(t, "/"+model+"/"+id, kit.Obj{"slug": "second"})
	shows("first", "meta.moved_to", "second")
	d.Step(t, kit.Step{Call: "GET /" + model + "/first", Want: kit.Obj{"data.id": id, "data.slug": "second"},
		Header: kit.Obj{"Cache-Tag": kit.Tagged("paths", "e."+id, "schema"), "Cache-Control": kit.CacheForever}})
	d.Step(t, kit.Step{Call: "GET /" + model + "/second", Want: kit.Obj{"meta": kit.Obj{}}})
	writer.Step(t, kit.Step{Call: "GET /" + model + "/first", Code: "ENTRY_NOT_FOUND"})
	writer.Put(t, "/"+model+"/"+id, kit.Obj{"slug": "third", "title": "Other"})
	shows("first", "meta.moved_to", "third")
	shows("second", "meta.moved_to", "third")
	shows("first", "data.title", "Other")

	draft := writer.Create(t, model, kit.Obj{"title": "D", "slug": "unseen"}).Str(t, "data.id")
	writer.Put(t, "/"+model+"/"+draft, kit.Obj{"slug": "later"})
	d.Step(t, kit.Step{Name: "a slug of a draft", Call: "GET /" + model + "/unseen", Code: "ENTRY_NOT_FOUND"})

	taken := s.RunJob(t, kit.Obj{"action": "publish", "model": model, "ids": kit.List{draft}})
	s.RunJob(t, kit.Obj{"action": "revert", "model": model, "of": taken.Str(t, "data.id")})
	writer.Put(t, "/"+model+"/"+draft, kit.Obj{"slug": "latest"})
	writer.Put(t, "/"+model+"/"+draft, kit.Obj{"status": "published"})
	shows("later", "meta.moved_to", "latest") // it was public until its first publication was taken back
	d.Step(t, kit.Step{Name: "still a slug of a draft", Call: "GET /" + model + "/unseen", Code: "ENTRY_NOT_FOUND"})

	t.Run("whoever has the slug now wins", func(t *testing.T) {
		other := writer.Publish(t, model, "First", nil)
		shows("first", "data.id", other)
		shows("first", "meta.moved_to", nil)
		writer.Put(t, "/"+model+"/"+other, kit.Obj{"status": "draft"})
		shows("first", "error.code", "ENTRY_NOT_FOUND")
		writer.Delete(t, "/"+model+"/"+other)
		shows("first", "data.id", id)
		held := writer.Create(t, model, kit.Obj{"title": "First"}).Str(t, "data.id")
		shows("first", "error.code", "ENTRY_NOT_FOUND")
		writer.Put(t, "/"+model+"/"+held, kit.Obj{"slug": "elsewhere"})
		shows("first", "meta.moved_to", "third")
	})
	t.Run("the entry that had the slug last", func(t *testing.T) {
		other := writer.Publish(t, model, "Second", nil)
		writer.Put(t, "/"+model+"/"+other, kit.Obj{"slug": "fourth"})
		shows("second", "data.id", other)
		writer.Delete(t, "/"+model+"/"+other)
		s.Admin(t).Delete(t, "/trash/"+other)
		shows("second", "error.code", "ENTRY_NOT_FOUND")
	})
	t.Run("back again", func(t *testing.T) {
		writer.Put(t, "/"+model+"/"+id, kit.Obj{"slug": "first"})
		shows("first", "meta", kit.Obj{})
		shows("third", "meta.moved_to", "first")
	})
	t.Run("unpublish", func(t *testing.T) {
		writer.Put(t, "/"+model+"/"+id, kit.Obj{"status": "draft"})
		shows("third", "error.code", "ENTRY_NOT_FOUND")
		writer.Put(t, "/"+model+"/"+id, kit.Obj{"status": "published"})
		shows("third", "meta.moved_to", "first")
	})
	t.Run("renamed while it is not published", func(t *testing.T) {
		away := writer.Publish(t, model, "Away", nil)
		writer.Put(t, "/"+model+"/"+away, kit.Obj{"status": "draft"})
		for _, slug := range []string{"never-seen", "away", "never-seen-2"} {
			writer.Put(t, "/"+model+"/"+away, kit.Obj{"slug": slug})
		}
		shows("away", "error.code", "ENTRY_NOT_FOUND")
		writer.Put(t, "/"+model+"/"+away, kit.Obj{"slug": "home", "status": "published"})
		shows("away", "meta.moved_to", "home")
		shows("never-seen", "error.code", "ENTRY_NOT_FOUND")
		shows("never-seen-2", "error.code", "ENTRY_NOT_FOUND")
		writer.Put(t, "/"+model+"/"+away, kit.Obj{"status": "archived"})
		writer.Put(t, "/"+model+"/"+away, kit.Obj{"slug": "house", "status": "published"})
		shows("home", "meta.moved_to", "house")
		shows("away", "meta.moved_to", "house")
	})
	t.Run("trash", func(t *testing.T) {
		writer.Delete(t, "/"+model+"/"+id)
		shows("third", "error.code", "ENTRY_NOT_FOUND")
		s.Admin(t).OK(t, 200, "POST /trash/"+id+"/restore", nil)
		shows("third", "meta.moved_to", "first")
		writer.Delete(t, "/"+model+"/"+id)
		s.Admin(t).Delete(t, "/trash/"+id)
		shows("third", "error.code", "ENTRY_NOT_FOUND")
	})
}

func listedRedirects(t *testing.T, s *kit.Suite) {
	writer, admin := s.Key(t, nil), s.Admin(t)
	model := s.Model(t, nil)
	at := "/" + model
	admin.Put(t, "/models/"+model, kit.Obj{"url": at + "/{slug}"})
	d := s.PublishableKey(t, kit.Obj{"models": kit.List{model}})
	to := func(from string) (found kit.Obj) {
		a := d.Get(t, "/redirects?per_page=1000")
		for _, item := range a.Get("data").(kit.List) {
			if r := item.(kit.Obj); r["from"] == at+from {
				return r
			}
		}
		return nil
	}
	leads := func(from string, want any) {
		t.Helper()
		s.Eventually(t, from, func() bool {
			got := to(from)
			if want == nil {
				return got == nil
			}
			return got != nil && kit.Compare(got["to"], want) == nil && kit.Compare(got["status"], 301) == nil
		})
	}
	leads("/one", nil)
	id := writer.Publish(t, model, "One", nil)
	writer.Put(t, "/"+model+"/"+id, kit.Obj{"slug": "two"})
	leads("/one", at+"/two")
	d.Step(t, kit.Step{Call: "GET /redirects", Header: kit.Obj{"Cache-Tag": kit.Tagged("paths", "k."+d.ID, "schema")},
		Want: kit.Obj{"meta.page": 1, "meta.per_page": 25}})
	writer.Put(t, "/"+model+"/"+id, kit.Obj{"slug": "three"})
	leads("/one", at+"/three")
	leads("/two", at+"/three")
	admin.Step(t, kit.Step{Name: "loop", Call: "POST /redirects",
		Body: kit.Obj{"from": at + "/three", "to": at + "/one"}, Invalid: "to"})
	admin.Step(t, kit.Step{Name: "loop with a slash", Call: "POST /redirects",
		Body: kit.Obj{"from": at + "/three", "to": at + "/one/"}, Invalid: "to"})
	away := admin.Post(t, "/redirects", kit.Obj{"from": at + "/three", "to": at + "/away",
		"status": 302}).Str(t, "data.id")
	leads("/one", at+"/away")
	own := admin.Post(t, "/redirects", kit.Obj{"from": at + "/one", "to": at + "/own"}).Str(t, "data.id")
	leads("/one", at+"/own")
	admin.Delete(t, "/redirects/"+own)
	admin.Delete(t, "/redirects/"+away)
	leads("/one", at+"/three")
	gone := admin.Post(t, "/redirects", kit.Obj{"from": at + "/x", "status": 410}).Str(t, "data.id")
	s.Eventually(t, "an address that is gone", func() bool {
		r := to("/x")
		return r != nil &&
			r["to"] == nil && r["status"] == 410.0
	})
	admin.Delete(t, "/redirects/"+gone)

	t.Run("a loop is left out", func(t *testing.T) {
		back := admin.Post(t, "/redirects", kit.Obj{"from": at + "/four", "to": at + "/three"}).Str(t, "data.id")
		writer.Put(t, "/"+model+"/"+id, kit.Obj{"slug": "four"})
		leads("/three", nil)
		leads("/four", at+"/three")
		admin.Delete(t, "/redirects/"+back)
		leads("/three", at+"/four")
	})
	t.Run("a slug that another entry has", func(t *testing.T) {
		other := writer.Publish(t, model, "One", nil)
		leads("/one", nil)
		writer.Delete(t, "/"+model+"/"+other)
		leads("/one", at+"/four")
	})
	t.Run("an address of another model", func(t *testing.T) {
		second := s.Model(t, kit.Obj{"url": at + "/{slug}"})
		d = s.PublishableKey(t, kit.Obj{"models": kit.List{model, second}})
		leads("/one", at+"/four")
		other := writer.Create(t, second, kit.Obj{"title": "One"}).Str(t, "data.id")
		leads("/one", at+"/four")
		writer.Put(t, "/"+second+"/"+other, kit.Obj{"status": "published"})
		leads("/one", nil)
		writer.Delete(t, "/"+second+"/"+other)
		leads("/one", at+"/four")
	})
	writer.Put(t, "/"+model+"/"+id, kit.Obj{"status": "draft"})
	leads("/one", nil)
	writer.Put(t, "/"+model+"/"+id, kit.Obj{"status": "published"})
	leads("/one", at+"/four")
	d.Step(t, kit.Step{Call: "GET /redirects?per_page=0", Code: "BAD_REQUEST"})
	d.Step(t, kit.Step{Call: "GET /redirects?per_page=5000", Want: kit.Obj{"meta.per_page": 1000}})
	t.Run("not for a key without the model", func(t *testing.T) {
		blind := s.PublishableKey(t, kit.Obj{"models": kit.List{s.Model(t, nil)}})
		blind.Get(t, "/redirects?per_page=1000").Lacks(t, "redirects", at+"/four")
	})
}

func formerSlugsInLocales(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "fr", "French")
	writer := s.Key(t, nil)
	model := s.Model(t, kit.Obj{"localized": true, "url": "/{locale}/x/{slug}"})
	id := writer.Create(t, model, kit.Obj{"title": "Un", "locale": "fr", "status": "published"}).Str(t, "data.id")
	writer.Put(t, "/"+model+"/"+id, kit.Obj{"slug": "deux"})
	d := s.PublishableKey(t, kit.Obj{"models": kit.List{model}})
	d.Step(t, kit.Step{Call: "GET /" + model + "/un?locale=fr", Want: kit.Obj{"data.id": id, "meta.moved_to": "deux"}})
	d.Step(t, kit.Step{Call: "GET /" + model + "/un", Code: "ENTRY_NOT_FOUND"})
	d.Step(t, kit.Step{Call: "GET /" + model + "/un?locale=fr&fallback=true",
		Want: kit.Obj{"data.id": id, "meta.moved_to": "deux", "meta.locale": "fr"}})
	writer.Create(t, model, kit.Obj{"title": "One", "status": "published", "translation_of": id})
	d.Step(t, kit.Step{Name: "the slug of the translation that is shown", Call: "GET /" + model + "/un?fallback=true",
		Want: kit.Obj{"data.slug": "one", "meta.moved_to": "one"}})
	d.Get(t, "/redirects?per_page=1000").Contains(t, "redirects", `{"from":"/fr/x/un","to":"/fr/x/deux","status":301}`)
}
