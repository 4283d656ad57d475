// Package formroutes has the public routes of forms: schemas, submissions, and the pages that browsers without JavaScript see.
package formroutes

import (
	"mime"
	"net/http"
	"net/url"
	"unicode/utf8"

	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/forms"
	"headless/pkg/input"
	"headless/pkg/web"
)

// New returns the routes of the forms function: the schema of a form and its submissions.
func New(submissions *forms.Submissions) []pipeline.Route {
	h := formHandlers{submissions}
	return []pipeline.Route{
		{Method: "GET", Pattern: "/forms/{slug}", Handle: formSchema, Public: true},
		{Method: "POST", Pattern: "/forms/{slug}/submit", Handle: h.submit, Public: true},
	}
}

type formHandlers struct{ submissions *forms.Submissions }

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
	}{form.Name, form.Slug, form.Fields, form.SuccessMessage}}, nil
}

// submit accepts a submission, and answers browsers without JavaScript with pages.
func (h formHandlers) submit(c *pipeline.Call) (pipeline.Answer, error) {
	form, body, received, err := h.receive(c)
	if !wantsPage(c.R) {
		return pipeline.Answer{Status: http.StatusCreated, Data: received}, err
	}
	if err != nil {
		if a, ok := failedPage(err, form, body); ok {
			return a, nil
		}
		return pipeline.Answer{}, err
	}
	to, err := h.submissions.Store.SuccessURL(c.Context(), c.Site, form, c.R.Header.Get("Origin"), c.R.Referer())
	return sentPage(received.Message, to), err
}

// receive stores a submission. The rate limit comes first: every request counts, even if it is
// refused. With an error, form and body are as far as they are known.
func (h formHandlers) receive(c *pipeline.Call) (form *cms.Form, body map[string]any,
	received forms.Received, err error) {
	ctx, slug := c.Context(), c.R.PathValue("slug")
	if err := h.submissions.Allow(ctx, input.Network(c.Address())); err != nil {
		return nil, nil, received, err
	}
	if form, err = forms.PublicForm(c.Site, slug); err != nil {
		return nil, nil, received, err
	}
	if body, err = submitBody(c.R); err != nil {
		return form, nil, received, err
	}
	received, err = h.submissions.Submit(ctx, c.Actor(), c.Site, slug, body, c.Address().String())
	return form, body, received, err
}

// submitBody reads a JSON object, or the fields of a plain HTML form.
func submitBody(r *http.Request) (map[string]any, error) {
	t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || t != "application/x-www-form-urlencoded" {
		return web.DecodeBody(r)
	}
	raw, err := web.ReadBody(r, web.MaxBody)
	if err != nil {
		return nil, err
	}
	values, err := url.ParseQuery(string(raw))
	if err != nil {
		return nil, cms.Errorf(cms.CodeBadRequest, "The body is not a valid form.")
	}
	body := make(map[string]any, len(values))
	for name, list := range values {
		for _, v := range list {
			if !utf8.ValidString(v) {
				return nil, cms.Errorf(cms.CodeBadRequest, "The body is not valid UTF-8.")
			}
		}
		body[name] = input.FormValue(list)
	}
	return body, nil
}
