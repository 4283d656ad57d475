package previews

import (
	"cmp"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Entries has the scenarios of previews of entries.
var Entries = []kit.Scenario{{Name: "preview/api", Run: previews},
	{Name: "preview/admin", Run: adminPreviews}, {Name: "preview/locales", Run: previewLocales},
	{Name: "preview/delivery", Run: deliveryPreviews}, {Name: "preview/script", Run: previewScript},
	{Name: "preview/sources", Run: previewSources}}

func previews(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.AdminKey(t)
	authors := s.Model(t, nil)
	model := s.Model(t, kit.Obj{
		"fields": kit.List{kit.Field("body", "text", nil), kit.Field("hidden", "text", nil),
			kit.Field("author", "relation", kit.Obj{"model": authors})},
		"visible_fields": kit.List{"body", "author"},
		"preview_url":    "https://example.com/{locale}/{slug}?id={id}&token={token}",
	})
	author := k.Create(t, authors, kit.Obj{"title": "Unknown"}).Str(t, "data.id")
	id := k.Publish(t, model, "Live", kit.Obj{"body": "live", "hidden": "h"})
	other := k.Publish(t, model, "Other", nil)
	at := "/" + model + "/" + id
	k.Put(t, at+"/draft", kit.Obj{"title": "Draft", "data": kit.Obj{"body": "draft", "author": author}})
	a := admin.Step(t, kit.Step{Call: "POST " + at + "/preview", Status: 201,
		Want: kit.Obj{"data.expires_at": kit.Timestamp, "data.url": kit.Matches("^https://example.com/" +
			s.DefaultLocale(t) + "/live\\?id=" + id + "&token=.")}})
	token := url.QueryEscape(a.Str(t, "data.token"))
	shown := kit.Obj{"data.id": id, "data.title": "Draft", "data.slug": "live",
		"data.status": "published", "data.data.body": "draft", "data.data.hidden": nil}
	k.Run(t,
		kit.Step{Name: "by id", Call: "GET " + at + "?preview=" + token, Want: shown,
			Header: kit.Obj{"Cache-Control": "no-store"}},
		kit.Step{Name: "by slug", Call: "GET /" + model + "/live?preview=" + token, Want: shown},
		kit.Step{Name: "version is ignored", Call: "GET " + at + "?version=draft&preview=" + token, Want: shown},
		kit.Step{Name: "include", Call: "GET " + at + "?include=author&preview=" + token,
			Want: kit.Obj{"data.data.author.title": "Unknown"}},
		kit.Step{Name: "another entry", Call: "GET /" + model + "/" + other + "?preview=" + token, Code: "FORBIDDEN"},
		kit.Step{Name: "another slug", Call: "GET /" + model + "/other?preview=" + token, Code: "FORBIDDEN"},
		kit.Step{Name: "no such entry", Call: "GET /" + model + "/" + kit.UnknownID + "?preview=" + token,
			Code: "FORBIDDEN"},
		kit.Step{Name: "wrong", Call: "GET " + at + "?preview=x" + token, Code: "FORBIDDEN"},
		kit.Step{Name: "empty", Call: "GET " + at + "?preview=", Code: "FORBIDDEN"},
		kit.Step{Name: "twice", Call: "GET " + at + "?preview=" + token + "&preview=" + token, Code: "FORBIDDEN"},
		kit.Step{Name: "another model", Call: "GET /" + authors + "/" + author + "?preview=" + token, Code: "FORBIDDEN"},
		kit.Step{Name: "search", Call: "GET /search?q=draft&preview=" + token, Code: "BAD_REQUEST"},
		kit.Step{Name: "list", Call: "GET /" + model + "?preview=" + token, Code: "BAD_REQUEST"},
		kit.Step{Name: "list of another model", Call: "GET /" + authors + "?preview=" + token, Code: "BAD_REQUEST"},
		kit.Step{Name: "list, wrong", Call: "GET /" + model + "?preview=x" + token, Code: "FORBIDDEN"},
		kit.Step{Name: "list, empty", Call: "GET /" + model + "?preview=", Code: "FORBIDDEN"},
		kit.Step{Name: "list, garbage", Call: "GET /" + model + "?preview=x", Code: "FORBIDDEN"},
		kit.Step{Name: "role", Call: "POST " + at + "/preview", Code: "FORBIDDEN"},
		kit.Step{Name: "role of revoke", Call: "DELETE " + at + "/preview", Code: "FORBIDDEN"},
		kit.Step{Name: "without", Call: "GET " + at, Want: kit.Obj{"data.title": "Live"}},
	)
	admin.Run(t,
		kit.Step{Name: "too short", Call: "POST " + at + "/preview", Body: kit.Obj{"expires_in": 0}, Invalid: "expires_in"},
		kit.Step{Name: "no entry", Call: "POST /" + model + "/" + kit.UnknownID + "/preview", Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "no entry to revoke", Call: "DELETE /" + model + "/" + kit.UnknownID + "/preview",
			Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "no template", Call: "POST /" + authors + "/" + author + "/preview", Status: 201,
			Want: kit.Obj{"data.url": nil}},
		kit.Step{Name: "too long", Call: "POST " + at + "/preview", Body: kit.Obj{"expires_in": 2592001},
			Invalid: "expires_in"},
		kit.Step{Name: "revoke", Call: "DELETE " + at + "/preview", Status: 204},
	)
	k.Step(t, kit.Step{Call: "GET " + at + "?preview=" + token, Code: "FORBIDDEN"})
	again := url.QueryEscape(admin.Post(t, at+"/preview", kit.Obj{"expires_in": json.Number("60.0")}).Str(t, "data.token"))
	k.Step(t, kit.Step{Call: "GET " + at + "?preview=" + again, Want: shown})
	k.Delete(t, at)
	k.Step(t, kit.Step{Call: "GET " + at + "?preview=" + again, Code: "ENTRY_NOT_FOUND"})
	previewAddresses(t, s, model)
}

// previewLocales names the locale of a preview as other reads of one entry do.
func previewLocales(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	s.UseLocale(t, "es", "Español")
	k, admin, home := s.Key(t, nil), s.AdminKey(t), s.DefaultLocale(t)
	s.Admin(t).Put(t, "/locales/es", kit.Obj{"fallback": home})
	model, single := s.Model(t, kit.Obj{"localized": true}), s.Model(t, kit.Obj{"localized": true, "kind": "single"})
	for _, x := range []struct{ model, segment string }{{model, "/haus"}, {single, ""}, {single, "/single"}} {
		at := "/" + x.model
		if x.segment != "/single" {
			k.Create(t, x.model, kit.Obj{"title": "Haus", "slug": "haus", "locale": "de"})
		}
		id := admin.Get(t, at+"/"+cmp.Or(strings.TrimPrefix(x.segment, "/"), "single")+"?locale=de").Str(t, "data.id")
		token := url.QueryEscape(admin.Post(t, at+"/"+id+"/preview", nil).Str(t, "data.token"))
		for _, name := range []string{"locale", "filter%5Blocale%5D"} {
			shown := kit.Step{Call: "GET " + at + x.segment + "?" + name + "=de&fallback=true&preview=" + token,
				Want: kit.Obj{"data.id": id, "meta.locale": "de", "meta.requested_locale": "de"}}
			if k.Step(t, shown); x.model == single {
				k.Step(t, kit.Step{Call: "GET " + at + x.segment + "?" + name + "=any&preview=" + token,
					Want: kit.Obj{"data.id": id, "meta.locale": nil}})
			}
			k.Run(t,
				kit.Step{Call: "GET " + at + x.segment + "?" + name + "=" + home + "&preview=" + token, Code: "FORBIDDEN"},
				kit.Step{Call: "GET " + at + "/" + id + "?" + name + "=" + home + "&preview=" + token,
					Code: "ENTRY_NOT_FOUND"},
			)
		}
	}
	previewFallback(t, s)
}

// previewFallback reads the preview of an entry in a locale that its group lacks, and then has.
func previewFallback(t *testing.T, s *kit.Suite) {
	k, admin, d, home := s.Key(t, nil), s.AdminKey(t), s.PublishableKey(t, nil), s.DefaultLocale(t)
	at := "/" + kit.Unique("at")
	model := s.Model(t, kit.Obj{"localized": true, "url": at + "/{locale}/{slug}"})
	id := k.Publish(t, model, "Former", nil)
	k.Put(t, "/"+model+"/"+id, kit.Obj{"slug": "house"})
	k.Put(t, "/"+model+"/"+id+"/draft", kit.Obj{"title": "Draft", "slug": "new"})
	token := admin.Post(t, "/"+model+"/"+id+"/preview", nil).Str(t, "data.token")
	more := "fallback=true&preview=" + url.QueryEscape(token)
	shown := kit.Obj{"data.id": id, "data.title": "Draft", "meta.locale": home, "meta.requested_locale": "es"}
	reads := []string{"/" + model + "/" + id + "?locale=es&", "/" + model + "/house?locale=es&",
		"/resolve?path=" + at + "/es/house&"}
	for _, path := range reads {
		k.Step(t, kit.Step{Name: "lacking", Call: "GET " + path + more, Want: shown})
		d.Step(t, kit.Step{Name: "delivered", Call: "GET " + path + more, Want: shown})
	}
	d.Step(t, kit.Step{Name: "by a former slug", Call: "GET /" + model + "/former?locale=es&" + more,
		Want: kit.Obj{"data.title": "Draft", "meta.moved_to": "house"}})
	k.Create(t, model, kit.Obj{"title": "Casa", "status": "published", "locale": "es", "translation_of": id})
	for _, path := range reads {
		k.Step(t, kit.Step{Name: "another one is shown", Call: "GET " + path + more, Code: "FORBIDDEN"})
	}
	shown["meta.requested_locale"] = home
	k.Step(t, kit.Step{Name: "by its translation", Call: "GET /" + model + "/casa?" + more, Want: shown})
	k.OK(t, 200, "POST /"+model+"/"+id+"/unpublish", nil)
	k.Step(t, kit.Step{Name: "translations as stored, with itself",
		Call: "GET /" + model + "/house?translations=true&" + more,
		Want: kit.Obj{"data.title": "Draft", "data.translations.#": 2, "data.translations": kit.Item(kit.Obj{"id": id,
			"slug": "house", "title": "Former", "status": "draft"})}})
}

// previewAddresses checks which templates of preview URLs a model accepts.
func previewAddresses(t *testing.T, s *kit.Suite, model string) {
	a := s.Admin(t)
	for _, refused := range []string{"https://example.com/{title}", "http://example.com/",
		"ftp://example.com/", "example.com/{slug}", "https://example.com/{slug"} {
		a.Step(t, kit.Step{Name: refused, Call: "PUT /models/" + model, Body: kit.Obj{"preview_url": refused},
			Invalid: "preview_url"})
	}
	for _, taken := range []string{"http://localhost:3000/{slug}", "https://{locale}.example.com/{id}", ""} {
		a.Step(t, kit.Step{Name: taken, Call: "PUT /models/" + model, Body: kit.Obj{"preview_url": taken},
			Want: kit.Obj{"data.preview_url": taken}})
	}
}

// adminPreviews makes links for an entry that was never published, in the admin area.
func adminPreviews(t *testing.T, s *kit.Suite) {
	k, a := s.Key(t, nil), s.Admin(t)
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("body", "text", nil)}})
	id := k.Create(t, model, kit.Obj{"title": "Hidden", "data": kit.Obj{"body": "b"}}).Str(t, "data.id")
	at, page := "/"+model+"/"+id, "/models/"+model+"/entries/"+id+"/preview"
	token := url.QueryEscape(a.Post(t, page, kit.Obj{"expires_in": 600}).Str(t, "data.token"))
	k.Run(t,
		kit.Step{Name: "without", Call: "GET " + at, Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "with", Call: "GET " + at + "?preview=" + token,
			Want: kit.Obj{"data.title": "Hidden", "data.status": "draft", "data.data.body": "b"}},
	)
	a.Run(t,
		kit.Step{Name: "no entry", Call: "POST /models/" + model + "/entries/" + kit.UnknownID + "/preview",
			Code: "NOT_FOUND"},
		kit.Step{Name: "revoke", Call: "DELETE " + page, Status: 204},
	)
	k.Step(t, kit.Step{Name: "revoked", Call: "GET " + at + "?preview=" + token, Code: "FORBIDDEN"})
	token = url.QueryEscape(a.Post(t, page, nil).Str(t, "data.token"))
	k.Step(t, kit.Step{Name: "made after", Call: "GET " + at + "?preview=" + token})
	brief := url.QueryEscape(a.Post(t, page, kit.Obj{"expires_in": 1}).Str(t, "data.token"))
	s.Eventually(t, "the token has expired",
		func() bool { return k.Do(t, "GET "+at+"?preview="+brief, nil).Status == 403 })
}
