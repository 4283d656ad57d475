package accounts

import (
	"net/http"
	"strings"

	"headless/pkg/access"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
)

// TotpRoutes are the routes of one's own second factor and, for admins, the route that removes
// another user's.
func TotpRoutes(sessions *access.Sessions) []frame.Route {
	h := totpHandlers{sessions}
	return []frame.Route{
		{Method: "GET", Pattern: "/totp", Role: cms.RoleViewer, Handle: h.show},
		{Method: "POST", Pattern: "/totp", Role: cms.RoleViewer, Handle: frame.WithBody(h.start), Form: h.form},
		{Method: "POST", Pattern: "/totp/confirm", Role: cms.RoleViewer, Handle: frame.WithBody(h.confirm),
			Form: h.confirmForm},
		{Method: "DELETE", Pattern: "/totp", Role: cms.RoleViewer, Handle: h.remove, Form: h.form},
		{Method: "DELETE", Pattern: "/users/{id}/totp", Role: cms.RoleUserAdmin, Handle: h.reset,
			Confirm: true},
	}
}

type totpHandlers struct{ sessions *access.Sessions }

func (h totpHandlers) show(c *frame.Call) (frame.Result, error) {
	page, err := h.form(c)
	return frame.Result{Data: map[string]any{"enabled": c.HasTOTP}, Page: page}, err
}

// form asks for the password to set a second factor up, or for a code to remove it.
func (h totpHandlers) form(c *frame.Call) (*ui.Page, error) {
	f := &ui.Form{Action: ui.Base + "/totp", Method: http.MethodPost, Submit: "Set up", Cancel: ui.Base +
		"/profile", Fields: []ui.Field{
		{Name: "password", Label: "Current password", Kind: "password", Required: true,
			Help: "Then you see the secret for your authenticator app."},
	}}
	if c.HasTOTP {
		f.Method, f.Submit = http.MethodDelete, "Remove"
		f.Fields = []ui.Field{{Name: "code", Label: "Code", Kind: "text", Required: true,
			Help: "Of your authenticator app, or a recovery code."}}
	}
	return &ui.Page{Title: "Second factor",
		Crumbs: []ui.Link{{Text: "Your profile", Href: ui.Base + "/profile"}}, Form: f}, nil
}

func (h totpHandlers) start(c *frame.Call, body map[string]any) (frame.Result, error) {
	setup, err := h.sessions.StartTOTP(c.R.Context(), c.Token, body)
	if err != nil {
		return frame.Result{}, err
	}
	page, err := h.confirmForm(c)
	page.Notice = "Add this secret to your authenticator app, then enter the code that it shows."
	page.Secret = []ui.Fact{{Label: "Secret", Pre: setup.Secret, Code: true},
		{Label: "Address", Pre: setup.URI, Code: true}}
	return frame.Result{Data: setup, Page: page}, err
}

func (h totpHandlers) confirmForm(*frame.Call) (*ui.Page, error) {
	return &ui.Page{Title: "Confirm your second factor", Form: &ui.Form{Action: ui.Base + "/totp/confirm",
		Method: http.MethodPost, Submit: "Confirm", Cancel: ui.Base + "/totp", Fields: []ui.Field{
			{Name: "code", Label: "Code", Kind: "text", Required: true},
		}}}, nil
}

func (h totpHandlers) confirm(c *frame.Call, body map[string]any) (frame.Result, error) {
	codes, err := h.sessions.ConfirmTOTP(c.R.Context(), c.Actor(), c.Token, body)
	page := &ui.Page{
		Title:  "Second factor",
		Notice: "Your second factor is on. Keep these recovery codes: each works once, and they are not shown again.",
		Secret: []ui.Fact{{Label: "Recovery codes", Pre: strings.Join(codes, "\n"), Code: true}},
		Detail: &ui.Detail{Actions: []ui.Action{{Label: "Done", Href: ui.Base + "/profile"}}},
	}
	return frame.Result{Data: map[string]any{"recovery_codes": codes}, Page: page}, err
}

func (h totpHandlers) remove(c *frame.Call) (frame.Result, error) {
	body, err := c.Body()
	if err == nil {
		err = h.sessions.RemoveTOTP(c.R.Context(), c.Actor(), c.Token, body)
	}
	return frame.Result{Status: http.StatusNoContent, Redirect: "/profile?ok=done"}, err
}

func (h totpHandlers) reset(c *frame.Call) (frame.Result, error) {
	id := c.R.PathValue("id")
	err := h.sessions.ResetTOTP(c.R.Context(), c.Actor(), id)
	return frame.Result{Status: http.StatusNoContent, Redirect: "/users/" + id + "?ok=done"}, err
}
