package frame

import (
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"headless/pkg/access"
	"headless/pkg/cms"
	"headless/pkg/site"
	"headless/pkg/web"
)

// Call is one request, with its user and session.
type Call struct {
	web.Exchange
	Visitor
	Method string // of the request, or _method of an HTML form; GET for HEAD
	JSON   bool   // the answer is JSON rather than a page

	A       *Admin
	Site    *site.Site // the part that the user may see, as it was read with the session; nil if nobody is signed in
	Form    url.Values
	IsForm  bool
	Step    *FormStep // nil if the form is to be saved
	expired bool      // the CSRF token of the form is not that of the session
	people  People    // nil until they are read
	// lastPage is the URL of the last page of a list if the call asks for one after it: rows were moved or deleted.
	lastPage string
}

// NewCall makes the call of a request and sets the response headers that all answers share.
func (a *Admin) NewCall(w http.ResponseWriter, r *http.Request) *Call {
	c := &Call{Exchange: web.NewExchange(w, r), A: a, Method: r.Method}
	if c.Method == http.MethodHead {
		c.Method = http.MethodGet
	}
	c.JSON = wantsJSON(r)
	h := w.Header()
	h.Set("Content-Security-Policy", a.csp)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "private, no-store")
	h.Set("Vary", "Accept, Accept-Language, Cookie")
	return c
}

// readSite reads the site, unless nobody is signed in.
func (c *Call) readSite() (err error) {
	if c.User != nil {
		c.Site, err = c.A.on.Site.Site(c.R.Context())
	}
	return err
}

// wantsJSON reports whether the answer is JSON: the request has a JSON body, its Accept header
// prefers JSON to HTML, or that header names neither and the request is none that a browser sends for a
// page. A program that follows the redirect to the sign-in would take its page for success.
func wantsJSON(r *http.Request) bool {
	if isJSONBody(r) {
		return true
	}
	accept := r.Header.Values("Accept")
	asJSON, html := web.Preferred(accept, "application/json"), web.Preferred(accept, "text/html")
	if asJSON.Place+html.Place == 0 {
		return r.Header.Get("Authorization") != "" || !isOfPage(r)
	}
	return asJSON.Before(html)
}

// isOfPage reports whether a browser could have sent the request for a link or a form.
func isOfPage(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodPost && isFormBody(r)
}

func isFormBody(r *http.Request) bool {
	t := mediaType(r)
	return t == "application/x-www-form-urlencoded" || t == multipartType
}

const multipartType = "multipart/form-data"

func isJSONBody(r *http.Request) bool {
	t := mediaType(r)
	return t == "application/json" || strings.HasSuffix(t, "+json")
}

func mediaType(r *http.Request) string {
	t, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) // "" if it is missing or invalid
	return t
}

// Actor returns the user as the author of a change.
func (c *Call) Actor() cms.Actor {
	actor := c.Client().Actor
	if c.User != nil {
		actor.Name, actor.UserID, actor.Term = c.User.Email, c.User.ID, c.term
	}
	return actor
}

// Client returns the origin of the request: IP address, user agent and known browser.
func (c *Call) Client() access.Client {
	from := access.Client{
		Actor:     cms.Actor{Source: cms.SourceAdmin, Address: c.AddressText(), RequestID: c.RequestID},
		UserAgent: c.R.UserAgent(),
	}
	if cookie, err := c.R.Cookie(c.A.CookieName(browserCookie)); err == nil && len(cookie.Value) <= 100 {
		from.Browser = cookie.Value
	}
	return from
}

// runHandler calls the handler. A panic is a bug and becomes a 500.
func (c *Call) runHandler(route Route) (result Result, err error) {
	defer web.Recover(c.A.Cfg.Log, c.RequestID, route.Pattern, &err)
	if _, err := web.Query(c.R.URL.RawQuery); err != nil {
		return Result{}, err
	}
	if c.Step != nil {
		return c.answerStep(route)
	}
	return route.Handle(c)
}

// AsError returns the *cms.Error inside err, nil if there is none.
func AsError(err error) *cms.Error {
	if e, ok := errors.AsType[*cms.Error](err); ok {
		return e
	}
	return nil
}

// NotAllowed returns the error METHOD_NOT_ALLOWED of a path that has other methods, and names them in the header Allow.
func (c *Call) NotAllowed(allowed string) error {
	c.W.Header().Set("Allow", allowed)
	return cms.Errorf(cms.CodeMethodNotAllowed, "%s is not allowed here. Allowed: %s.", c.Method, allowed)
}
