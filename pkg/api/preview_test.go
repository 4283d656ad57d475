package api_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/links/preview"
	"headless/pkg/site"
)

// TestPreviewShowsWhatReadsShow compares reads with the token of an entry and reads without, also with fallback: what
// shows the published entry shows its draft with the token, and all else is refused. The same holds for an
// entry that is not published.
func TestPreviewShowsWhatReadsShow(t *testing.T) {
	c := newContent(t)
	locales := &site.Locales{Store: c.store.Site}
	for _, body := range []string{`{"code": "fr", "name": "French"}`, `{"code": "es", "name": "Spanish"}`} {
		if _, err := locales.Create(t.Context(), admin, object(t, body)); err != nil {
			t.Fatal(err)
		}
	}
	for code, body := range map[string]string{"de": `{"fallback": "en"}`, "fr": `{"fallback": "de"}`} {
		if _, err := locales.Update(t.Context(), admin, code, object(t, body), nil); err != nil {
			t.Fatal(err)
		}
	}
	c.model(`{"slug": "posts", "name": "Posts", "localized": true, "url": "/{locale}/{slug}"}`)
	c.model(`{"slug": "home", "name": "Home", "kind": "single", "localized": true, "url": "/{locale}/home"}`)
	c.model(`{"slug": "plain", "name": "Plain", "url": "/plain/{slug}"}`)
	type entry struct{ model, id, slug string }
	var entries []entry
	make := func(model, slug, locale string, translationOf int) {
		body := fmt.Sprintf(`{"title": "Live", "status": "published", "slug": %q, "locale": %q`, slug, locale)
		if translationOf >= 0 {
			body += fmt.Sprintf(`, "translation_of": %q`, entries[translationOf].id)
		}
		entries = append(entries, entry{model, c.create(model, body+"}").ID, slug})
	}
	make("posts", "alone", "en", -1)
	make("posts", "both", "en", -1)
	make("posts", "beide", "de", 1)
	make("posts", "fern", "fr", -1)
	make("posts", "alone", "es", -1) // in no chain
	make("posts", "taken", "en", -1)
	make("posts", "taken", "fr", -1) // of another group
	make("home", "home", "en", -1)
	make("plain", "plain", "en", -1)
	paths := []string{"/home?", "/home/single?", "/posts/none?", "/posts/No%20slug?", "/resolve?path=/none",
		"/posts/0190a000-0000-7000-8000-000000000001?"}
	for _, e := range entries {
		paths = append(paths, "/"+e.model+"/"+e.id+"?", "/"+e.model+"/"+e.slug+"?")
		for _, code := range []string{"en", "de", "fr", "es"} {
			paths = append(paths, "/resolve?path=/"+code+"/"+e.slug)
		}
	}
	paths = append(paths, "/resolve?path=/plain/plain")
	var reads []string
	for _, path := range paths {
		for _, fallback := range []string{"", "&fallback=true"} {
			reads = append(reads, path+fallback)
			for _, locale := range []string{"en", "de", "fr", "es", "any", "xx", ""} {
				if !strings.HasPrefix(path, "/resolve") {
					reads = append(reads, path+"&locale="+locale+fallback)
				}
			}
		}
	}
	type shown struct {
		status          int
		id, title       string
		locale, request string
	}
	read := func(path string) shown {
		a := c.call(c.public, "GET", path, "")
		var data struct{ ID, Title string }
		var body struct {
			Meta struct {
				Locale  string
				Request string `json:"requested_locale"`
			}
		}
		_ = json.Unmarshal(a.Data, &data) // an error has no data
		if err := json.Unmarshal(a.Body.Bytes(), &body); err != nil {
			t.Error(err)
		}
		return shown{a.Code, data.ID, data.Title, body.Meta.Locale, body.Meta.Request}
	}
	published := map[string]shown{}
	for _, path := range reads {
		published[path] = read(path)
	}
	n, maker := 0, cms.Actor{Name: "Admin", KeyID: c.admin.ID}
	for _, e := range entries {
		link, err := (preview.Links{Entries: c.entries}).Create(t.Context(), maker, e.model, e.id, nil)
		if err != nil {
			t.Fatal(err)
		}
		at := "/" + e.model + "/" + e.id
		for _, status := range []string{"published", "draft"} {
			if status == "draft" {
				c.call(c.admin, "PUT", at, `{"status": "draft"}`).want(200, "")
			}
			c.call(c.admin, "PUT", at+"/draft", `{"title": "Draft", "slug": "other"}`).want(200, "")
			for _, path := range reads {
				want := published[path]
				want.title = "Draft"
				got := read(path + "&preview=" + url.QueryEscape(link.Token))
				if want.id == e.id {
					if n++; got != want {
						t.Errorf("%s with the token of %s, %s: %+v, want %+v", path, e.slug, status, got, want)
					}
				} else if got.status != 403 && got.status != 404 || got.status == 404 && !strings.Contains(path, "/"+e.id) {
					t.Errorf("%s with the token of %s, %s: %+v, which shows %+v without", path, e.slug, status, got, want)
				}
			}
		}
		c.call(c.admin, "PUT", at, `{"status": "published"}`).want(200, "")
	}
	if n < 300 {
		t.Errorf("only %d reads show the entry of their token", n)
	}
}
