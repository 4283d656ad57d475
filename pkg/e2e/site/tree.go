package site

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"headless/pkg/e2e/kit"
)

// Tree has the scenarios of pages below pages.
var Tree = []kit.Scenario{
	{Name: "map/tree/save", Run: saveInTree},
	{Name: "map/tree/read", Run: readTree},
	{Name: "map/tree/move", Run: moveInTree},
	{Name: "map/tree/move of a draft", Run: moveDraftInTree},
	{Name: "map/tree/paths", Run: pathsInTree},
	{Name: "map/tree/translations", Run: translateTree},
	{Name: "map/tree/import", Run: importTree},
	{Name: "map/tree/leave/up", Run: leaveUp},
	{Name: "map/tree/leave/down", Run: leaveDown},
	{Name: "map/tree/leave/planned", Run: leaveByPlan},
	{Name: "map/tree/moves", Run: tellMoves},
	{Name: "map/tree/preview", Run: treeAhead},
}

// treeModel creates a model with a tree whose addresses begin with the returned path.
func treeModel(t *testing.T, s *kit.Suite, definition kit.Obj) (model, at string) {
	at = "/" + kit.Unique("at")
	all := kit.Merge(kit.Obj{"tree": true, "url": at + "/{path}"}, definition)
	return s.Model(t, all), at
}

// page publishes an entry below a parent, nil for the root.
func page(t *testing.T, c *kit.Client, model, title string, parent any, more kit.Obj) string {
	body := kit.Merge(kit.Obj{"title": title, "status": "published", "parent": parent}, more)
	return c.Post(t, "/"+model, body).Str(t, "data.id")
}

