package frame

import (
	"errors"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"headless/pkg/access"
	"headless/pkg/cms"
	"headless/pkg/web"
)

// Call is one request, as handlers see it.
type Call struct {
	R         *http.Request
	Method    string    // of the request, or what an HTML form asks for by _method; GET for HEAD
	User      *cms.User // nil on routes without sign-in
	JSON      bool      // the answer is JSON rather than a page
	RequestID string

	A                    *Admin
	w                    http.ResponseWriter
	start                time.Time
	role                 cms.Role // of User
	Session              string   // id of the session; "" for access tokens
	HasTOTP, hasPasskeys bool     // of User
	needsFactor          bool     // of User and the session
	confirmed            cms.Time // until when the sign-in counts as fresh; zero for access tokens
	Token                string   // of the session
	cookie               bool     // the token came by cookie
	Form                 url.Values
	IsForm               bool
	Step                 *FormStep // what a form asks for in between; nil when it is sent for good
}

// NewCall begins to answer a request.
func (a *Admin) NewCall(w http.ResponseWriter, r *http.Request) *Call {
	c := &Call{R: r, A: a, w: w, start: time.Now(), RequestID: web.RequestID(r), Method: r.Method}
	if c.Method == http.MethodHead {
		c.Method = http.MethodGet
	}
	c.JSON = wantsJSON(r)
	h := w.Header()
	h.Set("X-Request-Id", c.RequestID)
	h.Set("Content-Security-Policy", a.csp)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "private, no-store")
	h.Set("Vary", "Accept, Cookie")
	return c
}

// wantsJSON tells a program from a browser: it sends JSON, would rather have JSON than HTML, or
// signs by a bearer token and asks for neither.
func wantsJSON(r *http.Request) bool {
	if isJSONBody(r) {
		return true
	}
	asJSON, html := accepted(r, "application/json"), accepted(r, "text/html")
	if asJSON == (preference{}) && html == (preference{}) {
		return r.Header.Get("Authorization") != ""
	}
	return asJSON.q > html.q || asJSON.q == html.q && asJSON.q > 0 && asJSON.place < html.place
}

// preference is how much an Accept header wants a type that it names, and where it does so, from 1;
// the zero one where it does not.
type preference struct {
	q     float64
	place int
}

func accepted(r *http.Request, contentType string) preference {
	for i, part := range strings.Split(strings.Join(r.Header.Values("Accept"), ","), ",") {
		t, params, err := mime.ParseMediaType(part)
		if err != nil || t != contentType {
			continue
		}
		q, err := strconv.ParseFloat(params["q"], 64)
		if err != nil {
			q = 1
		}
		return preference{q, i + 1}
	}
	return preference{}
}

func isJSONBody(r *http.Request) bool {
	t := mediaType(r)
	return t == "application/json" || strings.HasSuffix(t, "+json")
}

func mediaType(r *http.Request) string {
	t, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) // "" where there is none or it is broken
	return t
}

// Actor is the user as the author of a change.
func (c *Call) Actor() cms.Actor {
	actor := c.Client().Actor
	if c.User != nil {
		actor.Name = c.User.Email
	}
	return actor
}

// Address is that of the client, which no header of the client's can change.
func (c *Call) Address() string {
	host, _, err := net.SplitHostPort(c.R.RemoteAddr)
	if err != nil {
		host = c.R.RemoteAddr
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return ""
	}
	return addr.Unmap().String()
}

// Client says where the call comes from.
func (c *Call) Client() access.Client {
	from := access.Client{
		Actor:     cms.Actor{Source: cms.SourceAdmin, Address: c.Address(), RequestID: c.RequestID},
		UserAgent: c.R.UserAgent(),
	}
	if cookie, err := c.R.Cookie(c.A.CookieName(browserCookie)); err == nil && len(cookie.Value) <= 100 {
		from.Browser = cookie.Value
	}
	return from
}

// run calls the handler; a panic is a bug and becomes a 500.
func (c *Call) run(route Route) (result Result, err error) {
	defer web.Recover(c.A.Cfg.Log, c.RequestID, route.Pattern, &err)
	if c.Step != nil {
		return c.stepped(route)
	}
	return route.Handle(c)
}

// AsError is the client's error inside err, nil where there is none.
func AsError(err error) *cms.Error {
	var e *cms.Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}
