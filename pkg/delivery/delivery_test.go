package delivery

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"headless/pkg/api"
	"headless/pkg/api/openapi"
	"headless/pkg/api/pipeline"
	"headless/pkg/apikeys"
	"headless/pkg/assets"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/must"
	"headless/pkg/purge"
	"headless/pkg/purge/memory"
	"headless/pkg/redirects"
	"headless/pkg/rooms"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table/bolt"
	"headless/pkg/urls"
)

// world is a site with a cached and an uncached delivery API.
type world struct {
	stores  *rooms.Stores
	entries *editing.Entries
	cached  *Handler
	fresh   *Handler
	base    string
	cache   *memory.Cache
	lose    bool // the process ends between a commit and its purge
}

// acknowledge hands over the purges that are still pending.
func (w *world) acknowledge(t testing.TB) {
	t.Helper()
	rows, err := w.stores.Purges(t.Context(), 1000)
	must.Do(t, err)
	for _, row := range rows {
		_, _ = w.cache.Purge(t.Context(), purge.Batch{ID: row.ID, Tags: row.Tags, All: row.All})
	}
}

var editor = cms.Actor{Name: "editor", Source: cms.SourceAdmin}

func newWorld(t testing.TB) *world { return newWorldAt(t, time.Now) }

func newWorldAt(t testing.TB, now func() time.Time) *world {
	t.Helper()
	table, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	t.Cleanup(func() { table.Close() })
	w := &world{stores: rooms.New(table, now)}
	cache := memory.New(32<<20, now)
	w.cache = cache
	w.stores.OnPurge(func(p db.Purge) {
		if !w.lose {
			_, _ = cache.Purge(t.Context(), purge.Batch{ID: p.ID, Tags: p.Tags, All: p.All})
		}
	})
	w.entries = &editing.Entries{Store: w.stores.Content}
	log := slog.New(slog.DiscardHandler)
	cfg := Config{Keys: w.stores.Keys, Log: log, Entries: w.entries, SiteURL: "https://cms.example",
		Media: &assets.Media{Store: w.stores.Assets, BaseURL: "https://cms.example/media"},
		Reader: pipeline.NewReader(w.stores.Keys, log, api.SiteRoutes(), api.ContentRoutes(w.entries),
			api.SearchRoutes(w.entries))}
	w.fresh = New(cfg)
	cfg.Cache = cache
	w.cached = New(cfg)
	ctx := t.Context()
	must.Do(t, (&site.Locales{Store: w.stores.Site}).EnsureDefault(ctx))
	models := &site.Models{Store: w.stores.Site}
	if _, err := models.Create(ctx, editor, map[string]any{"slug": "authors", "name": "authors"}); err != nil {
		t.Fatal(err)
	}
	if _, err = models.Create(ctx, editor, map[string]any{"slug": "posts", "name": "posts", "url": "/{slug}",
		"fields": []any{map[string]any{"name": "author", "type": "relation", "model": "authors"}}}); err != nil {
		t.Fatal(err)
	}
	key, err := (&apikeys.Keys{Store: w.stores.Keys}).Create(ctx, editor,
		map[string]any{"name": "site", "kind": "publishable", "rate_limit": json.Number("1000000")})
	must.Do(t, err)
	w.base = Base + "/" + key.PublicKey
	return w
}