func saveInTree(t *testing.T, s *kit.Suite) {
	k, admin := s.AdminKey(t), s.Admin(t)
	model, _ := treeModel(t, s, kit.Obj{"fields": kit.List{kit.Field("body", "text", nil)}})
	bare := s.Model(t, nil)
	root := page(t, k, model, "Company", nil, nil)
	child := page(t, k, model, "Careers", root, kit.Obj{"position": 2.5})
	foreign := k.Publish(t, bare, "Foreign", nil)
	refused := func(name, call string, body kit.Obj, invalid string) kit.Step {
		return kit.Step{Name: name, Call: call, Body: body, Invalid: invalid}
	}
	deepest := root
	for level := 2; level <= 10; level++ {
		deepest = page(t, k, model, fmt.Sprintf("Level %d", level), deepest, nil)
	}
	k.Run(t,
		kit.Step{Name: "the keys", Call: "GET /" + model + "/" + child,
			Want: kit.Obj{"data.parent": root, "data.position": 2.5}},
		kit.Step{Name: "without", Call: "GET /" + bare + "/" + foreign, Want: kit.Obj{"data.position": nil}},
		refused("no such parent", "POST /"+model, kit.Obj{"title": "X", "parent": kit.UnknownID}, "parent"),
		refused("no id", "POST /"+model, kit.Obj{"title": "X", "parent": "x"}, "parent"),
		refused("another type", "POST /"+model, kit.Obj{"title": "X", "parent": 1, "position": "x"}, "parent position"),
		refused("another model", "POST /"+model, kit.Obj{"title": "X", "parent": foreign}, "parent"),
		refused("itself", "PUT /"+model+"/"+root, kit.Obj{"parent": root}, "parent"),
		refused("below itself", "PUT /"+model+"/"+root, kit.Obj{"parent": child}, "parent"),
		refused("an eleventh level", "POST /"+model, kit.Obj{"title": "X", "parent": deepest}, "parent"),
		refused("too deep a move", "PUT /"+model+"/"+root, kit.Obj{"parent": page(t, k, model, "Other", nil, nil)},
			"parent"),
		refused("no tree", "POST /"+bare, kit.Obj{"title": "X", "parent": nil, "position": 1}, "parent position"),
		refused("the reserved slug", "POST /"+model, kit.Obj{"title": "X", "slug": "tree"}, "slug"),
		kit.Step{Name: "a made slug", Call: "POST /" + model, Body: kit.Obj{"title": "Tree"}, Status: 201,
			Want: kit.Obj{"data.slug": "tree-2", "data.parent": nil, "data.position": 0}},
		refused("a draft", "PUT /"+model+"/"+child+"/draft", kit.Obj{"parent": nil}, "parent"),
		refused("the position of a draft", "PUT /"+model+"/"+child+"/draft", kit.Obj{"position": 1}, "position"),
		kit.Step{Name: "what was read in a draft", Call: "PUT /" + model + "/" + child + "/draft",
			Body: kit.Obj{"title": "New", "parent": root, "position": 2.5}},
		kit.Step{Name: "the draft", Call: "POST /" + model + "/" + child + "/publish",
			Want: kit.Obj{"data.title": "New", "data.parent": root, "data.position": 2.5}},
		kit.Step{Name: "to the root", Call: "PUT /" + model + "/" + child, Body: kit.Obj{"parent": nil},
			Want: kit.Obj{"data.parent": nil, "data.position": 2.5}},
		kit.Step{Name: "fields", Call: "GET /" + model + "/" + child + "?fields=parent,position",
			Want: kit.Obj{"data": kit.Obj{"id": child, "parent": nil, "position": 2.5}}},
	)
	admin.Run(t,
		refused("a single type", "POST /models",
			kit.Obj{"name": "S", "slug": kit.Unique("s"), "kind": "single", "tree": true}, "tree"),
		refused("{path} without a tree", "PUT /models/"+bare, kit.Obj{"url": "/{path}"}, "url"),
		kit.Step{Name: "restoring a revision", Call: "POST /models/" + model + "/entries/" + child + "/revisions/1/restore",
			Want: kit.Obj{"data.title": "Careers", "data.parent": nil}},
	)
	k.Put(t, "/"+model+"/"+child, kit.Obj{"parent": root})
	k.Delete(t, "/"+model+"/"+child)
	admin.Step(t, kit.Step{Name: "back below its parent", Call: "POST /trash/" + child + "/restore",
		Want: kit.Obj{"data.parent": root}})
	parent := page(t, k, model, "Short", nil, nil)
	k.Put(t, "/"+model+"/"+child, kit.Obj{"parent": parent})
	inUse := func(name, call string, body kit.Obj) kit.Step {
		return kit.Step{Name: name, Call: call, Body: body, Code: "IN_USE",
			Want: kit.Obj{"error.details.usage": kit.List{kit.Obj{
				"model": model, "id": child, "title": "Careers", "locale": "en", "status": "published",
				"path": "parent"}}}}
	}
	k.Run(t,
		inUse("delete above a page", "DELETE /"+model+"/"+parent, nil),
		inUse("unpublish above a page", "POST /"+model+"/"+parent+"/unpublish", kit.Obj{}),
		inUse("archive above a page", "PUT /"+model+"/"+parent, kit.Obj{"status": "archived"}),
		kit.Step{Name: "unpublish the page", Call: "POST /" + model + "/" + child + "/unpublish", Body: kit.Obj{},
			Want: kit.Obj{"data.status": "draft"}},
		kit.Step{Name: "then what is above", Call: "POST /" + model + "/" + parent + "/unpublish", Body: kit.Obj{},
			Want: kit.Obj{"data.status": "draft"}},
		kit.Step{Name: "delete above a draft", Call: "DELETE /" + model + "/" + parent, Code: "IN_USE",
			Want: kit.Obj{"error.details.usage.0.id": child, "error.details.usage.0.status": "draft",
				"error.details.more": nil}},
	)
	admin.Step(t, kit.Step{Name: "in the admin area", Call: "DELETE /models/" + model + "/entries/" + parent,
		Code: "IN_USE", Want: kit.Obj{"error.details.usage.0.id": child, "error.details.more": nil}})
	s.Key(t, nil).Step(t, kit.Step{Name: "for a key that reads no drafts", Call: "DELETE /" + model + "/" + parent,
		Code: "IN_USE", Want: kit.Obj{"error.details.usage": kit.List{}, "error.details.more": 1}})
	k.Delete(t, "/"+model+"/"+child)
	k.Delete(t, "/"+model+"/"+parent)
	admin.Step(t, kit.Step{Name: "back without its parent", Call: "POST /trash/" + child + "/restore",
		Want: kit.Obj{"data.parent": nil}})
}

