package e2e

import (
	"net/url"
	"testing"
	"time"
)

// section publishes a page with pages below it: top, top/one and top/two, and top/one/deep. It returns their ids.
func (s *suite) section(t *testing.T, k *client, model string, above any) (top, one, two, deep string) {
	t.Helper()
	top = k.page(t, model, unique("Top"), above, nil)
	one = k.page(t, model, unique("One"), top, obj{"position": 5})
	two = k.page(t, model, unique("Two"), top, obj{"position": 2})
	return top, one, two, k.page(t, model, unique("Deep"), one, nil)
}

// shows polls until GET of an entry has these values.
func (s *suite) shows(t *testing.T, k *client, at string, want obj) {
	t.Helper()
	s.fired(t, at, func() bool {
		a := k.do(t, "GET "+at, nil)
		for path, v := range want {
			if a.get(path) != v {
				return false
			}
		}
		return true
	})
}

func leaveUp(t *testing.T, s *suite) {
	k, admin := s.adminKey(t), s.admin(t)
	model, at := s.treeModel(t, nil)
	above := k.page(t, model, "Above", nil, nil)
	aside := k.page(t, model, "Aside", above, obj{"position": 7})
	d := s.publishable(t, obj{"models": list{model}})
	top, one, two, deep := s.section(t, k, model, above)
	hidden := k.page(t, model, "Hidden", top, obj{"status": "draft"})
	slug := func(id string) string { return k.ok(t, 200, "GET /"+model+"/"+id, nil).str(t, "data.slug") }
	was := at + "/above/" + slug(top) + "/" + slug(one) + "/" + slug(deep)
	entry := "/" + model + "/" + top
	deleter := s.key(t, obj{"scopes": list{"read", "delete"}})
	deleter.step(t, step{name: "without the scope to move", call: "DELETE " + entry + "?children=up", status: 403, code: "FORBIDDEN"})
	version := k.ok(t, 200, "GET /"+model+"/"+one, nil).get("data.version")
	k.run(t,
		step{name: "another value", call: "DELETE " + entry + "?children=all", status: 400, code: "BAD_REQUEST"},
		step{name: "no value", call: "POST " + entry + "/unpublish?children=", body: obj{}, status: 400, code: "BAD_REQUEST"},
		step{name: "twice", call: "PUT " + entry + "?children=up&children=up", body: obj{"status": "draft"}, status: 400, code: "BAD_REQUEST"},
		step{name: "without", call: "DELETE " + entry, status: 409, code: "IN_USE"},
		step{name: "a change that is refused for itself", call: "PUT " + entry + "?children=up",
			body: obj{"status": "draft", "title": ""}, status: 422, code: "VALIDATION_FAILED", details: []string{"title"}},
		step{name: "moves nothing", call: "GET /" + model + "/" + one, status: 200, want: obj{"data.parent": top, "data.version": version}},
		step{name: "a move beside it", call: "PUT " + entry + "?children=up", body: obj{"status": "archived", "parent": nil},
			status: 200, want: obj{"data.status": "archived", "data.parent": nil}},
		step{name: "moved up", call: "GET /" + model + "/" + one, status: 200, want: obj{"data.parent": above, "data.status": "published"}},
		step{name: "a draft stays", call: "GET /" + model + "/" + hidden, status: 200, want: obj{"data.parent": top}},
		step{name: "those below it keep their parent", call: "GET /" + model + "/" + deep, status: 200, want: obj{"data.parent": one}},
		step{name: "in their order behind the others", call: "GET /" + model + "?sort=tree&filter[parent]=" + above, status: 200,
			want: obj{"data.0.id": aside, "data.1.id": two, "data.2.id": one, "data.3": nil}},
		step{name: "deleted with a draft below", call: "DELETE " + entry + "?children=up", status: 204},
		step{name: "which moved to the root", call: "GET /" + model + "/" + hidden, status: 200, want: obj{"data.parent": nil}},
	)
	d.step(t, step{name: "the former address leads on", call: resolve(was), status: 200, want: obj{"meta.kind": "redirect"}})
	top, one, _, _ = s.section(t, k, model, nil)
	admin.step(t, step{name: "in the admin area", call: "POST /models/" + model + "/entries/" + top + "/unpublish?children=up", body: obj{},
		status: 200, want: obj{"data.status": "draft"}})
	k.step(t, step{name: "to the root", call: "GET /" + model + "/" + one, status: 200, want: obj{"data.parent": nil}})
	top, one, _, _ = s.section(t, k, model, nil)
	k.ok(t, 200, "PUT /"+model+"/"+top, obj{"status": "published"})
	_, writer := s.role(t, obj{"models": list{model}, "actions": list{"read", "write", "delete"}})
	writer.step(t, step{name: "without the right to publish", call: "DELETE /models/" + model + "/entries/" + top + "?children=up",
		status: 403, code: "FORBIDDEN"})
	k.step(t, step{name: "nothing moved", call: "GET /" + model + "/" + one, status: 200, want: obj{"data.parent": top}})
}

