package e2e

import (
	"io"
	"net/url"
	"slices"
	"strings"
	"testing"
)

var syncScenarios = []scenario{
	{name: "delivery/sync", run: syncEntries},
	{name: "delivery/sync, tokens", run: syncTokens},
	{name: "delivery/sync, scope", run: syncScope},
	{name: "delivery/sync, files", run: syncFiles},
	{name: "delivery/sync, images", run: syncImages},
	{name: "delivery/sync, changed models", run: syncChangedModels},
	{name: "delivery/sitemap and feed", run: sitemapAndFeed},
}

// replica is the copy that a client of a sync has: ids of entries and files with their titles or
// names.
type replica struct {
	d     *client
	token string
	has   map[string]string
}

// follow reads until a page says that it is complete.
func (r *replica) follow(t *testing.T, call string) {
	t.Helper()
	for range 200 {
		if r.token != "" {
			call = "GET /sync?token=" + url.QueryEscape(r.token)
		}
		a := r.d.ok(t, 200, call, nil)
		for _, v := range a.get("data").(list) {
			line := v.(obj)
			switch line["op"] {
			case "upsert":
				entry := line["entry"].(obj)
				r.has[str(entry["id"])] = str(entry["title"])
				if entry["name"] != nil {
					r.has[str(entry["id"])] = str(entry["name"])
				}
			case "delete":
				delete(r.has, str(line["id"]))
			default:
				t.Fatalf("op %v", line["op"])
			}
		}
		r.token = a.str(t, "meta.next_token")
		if a.get("meta.complete") == true {
			return
		}
	}
	t.Fatal("the sync does not end")
}

func (r *replica) want(t *testing.T, want map[string]string) {
	t.Helper()
	if err := compare(toAny(r.has), toAny(want)); err != nil {
		t.Errorf("the replica: %v", err)
	}
}

func toAny(m map[string]string) any {
	out := obj{}
	for k, v := range m {
		out[k] = v
	}
	return any(out)
}

func syncEntries(t *testing.T, s *suite) {
	writer := s.key(t, nil)
	model := s.model(t, nil)
	want := map[string]string{}
	for _, title := range []string{"One", "Two", "Three", "Four", "Five"} {
		want[writer.publish(t, model, title, nil)] = title
	}
	draft := writer.create(t, model, obj{"title": "Draft"}).str(t, "data.id")
	r := &replica{d: s.publishable(t, nil), has: map[string]string{}}
	r.follow(t, "GET /sync?models="+model+"&per_page=2")
	r.want(t, want)
	empty := r.d.step(t, step{call: "GET /sync?token=" + r.token, status: 200,
		want:   obj{"data": list{}, "meta.complete": true, "meta.next_token": r.token},
		header: obj{"Cache-Control": "no-store"}})
	r.d.with("If-None-Match", empty.Header.Get("ETag")).ok(t, 304, "GET /sync?token="+r.token, nil)
	ids := []string{}
	for id := range want {
		ids = append(ids, id)
	}
	writer.ok(t, 200, "PUT /"+model+"/"+ids[0], obj{"title": "Changed"})
	want[ids[0]] = "Changed"
	writer.ok(t, 204, "DELETE /"+model+"/"+ids[1], nil)
	delete(want, ids[1])
	writer.ok(t, 200, "PUT /"+model+"/"+ids[2], obj{"status": "draft"})
	delete(want, ids[2])
	writer.ok(t, 200, "PUT /"+model+"/"+draft, obj{"status": "published"})
	want[draft] = "Draft"
	before := r.token
	r.follow(t, "")
	r.want(t, want)
	t.Run("any token may be used again", func(t *testing.T) {
		r.token = before
		r.follow(t, "")
		r.want(t, want)
	})
}

