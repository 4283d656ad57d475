package site

import (
	"net/url"
	"testing"
	"time"

	"headless/pkg/e2e/kit"
)

// section publishes a page with pages below it: top, top/one and top/two, and top/one/deep. It returns their ids.
func section(t *testing.T, k *kit.Client, model string, above any) (top, one, two, deep string) {
	t.Helper()
	top = page(t, k, model, kit.Unique("Top"), above, nil)
	one = page(t, k, model, kit.Unique("One"), top, kit.Obj{"position": 5})
	two = page(t, k, model, kit.Unique("Two"), top, kit.Obj{"position": 2})
	return top, one, two, page(t, k, model, kit.Unique("Deep"), one, nil)
}

// shows polls until GET of an entry has these values.
func shows(t *testing.T, s *kit.Suite, k *kit.Client, at string, want kit.Obj) {
	t.Helper()
	s.Eventually(t, at, func() bool {
		a := k.Do(t, "GET "+at, nil)
		for path, v := range want {
			if a.Get(path) != v {
				return false
			}
		}
		return true
	})
}

func leaveUp(t *testing.T, s *kit.Suite) {
	k, admin := s.AdminKey(t), s.Admin(t)
	model, at := treeModel(t, s, nil)
	above := page(t, k, model, "Above", nil, nil)
	aside := page(t, k, model, "Aside", above, kit.Obj{"position": 7})
	d := s.PublishableKey(t, kit.Obj{"models": kit.List{model}})
	top, one, two, deep := section(t, k, model, above)
	hidden := page(t, k, model, "Hidden", top, kit.Obj{"status": "draft"})
	slug := func(id string) string { return k.Get(t, "/"+model+"/"+id).Str(t, "data.slug") }
	was := at + "/above/" + slug(top) + "/" + slug(one) + "/" + slug(deep)
	entry := "/" + model + "/" + top
	deleter := s.Key(t, kit.Obj{"scopes": kit.List{"read", "delete"}})
	deleter.Step(t, kit.Step{Name: "without the scope to move", Call: "DELETE " + entry + "?children=up",
		Code: "FORBIDDEN"})
	version := k.Get(t, "/"+model+"/"+one).Get("data.version")
	k.Run(t,
		kit.Step{Name: "another value", Call: "DELETE " + entry + "?children=all", Code: "BAD_REQUEST"},
		kit.Step{Name: "no value", Call: "POST " + entry + "/unpublish?children=", Body: kit.Obj{}, Code: "BAD_REQUEST"},
		kit.Step{Name: "twice", Call: "PUT " + entry + "?children=up&children=up", Body: kit.Obj{"status": "draft"},
			Code: "BAD_REQUEST"},
		kit.Step{Name: "without", Call: "DELETE " + entry, Code: "IN_USE"},
		kit.Step{Name: "problems come first", Call: "PUT " + entry,
			Body: kit.Obj{"status": "draft", "title": "", "parent": top}, Invalid: "title parent"},
		kit.Step{Name: "a change that is refused for itself", Call: "PUT " + entry + "?children=up",
			Body: kit.Obj{"status": "draft", "title": ""}, Invalid: "title"},
		kit.Step{Name: "a slug that is taken", Call: "PUT " + entry + "?children=up",
			Body: kit.Obj{"status": "draft", "slug": "above"}, Code: "SLUG_CONFLICT"},
		kit.Step{Name: "moves nothing", Call: "GET /" + model + "/" + one,
			Want: kit.Obj{"data.parent": top, "data.version": version}},
		kit.Step{Name: "a move beside it", Call: "PUT " + entry + "?children=up",
			Body: kit.Obj{"status": "archived", "parent": nil}, Want: kit.Obj{"data.status": "archived", "data.parent": nil}},
		kit.Step{Name: "moved up", Call: "GET /" + model + "/" + one,
			Want: kit.Obj{"data.parent": above, "data.status": "published"}},
		kit.Step{Name: "a draft stays", Call: "GET /" + model + "/" + hidden, Want: kit.Obj{"data.parent": top}},
		kit.Step{Name: "those below it keep their parent", Call: "GET /" + model + "/" + deep,
			Want: kit.Obj{"data.parent": one}},
		kit.Step{Name: "in their order behind the others", Call: "GET /" + model + "?sort=tree&filter[parent]=" + above,
			Want: kit.Obj{"data.0.id": aside, "data.1.id": two, "data.2.id": one, "data.3": nil}},
		kit.Step{Name: "deleted with a draft below", Call: "DELETE " + entry + "?children=up", Status: 204},
		kit.Step{Name: "which moved to the root", Call: "GET /" + model + "/" + hidden, Want: kit.Obj{"data.parent": nil}},
	)
	d.Step(t, kit.Step{Name: "the former address leads on", Call: resolve(was), Want: kit.Obj{"meta.kind": "redirect"}})
	top, one, _, _ = section(t, k, model, nil)
	admin.Step(t, kit.Step{Name: "in the admin area",
		Call: "POST /models/" + model + "/entries/" + top + "/unpublish?children=up", Body: kit.Obj{},
		Want: kit.Obj{"data.status": "draft"}})
	k.Step(t, kit.Step{Name: "to the root", Call: "GET /" + model + "/" + one, Want: kit.Obj{"data.parent": nil}})
	top, one, _, _ = section(t, k, model, nil)
	k.Put(t, "/"+model+"/"+top, kit.Obj{"status": "published"})
	_, writer := s.Role(t, kit.Obj{"models": kit.List{model}, "actions": kit.List{"read", "write", "delete"}})
	writer.Step(t, kit.Step{Name: "without the right to publish",
		Call: "DELETE /models/" + model + "/entries/" + top + "?children=up", Code: "FORBIDDEN"})
	k.Step(t, kit.Step{Name: "nothing moved", Call: "GET /" + model + "/" + one, Want: kit.Obj{"data.parent": top}})
}

