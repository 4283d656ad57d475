package accounts

import (
	"net/http"
	"net/url"

	"headless/pkg/access"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
)

// InvitationRoutes are the routes of invitations and forgotten passwords.
func InvitationRoutes(invitations *access.Invitations, roles *access.Roles) []frame.Route {
	h := invitationHandlers{invitations, roles}
	routes := resource.Kind[access.Invitation]{
		Path: "/invitations", Title: "Invitations", One: "invitation", Confirm: true, Read: cms.RoleUserAdmin,
		List: func(c *frame.Call, p db.Paging) (db.Page[access.Invitation], error) {
			return invitations.List(c.R.Context(), p)
		},
		Get: func(c *frame.Call, id string) (access.Invitation, error) {
			return invitations.Get(c.R.Context(), id)
		},
		Create: func(c *frame.Call, body map[string]any) (access.Invitation, error) {
			return invitations.Create(c.R.Context(), c.Actor(), body)
		},
		Delete: func(c *frame.Call, id string) error {
			return invitations.Withdraw(c.R.Context(), c.Actor(), id)
		},
		New: func(*frame.Call) (access.Invitation, error) {
			return access.Invitation{Role: cms.RoleEditor}, nil
		},
		ID:      func(v access.Invitation) string { return v.ID },
		Name:    func(v access.Invitation) say.Text { return say.Data(v.Email) },
		Columns: []say.Text{"E-mail", "Name", "Role", "Expires"},
		Row: func(v access.Invitation) []ui.Cell {
			return []ui.Cell{ui.Text(v.Email), ui.Text(v.Name), ui.Badge(say.Known(string(v.Role))),
				ui.When(v.ExpiresAt)}
		},
		Detail: func(_ *frame.Call, v access.Invitation) (*ui.Detail, error) {
			return &ui.Detail{
				Facts: []ui.Fact{
					{Label: "E-mail", Cells: []ui.Cell{ui.Text(v.Email)}},
					{Label: "Role", Cells: []ui.Cell{ui.Badge(say.Known(string(v.Role)))}},
					{Label: "Expires", Cells: []ui.Cell{ui.When(v.ExpiresAt)}},
				},
				Actions: []ui.Action{{Label: "Send again", Href: ui.Base + "/invitations/" + v.ID +
					"/resend", Method: http.MethodPost}},
			}, nil
		},
		Fields: h.fields,
	}.Routes()
	frame.Wrap(routes, "GET", "/invitations", h.withForm)
	return append(routes,
		frame.Route{Method: "POST", Pattern: "/invitations/{id}/resend", Role: cms.RoleUserAdmin,
			Handle:  h.resend,
			Confirm: true},
		frame.Route{Method: "GET", Pattern: "/invitations/accept", Handle: h.acceptPage},
		frame.Route{Method: "POST", Pattern: "/invitations/accept", Handle: h.accept, Form: h.acceptForm},
		frame.Route{Method: "GET", Pattern: "/password/forgot", Handle: h.forgotPage},
		frame.Route{Method: "POST", Pattern: "/password/forgot", Handle: h.forgot, Form: h.forgotForm},
		frame.Route{Method: "GET", Pattern: "/password/reset", Handle: h.resetPage},
		frame.Route{Method: "POST", Pattern: "/password/reset", Handle: h.reset, Form: h.resetForm},
	)
}

type invitationHandlers struct {
	invitations *access.Invitations
	roles       *access.Roles
}

func (h invitationHandlers) fields(c *frame.Call, _ *access.Invitation) ([]ui.Field, error) {
	options, err := roleOptions(c, h.roles)
	return []ui.Field{
		{Name: "email", Label: "E-mail", Kind: "email", Required: true},
		{Name: "name", Label: "Name", Kind: "text"},
		{Name: "role", Label: "Role", Kind: "select", Value: string(cms.RoleEditor), Options: options},
	}, err
}

// withForm adds the form for a new invitation to the page of the list.
func (h invitationHandlers) withForm(list frame.Handler) frame.Handler {
	return func(c *frame.Call) (frame.Result, error) {
		result, err := list(c)
		if err != nil || result.Page == nil {
			return result, err
		}
		fields, err := h.fields(c, nil)
		result.Page.List.Create = nil
		result.Page.Form = &ui.Form{Action: ui.Base + "/invitations", Method: http.MethodPost,
			Fields: []ui.Field{{Kind: "row", Fields: fields}}, Submit: "Invite"}
		return result, err
	}
}

func (h invitationHandlers) resend(c *frame.Call) (frame.Result, error) {
	v, err := h.invitations.Resend(c.R.Context(), c.Actor(), c.R.PathValue("id"))
	return frame.Result{Data: v, Redirect: "/invitations/" + v.ID + "?ok=done"}, err
}

