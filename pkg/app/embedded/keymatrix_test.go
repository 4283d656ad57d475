package embedded

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"headless/pkg/access"
	"headless/pkg/api/openapi"
	"headless/pkg/app"
	"headless/pkg/must"
)

var update = flag.Bool("update", false, "write testdata/keymatrix.txt anew; review what changes in it")

// The kinds of key that the matrix asks with, in the order of its columns. The last two name a
// model and a locale that the key does not have.
var keyColumns = []string{"nobody", "wrong", "revoked", "publishable", "read", "write", "delete",
	"drafts", "all", "model", "locale", "other-model", "other-locale"}

// Markers in every text that some keys may not read: a model, a locale, and content that is not
// published.
const (
	otherModel  = "zebra"
	otherLocale = "okapi"
	unpublished = "quagga"
)

// keySite is a service with two models in two locales and a key of each kind.
type keySite struct {
	*Server
	t     *testing.T
	token string
	keys  map[string][2]string // public part and secret
}

func newKeySite(t *testing.T) *keySite {
	t.Helper()
	cfg, err := app.FromEnv(func(string) string { return "" })
	must.Do(t, err)
	cfg.DataDir, cfg.Seed, cfg.AdminEmail, cfg.AdminPassword = t.TempDir(), "none",
		"root@example.com", fuzzPassword
	server, err := New(cfg, slog.New(slog.DiscardHandler))
	must.Do(t, err)
	t.Cleanup(func() { _ = server.Close() })
	session, err := server.services.Sessions.SignIn(t.Context(), access.Client{},
		map[string]any{"email": cfg.AdminEmail, "password": fuzzPassword})
	must.Do(t, err)
	s := &keySite{Server: server, t: t, token: session.Token, keys: map[string][2]string{"wrong": {}}}
	s.admin("POST", "/locales", `{"code":"de","name":"German"}`)
	for _, model := range []string{"posts", otherModel} {
		s.admin("POST", "/models",
			`{"slug":"`+model+`","name":"`+model+`","kind":"collection","localized":true,"fields":[{"name":"body","label":"Body","type":"text","searchable":true}]}`)
	}
	s.admin("POST", "/forms",
		`{"slug":"contact","name":"Contact","fields":[{"name":"message","label":"Message","type":"text"}]}`)
	for kind, definition := range map[string]string{
		"revoked": `"scopes":["read","write","delete"]`, "read": `"scopes":["read"]`,
		"write": `"scopes":["write"]`, "delete": `"scopes":["delete"]`,
		"drafts": `"scopes":["read"],"role":"admin"`,
		"all":    `"scopes":["read","write","delete"],"role":"admin"`, "publishable": `"kind":"publishable"`,
		"model":             `"scopes":["read","write","delete"],"role":"admin","models":["posts"]`,
		"locale":            `"scopes":["read","write","delete"],"role":"admin","locales":["en"]`,
		"publishable-model": `"kind":"publishable","models":["posts"],"locales":["en"]`,
	} {
		key := s.admin("POST", "/keys", `{"name":"`+kind+`","rate_limit":100000,`+definition+`}`)
		s.keys[kind] = [2]string{key["public_key"], cmp.Or(key["secret"], "none")}
		if kind == "revoked" {
			s.admin("DELETE", "/keys/"+key["id"], "")
		}
	}
	s.keys["wrong"] = [2]string{s.keys["all"][0], "sk_wrong"}
	s.keys["other-model"], s.keys["other-locale"] = s.keys["model"], s.keys["locale"]
	return s
}

