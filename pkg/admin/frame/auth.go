package frame

import (
	"cmp"
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"path"
	"reflect"
	"strings"

	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/web"
)

// sessionCookie is the name of the cookie with the session token. If the service has an https URL,
// the name starts with hostPrefix.
const sessionCookie = "headless_session"

// hostPrefix starts the names of all cookies if the service has an https URL. Browsers accept such
// a cookie only from this host and only over https.
const hostPrefix = "__Host-"

// browserCookie identifies a browser from which somebody has signed in. Failed sign-ins from other
// browsers do not lock it out.
const browserCookie = "headless_browser"

// csrfHeader is the header with the CSRF token of a session, in requests of scripts and in refusals.
const csrfHeader = "X-CSRF-Token"

// browserFor is the lifetime of browserCookie in seconds.
const browserFor = 180 * 24 * 3600

// signedIn identifies the user by bearer token, or by cookie if there is no Authorization header.
// With an invalid or expired token nobody is signed in.
func (c *Call) signedIn() error {
	if header := c.R.Header.Get("Authorization"); header != "" {
		scheme, token, _ := strings.Cut(header, " ")
		if strings.EqualFold(scheme, "Bearer") {
			c.Token = strings.TrimSpace(token)
		}
	} else if cookie, err := c.R.Cookie(c.A.CookieName(sessionCookie)); err == nil {
		c.Token, c.cookie = cookie.Value, true
	}
	if c.Token == "" {
		return nil
	}
	who, err := c.A.on.Sessions.Identify(c.R.Context(), c.Token)
	if err == nil {
		c.Visitor = Visitor{User: &who.User, Role: who.Role, HasTOTP: who.HasTOTP, HasPasskeys: who.HasPasskeys,
			RecoveryCodes: who.RecoveryCodes,
			needsFactor:   who.NeedsFactor, term: who.Term, Token: c.Token, Session: who.Session.ID,
			confirmed: who.Confirmed, scope: who.Session.AccessToken.Granted(), cookie: c.cookie}
		c.R = c.R.WithContext(cms.WithPermissions(c.R.Context(), who.Role.Permissions()))
		c.AskAgain = func() error {
			again, err := c.A.on.Sessions.Identify(c.R.Context(), c.Token)
			if err == nil && (again.NeedsFactor != who.NeedsFactor || again.Role.Slug != who.Role.Slug ||
				!reflect.DeepEqual(again.Role.Rules, who.Role.Rules)) {
				err = web.ErrOtherRights
			}
			return err
		}
		web.AskAgain(c.R, c.AskAgain)
		return c.readSite()
	}
	if cms.CodeOf(err) == cms.CodeUnauthorized {
		c.Token = ""
		return nil
	}
	return err
}

// checkForgery refuses changes that another site makes a browser send. A form must carry the CSRF
// token of the session. JSON bodies need no token: browsers do not send them to another site
// without asking it first. A token that they carry must be right, since the page is that of a session.
// The refusal of a token of another session has the right one in X-CSRF-Token, which only pages of
// this site can read. A GET with a token asks whether it is right. Forms that need no role, such as that of the
// sign-in, need no token either: they stood on their page before the session began.
func (c *Call) checkForgery(role cms.UserRole) error {
	changes := c.R.Method != http.MethodGet && c.R.Method != http.MethodHead
	if !changes && c.R.Header.Get(csrfHeader) == "" || c.R.Header.Get("Authorization") != "" {
		return nil
	}
	if c.A.cross.Check(c.R) != nil {
		return cms.Errorf(cms.CodeForbidden, "This form has expired or came from another site. Load the page again.")
	}
	sent := cmp.Or(c.R.Header.Get(csrfHeader), c.Form.Get("_csrf"))
	if role == "" || c.User == nil || !c.cookie || isJSONBody(c.R) && sent == "" ||
		subtle.ConstantTimeCompare([]byte(sent), []byte(csrf(c.Token))) == 1 {
		return nil
	}
	c.expired = true
	c.W.Header().Set(csrfHeader, csrf(c.Token))
	return cms.Errorf(cms.CodeForbidden,
		"Somebody has signed in here again since this page was loaded. Load the page again.")
}

// NewCookie returns the session cookie. With an empty token it removes the cookie.
func (c *Call) NewCookie(token string, expires cms.Time) *http.Cookie {
	cookie := c.CookieFor(sessionCookie, token, ui.Base, 0)
	cookie.Expires = expires.Time
	return cookie
}

// CookieFor makes a cookie for this host that the browser keeps for some seconds, 0 for as long as it
// runs. With an empty value it removes the cookie. If the service has an https URL, the name gets
// hostPrefix, the path becomes "/" and the cookie is always Secure.
func (c *Call) CookieFor(name, value, path string, seconds int) *http.Cookie {
	cookie := &http.Cookie{
		Name: c.A.CookieName(name), Value: value, Path: path, MaxAge: seconds, HttpOnly: true,
		Secure: !isLocal(c.R.Host), SameSite: http.SameSiteLaxMode,
	}
	if value == "" {
		cookie.MaxAge = -1
	}
	if cookie.Name != name {
		cookie.Path, cookie.Secure = "/", true // required by hostPrefix
	}
	return cookie
}

// CookieName returns the name of a cookie in the browser, with hostPrefix if the service has an
// https URL.
func (a *Admin) CookieName(name string) string {
	if strings.HasPrefix(a.Cfg.SiteURL, "https://") {
		return hostPrefix + name
	}
	return name
}

// isLocal reports whether a Host header names this machine, which serves without TLS.
func isLocal(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// signInPath returns the path of the sign-in page that leads to another page afterwards, "" for any.
func signInPath(next string) string {
	if next == "" || next == ui.Base+"/" {
		return "/login"
	}
	return "/login?next=" + url.QueryEscape(next)
}

// nextHere returns the URL of the requested page or, for a form, of the page that sent it; "" if it
// is unknown.
func nextHere(r *http.Request) string {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return r.URL.RequestURI()
	}
	if from, err := url.Parse(r.Referer()); err == nil && from.Host == r.Host && NextPath(from.RequestURI()) != "/" {
		return from.RequestURI()
	}
	return ""
}

// NextPath returns the page to show after signing in, as a path below Base. URLs outside the admin
// area give "/".
func NextPath(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.IsAbs() || u.Host != "" || strings.ContainsAny(next, "\\\r\n\t") ||
		!strings.HasPrefix(next, ui.Base+"/") || !strings.HasPrefix(path.Clean(u.Path)+"/", ui.Base+"/") {
		return "/"
	}
	return strings.TrimPrefix(next, ui.Base)
}

// OriginOf returns the origin of a URL, "" if it has none.
func OriginOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
