package previews

import (
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
	"headless/pkg/must"
)

// deliveryPreviews reads from the delivery API with a preview token. No answer to that may be
// cached.
func deliveryPreviews(t *testing.T, s *kit.Suite) {
	k, admin, d := s.Key(t, nil), s.AdminKey(t), s.PublishableKey(t, nil)
	model := s.Model(t,
		kit.Obj{"fields": kit.List{kit.Field("body", "text", nil), kit.Field("hidden", "text", nil)},
			"visible_fields": kit.List{"body"}})
	id := k.Create(t, model,
		kit.Obj{"title": "First", "slug": "first", "data": kit.Obj{"body": "live", "hidden": "h"}}).Str(t, "data.id")
	k.Put(t, "/"+model+"/"+id+"/draft", kit.Obj{"data": kit.Obj{"body": "draft"}})
	at := "GET /" + model + "/" + id
	token := url.QueryEscape(admin.Post(t, "/"+model+"/"+id+"/preview", nil).Str(t, "data.token"))
	never := kit.Obj{"Cache-Control": "no-store"}
	shown := kit.Obj{"data.id": id, "data.status": "draft", "data.data.body": "draft", "data.data.hidden": nil}
	d.Run(t,
		kit.Step{Name: "not without", Call: at, Code: "ENTRY_NOT_FOUND"},
		kit.Step{Name: "draft", Call: at + "?preview=" + token, Want: shown, Header: never},
		kit.Step{Name: "by slug", Call: "GET /" + model + "/first?preview=" + token, Want: shown, Header: never},
		kit.Step{Name: "version is ignored", Call: at + "?version=draft&preview=" + token, Want: shown, Header: never},
		kit.Step{Name: "wrong with version", Call: at + "?version=draft&preview=x", Code: "FORBIDDEN"},
		kit.Step{Name: "wrong", Call: at + "?preview=x", Code: "FORBIDDEN", Header: kit.Obj{"Cache-Control": "no-store"}},
		kit.Step{Name: "list", Call: "GET /" + model + "?preview=" + token, Code: "BAD_REQUEST",
			Header: kit.Obj{"Cache-Control": "no-store"}},
		kit.Step{Name: "search", Call: "GET /search?q=x&preview=" + token, Code: "BAD_REQUEST"},
		kit.Step{Name: "still not without", Call: at, Code: "ENTRY_NOT_FOUND"},
	)
	k.Put(t, "/"+model+"/"+id+"/draft", kit.Obj{"data": kit.Obj{"body": "again"}})
	d.Step(t, kit.Step{Name: "at once", Call: at + "?preview=" + token, Want: kit.Obj{"data.data.body": "again"}})
	admin.Delete(t, "/"+model+"/"+id+"/preview")
	s.Listed(t, "/activity", kit.Obj{"event": "preview.ended", "subject_id": id})
	d.Run(t, kit.Step{Name: "revoked", Call: at + "?preview=" + token, Code: "FORBIDDEN"},
		kit.Step{Name: "revoked, of a list", Call: "GET /" + model + "?preview=" + token, Code: "FORBIDDEN"})
}

// previewScript fetches the script for sites.
func previewScript(t *testing.T, s *kit.Suite) {
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.Target.BaseURL+"/assets/preview.js", nil)
	must.Do(t, err)
	a := kit.Exchange(t, s.HTTP, req)
	a.HasStatus(t, "the script", 200)
	a.Contains(t, "the script", "data-cms")
	if kind := a.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/javascript") || len(a.Raw) > 12<<10 {
		t.Errorf("%d bytes of %s", len(a.Raw), kind)
	}
}

// marked returns what a text shows, and the object in its mark; nil without one.
func marked(t *testing.T, text string) (string, kit.Obj) {
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
	var mark kit.Obj
	if err := json.Unmarshal(raw, &mark); err != nil {
		t.Errorf("%q: %v", raw, err)
	}
	return text[:at] + "*" + text[end:], mark
}

