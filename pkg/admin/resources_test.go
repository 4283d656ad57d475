package admin_test

import (
	"fmt"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
)

func contains(a answer, s string) bool { return strings.Contains(a.Body.String(), s) }

func TestLocales(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	if a := c.must(t, 201, "POST", "/locales", `{"code":"ar","name":"Arabic"}`); a.text(t,
		"direction") != "rtl" || a.text(t, "native_name") != "" || a.at(t, "is_active") != true {
		t.Errorf("created %s", a.Body)
	}
	c.must(t, 409, "POST", "/locales", `{"code":"ar","name":"Arabic"}`)
	for _, code := range []string{"de-AT", "zh-Hans", "es-419"} {
		c.must(t, 201, "POST", "/locales", map[string]any{"code": code, "name": code})
	}
	for _, code := range []string{"", "any", "EN", "de_AT", "deutsch", "de-at", "e", "../x"} {
		if got := keysOf(c.must(t, 422, "POST", "/locales",
			map[string]any{"code": code, "name": "x"}).Error.Details); !slices.Equal(got,
			[]string{"code"}) {
			t.Errorf("code %q: problems %v", code, got)
		}
	}
	for path, body := range map[string]string{"/locales/en": `{"is_default":false}`,
		"/locales/ar": `{"is_default":true,"is_active":false}`, "/locales/de-AT": `{"code":"de"}`} {
		c.must(t, 422, "PUT", path, body)
	}
	c.must(t, 422, "PUT", "/locales/en", `{"is_active":false}`)
	c.must(t, 409, "DELETE", "/locales/en", nil)
	c.must(t, 200, "PUT", "/locales/ar", `{"is_default":true}`)
	c.must(t, 204, "DELETE", "/locales/en", nil)
	c.must(t, 404, "GET", "/locales/en", nil)
}

func TestOneDefaultLocale(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	codes := []string{"en", "de", "fr", "it", "es", "nl"}
	for _, code := range codes[1:] {
		c.must(t, 201, "POST", "/locales", map[string]any{"code": code, "name": code})
	}
	for range 3 {
		parallel(len(codes), func(i int) {
			if a := c.do(t, "PUT", "/locales/"+codes[i], `{"is_default":true}`); a.Code != 200 {
				t.Errorf("%s: %d %s", codes[i], a.Code, a.Body)
			}
		})
		defaults := 0
		for i := range codes {
			if c.must(t, 200, "GET", "/locales", nil).at(t, i, "is_default") == true {
				defaults++
			}
		}
		if defaults != 1 {
			t.Fatalf("%d default locales", defaults)
		}
	}
}

func TestLocaleInUse(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	c.must(t, 201, "POST", "/models", `{"name":"Pages","slug":"pages","localized":true}`)
	id := c.must(t, 201, "POST", "/models/pages/entries", `{"title":"Hallo","locale":"de"}`).text(t, "id")
	c.must(t, 409, "DELETE", "/locales/de", nil)
	c.must(t, 409, "DELETE", "/models/pages", nil)
	c.must(t, 204, "DELETE", "/models/pages/entries/"+id, nil)
	c.must(t, 204, "DELETE", "/locales/de", nil)
	c.must(t, 409, "POST", "/trash/"+id+"/restore", nil)
	c.must(t, 204, "DELETE", "/models/pages", nil)
}

// TestLocaleBesideMuchText deletes a locale that no entry has, beside a model that is not localized and whose
// entries have more text than one list reads.
func TestLocaleBesideMuchText(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	c.must(t, 201, "POST", "/models", `{"name":"Pages","slug":"pages","fields":[{"name":"body","type":"textarea"}]}`)
	text := strings.Repeat("word ", 200_000)
	for range 68 {
		c.must(t, 201, "POST", "/models/pages/entries", `{"title":"Long","data":{"body":"`+text+`"}}`)
	}
	c.must(t, 200, "PUT", "/locales/de", `{"is_default":true}`)
	c.must(t, 409, "DELETE", "/locales/en", nil)
	c.must(t, 200, "PUT", "/locales/en", `{"is_default":true}`)
	c.must(t, 204, "DELETE", "/locales/de", nil)
}