func syncTokens(t *testing.T, s *suite) {
	model := s.model(t, nil)
	d := s.publishable(t, nil)
	token := d.ok(t, 200, "GET /sync?models="+model, nil).str(t, "meta.next_token")
	d.run(t,
		step{name: "malformed", call: "GET /sync?token=x", status: 400, code: "BAD_REQUEST"},
		step{name: "empty", call: "GET /sync?token=", status: 400, code: "BAD_REQUEST"},
		step{name: "with other parameters", call: "GET /sync?per_page=5&token=" + token,
			status: 400, code: "BAD_REQUEST"},
		step{name: "unknown model", call: "GET /sync?models=no-such-model", status: 400, code: "BAD_REQUEST"},
		step{name: "unknown locale", call: "GET /sync?locale=xx", status: 400, code: "BAD_REQUEST"},
		step{name: "bad per_page", call: "GET /sync?per_page=0", status: 400, code: "BAD_REQUEST"},
	)
	s.publishable(t, nil).step(t, step{name: "foreign", call: "GET /sync?token=" + token,
		status: 400, code: "BAD_REQUEST"})
	s.admin(t).ok(t, 200, "PUT /models/"+model, obj{"fields": list{field("other", "text", nil)}})
	d.step(t, step{call: "GET /sync?token=" + token, status: 410, code: "SYNC_EXPIRED"})
}

func syncScope(t *testing.T, s *suite) {
	s.useLocale(t, "fr", "French")
	writer := s.key(t, nil)
	model, other := s.model(t, obj{"localized": true}), s.model(t, nil)
	id := writer.create(t, model, obj{"title": "Un", "locale": "fr", "status": "published"}).str(t, "data.id")
	second := writer.publish(t, other, "Two", nil)
	d := s.publishable(t, obj{"models": list{model, other}})
	french := &replica{d: d, has: map[string]string{}}
	french.follow(t, "GET /sync?locale=fr&models="+model)
	french.want(t, map[string]string{id: "Un"})
	all := &replica{d: d, has: map[string]string{}}
	all.follow(t, "GET /sync")
	all.want(t, map[string]string{id: "Un", second: "Two"})
	writer.ok(t, 200, "PUT /"+model+"/"+id, obj{"locale": s.defaultLocale(t)})
	french.follow(t, "")
	french.want(t, map[string]string{})
	s.admin(t).ok(t, 200, "PUT /keys/"+d.id, obj{"models": list{model}})
	s.eventually(t, "the loss of a model", func() bool { all.follow(t, ""); return len(all.has) == 1 })
	all.want(t, map[string]string{id: "Un"})
}

// fileLines reads a sync of files until it has a line. Concurrent scenarios upload files too, so its
// token may be far behind.
type fileLines struct {
	s    *suite
	d    *client
	call string // of the next page
	id   string // of the file
}

// until waits for a line of the file.
func (l *fileLines) until(t *testing.T, what string, is func(line obj) bool) {
	t.Helper()
	l.s.eventually(t, what, func() bool {
		a := l.d.ok(t, 200, l.call, nil)
		l.call = "GET /sync?token=" + url.QueryEscape(a.str(t, "meta.next_token"))
		return slices.ContainsFunc(a.get("data").(list), func(v any) bool { return is(v.(obj)) })
	})
}

// upsert waits for the state of the file with some values.
func (l *fileLines) upsert(t *testing.T, what string, want obj) {
	t.Helper()
	l.until(t, what, func(line obj) bool {
		entry, _ := line["entry"].(obj)
		for key, v := range want {
			if compare(entry[key], v) != nil {
				return false
			}
		}
		return line["op"] == "upsert" && line["model"] == "media" && entry["id"] == l.id
	})
}

// syncFiles follows a file that is changed, whose folder is renamed, and that is deleted.
func syncFiles(t *testing.T, s *suite) {
	k, admin, d := s.key(t, nil), s.admin(t), s.publishable(t, nil)
	folder := admin.ok(t, 201, "POST /media/folders", obj{"name": unique("folder")}).str(t, "data.id")
	id := k.upload(t, "a.txt", []byte("text"), map[string]string{"folder_id": folder}).str(t, "data.id")
	lines := &fileLines{s: s, d: d, call: "GET /sync?models=media", id: id}
	lines.upsert(t, "the file", obj{"name": "a.txt", "srcset": nil})
	admin.ok(t, 200, "PUT /media/"+id, obj{"alt": "About"})
	lines.upsert(t, "its change", obj{"alt": "About"})
	name := unique("renamed")
	admin.ok(t, 200, "PUT /media/folders/"+folder, obj{"name": name})
	lines.upsert(t, "the new name of its folder", obj{"folder": name})
	k.ok(t, 204, "DELETE /upload/files/"+id, nil)
	lines.until(t, "its end", func(line obj) bool {
		locale, shown := line["locale"]
		return line["op"] == "delete" && line["model"] == "media" && line["id"] == id && shown &&
			locale == nil
	})
}

