package e2e

import (
	"strings"
	"testing"
)

// idsInUpperCase sends ids in upper case: they are stored, shown and found in lower case.
func idsInUpperCase(t *testing.T, s *suite) {
	c, k := s.admin(t), s.adminKey(t)
	pages := s.model(t, obj{"tree": true, "fields": list{field("kind", "text", nil)}})
	page, upper := k.publish(t, pages, "Page "+unique("p"), nil), strings.ToUpper
	file := k.upload(t, "a.png", pngFile(1, 1), nil).str(t, "data.id")
	model := s.model(t, obj{"fields": list{
		field("cover", "media", nil), field("one", "relation", obj{"model": pages, "unique": true}),
		field("many", "relation", obj{"model": pages, "many": true}),
		field("teaser", "relation", obj{"models": list{pages, s.model(t, nil)}}),
		field("steps", "list", obj{"fields": list{field("photo", "media", nil)}}),
	}})
	data := func(page, file string) obj {
		return obj{"cover": file, "one": page, "many": list{page}, "teaser": obj{"model": pages, "id": page},
			"steps": list{obj{"photo": file}}}
	}
	id := k.publish(t, model, "Holder "+unique("h"), data(upper(page), upper(file)))
	k.step(t, step{call: "GET /" + model + "/" + upper(id), status: 200, want: obj{"data.data": data(page, file)}})
	k.step(t, step{name: "taken", call: "POST /" + model, status: 409, code: "CONFLICT",
		body: obj{"title": "x", "data": obj{"one": upper(page)}}})
	for _, path := range []string{"one", "many", "teaser"} {
		for _, asked := range []string{page, upper(page)} {
			k.step(t, step{name: path, call: "GET /" + model + "?filter[data." + path + "]=" + asked, status: 200,
				want: obj{"meta.total": 1}})
		}
	}
	at := "/" + model + "/" + id + "/draft"
	k.ok(t, 200, "PUT "+at, obj{"data": data(upper(page), upper(file))})
	k.step(t, step{name: "draft", call: "GET " + at, status: 200, want: obj{"data.data": data(page, file)}})

	below := k.step(t, step{name: "parent", call: "POST /" + pages, status: 201, want: obj{"data.parent": page},
		body: obj{"title": "Below", "status": "published", "parent": upper(page)}}).str(t, "data.id")
	for _, filter := range []string{"parent", "ancestor"} {
		k.step(t, step{name: filter, call: "GET /" + pages + "?filter[" + filter + "]=" + upper(page), status: 200,
			want: obj{"meta.total": 1, "data.0.id": below}})
	}
	job := c.ok(t, 202, "POST /jobs",
		obj{"action": "unpublish", "model": pages, "ids": list{upper(below)}}).str(t, "data.id")
	c.step(t, step{name: "job", call: "GET /jobs/" + upper(job), status: 200,
		want: obj{"data.id": job, "data.total": 1}})
	release := c.ok(t, 201, "POST /releases", obj{"name": unique("r")}).str(t, "data.id")
	c.step(t, step{name: "release", call: "GET /releases/" + upper(release), status: 200,
		want: obj{"data.id": release}})
}