func leaveDown(t *testing.T, s *suite) {
	k, admin := s.adminKey(t), s.admin(t)
	model, _ := s.treeModel(t, nil)
	started := func(c *client, call string, body obj) answer {
		t.Helper()
		a := c.step(t, step{call: call, body: body, status: 202, want: obj{"data.id": present, "data.status": "running", "meta.ignored": nil}})
		end := s.jobEnd(t, a.str(t, "data.id"))
		if end.get("data.status") != "done" || len(end.get("data.failed").(list)) > 0 {
			t.Fatalf("the job: %s", end.Raw)
		}
		return end
	}
	top, one, two, deep := s.section(t, k, model, nil)
	hidden := k.page(t, model, "Hidden", one, obj{"status": "draft"})
	started(k, "POST /"+model+"/"+top+"/unpublish?children=down", obj{})
	for _, id := range []string{top, one, two, deep, hidden} {
		k.step(t, step{call: "GET /" + model + "/" + id, status: 200, want: obj{"data.status": "draft"}})
	}
	k.step(t, step{name: "with nothing to wait for", call: "POST /" + model + "/" + top + "/publish", body: obj{}, status: 200})
	k.step(t, step{call: "POST /" + model + "/" + top + "/unpublish?children=down", body: obj{}, status: 200, want: obj{"data.status": "draft"}})
	started(admin, "DELETE /models/"+model+"/entries/"+top+"?children=down", nil)
	for _, id := range []string{top, one, two, deep, hidden} {
		k.step(t, step{call: "GET /" + model + "/" + id, status: 404, code: "ENTRY_NOT_FOUND"})
	}
	top, one, _, deep = s.section(t, k, model, nil)
	started(k, "PUT /"+model+"/"+top+"?children=down", obj{"status": "archived", "title": "Gone"})
	k.run(t,
		step{call: "GET /" + model + "/" + top, status: 200, want: obj{"data.status": "archived", "data.title": "Gone"}},
		step{call: "GET /" + model + "/" + one, status: 200, want: obj{"data.status": "archived"}},
		step{call: "GET /" + model + "/" + deep, status: 200, want: obj{"data.status": "archived"}},
		step{name: "with if_unused", call: "DELETE /" + model + "/" + top + "?children=down&if_unused=true", status: 400, code: "BAD_REQUEST"},
	)
	top, one, two, deep = s.section(t, k, model, nil)
	job := func(body obj) obj {
		body["model"], body["ids"] = model, list{top}
		return body
	}
	admin.run(t,
		step{name: "another value", call: "POST /jobs", body: job(obj{"action": "delete", "children": "all"}), status: 422,
			code: "VALIDATION_FAILED", details: []string{"children"}},
		step{name: "another action", call: "POST /jobs", body: job(obj{"action": "publish", "children": "up"}), status: 422,
			code: "VALIDATION_FAILED", details: []string{"children"}},
	)
	end := s.job(t, job(obj{"action": "unpublish"}))
	if end.get("data.failed.0.code") != "IN_USE" {
		t.Errorf("without children: %s", end.Raw)
	}
	s.job(t, job(obj{"action": "unpublish", "children": "up"}))
	k.run(t,
		step{name: "a job that moves up", call: "GET /" + model + "/" + top, status: 200, want: obj{"data.status": "draft"}},
		step{call: "GET /" + model + "/" + two, status: 200, want: obj{"data.parent": nil, "data.status": "published"}},
	)
	s.job(t, obj{"action": "delete", "children": "down", "model": model, "ids": list{one, deep}})
	k.step(t, step{name: "a job that takes all with it", call: "GET /" + model + "/" + deep, status: 404, code: "ENTRY_NOT_FOUND"})
}

