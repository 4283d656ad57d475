package accounts

import (
	"context"
	"net/http"
	"slices"

	"headless/pkg/access"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
)

// InvitationRoutes returns the routes of invitations and forgotten passwords.
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
			return []ui.Cell{ui.Text(v.Email), ui.Text(v.Name), ui.Badge(say.Data(string(v.Role))),
				ui.When(v.ExpiresAt)}
		},
		Detail: func(c *frame.Call, v access.Invitation) (*ui.Detail, error) {
			names, err := roleOptions(c, roles)
			return &ui.Detail{
				Facts: []ui.Fact{
					ui.NewFact("E-mail", ui.Text(v.Email)),
					ui.NewFact("Role", roleBadge(names, string(v.Role))),
					ui.NewFact("Expires", ui.When(v.ExpiresAt)),
				},
				Actions: []ui.Action{{Label: "Send again", Href: ui.Base + "/invitations/" + v.ID +
					"/resend", Method: http.MethodPost}},
			}, err
		},
		Fields: h.fields, Complete: h.addForm,
	}.Routes()
	routes = slices.Concat(routes, h.toAccept().routes(), h.toReset().routes())
	return append(routes,
		frame.Route{Method: "POST", Pattern: "/invitations/{id}/resend", Role: cms.RoleUserAdmin,
			Handle:  h.resend,
			Confirm: true},
		frame.Route{Method: "GET", Pattern: "/password/forgot", Handle: forBrowsers(frame.ShowPage(h.forgotForm))},
		frame.Route{Method: "POST", Pattern: "/password/forgot", Handle: frame.WithBody(h.forgot), Form: h.forgotForm},
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

// addForm adds the form for a new invitation to the page of the list.
func (h invitationHandlers) addForm(c *frame.Call, page *ui.Page, _ []access.Invitation) error {
	page.List.Create = nil
	if err := nameRoles(c, h.roles, page.List); err != nil {
		return err
	}
	if h.invitations.Sessions.PasswordsOff {
		page.Notice = "People sign in with your organization: nobody can accept an invitation."
		return nil
	}
	fields, err := h.fields(c, nil)
	page.Form = &ui.Form{Action: ui.Base + "/invitations", Method: http.MethodPost,
		Fields: []ui.Field{{Kind: "row", Fields: fields}}, Submit: "Invite"}
	return err
}

func (h invitationHandlers) resend(c *frame.Call) (frame.Result, error) {
	v, err := h.invitations.Resend(c.R.Context(), c.Actor(), c.R.PathValue("id"))
	return frame.Result{Data: v, Redirect: "/invitations/" + v.ID + "?ok=done"}, err
}

// toAccept is the link of an invitation.
func (h invitationHandlers) toAccept() mailedLink {
	return mailedLink{
		pattern: "/invitations/accept", title: "Welcome", elsewhere: []ui.Link{toSignIn},
		form: ui.Form{Submit: "Create your account", Fields: []ui.Field{
			{Name: "name", Label: "Your name", Kind: "text"},
			{Name: "password", Label: "Password", Kind: "password", Required: true, Help: "At least 12 characters."},
		}},
		open: func(ctx context.Context, token string) error {
			_, err := h.invitations.Open(ctx, token)
			return err
		},
		use: func(c *frame.Call, body map[string]any) (frame.Result, error) {
			session, err := h.invitations.Accept(c.R.Context(), c.Client(), body)
			if err != nil {
				return frame.Result{}, err
			}
			return c.SignedInAs(session, "/"), nil
		},
		dead: "This link is wrong, expired or used already. " +
			"Sign in if you have an account. Otherwise ask the person who invited you for a new invitation.",
	}
}

// toReset is the link for a forgotten password.
func (h invitationHandlers) toReset() mailedLink {
	sessions := h.invitations.Sessions
	return mailedLink{
		pattern: "/password/reset", title: "New password", dead: deadLink,
		form: ui.Form{Submit: "Set the password", Fields: []ui.Field{
			{Name: "password", Label: "New password", Kind: "password", Required: true,
				Help: "At least 12 characters. It signs you out everywhere."},
		}},
		open: func(ctx context.Context, token string) error {
			_, _, err := sessions.OpenReset(ctx, token, false)
			return err
		},
		use: func(c *frame.Call, body map[string]any) (frame.Result, error) {
			return frame.Result{Status: http.StatusNoContent, Redirect: "/login?ok=password"},
				sessions.Reset(c.R.Context(), c.Client(), body)
		},
		elsewhere: []ui.Link{{Text: "Forgotten password", Href: ui.Base + "/password/forgot"}, toSignIn},
	}
}

func (h invitationHandlers) forgotForm(*frame.Call) (*ui.Page, error) {
	if err := h.invitations.Sessions.NeedPasswords(); err != nil {
		return nil, err
	}
	return &ui.Page{Title: "Forgotten password", Form: &ui.Form{Action: ui.Base + "/password/forgot",
		Method: http.MethodPost, Submit: "Send a link", Cancel: ui.Base + "/login", Fields: []ui.Field{
			{Name: "email", Label: "E-mail", Kind: "email", Required: true,
				Help: "If there is an account with this address, it gets a link for a new password."},
		}}}, nil
}

func (h invitationHandlers) forgot(c *frame.Call, body map[string]any) (frame.Result, error) {
	if c.IsForm { // programs get the same answer whatever happens
		if err := h.invitations.Sessions.NeedPasswords(); err != nil {
			return frame.Result{}, err
		}
	}
	err := h.invitations.Sessions.Forgot(c.R.Context(), c.Client(), body)
	return frame.Result{Status: http.StatusAccepted, Data: map[string]any{}, Redirect: "/login?ok=forgot"}, err
}
