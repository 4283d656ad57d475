// Package formroutes has the public routes of forms: schemas, submissions, and the pages for browsers
// without JavaScript.
package formroutes

import (
	"cmp"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"unicode/utf8"

	"headless/pkg/api/pipeline"
	"headless/pkg/assets/upload"
	"headless/pkg/cms"
	"headless/pkg/forms"
	"headless/pkg/input"
	"headless/pkg/web"
)

// Languages returns the language that an Accept-Language header prefers: its code, its direction, and what says
// phrases in it.
type Languages func(accept string) (code, dir string, say func(cms.Phrase) string)

// New returns the routes of the forms function: the schema of a form and its submissions. Pages are in one of the
// languages.
func New(submissions *forms.Submissions, languages Languages) []pipeline.Route {
	h := formHandlers{submissions, languages}
	return []pipeline.Route{
		{Method: "GET", Pattern: "/forms/{slug}", Handle: formSchema, Public: true},
		{Method: "POST", Pattern: "/forms/{slug}/submit", Handle: h.submit, Public: true},
		{Method: "POST", Pattern: "/forms/{slug}/upload", Handle: h.upload, Public: true},
	}
}

type formHandlers struct {
	submissions *forms.Submissions
	languages   Languages
}

// formSchema returns the part of a form that is needed to draw it (specification §2.5).
func formSchema(c *pipeline.Call) (pipeline.Answer, error) {
	c.Tags.Add(cms.TagSchema)
	form, err := forms.PublicForm(c.Site, c.R.PathValue("slug"))
	if err != nil {
		return pipeline.Answer{}, err
	}
	return pipeline.Answer{Data: struct {
		Name           string          `json:"name"`
		Slug           string          `json:"slug"`
		Fields         []cms.FormField `json:"fields"`
		SuccessMessage string          `json:"success_message"`
	}{form.Name, form.Slug, form.Shown(), form.SuccessMessage}}, nil
}

// submit accepts a submission, and answers browsers without JavaScript with pages.
func (h formHandlers) submit(c *pipeline.Call) (pipeline.Answer, error) {
	form, body, received, err := h.receive(c)
	if !wantsPage(c.R) {
		return pipeline.Answer{Status: http.StatusCreated, Data: received}, err
	}
	p := newVisitorPage(h.languages, c.R)
	if err != nil {
		return p.failed(web.Safe(h.submissions.Log, c.RequestID, err), form, body), nil
	}
	to, err := h.submissions.Store.SuccessURL(c.Context(), c.Site, form, c.R.Header.Get("Origin"), c.R.Referer())
	return p.sent(received.Message, to), err
}

// receive stores a submission. The rate limit comes first: every request counts, even if it is
// refused. With an error, form and body are as far as they are known, for a page that shows them.
func (h formHandlers) receive(c *pipeline.Call) (form *cms.Form, body map[string]any,
	received forms.Received, err error) {
	ctx, slug := c.Context(), c.R.PathValue("slug")
	limited := h.submissions.Allow(ctx, input.Network(c.Address()))
	if limited != nil && !wantsPage(c.R) {
		return nil, nil, received, limited
	}
	if form, err = forms.PublicForm(c.Site, slug); err != nil {
		return nil, nil, received, cmp.Or(limited, err)
	}
	body, done, err := h.submitBody(c.R, form)
	defer done()
	if err := cmp.Or(limited, err); err != nil {
		return form, body, received, err
	}
	received, err = h.submissions.Submit(ctx, c.Actor(), c.Site, slug, body,
		forms.Visitor{Address: c.AddressText(), SiteURL: c.SiteURL()})
	return form, body, received, err
}

// submitBody reads a JSON object, or the fields of a plain HTML form. Call done when the files of the body are
// not needed any more.
func (h formHandlers) submitBody(r *http.Request, form *cms.Form) (body map[string]any, done func(), err error) {
	done = func() {}
	t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err == nil && t == "multipart/form-data":
		sent, err := upload.ReadForm(r, h.submissions.Files.MaxBytes, func(field string) bool {
			return slices.ContainsFunc(form.Fields, func(f cms.FormField) bool {
				return f.Name == field && f.Type == cms.FormFile
			})
		})
		body = formBody(sent.Values)
		for field, files := range sent.Files {
			body[field] = files
		}
		return body, func() { _ = sent.Close() }, err // what a temporary folder keeps is no error of the visitor
	case err == nil && t == "application/x-www-form-urlencoded":
		raw, err := web.ReadBody(r, web.MaxBody)
		if err != nil {
			return nil, done, err
		}
		values, err := url.ParseQuery(string(raw))
		if err != nil {
			return nil, done, cms.Errorf(cms.CodeBadRequest, "The body is not a valid form.")
		}
		for _, list := range values {
			for _, v := range list {
				if !utf8.ValidString(v) {
					return nil, done, cms.Errorf(cms.CodeBadRequest, "The body is not valid UTF-8.")
				}
			}
		}
		return formBody(values), done, nil
	}
	body, err = web.DecodeBody(r)
	return body, done, err
}

func formBody(values url.Values) map[string]any {
	body := make(map[string]any, len(values))
	for name, list := range values {
		body[name] = input.FormValue(list)
	}
	return body
}

// upload begins the direct upload of a file that a submission will take.
func (h formHandlers) upload(c *pipeline.Call) (pipeline.Answer, error) {
	if err := h.submissions.AllowUpload(c.Context(), input.Network(c.Address())); err != nil {
		return pipeline.Answer{}, err
	}
	if _, err := forms.PublicForm(c.Site, c.R.PathValue("slug")); err != nil {
		return pipeline.Answer{}, err
	}
	body, err := web.DecodeBody(c.R)
	if err != nil {
		return pipeline.Answer{}, err
	}
	begun, err := h.submissions.BeginUpload(c.Context(), c.Site, c.R.PathValue("slug"), body)
	return pipeline.Answer{Status: http.StatusCreated, Data: begun}, err
}
