package frame

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net"
	"net/http"
	"net/url"
	"strings"

	"headless/pkg/admin/ui"
	"headless/pkg/cms"
)

// sessionCookie holds the token of a browser's session where the service has no https address.
const sessionCookie = "headless_session"

// hostPrefix begins the names of all cookies where it has one: browsers take such a cookie from
// this host alone, and only over https.
const hostPrefix = "__Host-"

// browserCookie marks a browser from which somebody has signed in: wrong tries of others do not
// lock it out.
const browserCookie = "headless_browser"

// browserDays is how long a browser keeps that cookie.
const browserDays = 180

// signedIn finds out who sends the request: by bearer token, else by cookie. A token that is no
// longer good is nobody's.
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
		c.User, c.role, c.Session = &who.User, who.Role, who.Session.ID
		c.HasTOTP, c.hasPasskeys, c.needsFactor = who.HasTOTP, who.HasPasskeys, who.NeedsFactor
		c.confirmed = who.Confirmed
		c.R = c.R.WithContext(cms.WithPermissions(c.R.Context(), who.Role.Permissions()))
		return nil
	}
	if e := AsError(err); e != nil && e.Code == cms.CodeUnauthorized {
		c.Token = ""
		return nil
	}
	return err
}

// checkForgery refuses a change that another site makes a browser send. A form must carry the
// session's own token; JSON and the methods that no form has are things which browsers do not send
// across sites without asking.
func (c *Call) checkForgery() error {
	if c.R.Method == http.MethodGet || c.R.Method == http.MethodHead ||
		c.R.Header.Get("Authorization") != "" {
		return nil
	}
	if err := c.A.cross.Check(c.R); err != nil {
		return errForged()
	}
	if c.User == nil || !c.cookie || isJSONBody(c.R) {
		return nil
	}
	sent := c.R.Header.Get("X-CSRF-Token")
	if sent == "" {
		sent = c.Form.Get("_csrf")
	}
	if subtle.ConstantTimeCompare([]byte(sent), []byte(c.csrf())) != 1 {
		return errForged()
	}
	return nil
}

func errForged() error {
	return cms.Errorf(cms.CodeForbidden,
		"This form has expired or came from another site. Load the page again.")
}

// csrf is the token of the session's forms. It says nothing about the session's own token.
func (c *Call) csrf() string { return csrfOf(c.Token) }

func csrfOf(token string) string {
	sum := sha256.Sum256([]byte("csrf " + token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// NewCookie carries a session; an empty token ends it.
func (c *Call) NewCookie(token string, expires cms.Time) *http.Cookie {
	cookie := c.CookieFor(sessionCookie, token, ui.Base)
	cookie.Expires = expires.Time
	if token == "" {
		cookie.MaxAge = -1
	}
	return cookie
}

// CookieFor makes a cookie of this host. Where the service has an https address, the prefix of its
// name takes away the limit to a path.
func (c *Call) CookieFor(name, value, path string) *http.Cookie {
	cookie := &http.Cookie{
		Name: c.A.CookieName(name), Value: value, Path: path, HttpOnly: true,
		Secure: !isLocal(c.R.Host), SameSite: http.SameSiteLaxMode,
	}
	if cookie.Name != name {
		cookie.Path, cookie.Secure = "/", true // what the prefix asks for
	}
	return cookie
}

// CookieName is the name of a cookie as browsers know it.
func (a *Admin) CookieName(name string) string {
	if strings.HasPrefix(a.Cfg.SiteURL, "https://") {
		return hostPrefix + name
	}
	return name
}

// isLocal reports whether a Host header names this machine, where there is no TLS.
func isLocal(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// signInPath leads to the sign-in page and back to the page that was asked for, or from which a
// form was sent.
func (c *Call) signInPath() string {
	next := c.nextHere()
	if next == "" || next == ui.Base+"/" {
		return "/login"
	}
	return "/login?next=" + url.QueryEscape(next)
}

// nextHere is the page that the user is on or goes to, "" where it is unknown.
func (c *Call) nextHere() string {
	if c.R.Method == http.MethodGet || c.R.Method == http.MethodHead {
		return c.R.URL.RequestURI()
	}
	if from, err := url.Parse(c.R.Referer()); err == nil && from.Host == c.R.Host &&
		NextPath(from.RequestURI()) != "/" {
		return from.RequestURI()
	}
	return ""
}

// NextPath is the page to go on to after signing in, below Base; only pages of this area count.
func NextPath(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.IsAbs() || u.Host != "" || strings.ContainsAny(next, "\\\r\n\t") ||
		!strings.HasPrefix(next, ui.Base+"/") {
		return "/"
	}
	return strings.TrimPrefix(next, ui.Base)
}

// OriginOf is the origin of an address, "" where it has none.
func OriginOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
