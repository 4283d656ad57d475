// Package cdn is a cache in front of the delivery API, like CloudFront. It caches responses by
// path, query and origin for their lifetime, reads their tags, and removes the objects that an
// invalidation names.
package cdn

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"headless/pkg/web"
)

// Distribution is the id of the only distribution.
const Distribution = "LOCAL"

// CDN is a distribution. The zero value with an origin is an empty cache.
type CDN struct {
	Origin http.Handler
	// Log stores a log file below a key. nil: views are not logged, and the origin answers them.
	Log func(ctx context.Context, key string, file []byte) error

	mu   sync.Mutex
	kept map[string]*object // by what keyOf gives
	seen map[string]bool    // references of invalidations
}

// object is a cached response.
type object struct {
	path, query string
	header      http.Header
	status      int
	body        []byte
	tags        []string
	stored      time.Time
	expires     time.Time
}

// keyOf returns the cache key of a request, by the cache policy of the template.
func keyOf(r *http.Request, query string) string {
	packed := strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
	return strings.Join([]string{r.URL.EscapedPath(), query, r.Header.Get("Origin"),
		strconv.FormatBool(packed)}, "\n")
}

// normaliseQuery sorts a query, like the function DeliveryViewer. It keeps unknown names: the tests of
// that function check them.
func normaliseQuery(query string) string {
	pairs := strings.Split(query, "&")
	pairs = slices.DeleteFunc(pairs, func(pair string) bool { return pair == "" })
	slices.SortStableFunc(pairs, func(a, b string) int { return cmp.Compare(nameOf(a), nameOf(b)) })
	return strings.Join(pairs, "&")
}

func nameOf(pair string) string {
	name, _, _ := strings.Cut(pair, "=")
	if text, err := url.QueryUnescape(name); err == nil {
		return text
	}
	return name
}

// ServeHTTP answers a viewer.
func (c *CDN) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		c.Origin.ServeHTTP(w, r)
		return
	}
	if c.Log != nil && isView(r) {
		c.answerView(w, r)
		return
	}
	query := normaliseQuery(r.URL.RawQuery)
	key := keyOf(r, query)
	if o := c.find(key); o != nil {
		w.Header().Set("Age", strconv.Itoa(int(time.Since(o.stored).Seconds())))
		o.write(w, r, "Hit from cloudfront")
		return
	}
	// Cache complete responses only.
	asked := r.Clone(r.Context())
	asked.URL.RawQuery, asked.Method = query, http.MethodGet
	for _, name := range []string{"If-None-Match", "If-Modified-Since", "Range"} {
		asked.Header.Del(name)
	}
	recorder := httptest.NewRecorder()
	c.Origin.ServeHTTP(recorder, asked)
	o := &object{path: r.URL.Path, query: query, header: recorder.Header(), status: recorder.Code,
		body: recorder.Body.Bytes(), stored: time.Now()}
	if text := o.header.Get("Cache-Tag"); text != "" {
		o.tags = strings.Split(text, ",")
	}
	if left := lifetime(o.header.Get("Cache-Control")); left > 0 {
		o.expires = o.stored.Add(left)
		c.keepObject(key, o)
	}
	o.write(w, r, "Miss from cloudfront")
}

// lifetime returns how long a shared cache may keep a response.
func lifetime(control string) (left time.Duration) {
	for _, directive := range strings.Split(control, ",") {
		directive = strings.TrimSpace(directive)
		if directive == "no-store" || directive == "private" {
			return 0
		}
		if text, ok := strings.CutPrefix(directive, "s-maxage="); ok {
			seconds, _ := strconv.Atoi(text) // 0 if it is not a number: not cached
			left = time.Duration(seconds) * time.Second
		}
	}
	return left
}

func (c *CDN) find(key string) *object {
	c.mu.Lock()
	defer c.mu.Unlock()
	if o := c.kept[key]; o != nil && time.Now().Before(o.expires) {
		return o
	}
	return nil
}

func (c *CDN) keepObject(key string, o *object) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept = map[string]*object{}
	}
	c.kept[key] = o
}

// write responds with an object, or with 304 if the viewer already has it.
func (o *object) write(w http.ResponseWriter, r *http.Request, from string) {
	h := w.Header()
	maps.Copy(h, o.header)
	h.Set("X-Cache", from)
	tag := o.header.Get("ETag")
	if known := r.Header.Values("If-None-Match"); tag != "" && len(known) > 0 && web.MatchesTag(known, tag, true) {
		for _, name := range []string{"Content-Encoding", "Content-Length", "Content-Type"} {
			h.Del(name)
		}
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.WriteHeader(o.status)
	if r.Method != http.MethodHead {
		bytes.NewReader(o.body).WriteTo(w)
	}
}

// remove removes the objects that the items of an invalidation name: #tag, or a path that may end
// in *. A repeated reference changes nothing.
func (c *CDN) remove(reference string, items []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen[reference] {
		return
	}
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	c.seen[reference] = true
	named := map[string]bool{}
	for _, item := range items {
		named[item] = true
	}
	maps.DeleteFunc(c.kept, func(_ string, o *object) bool {
		if slices.ContainsFunc(o.tags, func(tag string) bool { return named["#"+tag] }) {
			return true
		}
		return slices.ContainsFunc(items, func(item string) bool {
			prefix, wild := strings.CutSuffix(item, "*")
			return item == o.path || wild && strings.HasPrefix(o.path, prefix)
		})
	})
}