func get(h http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

// TestOneAddressDoesNotUseUpAKey sends what one machine with 200 requests a second sends in a
// minute, and then the pages of visitors from other addresses.
func TestOneAddressDoesNotUseUpAKey(t *testing.T) {
	began := time.Now()
	w := newWorldAt(t, func() time.Time { return began }) // all in one minute of the limits
	key, err := (&apikeys.Keys{Store: w.stores.Keys}).Create(t.Context(), editor,
		map[string]any{"name": "default", "kind": "publishable"})
	must.Do(t, err)
	from := func(address, path string) int {
		r := httptest.NewRequest(http.MethodGet, Base+"/"+key.PublicKey+path, nil)
		r.RemoteAddr = address + ":4000"
		answer := httptest.NewRecorder()
		w.cached.ServeHTTP(answer, r)
		return answer.Code
	}
	statuses := map[int]int{}
	for i := range 12_000 {
		path := "/posts/none-" + strconv.Itoa(i)
		if i%10 == 0 {
			path = "/posts?filter[title]=" + strconv.Itoa(i)
		}
		statuses[from("127.6.6.6", path)]++
	}
	if answered := 12_000 - statuses[http.StatusTooManyRequests]; answered > 6000 {
		t.Errorf("%d requests were answered: %v", answered, statuses)
	}
	for i := range 200 {
		address := fmt.Sprintf("127.%d.%d.1", i%100, 1+i)
		for _, path := range []string{"/posts?per_page=" + strconv.Itoa(1+i%100), "/search?q=" + strconv.Itoa(i)} {
			if status := from(address, path); status != http.StatusOK {
				t.Fatalf("%s from %s: %d", path, address, status)
			}
		}
	}
}

// TestRefusalIsNotShared: a visitor that waits for the answer to the same URL is not refused with
// an address that used up its limit.
func TestRefusalIsNotShared(t *testing.T) {
	w := newWorld(t)
	key, err := (&apikeys.Keys{Store: w.stores.Keys}).Create(t.Context(), editor,
		map[string]any{"name": "small", "kind": "publishable", "rate_limit": json.Number("1000")})
	must.Do(t, err)
	var wg sync.WaitGroup
	for i := range 200 {
		path := Base + "/" + key.PublicKey + "/search?q=" + strconv.Itoa(i)
		for visitor := range 2 {
			wg.Go(func() {
				r := httptest.NewRequest(http.MethodGet, path, nil)
				r.RemoteAddr = "127.6.6.6:4000"
				if visitor == 1 {
					r.RemoteAddr = fmt.Sprintf("127.1.%d.1:4000", i)
				}
				answer := httptest.NewRecorder()
				w.cached.ServeHTTP(answer, r)
				if visitor == 1 && answer.Code != http.StatusOK {
					t.Errorf("%s: %d", r.RemoteAddr, answer.Code)
				}
			})
		}
	}
	wg.Wait()
}

// TestCachedAnswersEqualFreshOnes makes random changes, while others read, and compares every
// address of a set with a fresh answer after each. Of some changes the purge is lost and handed
// over from its row.
func TestCachedAnswersEqualFreshOnes(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	paths := []string{
		"/posts", "/posts?include=author&sort=title", "/authors?per_page=2", "/search?q=title",
		"/posts/feed.xml", "/sitemap-1.xml", "/i18n/locales", "/settings", "/redirects?per_page=1000",
	}
	ids := map[string][]string{}
	for i := range 4 {
		paths = append(paths, fmt.Sprintf("/posts/p%d?include=author", i), fmt.Sprintf("/authors/a%d", i))
	}
	stop, readers := make(chan struct{}), sync.WaitGroup{}
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					get(w.cached, w.base+paths[rand.IntN(len(paths))])
					time.Sleep(time.Millisecond)
				}
			}
		})
	}
	defer func() { close(stop); readers.Wait() }()
	moves := &redirects.Redirects{Store: w.stores.Redirects}
	var made, trash []string
	for step := range 150 {
		w.lose = rand.IntN(3) == 0
		model, prefix := "authors", "a"
		if len(ids["authors"]) > 0 && rand.IntN(2) == 0 {
			model, prefix = "posts", "p"
		}
		status := []any{"published", "published", "draft"}[rand.IntN(3)]
		body := map[string]any{"title": fmt.Sprint("title ", step),
			"slug": fmt.Sprint(prefix, rand.IntN(4)), "status": status}
		if model == "posts" {
			body["data"] = map[string]any{"author": ids["authors"][rand.IntN(len(ids["authors"]))]}
		}
		have := ids[model]
		switch n := rand.IntN(6); {
		case n == 4 && len(made) > 2:
			must.Do(t, moves.Delete(ctx, editor, made[0]))
			made = made[1:]
		case n == 4:
			from, to := fmt.Sprint("/p", rand.IntN(4)), fmt.Sprint("/p", rand.IntN(4))
			if r, err := moves.Create(ctx, editor, map[string]any{"from": from, "to": to}); err == nil { // a loop is refused
				made = append(made, r.ID)
			}
		case n == 5 && len(trash) > 0:
			if rand.IntN(2) == 0 {
				if e, err := w.entries.RestoreFromTrash(ctx, editor, trash[0]); err == nil {
					ids["posts"] = append(ids["posts"], e.ID)
				}
			} else if err := w.entries.Purge(ctx, editor, trash[0]); err != nil {
				t.Fatal(err)
			}
			trash = trash[1:]
		case len(have) == 0 || n == 0:
			if e, err := w.entries.Create(ctx, editor, model, body); err == nil {
				ids[model] = append(have, e.ID)
			}
		case n == 1 && model == "posts":
			i := rand.IntN(len(have))
			must.Do(t, w.entries.Delete(ctx, editor, model, have[i], nil))
			trash = append(trash, have[i])
			ids[model] = append(have[:i:i], have[i+1:]...)
		default:
			_, _ = w.entries.Update(ctx, editor, model, have[rand.IntN(len(have))], body,
				nil) // a taken slug is refused
		}
		w.acknowledge(t)
		for _, p := range paths {
			kept, want := get(w.cached, w.base+p), get(w.fresh, w.base+p)
			if kept.Code != want.Code || kept.Body.String() != want.Body.String() {
				t.Fatalf("step %d, %s (%s): %d %s\nwant %d %s", step, p,
					kept.Header().Get("X-Cache"), kept.Code, kept.Body, want.Code, want.Body)
			}
		}
	}
}

