package frame

import (
	"cmp"
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strings"

	"headless/pkg/access"
	"headless/pkg/access/passkeys"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/forms"
	"headless/pkg/oidc/provider"
	"headless/pkg/site"
	"headless/pkg/web"
)

// Route is one line of a route table.
type Route struct {
	Method  string
	Pattern string       // below Base, as net/http patterns; "/{$}" is the dashboard
	Role    cms.UserRole // the least role that may use it; "" needs no sign-in
	Handle  Handler
	// Form, where set, is the page to show again when a browser's post is refused as invalid; the
	// posted values and messages are filled in.
	Form func(c *Call) (*ui.Page, error)
	// Confirm is set where a session that was not confirmed for a while must be first.
	Confirm bool
}

// Handler answers a call.
type Handler = func(c *Call) (Result, error)

// Config is what New needs beside the services.
type Config struct {
	Log      *slog.Logger
	SiteURL  string // root address of the service
	MediaURL string // address below which stored files are served
	// UploadMax is the size of an uploaded file in bytes.
	UploadMax int64
	// Description returns the OpenAPI document of the JSON side.
	Description func() []byte
}

// Admin answers requests under Base. Build it with New.
type Admin struct {
	Cfg    Config
	on     Parts
	routes map[string]map[string]Route // by pattern and method
	mux    *web.Sections
	Pages  *ui.Pages
	csp    string
	cross  *http.CrossOriginProtection
	Unread unreadCount
}

// Parts are what the frame itself works on: who is signed in, and what the menu shows.
type Parts struct {
	Sessions *access.Sessions
	Site     *site.Store
	Forms    *forms.Store
	Provider *provider.Provider // nil: none
	Passkeys *passkeys.Passkeys
}

// New builds the admin area of some routes.
func New(cfg Config, on Parts, routes []Route) *Admin {
	a := &Admin{
		Cfg: cfg, on: on, routes: map[string]map[string]Route{},
		Pages: ui.NewPages(),
		csp:   contentPolicy("'self'", cfg.MediaURL, "", ""), cross: http.NewCrossOriginProtection(),
	}
	a.mux = web.NewSections(ui.Base, func(w http.ResponseWriter, r *http.Request) {
		c := a.NewCall(w, r)
		err := c.signedIn() // the page has the menu of whoever is
		c.finish(Result{}, cmp.Or(err, NothingHere()))
	})
	// An address that is no origin is a mistake of the configuration that only old browsers would
	// notice.
	if err := a.cross.AddTrustedOrigin(cfg.SiteURL); err != nil {
		cfg.Log.Warn("SITE_URL is no origin", "error", err.Error())
	}
	for _, r := range append(routes, a.OwnRoutes()...) {
		if a.routes[r.Pattern] == nil {
			a.routes[r.Pattern] = map[string]Route{}
			a.handle(r.Pattern)
		}
		a.routes[r.Pattern][r.Method] = r
	}
	a.mux.HandleFunc("GET "+ui.Base+"/assets/{file}", a.asset)
	a.mux.HandleFunc("GET "+PreviewScript, a.previewScript)
	return a
}

// NothingHere is the NOT_FOUND of an address that leads nowhere.
func NothingHere() error { return cms.Errorf(cms.CodeNotFound, "There is nothing at this address.") }

// ServeHTTP answers one request.
func (a *Admin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p := r.URL.Path
	if p == ui.Base {
		r = r.Clone(r.Context())
		r.URL.Path = ui.Base + "/"
	} else if path.Clean(p) != strings.TrimSuffix(p, "/") {
		r = r.Clone(r.Context())
		r.URL.Path = "/unclean" // net/http would redirect
	}
	a.mux.ServeHTTP(w, r)
}

