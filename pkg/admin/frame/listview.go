package frame

import (
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"headless/pkg/admin/ui"
	"headless/pkg/db"
)

// viewCookie holds the filters with which a user last saw a list. Its path is the path of the list.
const viewCookie = "view"

// maxView is the length of the longest query that is remembered, in bytes.
const maxView = 1500

// Listed answers browsers with the page that show makes of one page of items, and JSON with asJSON.
func Listed(asJSON Handler, show func(c *Call, p db.Paging) (*ui.Page, error)) Handler {
	return Remembering(func(c *Call) (Result, error) {
		if c.JSON {
			return asJSON(c)
		}
		p, err := c.Paging()
		if err != nil {
			return Result{}, err
		}
		if err := c.RefuseNames("fields", "include"); err != nil {
			return Result{}, err
		}
		page, err := show(c, p)
		return Result{Page: page}, err
	})
}

// Remembering makes a list open with the filters that the user last chose. The query parameter all
// resets them.
func Remembering(list Handler) Handler {
	return func(c *Call) (Result, error) {
		if c.JSON || c.User == nil {
			return list(c)
		}
		query := c.R.URL.Query()
		kept := maps.Clone(query)
		for _, name := range []string{"ok", "page", "cursor"} {
			kept.Del(name)
		}
		maps.DeleteFunc(kept, ui.Unset)
		if last := lastView(c.R, c.User.ID); len(kept) == 0 && query.Get("page") == "" && len(last) > 0 {
			if ok := query.Get("ok"); ok != "" {
				last.Set("ok", ok)
			}
			return Result{Redirect: strings.TrimPrefix(c.R.URL.Path, ui.Base) + "?" + last.Encode()}, nil
		}
		result, err := list(c)
		if err != nil {
			return Result{Cookie: newView(c.R, "", -1)}, err // forget filters that fail
		}
		if len(kept) > 0 {
			kept.Del("all")
			if text := kept.Encode(); text == "" {
				result.Cookie = newView(c.R, "", -1)
			} else if len(text) <= maxView {
				result.Cookie = newView(c.R, c.User.ID+"?"+text, 0)
			}
		}
		return result, nil
	}
}

// newView returns the cookie with the filters of the list at the path of a request.
func newView(r *http.Request, value string, seconds int) *http.Cookie {
	return &http.Cookie{
		Name: viewCookie, Value: base64.RawURLEncoding.EncodeToString([]byte(value)),
		Path: r.URL.Path, MaxAge: seconds,
		HttpOnly: true, Secure: !isLocal(r.Host), SameSite: http.SameSiteStrictMode,
	}
}

// lastView returns the query with which a user last saw the list, nil if there is none.
func lastView(r *http.Request, userID string) url.Values {
	cookie, err := r.Cookie(viewCookie)
	if err != nil {
		return nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	if err != nil {
		return nil
	}
	user, text, _ := strings.Cut(string(raw), "?")
	query, err := url.ParseQuery(text)
	if err != nil || user != userID {
		return nil
	}
	return query
}