// passwordPage returns a page with one form for a visitor who is not signed in. It is for browsers
// only: requests for JSON get NOT_FOUND.
func passwordPage(c *frame.Call, form func(*frame.Call) (*ui.Page, error)) (frame.Result, error) {
	if c.JSON {
		return frame.Result{}, cms.Errorf(cms.CodeNotFound, "Send this by POST.")
	}
	page, err := form(c)
	return frame.Result{Page: page, Header: http.Header{"Referrer-Policy": {"no-referrer"}}}, err
}

// tokenInLink returns the token of a mailed link. The form that the link opens keeps it in the
// query of its URL.
func tokenInLink(c *frame.Call) string { return c.R.URL.Query().Get("token") }

// bodyOfLink reads the body. To a form it adds the token of the mailed link.
func bodyOfLink(c *frame.Call) (map[string]any, error) {
	body, err := c.Body()
	if err == nil && c.IsForm {
		body["token"] = tokenInLink(c)
	}
	return body, err
}

// errorOfLink names the mailed link in an error about its token, which no field of the form holds.
func errorOfLink(c *frame.Call, err error) error {
	if e := frame.AsError(err); c.IsForm && e != nil && len(e.Details["token"]) > 0 {
		return cms.Errorf(cms.CodeValidationFailed,
			"This link is wrong, expired or used already. Ask for a new one.")
	}
	return err
}

func (h invitationHandlers) acceptPage(c *frame.Call) (frame.Result, error) {
	return passwordPage(c, h.acceptForm)
}

func (h invitationHandlers) acceptForm(c *frame.Call) (*ui.Page, error) {
	return &ui.Page{Title: "Welcome", Links: []ui.Link{{Text: "Sign in",
		Href: ui.Base + "/login"}}, Form: &ui.Form{Action: ui.Base + "/invitations/accept?token=" +
		url.QueryEscape(tokenInLink(c)), Method: http.MethodPost, Submit: "Create your account",
		Fields: []ui.Field{
			{Name: "name", Label: "Your name", Kind: "text"},
			{Name: "password", Label: "Password", Kind: "password", Required: true,
				Help: "At least 12 characters."},
		}}}, nil
}

func (h invitationHandlers) accept(c *frame.Call) (frame.Result, error) {
	body, err := bodyOfLink(c)
	if err != nil {
		return frame.Result{}, err
	}
	session, err := h.invitations.Accept(c.R.Context(), c.Client(), body)
	if err != nil {
		return frame.Result{}, errorOfLink(c, err)
	}
	return c.SignedInAs(session, "/"), nil
}

func (h invitationHandlers) forgotPage(c *frame.Call) (frame.Result, error) {
	return passwordPage(c, h.forgotForm)
}

func (h invitationHandlers) forgotForm(*frame.Call) (*ui.Page, error) {
	return &ui.Page{Title: "Forgotten password", Form: &ui.Form{Action: ui.Base + "/password/forgot",
		Method: http.MethodPost, Submit: "Send a link", Cancel: ui.Base + "/login", Fields: []ui.Field{
			{Name: "email", Label: "E-mail", Kind: "email", Required: true,
				Help: "If there is an account with this address, it gets a link for a new password."},
		}}}, nil
}

func (h invitationHandlers) forgot(c *frame.Call) (frame.Result, error) {
	body, err := c.Body()
	if err == nil {
		err = h.invitations.Sessions.Forgot(c.R.Context(), c.Client(), body)
	}
	return frame.Result{Status: http.StatusAccepted, Data: map[string]any{},
		Redirect: "/login?ok=forgot"}, err
}

func (h invitationHandlers) resetPage(c *frame.Call) (frame.Result, error) {
	return passwordPage(c, h.resetForm)
}

func (h invitationHandlers) resetForm(c *frame.Call) (*ui.Page, error) {
	return &ui.Page{Title: "New password", Links: []ui.Link{{Text: "Forgotten password",
		Href: ui.Base + "/password/forgot"}}, Form: &ui.Form{Action: ui.Base + "/password/reset?token=" +
		url.QueryEscape(tokenInLink(c)), Method: http.MethodPost, Submit: "Set the password",
		Fields: []ui.Field{
			{Name: "password", Label: "New password", Kind: "password", Required: true,
				Help: "At least 12 characters. It signs you out everywhere."},
		}}}, nil
}

func (h invitationHandlers) reset(c *frame.Call) (frame.Result, error) {
	body, err := bodyOfLink(c)
	if err == nil {
		err = h.invitations.Sessions.Reset(c.R.Context(), c.Client(), body)
	}
	return frame.Result{Status: http.StatusNoContent, Redirect: "/login?ok=password"}, errorOfLink(c, err)
}
