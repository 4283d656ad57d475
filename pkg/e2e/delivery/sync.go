package delivery

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Sync has the scenarios of sync, sitemaps and feeds.
var Sync = []kit.Scenario{
	{Name: "delivery/sync", Run: syncEntries},
	{Name: "delivery/sync, tokens", Run: syncTokens},
	{Name: "delivery/sync, scope", Run: syncScope},
	{Name: "delivery/sync, files", Run: syncFiles},
	{Name: "delivery/sync, images", Run: syncImages},
	{Name: "delivery/sync, changed models", Run: syncChangedModels},
	{Name: "delivery/sitemap and feed", Run: sitemapAndFeed},
}

// replica is the copy that a client of a sync has: ids of entries and files with their titles or
// names.
type replica struct {
	d     *kit.Client
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
		a := r.d.OK(t, 200, call, nil)
		for _, v := range a.Get("data").(kit.List) {
			line := v.(kit.Obj)
			switch line["op"] {
			case "upsert":
				entry := line["entry"].(kit.Obj)
				r.has[kit.Str(entry["id"])] = kit.Str(entry["title"])
				if entry["name"] != nil {
					r.has[kit.Str(entry["id"])] = kit.Str(entry["name"])
				}
			case "delete":
				delete(r.has, kit.Str(line["id"]))
			default:
				t.Fatalf("op %v", line["op"])
			}
		}
		r.token = a.Str(t, "meta.next_token")
		if a.Get("meta.complete") == true {
			return
		}
	}
	t.Fatal("the sync does not end")
}

func (r *replica) want(t *testing.T, want map[string]string) {
	t.Helper()
	if err := kit.Compare(toAny(r.has), toAny(want)); err != nil {
		t.Errorf("the replica: %v", err)
	}
}

func toAny(m map[string]string) any {
	out := kit.Obj{}
	for k, v := range m {
		out[k] = v
	}
	return any(out)
}