func (a *Admin) handle(pattern string) {
	methods := a.routes[pattern]
	a.mux.HandleFunc(ui.Base+pattern, func(w http.ResponseWriter, r *http.Request) {
		c := a.NewCall(w, r)
		var result Result
		route, err := c.admit(methods)
		if page := c.signInAgain(methods, err); page != nil {
			c.finish(Result{Status: http.StatusUnauthorized, Page: page}, nil)
			return
		}
		if page := c.confirmFirst(err); page != nil {
			c.finish(Result{Status: http.StatusForbidden, Page: page}, nil)
			return
		}
		if err == nil {
			result, err = c.run(route)
		}
		if page := c.refill(route, err); page != nil {
			c.finish(Result{Status: web.StatusOf(AsError(err).Code), Page: page}, nil)
			return
		}
		c.finish(result, err)
	})
}

// admit finds the route of a request that may pass: signed in, with a right token, method and role.
func (c *Call) admit(methods map[string]Route) (Route, error) {
	if err := c.A.on.Site.RequireFormat(c.R.Context()); err != nil {
		return Route{}, err
	}
	if err := c.signedIn(); err != nil {
		return Route{}, err
	}
	if c.User == nil && !slices.ContainsFunc(values(methods), func(r Route) bool { return r.Role == "" }) {
		return Route{}, cms.Errorf(cms.CodeUnauthorized, "Sign in first.")
	}
	if err := c.parseForm(); err != nil {
		route := methods[c.Method]
		if c.User == nil || !AtLeast(c.User.Role, route.Role) {
			return Route{}, err
		}
		return route, err // whose form comes back
	}
	route, ok := methods[c.Method]
	if !ok {
		c.w.Header().Set("Allow", web.AllowedMethods(methods))
		return Route{}, cms.Errorf(cms.CodeMethodNotAllowed, "%s is not allowed here. Allowed: %s.",
			c.Method, web.AllowedMethods(methods))
	}
	if route.Role != "" && c.User == nil {
		return Route{}, cms.Errorf(cms.CodeUnauthorized, "Sign in first.")
	}
	if err := c.checkForgery(); err != nil {
		return Route{}, err
	}
	if err := c.mayUse(c.Method, route); err != nil {
		return Route{}, err
	}
	if err := c.unconfirmed(route); err != nil {
		return Route{}, err
	}
	return route, nil
}

// AtLeast reports whether a role may use what another may. A role that is not built in counts as an
// editor: what it may do there is up to its rules.
func AtLeast(role, least cms.UserRole) bool {
	if !role.IsBuiltin() {
		role = cms.RoleEditor
	}
	order := []cms.UserRole{cms.RoleViewer, cms.RoleEditor, cms.RoleUserAdmin}
	return slices.Index(order, role) >= slices.Index(order, least)
}

func values(methods map[string]Route) []Route {
	list := make([]Route, 0, len(methods))
	for _, r := range methods {
		list = append(list, r)
	}
	return list
}

// contentPolicy lets pages use styles, load the area's own files and pictures of the media store,
// its script ask the area and send files to uploadURL, "" for pages that send none, and nothing
// else; frameURL is what a page shows in a frame.
func contentPolicy(styles, mediaURL, uploadURL, frameURL string) string {
	img, connect := "'self' data:", "'self'"
	if origin := OriginOf(mediaURL); origin != "" {
		img += " " + origin
	}
	if origin := OriginOf(uploadURL); origin != "" {
		connect += " " + origin
	}
	frame := ""
	if origin := OriginOf(frameURL); origin != "" {
		frame = "; frame-src " + origin
	}
	return "default-src 'none'; style-src " + styles + "; script-src 'self'; connect-src " + connect +
		"; img-src " + img +
		"; form-action 'self'; base-uri 'none'; frame-ancestors 'none'" + frame
}

// Routes are all routes, in no order, for tests that try each of them.
func (a *Admin) Routes() (all []Route) {
	for _, methods := range a.routes {
		for _, r := range methods {
			all = append(all, r)
		}
	}
	return all
}
