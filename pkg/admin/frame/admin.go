package frame

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

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
	Role    cms.UserRole // the lowest role that may use it; "" needs no sign-in
	Handle  Handler
	// Form, if set, returns the page to show again when a form is refused as invalid. The posted
	// values and the error messages are filled in afterwards.
	Form func(c *Call) (*ui.Page, error)
	// Confirm requires a fresh sign-in: a session that was not confirmed recently must be confirmed
	// first. A GET of JSON needs none.
	Confirm bool
	// For is the method of the form that the route shows, "" for none: who may not send a form does not get it.
	For string
	// Public changes are seen by the public at once, so custom roles also need the right to publish.
	Public bool
}

// Handler answers a call.
type Handler = func(c *Call) (Result, error)

// Wrap wraps the handler of the route with the given method and pattern.
func Wrap(routes []Route, method, pattern string, around func(Handler) Handler) {
	for i := range routes {
		if routes[i].Method == method && routes[i].Pattern == pattern {
			routes[i].Handle = around(routes[i].Handle)
		}
	}
}

// AddToPage returns a wrapper of handlers, for Wrap, that completes the pages of their answers.
func AddToPage(add func(c *Call, page *ui.Page) error) func(Handler) Handler {
	return func(next Handler) Handler {
		return func(c *Call) (Result, error) {
			result, err := next(c)
			if err == nil && result.Page != nil {
				err = add(c, result.Page)
			}
			return result, err
		}
	}
}

// Config holds the settings that New needs besides the services.
type Config struct {
	Log      *slog.Logger
	SiteURL  string // root URL of the service
	MediaURL string // base URL of stored files
	// UploadMax is the largest allowed upload in bytes.
	UploadMax int64
	// Description returns the OpenAPI document of the JSON API of the admin area.
	Description func() []byte
}

// Admin answers requests under Base. Build it with New.
type Admin struct {
	Cfg    Config
	on     Parts
	routes map[string]web.Methods[Route] // by pattern
	mux    *web.Sections
	Pages  *ui.Pages
	csp    string
	cross  *http.CrossOriginProtection
	Unread cachedCount
	tasks  sync.Map // *cachedCount by the id of a user
}

// Parts are the services that the frame itself uses, for sign-in and for the menu.
type Parts struct {
	Sessions *access.Sessions
	Site     *site.Store
	Forms    *forms.Store
	Provider *provider.Provider // nil without a provider
	Passkeys *passkeys.Passkeys
	// OpenTasks counts the tasks that wait for a user.
	OpenTasks func(ctx context.Context, userID string) (int, error)
}

// New builds the admin area from a route table.
func New(cfg Config, on Parts, routes []Route) *Admin {
	a := &Admin{
		Cfg: cfg, on: on, routes: map[string]web.Methods[Route]{},
		Pages: ui.NewPages(),
		csp:   contentPolicy("'self'", cfg.MediaURL, "", "", ""), cross: http.NewCrossOriginProtection(),
	}
	a.mux = web.NewSections(ui.Base, func(w http.ResponseWriter, r *http.Request) {
		c := a.NewCall(w, r)
		err := c.signedIn() // the error page shows the menu of the user
		c.sendResult(Result{}, cmp.Or[error](err, web.ErrNothing))
	})
	// If SITE_URL is not an origin, the configuration is wrong. Only old browsers would notice.
	if err := a.cross.AddTrustedOrigin(cfg.SiteURL); err != nil {
		cfg.Log.Warn("SITE_URL is no origin", "error", err.Error())
	}
	for _, list := range [][]Route{routes, a.OwnRoutes()} {
		for _, r := range list {
			a.routes[r.Pattern] = a.routes[r.Pattern].With(r.Method, r)
		}
	}
	for pattern, methods := range a.routes {
		a.handle(pattern, methods)
	}
	a.mux.HandleFunc("GET "+ui.Base+"/assets/{file}", a.asset)
	a.mux.HandleFunc("GET "+PreviewScript, a.previewScript)
	return a
}

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

func (a *Admin) handle(pattern string, methods web.Methods[Route]) {
	var names []string // of the segments that vary
	for _, segment := range strings.Split(pattern, "/") {
		if strings.HasPrefix(segment, "{") {
			names = append(names, strings.Trim(segment, "{}"))
		}
	}
	a.mux.HandleFunc(ui.Base+pattern, func(w http.ResponseWriter, r *http.Request) {
		for _, name := range names { // ids are stored in lower case
			if id := r.PathValue(name); cms.IsUUID(id) {
				r.SetPathValue(name, strings.ToLower(id))
			}
		}
		c := a.NewCall(w, r)
		c.sendResult(c.answer(methods))
	})
}

