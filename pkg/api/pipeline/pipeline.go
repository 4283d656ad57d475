package pipeline

import (
	"log/slog"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"headless/pkg/apikeys"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/web"
)

// Base is the path prefix of every route.
const Base = "/api/v1"

// Handler serves one route: it returns an answer or an error, and writes nothing itself.
type Handler func(c *Call) (Answer, error)

// Route is one line of the route table.
type Route struct {
	Method  string
	Pattern string // below Base, in the syntax of net/http
	Handle  Handler
	Scope   string // required scope of the key; "": none
	Public  bool   // needs no key
	// Params are the query parameters that the route supports; "filter" means filter[…]. Other
	// parameters are named in meta.ignored.
	Params []string
	// Made returns the answer of Handle before the commit, from the result of the change
	// (db.Tx.Made). So the answer to a request with an Idempotency-Key is stored in the commit. Each
	// POST that takes an API key has it.
	Made func(c *Call, made any) (Answer, error)
	// MayKey means that the key of a public route is optional: a request with credentials is
	// authenticated.
	MayKey bool
}

// API answers requests under Base. Build it with New.
type API struct {
	keys   *apikeys.Store
	log    *slog.Logger
	lines  func(db.RequestLine)
	routes map[string]web.Methods[Route] // by pattern
	mux    *http.ServeMux
	root   string

	lookups  gates          // limits lookups of keys with a wrong secret
	refusals gates          // limits log lines of refused requests
	entryMux *http.ServeMux // routes below an entry; nil: none
}

// Config has the dependencies of New.
type Config struct {
	Keys *apikeys.Store // includes the site
	Log  *slog.Logger
	// LogRequest receives the log line of every authenticated request. It must not block.
	LogRequest func(db.RequestLine)
	// SiteURL is the root URL of the service, for URLs in documents and links. If it is "", links
	// use the URL of the request.
	SiteURL string
}

// reserved are the first path segments that are never a model (decisions §1).
var reserved = []string{"upload", "search", "i18n", "forms", "settings", "ping"}

// anyMethod is the list of methods in the preflight response for a path without a route.
const anyMethod = "DELETE, GET, HEAD, OPTIONS, POST, PUT"

// parameter matches the wildcard of one segment in a pattern.
var parameter = regexp.MustCompile(`\{[^}.]*\}`)

// New builds the API from route tables: all of them in the embedded server, one in a function.
func New(cfg Config, tables ...[]Route) *API {
	a := &API{
		keys: cfg.Keys, log: cfg.Log, lines: cfg.LogRequest, routes: map[string]web.Methods[Route]{},
		mux: http.NewServeMux(), root: cfg.SiteURL,
		lookups: gates{every: wrongEvery}, refusals: gates{every: time.Minute / refusedPerMinute},
	}
	for _, r := range slices.Concat(tables...) {
		a.routes[r.Pattern] = a.routes[r.Pattern].With(r.Method, r)
	}
	taken := map[string]bool{}
	for pattern, methods := range a.routes {
		a.handle(pattern, methods)
		taken[parameter.ReplaceAllString(pattern, "{any}")] = true
	}
	handleOthers(a.mux, Base, taken, a.notFound)
	return a
}

// handleOthers makes none answer all paths without a route. No model has a reserved segment as its slug, so paths below
// one do not match the routes of models. taken has the patterns with a route.
func handleOthers(mux *http.ServeMux, base string, taken map[string]bool, none http.HandlerFunc) {
	for _, first := range reserved {
		for _, below := range []string{"", "/{any}", "/{any}/{more}"} {
			if pattern := "/" + first + below; !taken[pattern] {
				mux.HandleFunc(base+pattern, none)
			}
		}
	}
	mux.HandleFunc("/", none)
}

// BelowEntry is the prefix of routes below an entry, which have one more segment. They have a mux
// of their own, because net/http would report a conflict with other patterns of three segments,
// such as /upload/files/{id}.
const BelowEntry = "/{model}/{idOrSlug}/"

// muxOf returns the mux for a pattern.
func (a *API) muxOf(pattern string) *http.ServeMux {
	if !strings.HasPrefix(pattern, BelowEntry) {
		return a.mux
	}
	if a.entryMux == nil {
		a.entryMux = http.NewServeMux()
		a.entryMux.HandleFunc("/", a.notFound)
		a.mux.Handle(Base+BelowEntry+"{below}", a.entryMux)
	}
	return a.entryMux
}

func (a *API) handle(pattern string, methods web.Methods[Route]) {
	a.muxOf(pattern).HandleFunc(Base+pattern, func(w http.ResponseWriter, r *http.Request) {
		c := newCall(a, w, r)
		route, ok := methods.Of(r.Method)
		if !ok && r.Method == http.MethodHead {
			route, ok = methods.Of(http.MethodGet)
		}
		c.route = &route
		switch {
		case r.Method == http.MethodOptions:
			a.preflight(c, methods.Allowed(http.MethodOptions))
		case !ok:
			c.route = nil
			w.Header().Set("Allow", methods.Allowed(http.MethodOptions))
			c.publicCORS()
			c.writeAnswer(Answer{},
				cms.Errorf(cms.CodeMethodNotAllowed, "%s is not allowed here. Allowed: %s.",
					r.Method, methods.Allowed(http.MethodOptions)))
		case route.Public && !(route.MayKey && c.hasCredentials()):
			a.servePublic(c, route)
		default:
			a.serveKeyed(c, route)
		}
	})
}

// ServeHTTP answers one request. It never redirects: an unclean path matches no route.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p := r.URL.Path; path.Clean(p) != p {
		a.notFound(w, r)
		return
	}
	a.mux.ServeHTTP(w, r)
}

func (a *API) notFound(w http.ResponseWriter, r *http.Request) {
	c := newCall(a, w, r)
	if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
		a.preflight(c, anyMethod) // so that a page can read the 404
		return
	}
	c.publicCORS()
	c.writeAnswer(Answer{}, web.ErrNothing)
}

// hasCredentials reports whether a request has any part of an API key.
func (c *Call) hasCredentials() bool {
	return c.R.Header.Get("X-API-Key") != "" || c.R.Header.Get("X-API-Secret") != ""
}

func (a *API) servePublic(c *Call, route Route) {
	c.publicCORS()
	answer, err := a.runHandler(c, route)
	c.writeAnswer(answer, err)
}

// runHandler calls the handler. A panic is a bug and becomes a 500.
func (a *API) runHandler(c *Call, route Route) (answer Answer, err error) {
	defer web.Recover(a.log, c.RequestID, route.Pattern, &err)
	if err := checkQuery(c.R.URL.RawQuery, route.Params); err != nil {
		return Answer{}, err
	}
	if c.Site == nil {
		if c.Site, err = a.keys.Site(c.Context()); err != nil {
			return Answer{}, err
		}
	}
	if c.Key != nil {
		c.restrict()
	}
	answer, err = route.Handle(c)
	answer.tags = c.Tags
	return answer, err
}

// checkQuery makes the checks that all routes share: of the encoding, of repeated parameters, and of the supported
// parameters that are either true or false. Error: BAD_REQUEST.
func checkQuery(raw string, supported []string) error {
	q, err := web.Query(raw)
	if err != nil {
		return err
	}
	for _, name := range []string{"draft", "fallback", "translations", "urls"} {
		if _, bad := web.Flag(q, name); bad != nil && slices.Contains(supported, name) {
			return bad
		}
	}
	return web.CheckRepeated(q, supported)
}
