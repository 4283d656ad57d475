package accounts

import (
	"net/http"
	"strings"

	"headless/pkg/access"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
)

// TotpRoutes returns the routes of one's own second factor and, for admins, the route that removes
// another user's.
func TotpRoutes(sessions *access.Sessions) []frame.Route {
	h := totpHandlers{sessions}
	return []frame.Route{
		{Method: "GET", Pattern: "/totp", Role: cms.RoleViewer, Handle: h.show},
		{Method: "POST", Pattern: "/totp", Role: cms.RoleViewer, Handle: frame.WithBody(h.start), Form: h.form},
		{Method: "POST", Pattern: "/totp/confirm", Role: cms.RoleViewer, Handle: frame.WithBody(h.confirm),
			Form: h.confirmForm},
		{Method: "GET", Pattern: "/totp/recovery", Role: cms.RoleViewer, Handle: h.askForCodes},
		{Method: "POST", Pattern: "/totp/recovery", Role: cms.RoleViewer, Handle: frame.WithBody(h.renewCodes),
			Form: renewForm},
		{Method: "DELETE", Pattern: "/totp", Role: cms.RoleViewer, Handle: frame.WithBody(h.remove), Form: h.form},
		{Method: "DELETE", Pattern: "/users/{id}/totp", Role: cms.RoleUserAdmin, Handle: h.reset, Confirm: true},
	}
}

type totpHandlers struct{ sessions *access.Sessions }

func (h totpHandlers) show(c *frame.Call) (frame.Result, error) {
	page, err := h.form(c)
	return frame.Result{Data: map[string]any{"enabled": c.HasTOTP,
		"recovery_codes_left": c.RecoveryCodes}, Page: page}, err
}

// form asks for the password to set a second factor up, or for a code to remove it.
func (h totpHandlers) form(c *frame.Call) (*ui.Page, error) {
	f := &ui.Form{Action: ui.Base + "/totp", Method: http.MethodPost, Submit: "Set up", Cancel: ui.Base +
		"/profile", Fields: []ui.Field{
		{Name: "password", Label: "Current password", Kind: "password", Required: true,
			Help: "Then you see the secret for your authenticator app."},
	}}
	if !c.HasTOTP {
		if err := h.sessions.NeedPasswords(); err != nil {
			return nil, err
		}
	}
	if c.HasTOTP {
		f.Method, f.Submit = http.MethodDelete, "Remove"
		f.Fields = []ui.Field{codeField()}
	}
	page := &ui.Page{Title: "Second factor",
		Crumbs: frame.OfProfile(), Form: f}
	if c.HasTOTP {
		page.Notice = say.N(c.RecoveryCodes,
			"Your second factor is on, with {1} recovery code left.", "Your second factor is on, with {1} recovery codes left.")
		page.Links = []ui.Link{{Text: "New recovery codes", Href: ui.Base + "/totp/recovery"}}
	}
	return page, nil
}

func codeField() ui.Field {
	return ui.Field{Name: "code", Label: "Code", Kind: "code", Required: true,
		Help: "Of your authenticator app, or a recovery code."}
}

func (h totpHandlers) start(c *frame.Call, body map[string]any) (frame.Result, error) {
	setup, err := h.sessions.StartTOTP(c.R.Context(), c.Token, body)
	if err != nil {
		return frame.Result{}, err
	}
	return frame.Result{Data: setup, Page: confirmPage(setup)}, nil
}

func (h totpHandlers) confirmForm(c *frame.Call) (*ui.Page, error) {
	return confirmPage(access.TOTPSetup{Secret: c.Form.Get("secret"), URI: c.Form.Get(secretURI)}), nil
}

// secretURI is the hidden input with the address that holds the secret. Its name keeps it out of kept forms.
const secretURI = "secret_uri"

