package api_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"headless/pkg/apikeys"
	"headless/pkg/table"
)

const noteModel = `{"slug": "notes", "name": "Notes", "localized": true, "visible_fields": ["text", "cover", "related", "more", "blocks", "group"], "fields": [
	{"name": "text", "type": "text", "searchable": true}, {"name": "secret", "type": "text", "searchable": true, "unique": true},
	{"name": "cover", "type": "media"}, {"name": "related", "type": "relation", "model": "notes"},
	{"name": "more", "type": "relation", "model": "notes", "many": true}, {"name": "hidden", "type": "relation", "model": "notes"},
	{"name": "group", "type": "group", "fields": [{"name": "ref", "type": "relation", "model": "notes"}]},
	{"name": "blocks", "type": "blocks", "fields": [{"name": "hero", "type": "group", "fields": [{"name": "image", "type": "media"}]}]}]}`

// TestReading tells who sees which entry at which address.
func TestReading(t *testing.T) {
	c := newContent(t)
	c.model(noteModel)
	c.model(`{"slug": "home", "name": "Home", "kind": "single", "localized": true, "fields": [{"name": "text", "type": "text"}]}`)
	c.model(`{"slug": "plain", "name": "Plain", "fields": [{"name": "text", "type": "text"}]}`)
	c.model(`{"slug": "closed", "name": "Closed", "is_active": false, "fields": []}`)
	shown := c.create("notes", `{"title": "Shown", "status": "published"}`)
	draft := c.create("notes", `{"title": "Draft"}`)
	c.create("notes", `{"title": "Shown", "status": "published", "locale": "de"}`)
	c.create("plain", `{"title": "One", "status": "published"}`)
	c.create("home", `{"title": "Home", "status": "published"}`)
	for _, x := range []struct {
		path   string
		admin  int
		public int
	}{
		{"/notes/" + shown.ID, 200, 200}, {"/notes/shown", 200, 200},
		{"/notes/" + strings.ToUpper(shown.ID), 200, 200},
		{"/notes/" + draft.ID, 200, 404}, {"/notes/draft", 200, 404},
		{"/notes/shown?locale=de", 200, 200}, {"/notes/draft?locale=de", 404, 404},
		{"/notes/shown?filter[locale]=de", 200, 200},
		{"/notes/shown?locale=xx", 404, 404}, {"/notes/" + shown.ID + "?locale=de", 404, 404},
		{"/notes/" + shown.ID + "?locale=en", 200, 200},
		{"/notes/single", 404, 404}, {"/notes/none", 404, 404},
		{"/notes/" + strings.Repeat("x", 5000), 404, 404},
		{"/notes/%ff", 404, 404}, {"/notes/a%00b", 404, 404},
		{"/notes/shown?locale=" + strings.Repeat("x", 5000), 404, 404}, {"/notes/shown?locale=%ff", 404, 404},
		{"/home", 200, 200}, {"/home/single", 200, 200}, {"/home/home", 200, 200},
		{"/home?locale=de", 404, 404}, {"/home?locale=%ff", 404, 404},
		{"/plain/one", 200, 200}, {"/plain/one?locale=de", 404, 404},
		{"/plain?filter[locale]=any", 200, 200}, {"/plain?filter[locale]=de", 200, 200},
		{"/closed", 404, 404}, {"/none", 404, 404}, {"/%ff", 404, 404},
		{"/notes?q=%ff%00", 200, 200}, {"/notes?filter[title]=%ff%00", 200, 200},
		{"/notes?sort=%ff", 400, 400}, {"/search?q=%ff", 200, 200}, {"/search", 400, 400},
		{"/search?q=+", 400, 400},
	} {
		for _, k := range []apikeys.WithSecret{c.admin, c.public} {
			want := map[string]int{"Admin": x.admin, "Public": x.public}[k.Name]
			if a := c.call(k, "GET", x.path, ""); a.Code != want {
				t.Errorf("%s %.80s: %d, want %d: %s", k.Name, x.path, a.Code, want, a.Body)
			}
		}
	}
	for query, want := range map[string]int{"filter[locale]=any": 1, "filter[locale]=de": 0, "": 1,
		"filter[locale]=en": 1} {
		if slugs, _ := c.list(c.public, "/plain", query); len(slugs) != want {
			t.Errorf("/plain?%s: %v, want %d", query, slugs, want)
		}
	}
	c.call(c.admin, "POST", "/home", `{"title": "Second"}`).want(409, "CONFLICT")
	c.call(c.admin, "POST", "/plain", `{"title": "X", "locale": "de"}`).want(422, "VALIDATION_FAILED")
	c.call(c.public, "POST", "/notes", `{"title": "By the public key"}`).want(201, "")
}

