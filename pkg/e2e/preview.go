package e2e

import (
	"net/url"
	"testing"
)

var previewScenarios = []scenario{{name: "preview/api", run: previews},
	{name: "preview/admin", run: adminPreviews},
	{name: "preview/delivery", run: deliveryPreviews}, {name: "preview/script", run: previewScript},
	{name: "preview/sources", run: previewSources}}

func previews(t *testing.T, s *suite) {
	k, admin := s.key(t, nil), s.adminKey(t)
	authors := s.model(t, nil)
	model := s.model(t, obj{
		"fields": list{field("body", "text", nil), field("hidden", "text", nil),
			field("author", "relation", obj{"model": authors})},
		"visible_fields": list{"body", "author"},
		"preview_url":    "https://example.com/{locale}/{slug}?id={id}&token={token}",
	})
	author := k.create(t, authors, obj{"title": "Unknown"}).str(t, "data.id")
	id := k.publish(t, model, "Live", obj{"body": "live", "hidden": "h"})
	other := k.publish(t, model, "Other", nil)
	at := "/" + model + "/" + id
	k.ok(t, 200, "PUT "+at+"/draft", obj{"title": "Draft", "data": obj{"body": "draft", "author": author}})
	a := admin.step(t, step{call: "POST " + at + "/preview", status: 201,
		want: obj{"data.expires_at": timestamp, "data.url": matches("^https://example.com/" +
			s.defaultLocale(t) + "/live\\?id=" + id + "&token=.")}})
	token := url.QueryEscape(a.str(t, "data.token"))
	shown := obj{"data.id": id, "data.title": "Draft", "data.slug": "live",
		"data.status": "published", "data.data.body": "draft", "data.data.hidden": nil}
	k.run(t,
		step{name: "by id", call: "GET " + at + "?preview=" + token, status: 200, want: shown,
			header: obj{"Cache-Control": "no-store"}},
		step{name: "by slug", call: "GET /" + model + "/live?preview=" + token, status: 200, want: shown},
		step{name: "version is ignored", call: "GET " + at + "?version=draft&preview=" + token,
			status: 200, want: shown},
		step{name: "include", call: "GET " + at + "?include=author&preview=" + token, status: 200,
			want: obj{"data.data.author.title": "Unknown"}},
		step{name: "another entry", call: "GET /" + model + "/" + other + "?preview=" + token,
			status: 403, code: "FORBIDDEN"},
		step{name: "another slug", call: "GET /" + model + "/other?preview=" + token, status: 403,
			code: "FORBIDDEN"},
		step{name: "no such entry", call: "GET /" + model + "/" + noID + "?preview=" + token,
			status: 403, code: "FORBIDDEN"},
		step{name: "wrong", call: "GET " + at + "?preview=x" + token, status: 403, code: "FORBIDDEN"},
		step{name: "empty", call: "GET " + at + "?preview=", status: 403, code: "FORBIDDEN"},
		step{name: "twice", call: "GET " + at + "?preview=" + token + "&preview=" + token,
			status: 403, code: "FORBIDDEN"},
		step{name: "another model", call: "GET /" + authors + "/" + author + "?preview=" + token,
			status: 403, code: "FORBIDDEN"},
		step{name: "search", call: "GET /search?q=draft&preview=" + token, status: 400, code: "BAD_REQUEST"},
		step{name: "list", call: "GET /" + model + "?preview=" + token, status: 400, code: "BAD_REQUEST"},
		step{name: "list of another model", call: "GET /" + authors + "?preview=" + token, status: 400, code: "BAD_REQUEST"},
		step{name: "list, wrong", call: "GET /" + model + "?preview=x" + token, status: 403, code: "FORBIDDEN"},
		step{name: "list, empty", call: "GET /" + model + "?preview=", status: 403, code: "FORBIDDEN"},
		step{name: "list, garbage", call: "GET /" + model + "?preview=x", status: 403, code: "FORBIDDEN"},
		step{name: "role", call: "POST " + at + "/preview", status: 403, code: "FORBIDDEN"},
		step{name: "role of revoke", call: "DELETE " + at + "/preview", status: 403, code: "FORBIDDEN"},
		step{name: "without", call: "GET " + at, status: 200, want: obj{"data.title": "Live"}},
	)
	admin.run(t,
		step{name: "too short", call: "POST " + at + "/preview", body: obj{"expires_in": 0},
			status: 422, code: "VALIDATION_FAILED", details: []string{"expires_in"}},
		step{name: "no entry", call: "POST /" + model + "/" + noID + "/preview", status: 404,
			code: "ENTRY_NOT_FOUND"},
		step{name: "no entry to revoke", call: "DELETE /" + model + "/" + noID + "/preview",
			status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "no template", call: "POST /" + authors + "/" + author + "/preview", status: 201,
			want: obj{"data.url": nil}},
		step{name: "too long", call: "POST " + at + "/preview", body: obj{"expires_in": 2592001},
			status: 422, code: "VALIDATION_FAILED", details: []string{"expires_in"}},
		step{name: "revoke", call: "DELETE " + at + "/preview", status: 204},
	)
	k.step(t, step{call: "GET " + at + "?preview=" + token, status: 403, code: "FORBIDDEN"})
	again := url.QueryEscape(admin.ok(t, 201, "POST "+at+"/preview", obj{"expires_in": 60}).str(t,
		"data.token"))
	k.step(t, step{call: "GET " + at + "?preview=" + again, status: 200, want: shown})
	k.ok(t, 204, "DELETE "+at, nil)
	k.step(t, step{call: "GET " + at + "?preview=" + again, status: 404, code: "ENTRY_NOT_FOUND"})
	previewAddresses(t, s, model)
}

