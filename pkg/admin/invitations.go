package admin

import (
	"net/http"
	"net/url"

	"headless/pkg/access"
	"headless/pkg/cms"
	"headless/pkg/db"
)

// invitationRoutes are the routes of invitations and forgotten passwords.
func invitationRoutes(invitations *access.Invitations, roles *access.Roles) []Route {
	h := invitationHandlers{invitations, roles}
	routes := Resource[access.Invitation]{
		Path: "/invitations", Title: "Invitations", One: "invitation", Confirm: true, Read: cms.RoleUserAdmin,
		List: func(c *Call, p db.Paging) (db.Page[access.Invitation], error) {
			return invitations.List(c.R.Context(), p)
		},
		Get: func(c *Call, id string) (access.Invitation,
			error) {
			return invitations.Get(c.R.Context(), id)
		},
		Create: func(c *Call, body map[string]any) (access.Invitation, error) {
			return invitations.Create(c.R.Context(), c.Actor(), body)
		},
		Delete: func(c *Call, id string) error { return invitations.Withdraw(c.R.Context(), c.Actor(), id) },
		New: func(*Call) (access.Invitation,
			error) {
			return access.Invitation{Role: cms.RoleEditor}, nil
		},
		ID:      func(v access.Invitation) string { return v.ID },
		Name:    func(v access.Invitation) string { return v.Email },
		Columns: []string{"E-mail", "Name", "Role", "Expires"},
		Row: func(v access.Invitation) []Cell {
			return []Cell{Text(v.Email), Text(v.Name), Badge(string(v.Role)), When(v.ExpiresAt)}
		},
		Detail: func(_ *Call, v access.Invitation) (*Detail, error) {
			return &Detail{
				Facts: []Fact{
					{Label: "E-mail", Cells: []Cell{Text(v.Email)}},
					{Label: "Role", Cells: []Cell{Badge(string(v.Role))}},
					{Label: "Expires", Cells: []Cell{When(v.ExpiresAt)}},
				},
				Actions: []Action{{Label: "Send again", Href: Base + "/invitations/" + v.ID +
					"/resend", Method: http.MethodPost}},
			}, nil
		},
		Fields: h.fields,
	}.Routes()
	wrap(routes, "GET", "/invitations", h.withForm)
	return append(routes,
		Route{Method: "POST", Pattern: "/invitations/{id}/resend", Role: cms.RoleUserAdmin, Handle: h.resend,
			Confirm: true},
		Route{Method: "GET", Pattern: "/invitations/accept", Handle: h.acceptPage},
		Route{Method: "POST", Pattern: "/invitations/accept", Handle: h.accept, Form: h.acceptForm},
		Route{Method: "GET", Pattern: "/password/forgot", Handle: h.forgotPage},
		Route{Method: "POST", Pattern: "/password/forgot", Handle: h.forgot, Form: h.forgotForm},
		Route{Method: "GET", Pattern: "/password/reset", Handle: h.resetPage},
		Route{Method: "POST", Pattern: "/password/reset", Handle: h.reset, Form: h.resetForm},
	)
}

type invitationHandlers struct {
	invitations *access.Invitations
	roles       *access.Roles
}

func (h invitationHandlers) fields(c *Call, _ *access.Invitation) ([]Field, error) {
	options, err := roleOptions(c, h.roles)
	return []Field{
		{Name: "email", Label: "E-mail", Kind: "email", Required: true},
		{Name: "name", Label: "Name", Kind: "text"},
		{Name: "role", Label: "Role", Kind: "select", Value: string(cms.RoleEditor), Options: options},
	}, err
}

// withForm puts the form of an invitation on the page of the list.
func (h invitationHandlers) withForm(list handler) handler {
	return func(c *Call) (Result, error) {
		result, err := list(c)
		if err != nil || result.Page == nil {
			return result, err
		}
		fields, err := h.fields(c, nil)
		result.Page.List.Create = nil
		result.Page.Form = &Form{Action: Base + "/invitations", Method: http.MethodPost,
			Fields: []Field{{Kind: "row", Fields: fields}}, Submit: "Invite"}
		return result, err
	}
}

