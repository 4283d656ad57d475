package admin

import (
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Tab leads to one of several lists of the same things. Count is "" where it is not known.
type Tab struct {
	Text, Href, Count string
	Here              bool
}

// Head is the header of a column. Href sorts by it, Order is ascending, descending or "".
type Head struct{ Title, Href, Order string }

// Chooser is a form that chooses the columns of a list; Hidden keeps the rest of the address.
type Chooser struct {
	Field  Field
	Hidden []Field
}

// Bulk is a form about the selected rows. All is the text of a box that selects every match, "" for
// none.
type Bulk struct {
	Action  string
	Name    string // of the buttons' values; "" is action
	Hidden  []Field
	Buttons []BulkButton
	All     string
}

// BulkButton sends Bulk with an action.
type BulkButton struct {
	Label, Value string
	Danger       bool
}

type bulkView struct {
	*Bulk
	CSRF string
}

// with is the address of the same list with other parameters, from its first page. "" removes one.
func with(query url.Values, pairs ...string) string {
	next := maps.Clone(query)
	for _, name := range []string{"page", "cursor", "ok", "all"} {
		next.Del(name)
	}
	maps.DeleteFunc(next, unset)
	for i := 0; i+1 < len(pairs); i += 2 {
		next.Del(pairs[i])
		if pairs[i+1] != "" {
			next.Set(pairs[i], pairs[i+1])
		}
	}
	if len(next) == 0 {
		return "?all=true" // not what the browser remembers
	}
	return "?" + next.Encode()
}

// unset reports whether a parameter is an empty choice of a form. No columns are a choice.
func unset(name string, values []string) bool {
	return name != "columns" && strings.Join(values, "") == ""
}

// hidden keeps the parameters of an address in a form, but for its own fields and the page.
func hidden(query url.Values, own ...string) []Field {
	var fields []Field
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if slices.Contains(own, name) || slices.Contains([]string{"page", "cursor", "ok", "all"},
			name) || unset(name, query[name]) {
			continue
		}
		for _, value := range query[name] {
			fields = append(fields, Field{Name: name, Kind: "hidden", Value: value})
		}
	}
	return fields
}

// heads are headers that sort a list by the path of each column; "" is a column that cannot sort.
func heads(query url.Values, titles, paths []string, standard string) []Head {
	sort := query.Get("sort")
	if sort == "" {
		sort = standard
	}
	first, _, _ := strings.Cut(sort, ",")
	path, desc := strings.CutPrefix(first, "-")
	list := make([]Head, len(titles))
	for i, title := range titles {
		list[i].Title = title
		if paths[i] == "" {
			continue
		}
		list[i].Href = with(query, "sort", paths[i])
		if path == paths[i] && desc {
			list[i].Order = "descending"
		} else if path == paths[i] {
			list[i].Order, list[i].Href = "ascending", with(query, "sort", "-"+path)
		}
	}
	return list
}

// viewCookie holds the filters that a user last saw a list with. Its path is that of the list.
const viewCookie = "view"

// maxView is the length of an address that is remembered, in bytes.
const maxView = 1500

// remembering makes a list come back with the filters that it was left with. The parameter all
// forgets them.
func remembering(list handler) handler {
	return func(c *Call) (Result, error) {
		if c.JSON || c.User == nil {
			return list(c)
		}
		query := c.R.URL.Query()
		kept := maps.Clone(query)
		for _, name := range []string{"ok", "page", "cursor"} {
			kept.Del(name)
		}
		maps.DeleteFunc(kept, unset)
		if last := c.lastView(); len(kept) == 0 && query.Get("page") == "" && len(last) > 0 {
			if ok := query.Get("ok"); ok != "" {
				last.Set("ok", ok)
			}
			return Result{Redirect: strings.TrimPrefix(c.R.URL.Path, Base) + "?" + last.Encode()}, nil
		}
		result, err := list(c)
		if err != nil {
			return Result{Cookie: c.viewCookie("", -1)}, err // an address that no longer works is not kept
		}
		if len(kept) > 0 {
			kept.Del("all")
			if text := kept.Encode(); text == "" {
				result.Cookie = c.viewCookie("", -1)
			} else if len(text) <= maxView {
				result.Cookie = c.viewCookie(c.User.ID+"?"+text, 0)
			}
		}
		return result, nil
	}
}

func (c *Call) viewCookie(value string, seconds int) *http.Cookie {
	return &http.Cookie{
		Name: viewCookie, Value: base64.RawURLEncoding.EncodeToString([]byte(value)),
		Path: c.R.URL.Path, MaxAge: seconds,
		HttpOnly: true, Secure: !isLocal(c.R.Host), SameSite: http.SameSiteStrictMode,
	}
}

// lastView is the address that the user left the list with; nil where there is none.
func (c *Call) lastView() url.Values {
	cookie, err := c.R.Cookie(viewCookie)
	if err != nil {
		return nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	if err != nil {
		return nil
	}
	user, text, _ := strings.Cut(string(raw), "?")
	query, err := url.ParseQuery(text)
	if err != nil || user != c.User.ID {
		return nil
	}
	return query
}
