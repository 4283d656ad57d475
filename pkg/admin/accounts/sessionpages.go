package accounts

import (
	"net/http"

	"headless/pkg/access"
	"headless/pkg/access/tokens"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
)

// SessionRoutes are the routes of one's own sessions and access tokens and, for admins, of the
// sessions of other users.
func SessionRoutes(sessions *access.Sessions) []frame.Route {
	h := sessionHandlers{sessions}
	return append([]frame.Route{
		{Method: "GET", Pattern: "/sessions", Role: cms.RoleViewer, Handle: h.own},
		{Method: "DELETE", Pattern: "/sessions/{id}", Role: cms.RoleViewer, Handle: h.endOwn},
		{Method: "GET", Pattern: "/users/{id}/sessions", Role: cms.RoleUserAdmin, Handle: h.others},
		{Method: "DELETE", Pattern: "/users/{id}/sessions/{session}", Role: cms.RoleUserAdmin,
			Handle: h.endOthers},
	}, h.tokens()...)
}

type sessionHandlers struct{ sessions *access.Sessions }

func (h sessionHandlers) own(c *frame.Call) (frame.Result, error) {
	return h.list(c, c.User.ID, "/sessions")
}

func (h sessionHandlers) others(c *frame.Call) (frame.Result, error) {
	id := c.R.PathValue("id")
	return h.list(c, id, "/users/"+id+"/sessions")
}

func (h sessionHandlers) list(c *frame.Call, userID, at string) (frame.Result, error) {
	p, err := c.PlainPaging()
	if err != nil {
		return frame.Result{}, err
	}
	page, err := h.sessions.List(c.R.Context(), userID, c.Session, p)
	if err != nil {
		return frame.Result{}, err
	}
	list := &ui.List{Columns: []string{"Signed in", "Last seen", "Address", "Browser", ""},
		Empty: "Nobody is signed in."}
	for _, v := range page.Items {
		row := ui.Row{Cells: []ui.Cell{ui.When(v.CreatedAt), ui.When(v.LastSeenAt), ui.Text(v.Address),
			ui.Text(v.UserAgent), ui.YesNo(v.Current, "this one", "")}}
		row.Actions = []ui.Action{{Label: "End", Method: http.MethodDelete, Href: ui.Base + at + "/" +
			v.ID, Danger: true, Confirm: "End this session?"}}
		list.Rows = append(list.Rows, row)
	}
	return frame.Result{Data: page.Items, Meta: frame.Meta(page),
		Page: &ui.Page{Title: "Sessions", List: frame.Paged(c, list, page)}}, nil
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

// tokenView is an access token. Token is set only right after it was created.
type tokenView struct {
	tokens.AccessToken
	Token string `json:"token,omitempty"`
}

// tokens are the routes of one's own access tokens.
func (h sessionHandlers) tokens() []frame.Route {
	return frame.Resource[tokenView]{
		Path: "/tokens", Title: "Access tokens", One: "access token", Confirm: true, Read: cms.RoleViewer,
		Write: cms.RoleViewer,
		List: func(c *frame.Call, p db.Paging) (db.Page[tokenView], error) {
			page, err := h.sessions.Tokens(c.R.Context(), c.Token, p)
			return frame.MapPage(page,
				func(t tokens.AccessToken) tokenView { return tokenView{AccessToken: t} }), err
		},
		Get: h.token,
		Create: func(c *frame.Call, body map[string]any) (tokenView, error) {
			frame.FormTimes(body, "expires_at")
			t, err := h.sessions.CreateToken(c.R.Context(), c.Actor(), c.Token, body)
			return tokenView(t), err
		},
		Delete: func(c *frame.Call, id string) error {
			return h.sessions.DeleteToken(c.R.Context(),
				c.Actor(), c.Token, id)
		},
		New:     func(*frame.Call) (tokenView, error) { return tokenView{}, nil },
		ID:      func(t tokenView) string { return t.ID },
		Name:    func(t tokenView) string { return t.Name },
		Columns: []string{"Name", "Expires", "Created"},
		Row: func(t tokenView) []ui.Cell {
			return []ui.Cell{ui.Text(t.Name), ui.When(t.ExpiresAt),
				ui.When(t.CreatedAt)}
		},
		Detail: func(_ *frame.Call, t tokenView) (*ui.Detail, error) {
			return &ui.Detail{Facts: []ui.Fact{{Label: "Expires", Cells: []ui.Cell{ui.When(t.ExpiresAt)}},
				{Label: "Created", Cells: []ui.Cell{ui.When(t.CreatedAt)}}}}, nil
		},
		Fields: func(*frame.Call, *tokenView) ([]ui.Field, error) {
			return []ui.Field{
				{Name: "name", Label: "Name", Kind: "text", Required: true,
					Help: "What uses the token. It acts as you."},
				{Name: "expires_at", Label: "Expires", Kind: "datetime", Help: "Empty: never."},
			}, nil
		},
		Secret: func(t tokenView) string { return t.Token },
	}.Routes()
}

func (h sessionHandlers) token(c *frame.Call, id string) (tokenView, error) {
	page, err := h.sessions.Tokens(c.R.Context(), c.Token, db.Paging{Page: 1, PerPage: 1000})
	for _, t := range page.Items {
		if t.ID == id {
			return tokenView{AccessToken: t}, nil
		}
	}
	if err == nil {
		err = cms.Errorf(cms.CodeNotFound, "There is no such token.")
	}
	return tokenView{}, err
}
