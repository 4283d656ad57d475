package frame

import (
	"encoding/base64"
	"net/http"

	"headless/pkg/admin/ui"
)

// onceCookie carries a new secret from the answer to the form that made it to the page that shows
// it, so that it stands in no address and no log, and loading the page again neither shows it again
// nor makes another one.
const onceCookie = "headless_once"

// onceFor is how many seconds a browser has for the way to the page.
const onceFor = 60

// Once hands a new secret to the page of its item, below Base; nil for JSON, which has it in the
// data.
func (c *Call) Once(item, secret string) *http.Cookie {
	if c.JSON {
		return nil
	}
	return c.newOnce(ui.Base+item, base64.RawURLEncoding.EncodeToString([]byte(secret)), onceFor)
}

// ShowOnce puts a secret that was made just now on the page of its item, and has the browser forget
// it.
func (c *Call) ShowOnce(result Result) Result {
	cookie, err := c.R.Cookie(onceCookie)
	if err != nil {
		return result
	}
	result.Cookie = c.newOnce(c.R.URL.Path, "", -1)
	if secret, err := base64.RawURLEncoding.DecodeString(cookie.Value); err == nil && len(secret) > 0 {
		result.Page.Notice = "Copy the secret now: it is not shown again."
		result.Page.Secret = []ui.Fact{{Label: "Secret", Pre: string(secret)}}
	}
	return result
}

func (c *Call) newOnce(path, value string, seconds int) *http.Cookie {
	return &http.Cookie{
		Name: onceCookie, Value: value, Path: path, MaxAge: seconds, HttpOnly: true,
		Secure: !isLocal(c.R.Host), SameSite: http.SameSiteStrictMode,
	}
}
