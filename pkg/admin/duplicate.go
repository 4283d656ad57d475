package admin

import (
	"net/http"

	"headless/pkg/cms"
	"headless/pkg/input"
)

// duplicate copies an entry (extensions §7).
func (h entryHandlers) duplicate(c *Call) (Result, error) {
	body, err := c.Body()
	if err != nil {
		return Result{}, err
	}
	for key, v := range body {
		if form, ok := v.(input.FormValue); ok {
			body[key] = nil
			if text := lastOf(form); text != "" {
				body[key] = text
			}
		}
	}
	model, id := c.place()
	e, err := h.entries.Duplicate(c.R.Context(), c.Actor(), model, id, body)
	if err != nil {
		return Result{}, err
	}
	return Result{Status: http.StatusCreated, Data: shownEntry(e), Redirect: "/models/" + model +
		"/entries/" + e.ID + "?ok=created"}, nil
}

// duplicateAction is the button that copies an entry; none for single types.
func (h entryHandlers) duplicateAction(c *Call) []Action {
	if _, m, err := h.model(c); err != nil || m.Kind == cms.KindSingle {
		return nil
	}
	return []Action{{Label: "Duplicate", Method: http.MethodPost, Href: Base + c.entryPath() + "/duplicate"}}
}
