package api_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/apikeys"
	"headless/pkg/cms/cmstest"
	"headless/pkg/must"
	"headless/pkg/table"
)

const noteModel = `{"slug": "notes", "name": "Notes", "localized": true, "visible_fields": ["text", "cover", "related", "more", "blocks", "group"], "fields": [
	{"name": "text", "type": "text", "searchable": true}, {"name": "secret", "type": "text", "searchable": true, "unique": true},
	{"name": "cover", "type": "media"}, {"name": "related", "type": "relation", "model": "notes"},
	{"name": "more", "type": "relation", "model": "notes", "many": true}, {"name": "hidden", "type": "relation", "model": "notes"},
	{"name": "group", "type": "group", "fields": [{"name": "ref", "type": "relation", "model": "notes"}]},
	{"name": "blocks", "type": "blocks", "fields": [{"name": "hero", "type": "group", "fields": [{"name": "image", "type": "media"}]}]}]}`

// TestOddAddresses asks for addresses and values that nothing has, or that no text may have.
func TestOddAddresses(t *testing.T) {
	c := newContent(t)
	c.model(noteModel)
	c.model(`{"slug": "home", "name": "Home", "kind": "single", "localized": true, "fields": [{"name": "text", "type": "text"}]}`)
	c.model(`{"slug": "plain", "name": "Plain", "fields": [{"name": "text", "type": "text"}]}`)
	c.model(`{"slug": "closed", "name": "Closed", "is_active": false, "fields": []}`)
	shown := c.create("notes", `{"title": "Shown", "status": "published"}`)
	c.create("plain", `{"title": "One", "status": "published"}`)
	c.create("home", `{"title": "Home", "status": "published"}`)
	for path, want := range map[string]int{
		"/notes/" + strings.ToUpper(shown.ID): 200, "/notes/none": 404, "/notes/" + strings.Repeat("x", 5000): 404,
		"/notes/%ff": 404, "/notes/a%00b": 404, "/notes/shown?locale=" + strings.Repeat("x", 5000): 404,
		"/notes/shown?locale=%ff": 404, "/home?locale=%ff": 404, "/plain/one": 200, "/plain/one?locale=de": 404,
		"/closed": 404, "/%ff": 404, "/notes?q=%ff%00": 200, "/notes?filter[title]=%ff%00": 200, "/notes?sort=%ff": 400,
		"/search?q=%ff": 200, "/search?q=+": 400,
	} {
		for _, k := range []apikeys.WithSecret{c.admin, c.public} {
			if a := c.call(k, "GET", path, ""); a.Code != want {
				t.Errorf("%s %.80s: %d, want %d: %s", k.Name, path, a.Code, want, a.Body)
			}
		}
	}
}

// TestOneOfManyWriters: of writers that all saw the same version one wins.
func TestOneOfManyWriters(t *testing.T) {
	c := newContent(t)
	c.model(noteModel)
	e := c.create("notes", `{"title": "One", "status": "published"}`)
	tag := c.call(c.admin, "GET", "/notes/"+e.ID, "").Header().Get("ETag")
	var won atomic.Int64
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			a := c.call(c.admin, "PUT", "/notes/"+e.ID, fmt.Sprintf(`{"data": {"text": "%d"}}`, i), "If-Match", tag)
			if a.Code == 200 {
				won.Add(1)
			} else {
				a.want(412, "PRECONDITION_FAILED")
			}
		})
	}
	group.Wait()
	if won.Load() != 1 {
		t.Errorf("%d writers won", won.Load())
	}
}

// TestNextRequest changes what a warm process has seen: the next request must know.
func TestNextRequest(t *testing.T) {
	c := newContent(t)
	c.things()
	ctx := context.Background()
	k := c.key(`{"name": "Changing", "scopes": ["read", "write"]}`)
	read := func(query string) result { return c.call(k, "GET", "/things?"+escaped(query), "") }
	for range 3 {
		read("").want(200, "")
	}
	edit := func(body string) {
		t.Helper()
		if _, err := c.keys.Update(ctx, admin, k.ID, object(t, body), nil); err != nil {
			t.Fatal(err)
		}
	}
	remodel := func(body string) {
		t.Helper()
		if _, err := c.models.Update(ctx, admin, "things", object(t, body), nil); err != nil {
			t.Fatal(err)
		}
	}
	edit(`{"role": "admin"}`)
	if a := read("filter[status]=any"); a.Meta.Total != 6 {
		t.Errorf("with a role: %+v", a.Meta)
	}
	edit(`{"role": null, "scopes": ["read"]}`)
	if a := read("filter[status]=any"); a.Meta.Total != 5 {
		t.Errorf("without the role: %+v", a.Meta)
	}
	c.call(k, "POST", "/things", `{"title": "X"}`).want(403, "FORBIDDEN")
	edit(`{"origins": ["https://a.example.com"]}`)
	c.call(k, "GET", "/things", "", "Origin", "https://b.example.com").want(403, "ORIGIN_NOT_ALLOWED")
	remodel(`{"visible_fields": ["flag"]}`)
	read("filter[data.num]=1").want(400, "BAD_REQUEST")
	remodel(`{"visible_fields": [], "max_per_page": 2}`)
	if a := read(""); a.Meta.PerPage != 2 {
		t.Errorf("max_per_page: %+v", a.Meta)
	}
	remodel(`{"max_per_page": 50, "default_sort": "-data.num"}`)
	if slugs, _ := c.list(k, "/things", ""); !slices.Equal(slugs,
		[]string{"t5", "t3", "t2", "t1", "t4"}) &&
		!slices.Equal(slugs, []string{"t5", "t3", "t1", "t2", "t4"}) {
		t.Errorf("the new default sort: %v", slugs)
	}
	remodel(`{"is_active": false}`)
	read("").want(404, "MODEL_NOT_FOUND")
	must.Do(t, c.keys.Delete(ctx, admin, k.ID))
	read("").want(401, "UNAUTHORIZED")
}

