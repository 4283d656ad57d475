package delivery

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"headless/pkg/apikeys"
	"headless/pkg/cms"
	"headless/pkg/purge/memory"
	"headless/pkg/web"
)

const (
	// day is the longest time that a cache may keep an answer, in seconds.
	day = 86_400
	// A cache may receive an answer after the purge of a change that the answer does not show. A purge
	// leaves 2 to 3 seconds after its change, so only an answer that was older than freshAge when it left
	// may come too late. It is stored for staleTime only, and not at all if it was older than that.
	freshAge  = time.Second
	staleTime = 5 * time.Second
)

// answer is a complete answer, in the form in which the cache stores it.
type answer struct {
	status  int
	body    []byte
	mime    string
	etag    string // "" for errors
	header  http.Header
	key     *apikeys.Key // nil if the key in the path does not exist
	tags    []string     // cache tags; empty if the answer is not cacheable
	expires time.Time    // when the key expires; zero means never
	origin  bool         // the origin of the request was refused
	began   time.Time    // before anything was read for it

	pack   sync.Once
	plain  *form
	packed *form // compressed; nil if that is not smaller
}

// errorAnswer returns the answer of an error that occurred before the key was read.
func (c *call) errorAnswer(err error) *answer { return c.h.errorAnswer(c.RequestID, nil, err) }

// errorAnswer returns the answer of an error. It must not be cached.
func (h *Handler) errorAnswer(id string, key *apikeys.Key, err error) *answer {
	e := web.Safe(h.Log, id, err)
	a := &answer{status: web.StatusOf(e.Code), body: web.ErrorEnvelope(e), mime: web.JSON,
		key: key, header: http.Header{}}
	web.SetRetryAfter(a.header, e)
	for name := range a.header {
		if strings.HasPrefix(name, "X-Ratelimit-") {
			a.header.Del(name)
		}
	}
	a.header.Set("Cache-Control", "no-store")
	return a
}

// cacheable adds the headers that let caches store the answer under tags, until the key expires.
func (a *answer) cacheable(tags *cms.Tags, now time.Time) {
	a.tags = append([]string{cms.TagKey(a.key.ID)}, tags.Names(cms.MaxTags-1)...)
	if slices.Contains(a.tags, cms.TagEntries) { // too many entries of too many models to name
		a.tags = nil
		a.header.Set("Cache-Control", "no-store")
		return
	}
	a.header.Set("Cache-Tag", strings.Join(a.tags, ","))
	a.header.Set("Cache-Control",
		"public, max-age=0, s-maxage=86400, stale-while-revalidate=60, stale-if-error=86400")
	if a.expires = a.key.ExpiresAt.Time; a.expires.IsZero() {
		return
	}
	if left := int(a.expires.Sub(now).Seconds()); left < day {
		a.header.Set("Cache-Control", "public, max-age=0, s-maxage="+strconv.Itoa(max(0, left)))
	}
}

// limitAge changes the headers of an answer that leaves so long after it was begun that a purge may
// overtake it.
func limitAge(h http.Header, age time.Duration) {
	if h.Get("Cache-Tag") == "" {
		return
	}
	switch {
	case age > staleTime:
		h.Set("Cache-Control", "no-store")
		h.Del("Cache-Tag")
	case age > freshAge:
		h.Set("Cache-Control", "public, max-age=0, s-maxage=5")
	}
}

// expiry returns when a cache that stores the answer now removes it.
func (a *answer) expiry(now time.Time) time.Time {
	end := now.Add(day * time.Second)
	if !a.expires.IsZero() && a.expires.Before(end) {
		return a.expires
	}
	return end
}

// bytes returns about how much memory an answer takes in the cache, with its compressed form.
func (a *answer) bytes() int { return len(a.body)*3/2 + 200*len(a.tags) + 1000 }

// writeAnswer sends an answer. hit is its cache entry, nil if it was computed for this request.
func (c *call) writeAnswer(a *answer, hit *memory.Entry) {
	if a.key != nil && !a.origin && !c.originAllowed(a.key) {
		a = c.h.errorAnswer(c.RequestID, a.key,
			cms.Errorf(cms.CodeOriginNotAllowed, "This origin is not on the key's list."))
		a.origin, hit = true, nil
	}
	f := a.formFor(web.AcceptsGzip(c.R.Header))
	h := c.W.Header()
	maps.Copy(h, f.header)
	if hit == nil {
		limitAge(h, c.h.Keys.Now().Sub(a.began))
	}
	c.allowOrigin(a)
	if c.h.Cache != nil {
		h["X-Cache"] = cacheMiss
		if hit != nil {
			h["X-Cache"] = cacheHit
			h.Set("Age", strconv.Itoa(max(0, int(c.h.Keys.Now().Sub(hit.Stored).Seconds()))))
		}
	}
	if c.answerUnchanged(a) {
		return
	}
	c.W.WriteHeader(a.status)
	if c.R.Method != http.MethodHead {
		_, _ = c.W.Write(f.body) // an error means that the client is gone
	}
}

// The values of X-Cache.
var cacheHit, cacheMiss = []string{"hit"}, []string{"miss"}