func TestSettings(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	if a := c.must(t, 200, "GET", "/settings", nil); len(a.Data.([]any)) != 12 ||
		a.text(t, 0, "value") != "" || a.at(t, 0, "is_public") != true {
		t.Errorf("unset %s", a.Body)
	}
	c.must(t, 200, "PUT", "/settings",
		`[{"group":"site","key":"name","value":"ACME","translations":{"de":"AKME"}},{"group":"mail","key":"password","value":"x"}]`)
	a := c.must(t, 200, "PUT", "/settings", `[{"group":"site","key":"tagline","value":"We build"}]`)
	if a.text(t, 0, "value") != "ACME" || a.text(t, 0, "translations", "de") != "AKME" ||
		a.at(t, 12, "is_public") != false {
		t.Errorf("settings %s", a.Body)
	}
	for body, want := range map[string][]string{
		`[{"group":"site","key":"name","value":7,"translations":{"xx":"y"}}]`: {"0.translations.xx",
			"0.value"},
		`[{"group":"Site","key":""},1]`:                           {"0.group", "0.key", "1"},
		`[{"group":"a","key":"b","x":1},{"group":"a","key":"b"}]`: {"0.x", "1"},
		`[{"group":"a","key":"b","is_public":"yes","translations":{"de":["no"]}}]`: {"0.is_public",
			"0.translations.de"},
	} {
		if got := keysOf(c.must(t, 422, "PUT", "/settings", body).Error.Details); !slices.Equal(got, want) {
			t.Errorf("%s: problems %v, want %v", body, got, want)
		}
	}
	c.must(t, 400, "PUT", "/settings", `{}`)
	for _, code := range []string{"qq", ""} {
		if got := keysOf(c.must(t, 422, "PUT", "/settings",
			`[{"group":"site","key":"default_locale","value":"`+code+`"}]`).Error.Details); !slices.Equal(got,
			[]string{"0.value"}) {
			t.Errorf("default locale %q: problems %v", code, got)
		}
	}
	c.must(t, 200, "PUT", "/settings", `[{"group":"site","key":"default_locale","value":"de"}]`)
	if a := c.must(t, 200, "GET", "/locales/de", nil); a.at(t, "is_default") != true ||
		a.text(t, "native_name") != "" {
		t.Errorf("made the default by the setting: %s", a.Body)
	}
	if a := c.must(t, 200, "PUT", "/locales/en", `{"is_default":true}`); a.at(t, "is_default") != true {
		t.Errorf("made the default again: %s", a.Body)
	}
	if a := c.must(t, 200, "GET", "/settings", nil); !strings.Contains(a.Body.String(),
		`"key":"default_locale","value":"en"`) {
		t.Errorf("the setting does not follow: %s", a.Body)
	}
	if a := c.must(t, 200, "GET", "/settings", nil); a.text(t, 0, "value") != "ACME" {
		t.Error("a refused update changed something")
	}
}

