package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"headless/pkg/api"
	"headless/pkg/api/pipeline"
	"headless/pkg/apikeys"
	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/must"
	"headless/pkg/rooms"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

// contentWorld is the content API on a real store, with a key that may do everything and one that
// may read.
type contentWorld struct {
	http.Handler
	t       *testing.T
	table   table.Table // below the faults
	store   *rooms.Stores
	models  *site.Models
	entries *editing.Entries
	keys    *apikeys.Keys
	admin   apikeys.WithSecret // role admin, every scope
	public  apikeys.WithSecret // no role, every scope
	fault   func(table.Call) table.Fault
	mu      sync.Mutex
}

func (c *contentWorld) setFault(f func(table.Call) table.Fault) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fault = f
}

func newContent(t *testing.T) *contentWorld {
	t.Helper()
	c := &contentWorld{t: t, fault: table.NoFaults}
	tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	c.table = tb
	c.store = rooms.New(table.NewFaulty(tb, func(call table.Call) table.Fault {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.fault(call)
	}), time.Now)
	t.Cleanup(func() {
		if err := c.store.Close(); err != nil {
			t.Error(err)
		}
	})
	entries := &editing.Entries{Store: c.store.Content,
		MediaTypes: func(_ context.Context, ids []string) (map[string]string, error) {
			types := map[string]string{}
			for _, id := range ids {
				if id == picture {
					types[id] = "image/png"
				}
			}
			return types, nil
		},
		MediaInline: func(_ context.Context, ids []string) (map[string]any, error) {
			files := map[string]any{}
			for _, id := range ids {
				if id == picture {
					files[id] = map[string]any{"id": id, "url": "https://media.example.com/x"}
				}
			}
			return files, nil
		}}
	c.entries = entries
	c.models = &site.Models{Store: c.store.Site, HasEntries: entries.ModelHasEntries}
	c.keys = &apikeys.Keys{Store: c.store.Keys}
	locales := &site.Locales{Store: c.store.Site, InUse: entries.LocaleInUse}
	must.Do(t, locales.EnsureDefault(t.Context()))
	if _, err := locales.Create(t.Context(), admin,
		object(t, `{"code": "de", "name": "German", "native_name": "Deutsch", "direction": "ltr"}`)); err != nil {
		t.Fatal(err)
	}
	c.admin = c.key(`{"name": "Admin", "scopes": ["read", "write", "delete"], "role": "admin", "rate_limit": 100000}`)
	c.public = c.key(`{"name": "Public", "scopes": ["read", "write", "delete"], "rate_limit": 100000}`)
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	c.Handler = pipeline.New(pipeline.Config{Keys: c.store.Keys, Log: quiet}, api.SiteRoutes(),
		api.ContentRoutes(entries), api.SearchRoutes(entries))
	return c
}