func readTree(t *testing.T, s *kit.Suite) {
	k, public := s.AdminKey(t), s.Key(t, nil)
	model, at := treeModel(t, s, nil)
	b := page(t, k, model, "B", nil, nil)
	a := page(t, k, model, "a", nil, nil) // case does not count, as in every sort
	first := page(t, k, model, "First", nil, kit.Obj{"position": -1})
	b1 := page(t, k, model, "B1", b, kit.Obj{"position": 2})
	b0 := page(t, k, model, "B0", b, kit.Obj{"position": 10})
	hidden := page(t, k, model, "Hidden", a, kit.Obj{"status": "draft"})
	below := page(t, k, model, "Below", hidden, nil)
	d := s.PublishableKey(t, kit.Obj{"models": kit.List{model}})
	ids := func(c *kit.Client, query string, want ...string) {
		t.Helper()
		found := c.Get(t, "/"+model+query).Get("data").(kit.List)
		var got []string
		for _, item := range found {
			got = append(got, item.(kit.Obj)["id"].(string))
		}
		kit.Same(t, query, strings.Join(got, " "), strings.Join(want, " "))
	}
	ids(public, "?sort=tree", first, a, below, b, b1, b0)
	ids(public, "?sort=tree&page=2&per_page=2", below, b)
	ids(public, "?sort=tree&filter[title][starts_with]=B", below, b, b1, b0)
	ids(public, "?filter[parent]="+b+"&sort=position", b1, b0)
	ids(public, "?filter[parent]=null&sort=-title", first, b, a)
	ids(public, "?filter[parent][ne]=null&sort=-title", below, b1, b0)
	ids(public, "?filter[ancestor]="+a, below)
	ids(k, "?filter[ancestor]="+a+"&filter[status]=any&sort=tree", hidden, below)
	ids(public, "?filter[ancestor]="+below)
	next := public.Get(t, "/"+model+"?sort=tree&per_page=4").Str(t, "meta.next_cursor")
	ids(public, "?sort=tree&per_page=4&cursor="+next, b1, b0)
	url := at + "/b/b1"
	tree := func(name, call string, want kit.Obj) kit.Step {
		return kit.Step{Name: name, Call: "GET /" + model + call, Want: want}
	}
	for _, c := range []*kit.Client{public, d} {
		c.Run(t,
			tree("nested", "/tree", kit.Obj{"data.0.id": first, "data.1.id": a, "data.1.children": kit.List{},
				"data.2.id": b, "data.2.children.0": kit.Obj{"id": b1, "slug": "b1", "title": "B1",
					"status": "published", "url": url, "position": 2, "children": kit.List{}},
				"data.2.children.1.id": b0, "data.3": nil}),
			tree("a part", "/tree?parent="+b,
				kit.Obj{"data.0.id": b1, "data.0.url": url, "data.1.id": b0, "data.2": nil, "meta": kit.Obj{}}),
			tree("a level", "/tree?depth=1", kit.Obj{"data.2.id": b, "data.2.children": kit.List{}, "meta": kit.Obj{}}),
			kit.Step{Name: "a hidden part", Call: "GET /" + model + "/tree?parent=" + hidden, Code: "ENTRY_NOT_FOUND"},
			kit.Step{Name: "a wrong depth", Call: "GET /" + model + "/tree?depth=0", Code: "BAD_REQUEST"},
			kit.Step{Name: "a wrong locale", Call: "GET /" + model + "/tree?locale=xx", Code: "BAD_REQUEST"},
			tree("with its address", "/"+b1+"?urls=true", kit.Obj{"data.url": url}),
			tree("below a draft", "/"+below+"?urls=true", kit.Obj{"data.url": at + "/a/hidden/below"}),
			kit.Step{Name: "an ancestor with an operator", Call: "GET /" + model + "?filter[ancestor][ne]=" + a,
				Code: "BAD_REQUEST"},
		)
	}
	k.Step(t, tree("all", "/tree", kit.Obj{"data.1.children.0.id": hidden, "data.1.children.0.status": "draft",
		"data.1.children.0.children.0.id": below}))
	public.Run(t,
		kit.Step{Name: "no tree", Call: "GET /" + s.Model(t, nil) + "?sort=tree", Code: "BAD_REQUEST"},
		kit.Step{Name: "search", Call: "GET /search?q=B1&models=" + model + "&urls=true", Want: kit.Obj{"data.0.url": url}},
	)
	d.Fetch(t, "/sitemap-1.xml").Contains(t, "the sitemap", url+"<")
}