func TestIncludes(t *testing.T) {
	c := newContent(t)
	c.model(noteModel)
	d := c.create("notes", `{"title": "D", "status": "published", "data": {"text": "deep", "secret": "s4"}}`)
	draft := c.create("notes", `{"title": "Draft", "data": {"text": "unseen"}}`)
	gone := c.create("notes", `{"title": "Gone", "status": "published"}`)
	cc := c.create("notes",
		fmt.Sprintf(`{"title": "C", "status": "published", "data": {"related": %q, "cover": %q}}`,
			d.ID, picture))
	b := c.create("notes",
		fmt.Sprintf(`{"title": "B", "status": "published", "data": {"related": %q}}`, cc.ID))
	a := c.create("notes",
		fmt.Sprintf(`{"title": "A", "status": "published", "data": {"related": %q, "more": [%q, %q, %q], "hidden": %q, "cover": %q,
		"group": {"ref": %q}, "blocks": [{"type": "hero", "image": %q}]}}`, b.ID, gone.ID, draft.ID,
			d.ID, d.ID, picture, d.ID, picture))
	c.call(c.admin, "DELETE", "/notes/"+gone.ID, "").want(204, "")
	get := func(k apikeys.WithSecret, include string, status int) map[string]any {
		t.Helper()
		answer := c.call(k, "GET", "/notes/"+a.ID+"?include="+include, "")
		if answer.Code != status {
			t.Fatalf("include=%s: %d %s", include, answer.Code, answer.Body)
		}
		if status != 200 {
			return nil
		}
		return answer.entry().Data
	}
	at := func(data any, path string) any {
		for _, name := range strings.Split(path, ".") {
			object, _ := data.(map[string]any)
			data = object[name]
		}
		return data
	}
	data := get(c.public, "related.related.related,cover,more,group.ref,blocks.image", 200)
	for path, want := range map[string]any{"related.slug": "b", "related.data.related.slug": "c",
		"related.data.related.data.related.data.text":   "deep",
		"related.data.related.data.related.data.secret": nil,
		"related.data.related.data.cover":               picture, "cover.id": picture,
		"group.ref.title": "D", "related.model": "notes"} {
		if got := at(data, path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	if list := data["more"].([]any); len(list) != 1 || at(list[0], "slug") != "d" {
		t.Errorf("more, for a key without a role: %v", list)
	}
	if image := at(data["blocks"].([]any)[0], "image.id"); image != picture {
		t.Errorf("the image of a block: %v", image)
	}
	if list := get(c.admin, "more,hidden", 200)["more"].([]any); len(list) != 2 {
		t.Errorf("more, for a key with a role: %v", list)
	}
	if data := get(c.admin, "hidden.related", 200); at(data, "hidden.data.secret") != "s4" {
		t.Errorf("hidden, for a key with a role: %v", data)
	}
	for _, include := range []string{"related.related.related.related", "hidden", "text",
		"related.hidden", "cover.x", "blocks", "related,,cover"} {
		get(c.public, include, 400)
	}
	for _, query := range []string{"filter[data.secret]=s4", "sort=data.secret",
		"fields=data.secret", "include=hidden"} {
		if _, answer := c.list(c.public, "/notes", query); answer.Code != 400 {
			t.Errorf("%s on a hidden field: %d", query, answer.Code)
		}
	}
	if slugs, _ := c.list(c.public, "/notes", "q=s4"); len(slugs) != 0 {
		t.Errorf("a hidden field is searched: %v", slugs)
	}
	if slugs, _ := c.list(c.admin, "/notes", "q=s4"); !slices.Equal(slugs, []string{"d"}) {
		t.Errorf("a hidden field is not searched for a key with a role: %v", slugs)
	}
	answer := c.call(c.public, "GET", "/notes/a?fields=title,data.cover&include=cover,related", "")
	if want := fmt.Sprintf(`{"id":%q,"title":"A","data":{"cover":{"id":%q,"url":"https://media.example.com/x"}}}`, a.ID,
		picture); string(answer.Data) != want {
		t.Errorf("narrowed: %s, want %s", answer.Data, want)
	}
}

func TestPreconditions(t *testing.T) {
	c := newContent(t)
	c.model(noteModel)
	e := c.create("notes", `{"title": "One", "status": "published", "data": {"secret": "x"}}`)
	for _, k := range []apikeys.WithSecret{c.admin, c.public} {
		read := c.call(k, "GET", "/notes/"+e.ID, "")
		tag := read.Header().Get("ETag")
		if a := c.call(k, "GET", "/notes/one", "", "If-None-Match", `"x", W/`+tag); a.Code != 304 ||
			a.Body.Len() > 0 {
			t.Errorf("If-None-Match: %d %s", a.Code, a.Body)
		}
		c.call(k, "PUT", "/notes/"+e.ID, `{"title": "Two"}`, "If-Match", `"other"`).want(412,
			"PRECONDITION_FAILED")
		c.call(k, "PUT", "/notes/"+e.ID, `{"title": "Two"}`, "If-Match", "W/"+tag).want(412,
			"PRECONDITION_FAILED")
		put := c.call(k, "PUT", "/notes/"+e.ID, `{"title": "Two"}`, "If-Match", `"other", `+tag)
		put.want(200, "")
		if again := c.call(k, "GET", "/notes/"+e.ID, ""); again.Header().Get("ETag") != put.Header().Get("ETag") ||
			again.Header().Get("ETag") == tag {
			t.Errorf("the ETag of an update is not that of the next read")
		}
		c.call(k, "PUT", "/notes/"+e.ID, `{"title": "Three"}`, "If-Match", tag).want(412,
			"PRECONDITION_FAILED")
		c.call(k, "PUT", "/notes/"+e.ID, `{"title": "One"}`, "If-Match", "*").want(200, "")
		c.call(k, "DELETE", "/notes/"+e.ID, "", "If-Match", tag).want(412, "PRECONDITION_FAILED")
	}
	c.call(c.admin, "PUT", "/notes/"+picture, `{}`, "If-Match", "*").want(404, "ENTRY_NOT_FOUND")
	// Of writers that all saw the same version one wins.
	tag := c.call(c.admin, "GET", "/notes/"+e.ID, "").Header().Get("ETag")
	var won atomic.Int64
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			a := c.call(c.admin, "PUT", "/notes/"+e.ID, fmt.Sprintf(`{"data": {"text": "%d"}}`, i),
				"If-Match", tag)
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

func TestSameTitles(t *testing.T) {
	c := newContent(t)
	c.model(noteModel)
	var slugs sync.Map
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			for range 4 {
				a := c.call(c.admin, "POST", "/notes", `{"title": "Same title"}`)
				a.want(201, "")
				if _, taken := slugs.LoadOrStore(a.entry().Slug, true); taken {
					t.Errorf("%s was given twice", a.entry().Slug)
				}
			}
		})
	}
	group.Wait()
	c.call(c.admin, "POST", "/notes", `{"title": "X", "slug": "same-title"}`).want(409, "SLUG_CONFLICT")
	c.create("notes", `{"title": "X", "data": {"secret": "one"}}`)
	c.call(c.admin, "POST", "/notes", `{"title": "X", "data": {"secret": "one"}}`).want(409, "CONFLICT")
	c.create("notes", `{"title": "X", "locale": "de", "data": {"secret": "one"}}`)
}

