package accounts

import (
	"net/http"

	"headless/pkg/access"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
)

// SessionRoutes returns the routes of one's own sessions and, for admins, of the sessions of other users.
func SessionRoutes(sessions *access.Sessions) []frame.Route {
	h := sessionHandlers{sessions}
	return []frame.Route{
		{Method: "GET", Pattern: "/sessions", Role: cms.RoleViewer, Handle: h.listOwn},
		{Method: "DELETE", Pattern: "/sessions", Role: cms.RoleViewer, Handle: h.endOtherSessions},
		{Method: "DELETE", Pattern: "/sessions/{id}", Role: cms.RoleViewer, Handle: h.endOwn},
		{Method: "GET", Pattern: "/users/{id}/sessions", Role: cms.RoleUserAdmin, Handle: h.others},
		{Method: "DELETE", Pattern: "/users/{id}/sessions/{session}", Role: cms.RoleUserAdmin, Handle: h.endOthers},
	}
}

type sessionHandlers struct{ sessions *access.Sessions }

func (h sessionHandlers) listOwn(c *frame.Call) (frame.Result, error) {
	result, err := h.list(c, c.User.ID, "/sessions")
	if err == nil {
		list := result.Page.List
		result.Page = &ui.Page{Title: "Sessions", Crumbs: frame.OfProfile(), Detail: &ui.Detail{
			Actions: []ui.Action{{Label: "End all others", Href: ui.Base + "/sessions", Method: http.MethodDelete,
				Danger: true, Confirm: "End all sessions except this one?"}},
			Sections: []ui.Section{{List: list}}}}
	}
	return result, err
}

// endOtherSessions ends all of one's own sessions except this one.
func (h sessionHandlers) endOtherSessions(c *frame.Call) (frame.Result, error) {
	err := h.sessions.EndOthers(c.R.Context(), c.Actor(), c.Token)
	return frame.Result{Status: http.StatusNoContent, Redirect: "/sessions?ok=done"}, err
}

func (h sessionHandlers) others(c *frame.Call) (frame.Result, error) {
	id := c.R.PathValue("id")
	result, err := h.list(c, id, "/users/"+id+"/sessions")
	if err == nil {
		result.Page.Crumbs = []ui.Link{{Text: "User", Href: ui.Base + "/users/" + id}}
	}
	return result, err
}

func (h sessionHandlers) list(c *frame.Call, userID, at string) (frame.Result, error) {
	page := &ui.Page{Title: "Sessions", List: &ui.List{Empty: "Nobody is signed in.",
		Columns: []say.Text{"Signed in", "Last seen", "Address", "Browser", ""}}}
	read := func(p db.Paging) (db.Page[access.SessionView], error) {
		return h.sessions.List(c.R.Context(), userID, c.Session, p)
	}
	return frame.Table(c, page, read, func(v access.SessionView) ui.Row {
		return ui.Row{Cells: []ui.Cell{ui.When(v.CreatedAt), ui.When(v.LastSeenAt), ui.Text(v.Address),
			ui.Text(v.UserAgent), ui.YesNo(v.Current, "this one", "")},
			Actions: []ui.Action{{Label: "End", Method: http.MethodDelete, Href: ui.Base + at + "/" + v.ID, Danger: true,
				Confirm: "End this session?"}}}
	})
}

func (h sessionHandlers) endOwn(c *frame.Call) (frame.Result, error) {
	err := h.sessions.End(c.R.Context(), c.Actor(), c.User.ID, c.R.PathValue("id"))
	return frame.Result{Status: http.StatusNoContent, Redirect: "/sessions?ok=done"}, err
}

func (h sessionHandlers) endOthers(c *frame.Call) (frame.Result, error) {
	id := c.R.PathValue("id")
	err := h.sessions.End(c.R.Context(), c.Actor(), id, c.R.PathValue("session"))
	return frame.Result{Status: http.StatusNoContent, Redirect: "/users/" + id + "/sessions?ok=done"}, err
}
