package admin

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"headless/pkg/access"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
)

// TestHostCookie: if the service has an https address, the session's cookie is this host's
// alone; browsers refuse the prefix on other cookies.
func TestHostCookie(t *testing.T) {
	for siteURL, prefixed := range map[string]bool{"https://cms.example.com": true,
		"http://localhost:3000": false, "": false} {
		a := &frame.Admin{Cfg: frame.Config{SiteURL: siteURL}}
		for _, token := range []string{"token", ""} {
			c := a.NewCall(httptest.NewRecorder(),
				httptest.NewRequest("GET", "http://localhost:3000/admin/login", nil))
			cookie := c.NewCookie(token, cms.Time{})
			if err := cookie.Valid(); err != nil || cookie.Domain != "" || !cookie.HttpOnly ||
				(cookie.MaxAge < 0) != (token == "") {
				t.Errorf("%q: %v %v", siteURL, cookie, err)
			}
			if prefixed != (cookie.Name == "__Host-headless_session") ||
				prefixed != (cookie.Path == "/") || prefixed != cookie.Secure {
				t.Errorf("%q: %v", siteURL, cookie)
			}
			for _, other := range []*http.Cookie{c.SignedInAs(access.Session{Browser: "b"},
				"/").Known, c.CookieFor("headless_oidc", token, ui.Base+"/oidc", 600)} {
				if err := other.Valid(); err != nil || other.Domain != "" || !other.HttpOnly ||
					prefixed != strings.HasPrefix(other.Name, "__Host-headless_") ||
					prefixed != other.Secure || prefixed != (other.Path == "/") {
					t.Errorf("%q: %v %v", siteURL, other, err)
				}
			}
		}
	}
}