func TestModels(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models", `{"name":"Authors","slug":"authors"}`)
	a := c.must(t, 201, "POST", "/models",
		`{"name":"Posts","slug":"posts","fields":[{"name":"by","type":"relation","model":"authors"},{"name":"n","type":"number","min":0,"max":1.5},
		{"name":"parts","type":"blocks","fields":[{"name":"see","type":"group","fields":[{"name":"post","type":"relation","model":"posts"}]}]}]}`)
	if a.text(t, "kind") != "collection" || a.at(t, "is_active") != true ||
		a.at(t, "max_per_page") != 100.0 || a.at(t, "fields", 1, "max") != 1.5 {
		t.Errorf("created %s", a.Body)
	}
	for body, want := range map[string][]string{
		`{}`: {"name", "slug"},
		`{"name":"x","slug":"search","kind":"many","max_per_page":0.5,"fields":[{"name":"a","type":"text","colour":"red","min":"1"},{"type":"nope"}]}`: {
			"fields.0.colour", "fields.0.min", "fields.1.name", "fields.1.type", "kind",
			"max_per_page", "slug"},
		`{"name":"x","slug":"x","fields":[{"name":"r","type":"relation","model":"nothing"}]}`: {"fields.0.model"},
		`{"name":"x","slug":"x","fields":{"a":1},"visible_fields":[null]}`: {"fields",
			"visible_fields.0"},
	} {
		if got := keysOf(c.must(t, 422, "POST", "/models", body).Error.Details); !slices.Equal(got, want) {
			t.Errorf("%s: problems %v, want %v", body, got, want)
		}
	}
	c.must(t, 409, "POST", "/models", `{"name":"Posts","slug":"posts"}`)
	c.must(t, 409, "PUT", "/models/authors", `{"slug":"posts"}`)
	c.must(t, 409, "DELETE", "/models/authors", nil) // posts lead there
	// Relations follow a new slug, the model's own too.
	c.must(t, 200, "PUT", "/models/authors", `{"slug":"people"}`)
	if a := c.must(t, 200, "PUT", "/models/posts", `{"slug":"articles"}`); a.text(t, "fields", 0,
		"model") != "people" ||
		a.text(t, "fields", 2, "fields", 0, "fields", 0, "model") != "articles" || a.at(t, "version") != 2.0 {
		t.Errorf("renamed %s", a.Body)
	}
	c.must(t, 404, "GET", "/models/posts", nil)
	// A body that was read can be sent back.
	c.must(t, 200, "PUT", "/models/articles", c.must(t, 200, "GET", "/models/articles", nil).Data)
	c.must(t, 204, "DELETE", "/models/articles", nil)
	c.must(t, 204, "DELETE", "/models/people", nil)
	if a := c.must(t, 200, "GET", "/models", nil); a.Meta["total"] != 0.0 {
		t.Errorf("list %s", a.Body)
	}
}

// TestLockedModels changes models by the schema only while schema.locked is set.
func TestLockedModels(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models", `{"name":"Posts","slug":"posts"}`)
	lock := func(value string) {
		t.Helper()
		c.must(t, 200, "PUT", "/settings", `[{"group":"schema","key":"locked","value":"`+value+`"}]`)
	}
	lock("true")
	for _, row := range [][3]string{
		{"POST", "/models", `{"name":"News","slug":"news"}`},
		{"PUT", "/models/posts", `{"name":"Articles"}`}, {"DELETE", "/models/posts", ""},
	} {
		if a := c.must(t, 409, row[0], row[1], row[2]); !strings.Contains(a.Error.Message, "schema.locked") {
			t.Errorf("%s %s: %v", row[0], row[1], a.Error)
		}
	}
	c.must(t, 201, "POST", "/models/posts/entries", `{"title":"An entry"}`)
	schema := `{"models":[{"slug":"posts","name":"Articles"}]}`
	plan := c.must(t, 200, "POST", "/schema/plan", `{"schema":`+schema+`}`).text(t, "plan_id")
	c.must(t, 200, "POST", "/schema/apply", `{"schema":`+schema+`,"plan_id":"`+plan+`"}`)
	lock("")
	c.must(t, 200, "PUT", "/models/posts", `{"name":"Posts"}`)
}

func TestEdges(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	for _, path := range []string{"/nope", "/users/", "//users", "/../users", "/users/x/y/z",
		"/assets/nope.css"} {
		r := httptest.NewRequest("GET", "http://example.com/admin", nil)
		r.URL.Path = "/admin" + path
		r.Header.Set("Accept", "application/json")
		if a := s.send(t, r); a.Code != 404 || a.Error.Code != "NOT_FOUND" {
			t.Errorf("%s: %d %s", path, a.Code, a.Body)
		}
	}
	if a := c.must(t, 405, "PATCH", "/users", `{}`); a.Header().Get("Allow") != "GET, HEAD, POST" {
		t.Errorf("Allow %q", a.Header().Get("Allow"))
	}
}

