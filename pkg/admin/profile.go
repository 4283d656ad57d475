package admin

import (
	"headless/pkg/access"
	"headless/pkg/cms"
)

// profileRoutes are the routes of what users change of their own account, whatever their role.
func profileRoutes(sessions *access.Sessions) []Route {
	h := profileHandlers{sessions}
	return []Route{
		{Method: "GET", Pattern: "/profile", Role: cms.RoleViewer, Handle: h.show},
		{Method: "PUT", Pattern: "/profile", Role: cms.RoleViewer, Handle: h.update, Form: h.form},
	}
}

type profileHandlers struct{ sessions *access.Sessions }

func (h profileHandlers) show(c *Call) (Result, error) {
	page, err := h.form(c)
	return Result{Data: c.User, Page: page}, err
}

func (h profileHandlers) form(c *Call) (*Page, error) {
	version, err := versionOf(c.User)
	at := Base + "/profile"
	links := []Link{{"Passkeys", Base + "/passkeys"}, {"Second factor", Base + "/totp"},
		{"Sessions", Base + "/sessions"}, {"Access tokens", Base + "/tokens"}}
	return &Page{Title: "Your profile", Links: links, Form: &Form{Action: at, Method: "PUT", Submit: "Save",
		Version: version, Fields: []Field{
			{Name: "email", Label: "E-mail", Kind: "email", Value: c.User.Email, ReadOnly: true,
				Kept: true, Help: "An admin can change it."},
			{Name: "name", Label: "Name", Kind: "text", Value: c.User.Name},
			{Name: "password", Label: "New password", Kind: "password",
				Help: "At least 12 characters. Leave empty to keep the password. A new one ends your other sessions."},
			{Name: "current_password", Label: "Current password", Kind: "password",
				Help: "Needed for a new password."},
		}}}, err
}

func (h profileHandlers) update(c *Call) (Result, error) {
	body, err := c.Body()
	if err != nil {
		return Result{}, err
	}
	if c.isForm && c.form.Get("password") == "" { // an empty field keeps the password
		delete(body, "password")
		delete(body, "current_password")
	}
	user, err := h.sessions.UpdateProfile(c.R.Context(), c.Actor(), c.token, *c.User, body,
		unchanged(c, func(u cms.User) any { return u }))
	return Result{Data: user, Redirect: "/profile?ok=saved"}, err
}