// moveDraftInTree: cached lists of what is below a page follow a draft that moves with a published page below it.
func moveDraftInTree(t *testing.T, s *kit.Suite) {
	model, _ := treeModel(t, s, nil)
	c, d := s.AdminKey(t), s.PublishableKey(t, nil)
	top := page(t, c, model, "Top", nil, nil)
	draft := page(t, c, model, "Draft", top, kit.Obj{"status": "draft"})
	low := page(t, c, model, "Low", draft, nil)
	total := func() string { return kit.Str(d.Get(t, "/"+model+"?filter[ancestor]="+top).Get("meta.total")) }
	for _, to := range []struct {
		parent any
		total  string
	}{{nil, "0"}, {top, "1"}} {
		total() // is cached from now on
		s.Admin(t).Step(t, kit.Step{Call: "PUT /models/" + model + "/tree",
			Body: kit.Obj{"id": draft, "parent": to.parent}})
		s.Eventually(t, "the move of the draft shows where "+low+" is", func() bool { return total() == to.total })
	}
}

func moveInTree(t *testing.T, s *kit.Suite) {
	k, admin := s.AdminKey(t), s.Admin(t)
	model, _ := treeModel(t, s, nil)
	parent := page(t, k, model, "Parent", nil, nil)
	ids := map[string]string{}
	for _, title := range []string{"A", "B", "C", "D"} {
		ids[title] = page(t, k, model, title, parent, nil)
	}
	other := page(t, k, model, "Other", nil, nil)
	versions := func() string {
		text := ""
		for _, title := range []string{"A", "B", "C"} {
			a := k.Get(t, "/"+model+"/"+ids[title])
			text += fmt.Sprint(a.Get("data.version"), a.Get("data.updated_at"), " ")
		}
		return text
	}
	order := func(name string, want string) {
		t.Helper()
		got := ""
		for _, item := range k.Get(t, "/"+model+"?sort=tree&filter[parent]="+parent).Get("data").(kit.List) {
			got += item.(kit.Obj)["title"].(string)
		}
		kit.Same(t, name, got, want)
	}
	move := func(body kit.Obj) kit.Step {
		return kit.Step{Call: "PUT /models/" + model + "/tree", Body: body}
	}
	order("by title", "ABCD")
	before := versions()
	admin.Step(t, move(kit.Obj{"id": ids["D"], "parent": parent, "after": ids["A"]}))
	order("between two of one position", "ADBC")
	admin.Step(t, move(kit.Obj{"id": ids["D"], "parent": parent, "before": ids["C"]}))
	order("before", "ABDC")
	admin.Step(t, move(kit.Obj{"id": ids["D"], "parent": parent, "before": ids["A"]}))
	order("to the front", "DABC")
	admin.Step(t, move(kit.Obj{"id": ids["D"], "parent": parent}))
	order("to the end", "ABCD")
	kit.Same(t, "making room saved entries", versions(), before)
	refused := func(name string, body kit.Obj, invalid string) kit.Step {
		return kit.Step{Name: name, Call: "PUT /models/" + model + "/tree", Body: body, Invalid: invalid}
	}
	admin.Run(t,
		refused("no id", kit.Obj{"parent": parent}, "id"),
		refused("an unknown key", kit.Obj{"id": ids["D"], "parent": parent, "x": 1}, "x"),
		refused("both", kit.Obj{"id": ids["D"], "parent": parent, "before": ids["A"], "after": ids["B"]}, "before"),
		refused("beside one elsewhere", kit.Obj{"id": ids["D"], "parent": parent, "before": other}, "before"),
		refused("below itself", kit.Obj{"id": parent, "parent": ids["A"]}, "parent"),
		kit.Step{Name: "to the root", Call: "PUT /models/" + model + "/tree",
			Body: kit.Obj{"id": ids["D"], "parent": nil, "before": parent},
			Want: kit.Obj{"data.id": ids["D"], "data.parent": nil}},
		kit.Step{Name: "no tree", Call: "PUT /models/" + s.Model(t, nil) + "/tree", Body: kit.Obj{"id": ids["D"]},
			Code: "NOT_FOUND"},
	)
	_, _, viewer := s.User(t, "viewer")
	viewer.Step(t, kit.Step{Name: "a viewer", Call: "PUT /models/" + model + "/tree",
		Body: kit.Obj{"id": ids["D"], "parent": nil}, Code: "FORBIDDEN"})
	_, writer := s.Role(t, kit.Obj{"models": kit.List{model}, "actions": kit.List{"read", "write"}})
	writer.Step(t, kit.Step{Name: "without the right to publish", Call: "PUT /models/" + model + "/tree",
		Body: kit.Obj{"id": ids["D"], "parent": parent}, Code: "FORBIDDEN"})
}

