package presences

import (
	"net/http"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/frame"
	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/presence"
	"headless/pkg/site"
)

// PresenceHandlers say who has an entry open. The page's script announces its window while the page
// is visible. Without JavaScript a window is not announced.
type PresenceHandlers struct {
	entrydata.EntryHandlers
	Windows *presence.Store
}

// PresenceRoutes are the routes of an entry's windows.
func PresenceRoutes(h PresenceHandlers) []frame.Route {
	const path = "/models/{slug}/entries/{id}/presence"
	return []frame.Route{
		{Method: "GET", Pattern: path, Role: cms.RoleViewer, Handle: h.list},
		{Method: "PUT", Pattern: path, Role: cms.RoleEditor, Handle: h.announce},
		{Method: "DELETE", Pattern: path, Role: cms.RoleEditor, Handle: h.leave},
	}
}

func (h PresenceHandlers) list(c *frame.Call) (frame.Result, error) {
	e, err := h.Get(c, c.R.PathValue("id"))
	if err != nil {
		return frame.Result{}, err
	}
	windows, err := h.Windows.List(c.R.Context(), e.ID)
	return frame.Result{Data: windows, Redirect: entrydata.EntryAt(c)}, err
}

// announce stores a window {window, field} and returns the other windows of the entry.
func (h PresenceHandlers) announce(c *frame.Call) (frame.Result, error) {
	body, err := c.Body()
	if err != nil {
		return frame.Result{}, err
	}
	m, e, err := h.writable(c)
	if err != nil {
		return frame.Result{}, err
	}
	var in struct {
		Window *string `json:"window"`
		Field  *string `json:"field"`
	}
	p := cms.Problems{}
	input.Decode(body, &in, p)
	window, field := input.Given(in.Window, ""), input.Given(in.Field, "")
	if len(p["window"]) == 0 && !isWindow(window) {
		p.Add("window", "must have 1 to 40 letters and digits")
	}
	if _, ok := entryforms.EntryValues(m, e)[field]; !ok && field != "" && len(p["field"]) == 0 {
		p.Add("field", "is not a field of the entry")
	}
	if err := p.Err(); err != nil {
		return frame.Result{}, err
	}
	name := c.User.Name
	if name == "" {
		name = c.User.Email
	}
	others, err := h.Windows.Announce(c.R.Context(), e.ID,
		presence.Window{UserID: c.User.ID, Name: name, Window: window, Field: field})
	if others == nil {
		others = []presence.Window{}
	}
	return frame.Result{Data: others, Redirect: entrydata.EntryAt(c)}, err
}

// leave removes the window named by the query parameter window.
func (h PresenceHandlers) leave(c *frame.Call) (frame.Result, error) {
	_, e, err := h.writable(c)
	if err != nil {
		return frame.Result{}, err
	}
	window := c.R.URL.Query().Get("window")
	if !isWindow(window) {
		return frame.Result{}, cms.Errorf(cms.CodeBadRequest, "Name the window: 1 to 40 letters and digits.")
	}
	err = h.Windows.Leave(c.R.Context(), e.ID, c.User.ID, window)
	return frame.Result{Status: http.StatusNoContent, Redirect: entrydata.EntryAt(c)}, err
}

// writable returns the entry in the path and its model. It fails if the user may not change the
// entry.
func (h PresenceHandlers) writable(c *frame.Call) (*site.Model, *cms.Entry, error) {
	_, m, err := h.Model(c)
	if err != nil {
		return nil, nil, err
	}
	e, err := h.Get(c, c.R.PathValue("id"))
	if err == nil && !h.MayWrite(c, m, e) {
		err = cms.Errorf(cms.CodeForbidden, "You may not change this entry.")
	}
	return m, e, err
}

// isWindow reports whether name can be the name of a window.
func isWindow(name string) bool {
	for _, r := range name {
		if (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return false
		}
	}
	return name != "" && len(name) <= 40
}
