package previewpages

import (
	"encoding/json"
	"net/http"
	"strconv"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/planpages"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/links/preview"
	"headless/pkg/planning"
	"headless/pkg/planning/ahead"
	"headless/pkg/slice"
)

// Routes returns the routes of preview links.
func Routes(releases *planning.Releases) []frame.Route {
	h := handlers{ahead.Previews{Releases: releases}}
	return []frame.Route{
		{Method: "POST", Pattern: "/previews", Role: cms.RoleEditor, Handle: h.create},
		{Method: "GET", Pattern: "/previews/new", Role: cms.RoleEditor, Handle: h.form},
		{Method: "GET", Pattern: "/previews", Role: cms.RoleViewer, Handle: h.list},
		{Method: "DELETE", Pattern: "/previews/{id}", Role: cms.RoleViewer, Handle: h.end},
		{Method: "GET", Pattern: "/models/{slug}/entries/{id}/previews", Role: cms.RoleEditor, Handle: h.listOfEntry},
		{Method: "POST", Pattern: "/releases/{id}/preview", Role: cms.RoleEditor, Handle: frame.WithBody(h.createEach)},
	}
}

type handlers struct{ previews ahead.Previews }

func (h handlers) links() preview.Links { return preview.Links{Entries: h.previews.Releases.Entries} }

// form shows the form for a link: of a time, of all drafts, or of the release in the query.
func (h handlers) form(c *frame.Call) (frame.Result, error) {
	v := c.R.URL.Query()
	form := &ui.Form{Action: ui.Base + "/previews", Submit: "Make link", Cancel: ui.Base + "/planned", Fields: []ui.Field{
		{Name: "name", Label: "Name", Kind: "text", Value: v.Get("name"), Help: "Only you see it."}}}
	if id := v.Get("release"); id != "" {
		form.Cancel = ui.Base + "/releases/" + id
		form.Fields = append(form.Fields, ui.Kept("release", id))
	} else {
		form.Fields = append(form.Fields, ui.Field{Name: "at", Label: "As of", Kind: "datetime",
			Help: "The site with all that is planned until then. Empty: with all drafts of today."})
	}
	form.Fields = append(form.Fields, ui.Field{Name: "hours", Label: "Valid for, in hours", Kind: "number", Value: "24",
		Help: "720 hours at most. You can end the link at any time."})
	return frame.Result{Data: map[string]any{}, Page: &ui.Page{Title: "Preview the site", Form: form}}, nil
}

// body turns the fields of a browser's form into the body that JSON clients send.
func (h handlers) body(c *frame.Call) (map[string]any, error) {
	body, err := c.Body()
	if err != nil || !c.IsForm {
		return body, err
	}
	hours, err := strconv.ParseFloat(c.Form.Get("hours"), 64)
	if err != nil {
		return nil, cms.Problems{"hours": {"must be a number"}}.Err()
	}
	body = map[string]any{"name": c.Form.Get("name"), "expires_in": json.Number(strconv.Itoa(int(hours * 3600)))}
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
func (h handlers) create(c *frame.Call) (frame.Result, error) {
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
		page.Notice = "Show this token as ?preview= to your site. It is shown only once. " +
			"For a link, set Preview URL in the settings."
		page.Secret = []ui.Fact{{Label: "Token", Pre: made.Token}}
	}
	opens := []ui.Action{}
	if made.URL != nil {
		opens = append(opens, ui.Action{Label: "Open the site", Href: *made.URL})
	}
	problems, err := planpages.Problems(c, h.previews.Releases.Store, made.Problems)
	if err != nil {
		return frame.Result{}, err
	}
	page.Detail = &ui.Detail{
		Facts: []ui.Fact{ui.NewFact("Changed entries", ui.Word(say.Number(made.Changes))),
			ui.NewFact("Valid until", ui.When(made.ExpiresAt))},
		Actions: append(opens, ui.Action{Label: "End", Method: http.MethodDelete, Danger: true,
			Href: ui.Base + "/previews/" + made.ID, Confirm: endsPreview}),
		Sections: []ui.Section{{Title: "Problems", List: problems}},
	}
	return frame.Result{Status: http.StatusCreated, Data: made, Page: page}, nil
}

// createEach answers POST /releases/{id}/preview. It creates a link to the draft of each item (extensions §5).
func (h handlers) createEach(c *frame.Call, body map[string]any) (frame.Result, error) {
	id := c.R.PathValue("id")
	r, err := h.previews.Releases.Get(c.R.Context(), id)
	if err != nil {
		return frame.Result{}, err
	}
	entries := slice.Map(r.Items, func(i planning.ShownItem) preview.EntryRef {
		return preview.EntryRef{Model: i.Model, ID: i.ID}
	})
	made, err := h.links().CreateEach(c.R.Context(), c.Actor(), entries, body)
	if err != nil || c.JSON {
		return frame.Result{Status: http.StatusCreated, Data: made}, err
	}
	list := &ui.List{Columns: []say.Text{"Entry", "Model", "Valid until"},
		Empty: "This release has no items to preview."}
	names, err := namesOf(h, c, made, func(l preview.EntryLink) (string, string) { return l.Model, l.ID })
	if err != nil {
		return frame.Result{}, err
	}
	for _, link := range made {
		row := ui.Row{Cells: append(names(link.Model, link.ID).Cells, ui.When(link.ExpiresAt))}
		if link.URL != nil {
			row.Href = *link.URL
		}
		list.Rows = append(list.Rows, row)
	}
	page := &ui.Page{
		Title: "Preview", Crumbs: []ui.Link{{Text: say.Data(r.Name), Href: ui.Base + "/releases/" + id}},
		Detail: &ui.Detail{Sections: []ui.Section{{Title: "Preview links", List: list}}},
	}
	return frame.Result{Status: http.StatusCreated, Data: made, Page: page}, nil
}