// previewSources reads where the texts of a preview are edited (extensions §15).
func previewSources(t *testing.T, s *kit.Suite) {
	k, d := s.AdminKey(t), s.PublishableKey(t, nil)
	hero := kit.Field("hero", "group", kit.Obj{"fields": kit.List{kit.Field("heading", "text", nil)}})
	author := s.Model(t, nil)
	model := s.Model(t, kit.Obj{"fields": kit.List{
		kit.Field("intro", "textarea", nil), kit.Field("code", "text", kit.Obj{"pattern": "^[A-Z ]+$"}),
		kit.Field("day", "date", nil), kit.Field("kind", "select", kit.Obj{"options": kit.List{"news"}}),
		kit.Field("body", "richtext", kit.Obj{"fields": kit.List{hero}}),
		kit.Field("blocks", "blocks", kit.Obj{"fields": kit.List{hero}}), kit.Field("cover", "media", nil),
		kit.Field("any", "json", nil), kit.Field("by", "relation", kit.Obj{"model": author})}})
	file := k.Upload(t, "a.png", kit.PNG(2, 2), map[string]string{"alt": "A lamp"}).Str(t, "data.id")
	by := k.Publish(t, author, "Ada "+kit.Unique("a"), kit.Obj{"body": "Writes"})
	id := k.Publish(t, model, "Live "+kit.Unique("t"),
		kit.Obj{"intro": "In short", "code": "A B", "day": "2026-01-31", "kind": "news",
			"body": "Text\n\n```block hero\nheading: In a text\n```\n\nSee https://example.com\n",
			"blocks": kit.List{kit.Obj{"type": "hero", "heading": "Head"},
				kit.Obj{"type": "hero", "heading": "#fff"}}, "cover": file, "any": kit.Obj{"a": "x"}, "by": by})
	k.Put(t, "/"+model+"/"+id+"/draft", kit.Obj{"title": "Draft"})
	token := url.QueryEscape(k.Post(t, "/"+model+"/"+id+"/preview", nil).Str(t, "data.token"))
	at := "GET /" + model + "/" + id + "?include=cover,by&preview=" + token
	form := s.Target.BaseURL + "/admin/models/" + model + "/entries/" + id + "/edit#"
	byForm := s.Target.BaseURL + "/admin/models/" + author + "/entries/" + by + "/edit#"
	want := map[string][2]string{ // by pointer: what is shown with a star for the mark, and the address
		"/data/title":                 {"Draft*", form + "title"},
		"/data/data/intro":            {"In short*", form + "data.intro"},
		"/data/data/blocks/0/heading": {"Head*", form + "data.blocks.0.heading"},
		"/data/data/cover/alt":        {"A lamp*", s.Target.BaseURL + "/admin/media/" + file + "#alt"},
		"/data/data/by/data/body":     {"Writes*", byForm + "data.body"},
		"/data/data/body": {"Text*\n\n```block hero\nheading: In a text\n```\n\nSee https://example.com\n",
			form + "data.body"},
	}
	a := d.OK(t, 200, at+"&source=stega", nil)
	for pointer, place := range want {
		text, mark := marked(t, a.Str(t, strings.ReplaceAll(pointer[1:], "/", ".")))
		if text != place[0] || !reflect.DeepEqual(mark, kit.Obj{"origin": "cms", "href": place[1]}) {
			t.Errorf("%s: %q with %v, want %q with %s", pointer, text, mark, place[0], place[1])
		}
	}
	for _, path := range []string{"slug", "data.code", "data.day", "data.kind", "data.blocks.1.heading", "data.any.a",
		"data.by.slug", "data.cover.url"} {
		if text := a.Str(t, "data."+path); strings.ContainsAny(text, "\u200b\u200c\u200d\ufeff") {
			t.Errorf("%s is marked: %q", path, text)
		}
	}
	sources := kit.Obj{"/data/data/by/title": byForm + "title"}
	for pointer, place := range want {
		sources[pointer] = place[1]
	}
	plain := d.Step(t, kit.Step{Call: at + "&source=map", Want: kit.Obj{"meta.sources": sources, "data.title": "Draft"}})
	plain.Lacks(t, "a map has no marks", "\u200b")
	for fields, sources := range map[string]kit.Obj{
		"title": {"/data/title": form + "title"}, "data.intro": {"/data/data/intro": form + "data.intro"}, "slug": {},
	} {
		d.Step(t, kit.Step{Name: "map of " + fields, Call: at + "&source=map&fields=" + fields,
			Want: kit.Obj{"meta.sources": sources}})
	}
	bare := d.Get(t, "/"+model+"/"+id+"?source=stega&preview="+token)
	if text, _ := marked(t, bare.Str(t, "data.title")); text != "Draft*" {
		t.Errorf("without include: %q", text)
	}
	html := d.OK(t, 200, at+"&source=stega&richtext=html", nil)
	if text, mark := marked(t, html.Str(t, "data.data.body")); !strings.HasPrefix(text,
		"<p>Text</p>\n<div data-block=\"hero\"") ||
		!strings.HasSuffix(text, "<p>See* <a href=\"https://example.com\">https://example.com</a></p>\n") ||
		mark["href"] != form+"data.body" {
		t.Errorf("%q %v", text, mark)
	}
	parts := d.OK(t, 200, at+"&source=stega&richtext=parts", nil)
	for path, place := range map[string][2]string{"data.data.body.0.text": {"Text*", form + "data.body"},
		"data.data.body.1.heading": {"In a text*", form + "data.body.blocks.0.heading"}} {
		if text, mark := marked(t, parts.Str(t, path)); strings.TrimSpace(text) != place[0] ||
			mark["href"] != place[1] {
			t.Errorf("%s: %q %v", path, text, mark)
		}
	}
	d.Step(t, kit.Step{Call: at + "&source=all", Code: "BAD_REQUEST"})
	for _, call := range []string{"GET /" + model + "?source=stega", "GET /" + model + "/" + id + "?source=map"} {
		d.Step(t, kit.Step{Call: call, Code: "FORBIDDEN"})
	}
}