func leaveByPlan(t *testing.T, s *suite) {
	k, admin := s.adminKey(t), s.admin(t)
	model, _ := s.treeModel(t, nil)
	top, one, two, deep := s.section(t, k, model, nil)
	entry := "/" + model + "/" + top
	k.run(t,
		step{name: "another value", call: "PUT " + entry + "/schedule", body: obj{"unpublish_at": fromNow(time.Hour), "children": "x"},
			status: 422, code: "VALIDATION_FAILED", details: []string{"children"}},
		step{name: "a plan", call: "PUT " + entry + "/schedule", body: obj{"unpublish_at": fromNow(s.soon()), "children": "down"},
			status: 200, want: obj{"data.children": "down"}},
	)
	draft := obj{"data.status": "draft"}
	s.shows(t, k, entry, draft)
	for _, id := range []string{one, two, deep} {
		s.shows(t, k, "/"+model+"/"+id, draft)
	}
	top, one, two, deep = s.section(t, k, model, nil)
	other, below, _, _ := s.section(t, k, model, nil)
	with := item(model, other, "unpublish")
	with["children"] = "up"
	wrong := item(model, other, "publish")
	wrong["children"] = "up"
	admin.step(t, step{name: "children of a publication", call: "POST /releases", body: obj{"name": "R", "items": list{wrong}},
		status: 422, code: "VALIDATION_FAILED", details: []string{"items.0.children"}})
	release := func(items ...any) string {
		return "/releases/" + admin.ok(t, 201, "POST /releases", obj{"name": "R", "items": items}).str(t, "data.id")
	}
	alone := release(item(model, top, "unpublish"))
	admin.step(t, step{name: "alone", call: "POST " + alone + "/check", status: 200, want: obj{"data.0.code": "IN_USE"}})
	all := release(item(model, deep, "unpublish"), item(model, one, "unpublish"), item(model, two, "unpublish"),
		item(model, top, "unpublish"), with)
	admin.run(t,
		step{name: "after those below it", call: "POST " + all + "/check", status: 200, want: obj{"data.#": 0}},
		step{call: "GET " + all, status: 200, want: obj{"data.items.4.children": "up"}},
		step{call: "POST " + all + "/publish", status: 202},
	)
	if end := s.ended(t, all); end.get("data.status") != "published" {
		t.Fatalf("the release: %s", end.Raw)
	}
	s.shows(t, k, "/"+model+"/"+top, draft)
	s.shows(t, k, "/"+model+"/"+below, obj{"data.parent": nil, "data.status": "published"})
}