// answer admits the request, runs its handler, and turns an error into a page on which one can mend it.
func (c *Call) answer(methods web.Methods[Route]) (result Result, err error) {
	route, err := c.admit(methods)
	if page := c.signInAgain(methods, err); page != nil {
		return Result{Status: http.StatusUnauthorized, Page: page}, nil
	}
	if err == nil {
		result, err = c.runHandler(route)
		if c.User != nil && c.Method != http.MethodGet {
			c.A.cachedTasks(c.User.ID).Forget() // the change may have ended one
		}
	}
	if page := c.confirmFirst(err); page != nil {
		return Result{Status: http.StatusForbidden, Page: page}, nil
	}
	if page := c.refill(route, err); page != nil {
		return c.Refused(AsError(err), page), nil
	}
	return result, err
}

// admit returns the route for a request that may pass: the user is signed in, and token, method and
// role are right. Errors come with the route only if its form can be shown again.
func (c *Call) admit(methods web.Methods[Route]) (Route, error) {
	if err := c.A.on.Site.RequireFormat(c.R.Context()); err != nil {
		return Route{}, err
	}
	if err := c.signedIn(); err != nil {
		return Route{}, err
	}
	isOpen := func(m web.MethodRoute[Route]) bool { return m.Route.Role == "" }
	if c.User == nil && !slices.ContainsFunc(methods, isOpen) {
		return Route{}, cms.Errorf(cms.CodeUnauthorized, "Sign in first.")
	}
	if err := c.parseForm(); err != nil {
		route, ok := methods.Of(c.Method)
		if !ok { // the form is too large, and _method unread
			route, _ = methods.Of(http.MethodPut)
		}
		if c.User == nil || !atLeast(c.User.Role, route.Role) {
			return Route{}, err
		}
		return route, err // its form is shown again
	}
	route, ok := methods.Of(c.Method)
	if !ok {
		return Route{}, c.NotAllowed(methods.Allowed())
	}
	if route.Role != "" && c.User == nil {
		return Route{}, cms.Errorf(cms.CodeUnauthorized, "Sign in first.")
	}
	if err := c.mayUse(c.Method, route); err != nil {
		return Route{}, err
	}
	if err := c.inScope(route); err != nil {
		return Route{}, err
	}
	// The answer is made with c.Site, which is older than a body that still arrives.
	if c.Method != http.MethodGet && strings.HasPrefix(route.Pattern, "/models/{slug}/") {
		if slug := c.R.PathValue("slug"); c.Site.Models[slug] == nil {
			_, err := c.Site.ActiveModel(slug)
			return Route{}, err
		}
	}
	if err := c.checkForgery(route.Role); err != nil {
		return route, err
	}
	if route.Confirm && !(c.JSON && c.Method == http.MethodGet) {
		if err := c.Confirmed(); err != nil {
			return Route{}, err
		}
	}
	return route, nil
}

// atLeast reports whether a role includes the rights of another. A custom role counts as editor:
// its rules are checked separately.
func atLeast(role, least cms.UserRole) bool {
	if !role.IsBuiltin() {
		role = cms.RoleEditor
	}
	order := []cms.UserRole{cms.RoleViewer, cms.RoleEditor, cms.RoleUserAdmin}
	return slices.Index(order, role) >= slices.Index(order, least)
}

// contentPolicy returns the Content-Security-Policy of a page. Pages may load styles, scripts and the
// font of the admin area, and pictures from the media store. Their scripts may send requests to the admin
// area and files to uploadURL ("" if the page uploads none). frameURL is the URL that the page
// shows in a frame, "" for none. formSources are sources to which its forms may lead, besides the admin
// area. Everything else is forbidden.
func contentPolicy(styles, mediaURL, uploadURL, frameURL, formSources string) string {
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
	return "default-src 'none'; style-src " + styles + "; script-src 'self'; font-src 'self'; connect-src " + connect +
		"; img-src " + img +
		"; form-action " + strings.TrimSpace("'self' "+formSources) + "; base-uri 'none'; frame-ancestors 'none'" + frame
}

// Routes returns all routes in no particular order, for tests that try each of them.
func (a *Admin) Routes() (all []Route) {
	for _, methods := range a.routes {
		for _, m := range methods {
			all = append(all, m.Route)
		}
	}
	return all
}

// description returns the route of the OpenAPI document for the JSON API of the admin area.
func (a *Admin) description() Route {
	return Route{Method: "GET", Pattern: "/openapi.json", Handle: func(*Call) (Result, error) {
		return Result{Raw: a.Cfg.Description(), RawType: "application/json; charset=utf-8"}, nil
	}}
}