// previewAddresses checks which templates of preview URLs a model accepts.
func previewAddresses(t *testing.T, s *suite, model string) {
	a := s.admin(t)
	for _, refused := range []string{"https://example.com/{title}", "http://example.com/",
		"ftp://example.com/", "example.com/{slug}", "https://example.com/{slug"} {
		a.step(t, step{name: refused, call: "PUT /models/" + model,
			body: obj{"preview_url": refused}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"preview_url"}})
	}
	for _, taken := range []string{"http://localhost:3000/{slug}", "https://{locale}.example.com/{id}", ""} {
		a.step(t, step{name: taken, call: "PUT /models/" + model, body: obj{"preview_url": taken},
			status: 200, want: obj{"data.preview_url": taken}})
	}
}

// adminPreviews makes links for an entry that was never published, in the admin area.
func adminPreviews(t *testing.T, s *suite) {
	k, a := s.key(t, nil), s.admin(t)
	model := s.model(t, obj{"fields": list{field("body", "text", nil)}})
	id := k.create(t, model, obj{"title": "Hidden", "data": obj{"body": "b"}}).str(t, "data.id")
	at, page := "/"+model+"/"+id, "/models/"+model+"/entries/"+id+"/preview"
	token := url.QueryEscape(a.ok(t, 201, "POST "+page, obj{"expires_in": 600}).str(t, "data.token"))
	k.run(t,
		step{name: "without", call: "GET " + at, status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "with", call: "GET " + at + "?preview=" + token, status: 200,
			want: obj{"data.title": "Hidden", "data.status": "draft", "data.data.body": "b"}},
	)
	a.run(t,
		step{name: "no entry", call: "POST /models/" + model + "/entries/" + noID + "/preview",
			status: 404, code: "NOT_FOUND"},
		step{name: "revoke", call: "DELETE " + page, status: 204},
	)
	k.step(t, step{name: "revoked", call: "GET " + at + "?preview=" + token, status: 403, code: "FORBIDDEN"})
	token = url.QueryEscape(a.ok(t, 201, "POST "+page, nil).str(t, "data.token"))
	k.step(t, step{name: "made after", call: "GET " + at + "?preview=" + token, status: 200})
	brief := url.QueryEscape(a.ok(t, 201, "POST "+page, obj{"expires_in": 1}).str(t, "data.token"))
	s.eventually(t, "the token has expired",
		func() bool { return k.do(t, "GET "+at+"?preview="+brief, nil).Status == 403 })
}