func syncEntries(t *testing.T, s *kit.Suite) {
	writer := s.Key(t, nil)
	model := s.Model(t, nil)
	want := map[string]string{}
	for _, title := range []string{"One", "Two", "Three", "Four", "Five"} {
		want[writer.Publish(t, model, title, nil)] = title
	}
	draft := writer.Create(t, model, kit.Obj{"title": "Draft"}).Str(t, "data.id")
	r := &replica{d: s.PublishableKey(t, nil), has: map[string]string{}}
	r.follow(t, "GET /sync?models="+model+"&per_page=2")
	r.want(t, want)
	empty := r.d.Step(t, kit.Step{Call: "GET /sync?token=" + r.token,
		Want:   kit.Obj{"data": kit.List{}, "meta.complete": true, "meta.next_token": r.token},
		Header: kit.Obj{"Cache-Control": "no-store"}})
	r.d.With("If-None-Match", empty.Header.Get("ETag")).OK(t, 304, "GET /sync?token="+r.token, nil)
	ids := []string{}
	for id := range want {
		ids = append(ids, id)
	}
	writer.Put(t, "/"+model+"/"+ids[0], kit.Obj{"title": "Changed"})
	want[ids[0]] = "Changed"
	writer.Delete(t, "/"+model+"/"+ids[1])
	delete(want, ids[1])
	writer.Put(t, "/"+model+"/"+ids[2], kit.Obj{"status": "draft"})
	delete(want, ids[2])
	writer.Put(t, "/"+model+"/"+draft, kit.Obj{"status": "published"})
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

func syncTokens(t *testing.T, s *kit.Suite) {
	model := s.Model(t, nil)
	d := s.PublishableKey(t, nil)
	token := d.Get(t, "/sync?models="+model).Str(t, "meta.next_token")
	d.Run(t,
		kit.Step{Name: "malformed", Call: "GET /sync?token=x", Code: "BAD_REQUEST"},
		kit.Step{Name: "empty", Call: "GET /sync?token=", Code: "BAD_REQUEST"},
		kit.Step{Name: "with other parameters", Call: "GET /sync?per_page=5&token=" + token, Code: "BAD_REQUEST"},
		kit.Step{Name: "with an unknown parameter", Call: "GET /sync?utm_source=x&token=" + token, Code: "BAD_REQUEST"},
		kit.Step{Name: "twice", Call: "GET /sync?token=" + token + "&token=" + token, Code: "BAD_REQUEST"},
		kit.Step{Name: "unknown model", Call: "GET /sync?models=no-such-model", Code: "BAD_REQUEST"},
		kit.Step{Name: "unknown locale", Call: "GET /sync?locale=xx", Code: "BAD_REQUEST"},
		kit.Step{Name: "bad per_page", Call: "GET /sync?per_page=0", Code: "BAD_REQUEST"},
	)
	s.PublishableKey(t, nil).Step(t, kit.Step{Name: "foreign", Call: "GET /sync?token=" + token, Code: "BAD_REQUEST"})
	s.Admin(t).Put(t, "/models/"+model, kit.Obj{"fields": kit.List{kit.Field("other", "text", nil)}})
	d.Step(t, kit.Step{Call: "GET /sync?token=" + token, Code: "SYNC_EXPIRED"})
}

func syncScope(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "fr", "French")
	writer := s.Key(t, nil)
	model, other := s.Model(t, kit.Obj{"localized": true}), s.Model(t, nil)
	id := writer.Create(t, model, kit.Obj{"title": "Un", "locale": "fr", "status": "published"}).Str(t, "data.id")
	second := writer.Publish(t, other, "Two", nil)
	d := s.PublishableKey(t, kit.Obj{"models": kit.List{model, other}})
	french := &replica{d: d, has: map[string]string{}}
	french.follow(t, "GET /sync?locale=fr&models="+model)
	french.want(t, map[string]string{id: "Un"})
	all := &replica{d: d, has: map[string]string{}}
	all.follow(t, "GET /sync")
	all.want(t, map[string]string{id: "Un", second: "Two"})
	writer.Put(t, "/"+model+"/"+id, kit.Obj{"locale": s.DefaultLocale(t)})
	french.follow(t, "")
	french.want(t, map[string]string{})
	limited := s.PublishableKey(t, kit.Obj{"models": kit.List{model, other}, "locales": kit.List{"fr"}})
	only := &replica{d: limited, has: map[string]string{}}
	only.follow(t, "GET /sync?models="+other)
	only.want(t, map[string]string{})
	writer.Put(t, "/"+other+"/"+second, kit.Obj{"title": "Two"})
	s.Admin(t).Put(t, "/models/"+other, kit.Obj{"is_active": false})
	limited.Step(t, kit.Step{Name: "nothing of a locale that the key may not read",
		Call: "GET /sync?token=" + url.QueryEscape(only.token), Want: kit.Obj{"data": kit.List{}}})
	s.Admin(t).Put(t, "/models/"+other, kit.Obj{"is_active": true})
	s.Admin(t).Put(t, "/keys/"+d.ID, kit.Obj{"models": kit.List{model}})
	s.Eventually(t, "the loss of a model", func() bool { all.follow(t, ""); return len(all.has) == 1 })
	all.want(t, map[string]string{id: "Un"})
}

// fileLines reads a sync of files until it has a line. Concurrent scenarios upload files too, so its
// token may be far behind.
type fileLines struct {
	s    *kit.Suite
	d    *kit.Client
	call string // of the next page
	id   string // of the file
}

// until waits for a line of the file.
func (l *fileLines) until(t *testing.T, what string, is func(line kit.Obj) bool) {
	t.Helper()
	l.s.Eventually(t, what, func() bool {
		a := l.d.OK(t, 200, l.call, nil)
		l.call = "GET /sync?token=" + url.QueryEscape(a.Str(t, "meta.next_token"))
		return slices.ContainsFunc(a.Get("data").(kit.List), func(v any) bool { return is(v.(kit.Obj)) })
	})
}

// upsert waits for the state of the file with some values.
func (l *fileLines) upsert(t *testing.T, what string, want kit.Obj) {
	t.Helper()
	l.until(t, what, func(line kit.Obj) bool {
		entry, _ := line["entry"].(kit.Obj)
		for key, v := range want {
			if kit.Compare(entry[key], v) != nil {
				return false
			}
		}
		return line["op"] == "upsert" && line["model"] == "media" && entry["id"] == l.id
	})
}