// admin makes a request of the admin area and returns the texts of the answer's data.
func (s *keySite) admin(method, path, body string) map[string]string {
	s.t.Helper()
	r := httptest.NewRequest(method, "/admin"+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code >= 300 {
		s.t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
	}
	var answer struct{ Data map[string]any }
	_ = json.Unmarshal(w.Body.Bytes(), &answer) // a 204 has none
	texts := map[string]string{}
	for k, v := range answer.Data {
		texts[k], _ = v.(string)
	}
	return texts
}

// entry makes an entry whose texts name its model, its locale, and whether it is a
// draft.
func (s *keySite) entry(model, locale, status string) string {
	title := model
	if locale != "en" {
		title += " " + otherLocale
	}
	if status != "published" {
		title += " " + unpublished
	}
	body := fmt.Sprintf(`{"title":%q,"locale":%q,"status":%q,"data":{"body":%q}}`, title, locale,
		status, title)
	return s.admin("POST", "/models/"+model+"/entries", body)["id"]
}

// ask sends a request with a key of a kind.
func (s *keySite) ask(kind, method, path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	if body != "" {
		r = httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	if key := s.keys[kind]; key[0] != "" {
		r.Header.Set("X-API-Key", key[0])
		r.Header.Set("X-API-Secret", key[1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// upload sends a file, which tells more than an empty body.
func (s *keySite) upload(kind string) string {
	r := httptest.NewRequest(http.MethodPost, "/api/v1/upload",
		bytes.NewReader(part(`filename="a.txt"`, []byte("hello"))))
	r.Header.Set("Content-Type", multipartType)
	r.Header.Set("X-API-Key", s.keys[kind][0])
	r.Header.Set("X-API-Secret", s.keys[kind][1])
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code == http.StatusCreated {
		return "ok"
	}
	return fmt.Sprint(w.Code)
}

// forbidden are the markers that a kind of key must not see.
func forbidden(kind string) (markers []string) {
	if !slices.Contains([]string{"drafts", "all", "model", "locale", "other-model", "other-locale"}, kind) {
		markers = append(markers, unpublished)
	}
	if kind == "model" || kind == "other-model" {
		markers = append(markers, otherModel)
	}
	if kind == "locale" || kind == "other-locale" {
		markers = append(markers, otherLocale)
	}
	return markers
}

// leak is the first of some markers in a text, beyond what repeats the request.
func leak(text []byte, path string, markers []string) string {
	for _, marker := range markers {
		if bytes.Contains(bytes.ReplaceAll(bytes.ReplaceAll(text, []byte(path), nil),
			[]byte(`\"`+marker+`\"`), nil), []byte(marker)) {
			return marker
		}
	}
	return ""
}

func operations(t *testing.T, document []byte) (all []string) {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(document)
	must.Do(t, err)
	for pattern, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			all = append(all, method+" "+pattern)
		}
	}
	slices.SortFunc(all, func(a, b string) int { // what deletes comes last
		return cmp.Or(strings.Index(a, "DELETE")-strings.Index(b, "DELETE"), strings.Compare(a, b))
	})
	slices.SortStableFunc(all, func(a, b string) int { return rankOf(a) - rankOf(b) })
	return all
}

func rankOf(operation string) int {
	if strings.HasPrefix(operation, "DELETE") {
		return 100 - strings.Count(operation, "/")
	}
	return 0
}

// TestKeyMatrix walks every route of the API and of the Model Context Protocol with every kind of
// key and compares with testdata/keymatrix.txt: a route that it does not have fails, and so does
// any other answer.
func TestKeyMatrix(t *testing.T) {
	s := newKeySite(t)
	for _, model := range []string{"posts", otherModel} {
		for _, locale := range []string{"en", "de"} {
			s.entry(model, locale, "published")
			s.entry(model, locale, "draft")
		}
	}
	rows := map[string][]string{}
	for _, kind := range keyColumns {
		model, locale := "posts", "en"
		switch kind {
		case "other-model":
			model = otherModel
		case "other-locale":
			locale = "de"
		}
		id := s.entry(model, locale, "published")
		place := strings.NewReplacer("{model}", model, "{idOrSlug}", id, "{slug}", "contact",
			"{id}", "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f")
		for _, operation := range append(operations(t, openapi.JSON()), "POST /mcp") {
			method, pattern, _ := strings.Cut(operation, " ")
			path, body := "/api/v1"+place.Replace(pattern), ""
			switch {
			case pattern == "/mcp":
				path, body = pattern, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
			case pattern == "/search":
				path += "?filter[locale]=any&q=" + model
			case operation == "GET /{model}":
				path += "?filter[locale]=any"
			case method != http.MethodGet && method != http.MethodDelete:
				body = `{}`
			}
			w := s.ask(kind, method, path, body)
			said := "ok"
			if w.Code == 401 || w.Code == 403 || w.Code == 404 || w.Code >= 500 {
				said = fmt.Sprint(w.Code)
			}
			if operation == "POST /upload" { // which looks at the file first
				said = s.upload(kind)
			}
			rows[operation] = append(rows[operation], kind+"="+said)
			if found := leak(w.Body.Bytes(), path, forbidden(kind)); found != "" {
				t.Errorf("%s shows %s %q: %.400s", operation, kind, found, w.Body)
			}
		}
	}
	var got []string
	for operation, cells := range rows {
		got = append(got, operation+"\t"+strings.Join(cells, " "))
		checkKeyRow(t, operation, cells)
	}
	slices.Sort(got)
	text := strings.Join(got, "\n") + "\n"
	const file = "testdata/keymatrix.txt"
	if *update {
		must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	}
	want, err := os.ReadFile(file)
	must.Do(t, err)
	for line := range strings.Lines(text) {
		if !strings.Contains("\n"+string(want), "\n"+line) {
			t.Errorf("not in %s: %s", file, line)
		}
	}
	if a, b := strings.Count(text, "\n"), bytes.Count(want, []byte("\n")); a != b {
		t.Errorf("%d routes, %d in the table", a, b)
	}
}

// publicRoutes need no key.
var publicRoutes = []string{"GET /forms/{slug}", "POST /forms/{slug}/submit", "POST /forms/{slug}/upload",
	"GET /settings",
	"GET /i18n/locales"}

// checkKeyRow checks the rules that hold for every row.
func checkKeyRow(t *testing.T, operation string, cells []string) {
	t.Helper()
	at := map[string]string{}
	for _, cell := range cells {
		kind, said, _ := strings.Cut(cell, "=")
		at[kind] = said
	}
	is := func(kind string, said ...string) {
		t.Helper()
		if !slices.Contains(said, at[kind]) {
			t.Errorf("%s is %s for %s, not %v", operation, at[kind], kind, said)
		}
	}
	if slices.Contains(publicRoutes, operation) || operation == "GET /openapi.json" {
		return
	}
	for _, kind := range []string{"nobody", "wrong", "revoked", "publishable"} {
		is(kind, "401")
	}
	method, pattern, _ := strings.Cut(operation, " ")
	if method == http.MethodDelete || method == http.MethodPut || method == http.MethodPost &&
		pattern != "/mcp" {
		is("read", "403")
		is("drafts", "403", "404", "ok") // preview links are for who reads drafts
	}
	if strings.HasPrefix(pattern, "/{model}") {
		is("other-model", "404")
	}
	if strings.HasPrefix(pattern, "/{model}/{idOrSlug}") {
		is("other-locale", "403", "404")
	}
}

// TestDeliveryKeys reads every route of the delivery API by its key in the path.
func TestDeliveryKeys(t *testing.T) {
	s := newKeySite(t)
	ids := map[string]string{}
	for _, model := range []string{"posts", otherModel} {
		for _, locale := range []string{"en", "de"} {
			ids[model+locale] = s.entry(model, locale, "published")
			s.entry(model, locale, "draft")
		}
	}
	routes := operations(t, openapi.DeliveryJSON())
	if len(routes) < 11 {
		t.Fatalf("only %d routes", len(routes))
	}
	for _, operation := range routes {
		method, pattern, _ := strings.Cut(operation, " ")
		if method != http.MethodGet {
			t.Errorf("%s: the delivery API only reads", operation)
		}
		for _, model := range []string{"posts", otherModel} {
			for _, locale := range []string{"en", "de"} {
				place := strings.NewReplacer("{model}", model, "{idOrSlug}", ids[model+locale],
					"{slug}", "contact", "{n}", "1").Replace(pattern)
				for _, kind := range []string{"publishable", "publishable-model", "all", "read", "revoked"} {
					path := "/delivery/v1/" + s.keys[kind][0] + place
					if !strings.Contains(pattern, "{idOrSlug}") {
						path += "?filter[locale]=any&q=" + model
					}
					w := s.ask("", method, path, "")
					text, _ := io.ReadAll(w.Body)
					markers := []string{unpublished}
					if kind == "publishable-model" {
						markers = append(markers, otherModel, otherLocale)
					}
					if found := leak(text, path, markers); found != "" &&
						!bytes.Contains(text, []byte("q="+found)) {
						t.Errorf("%s shows %s %q: %.300s", path, kind, found, text)
					}
					isOpen := w.Code < 400
					named := strings.Contains(pattern, "{model}")
					hidden := kind == "publishable-model" &&
						(named && model == otherModel || strings.Contains(pattern, "{idOrSlug}") &&
							locale == "de")
					switch {
					case !strings.HasPrefix(kind, "publishable") && isOpen, hidden && isOpen:
						t.Errorf("%s with the key %s: %d", path, kind, w.Code)
					case strings.HasPrefix(kind, "publishable") &&
						(w.Code == 401 || w.Code == 403 || w.Code >= 500):
						t.Errorf("%s with the key %s: %d %.200s", path, kind, w.Code, text)
					case kind == "publishable" && named && !isOpen && !strings.HasSuffix(pattern, ".xml") &&
						pattern != "/{model}/tree": // which only models with trees have
						t.Errorf("%s with the key %s: %d %.200s", path, kind, w.Code, text)
					}
				}
			}
		}
	}
}