func leaveDown(t *testing.T, s *kit.Suite) {
	k, admin := s.AdminKey(t), s.Admin(t)
	model, _ := treeModel(t, s, nil)
	started := func(c *kit.Client, call string, body kit.Obj) kit.Answer {
		t.Helper()
		a := c.Step(t, kit.Step{Call: call, Body: body, Status: 202,
			Want: kit.Obj{"data.id": kit.Present, "data.status": "running", "meta.ignored": nil}})
		end := s.EndOfJob(t, a.Str(t, "data.id"))
		if end.Get("data.status") != "done" || len(end.Get("data.failed").(kit.List)) > 0 {
			t.Fatalf("the job: %s", end.Raw)
		}
		return end
	}
	top, one, two, deep := section(t, k, model, nil)
	hidden := page(t, k, model, "Hidden", one, kit.Obj{"status": "draft"})
	started(k, "POST /"+model+"/"+top+"/unpublish?children=down", kit.Obj{})
	for _, id := range []string{top, one, two, deep, hidden} {
		k.Step(t, kit.Step{Call: "GET /" + model + "/" + id, Want: kit.Obj{"data.status": "draft"}})
	}
	k.Step(t, kit.Step{Name: "with nothing to wait for", Call: "POST /" + model + "/" + top + "/publish",
		Body: kit.Obj{}})
	k.Step(t, kit.Step{Call: "POST /" + model + "/" + top + "/unpublish?children=down", Body: kit.Obj{},
		Want: kit.Obj{"data.status": "draft"}})
	started(admin, "DELETE /models/"+model+"/entries/"+top+"?children=down", nil)
	for _, id := range []string{top, one, two, deep, hidden} {
		k.Step(t, kit.Step{Call: "GET /" + model + "/" + id, Code: "ENTRY_NOT_FOUND"})
	}
	top, one, _, deep = section(t, k, model, nil)
	started(k, "PUT /"+model+"/"+top+"?children=down", kit.Obj{"status": "archived", "title": "Gone"})
	k.Run(t,
		kit.Step{Call: "GET /" + model + "/" + top, Want: kit.Obj{"data.status": "archived", "data.title": "Gone"}},
		kit.Step{Call: "GET /" + model + "/" + one, Want: kit.Obj{"data.status": "archived"}},
		kit.Step{Call: "GET /" + model + "/" + deep, Want: kit.Obj{"data.status": "archived"}},
		kit.Step{Name: "with if_unused", Call: "DELETE /" + model + "/" + top + "?children=down&if_unused=true",
			Code: "BAD_REQUEST"},
	)
	top, one, two, deep = section(t, k, model, nil)
	job := func(body kit.Obj) kit.Obj {
		body["model"], body["ids"] = model, kit.List{top}
		return body
	}
	admin.Run(t,
		kit.Step{Name: "another value", Call: "POST /jobs", Body: job(kit.Obj{"action": "delete", "children": "all"}),
			Invalid: "children"},
		kit.Step{Name: "another action", Call: "POST /jobs", Body: job(kit.Obj{"action": "publish", "children": "up"}),
			Invalid: "children"},
	)
	end := s.RunJob(t, job(kit.Obj{"action": "unpublish"}))
	end.Has(t, "without children", kit.Obj{"data.failed.0.code": "IN_USE"})
	s.RunJob(t, job(kit.Obj{"action": "unpublish", "children": "up"}))
	k.Run(t,
		kit.Step{Name: "a job that moves up", Call: "GET /" + model + "/" + top, Want: kit.Obj{"data.status": "draft"}},
		kit.Step{Call: "GET /" + model + "/" + two, Want: kit.Obj{"data.parent": nil, "data.status": "published"}},
	)
	s.RunJob(t, kit.Obj{"action": "delete", "children": "down", "model": model, "ids": kit.List{one, deep}})
	k.Step(t, kit.Step{Name: "a job that takes all with it", Call: "GET /" + model + "/" + deep,
		Code: "ENTRY_NOT_FOUND"})
}