func pathsInTree(t *testing.T, s *kit.Suite) {
	k, admin := s.AdminKey(t), s.Admin(t)
	model, at := treeModel(t, s, kit.Obj{"home": "start"})
	flat := s.Model(t, kit.Obj{"url": at + "/firm/{slug}"})
	start := page(t, k, model, "Start", nil, nil)
	firm := page(t, k, model, "Firm", nil, nil)
	jobs := page(t, k, model, "Jobs", firm, nil)
	dev := page(t, k, model, "Dev", jobs, nil)
	k.Publish(t, flat, "Jobs", nil)
	d := s.PublishableKey(t, kit.Obj{"models": kit.List{model, flat}})
	found := func(name, path, id string, more kit.Obj) kit.Step {
		want := kit.Merge(kit.Obj{"data.id": id, "meta.kind": "entry", "meta.model": model, "meta.url": path}, more)
		return kit.Step{Name: name, Call: resolve(path), Want: want}
	}
	moved := func(name, from, to string) kit.Step {
		return kit.Step{Name: name, Call: resolve(from),
			Want: kit.Obj{"data": kit.Obj{}, "meta": kit.Obj{"kind": "redirect",
				"redirect": kit.Obj{"to": to, "status": 301}}}}
	}
	d.Run(t,
		found("the home", at, start, kit.Obj{"meta.breadcrumbs": kit.List{}}),
		moved("the home by its slug", at+"/start", at),
		found("trees go first", at+"/firm/jobs", jobs,
			kit.Obj{"meta.breadcrumbs": kit.List{kit.Obj{"id": firm, "title": "Firm", "url": at + "/firm"}}}),
		found("below", at+"/firm/jobs/dev", dev, kit.Obj{"meta.breadcrumbs.1.id": jobs}),
		kit.Step{Name: "another way", Call: resolve(at + "/jobs/dev"), Code: "NOT_FOUND"},
		kit.Step{Name: "too short", Call: resolve(at + "/dev"), Code: "NOT_FOUND"},
	)
	admin.Put(t, "/models/"+model+"/tree", kit.Obj{"id": jobs, "parent": nil})
	k.Run(t,
		found("after a move", at+"/jobs/dev", dev, nil),
		moved("what is below moved too", at+"/firm/jobs/dev", at+"/jobs/dev"),
	)
	k.Put(t, "/"+model+"/"+jobs, kit.Obj{"slug": "careers"})
	k.Run(t,
		found("after a rename", at+"/careers/dev", dev, nil),
		moved("the name before", at+"/jobs/dev", at+"/careers/dev"),
		moved("name and place before", at+"/firm/jobs/dev", at+"/careers/dev"),
		moved("the name now at the place before", at+"/firm/careers/dev", at+"/careers/dev"),
	)
	listed := d.Get(t, "/redirects?per_page=1000")
	for _, from := range []string{"/firm/jobs/dev", "/jobs/dev", "/jobs", "/firm/careers/dev"} {
		listed.Contains(t, "redirects", `"from":"`+at+from+`"`)
	}
	page(t, k, model, "Jobs", nil, kit.Obj{"status": "draft"})
	s.Key(t, nil).Run(t,
		kit.Step{Name: "a draft has the path now", Call: resolve(at + "/jobs"), Code: "NOT_FOUND"},
		moved("below the draft is nothing", at+"/jobs/dev", at+"/careers/dev"),
	)
	d.Get(t, "/redirects?per_page=999").Lacks(t, "no redirect leads away from a draft", `"`+at+`/jobs"`)
	k.Put(t, "/"+model+"/"+firm, kit.Obj{"status": "draft"})
	admin.Put(t, "/models/"+model+"/tree", kit.Obj{"id": dev, "parent": firm})
	admin.Put(t, "/models/"+model+"/tree", kit.Obj{"id": start, "parent": firm})
	s.Key(t, nil).Run(t,
		found("below a draft", at+"/firm/dev", dev, kit.Obj{"meta.breadcrumbs": kit.List{}}),
		found("the home below a draft", at+"/firm", start, nil),
	)
	k.Put(t, "/"+model+"/"+firm, kit.Obj{"status": "published"})
	s.Key(t, nil).Step(t, found("the entry goes before the home below it", at+"/firm", firm, nil))
	attic := page(t, k, model, "Attic", nil, kit.Obj{"status": "draft"})
	box := page(t, k, model, "Box", attic, nil)
	k.Put(t, "/"+model+"/"+attic, kit.Obj{"slug": "loft"})
	admin.Put(t, "/models/"+model+"/tree", kit.Obj{"id": attic, "parent": firm})
	s.Key(t, nil).Run(t,
		found("below a draft that was never published", at+"/firm/loft/box", box, nil),
		moved("its name before", at+"/attic/box", at+"/firm/loft/box"),
		moved("its place before", at+"/loft/box", at+"/firm/loft/box"),
		kit.Step{Name: "the draft itself", Call: resolve(at + "/attic"), Code: "NOT_FOUND"},
	)
	listed = d.Get(t, "/redirects?per_page=998")
	for _, from := range []string{"/attic/box", "/loft/box"} {
		listed.Contains(t, "redirects below a draft", `"from":"`+at+from+`"`)
	}
	listed.Lacks(t, "the draft itself", `"from":"`+at+`/attic"`)
	listed.Contains(t, "the home below a page by its slug", `"from":"`+at+`/firm/start","to":"`+at+`/firm"`)
	k.Step(t, moved("which leads on", at+"/firm/start", at+"/firm"))
	office := page(t, k, model, "Office", nil, nil)
	desk := page(t, k, model, "Desk", office, nil)
	k.Delete(t, "/"+model+"/"+desk)
	k.Delete(t, "/"+model+"/"+office)
	admin.OK(t, 200, "POST /trash/"+desk+"/restore", nil)
	k.Step(t, moved("restored without the one above it", at+"/office/desk", at+"/desk"))
	shed := page(t, k, model, "Shed", nil, kit.Obj{"status": "draft"})
	admin.Put(t, "/models/"+model+"/tree", kit.Obj{"id": start, "parent": shed})
	k.Put(t, "/"+model+"/"+shed, kit.Obj{"slug": "hut"})
	k.Step(t, moved("the home below a draft, by the name of the draft before", at+"/shed", at+"/hut"))
	admin.Put(t, "/models/"+model+"/tree", kit.Obj{"id": shed, "parent": firm})
	d.Get(t, "/redirects?per_page=997").Contains(t, "and its place", `"from":"`+at+`/hut","to":"`+at+`/firm/hut"`)
	k.Run(t,
		moved("the home, by the place of the draft before", at+"/hut", at+"/firm/hut"),
		moved("and its name", at+"/shed", at+"/firm/hut"),
	)
}

