package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// treeModel creates a model with a tree whose addresses begin with the returned path.
func (s *suite) treeModel(t *testing.T, definition obj) (model, at string) {
	at = "/" + unique("at")
	all := obj{"tree": true, "url": at + "/{path}"}
	for key, v := range definition {
		all[key] = v
	}
	return s.model(t, all), at
}

// page publishes an entry below a parent, nil for the root.
func (c *client) page(t *testing.T, model, title string, parent any, more obj) string {
	body := obj{"title": title, "status": "published", "parent": parent}
	for key, v := range more {
		body[key] = v
	}
	return c.ok(t, 201, "POST /"+model, body).str(t, "data.id")
}

func saveInTree(t *testing.T, s *suite) {
	k, admin := s.adminKey(t), s.admin(t)
	model, _ := s.treeModel(t, obj{"fields": list{field("body", "text", nil)}})
	bare := s.model(t, nil)
	root := k.page(t, model, "Company", nil, nil)
	child := k.page(t, model, "Careers", root, obj{"position": 2.5})
	foreign := k.publish(t, bare, "Foreign", nil)
	refused := func(name, call string, body obj, on ...string) step {
		return step{name: name, call: call, body: body, status: 422, code: "VALIDATION_FAILED", details: on}
	}
	deepest := root
	for level := 2; level <= 10; level++ {
		deepest = k.page(t, model, fmt.Sprintf("Level %d", level), deepest, nil)
	}
	k.run(t,
		step{name: "the keys", call: "GET /" + model + "/" + child, status: 200, want: obj{"data.parent": root, "data.position": 2.5}},
		step{name: "without", call: "GET /" + bare + "/" + foreign, status: 200, want: obj{"data.position": nil}},
		refused("no such parent", "POST /"+model, obj{"title": "X", "parent": "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"}, "parent"),
		refused("no id", "POST /"+model, obj{"title": "X", "parent": "x"}, "parent"),
		refused("another type", "POST /"+model, obj{"title": "X", "parent": 1, "position": "x"}, "parent", "position"),
		refused("another model", "POST /"+model, obj{"title": "X", "parent": foreign}, "parent"),
		refused("itself", "PUT /"+model+"/"+root, obj{"parent": root}, "parent"),
		refused("below itself", "PUT /"+model+"/"+root, obj{"parent": child}, "parent"),
		refused("an eleventh level", "POST /"+model, obj{"title": "X", "parent": deepest}, "parent"),
		refused("too deep a move", "PUT /"+model+"/"+root, obj{"parent": k.page(t, model, "Other", nil, nil)}, "parent"),
		refused("no tree", "POST /"+bare, obj{"title": "X", "parent": nil, "position": 1}, "parent", "position"),
		refused("the reserved slug", "POST /"+model, obj{"title": "X", "slug": "tree"}, "slug"),
		step{name: "a made slug", call: "POST /" + model, body: obj{"title": "Tree"}, status: 201, want: obj{"data.slug": "tree-2",
			"data.parent": nil, "data.position": 0}},
		refused("a draft", "PUT /"+model+"/"+child+"/draft", obj{"parent": nil}, "parent"),
		refused("the position of a draft", "PUT /"+model+"/"+child+"/draft", obj{"position": 1}, "position"),
		step{name: "what was read in a draft", call: "PUT /" + model + "/" + child + "/draft",
			body: obj{"title": "New", "parent": root, "position": 2.5}, status: 200},
		step{name: "the draft", call: "POST /" + model + "/" + child + "/publish", status: 200, want: obj{"data.title": "New",
			"data.parent": root, "data.position": 2.5}},
		step{name: "to the root", call: "PUT /" + model + "/" + child, body: obj{"parent": nil}, status: 200, want: obj{
			"data.parent": nil, "data.position": 2.5}},
		step{name: "fields", call: "GET /" + model + "/" + child + "?fields=parent,position", status: 200,
			want: obj{"data": obj{"id": child, "parent": nil, "position": 2.5}}},
	)
	admin.run(t,
		refused("a single type", "POST /models", obj{"name": "S", "slug": unique("s"), "kind": "single", "tree": true}, "tree"),
		refused("{path} without a tree", "PUT /models/"+bare, obj{"url": "/{path}"}, "url"),
		step{name: "restoring a revision", call: "POST /models/" + model + "/entries/" + child + "/revisions/1/restore", status: 200,
			want: obj{"data.title": "Careers", "data.parent": nil}},
	)
	k.ok(t, 200, "PUT /"+model+"/"+child, obj{"parent": root})
	k.ok(t, 204, "DELETE /"+model+"/"+child, nil)
	admin.step(t, step{name: "back below its parent", call: "POST /trash/" + child + "/restore", status: 200, want: obj{"data.parent": root}})
	parent := k.page(t, model, "Short", nil, nil)
	k.ok(t, 200, "PUT /"+model+"/"+child, obj{"parent": parent})
	inUse := func(name, call string, body obj) step {
		return step{name: name, call: call, body: body, status: 409, code: "IN_USE", want: obj{"error.details.usage": list{obj{
			"model": model, "id": child, "title": "Careers", "locale": "en", "status": "published", "path": "parent"}}}}
	}
	k.run(t,
		inUse("delete above a page", "DELETE /"+model+"/"+parent, nil),
		inUse("unpublish above a page", "POST /"+model+"/"+parent+"/unpublish", obj{}),
		inUse("archive above a page", "PUT /"+model+"/"+parent, obj{"status": "archived"}),
		step{name: "unpublish the page", call: "POST /" + model + "/" + child + "/unpublish", body: obj{}, status: 200, want: obj{"data.status": "draft"}},
		step{name: "then what is above", call: "POST /" + model + "/" + parent + "/unpublish", body: obj{}, status: 200, want: obj{"data.status": "draft"}},
		step{name: "delete above a draft", call: "DELETE /" + model + "/" + parent, status: 409, code: "IN_USE",
			want: obj{"error.details.usage.0.id": child, "error.details.usage.0.status": "draft", "error.details.more": nil}},
	)
	admin.step(t, step{name: "in the admin area", call: "DELETE /models/" + model + "/entries/" + parent, status: 409, code: "IN_USE",
		want: obj{"error.details.usage.0.id": child, "error.details.more": nil}})
	s.key(t, nil).step(t, step{name: "for a key that reads no drafts", call: "DELETE /" + model + "/" + parent, status: 409, code: "IN_USE",
		want: obj{"error.details.usage": list{}, "error.details.more": 1}})
	k.ok(t, 204, "DELETE /"+model+"/"+child, nil)
	k.ok(t, 204, "DELETE /"+model+"/"+parent, nil)
	admin.step(t, step{name: "back without its parent", call: "POST /trash/" + child + "/restore", status: 200, want: obj{"data.parent": nil}})
}