func TestPages(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	b := s.browse(t)
	c.must(t, 201, "POST", "/models",
		`{"name":"<b>Pages</b>","slug":"pages","fields":[{"name":"body","type":"richtext"},{"name":"tags","type":"multiselect","options":["a","b"]},{"name":"list","type":"list","fields":[{"name":"x","type":"text"}]},{"name":"on","type":"boolean"},{"name":"n","type":"number","required":true}]}`)
	key := c.must(t, 201, "POST", "/keys", `{"name":"<script>"}`).text(t, "id")
	token := b.get(t, "/").csrf(t)
	a := b.post(t, "/models/pages/entries", url.Values{"_csrf": {token}, "title": {"Hi"},
		"slug": {""}, "status": {"draft"}, "data.body": {"a\r\nb"},
		"data.tags": {"", "a", "b"}, "data.list": {`[{"x":"y"}]`}, "data.on": {"false", "true"},
		"data.n": {"1.50"}, "seo.title": {"T"}})
	at, _, _ := strings.Cut(strings.TrimPrefix(a.Header().Get("Location"), "/admin"), "?")
	if a.Code != 303 {
		t.Fatalf("create: %d %s", a.Code, a.Body)
	}
	e := c.must(t, 200, "GET", at, nil)
	if got := fmt.Sprint(e.at(t, "data")); got != "map[body:a\nb list:[map[x:y]] n:1.5 on:true tags:[a b]]" {
		t.Errorf("entry %s", got)
	}
	for _, path := range []string{"", "/", "/login", "/models", "/models/create", "/models/pages",
		"/models/pages/edit", "/models/pages/entries", "/models/pages/entries?q=hi",
		"/models/pages/entries/create", at, at + "/edit", at + "/revisions", "/trash", "/users",
		"/users/create", "/keys", "/keys/create", "/keys/" + key, "/keys/" + key + "/edit",
		"/locales", "/locales/create", "/locales/en", "/locales/en/edit", "/settings", "/activity",
		"/requests"} {
		a := b.get(t, path)
		if want := map[bool]int{true: 303, false: 200}[path == "/login"]; a.Code != want ||
			contains(a, "<b>Pages") || contains(a, "<script>") {
			t.Errorf("%s: %d", path, a.Code)
		}
		if csp := a.Header().Get("Content-Security-Policy"); !strings.Contains(csp,
			"default-src 'none'") || !strings.Contains(csp, "https://media.example.com") {
			t.Errorf("%s: policy %q", path, csp)
		}
	}
	// A refused form comes back with the typed values and the errors.
	a = b.post(t, at, url.Values{"_csrf": {token}, "_method": {"PUT"}, "title": {""},
		"data.n": {"many"}, "data.body": {"kept text"}})
	if a.Code != 422 || !contains(a, "kept text") || !contains(a, "is required") ||
		!contains(a, "must be a number") {
		t.Errorf("refused: %d %s", a.Code, a.Body)
	}
	a = b.post(t, at, url.Values{"_csrf": {token}, "_method": {"PUT"}, "data.list": {`[{`}})
	if a.Code != 422 || !contains(a, "must be valid JSON") {
		t.Errorf("broken JSON: %d %s", a.Code, a.Body)
	}
	if a := b.post(t, "/keys", url.Values{"_csrf": {token}, "name": {"Form"}, "scopes": {"", "read", "write"},
		"origins": {"https://a.example\r\nhttps://b.example"}, "rate_limit": {"10"}, "role": {""},
		"expires_at": {"2030-01-31T12:00"}}); a.Code != 303 {
		t.Errorf("key: %d %s", a.Code, a.Body)
	}
	a = b.post(t, "/settings", url.Values{"_csrf": {token}, "_method": {"PUT"},
		"site.name": {"ACME"}, "site.tagline": {""}})
	if a.Code != 303 || c.must(t, 200, "GET", "/settings", nil).text(t, 0, "value") != "ACME" {
		t.Errorf("settings: %d %s", a.Code, a.Body)
	}
	if a := b.post(t, at, url.Values{"_csrf": {token}, "_method": {"DELETE"}}); a.Code != 303 ||
		!strings.HasPrefix(a.Header().Get("Location"), "/admin/models/pages/entries?ok=trashed&id=") {
		t.Errorf("delete: %d %v", a.Code, a.Header())
	}
	if a := b.get(t, "/nope"); a.Code != 404 || !contains(a, "nothing at this address") ||
		!contains(a, `href="/admin/media"`) {
		t.Errorf("missing page: %d", a.Code)
	}
	if a := b.get(t, "/assets/app.css"); a.Code != 200 ||
		!strings.HasPrefix(a.Header().Get("Content-Type"), "text/css") {
		t.Errorf("style sheet: %d %v", a.Code, a.Header())
	}
}