// TestChangesPurgeLittle counts what typical changes remove from the cache of a site of 5,000
// pages: the answers of the pages, each with its author, and those of the lists.
func TestChangesPurgeLittle(t *testing.T) {
	const pages, authors, perList = 5000, 40, 25
	w := newWorld(t)
	ctx := t.Context()
	create := func(model string, data map[string]any) string {
		t.Helper()
		body := map[string]any{"title": model, "status": "published", "data": data}
		e, err := w.entries.Create(ctx, editor, model, body)
		must.Do(t, err)
		return e.ID
	}
	first := create("authors", map[string]any{})
	page := create("posts", map[string]any{"author": first})
	fill := func(path string, tags *cms.Tags) {
		names := append([]string{cms.TagKey("key")}, tags.Names(cms.MaxTags-1)...)
		w.cache.Begin().Put(path, memory.Entry{Value: path, Tags: names, Bytes: 1000})
	}
	id := func(i int) string {
		if i == 0 {
			return page
		}
		return fmt.Sprint("page-", i)
	}
	for i := range pages {
		tags := cms.NewTags()
		tags.Add(cms.TagSchema)
		tags.Entry("posts", id(i))
		if i%authors == 0 {
			tags.Entry("authors", first)
		} else {
			tags.Entry("authors", fmt.Sprint("author-", i%authors))
		}
		fill(fmt.Sprint("/posts/", i, "?include=author"), tags)
	}
	for list := range pages / perList {
		tags := cms.NewTags()
		tags.Add(cms.TagSchema)
		tags.List("posts", "en")
		for i := range perList {
			tags.Entry("posts", id(list*perList+i))
		}
		fill(fmt.Sprint("/posts?page=", list+1), tags)
	}
	for _, change := range []struct {
		what, model, id string
		body            map[string]any
	}{
		{"another title of a page", "posts", page, map[string]any{"title": "Other"}},
		{"another slug of a page", "posts", page, map[string]any{"slug": "other"}},
		{"another name of an author", "authors", first, map[string]any{"title": "Other"}},
		{"the end of a page", "posts", page, map[string]any{"status": "draft"}},
	} {
		before := w.cache.Len()
		if _, err := w.entries.Update(ctx, editor, change.model, change.id, change.body, nil); err != nil {
			t.Fatal(err)
		}
		if removed := before - w.cache.Len(); removed*20 > pages {
			t.Errorf("%s removed %d of %d answers", change.what, removed, before)
		}
	}
	if left := w.cache.Len(); left == pages+pages/perList {
		t.Error("nothing was removed")
	}
}

// TestSpikeReachesTheTableOnce sends 5,000 requests for 50 addresses at a cold cache: of each
// address one is answered, the others wait for it.
func TestSpikeReachesTheTableOnce(t *testing.T) {
	const requests, addresses = 5000, 50
	w := newWorld(t)
	misses := map[string]int{}
	var lines sync.Mutex
	w.cached.LogRequest = func(line db.RequestLine) { lines.Lock(); misses[line.RequestID]++; lines.Unlock() }
	var g sync.WaitGroup
	for i := range requests {
		g.Go(func() {
			if a := get(w.cached, fmt.Sprint(w.base, "/posts?per_page=", 1+i%addresses)); a.Code != http.StatusOK {
				t.Errorf("%d %s", a.Code, a.Body)
			}
		})
	}
	g.Wait()
	if len(misses) != addresses {
		t.Errorf("%d requests were answered from the table, want %d", len(misses), addresses)
	}
}