// syncFiles follows a file that is changed, whose folder is renamed, and that is deleted.
func syncFiles(t *testing.T, s *kit.Suite) {
	k, admin, d := s.Key(t, nil), s.Admin(t), s.PublishableKey(t, nil)
	folder := admin.Post(t, "/media/folders", kit.Obj{"name": kit.Unique("folder")}).Str(t, "data.id")
	id := k.Upload(t, "a.txt", []byte("text"), map[string]string{"folder_id": folder}).Str(t, "data.id")
	lines := &fileLines{s: s, d: d, call: "GET /sync?models=media", id: id}
	lines.upsert(t, "the file", kit.Obj{"name": "a.txt", "srcset": nil})
	admin.Put(t, "/media/"+id, kit.Obj{"alt": "About"})
	lines.upsert(t, "its change", kit.Obj{"alt": "About"})
	s.UseLocale(t, "de", "Deutsch")
	admin.Put(t, "/media/"+id, kit.Obj{"alts": kit.Obj{"de": "Worum es geht"}})
	lines.upsert(t, "its text in a locale", kit.Obj{"alt": "About", "alts": kit.Obj{"de": "Worum es geht"}})
	name := kit.Unique("renamed")
	admin.Put(t, "/media/folders/"+folder, kit.Obj{"name": name})
	lines.upsert(t, "the new name of its folder", kit.Obj{"folder": name})
	k.Delete(t, "/upload/files/"+id)
	lines.until(t, "its end", func(line kit.Obj) bool {
		locale, shown := line["locale"]
		return line["op"] == "delete" && line["model"] == "media" && line["id"] == id && shown &&
			locale == nil
	})
}

// syncImages follows the srcset of a picture that gets a focal point and then new content, while the
// entry that shows it stays as it is.
func syncImages(t *testing.T, s *kit.Suite) {
	k, admin, d := s.Key(t, nil), s.Admin(t), s.PublishableKey(t, nil)
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("cover", "media", nil)}})
	a := k.Upload(t, "a.png", kit.PNGHalves(100, 50), map[string]string{"alt": "A"})
	id, address := a.Str(t, "data.id"), a.Str(t, "data.url")
	entry := k.Publish(t, model, "x", kit.Obj{"cover": id})
	d.Run(t,
		kit.Step{Name: "entries hold ids", Call: "GET /sync?images=64&models=" + model,
			Want: kit.Obj{"data.0.entry.id": entry, "data.0.entry.data.cover": id}},
		kit.Step{Name: "no number", Call: "GET /sync?models=media&images=x", Code: "BAD_REQUEST"},
		kit.Step{Name: "empty", Call: "GET /sync?models=media&images=", Code: "BAD_REQUEST"},
	)
	lines := &fileLines{s: s, d: d, call: "GET /sync?models=media&images=64,400", id: id}
	lines.upsert(t, "the picture", kit.Obj{"alt": "A", "srcset": address + "?w=64&fm=auto 64w, " +
		address + "?w=128&fm=auto 100w"})
	admin.Put(t, "/media/"+id, kit.Obj{"alt": "B", "focal": kit.Obj{"x": 0.5, "y": 0.3}})
	lines.upsert(t, "its focal point", kit.Obj{"alt": "B", "srcset": address + "?w=64&fm=auto&fp=0.5,0.3 64w, " +
		address + "?w=128&fm=auto&fp=0.5,0.3 100w"})
	admin.Step(t, kit.Step{Call: "PUT /media/" + id + "/content",
		Body: kit.FileBody(t, "b.png", kit.PNGHalves(60, 60), nil)})
	lines.upsert(t, "its new content", kit.Obj{"width": 60, "srcset": address + "?v=2&w=64&fm=auto&fp=0.5,0.3 60w"})
}

// syncChangedModels changes the order and then the slug of a model whose entries a client holds.
func syncChangedModels(t *testing.T, s *kit.Suite) {
	writer, admin := s.Key(t, nil), s.Admin(t)
	model := s.Model(t, nil)
	want := map[string]string{}
	for _, title := range []string{"One", "Two", "Three"} {
		want[writer.Publish(t, model, title, nil)] = title
	}
	r := &replica{d: s.PublishableKey(t, nil), has: map[string]string{}}
	first := r.d.Get(t, "/sync?per_page=1&models="+model)
	r.token = first.Str(t, "meta.next_token")
	r.has[first.Str(t, "data.0.entry.id")] = first.Str(t, "data.0.entry.title")
	admin.Put(t, "/models/"+model, kit.Obj{"default_sort": "title"})
	r.follow(t, "")
	r.want(t, want)
	renamed := kit.Unique("m")
	admin.Put(t, "/models/"+model, kit.Obj{"slug": renamed})
	gone := r.d.Get(t, "/sync?token="+url.QueryEscape(r.token))
	gone.Has(t, "after the model was renamed", kit.Obj{"data.0.op": "delete", "data.0.model": model})
	r.follow(t, "")
	r.want(t, map[string]string{})
}