// TestTableAway lets each call to the table fail in turn: an answer is whole or a 503, and a write
// happened or not.
func TestTableAway(t *testing.T) {
	c := newContent(t)
	c.things()
	e := c.create("things", `{"title": "Target", "status": "published", "data": {"text": "start"}}`)
	c.model(noteModel)
	first := c.create("notes", `{"title": "First", "status": "published"}`)
	c.create("notes", `{"title": "Second", "status": "published", "data": {"related": "`+first.ID+`"}}`)
	for name, send := range map[string]func(n int) result{
		"list":    func(int) result { return c.call(c.public, "GET", "/things?sort=data.num&q=apple", "") },
		"read":    func(int) result { return c.call(c.public, "GET", "/things/target", "") },
		"include": func(int) result { return c.call(c.public, "GET", "/notes?include=related", "") },
		"search":  func(int) result { return c.call(c.public, "GET", "/search?q=apple", "") },
		"create": func(n int) result {
			return c.call(c.public, "POST", "/things",
				fmt.Sprintf(`{"title": "New %d", "data": {"text": "fresh"}}`, n))
		},
		"update": func(n int) result {
			return c.call(c.public, "PUT", "/things/"+e.ID,
				fmt.Sprintf(`{"data": {"text": "version %d"}}`, n))
		},
	} {
		for n := 1; n < 60; n++ {
			calls := 0
			c.setFault(func(table.Call) table.Fault {
				if calls++; calls == n {
					return table.Fault{Kind: table.Throttled}
				}
				return table.Fault{}
			})
			before := c.versionOf(e.ID)
			a := send(n)
			c.setFault(table.NoFaults)
			if a.Code == 503 {
				a.want(503, "SERVICE_UNAVAILABLE")
				if a.Header().Get("Retry-After") == "" {
					t.Errorf("%s: a 503 without Retry-After", name)
				}
			} else if a.Code >= 300 {
				t.Errorf("%s with call %d failing: %d %s", name, n, a.Code, a.Body)
			}
			if after := c.versionOf(e.ID); name == "update" && (after == before+1) != (a.Code == 200) {
				t.Errorf("update answered %d, version %d becomes %d", a.Code, before, after)
			}
			if calls < n {
				break
			}
		}
	}
	total := 0
	if _, a := c.list(c.admin, "/things", "filter[status]=any"); a.Code == 200 {
		total = a.Meta.Total
	}
	found, _ := c.list(c.admin, "/things", "filter[status]=any&q=fresh&per_page=50")
	if total != 7+len(found) {
		t.Errorf("%d entries, %d of them created: a create is half done", total, len(found))
	}
}

// versionOf reads past the faults that a test may have set.
func (c *contentWorld) versionOf(id string) int {
	c.t.Helper()
	c.mu.Lock()
	fault := c.fault
	c.fault = table.NoFaults
	c.mu.Unlock()
	defer c.setFault(fault)
	return c.call(c.admin, "GET", "/things/"+id, "").entry().Version
}

// noise is text that no compression makes much smaller.
func noise(size int) string {
	r := rand.New(rand.NewPCG(1, 1))
	raw := make([]byte, size*3/4)
	for i := range raw {
		raw[i] = byte(r.Uint32())
	}
	return base64.RawStdEncoding.EncodeToString(raw)
}