func leaveByPlan(t *testing.T, s *kit.Suite) {
	k, admin := s.AdminKey(t), s.Admin(t)
	model, _ := treeModel(t, s, nil)
	top, one, two, deep := section(t, k, model, nil)
	entry := "/" + model + "/" + top
	k.Run(t,
		kit.Step{Name: "another value", Call: "PUT " + entry + "/schedule",
			Body: kit.Obj{"unpublish_at": kit.FromNow(time.Hour), "children": "x"}, Invalid: "children"},
		kit.Step{Name: "a plan", Call: "PUT " + entry + "/schedule",
			Body: kit.Obj{"unpublish_at": kit.FromNow(s.Target.Soon), "children": "down"},
			Want: kit.Obj{"data.children": "down"}},
	)
	draft := kit.Obj{"data.status": "draft"}
	shows(t, s, k, entry, draft)
	for _, id := range []string{one, two, deep} {
		shows(t, s, k, "/"+model+"/"+id, draft)
	}
	k.OK(t, 200, "POST "+entry+"/publish", nil)
	appears, leaves := kit.ReleaseItem(model, deep, "publish"), kit.ReleaseItem(model, top, "unpublish")
	top, one, two, deep = section(t, k, model, nil)
	other, below, _, _ := section(t, k, model, nil)
	with := kit.ReleaseItem(model, other, "unpublish")
	with["children"] = "up"
	wrong := kit.ReleaseItem(model, other, "publish")
	wrong["children"] = "up"
	admin.Step(t, kit.Step{Name: "children of a publication", Call: "POST /releases",
		Body: kit.Obj{"name": "R", "items": kit.List{wrong}}, Invalid: "items.0.children"})
	release := func(items ...any) string {
		return "/releases/" + admin.Post(t, "/releases", kit.Obj{"name": "R", "items": items}).Str(t, "data.id")
	}
	alone := release(kit.ReleaseItem(model, top, "unpublish"))
	admin.Run(t,
		kit.Step{Name: "alone", Call: "POST " + alone + "/check",
			Want: kit.Obj{"data.0.code": "IN_USE", "data.0.details.usage.0.id": two}},
		kit.Step{Name: "after one below it appears", Call: "POST " + release(appears, leaves) + "/check",
			Want: kit.Obj{"data.#": 1, "data.0.id": leaves["id"], "data.0.code": "IN_USE",
				"data.0.details.usage.0.id": appears["id"]}},
		kit.Step{Name: "before one below it appears", Call: "POST " + release(leaves, appears) + "/check",
			Want: kit.Obj{"data.#": 0}},
	)
	all := release(kit.ReleaseItem(model, deep, "unpublish"), kit.ReleaseItem(model, one, "unpublish"),
		kit.ReleaseItem(model, two, "unpublish"), kit.ReleaseItem(model, top, "unpublish"), with)
	admin.Run(t,
		kit.Step{Name: "after those below it", Call: "POST " + all + "/check", Want: kit.Obj{"data.#": 0}},
		kit.Step{Call: "GET " + all, Want: kit.Obj{"data.items.4.children": "up"}},
		kit.Step{Call: "POST " + all + "/publish", Status: 202},
	)
	s.EndOfRelease(t, all).Has(t, "the release", kit.Obj{"data.status": "published"})
	shows(t, s, k, "/"+model+"/"+top, draft)
	shows(t, s, k, "/"+model+"/"+below, kit.Obj{"data.parent": nil, "data.status": "published"})
}