// syncImages follows the srcset of a picture that gets a focal point and then new content, while the
// entry that shows it stays as it is.
func syncImages(t *testing.T, s *suite) {
	k, admin, d := s.key(t, nil), s.admin(t), s.publishable(t, nil)
	model := s.model(t, obj{"fields": list{field("cover", "media", nil)}})
	a := k.upload(t, "a.png", pngHalves(100, 50), map[string]string{"alt": "A"})
	id, address := a.str(t, "data.id"), a.str(t, "data.url")
	entry := k.publish(t, model, "x", obj{"cover": id})
	d.run(t,
		step{name: "entries hold ids", call: "GET /sync?images=64&models=" + model, status: 200,
			want: obj{"data.0.entry.id": entry, "data.0.entry.data.cover": id}},
		step{name: "no number", call: "GET /sync?models=media&images=x", status: 400, code: "BAD_REQUEST"},
		step{name: "empty", call: "GET /sync?models=media&images=", status: 400, code: "BAD_REQUEST"},
	)
	lines := &fileLines{s: s, d: d, call: "GET /sync?models=media&images=64,400", id: id}
	lines.upsert(t, "the picture", obj{"alt": "A", "srcset": address + "?w=64&fm=auto 64w, " +
		address + "?w=128&fm=auto 100w"})
	admin.ok(t, 200, "PUT /media/"+id, obj{"alt": "B", "focal": obj{"x": 0.5, "y": 0.3}})
	lines.upsert(t, "its focal point", obj{"alt": "B", "srcset": address + "?w=64&fm=auto&fp=0.5,0.3 64w, " +
		address + "?w=128&fm=auto&fp=0.5,0.3 100w"})
	admin.step(t, step{call: "PUT /media/" + id + "/content", body: form(t, "b.png", pngHalves(60, 60), nil), status: 200})
	lines.upsert(t, "its new content", obj{"width": 60, "srcset": address + "?v=2&w=64&fm=auto&fp=0.5,0.3 60w"})
}

// syncChangedModels changes the order and then the slug of a model whose entries a client holds.
func syncChangedModels(t *testing.T, s *suite) {
	writer, admin := s.key(t, nil), s.admin(t)
	model := s.model(t, nil)
	want := map[string]string{}
	for _, title := range []string{"One", "Two", "Three"} {
		want[writer.publish(t, model, title, nil)] = title
	}
	r := &replica{d: s.publishable(t, nil), has: map[string]string{}}
	first := r.d.ok(t, 200, "GET /sync?per_page=1&models="+model, nil)
	r.token = first.str(t, "meta.next_token")
	r.has[first.str(t, "data.0.entry.id")] = first.str(t, "data.0.entry.title")
	admin.ok(t, 200, "PUT /models/"+model, obj{"default_sort": "title"})
	r.follow(t, "")
	r.want(t, want)
	renamed := unique("m")
	admin.ok(t, 200, "PUT /models/"+model, obj{"slug": renamed})
	gone := r.d.ok(t, 200, "GET /sync?token="+url.QueryEscape(r.token), nil)
	if gone.get("data.0.op") != "delete" || gone.get("data.0.model") != model {
		t.Errorf("after the model was renamed: %s", gone.Raw)
	}
	r.follow(t, "")
	r.want(t, map[string]string{})
}

