package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"slices"
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
	if !s.walk(t, "/activity", func(v any) bool { return dig(v, "event") == "preview.ended" && dig(v, "subject_id") == id }) {
		t.Error("no activity record of the end of the links")
	}
	d.run(t, step{name: "revoked", call: at + "?preview=" + token, status: 403, code: "FORBIDDEN"},
		step{name: "revoked, of a list", call: "GET /" + model + "?preview=" + token, status: 403, code: "FORBIDDEN"})
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
	if len(body) > 12<<10 || !strings.Contains(string(body), "data-cms") {
		t.Errorf("%d bytes", len(body))
	}
}

// marked returns what a text shows, and the object in its mark; nil without one.
func marked(t *testing.T, text string) (string, obj) {
	t.Helper()
	at := strings.Index(text, "\u200b\u200b\u200b\u200b")
	if at < 0 {
		return text, nil
	}
	var raw []byte
	end := at
	for i, c := range []rune(text[at:]) {
		digit := slices.Index([]rune("\u200b\u200c\u200d\ufeff"), c)
		if digit < 0 {
			break
		}
		if end += len(string(c)); i < 4 {
			continue
		}
		if i%4 == 0 {
			raw = append(raw, 0)
		}
		raw[len(raw)-1] = raw[len(raw)-1]<<2 | byte(digit)
	}
	var mark obj
	if err := json.Unmarshal(raw, &mark); err != nil {
		t.Errorf("%q: %v", raw, err)
	}
	return text[:at] + "*" + text[end:], mark
}

// previewSources reads where the texts of a preview are edited (extensions §15).
func previewSources(t *testing.T, s *suite) {
	k, d := s.adminKey(t), s.publishable(t, nil)
	hero := field("hero", "group", obj{"fields": list{field("heading", "text", nil)}})
	author := s.model(t, nil)
	model := s.model(t, obj{"fields": list{
		field("intro", "textarea", nil), field("code", "text", obj{"pattern": "^[A-Z ]+$"}), field("day", "date", nil),
		field("kind", "select", obj{"options": list{"news"}}), field("body", "richtext", obj{"fields": list{hero}}),
		field("blocks", "blocks", obj{"fields": list{hero}}), field("cover", "media", nil),
		field("any", "json", nil), field("by", "relation", obj{"model": author})}})
	file := k.upload(t, "a.png", pngFile(2, 2), map[string]string{"alt": "A lamp"}).str(t, "data.id")
	by := k.publish(t, author, "Ada "+unique("a"), obj{"body": "Writes"})
	id := k.publish(t, model, "Live "+unique("t"), obj{"intro": "In short", "code": "A B", "day": "2026-01-31", "kind": "news",
		"body": "Text\n\n```block hero\nheading: In a text\n```\n\nSee https://example.com\n", "blocks": list{obj{"type": "hero", "heading": "Head"},
			obj{"type": "hero", "heading": "#fff"}}, "cover": file, "any": obj{"a": "x"}, "by": by})
	k.ok(t, 200, "PUT /"+model+"/"+id+"/draft", obj{"title": "Draft"})
	token := url.QueryEscape(k.ok(t, 201, "POST /"+model+"/"+id+"/preview", nil).str(t, "data.token"))
	at := "GET /" + model + "/" + id + "?include=cover,by&preview=" + token
	form := s.target.BaseURL + "/admin/models/" + model + "/entries/" + id + "/edit#"
	byForm := s.target.BaseURL + "/admin/models/" + author + "/entries/" + by + "/edit#"
	want := map[string][2]string{ // by pointer: what is shown with a star for the mark, and the address
		"/data/title":                 {"Draft*", form + "title"},
		"/data/data/intro":            {"In short*", form + "data.intro"},
		"/data/data/blocks/0/heading": {"Head*", form + "data.blocks.0.heading"},
		"/data/data/cover/alt":        {"A lamp*", s.target.BaseURL + "/admin/media/" + file + "#alt"},
		"/data/data/by/data/body":     {"Writes*", byForm + "data.body"},
		"/data/data/body":             {"Text*\n\n```block hero\nheading: In a text\n```\n\nSee https://example.com\n", form + "data.body"},
	}
	a := d.ok(t, 200, at+"&source=stega", nil)
	for pointer, place := range want {
		text, mark := marked(t, a.str(t, strings.ReplaceAll(pointer[1:], "/", ".")))
		if text != place[0] || !reflect.DeepEqual(mark, obj{"origin": "cms", "href": place[1]}) {
			t.Errorf("%s: %q with %v, want %q with %s", pointer, text, mark, place[0], place[1])
		}
	}
	for _, path := range []string{"slug", "data.code", "data.day", "data.kind", "data.blocks.1.heading", "data.any.a", "data.by.slug", "data.cover.url"} {
		if text := a.str(t, "data."+path); strings.ContainsAny(text, "\u200b\u200c\u200d\ufeff") {
			t.Errorf("%s is marked: %q", path, text)
		}
	}
	sources := obj{"/data/data/by/title": byForm + "title"}
	for pointer, place := range want {
		sources[pointer] = place[1]
	}
	plain := d.step(t, step{call: at + "&source=map", status: 200, want: obj{"meta.sources": sources, "data.title": "Draft"}})
	if strings.Contains(string(plain.Raw), "\u200b") {
		t.Error("a map comes with marks")
	}
	bare := d.ok(t, 200, "GET /"+model+"/"+id+"?source=stega&preview="+token, nil)
	if text, _ := marked(t, bare.str(t, "data.title")); text != "Draft*" {
		t.Errorf("without include: %q", text)
	}
	html := d.ok(t, 200, at+"&source=stega&richtext=html", nil)
	if text, mark := marked(t, html.str(t, "data.data.body")); !strings.HasPrefix(text, "<p>Text</p>\n<div data-block=\"hero\"") ||
		!strings.HasSuffix(text, "<p>See* <a href=\"https://example.com\">https://example.com</a></p>\n") || mark["href"] != form+"data.body" {
		t.Errorf("%q %v", text, mark)
	}
	parts := d.ok(t, 200, at+"&source=stega&richtext=parts", nil)
	for path, place := range map[string][2]string{"data.data.body.0.text": {"Text*", form + "data.body"},
		"data.data.body.1.heading": {"In a text*", form + "data.body.blocks.0.heading"}} {
		if text, mark := marked(t, parts.str(t, path)); strings.TrimSpace(text) != place[0] || mark["href"] != place[1] {
			t.Errorf("%s: %q %v", path, text, mark)
		}
	}
	d.step(t, step{call: at + "&source=all", status: 400, code: "BAD_REQUEST"})
	for _, call := range []string{"GET /" + model + "?source=stega", "GET /" + model + "/" + id + "?source=map"} {
		d.step(t, step{call: call, status: 403, code: "FORBIDDEN"})
	}
}
