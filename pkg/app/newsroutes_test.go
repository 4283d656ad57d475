package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"headless/pkg/api/openapi"
	"headless/pkg/app"
	"headless/pkg/app/embedded"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// quiet are the routes that change nothing that the public sees, by the reason.
var quiet = map[string]string{
	"accounts, keys and sessions": `POST /roles, PUT /roles/{slug}, DELETE /roles/{slug}, DELETE /sessions, DELETE /sessions/{id},
		DELETE /users/{id}/sessions/{session}, DELETE /users/{id}/totp, POST /login/passkey/options, POST /login/passkey, POST /device,
		POST /device/token, POST /device/approve, POST /device/deny, POST /passkeys, POST /passkeys/options, PUT /passkeys/{id},
		DELETE /passkeys/{id}, DELETE /users/{id}/passkeys, DELETE /users/{id}/passkeys/{passkey}, POST /confirm, POST /confirm/options,
		POST /totp, DELETE /totp, POST /totp/confirm, POST /totp/recovery, POST /tokens, DELETE /tokens/{id}, DELETE /grants/{id}, POST /grants/authorize,
		DELETE /users/{id}/tokens, DELETE /users/{id}/tokens/{token}, DELETE /people, POST /invitations, DELETE /invitations/{id},
		POST /invitations/{id}/resend, POST /invitations/accept, POST /password/forgot, POST /password/reset, POST /login, PUT /profile,
		POST /profile/email, POST /logout, POST /users, PUT /users/{id}, DELETE /users/{id}, POST /keys, PUT /keys/{id}, DELETE /keys/{id},
		POST /keys/{id}/rotate`,
	"the admin area alone shows them": `PUT /models/{slug}/entries/{id}/presence, DELETE /models/{slug}/entries/{id}/presence,
		POST /models/{slug}/views, PUT /models/{slug}/views/{id}, DELETE /models/{slug}/views/{id}, POST /models/{slug}/presets,
		PUT /models/{slug}/presets/{id}, DELETE /models/{slug}/presets/{id}, POST /health/ignore, DELETE /health/ignore,
		POST /models/{slug}/entries/{id}/comments, PATCH /models/{slug}/entries/{id}/comments/{cid},
		DELETE /models/{slug}/entries/{id}/comments/{cid}, POST /models/{slug}/entries/{id}/review, DELETE /models/{slug}/entries/{id}/review,
		POST /models/{slug}/entries/{id}/review/approve, POST /models/{slug}/entries/{id}/review/return, POST /reviews`,
	"drafts": `PUT /{model}/{idOrSlug}/draft, DELETE /{model}/{idOrSlug}/draft, PUT /models/{slug}/entries/{id}/draft,
		DELETE /models/{slug}/entries/{id}/draft, POST /models/{slug}/entries/{id}/draft/merge, POST /models/{slug}/entries.xliff`,
	"previews": `POST /{model}/{idOrSlug}/preview, DELETE /{model}/{idOrSlug}/preview, POST /models/{slug}/entries/{id}/preview,
		DELETE /models/{slug}/entries/{id}/preview, POST /previews, DELETE /previews/{id}, POST /releases/{id}/preview`,
	"plans, whose change comes later": `PUT /{model}/{idOrSlug}/schedule, DELETE /{model}/{idOrSlug}/schedule,
		DELETE /models/{slug}/entries/{id}/schedule, DELETE /jobs/{id}, POST /releases, PUT /releases/{id}, DELETE /releases/{id},
		POST /releases/{id}/check, POST /schema/plan`,
	"what visitors sent": `POST /forms/{slug}/submit, POST /forms/{slug}/upload, POST /forms/{slug}/submissions,
		PATCH /forms/{slug}/submissions/{id}, DELETE /forms/{slug}/submissions/{id}, POST /forms/{slug}/submissions/{id}/resend`,
	"the trash": `DELETE /trash/{id}`,
	"folders, of which delivery shows nothing; /sync tells a renamed one": `POST /media/folders, PUT /media/folders/{id},
		DELETE /media/folders/{id}`,
	"a transfer that is completed later": `POST /upload/direct, POST /media/direct, POST /import/media/direct`,
	"who is told, and what is built": `POST /targets, PUT /targets/{id}, DELETE /targets/{id}, POST /targets/{id}/build, POST /webhooks,
		PUT /webhooks/{webhook}, DELETE /webhooks/{webhook}, PATCH /webhooks/{webhook}/toggle-active, POST /webhooks/{webhook}/test,
		POST /webhooks/{webhook}/rotate-secret, POST /webhooks/{webhook}/deliveries/{id}/redeliver, POST /webhooks/{webhook}/replay,
		DELETE /webhooks/{webhook}/replay, POST /purge`,
}

