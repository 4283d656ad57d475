package frame

import (
	"cmp"
	"log/slog"
	"maps"
	"net/http"
	"strconv"
	"strings"

	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/slice"
	"headless/pkg/web"
)

// Result is the answer of a handler that succeeded.
type Result struct {
	Status   int // 0 means 200
	Data     any // for JSON
	Meta     any // for JSON; nil means {}
	Page     *ui.Page
	Redirect string   // path below Base to which a browser is redirected; Page is not shown
	Undo     *ui.Undo // what takes the change back, for the page that Redirect leads to
	Cookie   *http.Cookie
	Known    *http.Cookie  // a second cookie, which identifies the browser
	Instead  *http.Request // browsers get the answer to this request instead
	// Raw is sent unchanged, to browsers too. RawType is its content type.
	Raw     []byte
	RawType string
	Header  http.Header
}

// ShowPage returns the handler that answers with the page that show makes.
func ShowPage(show func(c *Call) (*ui.Page, error)) Handler {
	return func(c *Call) (Result, error) {
		page, err := show(c)
		return Result{Page: page}, err
	}
}

// File returns the answer that browsers save as a file.
func File(name, contentType string, body []byte) Result {
	return Result{Raw: body, RawType: contentType,
		Header: http.Header{"Content-Disposition": {`attachment; filename="` + name + `"`}}}
}

// CSVFile is File for CSV. If next is not empty, the Link header has the URL of the next part, which begins at that
// cursor.
func (c *Call) CSVFile(name string, body []byte, next string) Result {
	result := File(name, "text/csv; charset=utf-8", body)
	if next != "" {
		rest := c.R.URL.Query()
		rest.Set("cursor", next)
		result.Header.Set("Link", "<"+c.R.URL.Path+"?"+rest.Encode()+`>; rel="next"`)
	}
	return result
}

// sendResult sends the result or the error, as JSON or as a page.
func (c *Call) sendResult(result Result, err error) {
	var body []byte
	contentType := web.JSON
	if err == nil && c.lastPage != "" && c.Method == http.MethodGet {
		result.Redirect = strings.TrimPrefix(c.R.URL.Path, ui.Base) + c.lastPage
	}
	switch {
	case err != nil:
	case result.Raw != nil:
		body, contentType = result.Raw, result.RawType
	case c.JSON && result.Status == http.StatusNoContent:
	case c.JSON:
		if body, err = web.Envelope(result.Data, result.Meta); err == nil && len(body) > web.MaxAnswer {
			err = web.ErrAnswerTooLarge
		}
	default:
		contentType = "text/html; charset=utf-8"
		if result.Redirect == "" && result.Page != nil {
			body, err = c.render(result.Page)
		}
	}
	h := c.W.Header()
	maps.Copy(h, result.Header)
	if result.Cookie != nil {
		http.SetCookie(c.W, result.Cookie)
	}
	if result.Known != nil {
		http.SetCookie(c.W, result.Known)
	}
	if err != nil {
		result, body, contentType = c.failure(err)
	}
	c.handUndo(result)
	if result.Instead != nil && !c.JSON {
		c.A.ServeHTTP(c.W, result.Instead)
		return
	}
	if result.Redirect != "" && !c.JSON {
		c.W.Header().Set("Location", ui.Base+result.Redirect)
		c.sendBody(http.StatusSeeOther, nil, "")
		return
	}
	c.sendBody(result.Status, body, contentType)
}

// titles are the titles of the error pages by HTTP status, whose own names say little to editors.
var titles = map[int]say.Text{
	http.StatusBadRequest:            "This request is not valid",
	http.StatusUnauthorized:          "Sign in first",
	http.StatusForbidden:             "You may not do this",
	http.StatusNotFound:              "Not found",
	http.StatusMethodNotAllowed:      "This is not possible here",
	http.StatusConflict:              "This is not possible now",
	http.StatusGone:                  "This no longer exists",
	http.StatusPreconditionFailed:    "This was changed meanwhile",
	http.StatusRequestEntityTooLarge: "This is too large",
	http.StatusUnsupportedMediaType:  "This type is not accepted",
	http.StatusUnprocessableEntity:   "Some values are not accepted",
	http.StatusTooManyRequests:       "Too many attempts",
	http.StatusServiceUnavailable:    "Not available right now",
}