const picture = "0190a000-0000-7000-8000-000000000001"

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	body, err := cms.DecodeObject([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return body
}

func (c *contentWorld) key(body string) apikeys.WithSecret {
	c.t.Helper()
	k, err := c.keys.Create(c.t.Context(), admin, object(c.t, body))
	must.Do(c.t, err)
	return k
}

func (c *contentWorld) model(definition string) {
	c.t.Helper()
	if _, err := c.models.Create(c.t.Context(), admin, object(c.t, definition)); err != nil {
		c.t.Fatal(err)
	}
}

// result is an answer with its envelope taken apart.
type result struct {
	*httptest.ResponseRecorder
	t    *testing.T
	Data json.RawMessage
	Meta struct {
		Page, Total   int
		PerPage       int     `json:"per_page"`
		TotalRelation string  `json:"total_relation"`
		NextCursor    *string `json:"next_cursor"`
	}
	Error *struct {
		Code, Message string
		Details       map[string][]string
	}
}

// call makes a request; headers come as name, value pairs. A path is taken as it is: queries are
// escaped by the caller.
func (c *contentWorld) call(k apikeys.WithSecret, method, path, body string, headers ...string) result {
	c.t.Helper()
	r := httptest.NewRequest(method, "/api/v1"+path, strings.NewReader(body))
	r.Header.Set("X-API-Key", k.PublicKey)
	r.Header.Set("X-API-Secret", k.Secret)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	a := result{ResponseRecorder: httptest.NewRecorder(), t: c.t}
	c.ServeHTTP(a, r)
	if a.Body.Len() > 0 {
		if err := json.Unmarshal(a.Body.Bytes(), &a); err != nil {
			c.t.Errorf("%s %s: no envelope: %v: %s", method, path, err, a.Body)
		}
	}
	return a
}

// list gives the slugs of GET path?query, query being written readably: pairs joined by & and not
// escaped.
func (c *contentWorld) list(k apikeys.WithSecret, path, query string) (slugs []string, a result) {
	c.t.Helper()
	a = c.call(k, "GET", path+"?"+escaped(query), "")
	if a.Code != 200 {
		return nil, a
	}
	var items []struct{ Slug string }
	if err := json.Unmarshal(a.Data, &items); err != nil {
		c.t.Errorf("%s?%s: %v: %s", path, query, err, a.Data)
	}
	slugs = []string{}
	for _, item := range items {
		slugs = append(slugs, item.Slug)
	}
	return slugs, a
}

func escaped(query string) string {
	q := url.Values{}
	for _, pair := range strings.Split(query, "&") {
		if name, value, ok := strings.Cut(pair, "="); ok {
			q.Add(name, value)
		}
	}
	return q.Encode()
}

type entry struct {
	ID, Slug, Title, Status, Locale string
	Data                            map[string]any
	Version                         int
}

func (a result) entry() (e entry) {
	a.t.Helper()
	if err := json.Unmarshal(a.Data, &e); err != nil {
		a.t.Errorf("no entry: %v: %s", err, a.Body)
	}
	return e
}

// create makes an entry with the admin key.
func (c *contentWorld) create(model, body string) entry {
	c.t.Helper()
	a := c.call(c.admin, "POST", "/"+model, body)
	if a.Code != 201 {
		c.t.Fatalf("create in %s: %d %s", model, a.Code, a.Body)
	}
	return a.entry()
}

func (a result) want(status int, code string) {
	a.t.Helper()
	got := ""
	if a.Error != nil {
		got = a.Error.Code
	}
	if a.Code != status || got != code {
		a.t.Errorf("answer is %d %q, want %d %q: %s", a.Code, got, status, code, a.Body)
	}
}

const thingsModel = `{"slug": "things", "name": "Things", "localized": true, "max_per_page": 50, "default_sort": "title", "fields": [
	{"name": "num", "type": "number"}, {"name": "text", "type": "text", "searchable": true}, {"name": "flag", "type": "boolean"},
	{"name": "day", "type": "date"}, {"name": "tags", "type": "multiselect", "options": ["a","b","c","d","e","f","g","h"]},
	{"name": "extra", "type": "json"}, {"name": "body", "type": "richtext", "searchable": true},
	{"name": "place", "type": "group", "fields": [{"name": "city", "type": "text"}]},
	{"name": "rows", "type": "list", "fields": [{"name": "n", "type": "number"}]}]}`

// things fills a model for list queries; the titles order the slugs.
func (c *contentWorld) things() {
	c.model(thingsModel)
	for i, data := range []string{
		`{"num": 1, "text": "apple", "flag": true, "day": "2026-01-01", "tags": ["a", "b"], "place": {"city": "Bern"}, "rows": [{"n": 1}, {"n": 5}]}`,
		`{"num": 1.0, "text": "Apple", "flag": false, "day": "2025-12-31", "tags": ["a","b","c","d","e","f","g"], "extra": {"k": 1}}`,
		`{"num": 10, "text": "Äpfel", "tags": [], "extra": {"k": "1"}}`,
		`{"num": -2.5, "text": "zebra, striped", "flag": true, "day": "1969-07-20", "body": "the *rare* beast"}`,
		`{"text": "", "place": {"city": "bern"}, "extra": {"k": true}}`,
	} {
		c.create("things",
			fmt.Sprintf(`{"title": "T%d", "slug": "t%d", "status": "published", "data": %s}`, i+1, i+1, data))
	}
	c.create("things", `{"title": "T6", "slug": "t6", "data": {"num": 1}}`)
	c.create("things",
		`{"title": "T7", "slug": "t7", "status": "published", "locale": "de", "data": {"num": 1}}`)
}

func words(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " word%d", i)
	}
	return b.String()
}

// TestRankedWalk walks through what a search ranked while entries that have nothing to do with it
// are published and deleted.
func TestRankedWalk(t *testing.T) {
	c := newContent(t)
	c.model(thingsModel)
	for i := range 9 {
		c.create("things",
			fmt.Sprintf(`{"title": "Common %d", "status": "published", "data": {"text": "common %s"}}`,
				i/4, strings.Repeat("word ", i%3)))
	}
	spare := c.create("things", `{"title": "Spare", "status": "published", "data": {"text": "unrelated"}}`)
	for _, path := range []string{"/things?q=common+word", "/things?q=common", "/search?q=common",
		"/search?q=common&sort=title", "/things?q=common&sort=title"} {
		seen, total, cursor := map[string]int{}, 0, ""
		for n := 0; ; n++ {
			a := c.call(c.public, "GET", path+"&per_page=2&cursor="+cursor, "")
			a.want(200, "")
			var page struct {
				Data []struct{ ID string }
				Meta struct {
					Total      int
					NextCursor *string `json:"next_cursor"`
				}
			}
			must.Do(t, json.Unmarshal(a.Body.Bytes(), &page))
			for _, e := range page.Data {
				seen[e.ID]++
			}
			if total = page.Meta.Total; page.Meta.NextCursor == nil {
				break
			}
			cursor = *page.Meta.NextCursor
			if n%2 == 0 {
				c.call(c.public, "DELETE", "/things/"+spare.ID, "").want(204, "")
			} else {
				spare = c.create("things",
					`{"title": "Spare", "status": "published", "data": {"text": "unrelated"}}`)
			}
		}
		if len(seen) != total || slices.ContainsFunc(slices.Collect(maps.Values(seen)),
			func(n int) bool { return n != 1 }) {
			t.Errorf("%s: %d entries, total %d: %v", path, len(seen), total, seen)
		}
		if cursor == "" {
			t.Errorf("%s has no second page", path)
		}
		for _, made := range []string{"x", "x.y", "." + strings.Repeat("e", 8),
			cursor[4:], cursor[:len(cursor)-4], cursor + ".eyJlbiI6Wy0xXX0"} {
			c.call(c.public, "GET", path+"&cursor="+made, "").want(400, "BAD_REQUEST")
		}
		if c.call(c.public, "GET", "/things/"+spare.ID, "").Code == 404 {
			spare = c.create("things",
				`{"title": "Spare", "status": "published", "data": {"text": "unrelated"}}`)
		}
	}
}