// newsroom sends requests to a service of its own, and sees which events they raise.
type newsroom struct {
	t     *testing.T
	url   string
	token string
	key   http.Header
	known map[string]bool // routes that were asked

	pictures string // serves a picture at each path
	mu       sync.Mutex
	raised   []string
}

// watch notes the events of a write.
func (n *newsroom) watch(ops []table.Op) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, op := range ops {
		if op.Kind == table.Put && strings.HasPrefix(op.Item.Partition, db.OutboxPrefix) {
			row, err := db.DecodePendingEvents(op.Item)
			if err != nil {
				n.t.Error(err)
			}
			for _, e := range row.Events {
				n.raised = append(n.raised, e.Kind)
			}
		}
	}
}

// ask sends a request to a route, whose names in braces at replaces in their order, and waits for its events, which
// want names. It returns the data of the answer. Of routes of the API, the path begins with /api/v1.
func (n *newsroom) ask(route string, at []string, body any, want ...string) map[string]any {
	n.t.Helper()
	n.known[route] = true
	method, path, _ := strings.Cut(route, " ")
	for _, value := range at {
		from, to := strings.IndexByte(path, '{'), strings.IndexByte(path, '}')
		path = path[:from] + value + path[to+1:]
	}
	n.mu.Lock()
	n.raised = nil
	n.mu.Unlock()
	data := n.send(method, path, body)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	var missing []string
	for end := time.Now().Add(time.Minute); time.Now().Before(end); <-tick.C {
		n.mu.Lock()
		missing = slice.Without(want, n.raised)
		n.mu.Unlock()
		if len(missing) == 0 {
			return data
		}
	}
	n.t.Errorf("%s %s raises no %s", method, path, strings.Join(missing, ", "))
	return data
}

// part is a body of the type multipart/form-data.
type part struct {
	file   []byte
	values map[string]string
}

func (n *newsroom) send(method, path string, body any) map[string]any {
	n.t.Helper()
	var content bytes.Buffer
	kind := "application/json"
	switch body := body.(type) {
	case part:
		w := multipart.NewWriter(&content)
		for name, value := range body.values {
			_ = w.WriteField(name, value) // a buffer takes everything
		}
		file, _ := w.CreateFormFile("file", "a.txt")
		_, _ = file.Write(body.file)
		_ = w.Close()
		kind = w.FormDataContentType()
	case string:
		content.WriteString(body)
		if kind = "text/csv"; strings.HasPrefix(body, "{") {
			kind = "application/x-ndjson"
		}
	case nil:
	default:
		content.Write(db.MustMarshal(body))
	}
	address := n.url + "/admin" + path
	if n.ofAPI(path) {
		address = n.url + path
	}
	req, err := http.NewRequestWithContext(n.t.Context(), method, address, &content)
	must.Do(n.t, err)
	if n.ofAPI(path) {
		req.Header = n.key.Clone()
	} else if n.token != "" {
		req.Header.Set("Authorization", "Bearer "+n.token)
	}
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", kind)
	}
	res, err := http.DefaultClient.Do(req)
	must.Do(n.t, err)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= 300 {
		n.t.Fatalf("%s %s: %d %s", method, path, res.StatusCode, raw)
	}
	var answer struct{ Data any }
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &answer); err != nil {
			n.t.Fatalf("%s %s: %v", method, path, err)
		}
	}
	data, _ := answer.Data.(map[string]any)
	return data
}

func (n *newsroom) ofAPI(path string) bool { return strings.HasPrefix(path, "/api/v1") }

func text(data map[string]any, key string) string { return fmt.Sprint(data[key]) }

type object = map[string]any

