// Package delivery serves reads for browsers and CDNs under /delivery/v1/{key}/ (extensions §8):
// the reads of the API without request headers, cacheable for a day under tags.
//
// The handlers of the API (pipeline.Reader) make the answers, for a publishable key. Without a CDN,
// the embedded server caches answers in memory under the same contract. Changes of content remove
// answers from either cache by tag; see package purge.
//
// What always holds: an answer holds no hidden field, nothing that its key may not read, and no
// draft unless it has a preview token. It depends only on the path and on the query parameters that
// its route knows.
package delivery

import (
	"context"
	"log/slog"
	"net/http"
	"path"
	"strings"

	"golang.org/x/sync/singleflight"

	"headless/pkg/api/pipeline"
	"headless/pkg/apikeys"
	"headless/pkg/assets"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/purge/memory"
	"headless/pkg/web"
)

// Base is the path prefix of every route; the public key follows.
const Base = "/delivery/v1"

// methods lists the methods of every route.
const methods = "GET, HEAD, OPTIONS"

// Config holds the dependencies of a Handler.
type Config struct {
	Keys    *apikeys.Store
	Log     *slog.Logger
	Entries *editing.Entries
	Media   *assets.Media // reads records only
	// Reader makes the answers of routes that the API has too.
	Reader *pipeline.Reader
	// Cache stores answers in this process; nil if a CDN stores them, or nothing does.
	Cache *memory.Cache
	// Seen counts a view of an entry for a public key. It must not block. nil where a CDN counts.
	Seen func(key, entry string)
	// SiteURL is the configured URL of the service, without a slash at the end.
	SiteURL string
	// LogRequest is called for every request that no cache answered. It must not block.
	LogRequest func(db.RequestLine)
}

// Handler answers requests under Base. Create it with New.
type Handler struct {
	Config
	flights singleflight.Group // by generation of the cache and name of the answer
}

// New returns a handler.
func New(cfg Config) *Handler { return &Handler{Config: cfg} }

// call is one request.
type call struct {
	web.Exchange
	h *Handler
}

// request holds everything that an answer depends on.
type request struct {
	key   string // public key
	path  string // after the key, "/posts/hello"
	route *route
	query keptParams
}

// ServeHTTP answers one request. It never redirects.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{Exchange: web.NewExchange(w, r), h: h}
	req, ok := parse(r.URL.Path)
	if !ok {
		c.writeAnswer(c.errorAnswer(web.ErrNothing), nil)
		return
	}
	switch {
	case r.Method == http.MethodOptions:
		c.preflight(req)
	case !c.IsRead():
		c.refuseMethod(req)
	default:
		c.answerRead(req)
	}
}

// parse splits a path; ok is false if no route matches it.
func parse(p string) (request, bool) {
	rest, ok := strings.CutPrefix(p, Base+"/")
	key, subpath, found := strings.Cut(rest, "/")
	if !ok || !found || key == "" || subpath == "" || path.Clean(p) != p {
		return request{}, false
	}
	req := request{key: key, path: "/" + subpath}
	req.route = routeOf(strings.Split(subpath, "/"))
	return req, req.route != nil
}

// answerError answers a request with an error, after it has read the key.
func (c *call) answerError(req request, err error) {
	o, unknown := c.h.openKey(c.R.Context(), req.key)
	if unknown != nil {
		err = unknown
	}
	c.writeAnswer(c.h.errorAnswer(c.RequestID, o.Key, err), nil)
}

// answerRead answers GET and HEAD.
func (c *call) answerRead(req request) {
	var err error
	if req.query, err = req.route.parseQuery(c.R.URL.RawQuery); err != nil {
		c.answerError(req, err)
		return
	}
	if req.route == seenRoute {
		c.answerView(req)
		return
	}
	if c.h.Cache == nil || !req.route.cached || req.query.values.Has("preview") {
		a := c.h.computeAnswer(c.R.Context(), c, req)
		c.writeAnswer(a, nil)
		c.log(a)
		return
	}
	name := req.key + req.path + "?" + req.query.text
	if e, ok := c.h.Cache.Get(name); ok {
		c.writeAnswer(e.Value.(*answer), &e)
		return
	}
	a, led := c.h.share(c.R.Context(), name,
		func(ctx context.Context) *answer { return c.h.computeAnswer(ctx, c, req) })
	if !led && a.status == http.StatusTooManyRequests { // another address was refused
		a, led = c.h.computeAnswer(c.R.Context(), c, req), true
	}
	c.writeAnswer(a, nil)
	if led {
		c.log(a)
	}
}

// searches reports whether a request is a search or a list with filters, which cost more.
func (r request) searches() bool {
	if r.route != listRoute || r.query.values.Has("q") {
		return r.route == searchRoute || r.route == listRoute
	}
	for range web.Filters(r.query.values) {
		return true
	}
	return false
}