// confirmPage shows a secret and asks for a code. Its form has the secret, which is still needed after a wrong code.
func confirmPage(setup access.TOTPSetup) *ui.Page {
	page := &ui.Page{Title: "Confirm your second factor", Form: &ui.Form{Action: ui.Base + "/totp/confirm",
		Method: http.MethodPost, Submit: "Confirm", Cancel: ui.Base + "/totp", Fields: []ui.Field{
			{Name: "secret", Kind: "hidden", Value: setup.Secret}, {Name: secretURI, Kind: "hidden", Value: setup.URI},
			{Name: "code", Label: "Code", Kind: "code", Required: true},
		}}}
	if setup.Secret != "" {
		page.Notice = "Scan the QR code with your authenticator app, or type the secret into it. " +
			"Then enter the code that it shows."
		if code := ui.NewQR(setup.URI); code != nil {
			page.Secret = []ui.Fact{{Label: "QR code", QR: code}}
		}
		page.Secret = append(page.Secret, ui.Fact{Label: "Secret", Pre: setup.Secret, Code: true},
			ui.Fact{Label: "Address", Pre: setup.URI, Code: true})
	}
	return page
}

func (h totpHandlers) confirm(c *frame.Call, body map[string]any) (frame.Result, error) {
	if c.IsForm {
		delete(body, "secret")
		delete(body, secretURI)
	}
	codes, err := h.sessions.ConfirmTOTP(c.R.Context(), c.Actor(), c.Token, body)
	return newCodes(codes,
		"Your second factor is on. Keep these recovery codes: each works once, and they are not shown again."), err
}

// newCodes shows recovery codes, which are not shown again.
func newCodes(codes []string, notice say.Text) frame.Result {
	return frame.Result{Data: map[string]any{"recovery_codes": codes}, Page: &ui.Page{
		Title: "Second factor", Notice: notice,
		Secret: []ui.Fact{{Label: "Recovery codes", Pre: strings.Join(codes, "\n"), Code: true}},
		Detail: &ui.Detail{Actions: []ui.Action{{Label: "Done", Href: ui.Base + "/profile"}}},
	}}
}

func (h totpHandlers) askForCodes(c *frame.Call) (frame.Result, error) {
	if !c.HasTOTP {
		return frame.Result{}, cms.Errorf(cms.CodeNotFound, "There is no second factor.")
	}
	if c.JSON {
		return frame.Result{}, c.NotAllowed(http.MethodPost)
	}
	return frame.ShowPage(renewForm)(c)
}

func renewForm(*frame.Call) (*ui.Page, error) {
	return &ui.Page{Title: "New recovery codes", Crumbs: []ui.Link{{Text: "Your profile", Href: ui.Base + "/profile"},
		{Text: "Second factor", Href: ui.Base + "/totp"}}, Form: &ui.Form{Action: ui.Base + "/totp/recovery",
		Method: http.MethodPost, Submit: "Make new codes", Cancel: ui.Base + "/totp", Fields: []ui.Field{codeField()}}}, nil
}

func (h totpHandlers) renewCodes(c *frame.Call, body map[string]any) (frame.Result, error) {
	codes, err := h.sessions.RenewRecoveryCodes(c.R.Context(), c.Actor(), c.Token, body)
	return newCodes(codes,
		"The former codes no longer work. Keep these recovery codes: each works once, and they are not shown again."), err
}

func (h totpHandlers) remove(c *frame.Call, body map[string]any) (frame.Result, error) {
	err := h.sessions.RemoveTOTP(c.R.Context(), c.Actor(), c.Token, body)
	return frame.Result{Status: http.StatusNoContent, Redirect: "/profile?ok=done"}, err
}

func (h totpHandlers) reset(c *frame.Call) (frame.Result, error) {
	id := c.R.PathValue("id")
	err := h.sessions.ResetTOTP(c.R.Context(), c.Actor(), id)
	return frame.Result{Status: http.StatusNoContent, Redirect: "/users/" + id + "?ok=done"}, err
}