// TestRoutesTellNews asks every route that changes what the public sees, and sees its event (extensions §16). A route
// is here, or among the quiet ones with a reason.
func TestRoutesTellNews(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; make check leaves it out")
	}
	n := &newsroom{t: t, known: map[string]bool{}}
	cfg, err := app.FromEnv(func(string) string { return "" })
	must.Do(t, err)
	cfg.DataDir, cfg.Seed, cfg.LogLevel = t.TempDir(), "none", 8
	pictures := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if err := png.Encode(w, image.NewGray(image.Rect(0, 0, 4, 3))); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(pictures.Close)
	n.pictures = pictures.URL
	cfg.UploadFromURLAllow = []netip.AddrPort{netip.MustParseAddrPort(pictures.Listener.Addr().String())}
	hs := httptest.NewUnstartedServer(nil)
	n.url = "http://" + hs.Listener.Addr().String()
	cfg.SiteURL, cfg.MediaBaseURL = n.url, n.url+"/media"
	cfg.AdminEmail, cfg.AdminPassword = "root@example.com", "a long enough password"
	server, err := embedded.NewOn(cfg, cfg.Logger(),
		func(inner table.Table) table.Table { return watchedTable{inner, n.watch} })
	must.Do(t, err)
	hs.Config.Handler = server
	hs.Start()
	t.Cleanup(func() {
		hs.Close()
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	n.token = text(n.send("POST", "/login", object{"email": cfg.AdminEmail, "password": cfg.AdminPassword}), "token")
	key := n.send("POST", "/keys", object{"name": "key", "scopes": []string{"read", "write", "delete"}, "role": "admin"})
	n.key = http.Header{"X-Api-Key": {text(key, "public_key")}, "X-Api-Secret": {text(key, "secret")}}

	n.start()
	n.site()
	n.entries()
	n.files()
	n.missing()
}

// start fills the empty service with a template, and empties it again.
func (n *newsroom) start() {
	n.ask("POST /start", nil, object{"template": "marketing"}, cms.EventSchemaUpdated, cms.EventMediaUploaded,
		cms.EventEntryCreated,
		cms.EventEntryPublished)
	for _, end := range []string{"1", "2", "3"} {
		id := "3f6c1c52-8a0e-4b7e-9d52-5a1f0c9b300" + end
		n.send("DELETE", "/models/pages/entries/"+id, nil)
		n.send("DELETE", "/trash/"+id, nil)
	}
	n.send("DELETE", "/models/pages", nil)
}

// site asks the routes of models, forms, locales, settings, menus and redirects.
func (n *newsroom) site() {
	const schema, locales, settings = cms.EventSchemaUpdated, cms.EventLocalesUpdated, cms.EventSettingsUpdated
	n.ask("POST /locales", nil, object{"code": "de", "name": "German"}, locales)
	n.ask("PUT /locales/{code}", []string{"de"}, object{"name": "Deutsch"}, locales)
	n.ask("POST /locales", nil, object{"code": "fr", "name": "French"}, locales)
	n.ask("DELETE /locales/{code}", []string{"fr"}, nil, locales)
	n.ask("POST /models", nil, object{"slug": "pages", "name": "Pages", "tree": true, "localized": true, "url": "/{path}",
		"fields": []object{{"name": "body", "type": "richtext"}, {"name": "cover", "type": "media"}}}, schema)
	n.ask("PUT /models/{slug}", []string{"pages"}, object{"name": "All pages"}, schema)
	n.ask("POST /models", nil, object{"slug": "extra", "name": "Extra"}, schema)
	n.ask("DELETE /models/{slug}", []string{"extra"}, nil, schema)
	n.ask("POST /forms", nil,
		object{"slug": "contact", "name": "Contact", "fields": []object{{"name": "email", "type": "email"}}}, schema)
	n.ask("PUT /forms/{slug}", []string{"contact"}, object{"consent": "You may mail me."}, schema)
	n.ask("DELETE /forms/{slug}", []string{"contact"}, nil, schema)
	n.ask("PUT /settings", nil, []object{{"group": "site", "key": "motto", "value": "Light"}}, settings)
	n.ask("DELETE /settings/{group}/{key}", []string{"site", "motto"}, nil, settings)

	wanted := object{"models": []object{{"slug": "notes", "name": "Notes"}}}
	plan := n.send("POST", "/schema/plan", object{"schema": wanted})
	n.ask("POST /schema/apply", nil, object{"schema": wanted, "plan_id": text(plan, "plan_id")}, schema)

	const redirects = cms.EventRedirectsUpdated
	made := n.ask("POST /redirects", nil, object{"from": "/a", "to": "/b"}, redirects)
	n.ask("PUT /redirects/{id}", []string{text(made, "id")}, object{"to": "/c"}, redirects)
	n.ask("DELETE /redirects/{id}", []string{text(made, "id")}, nil, redirects)
	n.ask("POST /redirects.csv", nil, "/d,/e,301\n", redirects)

	const menu = cms.EventMenuUpdated
	items := func(label string) object {
		return object{"slug": "main", "name": "Main", "items": object{"en": []object{{"label": label, "href": "/"}}}}
	}
	n.ask("POST /menus", nil, items("Home"), menu)
	n.ask("PUT /menus/{slug}", []string{"main"}, items("Start"), menu)
}

// entries asks the routes of entries, jobs and releases, and waits for plans.
func (n *newsroom) entries() {
	const created, updated, published = cms.EventEntryCreated, cms.EventEntryUpdated, cms.EventEntryPublished
	const unpublished, deleted, paths = cms.EventEntryUnpublished, cms.EventEntryDeleted, cms.EventPathsUpdated
	const at = "/models/{slug}/entries"
	page := func(title string) string {
		return text(n.ask("POST "+at, []string{"pages"}, object{"title": title, "status": "published"}, created, published),
			"id")
	}
	of := func(id string) []string { return []string{"pages", id} }
	top, low, third := page("Top"), page("Low"), page("Third")
	n.ask("PUT "+at+"/{id}", of(low), object{"title": "Lower"}, updated)
	n.ask("PUT "+at+"/{id}", of(low), object{"slug": "lower"}, updated)
	n.ask("PUT /models/{slug}/tree", []string{"pages"}, object{"id": low, "parent": top}, updated)
	n.ask("POST /models/{slug}/tree/move", []string{"pages"}, object{"ids": []string{low, third}, "parent": nil}, updated)
	n.ask("PUT /models/{slug}/tree", []string{"pages"}, object{"id": third, "parent": top}, updated)
	n.ask("PUT "+at+"/{id}", of(top), object{"slug": "over"}, updated, paths) // the address of what is below
	n.ask("PUT /models/{slug}", []string{"pages"}, object{"url": "/all/{path}"}, cms.EventSchemaUpdated)
	n.ask("POST /menus/entries", nil, object{"menu": "main", "model": "pages", "ids": []string{low}}, cms.EventMenuUpdated)
	n.ask("DELETE /menus/{slug}", []string{"main"}, nil, cms.EventMenuUpdated)
	n.ask("POST "+at+"/{id}/unpublish", of(low), nil, unpublished)
	n.ask("POST "+at+"/{id}/publish", of(low), object{}, published)
	n.ask("POST "+at+"/{id}/translate", of(low), object{"locale": "de"}, created)
	n.ask("POST "+at+"/{id}/duplicate", of(low), object{"title": "Copy"}, created)
	n.ask("POST "+at+"/{id}/revisions/{version}/restore", append(of(low), "1"), nil, updated)
	n.ask("DELETE "+at+"/{id}", of(low), nil, deleted)
	n.ask("POST /trash/{id}/restore", []string{low}, nil, published)
	n.ask("DELETE "+at+"/{id}", of(low), nil, deleted)
	n.ask("POST /trash/restore", nil, object{"ids": []string{low}}, published)
	n.ask("PUT "+at+"/{id}/schedule", of(low),
		object{"unpublish_at": time.Now().UTC().Add(4 * time.Second).Format(time.RFC3339)}, unpublished)
	n.ask("POST /jobs", nil, object{"action": "publish", "model": "pages", "ids": []string{low}}, published)
	n.ask("POST "+at+".csv", []string{"pages"},
		part{[]byte("title,slug\nFrom a file,file\n"), map[string]string{"mode": "publish"}},
		created, published)
	n.ask("POST /import", nil,
		`{"model":"pages","id":"018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f","title":"Imported","slug":"imported",`+
			`"status":"published","data":{}}`, created, published)
	release := text(n.send("POST", "/releases",
		object{"name": "R", "items": []object{{"model": "pages", "id": low, "action": "unpublish"}}}), "id")
	n.ask("POST /releases/{id}/publish", []string{release}, object{}, cms.EventReleasePublished, unpublished)
	n.ask("POST /releases/{id}/undo", []string{release}, nil, updated, published)
	gone := page("Gone")
	n.send("PUT", "/models/pages/entries/"+third, object{"data": object{"body": "See [it](cms://entry/" + gone + ")."}})
	n.send("DELETE", "/models/pages/entries/"+gone, nil)
	n.ask("POST /health/links", nil, object{"from": gone, "with": top}, updated)

	const api = "/api/v1/{model}"
	mine := text(n.ask("POST "+api, []string{"notes"}, object{"title": "By a key"}, created), "id")
	ofKey := []string{"notes", mine}
	n.ask("PUT "+api+"/{idOrSlug}", ofKey, object{"title": "Changed"}, updated)
	n.ask("POST "+api+"/{idOrSlug}/publish", ofKey, object{}, published)
	n.ask("POST "+api+"/{idOrSlug}/unpublish", ofKey, object{}, unpublished)
	n.ask("DELETE "+api+"/{idOrSlug}", ofKey, nil, deleted)
}

// files asks the routes of files and folders.
func (n *newsroom) files() {
	const uploaded, updated, deleted = cms.EventMediaUploaded, cms.EventMediaUpdated, cms.EventMediaDeleted
	file := func(route string) string { return text(n.ask(route, nil, part{file: []byte(route)}, uploaded), "id") }
	one, two, mine := file("POST /media"), file("POST /media"), file("POST /api/v1/upload")
	n.ask("DELETE /api/v1/upload/files/{id}", []string{mine}, nil, deleted)
	n.ask("PUT /media/{id}", []string{one}, object{"alt": "A lamp"}, updated)
	n.ask("PUT /media/{id}/content", []string{one}, part{file: []byte("other content")}, cms.EventMediaReplaced)
	n.ask("POST /media/fetch", nil, object{"url": n.pictures + "/lamp.png"}, uploaded)
	n.ask("POST /import/media", nil,
		part{[]byte("imported"), map[string]string{"id": "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e40"}}, uploaded)
	n.ask("POST /models/{slug}/entries", []string{"pages"}, object{"title": "With a file", "status": "published",
		"data": object{"cover": one}}, cms.EventEntryPublished)
	n.ask("POST /media/{id}/replace", []string{one}, object{"with": two}, cms.EventEntryUpdated)
	folder := text(n.send("POST", "/media/folders", object{"name": "Lamps"}), "id")
	n.ask("POST /media/several", nil, object{"action": "move", "ids": []string{one}, "folder_id": folder}, updated)
	n.ask("POST /media/several", nil, object{"action": "delete", "ids": []string{one}}, deleted)
	for _, route := range []string{"POST /media/direct/{id}/complete", "POST /api/v1/upload/direct/{id}/complete"} {
		start, _, _ := strings.Cut(strings.TrimPrefix(route, "POST "), "/{id}")
		begun := n.send("POST", start, object{"name": "a.txt", "mime": "text/plain", "size": 5})
		upload := begun["upload"].(object)
		req, err := http.NewRequestWithContext(n.t.Context(), text(upload, "method"), text(upload, "url"),
			strings.NewReader("hello"))
		must.Do(n.t, err)
		headers, _ := upload["headers"].(object)
		for name, value := range headers {
			req.Header.Set(name, fmt.Sprint(value))
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil || res.StatusCode >= 300 {
			n.t.Fatalf("a transfer: %v %v", res, err)
		}
		res.Body.Close()
		n.ask(route, []string{text(begun, "id")}, object{}, uploaded)
	}
	n.ask("DELETE /media/{id}", []string{two + "?force=true"}, nil, deleted)
}

// missing names the routes of the documents that the test neither asks nor calls quiet.
func (n *newsroom) missing() {
	listed := map[string]bool{}
	for _, routes := range quiet {
		for route := range strings.SplitSeq(routes, ",") {
			listed[strings.TrimSpace(route)] = true
		}
	}
	for prefix, text := range map[string][]byte{"/api/v1": openapi.JSON(), "": openapi.AdminJSON()} {
		var doc struct {
			Paths map[string]map[string]json.RawMessage
		}
		must.Do(n.t, json.Unmarshal(text, &doc))
		for path, methods := range doc.Paths {
			for method := range methods {
				if !slices.Contains([]string{"post", "put", "patch", "delete"}, method) {
					continue
				}
				route := strings.ToUpper(method) + " " + path
				if asked := n.known[strings.ToUpper(method)+" "+prefix+path]; asked == listed[route] {
					n.t.Errorf("%s must either be asked for its event, or be quiet for a reason", route)
				}
			}
		}
	}
}
