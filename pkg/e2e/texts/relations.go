package texts

import (
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// idsInUpperCase sends ids in upper case: they are stored, shown and found in lower case.
func idsInUpperCase(t *testing.T, s *kit.Suite) {
	c, k := s.Admin(t), s.AdminKey(t)
	pages := s.Model(t, kit.Obj{"tree": true, "fields": kit.List{kit.Field("kind", "text", nil)}})
	page, upper := k.Publish(t, pages, "Page "+kit.Unique("p"), nil), strings.ToUpper
	file := k.Upload(t, "a.png", kit.PNG(1, 1), nil).Str(t, "data.id")
	model := s.Model(t, kit.Obj{"fields": kit.List{
		kit.Field("cover", "media", nil), kit.Field("one", "relation", kit.Obj{"model": pages, "unique": true}),
		kit.Field("many", "relation", kit.Obj{"model": pages, "many": true}),
		kit.Field("teaser", "relation", kit.Obj{"models": kit.List{pages, s.Model(t, nil)}}),
		kit.Field("steps", "list", kit.Obj{"fields": kit.List{kit.Field("photo", "media", nil)}}),
	}})
	data := func(page, file string) kit.Obj {
		return kit.Obj{"cover": file, "one": page, "many": kit.List{page},
			"teaser": kit.Obj{"model": pages, "id": page}, "steps": kit.List{kit.Obj{"photo": file}}}
	}
	id := k.Publish(t, model, "Holder "+kit.Unique("h"), data(upper(page), upper(file)))
	k.Step(t, kit.Step{Call: "GET /" + model + "/" + upper(id), Want: kit.Obj{"data.data": data(page, file)}})
	k.Step(t, kit.Step{Name: "taken", Call: "POST /" + model, Code: "CONFLICT",
		Body: kit.Obj{"title": "x", "data": kit.Obj{"one": upper(page)}}})
	for _, path := range []string{"one", "many", "teaser"} {
		for _, asked := range []string{page, upper(page)} {
			k.Step(t, kit.Step{Name: path, Call: "GET /" + model + "?filter[data." + path + "]=" + asked,
				Want: kit.Obj{"meta.total": 1}})
		}
	}
	at := "/" + model + "/" + id + "/draft"
	k.Put(t, at, kit.Obj{"data": data(upper(page), upper(file))})
	k.Step(t, kit.Step{Name: "draft", Call: "GET " + at, Want: kit.Obj{"data.data": data(page, file)}})

	below := k.Step(t, kit.Step{Name: "parent", Call: "POST /" + pages, Status: 201, Want: kit.Obj{"data.parent": page},
		Body: kit.Obj{"title": "Below", "status": "published", "parent": upper(page)}}).Str(t, "data.id")
	for _, filter := range []string{"parent", "ancestor"} {
		k.Step(t, kit.Step{Name: filter, Call: "GET /" + pages + "?filter[" + filter + "]=" + upper(page),
			Want: kit.Obj{"meta.total": 1, "data.0.id": below}})
	}
	job := c.OK(t, 202, "POST /jobs",
		kit.Obj{"action": "unpublish", "model": pages, "ids": kit.List{upper(below)}}).Str(t, "data.id")
	c.Step(t, kit.Step{Name: "job", Call: "GET /jobs/" + upper(job), Want: kit.Obj{"data.id": job, "data.total": 1}})
	release := c.Post(t, "/releases", kit.Obj{"name": kit.Unique("r")}).Str(t, "data.id")
	c.Step(t, kit.Step{Name: "release", Call: "GET /releases/" + upper(release), Want: kit.Obj{"data.id": release}})
}

// relationsToSeveral relates entries to several models (extensions §12).
func relationsToSeveral(t *testing.T, s *kit.Suite) {
	c, k, d := s.Admin(t), s.AdminKey(t), s.PublishableKey(t, nil)
	posts := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("cover", "media", nil), kit.Field("kind", "text", nil)}})
	pages := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("kind", "text", nil)}})
	post := k.Publish(t, posts, "Post "+kit.Unique("p"), kit.Obj{"kind": "a"})
	page := k.Publish(t, pages, "Page "+kit.Unique("p"), nil)
	other := k.Publish(t, pages, "Other "+kit.Unique("p"), nil)
	to := func(model, id string) kit.Obj { return kit.Obj{"model": model, "id": id} }
	several := func(more kit.Obj) kit.Obj {
		more["models"] = kit.List{posts, pages}
		return kit.Field("teaser", "relation", more)
	}

	for name, wrong := range map[string]kit.Obj{
		"one":     {"models": kit.List{posts}},
		"both":    {"models": kit.List{posts, pages}, "model": posts},
		"twice":   {"models": kit.List{posts, posts}},
		"unknown": {"models": kit.List{posts, "no-such-model"}},
	} {
		c.Step(t, kit.Step{Name: name, Call: "POST /models",
			Body:    kit.Obj{"name": "M", "slug": kit.Unique("m"), "fields": kit.List{kit.Field("teaser", "relation", wrong)}},
			Invalid: "fields.0.models"})
	}
	model := s.Model(t, kit.Obj{"fields": kit.List{several(kit.Obj{}),
		kit.Field("all", "relation", kit.Obj{"models": kit.List{posts, pages}, "many": true})}})
	for name, wrong := range map[string]struct {
		value  any
		detail string
	}{
		"id alone":  {post, "data.teaser"},
		"no model":  {kit.Obj{"id": post}, "data.teaser.model"},
		"no id":     {kit.Obj{"model": posts}, "data.teaser.id"},
		"other":     {kit.Obj{"model": model, "id": post}, "data.teaser.model"},
		"more":      {kit.Obj{"model": posts, "id": post, "title": "x"}, "data.teaser.title"},
		"no target": {to(pages, post), "data.teaser"},
	} {
		k.Step(t, kit.Step{Name: name, Call: "POST /" + model,
			Body: kit.Obj{"title": "x", "data": kit.Obj{"teaser": wrong.value}}, Invalid: wrong.detail})
	}
	k.Step(t, kit.Step{Call: "POST /" + model, Invalid: "data.all.1",
		Body: kit.Obj{"title": "x", "data": kit.Obj{"all": kit.List{to(posts, post), to(posts, post)}}}})

	data := kit.Obj{"teaser": to(posts, post), "all": kit.List{to(pages, page), to(posts, post)}}
	id := k.Publish(t, model, "Holder "+kit.Unique("h"), data)
	d.Step(t, kit.Step{Call: "GET /" + model + "/" + id, Want: kit.Obj{"data.data": data}})
	d.Step(t, kit.Step{Call: "GET /" + model + "/" + id + "?include=teaser.cover,all", Want: kit.Obj{
		"data.data.teaser.model": posts, "data.data.teaser.id": post, "data.data.teaser.data.kind": "a",
		"data.data.all.0.model": pages, "data.data.all.0.id": page, "data.data.all.1.data.kind": "a"}})
	d.Step(t, kit.Step{Call: "GET /" + model + "?include=teaser.nothing", Code: "BAD_REQUEST"})
	for filter, total := range map[string]int{
		"filter[data.teaser]=" + post: 1, "filter[data.teaser]=" + page: 0, "filter[data.teaser][ne]=" + page: 1,
		"filter[data.all]=" + page: 1, "filter[data.teaser][in]=" + post + "," + other: 1,
		"filter[data.teaser][null]=false": 1, "filter[data.teaser][null]=true": 0,
	} {
		d.Step(t, kit.Step{Name: filter, Call: "GET /" + model + "?" + filter, Want: kit.Obj{"meta.total": total}})
	}
	c.Step(t, kit.Step{Call: "GET /models/" + posts + "/entries/" + post + "/usage",
		Want: kit.Obj{"meta.total": 2, "data.0.path": "data.teaser"}})
	k.Step(t, kit.Step{Call: "DELETE /" + posts + "/" + post + "?if_unused=true", Code: "IN_USE"})

	// One model becomes several: values stored before are shown in the new shape, everywhere.
	single := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("teaser", "relation", kit.Obj{"model": pages})}})
	was := k.Publish(t, single, "Was "+kit.Unique("w"), kit.Obj{"teaser": page})
	k.Put(t, "/"+single+"/"+was+"/draft", kit.Obj{"data": kit.Obj{"teaser": other}})
	schema := func(teaser kit.Obj) kit.Obj {
		return kit.Obj{"schema": kit.Obj{"models": kit.List{kit.Obj{"slug": single, "name": "M",
			"fields": kit.List{teaser}}}}}
	}
	c.Step(t, kit.Step{Call: "POST /schema/plan", Body: schema(several(kit.Obj{})),
		Want: kit.Obj{"data.changes.0.risk": "safe"}})
	c.Put(t, "/models/"+single, kit.Obj{"fields": kit.List{several(kit.Obj{})}})
	k.Step(t, kit.Step{Call: "GET /" + single + "/" + was, Want: kit.Obj{"data.data.teaser": to(pages, page)}})
	k.Step(t, kit.Step{Call: "GET /" + single + "?filter[data.teaser]=" + page,
		Want: kit.Obj{"meta.total": 1, "data.0.data.teaser": to(pages, page)}})
	k.Step(t, kit.Step{Call: "GET /" + single + "/" + was + "/draft",
		Want: kit.Obj{"data.data.teaser": to(pages, other)}})
	c.Step(t, kit.Step{Call: "GET /models/" + single + "/entries/" + was + "/revisions",
		Want: kit.Obj{"data.0.data.teaser": to(pages, other), "data.1.data.teaser": to(pages, page)}})
	k.Step(t, kit.Step{Call: "PUT /" + single + "/" + was, Body: kit.Obj{"title": "Again"},
		Want: kit.Obj{"data.data.teaser": to(pages, page)}})
	c.Step(t, kit.Step{Call: "POST /models/" + single + "/entries/" + was + "/revisions/d1/restore",
		Want: kit.Obj{"data.data.teaser": to(pages, other)}})
	c.Step(t, kit.Step{Call: "POST /models/" + single + "/entries/" + was + "/revisions/1/restore",
		Want: kit.Obj{"data.data.teaser": to(pages, page)}})

	// A new slug of a model is the one that values name.
	renamed := kit.Unique("renamed")
	c.Put(t, "/models/"+pages, kit.Obj{"slug": renamed})
	for _, at := range []string{single + "/" + was, single + "?filter[data.teaser]=" + page} {
		value := "data.data.teaser"
		if at != single+"/"+was {
			value = "data.0.data.teaser"
		}
		k.Step(t, kit.Step{Call: "GET /" + at, Want: kit.Obj{value: to(renamed, page)}})
	}
	k.Step(t, kit.Step{Call: "GET /" + model + "/" + id + "?include=all",
		Want: kit.Obj{"data.data.all.0.model": renamed, "data.data.all.0.id": page}})

	// The other way loses what does not fit.
	c.Step(t, kit.Step{Call: "POST /schema/plan", Want: kit.Obj{"data.changes.1.risk": "loses_data"},
		Body: schema(kit.Field("teaser", "relation", kit.Obj{"model": posts}))})
	c.Put(t, "/models/"+single, kit.Obj{"fields": kit.List{kit.Field("teaser", "relation", kit.Obj{"model": renamed})}})
	k.Step(t, kit.Step{Call: "GET /" + single + "/" + was, Want: kit.Obj{"data.data.teaser": page}})
	k.Step(t, kit.Step{Call: "GET /" + single + "/" + was + "?include=teaser",
		Want: kit.Obj{"data.data.teaser.id": page}})
}