// relationsToSeveral relates entries to several models (extensions §12).
func relationsToSeveral(t *testing.T, s *suite) {
	c, k, d := s.admin(t), s.adminKey(t), s.publishable(t, nil)
	posts := s.model(t, obj{"fields": list{field("cover", "media", nil), field("kind", "text", nil)}})
	pages := s.model(t, obj{"fields": list{field("kind", "text", nil)}})
	post := k.publish(t, posts, "Post "+unique("p"), obj{"kind": "a"})
	page := k.publish(t, pages, "Page "+unique("p"), nil)
	other := k.publish(t, pages, "Other "+unique("p"), nil)
	to := func(model, id string) obj { return obj{"model": model, "id": id} }
	several := func(more obj) obj {
		more["models"] = list{posts, pages}
		return field("teaser", "relation", more)
	}

	for name, wrong := range map[string]obj{
		"one":     {"models": list{posts}},
		"both":    {"models": list{posts, pages}, "model": posts},
		"twice":   {"models": list{posts, posts}},
		"unknown": {"models": list{posts, "no-such-model"}},
	} {
		c.step(t, step{name: name, call: "POST /models", status: 422, code: "VALIDATION_FAILED",
			body:    obj{"name": "M", "slug": unique("m"), "fields": list{field("teaser", "relation", wrong)}},
			details: []string{"fields.0.models"}})
	}
	model := s.model(t, obj{"fields": list{several(obj{}), field("all", "relation", obj{"models": list{posts, pages}, "many": true})}})
	for name, wrong := range map[string]struct {
		value  any
		detail string
	}{
		"id alone":  {post, "data.teaser"},
		"no model":  {obj{"id": post}, "data.teaser.model"},
		"no id":     {obj{"model": posts}, "data.teaser.id"},
		"other":     {obj{"model": model, "id": post}, "data.teaser.model"},
		"more":      {obj{"model": posts, "id": post, "title": "x"}, "data.teaser.title"},
		"no target": {to(pages, post), "data.teaser"},
	} {
		k.step(t, step{name: name, call: "POST /" + model, status: 422, code: "VALIDATION_FAILED",
			body: obj{"title": "x", "data": obj{"teaser": wrong.value}}, details: []string{wrong.detail}})
	}
	k.step(t, step{call: "POST /" + model, status: 422, code: "VALIDATION_FAILED", details: []string{"data.all.1"},
		body: obj{"title": "x", "data": obj{"all": list{to(posts, post), to(posts, post)}}}})

	data := obj{"teaser": to(posts, post), "all": list{to(pages, page), to(posts, post)}}
	id := k.publish(t, model, "Holder "+unique("h"), data)
	d.step(t, step{call: "GET /" + model + "/" + id, status: 200, want: obj{"data.data": data}})
	d.step(t, step{call: "GET /" + model + "/" + id + "?include=teaser.cover,all", status: 200, want: obj{
		"data.data.teaser.model": posts, "data.data.teaser.id": post, "data.data.teaser.data.kind": "a",
		"data.data.all.0.model": pages, "data.data.all.0.id": page, "data.data.all.1.data.kind": "a"}})
	d.step(t, step{call: "GET /" + model + "?include=teaser.nothing", status: 400, code: "BAD_REQUEST"})
	for filter, total := range map[string]int{
		"filter[data.teaser]=" + post: 1, "filter[data.teaser]=" + page: 0, "filter[data.teaser][ne]=" + page: 1,
		"filter[data.all]=" + page: 1, "filter[data.teaser][in]=" + post + "," + other: 1,
		"filter[data.teaser][null]=false": 1, "filter[data.teaser][null]=true": 0,
	} {
		d.step(t, step{name: filter, call: "GET /" + model + "?" + filter, status: 200, want: obj{"meta.total": total}})
	}
	c.step(t, step{call: "GET /models/" + posts + "/entries/" + post + "/usage", status: 200,
		want: obj{"meta.total": 2, "data.0.path": "data.teaser"}})
	k.step(t, step{call: "DELETE /" + posts + "/" + post + "?if_unused=true", status: 409, code: "IN_USE"})

	// One model becomes several: values stored before are shown in the new shape, everywhere.
	single := s.model(t, obj{"fields": list{field("teaser", "relation", obj{"model": pages})}})
	was := k.publish(t, single, "Was "+unique("w"), obj{"teaser": page})
	k.ok(t, 200, "PUT /"+single+"/"+was+"/draft", obj{"data": obj{"teaser": other}})
	schema := func(teaser obj) obj {
		return obj{"schema": obj{"models": list{obj{"slug": single, "name": "M", "fields": list{teaser}}}}}
	}
	c.step(t, step{call: "POST /schema/plan", body: schema(several(obj{})), status: 200,
		want: obj{"data.changes.0.risk": "safe"}})
	c.ok(t, 200, "PUT /models/"+single, obj{"fields": list{several(obj{})}})
	k.step(t, step{call: "GET /" + single + "/" + was, status: 200, want: obj{"data.data.teaser": to(pages, page)}})
	k.step(t, step{call: "GET /" + single + "?filter[data.teaser]=" + page, status: 200,
		want: obj{"meta.total": 1, "data.0.data.teaser": to(pages, page)}})
	k.step(t, step{call: "GET /" + single + "/" + was + "/draft", status: 200, want: obj{"data.data.teaser": to(pages, other)}})
	c.step(t, step{call: "GET /models/" + single + "/entries/" + was + "/revisions", status: 200, want: obj{
		"data.0.data.teaser": to(pages, other), "data.1.data.teaser": to(pages, page)}})
	k.step(t, step{call: "PUT /" + single + "/" + was, body: obj{"title": "Again"}, status: 200,
		want: obj{"data.data.teaser": to(pages, page)}})
	c.step(t, step{call: "POST /models/" + single + "/entries/" + was + "/revisions/d1/restore", status: 200,
		want: obj{"data.data.teaser": to(pages, other)}})
	c.step(t, step{call: "POST /models/" + single + "/entries/" + was + "/revisions/1/restore", status: 200,
		want: obj{"data.data.teaser": to(pages, page)}})

	// A new slug of a model is the one that values name.
	renamed := unique("renamed")
	c.ok(t, 200, "PUT /models/"+pages, obj{"slug": renamed})
	for _, at := range []string{single + "/" + was, single + "?filter[data.teaser]=" + page} {
		value := "data.data.teaser"
		if at != single+"/"+was {
			value = "data.0.data.teaser"
		}
		k.step(t, step{call: "GET /" + at, status: 200, want: obj{value: to(renamed, page)}})
	}
	k.step(t, step{call: "GET /" + model + "/" + id + "?include=all", status: 200, want: obj{
		"data.data.all.0.model": renamed, "data.data.all.0.id": page}})

	// The other way loses what does not fit.
	c.step(t, step{call: "POST /schema/plan", status: 200, want: obj{"data.changes.1.risk": "loses_data"},
		body: schema(field("teaser", "relation", obj{"model": posts}))})
	c.ok(t, 200, "PUT /models/"+single, obj{"fields": list{field("teaser", "relation", obj{"model": renamed})}})
	k.step(t, step{call: "GET /" + single + "/" + was, status: 200, want: obj{"data.data.teaser": page}})
	k.step(t, step{call: "GET /" + single + "/" + was + "?include=teaser", status: 200, want: obj{"data.data.teaser.id": page}})
}