func readTree(t *testing.T, s *suite) {
	k, public := s.adminKey(t), s.key(t, nil)
	model, at := s.treeModel(t, nil)
	b := k.page(t, model, "B", nil, nil)
	a := k.page(t, model, "A", nil, nil)
	first := k.page(t, model, "First", nil, obj{"position": -1})
	b1 := k.page(t, model, "B1", b, obj{"position": 2})
	b0 := k.page(t, model, "B0", b, obj{"position": 10})
	hidden := k.page(t, model, "Hidden", a, obj{"status": "draft"})
	below := k.page(t, model, "Below", hidden, nil)
	d := s.publishable(t, obj{"models": list{model}})
	ids := func(c *client, query string, want ...string) {
		t.Helper()
		found := c.ok(t, 200, "GET /"+model+query, nil).get("data").(list)
		var got []string
		for _, item := range found {
			got = append(got, item.(obj)["id"].(string))
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	ids(public, "?sort=tree", first, a, below, b, b1, b0)
	ids(public, "?sort=tree&page=2&per_page=2", below, b)
	ids(public, "?sort=tree&filter[title][starts_with]=B", below, b, b1, b0)
	ids(public, "?filter[parent]="+b+"&sort=position", b1, b0)
	ids(public, "?filter[parent]=null&sort=-title", first, b, a)
	ids(public, "?filter[ancestor]="+a, below)
	ids(k, "?filter[ancestor]="+a+"&filter[status]=any&sort=tree", hidden, below)
	ids(public, "?filter[ancestor]="+below)
	next := public.ok(t, 200, "GET /"+model+"?sort=tree&per_page=4", nil).str(t, "meta.next_cursor")
	ids(public, "?sort=tree&per_page=4&cursor="+next, b1, b0)
	url := at + "/b/b1"
	tree := func(name, call string, want obj) step {
		return step{name: name, call: "GET /" + model + call, status: 200, want: want}
	}
	for _, c := range []*client{public, d} {
		c.run(t,
			tree("nested", "/tree", obj{"data.0.id": first, "data.1.id": a, "data.1.children": list{}, "data.2.id": b,
				"data.2.children.0":    obj{"id": b1, "slug": "b1", "title": "B1", "status": "published", "url": url, "position": 2, "children": list{}},
				"data.2.children.1.id": b0, "data.3": nil}),
			tree("a part", "/tree?parent="+b, obj{"data.0.id": b1, "data.0.url": url, "data.1.id": b0, "data.2": nil, "meta": obj{}}),
			tree("a level", "/tree?depth=1", obj{"data.2.id": b, "data.2.children": list{}, "meta": obj{}}),
			step{name: "a hidden part", call: "GET /" + model + "/tree?parent=" + hidden, status: 404, code: "ENTRY_NOT_FOUND"},
			step{name: "a wrong depth", call: "GET /" + model + "/tree?depth=0", status: 400, code: "BAD_REQUEST"},
			step{name: "a wrong locale", call: "GET /" + model + "/tree?locale=xx", status: 400, code: "BAD_REQUEST"},
			tree("with its address", "/"+b1+"?urls=true", obj{"data.url": url}),
			tree("below a draft", "/"+below+"?urls=true", obj{"data.url": at + "/a/hidden/below"}),
			step{name: "an ancestor with an operator", call: "GET /" + model + "?filter[ancestor][ne]=" + a, status: 400, code: "BAD_REQUEST"},
		)
	}
	k.step(t, tree("all", "/tree", obj{"data.1.children.0.id": hidden, "data.1.children.0.status": "draft", "data.1.children.0.children.0.id": below}))
	public.run(t,
		step{name: "no tree", call: "GET /" + s.model(t, nil) + "?sort=tree", status: 400, code: "BAD_REQUEST"},
		step{name: "search", call: "GET /search?q=B1&models=" + model + "&urls=true", status: 200, want: obj{"data.0.url": url}},
	)
	sitemap := d.raw(t, "/sitemap-1.xml")
	if !strings.Contains(string(sitemap.Raw), url+"<") {
		t.Errorf("the sitemap lacks %s", url)
	}
}

func moveInTree(t *testing.T, s *suite) {
	k, admin := s.adminKey(t), s.admin(t)
	model, _ := s.treeModel(t, nil)
	parent := k.page(t, model, "Parent", nil, nil)
	ids := map[string]string{}
	for _, title := range []string{"A", "B", "C", "D"} {
		ids[title] = k.page(t, model, title, parent, nil)
	}
	other := k.page(t, model, "Other", nil, nil)
	versions := func() string {
		text := ""
		for _, title := range []string{"A", "B", "C"} {
			a := k.ok(t, 200, "GET /"+model+"/"+ids[title], nil)
			text += fmt.Sprint(a.get("data.version"), a.get("data.updated_at"), " ")
		}
		return text
	}
	order := func(name string, want string) {
		t.Helper()
		got := ""
		for _, item := range k.ok(t, 200, "GET /"+model+"?sort=tree&filter[parent]="+parent, nil).get("data").(list) {
			got += item.(obj)["title"].(string)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	move := func(body obj) step { return step{call: "PUT /models/" + model + "/tree", body: body, status: 200} }
	order("by title", "ABCD")
	before := versions()
	admin.step(t, move(obj{"id": ids["D"], "parent": parent, "after": ids["A"]}))
	order("between two of one position", "ADBC")
	admin.step(t, move(obj{"id": ids["D"], "parent": parent, "before": ids["C"]}))
	order("before", "ABDC")
	admin.step(t, move(obj{"id": ids["D"], "parent": parent, "before": ids["A"]}))
	order("to the front", "DABC")
	admin.step(t, move(obj{"id": ids["D"], "parent": parent}))
	order("to the end", "ABCD")
	if now := versions(); now != before {
		t.Errorf("making room saved entries: %s, before %s", now, before)
	}
	refused := func(name string, body obj, on ...string) step {
		return step{name: name, call: "PUT /models/" + model + "/tree", body: body, status: 422, code: "VALIDATION_FAILED", details: on}
	}
	admin.run(t,
		refused("no id", obj{"parent": parent}, "id"),
		refused("an unknown key", obj{"id": ids["D"], "parent": parent, "x": 1}, "x"),
		refused("both", obj{"id": ids["D"], "parent": parent, "before": ids["A"], "after": ids["B"]}, "before"),
		refused("beside one elsewhere", obj{"id": ids["D"], "parent": parent, "before": other}, "before"),
		refused("below itself", obj{"id": parent, "parent": ids["A"]}, "parent"),
		step{name: "to the root", call: "PUT /models/" + model + "/tree", body: obj{"id": ids["D"], "parent": nil, "before": parent}, status: 200,
			want: obj{"data.id": ids["D"], "data.parent": nil}},
		step{name: "no tree", call: "PUT /models/" + s.model(t, nil) + "/tree", body: obj{"id": ids["D"]}, status: 404, code: "NOT_FOUND"},
	)
	_, _, viewer := s.user(t, "viewer")
	viewer.step(t, step{name: "a viewer", call: "PUT /models/" + model + "/tree", body: obj{"id": ids["D"], "parent": nil}, status: 403, code: "FORBIDDEN"})
	_, writer := s.role(t, obj{"models": list{model}, "actions": list{"read", "write"}})
	writer.step(t, step{name: "without the right to publish", call: "PUT /models/" + model + "/tree",
		body: obj{"id": ids["D"], "parent": parent}, status: 403, code: "FORBIDDEN"})
}

func pathsInTree(t *testing.T, s *suite) {
	k, admin := s.adminKey(t), s.admin(t)
	model, at := s.treeModel(t, obj{"home": "start"})
	flat := s.model(t, obj{"url": at + "/firm/{slug}"})
	start := k.page(t, model, "Start", nil, nil)
	firm := k.page(t, model, "Firm", nil, nil)
	jobs := k.page(t, model, "Jobs", firm, nil)
	dev := k.page(t, model, "Dev", jobs, nil)
	k.publish(t, flat, "Jobs", nil)
	d := s.publishable(t, obj{"models": list{model, flat}})
	found := func(name, path, id string, more obj) step {
		want := obj{"data.id": id, "meta.kind": "entry", "meta.model": model, "meta.url": path}
		for key, v := range more {
			want[key] = v
		}
		return step{name: name, call: resolve(path), status: 200, want: want}
	}
	moved := func(name, from, to string) step {
		return step{name: name, call: resolve(from), status: 200, want: obj{"data": obj{}, "meta": obj{"kind": "redirect",
			"redirect": obj{"to": to, "status": 301}}}}
	}
	d.run(t,
		found("the home", at, start, obj{"meta.breadcrumbs": list{}}),
		moved("the home by its slug", at+"/start", at),
		found("trees go first", at+"/firm/jobs", jobs, obj{"meta.breadcrumbs": list{obj{"id": firm, "title": "Firm", "url": at + "/firm"}}}),
		found("below", at+"/firm/jobs/dev", dev, obj{"meta.breadcrumbs.1.id": jobs}),
		step{name: "another way", call: resolve(at + "/jobs/dev"), status: 404, code: "NOT_FOUND"},
		step{name: "too short", call: resolve(at + "/dev"), status: 404, code: "NOT_FOUND"},
	)
	admin.ok(t, 200, "PUT /models/"+model+"/tree", obj{"id": jobs, "parent": nil})
	k.run(t,
		found("after a move", at+"/jobs/dev", dev, nil),
		moved("what is below moved too", at+"/firm/jobs/dev", at+"/jobs/dev"),
	)
	k.ok(t, 200, "PUT /"+model+"/"+jobs, obj{"slug": "careers"})
	k.run(t,
		found("after a rename", at+"/careers/dev", dev, nil),
		moved("the name before", at+"/jobs/dev", at+"/careers/dev"),
		moved("name and place before", at+"/firm/jobs/dev", at+"/careers/dev"),
		moved("the name now at the place before", at+"/firm/careers/dev", at+"/careers/dev"),
	)
	listed := string(d.ok(t, 200, "GET /redirects?per_page=1000", nil).Raw)
	for _, from := range []string{"/firm/jobs/dev", "/jobs/dev", "/jobs", "/firm/careers/dev"} {
		if !strings.Contains(listed, `"from":"`+at+from+`"`) {
			t.Errorf("redirects lack %s: %s", from, listed)
		}
	}
	k.ok(t, 200, "PUT /"+model+"/"+firm, obj{"status": "draft"})
	admin.ok(t, 200, "PUT /models/"+model+"/tree", obj{"id": dev, "parent": firm})
	s.key(t, nil).step(t, found("below a draft", at+"/firm/dev", dev, obj{"meta.breadcrumbs": list{}}))
}

func translateTree(t *testing.T, s *suite) {
	s.useLocale(t, "de", "German")
	k := s.adminKey(t)
	model, at := s.treeModel(t, obj{"localized": true})
	s.admin(t).ok(t, 200, "PUT /models/"+model, obj{"url": at + "/{locale?}/{path}"})
	firm := k.page(t, model, "Company", nil, nil)
	jobs := k.page(t, model, "Careers", firm, obj{"position": 3})
	firma := k.page(t, model, "Firma", nil, obj{"locale": "de", "translation_of": firm})
	made := k.ok(t, 201, "POST /"+model, obj{"title": "Karriere", "locale": "de", "translation_of": jobs, "status": "published"})
	if made.str(t, "data.parent") != firma {
		t.Errorf("the translation stands elsewhere: %s", made.Raw)
	}
	path := at + "/de/firma/karriere"
	k.run(t,
		step{name: "another locale", call: "POST /" + model, body: obj{"title": "X", "parent": firma}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"parent"}},
		step{name: "the locale of one with entries below", call: "PUT /" + model + "/" + firma, body: obj{"locale": s.defaultLocale(t)}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"locale"}},
		step{name: "resolved", call: resolve(path), status: 200, want: obj{"meta.url": path, "meta.locale": "de",
			"meta.alternates.0.url": at + "/company/careers", "meta.breadcrumbs": list{obj{"id": firma, "title": "Firma", "url": at + "/de/firma"}}}},
		step{name: "in a tree", call: "GET /" + model + "/tree?locale=de", status: 200, want: obj{"data.0.id": firma, "data.0.children.0.url": path}},
		step{name: "translations", call: "GET /" + model + "/" + jobs + "?translations=true&urls=true", status: 200,
			want: obj{"data.translations.1.url": path}},
		step{name: "null is left out", call: "POST /" + model, body: obj{"title": "Presse", "locale": "de", "parent": nil, "position": nil,
			"translation_of": k.page(t, model, "Press", firm, obj{"position": 4})}, status: 201, want: obj{"data.parent": firma, "data.position": 4}},
	)
}

func importTree(t *testing.T, s *suite) {
	admin := s.admin(t)
	model, _ := s.treeModel(t, nil)
	line := func(id, title string, parent any) obj {
		return obj{"model": model, "id": id, "title": title, "parent": parent, "position": 2}
	}
	one, two, three := uuid.NewString(), uuid.NewString(), uuid.NewString()
	body := lines(t, line(one, "One", nil), line(two, "Two", one), line(three, "Three", uuid.NewString()))
	at := "GET /models/" + model + "/entries/"
	admin.run(t,
		step{name: "parents first", call: "POST /import", body: body, status: 200, want: obj{"meta.created": 3,
			"data.1.note": nil, "data.2.note": present}},
		step{name: "below", call: at + two, status: 200, want: obj{"data.parent": one, "data.position": 2}},
		step{name: "at the root", call: at + three, status: 200, want: obj{"data.parent": nil}},
		step{name: "again", call: "POST /import", body: body, status: 200, want: obj{"meta.unchanged": 3}},
	)
}