func TestRateLimit(t *testing.T) {
	c := newContent(t)
	c.model(thingsModel)
	k := c.key(`{"name": "Limited", "rate_limit": 20}`)
	if now := time.Now(); now.Second() > 50 { // the limit's minute is fixed
		c.call(c.admin, "GET", "/things", "")
	}
	for warm := range 2 {
		minute := time.Now().Unix() / 60
		var allowed atomic.Int64
		var group sync.WaitGroup
		for range 64 {
			group.Go(func() {
				a := c.call(k, "GET", "/things", "")
				if a.Code == 200 {
					allowed.Add(1)
					return
				}
				a.want(429, "RATE_LIMITED")
				if a.Header().Get("Retry-After") == "" ||
					a.Header().Get("X-RateLimit-Remaining") != "0" ||
					a.Header().Get("X-RateLimit-Limit") != "20" {
					t.Errorf("headers of a 429: %v", a.Header())
				}
			})
		}
		group.Wait()
		want := map[int]int64{0: 20, 1: 0}[warm]
		if now := time.Now().Unix() / 60; now == minute && allowed.Load() != want {
			t.Errorf("round %d: %d requests passed, want %d", warm, allowed.Load(), want)
		} else if now != minute {
			return // the clock crossed into another minute: nothing to compare
		}
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
	if err := c.keys.Delete(ctx, admin, k.ID); err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
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
