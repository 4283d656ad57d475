package e2e

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// previewedRelease makes preview links for all items of a release.
func previewedRelease(t *testing.T, s *suite) {
	k, admin := s.key(t, nil), s.admin(t)
	authors := s.model(t, nil)
	posts := s.model(t, obj{"fields": list{field("author", "relation", obj{"model": authors})},
		"preview_url": "https://example.com/{slug}?preview={token}"})
	author := k.create(t, authors, obj{"title": "Author"}).str(t, "data.id")
	post := k.publish(t, posts, "Post", obj{"author": author})
	k.ok(t, 200, "PUT /"+posts+"/"+post+"/draft", obj{"title": "Post two"})
	k.ok(t, 200, "PUT /"+authors+"/"+author+"/draft", obj{"title": "Author two"})
	gone := k.create(t, posts, obj{"title": "Gone"}).str(t, "data.id")
	one := "/releases/" + admin.ok(t, 201, "POST /releases", obj{"name": "P", "items": list{
		item(posts, post, "publish"), item(authors, author, "publish"), item(posts, gone, "publish"),
	}}).str(t, "data.id")
	k.ok(t, 204, "DELETE /"+posts+"/"+gone, nil)
	a := admin.step(t, step{name: "links", call: "POST " + one + "/preview",
		body: obj{"expires_in": 600}, status: 201, want: obj{
			"data.#": 2, "data.0.id": post, "data.0.model": posts,
			"data.0.url":        matches("^https://example.com/post\\?preview=."),
			"data.0.expires_at": timestamp, "data.1.id": author, "data.1.url": nil,
		}})
	token := url.QueryEscape(a.str(t, "data.0.token"))
	k.run(t,
		step{name: "with includes", call: "GET /" + posts + "/" + post +
			"?include=author&preview=" + token, status: 200, want: obj{
			"data.title": "Post two", "data.data.author.title": "Author two",
		}},
		step{name: "each for its entry", call: "GET /" + authors + "/" + author + "?preview=" +
			token, status: 403, code: "FORBIDDEN"},
		step{name: "the second", call: "GET /" + authors + "/" + author + "?preview=" +
			url.QueryEscape(a.str(t, "data.1.token")), status: 200, want: obj{"data.title": "Author two"}},
	)
	admin.run(t,
		step{name: "too short", call: "POST " + one + "/preview", body: obj{"expires_in": 0},
			status: 422, code: "VALIDATION_FAILED", details: []string{"expires_in"}},
		step{name: "no release", call: "POST /releases/" + nobody + "/preview", status: 404,
			code: "NOT_FOUND"},
	)
}

// deliveryPreviews reads from the delivery API with a preview token. No answer to that may be
// cached.
func deliveryPreviews(t *testing.T, s *suite) {
	k, admin, d := s.key(t, nil), s.adminKey(t), s.publishable(t, nil)
	model := s.model(t,
		obj{"fields": list{field("body", "text", nil), field("hidden", "text", nil)},
			"visible_fields": list{"body"}})
	id := k.create(t, model,
		obj{"title": "First", "slug": "first", "data": obj{"body": "live", "hidden": "h"}}).str(t, "data.id")
	k.ok(t, 200, "PUT /"+model+"/"+id+"/draft", obj{"data": obj{"body": "draft"}})
	at := "GET /" + model + "/" + id
	token := url.QueryEscape(admin.ok(t, 201, "POST /"+model+"/"+id+"/preview", nil).str(t, "data.token"))
	never := obj{"Cache-Control": "no-store"}
	shown := obj{"data.id": id, "data.status": "draft", "data.data.body": "draft", "data.data.hidden": nil}
	d.run(t,
		step{name: "not without", call: at, status: 404, code: "ENTRY_NOT_FOUND"},
		step{name: "draft", call: at + "?preview=" + token, status: 200, want: shown, header: never},
		step{name: "by slug", call: "GET /" + model + "/first?preview=" + token, status: 200,
			want: shown, header: never},
		step{name: "wrong", call: at + "?preview=x", status: 403, code: "FORBIDDEN",
			header: obj{"Cache-Control": "no-store"}},
		step{name: "list", call: "GET /" + model + "?preview=" + token, status: 400,
			code: "BAD_REQUEST", header: obj{"Cache-Control": "no-store"}},
		step{name: "search", call: "GET /search?q=x&preview=" + token, status: 400, code: "BAD_REQUEST"},
		step{name: "still not without", call: at, status: 404, code: "ENTRY_NOT_FOUND"},
	)
	k.ok(t, 200, "PUT /"+model+"/"+id+"/draft", obj{"data": obj{"body": "again"}})
	d.step(t, step{name: "at once", call: at + "?preview=" + token, status: 200,
		want: obj{"data.data.body": "again"}})
	admin.ok(t, 204, "DELETE /"+model+"/"+id+"/preview", nil)
	d.step(t, step{name: "revoked", call: at + "?preview=" + token, status: 403, code: "FORBIDDEN"})
}

// previewScript fetches the script for sites.
func previewScript(t *testing.T, s *suite) {
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		s.target.BaseURL+"/assets/preview.js", nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	body, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	if a.StatusCode != 200 || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/javascript") {
		t.Errorf("%d %s", a.StatusCode, a.Header.Get("Content-Type"))
	}
	if len(body) > 3<<10 || !strings.Contains(string(body), "data-cms") {
		t.Errorf("%d bytes", len(body))
	}
}