func tellMoves(t *testing.T, s *kit.Suite) {
	k, admin := s.AdminKey(t), s.Admin(t)
	model, at := treeModel(t, s, nil)
	firm := page(t, k, model, "Firm", nil, nil)
	jobs := page(t, k, model, "Jobs", firm, nil)
	team := page(t, k, model, "Team", jobs, kit.Obj{"status": "draft"})
	dev := page(t, k, model, "Dev", team, nil)
	flat := s.Model(t, kit.Obj{"url": at + "/posts/{slug}"})
	post := k.Publish(t, flat, "Post", nil)
	r := kit.NewReceiver(t)
	s.Subscribe(t, kit.Obj{"url": r.URL, "events": kit.List{"paths.updated"}, "models": kit.List{s.Model(t, nil)}})
	told := func(model, first string, moves ...any) {
		t.Helper()
		s.Eventually(t, "the move of "+first, func() bool {
			return len(kit.About(r.All("paths.updated"), "moves.0.from", first)) > 0
		})
		s.WaitAbout(t, r, "paths.updated", "moves.0.from", first).Has(t, "the event",
			kit.Obj{"data": kit.Obj{"model": model, "moves": kit.List(moves)}})
	}
	move := func(id, from, to string) kit.Obj {
		return kit.Obj{"id": id, "locale": s.DefaultLocale(t), "from": at + from, "to": at + to}
	}
	admin.Put(t, "/models/"+model+"/tree", kit.Obj{"id": jobs, "parent": nil})
	told(model, at+"/firm/jobs", move(jobs, "/firm/jobs", "/jobs"), move(dev, "/firm/jobs/team/dev", "/jobs/team/dev"))
	k.Put(t, "/"+model+"/"+team, kit.Obj{"slug": "people"})
	told(model, at+"/jobs/team/dev", move(dev, "/jobs/team/dev", "/jobs/people/dev"))
	k.Put(t, "/"+flat+"/"+post, kit.Obj{"slug": "first"})
	told(flat, at+"/posts/post", move(post, "/posts/post", "/posts/first"))
	k.Put(t, "/"+model+"/"+firm, kit.Obj{"title": "The firm", "position": 9})
	k.Put(t, "/"+model+"/"+dev, kit.Obj{"slug": "developers"})
	told(model, at+"/jobs/people/dev", move(dev, "/jobs/people/dev", "/jobs/people/developers"))
	kit.Same(t, "events about the tree", len(kit.About(r.All(), "model", model)), 3)
}

func treeAhead(t *testing.T, s *kit.Suite) {
	k := s.AdminKey(t)
	model, at := treeModel(t, s, nil)
	_,
		maker := s.Role(t,
		kit.Obj{"models": kit.List{model}}) // previews of an admin show the drafts of other scenarios, too
	top := page(t, k, model, "Top", nil, nil)
	below := page(t, k, model, "Below", top, nil)
	soonThere := page(t, k, model, "Soon", top, kit.Obj{"status": "draft", "position": 1})
	k.Put(t, "/"+model+"/"+top+"/draft", kit.Obj{"slug": "summit", "title": "Summit"})
	token := url.QueryEscape(maker.Post(t, "/previews", kit.Obj{"drafts": true}).Str(t, "data.token"))
	d, public := s.PublishableKey(t, kit.Obj{"models": kit.List{model}}), s.Key(t, nil)
	for _, c := range []*kit.Client{public, d} {
		c.Run(t,
			kit.Step{Name: "as it will be", Call: "GET /" + model + "/tree?preview=" + token, Want: kit.Obj{
				"data.0.id": top, "data.0.slug": "summit", "data.0.url": at + "/summit",
				"data.0.children.0.id": below, "data.0.children.0.url": at + "/summit/below",
				"data.0.children.1.id": soonThere, "data.0.children.1.status": "published",
				"meta.preview.drafts": true}, Header: kit.Obj{"Cache-Control": "no-store"}},
			kit.Step{Name: "as it is", Call: "GET /" + model + "/tree",
				Want: kit.Obj{"data.0.slug": "top", "data.0.children.1": nil}},
		)
	}
	k.Put(t, "/"+model+"/"+top+"/schedule", kit.Obj{"unpublish_at": kit.FromNow(time.Hour), "children": "up"})
	later := maker.Post(t, "/previews", kit.Obj{"at": kit.FromNow(2 * time.Hour)})
	public.Step(t, kit.Step{Name: "moved up",
		Call: "GET /" + model + "/tree?preview=" + url.QueryEscape(later.Str(t, "data.token")),
		Want: kit.Obj{"data.0.id": below, "data.0.url": at + "/below", "data.1": nil}})
	public.Step(t, kit.Step{Name: "resolved",
		Call: resolve(at+"/top/below") + "&preview=" + url.QueryEscape(later.Str(t, "data.token")),
		Want: kit.Obj{"meta.redirect.to": at + "/below"}})
	k.Put(t, "/"+model+"/"+top+"/schedule", kit.Obj{"unpublish_at": kit.FromNow(time.Hour), "children": "down"})
	later = maker.Post(t, "/previews", kit.Obj{"at": kit.FromNow(2 * time.Hour)})
	public.Step(t, kit.Step{Name: "all unpublished",
		Call: "GET /" + model + "/tree?preview=" + url.QueryEscape(later.Str(t, "data.token")),
		Want: kit.Obj{"data": kit.List{}}})
	public.Step(t, kit.Step{Name: "a wrong token", Call: "GET /" + model + "/tree?preview=x", Code: "FORBIDDEN"})
}