// failure returns the answer to an error. A browser without a session is redirected to the sign-in
// page.
func (c *Call) failure(err error) (Result, []byte, string) {
	e := c.Fail(c.A.Cfg.Log, err)
	switch e.Code { // the admin area has one code for everything that is missing (decisions §1)
	case cms.CodeModelNotFound, cms.CodeEntryNotFound, cms.CodeFileNotFound, cms.CodeFormNotFound:
		e = cms.Errorf(cms.CodeNotFound, "%s", e.Message)
	}
	status := web.StatusOf(e.Code)
	if e.Code == cms.CodeTOTPRequired && c.User != nil {
		status = http.StatusForbidden
		if !c.JSON {
			if c.HasPasskeys {
				return Result{Redirect: "/confirm"}, nil, ""
			}
			return Result{Redirect: "/totp"}, nil, ""
		}
	}
	if c.JSON {
		if e.Code == cms.CodeUnauthorized {
			c.W.Header().Set("WWW-Authenticate", `Bearer realm="admin"`)
		}
		return Result{Status: status}, web.ErrorEnvelope(c.InLanguage(e)), web.JSON
	}
	if e.Code == cms.CodeUnauthorized && c.User == nil {
		return Result{Redirect: signInPath(nextHere(c.R))}, nil, ""
	}
	page := &ui.Page{Title: cmp.Or(titles[status], "Something went wrong"), Error: e}
	if back := nextHere(c.R); back != "" && c.R.Method == http.MethodPost {
		page.Links = []ui.Link{{Text: "Go back", Href: back}}
	}
	body, renderErr := c.render(c.keepTyped(page))
	if renderErr != nil {
		c.A.Cfg.Log.Error("error page", "request_id", c.RequestID, "error", renderErr.Error())
		return Result{Status: status}, []byte(e.Message), "text/plain; charset=utf-8"
	}
	return Result{Status: status}, body, "text/html; charset=utf-8"
}

func (c *Call) sendBody(status int, body []byte, contentType string) {
	if len(body) == 0 {
		contentType = ""
	}
	c.Send(cmp.Or(status, http.StatusOK), contentType, body)
	c.A.Cfg.Log.LogAttrs(c.R.Context(), slog.LevelInfo, "admin request",
		slog.String("request_id", c.RequestID),
		slog.String("method", c.R.Method), slog.String("route", c.R.Pattern), slog.Int("status", c.Status),
		slog.Float64("ms", c.Milliseconds()))
}

// ListMeta is the paging information of a list, for the meta of the JSON envelope.
type ListMeta struct {
	Page          int     `json:"page"`
	PerPage       int     `json:"per_page"`
	Total         int     `json:"total"`
	TotalRelation string  `json:"total_relation,omitempty"`
	NextCursor    *string `json:"next_cursor,omitempty"`
	Plan          any     `json:"plan,omitempty"`
}

// Meta returns the paging information of a page of a list.
func Meta[T any](p db.Page[T]) ListMeta {
	m := ListMeta{Page: p.Page, PerPage: p.PerPage, Total: p.Total, Plan: p.Plan}
	if p.Estimate {
		m.TotalRelation = "estimate"
	}
	if p.Next != "" {
		m.NextCursor = &p.Next
	}
	return m
}

// Table answers with a list that has no filters: JSON with a page of the items that read returns, browsers with page,
// whose List gets a row for each.
func Table[T any](c *Call, page *ui.Page, read func(p db.Paging) (db.Page[T], error),
	row func(v T) ui.Row) (Result, error) {
	p, err := c.PlainPaging()
	if err != nil {
		return Result{}, err
	}
	list, err := read(p)
	if err != nil {
		return Result{}, err
	}
	if list.Items == nil {
		list.Items = []T{} // for JSON
	}
	page.List.Rows = slice.Map(list.Items, row)
	page.List = Paged(c, page.List, list)
	return Result{Data: list.Items, Meta: Meta(list), Page: page}, nil
}

// Paged adds the links to the previous and next page, the total, the range and the filters that are
// set to a list.
func Paged[T any](c *Call, l *ui.List, p db.Page[T]) *ui.List {
	l.Total, l.Chips = p.Total, ui.Chips(l.Filters, c.R.URL.Query())
	at := func(page int) string {
		q := c.R.URL.Query()
		q.Set("page", strconv.Itoa(page))
		return "?" + q.Encode()
	}
	next := func() string {
		q := c.R.URL.Query()
		q.Del("page")
		q.Set("cursor", p.Next)
		return "?" + q.Encode()
	}
	from := p.Offset() + 1
	to := p.Offset() + len(p.Items)
	if p.Page > 1 {
		l.Prev = at(p.Page - 1)
		if last := max(1, (p.Total+p.PerPage-1)/max(p.PerPage, 1)); to < from && !p.Estimate && last < p.Page {
			c.lastPage = at(last)
		}
	}
	switch {
	case to < p.Total:
		l.Next = at(p.Page + 1)
	case p.Next != "": // the total is a lower bound
		l.Next = next()
	}
	if last := (p.Total + p.PerPage - 1) / max(p.PerPage, 1); last > 2 && !p.Estimate {
		l.Pages = ui.PageLinks(p.Page, last, at)
	}
	if len(p.Items) > 0 {
		l.Range = say.F("{1}–{2} of {3}", from, to, p.Total)
		if p.Estimate {
			l.Range = say.F("{1}–{2} of {3}+", from, to, p.Total)
		}
	}
	return l
}

// Refused returns a page with the HTTP status of an error.
func (c *Call) Refused(e *cms.Error, page *ui.Page) Result {
	web.SetRetryAfter(c.W.Header(), e)
	return Result{Status: web.StatusOf(e.Code), Page: page}
}