// TestOneAnswerWhateverElseIsSent reads with parameters that a route does not know: they make no other answer.
func TestOneAnswerWhateverElseIsSent(t *testing.T) {
	w := newWorld(t)
	for path, known := range map[string]string{"/posts": "page=1&sort=title", "/posts/p": "fields=title&locale=en",
		"/posts/tree": "locale=en", "/search": "page=1&q=x", "/settings": "locale=en", "/i18n/locales": "",
		"/redirects": "page=1", "/sitemap.xml": "", "/resolve": "path=/x"} {
		get(w.cached, w.base+path+"?"+known)
		for _, more := range []string{"a=1", "version=published", "filter[data.a]=1"} {
			if strings.HasPrefix(more, "filter") && (path == "/posts" || path == "/search") {
				continue // lists know every filter
			}
			if a := get(w.cached, w.base+path+"?"+more+"&"+known); a.Header().Get("X-Cache") != "hit" {
				t.Errorf("%s with %s: %d %s", path, more, a.Code, a.Header())
			}
		}
	}
}

// TestDocument compares the query parameters of the OpenAPI document with those that the routes know.
func TestDocument(t *testing.T) {
	var doc struct {
		Paths map[string]struct {
			Get struct{ Parameters []struct{ Name, In string } }
		}
	}
	must.Do(t, json.Unmarshal(openapi.DeliveryJSON(), &doc))
	refused := map[*route][]string{searchRoute: {"include", "preview"}, syncRoute: {"preview"}, feedRoute: {"preview"}}
	for path, item := range doc.Paths {
		var got []string
		for _, p := range item.Get.Parameters {
			if p.In == "query" {
				got = append(got, p.Name)
			}
		}
		rt := routeOf(strings.Split(path[1:], "/"))
		want := slice.Without(rt.params, refused[rt])
		switch {
		case rt == treeRoute: // of a model without a tree it is an entry
			want = slices.Clone(urls.NodeParams)
		case rt.filters || rt == entryRoute:
			want = append(slice.Without(want, []string{"filter[locale]"}), "filter")
		}
		if rt.version && rt != treeRoute {
			want = append(want, "version")
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s has the parameters %q, want %q", path, got, want)
		}
	}
}

// discarded is a client that reads nothing.
type discarded struct{ header http.Header }

func (d discarded) Header() http.Header         { return d.header }
func (d discarded) Write(p []byte) (int, error) { return len(p), nil }
func (d discarded) WriteHeader(int)             {}

// BenchmarkHit measures an answer from the cache without the network.
func BenchmarkHit(b *testing.B) {
	w := newWorld(b)
	get(w.cached, w.base+"/posts?locale=en&per_page=20")
	b.ReportAllocs()
	b.RunParallel(func(p *testing.PB) {
		r := httptest.NewRequest(http.MethodGet, w.base+"/posts?per_page=20&locale=en", nil)
		r.Header.Set("Accept-Encoding", "gzip, deflate, br")
		for p.Next() {
			d := discarded{http.Header{}}
			if w.cached.ServeHTTP(d, r); d.header.Get("X-Cache") != "hit" {
				b.Fatal(d.header)
			}
		}
	})
}

// TestRedirectsByCursor reads the redirects page by page until there is no cursor.
func TestRedirectsByCursor(t *testing.T) {
	w := newWorld(t)
	moves := &redirects.Redirects{Store: w.stores.Redirects}
	var want, got []string
	for i := range 5 {
		from := fmt.Sprint("/from", i)
		if _, err := moves.Create(t.Context(), editor, map[string]any{"from": from, "to": "/to"}); err != nil {
			t.Fatal(err)
		}
		want = append(want, from)
	}
	for next := ""; ; {
		a := get(w.fresh, w.base+"/redirects?per_page=2"+next)
		var list struct {
			Data []struct{ From string }
			Meta struct {
				Total int
				Next  *string `json:"next_cursor"`
			}
		}
		if err := json.Unmarshal(a.Body.Bytes(), &list); err != nil || list.Meta.Total != len(want) || len(got) > len(want) {
			t.Fatal(err, a.Body)
		}
		for _, r := range list.Data {
			got = append(got, r.From)
		}
		if list.Meta.Next == nil {
			break
		}
		next = "&cursor=" + url.QueryEscape(*list.Meta.Next)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if a := get(w.fresh, w.base+"/redirects?cursor=wrong"); a.Code != http.StatusBadRequest {
		t.Errorf("%d %s", a.Code, a.Body)
	}
}