// TestHeavyInput holds no answer for long: seconds with the race detector on a busy machine, a
// tenth of that without.
func TestHeavyInput(t *testing.T) {
	c := newContent(t)
	c.model(`{"slug": "heavy", "name": "Heavy", "fields": [{"name": "body", "type": "textarea", "searchable": true}, {"name": "extra", "type": "json"},
		{"name": "code", "type": "textarea", "pattern": "^([a-z ]*[a-z0-9 ]*)*$"}]}`)
	const limit = 20 * time.Second
	timed := func(name string, status int, send func() result) {
		t.Helper()
		start := time.Now()
		a := send()
		if took := time.Since(start); took > limit {
			t.Errorf("%s took %v", name, took)
		}
		if a.Code != status {
			t.Errorf("%s: %d %.300s", name, a.Code, a.Body)
		}
	}
	var prose strings.Builder
	for i := 0; prose.Len() < 1_000_000; i++ {
		fmt.Fprintf(&prose, "word%d ", i)
	}
	long, err := json.Marshal(prose.String())
	must.Do(t, err)
	post := func(data string) func() result {
		return func() result {
			return c.call(c.admin, "POST", "/heavy",
				`{"title": "Heavy", "status": "published", "data": `+data+`}`)
		}
	}
	timed("many words", http.StatusCreated, post(`{"body": `+string(long)+`}`))
	timed("what cannot be compressed", http.StatusRequestEntityTooLarge,
		post(`{"body": "`+noise(1_000_000)+`"}`))
	timed("too large", http.StatusRequestEntityTooLarge, post(`{"body": "`+noise(1_100_000)+`"}`))
	timed("one word", 201, post(`{"body": "`+strings.Repeat("a", 1_000_000)+`"}`))
	timed("repeated words", 201, post(`{"body": "`+strings.Repeat("again and again ", 60_000)+`"}`))
	timed("a pattern", 422, post(`{"code": "`+strings.Repeat("a1 ", 300_000)+`!"}`))
	timed("deep", 201, post(`{"extra": `+strings.Repeat("[", 36)+strings.Repeat("]", 36)+`}`))
	timed("too deep", 400, post(`{"extra": `+strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000)+`}`))
	timed("many keys", 201,
		post(`{"extra": {`+strings.TrimSuffix(strings.Repeat(`"k":1,`, 150_000), ",")+`}}`))
	timed("forty words", 200,
		func() result { return c.call(c.admin, "GET", "/heavy?"+escaped("q=again"+words(39)), "") })
	timed("search", 200,
		func() result { return c.call(c.admin, "GET", "/search?"+escaped("q=again an"), "") })
	timed("one letter", 200, func() result { return c.call(c.admin, "GET", "/heavy?q=w", "") })
}

// TestModelMadeWhileBodyArrives: a create that is answered 404 made no entry.
func TestModelMadeWhileBodyArrives(t *testing.T) {
	c := newContent(t)
	r := httptest.NewRequest("POST", "/api/v1/late", &cmstest.Body{Reader: strings.NewReader(`{"title": "T"}`),
		WhileSent: func() { c.model(`{"slug": "late", "name": "Late", "fields": []}`) }})
	r.Header.Set("X-API-Key", c.admin.PublicKey)
	r.Header.Set("X-API-Secret", c.admin.Secret)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	c.ServeHTTP(w, r)
	slugs, _ := c.list(c.admin, "/late", "filter[status]=any")
	if made := w.Code == http.StatusCreated; made != (len(slugs) == 1) {
		t.Errorf("%d %s, and then entries %v", w.Code, w.Body, slugs)
	}
}

// TestKeyChangedWhileBodyArrives: a key that is deleted, or loses rights, while the body of a create arrives slowly
// makes no entry.
func TestKeyChangedWhileBodyArrives(t *testing.T) {
	for body, want := range map[string]int{"": 401, `{"scopes": ["read"]}`: 403, `{"models": ["others"]}`: 403,
		`{"locales": ["de"]}`: 403, `{"role": null}`: 403, `{"review": true}`: 403, `{"name": "N"}`: 201} {
		t.Run(body, func(t *testing.T) { changeKeyWhileBodyArrives(t, body, want) })
	}
}

func changeKeyWhileBodyArrives(t *testing.T, body string, want int) {
	synctest.Test(t, func(t *testing.T) {
		c := newContent(t)
		c.model(`{"slug": "others", "name": "Others", "fields": []}`)
		c.model(`{"slug": "posts", "name": "Posts", "fields": []}`)
		k, err := c.keys.Create(t.Context(), admin, map[string]any{"name": "K", "scopes": []any{"write"}, "role": "admin"})
		must.Do(t, err)
		r := httptest.NewRequest("POST", "/api/v1/posts", &cmstest.Body{Reader: strings.NewReader(`{"title": "T"}`),
			WhileSent: func() {
				if body == "" {
					must.Do(t, c.keys.Delete(t.Context(), admin, k.ID))
				} else {
					_, err := c.keys.Update(t.Context(), admin, k.ID, object(t, body), nil)
					must.Do(t, err)
				}
				time.Sleep(2 * time.Second)
			}})
		r.Header.Set("X-API-Key", k.PublicKey)
		r.Header.Set("X-API-Secret", k.Secret)
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		c.ServeHTTP(w, r)
		slugs, _ := c.list(c.admin, "/posts", "filter[status]=any")
		if made := want == http.StatusCreated; w.Code != want || made != (len(slugs) == 1) {
			t.Errorf("%d %s, and then entries %v", w.Code, w.Body, slugs)
		}
	})
}
