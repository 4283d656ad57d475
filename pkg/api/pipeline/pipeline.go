package pipeline

import (
	"log/slog"
	"net/http"
	"net/url"
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
	Pattern string // below Base, as net/http patterns
	Handle  Handler
	Scope   string // scope that the key needs; "" is none
	Public  bool   // needs no key
	// Params are the query parameters that the route knows; "filter" stands for filter[…]. Others
	// are named in meta.ignored.
	Params []string
	// Made shows what the route's change makes (db.Tx.Made) as Handle answers it, for requests with
	// an Idempotency-Key whose answer is kept in the commit; nil where it is kept behind it.
	Made func(c *Call, made any) (Answer, error)
	// MayKey lets a public route take a key: with credentials it is served as one that needs them.
	MayKey bool
}

// API answers requests under Base. Build it with New.
type API struct {
	keys   *apikeys.Store
	log    *slog.Logger
	lines  func(db.RequestLine)
	routes map[string]map[string]Route // by pattern and method
	mux    *http.ServeMux
	root   string

	lookups  gates          // of keys with a wrong secret
	refusals gates          // lines of the request log
	below    *http.ServeMux // routes below an entry, nil where there are none
}

// Config is what New needs.
type Config struct {
	Keys *apikeys.Store // opens the site, too
	Log  *slog.Logger
	// LogRequest takes the line of every authenticated request; it must not wait.
	LogRequest func(db.RequestLine)
	// SiteURL is the root address of the service, for addresses in documents and links; "" takes
	// the request's in links.
	SiteURL string
}

// reserved are the first segments that never name a model (decisions §1).
var reserved = []string{"upload", "search", "i18n", "forms", "settings", "ping"}

// anyMethod is what a preflight of an address that is no route allows.
const anyMethod = "DELETE, GET, HEAD, OPTIONS, POST, PUT"

// parameter is a part of a pattern that takes one segment.
var parameter = regexp.MustCompile(`\{[^}.]*\}`)

// New builds the API of some route tables: all of them in the embedded server, one in a function.
func New(cfg Config, tables ...[]Route) *API {
	a := &API{
		keys: cfg.Keys, log: cfg.Log, lines: cfg.LogRequest, routes: map[string]map[string]Route{},
		mux: http.NewServeMux(), root: cfg.SiteURL,
		lookups: gates{every: wrongEvery}, refusals: gates{every: time.Minute / refusedPerMinute},
	}
	for _, r := range slices.Concat(tables...) {
		if a.routes[r.Pattern] == nil {
			a.routes[r.Pattern] = map[string]Route{}
			a.handle(r.Pattern)
		}
		a.routes[r.Pattern][r.Method] = r
	}
	taken := map[string]bool{}
	for pattern := range a.routes {
		taken[parameter.ReplaceAllString(pattern, "{any}")] = true
	}
	for _, first := range reserved {
		for _, pattern := range []string{"/" + first, "/" + first + "/{any}", "/" + first + "/{any}/{more}"} {
			if !taken[pattern] {
				a.mux.HandleFunc(Base+pattern, a.notFound)
			}
		}
	}
	a.mux.HandleFunc("/", a.notFound)
	return a
}

// BelowEntry begins the patterns of the routes below an entry, which have one more segment. To
// net/http such a pattern would contradict others of three segments, such as /upload/files/{id}; so
// they have a mux of their own.
const BelowEntry = "/{model}/{idOrSlug}/"

// muxOf is the mux that a pattern belongs to.
func (a *API) muxOf(pattern string) *http.ServeMux {
	if !strings.HasPrefix(pattern, BelowEntry) {
		return a.mux
	}
	if a.below == nil {
		a.below = http.NewServeMux()
		a.below.HandleFunc("/", a.notFound)
		a.mux.Handle(Base+BelowEntry+"{below}", a.below)
	}
	return a.below
}

func (a *API) handle(pattern string) {
	methods := a.routes[pattern]
	a.muxOf(pattern).HandleFunc(Base+pattern, func(w http.ResponseWriter, r *http.Request) {
		c := newCall(a, w, r)
		route, ok := methods[r.Method]
		if !ok && r.Method == http.MethodHead {
			route, ok = methods[http.MethodGet]
		}
		c.route = &route
		switch {
		case r.Method == http.MethodOptions:
			a.preflight(c, web.AllowedMethods(methods, http.MethodOptions))
		case !ok:
			c.route = nil
			w.Header().Set("Allow", web.AllowedMethods(methods, http.MethodOptions))
			c.publicCORS()
			c.write(Answer{},
				cms.Errorf(cms.CodeMethodNotAllowed, "%s is not allowed here. Allowed: %s.",
					r.Method, web.AllowedMethods(methods, http.MethodOptions)))
		case route.Public && !(route.MayKey && c.hasCredentials()):
			a.servePublic(c, route)
		default:
			a.serveKeyed(c, route)
		}
	})
}

// ServeHTTP answers one request. It never redirects: a path that is not clean is no route.
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
		a.preflight(c, anyMethod) // so that a page may read the 404
		return
	}
	c.publicCORS()
	c.write(Answer{}, cms.Errorf(cms.CodeNotFound, "There is nothing at this address."))
}

// hasCredentials reports whether a request carries any part of an API key.
func (c *Call) hasCredentials() bool {
	return c.R.Header.Get("X-API-Key") != "" || c.R.Header.Get("X-API-Secret") != ""
}

func (a *API) servePublic(c *Call, route Route) {
	c.publicCORS()
	answer, err := a.run(c, route)
	c.write(answer, err)
}

// run calls the handler; a panic is a bug and becomes a 500.
func (a *API) run(c *Call, route Route) (answer Answer, err error) {
	defer web.Recover(a.log, c.RequestID, route.Pattern, &err)
	if _, err := url.ParseQuery(c.R.URL.RawQuery); err != nil {
		return Answer{},
			cms.Errorf(cms.CodeBadRequest,
				"The query string is malformed: %%, & and ; in a value must be percent-encoded.")
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
