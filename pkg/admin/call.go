package admin

import (
	"errors"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/httpjson"
	"headless/pkg/service"
	"headless/pkg/store"
)

// Call is one request, as handlers see it.
type Call struct {
	R         *http.Request
	Method    string    // of the request, or what an HTML form asks for by _method; GET for HEAD
	User      *cms.User // nil on routes without sign-in
	JSON      bool      // the answer is JSON rather than a page
	RequestID string

	a      *Admin
	w      http.ResponseWriter
	start  time.Time
	token  string // of the session
	cookie bool   // the token came by cookie
	form   url.Values
	isForm bool
}

// Result is what a handler gives back on success.
type Result struct {
	Status   int // 0: 200
	Data     any // for JSON
	Meta     any // for JSON; nil: {}
	Page     *Page
	Redirect string // where a browser goes instead of seeing Page, below Base
	Cookie   *http.Cookie
	// Raw, with its content type, is sent as it is, to browsers too.
	Raw     []byte
	RawType string
	Header  http.Header
}

func (a *Admin) newCall(w http.ResponseWriter, r *http.Request) *Call {
	c := &Call{R: r, a: a, w: w, start: time.Now(), RequestID: uuid.NewString(), Method: r.Method}
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
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Accept, Cookie")
	return c
}

// wantsJSON tells a program from a browser: it asks for JSON, sends JSON or signs by a bearer token.
func wantsJSON(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	html, asJSON := strings.Index(accept, "text/html"), strings.Index(accept, "application/json")
	if asJSON >= 0 && (html < 0 || asJSON < html) {
		return true
	}
	return html < 0 && (isJSONBody(r) || r.Header.Get("Authorization") != "")
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
	if c.User == nil {
		return cms.Actor{Source: cms.SourceAdmin}
	}
	return cms.Actor{Name: c.User.Email, Source: cms.SourceAdmin}
}

// Body is the JSON object of the request, the fields of its form, or an empty object where there is no body.
func (c *Call) Body() (map[string]any, error) {
	if c.isForm {
		return service.FromForm(c.form), nil
	}
	if c.R.ContentLength == 0 {
		return map[string]any{}, nil
	}
	return httpjson.DecodeBody(c.R)
}

// List is the JSON list of the request.
func (c *Call) List() ([]any, error) {
	if !isJSONBody(c.R) {
		return nil, cms.Errorf(cms.CodeUnsupportedMedia, "Send the body as application/json.")
	}
	body, err := httpjson.ReadBody(c.R, httpjson.MaxBody)
	if err != nil {
		return nil, err
	}
	v, err := cms.DecodeJSON(body)
	if err != nil {
		return nil, err
	}
	list, ok := v.([]any)
	if !ok {
		return nil, cms.Errorf(cms.CodeBadRequest, "The body must be a JSON list.")
	}
	return list, nil
}

// Form is what a browser's form sent, nil for other bodies.
func (c *Call) Form() url.Values { return c.form }

// parseForm reads the body of an HTML form, and the method it asks for.
func (c *Call) parseForm() error {
	t := mediaType(c.R)
	limit, over := int64(httpjson.MaxBody), cms.CodePayloadTooLarge
	switch {
	case c.R.Method != http.MethodPost:
		return nil
	case t == "multipart/form-data" && c.User != nil:
		limit, over = c.a.cfg.UploadMax+httpjson.MaxBody, cms.CodeFileTooLarge
	case t != "application/x-www-form-urlencoded":
		return nil
	}
	tooLarge := cms.Errorf(over, "The body is over %d bytes.", limit)
	if c.R.ContentLength > limit {
		return tooLarge
	}
	c.R.Body = http.MaxBytesReader(c.w, c.R.Body, limit)
	var err error
	if t == "multipart/form-data" {
		err = c.R.ParseMultipartForm(limit)
	} else {
		err = c.R.ParseForm()
	}
	var cut *http.MaxBytesError
	switch {
	case errors.As(err, &cut):
		return tooLarge
	case err != nil:
		return cms.Errorf(cms.CodeBadRequest, "The form cannot be read.")
	}
	c.form, c.isForm = c.R.PostForm, true
	switch m := strings.ToUpper(c.form.Get("_method")); m {
	case http.MethodPut, http.MethodPatch, http.MethodDelete:
		c.Method = m
	}
	return nil
}

// Paging reads page and per_page: 25 a page by default, 100 at most. Others than positive whole numbers are BAD_REQUEST.
func (c *Call) Paging() (store.Paging, error) {
	const perPage, maxPerPage, maxPage = 25, 100, 1_000_000
	p := store.Paging{Page: 1, PerPage: perPage}
	query := c.R.URL.Query()
	for name, target := range map[string]*int{"page": &p.Page, "per_page": &p.PerPage} {
		text := query.Get(name)
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return p, cms.Errorf(cms.CodeBadRequest, "%s must be a positive whole number.", name)
		}
		*target = n
	}
	p.Page, p.PerPage = min(p.Page, maxPage), min(p.PerPage, maxPerPage)
	return p, nil
}

