package entrypages

import (
	"net/http"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
)

// duplicate copies an entry (extensions §7).
func (h entryPages) duplicate(c *frame.Call) (frame.Result, error) {
	body, err := c.Body()
	if err != nil {
		return frame.Result{}, err
	}
	emptyIsNull(body)
	model, id := entrydata.PathOf(c)
	if c.IsForm && body["title"] == nil { // a list would have two equal rows
		from, err := h.Get(c, id)
		if err != nil {
			return frame.Result{}, err
		}
		body["title"] = from.Title + " (copy)"
	}
	e, err := h.Entries.Duplicate(c.R.Context(), c.Actor(), model, id, body)
	if err != nil {
		return frame.Result{}, err
	}
	return frame.Result{Status: http.StatusCreated, Data: entrydata.ShownEntry(e),
		Redirect: "/models/" + model +
			"/entries/" + e.ID + "?ok=created"}, nil
}

// emptyIsNull replaces the values of a form by texts, and empty ones by null.
func emptyIsNull(body map[string]any) {
	for key, v := range body {
		if form, ok := v.(input.FormValue); ok {
			if body[key] = form.Last(); body[key] == "" {
				body[key] = nil
			}
		}
	}
}

// duplicateAction returns the button that duplicates an entry, none for single types.
func (h entryPages) duplicateAction(c *frame.Call) []ui.Action {
	if _, m, err := h.Model(c); err != nil || m.Kind == cms.KindSingle {
		return nil
	}
	return []ui.Action{{Label: "Duplicate", Method: http.MethodPost,
		Href: ui.Base + entrydata.EntryAt(c) + "/duplicate"}}
}