func tellMoves(t *testing.T, s *suite) {
	k, admin := s.adminKey(t), s.admin(t)
	model, at := s.treeModel(t, nil)
	firm := k.page(t, model, "Firm", nil, nil)
	jobs := k.page(t, model, "Jobs", firm, nil)
	team := k.page(t, model, "Team", jobs, obj{"status": "draft"})
	dev := k.page(t, model, "Dev", team, nil)
	flat := s.model(t, obj{"url": at + "/posts/{slug}"})
	post := k.publish(t, flat, "Post", nil)
	r := newReceiver(t)
	s.subscribe(t, obj{"url": r.url, "events": list{"paths.updated"}, "models": list{s.model(t, nil)}})
	told := func(model, first string, moves ...any) {
		t.Helper()
		s.fired(t, "the move of "+first, func() bool { return len(about(r.all("paths.updated"), "moves.0.from", first)) > 0 })
		got := s.waitAbout(t, r, "paths.updated", "moves.0.from", first)
		if err := compare(dig(got.body, "data"), obj{"model": model, "moves": list(moves)}); err != nil {
			t.Errorf("%v: %s", err, got.raw)
		}
	}
	move := func(id, from, to string) obj {
		return obj{"id": id, "locale": s.defaultLocale(t), "from": at + from, "to": at + to}
	}
	admin.ok(t, 200, "PUT /models/"+model+"/tree", obj{"id": jobs, "parent": nil})
	told(model, at+"/firm/jobs", move(jobs, "/firm/jobs", "/jobs"), move(dev, "/firm/jobs/team/dev", "/jobs/team/dev"))
	k.ok(t, 200, "PUT /"+model+"/"+team, obj{"slug": "people"})
	told(model, at+"/jobs/team/dev", move(dev, "/jobs/team/dev", "/jobs/people/dev"))
	k.ok(t, 200, "PUT /"+flat+"/"+post, obj{"slug": "first"})
	told(flat, at+"/posts/post", move(post, "/posts/post", "/posts/first"))
	k.ok(t, 200, "PUT /"+model+"/"+firm, obj{"title": "The firm", "position": 9})
	k.ok(t, 200, "PUT /"+model+"/"+dev, obj{"slug": "developers"})
	told(model, at+"/jobs/people/dev", move(dev, "/jobs/people/dev", "/jobs/people/developers"))
	if n := len(about(r.all(), "model", model)); n != 3 {
		t.Errorf("%d events about the tree", n)
	}
}

func treeAhead(t *testing.T, s *suite) {
	k := s.adminKey(t)
	model, at := s.treeModel(t, nil)
	_, maker := s.role(t, obj{"models": list{model}}) // previews of an admin show the drafts of other scenarios, too
	top := k.page(t, model, "Top", nil, nil)
	below := k.page(t, model, "Below", top, nil)
	soonThere := k.page(t, model, "Soon", top, obj{"status": "draft", "position": 1})
	k.ok(t, 200, "PUT /"+model+"/"+top+"/draft", obj{"slug": "summit", "title": "Summit"})
	token := url.QueryEscape(maker.ok(t, 201, "POST /previews", obj{"drafts": true}).str(t, "data.token"))
	d, public := s.publishable(t, obj{"models": list{model}}), s.key(t, nil)
	for _, c := range []*client{public, d} {
		c.run(t,
			step{name: "as it will be", call: "GET /" + model + "/tree?preview=" + token, status: 200, want: obj{
				"data.0.id": top, "data.0.slug": "summit", "data.0.url": at + "/summit", "data.0.children.0.id": below,
				"data.0.children.0.url": at + "/summit/below", "data.0.children.1.id": soonThere,
				"data.0.children.1.status": "published", "meta.preview.drafts": true},
				header: obj{"Cache-Control": "no-store"}},
			step{name: "as it is", call: "GET /" + model + "/tree", status: 200, want: obj{"data.0.slug": "top", "data.0.children.1": nil}},
		)
	}
	k.ok(t, 200, "PUT /"+model+"/"+top+"/schedule", obj{"unpublish_at": fromNow(time.Hour), "children": "up"})
	later := maker.ok(t, 201, "POST /previews", obj{"at": fromNow(2 * time.Hour)})
	public.step(t, step{name: "moved up", call: "GET /" + model + "/tree?preview=" + url.QueryEscape(later.str(t, "data.token")), status: 200,
		want: obj{"data.0.id": below, "data.0.url": at + "/below", "data.1": nil}})
	public.step(t, step{name: "resolved", call: resolve(at+"/top/below") + "&preview=" + url.QueryEscape(later.str(t, "data.token")), status: 200,
		want: obj{"meta.redirect.to": at + "/below"}})
	k.ok(t, 200, "PUT /"+model+"/"+top+"/schedule", obj{"unpublish_at": fromNow(time.Hour), "children": "down"})
	later = maker.ok(t, 201, "POST /previews", obj{"at": fromNow(2 * time.Hour)})
	public.step(t, step{name: "all unpublished", call: "GET /" + model + "/tree?preview=" + url.QueryEscape(later.str(t, "data.token")),
		status: 200, want: obj{"data": list{}}})
	public.step(t, step{name: "a wrong token", call: "GET /" + model + "/tree?preview=x", status: 403, code: "FORBIDDEN"})
}
