package frame

import (
	"encoding/base64"
	"net/http"

	"headless/pkg/admin/ui"
)

// onceCookie carries a new secret from the form that created it to the page that shows it. So the
// secret appears in no URL and no log, and a reload neither shows it again nor creates another.
const onceCookie = "headless_once"

// onceFor is the lifetime of onceCookie in seconds.
const onceFor = 60

// Once returns the cookie that hands a new secret, or another text for one page only, to the page of its
// item. item is a path below Base. It returns nil for JSON, where the secret is in the data.
func (c *Call) Once(item, secret string) *http.Cookie {
	if c.JSON {
		return nil
	}
	return c.newOnce(ui.Base+item, base64.RawURLEncoding.EncodeToString([]byte(secret)), onceFor)
}

// ShowOnce shows a new secret on the page of its item, if there is one.
func (c *Call) ShowOnce(result Result) Result {
	if secret := c.TakeOnce(); secret != "" {
		result.Page.Notice = "Copy the secret now: it is not shown again."
		result.Page.Secret = []ui.Fact{{Label: "Secret", Pre: secret}}
	}
	return result
}

// TakeOnce returns what Once handed to this page and removes its cookie. It is "" if there is none.
func (c *Call) TakeOnce() string {
	cookie, err := c.R.Cookie(onceCookie)
	if err != nil {
		return ""
	}
	http.SetCookie(c.W, c.newOnce(c.R.URL.Path, "", -1))
	text, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	if err != nil {
		return ""
	}
	return string(text)
}

func (c *Call) newOnce(path, value string, seconds int) *http.Cookie {
	return &http.Cookie{
		Name: onceCookie, Value: value, Path: path, MaxAge: seconds, HttpOnly: true,
		Secure: !isLocal(c.R.Host), SameSite: http.SameSiteStrictMode,
	}
}
