package frame

import (
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"strings"

	"headless/pkg/admin/ui"
	"headless/pkg/assets/upload"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/web"
)

// Body returns the JSON object of the request or the fields of its form. Without a body it returns
// an empty object.
func (c *Call) Body() (map[string]any, error) {
	if c.IsForm {
		return input.FromForm(c.Form), nil
	}
	if c.R.ContentLength == 0 {
		return map[string]any{}, nil
	}
	return web.DecodeBody(c.R)
}

// WithBody returns a handler that reads the body for another one.
func WithBody(handle func(c *Call, body map[string]any) (Result, error)) Handler {
	return func(c *Call) (Result, error) {
		body, err := c.Body()
		if err != nil {
			return Result{}, err
		}
		return handle(c, body)
	}
}

// FormTimes converts the values of date and time inputs to timestamps. Values of a JSON body do not
// change.
func FormTimes(body map[string]any, names ...string) {
	for _, name := range names {
		if v, ok := body[name].(input.FormValue); ok {
			body[name] = ui.FormTime(v.Last())
		}
	}
}

// List returns the JSON list in the body. Errors: UNSUPPORTED_MEDIA_TYPE, BAD_REQUEST,
// PAYLOAD_TOO_LARGE.
func (c *Call) List() ([]any, error) {
	if !isJSONBody(c.R) {
		return nil, cms.Errorf(cms.CodeUnsupportedMedia, "Send the body as application/json.")
	}
	body, err := web.ReadBody(c.R, web.MaxBody)
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

// parseForm reads the body of an HTML form, and its method from _method.
func (c *Call) parseForm() error {
	t, parameters, _ := mime.ParseMediaType(c.R.Header.Get("Content-Type"))
	limit, tooLarge := int64(web.MaxBody),
		cms.Errorf(cms.CodePayloadTooLarge, "The body is over %d bytes.", web.MaxBody)
	multipart := t == multipartType
	switch {
	case c.R.Method != http.MethodPost || !isFormBody(c.R):
		return nil
	case multipart && c.User != nil:
		limit, tooLarge = c.A.Cfg.UploadMax+web.MaxBody, FileTooLarge(c.A.Cfg.UploadMax)
	}
	body := http.MaxBytesReader(c.W, c.R.Body, limit)
	c.R.Body = body
	var err error
	switch {
	case c.R.ContentLength > limit:
		err = &http.MaxBytesError{Limit: limit}
	case multipart:
		c.R.Body = io.NopCloser(upload.CleanPartHeaders(body, parameters["boundary"]))
		err = c.R.ParseMultipartForm(limit)
	default:
		err = c.R.ParseForm()
	}
	var cut *http.MaxBytesError
	var refused *web.RefusedError
	switch {
	case errors.As(err, &refused):
		return refused.Err
	case errors.As(err, &cut):
		c.IsForm = multipart && c.User != nil // the form can be shown again: only files are lost
		return tooLarge
	case err != nil:
		return cms.Errorf(cms.CodeBadRequest, "The form cannot be read.")
	}
	c.Form, c.IsForm, c.Step = c.R.PostForm, true, ReadStep(c.R.PostForm)
	switch m := strings.ToUpper(c.Form.Get("_method")); m {
	case http.MethodPut, http.MethodPatch, http.MethodDelete:
		c.Method = m
	}
	return nil
}

// FileTooLarge returns the error for files that exceed a limit in bytes.
func FileTooLarge(maxBytes int64) *cms.Error {
	return cms.Errorf(cms.CodeFileTooLarge,
		"The file has more than %d bytes (%s), or several together have.", maxBytes, ui.SizeText(maxBytes))
}

// maxPerPage is the largest per_page of lists in the admin area.
const maxPerPage = 100

// Paging reads page and per_page. Empty ones count as missing, because forms send them. BAD_REQUEST also if another
// parameter of lists is sent twice.
func (c *Call) Paging() (db.Paging, error) {
	query := c.R.URL.Query()
	if err := web.CheckRepeated(query, append(ListParams, "page", "per_page", "cursor", "q")); err != nil {
		return db.Paging{}, err
	}
	maps.DeleteFunc(query, func(_ string, values []string) bool { return values[0] == "" })
	page, perPage, err := web.Page(query, maxPerPage)
	return db.Paging{Page: page, PerPage: perPage}, err
}