func (h invitationHandlers) resend(c *Call) (Result, error) {
	v, err := h.invitations.Resend(c.R.Context(), c.Actor(), c.R.PathValue("id"))
	return Result{Data: v, Redirect: "/invitations/" + v.ID + "?ok=done"}, err
}

// passwordPage is a page with one form for somebody who is not signed in. It is for browsers alone.
func passwordPage(c *Call, form func(*Call) (*Page, error)) (Result, error) {
	if c.JSON {
		return Result{}, cms.Errorf(cms.CodeNotFound, "Send this by POST.")
	}
	page, err := form(c)
	return Result{Page: page, Header: http.Header{"Referrer-Policy": {"no-referrer"}}}, err
}

// mailedToken is the one in the link of a mail, which the form that came of it keeps in its
// address.
func (c *Call) mailedToken() string { return c.R.URL.Query().Get("token") }

// mailedBody is a body with the token of the link.
func (c *Call) mailedBody() (map[string]any, error) {
	body, err := c.Body()
	if err == nil && c.isForm {
		body["token"] = c.mailedToken()
	}
	return body, err
}

func (h invitationHandlers) acceptPage(c *Call) (Result, error) { return passwordPage(c, h.acceptForm) }

func (h invitationHandlers) acceptForm(c *Call) (*Page, error) {
	return &Page{Title: "Welcome", Form: &Form{Action: Base + "/invitations/accept?token=" +
		url.QueryEscape(c.mailedToken()), Method: http.MethodPost, Submit: "Create your account",
		Fields: []Field{
			{Name: "name", Label: "Your name", Kind: "text"},
			{Name: "password", Label: "Password", Kind: "password", Required: true,
				Help: "At least 12 characters."},
		}}}, nil
}

func (h invitationHandlers) accept(c *Call) (Result, error) {
	body, err := c.mailedBody()
	if err != nil {
		return Result{}, err
	}
	session, err := h.invitations.Accept(c.R.Context(), c.client(), body)
	if err != nil {
		return Result{}, err
	}
	return c.signedInAs(session, "/"), nil
}

func (h invitationHandlers) forgotPage(c *Call) (Result, error) { return passwordPage(c, h.forgotForm) }

func (h invitationHandlers) forgotForm(*Call) (*Page, error) {
	return &Page{Title: "Forgotten password", Form: &Form{Action: Base + "/password/forgot",
		Method: http.MethodPost, Submit: "Send a link", Cancel: Base + "/login", Fields: []Field{
			{Name: "email", Label: "E-mail", Kind: "email", Required: true,
				Help: "If there is an account with this address, it gets a link for a new password."},
		}}}, nil
}

func (h invitationHandlers) forgot(c *Call) (Result, error) {
	body, err := c.Body()
	if err == nil {
		err = h.invitations.Sessions.Forgot(c.R.Context(), c.client(), body)
	}
	return Result{Status: http.StatusAccepted, Data: map[string]any{}, Redirect: "/login?ok=mailed"}, err
}

func (h invitationHandlers) resetPage(c *Call) (Result, error) { return passwordPage(c, h.resetForm) }

func (h invitationHandlers) resetForm(c *Call) (*Page, error) {
	return &Page{Title: "New password", Form: &Form{Action: Base + "/password/reset?token=" +
		url.QueryEscape(c.mailedToken()), Method: http.MethodPost, Submit: "Set the password",
		Fields: []Field{
			{Name: "password", Label: "New password", Kind: "password", Required: true,
				Help: "At least 12 characters. It signs you out everywhere."},
		}}}, nil
}

func (h invitationHandlers) reset(c *Call) (Result, error) {
	body, err := c.mailedBody()
	if err == nil {
		err = h.invitations.Sessions.Reset(c.R.Context(), c.client(), body)
	}
	return Result{Status: http.StatusNoContent, Redirect: "/login?ok=saved"}, err
}
