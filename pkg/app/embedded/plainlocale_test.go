package embedded

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"headless/pkg/must"
)

// TestPlainModelInFormerLocale: entries of a model that is not localized stay in the locale that was the default when
// they were made. Each read shows them, also when that locale is not active any more: lists as well as links, menus,
// paths, feeds, sync and content health.
func TestPlainModelInFormerLocale(t *testing.T) {
	c := newClient(t, "read")
	type answer struct {
		status int
		text   string
		Data   json.RawMessage
	}
	token := ""
	ask := func(method, path, body string) (a answer) {
		t.Helper()
		r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		if strings.HasPrefix(path, "/admin") {
			r.Header.Set("Authorization", "Bearer "+token)
		} else {
			r.Header.Set("X-API-Key", c.key)
			r.Header.Set("X-API-Secret", c.secret)
		}
		w := httptest.NewRecorder()
		c.server.ServeHTTP(w, r)
		a.status, a.text = w.Code, w.Body.String()
		_ = json.Unmarshal(w.Body.Bytes(), &a) // feeds are no JSON
		return a
	}
	send := func(method, path, body, key string) string {
		t.Helper()
		a := ask(method, path, body)
		if a.status >= 300 {
			t.Fatalf("%s %s: %d %s", method, path, a.status, a.text)
		}
		var data map[string]any
		must.Do(t, json.Unmarshal(a.Data, &data))
		text, _ := data[key].(string)
		return text
	}
	token = send("POST", "/admin/login", `{"email":"admin@example.com","password":"a long enough password"}`, "token")
	send("POST", "/admin/models", `{"slug":"pages","name":"Pages","tree":true,"url":"/p/{path}"}`, "slug")
	send("POST", "/admin/models", `{"slug":"home","name":"Home","kind":"single","url":"/home"}`, "slug")
	send("POST", "/admin/models", `{"slug":"posts","name":"Posts","url":"/posts/{slug}","fields":[
		{"name":"to","type":"relation","model":"pages"},{"name":"body","type":"richtext"}]}`, "slug")
	above := send("POST", "/admin/models/pages/entries", `{"title":"Above","status":"published"}`, "id")
	id := send("POST", "/admin/models/pages/entries",
		`{"title":"Found","slug":"old","status":"published","parent":"`+above+`"}`, "id")
	send("PUT", "/admin/models/pages/entries/"+id, `{"slug":"found"}`, "id")
	send("POST", "/admin/models", `{"slug":"notes","name":"Notes","url":"/notes/{slug}"}`, "slug")
	note := send("POST", "/admin/models/notes/entries", `{"title":"Note","slug":"old","status":"published"}`, "id")
	send("PUT", "/admin/models/notes/entries/"+note, `{"slug":"note"}`, "id")
	send("POST", "/admin/models/home/entries", `{"title":"Found","status":"published"}`, "id")
	send("POST", "/admin/locales", `{"code":"de","name":"German","native_name":"Deutsch","direction":"ltr"}`, "code")
	send("PUT", "/admin/locales/de", `{"is_default":true}`, "code")
	holder := send("POST", "/admin/models/posts/entries", `{"title":"Holder","status":"published","data":{"to":"`+id+
		`","body":"[x](cms://entry/`+id+`)"}}`, "id")
	send("POST", "/admin/menus", `{"slug":"main","items":{"de":[{"entry":{"model":"pages","id":"`+id+`"}}]}}`, "slug")
	send("PUT", "/admin/locales/en", `{"is_active":false}`, "code")
	at := "/delivery/v1/" + send("POST", "/admin/keys", `{"kind":"publishable","name":"site"}`, "public_key")

	for path, want := range map[string]string{
		"/pages/" + id:                        `"title":"Found"`,
		"/pages?locale=any":                   `"title":"Found"`,
		"/pages/tree":                         `"title":"Found"`,
		"/pages/tree?parent=" + above:         `"title":"Found"`,
		"/home":                               `"title":"Found"`,
		"/posts/" + holder + "?include=to":    `"title":"Found"`,
		"/posts/" + holder:                    "[x](/p/above/found)",
		"/posts/" + holder + "?richtext=html": `href=\"/p/above/found\"`,
		"/menus/main?locale=de":               `"label":"Found"`,
		"/resolve?path=/p/above/found":        `"breadcrumbs":[{`,
		"/resolve?path=/home":                 `"title":"Found"`,
		"/resolve?path=/p/above/old":          `"kind":"redirect"`,
		"/resolve?path=/notes/old":            `"kind":"redirect"`,
		"/redirects":                          `"from":"/p/above/old"`,
		"/redirects?per_page=100":             `"from":"/notes/old"`,
		"/sync?models=pages":                  `"title":"Found"`,
		"/pages/feed.xml":                     "Found",
		"/sitemap-1.xml":                      "/p/above/found<",
	} {
		for _, root := range []string{"/api/v1", at} {
			ofDelivery := strings.HasPrefix(path, "/redirects") || strings.HasPrefix(path, "/sync") ||
				strings.HasSuffix(path, ".xml")
			if root == "/api/v1" && ofDelivery {
				continue
			}
			if a := ask("GET", root+path, ""); a.status != 200 || !strings.Contains(a.text, want) {
				t.Errorf("%s%s: %d %s, want %s", root, path, a.status, a.text, want)
			}
		}
	}
	// The finding about a description says that the page was checked as one that readers see.
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		a := ask("GET", "/admin/models/pages/entries/"+id+"/health", "")
		if strings.Contains(a.text, "seo.description\",\"model") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("no finding: %s", a.text)
		}
	}
	if a := ask("GET", "/admin/health?kind=link.unpublished", ""); string(a.Data) != "[]" {
		t.Errorf("links to what readers see: %s", a.text)
	}
}