func sitemapAndFeed(t *testing.T, s *kit.Suite) {
	writer := s.Key(t, nil)
	admin := s.Admin(t)
	slug := kit.Unique("m")
	admin.Run(t,
		kit.Step{Name: "an unknown part", Call: "POST /models", Body: kit.Obj{"slug": slug, "name": "x", "url": "/{title}"},
			Invalid: "url"},
		kit.Step{Name: "no host", Call: "POST /models", Body: kit.Obj{"slug": slug, "name": "x", "url": "https://"},
			Invalid: "url"})
	model := s.Model(t, kit.Obj{"url": "/" + slug + "/{locale}/{slug}"})
	bare := s.Model(t, nil)
	shown := writer.Create(t, model, kit.Obj{"title": "Shown & <told>", "slug": "shown", "status": "published",
		"seo": kit.Obj{"description": "About"}})
	hidden := writer.Create(t, model, kit.Obj{"title": "Hidden", "status": "published", "seo": kit.Obj{"noindex": true}})
	hidden.Has(t, "left out of sitemaps", kit.Obj{"data.seo.noindex": true})
	writer.Step(t, kit.Step{Call: "POST /" + model, Body: kit.Obj{"title": "x", "seo": kit.Obj{"noindex": "yes"}},
		Invalid: "seo.noindex"})
	d := s.PublishableKey(t, kit.Obj{"models": kit.List{model, bare}})
	address := slug + "/" + s.DefaultLocale(t) + "/shown"
	document := func(path, mime string) string {
		t.Helper()
		a := d.Fetch(t, path)
		if a.Status != 200 || !strings.HasPrefix(a.Header.Get("Content-Type"), mime) ||
			a.Header.Get("Cache-Control") != kit.CacheForever {
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
		!strings.Contains(text, `hreflang="`+s.DefaultLocale(t)+`"`) ||
		!strings.Contains(text, "<lastmod>"+shown.Str(t, "data.updated_at")+"</lastmod>") {
		t.Error(text)
	}
	t.Run("translations", func(t *testing.T) {
		s.UseLocale(t, "fr", "French")
		localized := s.Model(t, kit.Obj{"localized": true, "url": "/{locale}/{slug}"})
		first := writer.Create(t, localized,
			kit.Obj{"title": "One", "slug": "one", "status": "published"}).Str(t, "data.id")
		un := writer.Create(t, localized, kit.Obj{"title": "Un", "slug": "un", "status": "published",
			"locale": "fr", "translation_of": first}).Str(t, "data.id")
		d := s.PublishableKey(t, kit.Obj{"models": kit.List{localized}})
		links := func() int {
			a := d.Fetch(t, "/sitemap-1.xml")
			english, french := `hreflang="`+s.DefaultLocale(t)+`" href="`, `hreflang="fr" href="`
			return strings.Count(string(a.Raw), english) + strings.Count(string(a.Raw), french)
		}
		kit.Same(t, "two links for each of two entries", links(), 4)
		writer.Put(t, "/"+localized+"/"+un, kit.Obj{"status": "draft"})
		s.Eventually(t, "a translation that is no longer published", func() bool { return links() == 1 })
	})
	for _, path := range []string{"/sitemap-2.xml", "/sitemap-0.xml", "/sitemap-01.xml", "/sitemap-+1.xml"} {
		d.Fetch(t, path).HasStatus(t, path, 404)
	}
	text = document("/"+model+"/feed.xml", "application/atom+xml")
	if !strings.Contains(text, "Shown &amp; &lt;told&gt;") || !strings.Contains(text, address) ||
		!strings.Contains(text, "<summary>About</summary>") {
		t.Error(text)
	}
	d.Step(t, kit.Step{Call: "GET /" + bare + "/feed.xml", Code: "NOT_FOUND"})
	d.Step(t, kit.Step{Call: "GET /" + model + "/feed.xml?locale=xx", Code: "BAD_REQUEST"})
}