func sitemapAndFeed(t *testing.T, s *suite) {
	writer := s.key(t, nil)
	admin := s.admin(t)
	slug := unique("m")
	admin.run(t,
		step{name: "an unknown part", call: "POST /models",
			body:   obj{"slug": slug, "name": "x", "url": "/{title}"},
			status: 422, code: "VALIDATION_FAILED", details: []string{"url"}},
		step{name: "no host", call: "POST /models",
			body: obj{"slug": slug, "name": "x", "url": "https://"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"url"}})
	model := s.model(t, obj{"url": "/" + slug + "/{locale}/{slug}"})
	bare := s.model(t, nil)
	writer.create(t, model, obj{"title": "Shown & <told>", "slug": "shown", "status": "published",
		"seo": obj{"description": "About"}})
	hidden := writer.create(t, model, obj{"title": "Hidden", "status": "published",
		"seo": obj{"noindex": true}})
	if hidden.get("data.seo.noindex") != true {
		t.Errorf("%s", hidden.Raw)
	}
	writer.step(t,
		step{call: "POST /" + model, body: obj{"title": "x", "seo": obj{"noindex": "yes"}},
			status: 422, code: "VALIDATION_FAILED", details: []string{"seo.noindex"}})
	d := s.publishable(t, obj{"models": list{model, bare}})
	address := slug + "/" + s.defaultLocale(t) + "/shown"
	document := func(path, mime string) string {
		t.Helper()
		a := d.raw(t, path)
		if a.Status != 200 || !strings.HasPrefix(a.Header.Get("Content-Type"), mime) ||
			a.Header.Get("Cache-Control") != cacheForever {
			t.Fatalf("%s: %d %v %s", path, a.Status, a.Header, a.Raw)
		}
		return string(a.Raw)
	}
	if text := document("/sitemap.xml", "application/xml"); !strings.Contains(text,
		"<sitemapindex") || !strings.Contains(text, "/sitemap-1.xml</loc>") {
		t.Error(text)
	}
	text := document("/sitemap-1.xml", "application/xml")
	if !strings.Contains(text, address+"</loc>") || strings.Contains(text, "hidden") ||
		!strings.Contains(text, `hreflang="`+s.defaultLocale(t)+`"`) || !strings.Contains(text, "<lastmod>") {
		t.Error(text)
	}
	t.Run("translations", func(t *testing.T) {
		s.useLocale(t, "fr", "French")
		localized := s.model(t, obj{"localized": true, "url": "/{locale}/{slug}"})
		first := writer.create(t, localized,
			obj{"title": "One", "slug": "one", "status": "published"}).str(t, "data.id")
		un := writer.create(t, localized, obj{"title": "Un", "slug": "un", "status": "published",
			"locale": "fr", "translation_of": first}).str(t, "data.id")
		d := s.publishable(t, obj{"models": list{localized}})
		links := func() int {
			a := d.raw(t, "/sitemap-1.xml")
			english, french := `hreflang="`+s.defaultLocale(t)+`" href="`, `hreflang="fr" href="`
			return strings.Count(string(a.Raw), english) + strings.Count(string(a.Raw), french)
		}
		if got := links(); got != 4 {
			t.Errorf("%d links, want two for each of two entries", got)
		}
		writer.ok(t, 200, "PUT /"+localized+"/"+un, obj{"status": "draft"})
		s.eventually(t, "a translation that is no longer published", func() bool { return links() == 1 })
	})
	for _, path := range []string{"/sitemap-2.xml", "/sitemap-0.xml", "/sitemap-01.xml", "/sitemap-+1.xml"} {
		if a := d.raw(t, path); a.Status != 404 {
			t.Errorf("%s: %d", path, a.Status)
		}
	}
	text = document("/"+model+"/feed.xml", "application/atom+xml")
	if !strings.Contains(text, "Shown &amp; &lt;told&gt;") || !strings.Contains(text, address) ||
		!strings.Contains(text, "<summary>About</summary>") {
		t.Error(text)
	}
	d.step(t, step{call: "GET /" + bare + "/feed.xml", status: 404, code: "NOT_FOUND"})
	d.step(t, step{call: "GET /" + model + "/feed.xml?locale=xx", status: 400, code: "BAD_REQUEST"})
}

// raw reads a path of the delivery API whose answer has no envelope.
func (c *client) raw(t *testing.T, path string) answer {
	t.Helper()
	req, _ := c.request(t, "GET "+path, nil)
	resp, err := c.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{Status: resp.StatusCode, Header: resp.Header, Raw: body}
}
