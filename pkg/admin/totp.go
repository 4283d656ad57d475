package admin

import (
	"net/http"
	"strings"

	"headless/pkg/access"
	"headless/pkg/cms"
)

// totpRoutes are the routes of one's own second factor, and of removing that of others.
func totpRoutes(sessions *access.Sessions) []Route {
	h := totpHandlers{sessions}
	return []Route{
		{Method: "GET", Pattern: "/totp", Role: cms.RoleViewer, Handle: h.show},
		{Method: "POST", Pattern: "/totp", Role: cms.RoleViewer, Handle: h.start, Form: h.form},
		{Method: "POST", Pattern: "/totp/confirm", Role: cms.RoleViewer, Handle: h.confirm,
			Form: h.confirmForm},
		{Method: "DELETE", Pattern: "/totp", Role: cms.RoleViewer, Handle: h.remove, Form: h.form},
		{Method: "DELETE", Pattern: "/users/{id}/totp", Role: cms.RoleUserAdmin, Handle: h.reset,
			Confirm: true},
	}
}

type totpHandlers struct{ sessions *access.Sessions }

func (h totpHandlers) show(c *Call) (Result, error) {
	page, err := h.form(c)
	return Result{Data: map[string]any{"enabled": c.hasTOTP}, Page: page}, err
}

// form asks for the password to set a second factor up, or for a code to remove it.
func (h totpHandlers) form(c *Call) (*Page, error) {
	f := &Form{Action: Base + "/totp", Method: http.MethodPost, Submit: "Set up", Cancel: Base +
		"/profile", Fields: []Field{
		{Name: "password", Label: "Current password", Kind: "password", Required: true,
			Help: "Then you see the secret for your authenticator app."},
	}}
	if c.hasTOTP {
		f.Method, f.Submit = http.MethodDelete, "Remove"
		f.Fields = []Field{{Name: "code", Label: "Code", Kind: "text", Required: true,
			Help: "Of your authenticator app, or a recovery code."}}
	}
	return &Page{Title: "Second factor", Crumbs: []Link{{"Your profile", Base + "/profile"}}, Form: f}, nil
}

func (h totpHandlers) start(c *Call) (Result, error) {
	body, err := c.Body()
	if err != nil {
		return Result{}, err
	}
	setup, err := h.sessions.StartTOTP(c.R.Context(), c.token, body)
	if err != nil {
		return Result{}, err
	}
	page, err := h.confirmForm(c)
	page.Notice = "Add this secret to your authenticator app, then enter the code that it shows."
	page.Secret = []Fact{{Label: "Secret", Pre: setup.Secret, Code: true},
		{Label: "Address", Pre: setup.URI, Code: true}}
	return Result{Data: setup, Page: page}, err
}

func (h totpHandlers) confirmForm(*Call) (*Page, error) {
	return &Page{Title: "Confirm your second factor", Form: &Form{Action: Base + "/totp/confirm",
		Method: http.MethodPost, Submit: "Confirm", Fields: []Field{
			{Name: "code", Label: "Code", Kind: "text", Required: true},
		}}}, nil
}

func (h totpHandlers) confirm(c *Call) (Result, error) {
	body, err := c.Body()
	if err != nil {
		return Result{}, err
	}
	codes, err := h.sessions.ConfirmTOTP(c.R.Context(), c.Actor(), c.token, body)
	page := &Page{
		Title:  "Second factor",
		Notice: "Your second factor is on. Keep these recovery codes: each works once, and they are not shown again.",
		Secret: []Fact{{Label: "Recovery codes", Pre: strings.Join(codes, "\n"), Code: true}},
		Detail: &Detail{Actions: []Action{{Label: "Done", Href: Base + "/profile"}}},
	}
	return Result{Data: map[string]any{"recovery_codes": codes}, Page: page}, err
}

func (h totpHandlers) remove(c *Call) (Result, error) {
	body, err := c.Body()
	if err == nil {
		err = h.sessions.RemoveTOTP(c.R.Context(), c.Actor(), c.token, body)
	}
	return Result{Status: http.StatusNoContent, Redirect: "/profile?ok=done"}, err
}

func (h totpHandlers) reset(c *Call) (Result, error) {
	id := c.R.PathValue("id")
	err := h.sessions.ResetTOTP(c.R.Context(), c.Actor(), id)
	return Result{Status: http.StatusNoContent, Redirect: "/users/" + id + "?ok=done"}, err
}
