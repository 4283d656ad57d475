package admin

import (
	"net/http"

	"headless/pkg/access"
	"headless/pkg/access/tokens"
	"headless/pkg/cms"
	"headless/pkg/db"
)

// sessionRoutes are the routes of sessions and access tokens: those of one's own, and for admins
// those of others.
func sessionRoutes(sessions *access.Sessions) []Route {
	h := sessionHandlers{sessions}
	return append([]Route{
		{Method: "GET", Pattern: "/sessions", Role: cms.RoleViewer, Handle: h.own},
		{Method: "DELETE", Pattern: "/sessions/{id}", Role: cms.RoleViewer, Handle: h.endOwn},
		{Method: "GET", Pattern: "/users/{id}/sessions", Role: cms.RoleUserAdmin, Handle: h.others},
		{Method: "DELETE", Pattern: "/users/{id}/sessions/{session}", Role: cms.RoleUserAdmin,
			Handle: h.endOthers},
	}, h.tokens()...)
}

type sessionHandlers struct{ sessions *access.Sessions }

func (h sessionHandlers) own(c *Call) (Result, error) { return h.list(c, c.User.ID, "/sessions") }

func (h sessionHandlers) others(c *Call) (Result, error) {
	id := c.R.PathValue("id")
	return h.list(c, id, "/users/"+id+"/sessions")
}

func (h sessionHandlers) list(c *Call, userID, at string) (Result, error) {
	p, err := c.plainPaging()
	if err != nil {
		return Result{}, err
	}
	page, err := h.sessions.List(c.R.Context(), userID, c.session, p)
	if err != nil {
		return Result{}, err
	}
	list := &List{Columns: []string{"Signed in", "Last seen", "Address", "Browser", ""},
		Empty: "Nobody is signed in."}
	for _, v := range page.Items {
		row := Row{Cells: []Cell{When(v.CreatedAt), When(v.LastSeenAt), Text(v.Address),
			Text(v.UserAgent), YesNo(v.Current, "this one", "")}}
		row.Actions = []Action{{Label: "End", Method: http.MethodDelete, Href: Base + at + "/" +
			v.ID, Danger: true, Confirm: "End this session?"}}
		list.Rows = append(list.Rows, row)
	}
	return Result{Data: page.Items, Meta: meta(page),
		Page: &Page{Title: "Sessions", List: Paged(c, list, page)}}, nil
}

func (h sessionHandlers) endOwn(c *Call) (Result, error) {
	err := h.sessions.End(c.R.Context(), c.Actor(), c.User.ID, c.R.PathValue("id"))
	return Result{Status: http.StatusNoContent, Redirect: "/sessions?ok=done"}, err
}

func (h sessionHandlers) endOthers(c *Call) (Result, error) {
	id := c.R.PathValue("id")
	err := h.sessions.End(c.R.Context(), c.Actor(), id, c.R.PathValue("session"))
	return Result{Status: http.StatusNoContent, Redirect: "/users/" + id + "/sessions?ok=done"}, err
}

// tokenView is an access token, with the token itself where that is known.
type tokenView struct {
	tokens.AccessToken
	Token string `json:"token,omitempty"`
}

// tokens are the routes of one's own access tokens.
func (h sessionHandlers) tokens() []Route {
	return Resource[tokenView]{
		Path: "/tokens", Title: "Access tokens", One: "access token", Confirm: true, Read: cms.RoleViewer,
		Write: cms.RoleViewer,
		List: func(c *Call, p db.Paging) (db.Page[tokenView], error) {
			page, err := h.sessions.Tokens(c.R.Context(), c.token, p)
			return mapPage(page,
				func(t tokens.AccessToken) tokenView { return tokenView{AccessToken: t} }), err
		},
		Get: h.token,
		Create: func(c *Call, body map[string]any) (tokenView, error) {
			formExpiry(c, body)
			t, err := h.sessions.CreateToken(c.R.Context(), c.Actor(), c.token, body)
			return tokenView(t), err
		},
		Delete: func(c *Call, id string) error {
			return h.sessions.DeleteToken(c.R.Context(),
				c.Actor(), c.token, id)
		},
		New:     func(*Call) (tokenView, error) { return tokenView{}, nil },
		ID:      func(t tokenView) string { return t.ID },
		Name:    func(t tokenView) string { return t.Name },
		Columns: []string{"Name", "Expires", "Created"},
		Row: func(t tokenView) []Cell {
			return []Cell{Text(t.Name), When(t.ExpiresAt),
				When(t.CreatedAt)}
		},
		Detail: func(_ *Call, t tokenView) (*Detail, error) {
			return &Detail{Facts: []Fact{{Label: "Expires", Cells: []Cell{When(t.ExpiresAt)}},
				{Label: "Created", Cells: []Cell{When(t.CreatedAt)}}}}, nil
		},
		Fields: func(*Call, *tokenView) ([]Field, error) {
			return []Field{
				{Name: "name", Label: "Name", Kind: "text", Required: true,
					Help: "What uses the token. It acts as you."},
				{Name: "expires_at", Label: "Expires", Kind: "datetime", Help: "Empty: never."},
			}, nil
		},
		Secret: func(t tokenView) string { return t.Token },
	}.Routes()
}

func (h sessionHandlers) token(c *Call, id string) (tokenView, error) {
	page, err := h.sessions.Tokens(c.R.Context(), c.token, db.Paging{Page: 1, PerPage: 1000})
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
