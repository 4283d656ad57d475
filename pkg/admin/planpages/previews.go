package planpages

import (
	"encoding/json"
	"net/http"
	"strconv"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/planning"
	"headless/pkg/planning/ahead"
)

// PreviewRoutes are the routes that make links to the site as it will be (extensions §15).
func PreviewRoutes(releases *planning.Releases) []frame.Route {
	h := previewHandlers{ahead.Previews{Releases: releases}}
	return []frame.Route{
		{Method: "POST", Pattern: "/previews", Role: cms.RoleEditor, Handle: h.create},
		{Method: "GET", Pattern: "/previews/new", Role: cms.RoleEditor, Handle: h.form},
	}
}

type previewHandlers struct{ previews ahead.Previews }

// form shows the form for a link: of a time, of all drafts, or of the release in the query.
func (h previewHandlers) form(c *frame.Call) (frame.Result, error) {
	v := c.R.URL.Query()
	form := &ui.Form{Action: ui.Base + "/previews", Submit: "Make link", Cancel: ui.Base + "/planned", Fields: []ui.Field{
		{Name: "name", Label: "Name", Kind: "text", Value: v.Get("name"), Help: "Only you see it."}}}
	if id := v.Get("release"); id != "" {
		form.Cancel = ui.Base + "/releases/" + id
		form.Fields = append(form.Fields, ui.Field{Name: "release", Kind: "hidden", Value: id})
	} else {
		form.Fields = append(form.Fields, ui.Field{Name: "at", Label: "As of", Kind: "datetime",
			Help: "The site with all that is planned until then. Empty: with all drafts of today."})
	}
	form.Fields = append(form.Fields, ui.Field{Name: "hours", Label: "Valid for, in hours", Kind: "number", Value: "24",
		Help: "720 hours at most. You can end the link at any time."})
	return frame.Result{Data: map[string]any{}, Page: &ui.Page{Title: "Preview the site", Form: form}}, nil
}

// body turns the fields of a browser's form into the body that JSON clients send.
func (h previewHandlers) body(c *frame.Call) (map[string]any, error) {
	body, err := c.Body()
	if err != nil || !c.IsForm {
		return body, err
	}
	hours, err := strconv.ParseFloat(c.Form.Get("hours"), 64)
	if err != nil {
		return nil, cms.Problems{"hours": {"must be a number"}}.Err()
	}
	body = map[string]any{"name": c.Form.Get("name"),
		"expires_in": json.Number(strconv.Itoa(int(hours * 3600)))}
	switch at := ui.FormTime(c.Form.Get("at")); {
	case c.Form.Get("release") != "":
		body["release"] = c.Form.Get("release")
	case at != "":
		body["at"] = at
	default:
		body["drafts"] = true
	}
	return body, nil
}

// create answers POST /previews. A browser gets the link, which no other page shows.
func (h previewHandlers) create(c *frame.Call) (frame.Result, error) {
	body, err := h.body(c)
	if err != nil {
		return frame.Result{}, err
	}
	made, err := h.previews.Create(c.R.Context(), c.Actor(), body)
	if err != nil || c.JSON {
		return frame.Result{Status: http.StatusCreated, Data: made}, err
	}
	page := &ui.Page{Title: "Preview of the site", Crumbs: []ui.Link{{Text: "Preview links", Href: ui.Base + "/previews"}},
		Notice: "Send this link to whom you want to show the site. It is shown only once."}
	if made.URL != nil {
		page.Secret = []ui.Fact{{Label: "Link", Pre: *made.URL}}
	} else {
		page.Notice = "Show this token as ?preview= to your site. It is shown only once. For a link, set site.preview_url."
		page.Secret = []ui.Fact{{Label: "Token", Pre: made.Token}}
	}
	opens := []ui.Action{}
	if made.URL != nil {
		opens = append(opens, ui.Action{Label: "Open the site", Href: *made.URL})
	}
	problems, err := releaseHandlers{h.previews.Releases}.problems(c, made.Problems)
	if err != nil {
		return frame.Result{}, err
	}
	page.Detail = &ui.Detail{
		Facts: []ui.Fact{{Label: "Changed entries", Cells: []ui.Cell{ui.Text(strconv.Itoa(made.Changes))}},
			{Label: "Valid until", Cells: []ui.Cell{ui.When(made.ExpiresAt)}}},
		Actions: append(opens, ui.Action{Label: "End", Method: http.MethodDelete, Danger: true,
			Href: ui.Base + "/previews/" + made.ID}),
		Sections: []ui.Section{{Title: "Problems", List: problems}},
	}
	return frame.Result{Status: http.StatusCreated, Data: made, Page: page}, nil
}