// run calls the handler; a panic is a bug and becomes a 500.
func (c *Call) run(route Route) (result Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			c.a.cfg.Log.Error("panic", "request_id", c.RequestID, "panic", p, "route", route.Pattern, "stack", string(debug.Stack()))
			err = cms.Errorf(cms.CodeInternal, "%s", httpjson.InternalMessage)
		}
	}()
	return route.Handle(c)
}

// asError is the client's error inside err, nil where there is none.
func asError(err error) *cms.Error {
	var e *cms.Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// finish sends the result or the error, as JSON or as a page.
func (c *Call) finish(result Result, err error) {
	var body []byte
	contentType := "application/json; charset=utf-8"
	switch {
	case err != nil:
	case result.Raw != nil:
		body, contentType = result.Raw, result.RawType
	case c.JSON && result.Status == http.StatusNoContent:
	case c.JSON:
		body, err = httpjson.Envelope(result.Data, result.Meta)
	default:
		contentType = "text/html; charset=utf-8"
		if result.Redirect == "" && result.Page != nil {
			body, err = c.render(result.Page)
		}
	}
	h := c.w.Header()
	for k, v := range result.Header {
		h[k] = v
	}
	if result.Cookie != nil {
		http.SetCookie(c.w, result.Cookie)
	}
	if err != nil {
		result, body, contentType = c.failure(err)
	}
	if result.Redirect != "" && !c.JSON {
		c.redirect(result.Redirect)
		return
	}
	c.send(result.Status, body, contentType)
}

func (c *Call) redirect(to string) {
	c.w.Header().Set("Location", Base+to)
	c.send(http.StatusSeeOther, nil, "")
}

// failure is how an error is answered. A browser without a session is sent to the sign-in page.
func (c *Call) failure(err error) (Result, []byte, string) {
	e := httpjson.Safe(c.a.cfg.Log, c.RequestID, err)
	switch e.Code { // this area has one code for all that is missing (decisions §1)
	case cms.CodeModelNotFound, cms.CodeEntryNotFound, cms.CodeFileNotFound, cms.CodeFormNotFound:
		e = cms.Errorf(cms.CodeNotFound, "%s", e.Message)
	}
	httpjson.SetRetryAfter(c.w.Header(), e)
	status := httpjson.StatusOf(e.Code)
	if c.JSON {
		if e.Code == cms.CodeUnauthorized {
			c.w.Header().Set("WWW-Authenticate", `Bearer realm="admin"`)
		}
		return Result{Status: status}, httpjson.ErrorEnvelope(e), "application/json; charset=utf-8"
	}
	if e.Code == cms.CodeUnauthorized && c.User == nil {
		return Result{Redirect: c.signInPath()}, nil, ""
	}
	body, renderErr := c.render(&Page{Title: http.StatusText(status), Error: e})
	if renderErr != nil {
		c.a.cfg.Log.Error("error page", "request_id", c.RequestID, "error", renderErr.Error())
		return Result{Status: status}, []byte(e.Message), "text/plain; charset=utf-8"
	}
	return Result{Status: status}, body, "text/html; charset=utf-8"
}

func (c *Call) send(status int, body []byte, contentType string) {
	h := c.w.Header()
	if status == 0 {
		status = http.StatusOK
	}
	if len(body) > 0 {
		h.Set("Content-Type", contentType)
		h.Set("Content-Length", strconv.Itoa(len(body)))
	}
	c.w.WriteHeader(status)
	if c.R.Method != http.MethodHead {
		_, _ = c.w.Write(body) // the client is gone: nobody to tell
	}
	c.a.cfg.Log.LogAttrs(c.R.Context(), slog.LevelInfo, "admin request", slog.String("request_id", c.RequestID),
		slog.String("method", c.R.Method), slog.String("route", c.R.Pattern), slog.Int("status", status),
		slog.Float64("ms", float64(time.Since(c.start).Microseconds())/1000))
}

// meta is the page information of a list.
func meta[T any](p store.Page[T]) any {
	m := struct {
		Page          int     `json:"page"`
		PerPage       int     `json:"per_page"`
		Total         int     `json:"total"`
		TotalRelation string  `json:"total_relation,omitempty"`
		NextCursor    *string `json:"next_cursor,omitempty"`
	}{Page: p.Page, PerPage: p.PerPage, Total: p.Total}
	if p.Estimate {
		m.TotalRelation = "estimate"
	}
	if p.Next != "" {
		m.NextCursor = &p.Next
	}
	return m
}