func translateTree(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "German")
	k := s.AdminKey(t)
	model, at := treeModel(t, s, kit.Obj{"localized": true})
	s.Admin(t).Put(t, "/models/"+model, kit.Obj{"url": at + "/{locale?}/{path}"})
	firm := page(t, k, model, "Company", nil, nil)
	jobs := page(t, k, model, "Careers", firm, kit.Obj{"position": 3})
	firma := page(t, k, model, "Firma", nil, kit.Obj{"locale": "de", "translation_of": firm})
	made := k.Post(t, "/"+model, kit.Obj{"title": "Karriere", "locale": "de", "translation_of": jobs,
		"status": "published"})
	made.Has(t, "the translation", kit.Obj{"data.parent": firma})
	path := at + "/de/firma/karriere"
	k.Run(t,
		kit.Step{Name: "another locale", Call: "POST /" + model, Body: kit.Obj{"title": "X", "parent": firma},
			Invalid: "parent"},
		kit.Step{Name: "the locale of one with entries below", Call: "PUT /" + model + "/" + firma,
			Body: kit.Obj{"locale": s.DefaultLocale(t)}, Invalid: "locale"},
		kit.Step{Name: "resolved", Call: resolve(path), Want: kit.Obj{"meta.url": path, "meta.locale": "de",
			"meta.alternates.0.url": at + "/company/careers",
			"meta.breadcrumbs":      kit.List{kit.Obj{"id": firma, "title": "Firma", "url": at + "/de/firma"}}}},
		kit.Step{Name: "in a tree", Call: "GET /" + model + "/tree?locale=de",
			Want: kit.Obj{"data.0.id": firma, "data.0.children.0.url": path}},
		kit.Step{Name: "translations", Call: "GET /" + model + "/" + jobs + "?translations=true&urls=true",
			Want: kit.Obj{"data.translations.1.url": path}},
		kit.Step{Name: "null is left out", Call: "POST /" + model,
			Body: kit.Obj{"title": "Presse", "locale": "de", "parent": nil, "position": nil,
				"translation_of": page(t, k, model, "Press", firm, kit.Obj{"position": 4})}, Status: 201,
			Want: kit.Obj{"data.parent": firma, "data.position": 4}},
	)
}

func importTree(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	model, _ := treeModel(t, s, nil)
	line := func(id, title string, parent any) kit.Obj {
		return kit.Obj{"model": model, "id": id, "title": title, "parent": parent, "position": 2}
	}
	one, two, three := uuid.NewString(), uuid.NewString(), uuid.NewString()
	body := kit.JSONLines(t, line(one, "One", nil), line(two, "Two", one), line(three, "Three", uuid.NewString()))
	at := "GET /models/" + model + "/entries/"
	admin.Run(t,
		kit.Step{Name: "parents first", Call: "POST /import", Body: body,
			Want: kit.Obj{"meta.created": 3, "data.1.note": nil, "data.2.note": kit.Present}},
		kit.Step{Name: "below", Call: at + two, Want: kit.Obj{"data.parent": one, "data.position": 2}},
		kit.Step{Name: "at the root", Call: at + three, Want: kit.Obj{"data.parent": nil}},
		kit.Step{Name: "again", Call: "POST /import", Body: body, Want: kit.Obj{"meta.unchanged": 3}},
	)
}
