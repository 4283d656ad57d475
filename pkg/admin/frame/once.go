package frame

import (
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"time"

	"headless/pkg/admin/ui"
	"headless/pkg/db"
)

// onceCookie carries a new secret from the form that created it to the page that shows it. So the
// secret appears in no URL and no log, and a reload neither shows it again nor creates another.
const onceCookie = "headless_once"

// onceFor is the lifetime of onceCookie in seconds.
const onceFor = 60

// Once returns the cookie that hands a new secret to the page of its item. item is a path below Base. It returns
// nil for JSON, where the secret is in the data.
func (c *Call) Once(item, secret string) *http.Cookie {
	if c.JSON {
		return nil
	}
	return newOnce(c.R, ui.Base+item, base64.RawURLEncoding.EncodeToString([]byte(secret)), onceFor)
}

// ShowOnce shows a new secret on the page of its item, if Once handed it one, and removes its cookie.
func (c *Call) ShowOnce(result Result) Result {
	if cookie, err := c.R.Cookie(onceCookie); err == nil {
		http.SetCookie(c.W, newOnce(c.R, c.R.URL.Path, "", -1))
		if secret, err := base64.RawURLEncoding.DecodeString(cookie.Value); err == nil && len(secret) > 0 {
			result.Page.Notice = "Copy the secret now: it is not shown again."
			result.Page.Secret = []ui.Fact{{Label: "Secret", Pre: string(secret)}}
		}
	}
	return result
}

func newOnce(r *http.Request, path, value string, seconds int) *http.Cookie {
	return &http.Cookie{
		Name: onceCookie, Value: value, Path: path, MaxAge: seconds, HttpOnly: true,
		Secure: !isLocal(r.Host), SameSite: http.SameSiteStrictMode,
	}
}

// handedUndos keeps the ui.Undo of a change for the page after it, as long as onceCookie.
func (c *Call) handedUndos() db.Handed[ui.Undo] {
	return db.Handed[ui.Undo]{DB: c.A.on.Site.DB, Kind: "undo", For: onceFor * time.Second}
}

// handUndo hands the Undo of a change to the page to which the browser goes.
func (c *Call) handUndo(result Result) {
	if result.Undo == nil || result.Redirect == "" || !c.IsForm {
		return
	}
	path, _, _ := strings.Cut(result.Redirect, "?")
	if err := c.handedUndos().Put(c.R.Context(), c.Token+ui.Base+path, *result.Undo); err != nil {
		c.A.Cfg.Log.Warn("no Undo is offered", "request_id", c.RequestID, "error", err.Error())
	}
}

// offerUndo adds the button to the page that has the message about the change.
func (c *Call) offerUndo(page *ui.Page) {
	if !c.R.URL.Query().Has("ok") {
		return
	}
	undo, err := c.handedUndos().Take(c.R.Context(), c.Token+c.R.URL.EscapedPath())
	switch {
	case err == nil:
		page.Next = append([]ui.Action{undo.Action()}, page.Next...)
	case !errors.Is(err, db.ErrNotFound):
		c.A.Cfg.Log.Warn("no Undo is offered", "request_id", c.RequestID, "error", err.Error())
	}
}
