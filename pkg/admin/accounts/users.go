package accounts

import (
	"headless/pkg/access"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
)

// UserRoutes are the routes of users.
func UserRoutes(users *access.Users, sessions *access.Sessions, roles *access.Roles) []frame.Route {
	return frame.Resource[cms.User]{
		Path: "/users", Title: "Users", One: "user", Confirm: true,
		Update: func(c *frame.Call, id string, body map[string]any,
			ok input.Precondition[cms.User]) (cms.User, error) {
			if c.IsForm && c.Form.Get("password") == "" {
				delete(body, "password") // an empty field keeps the password
			}
			if id := c.R.URL.Query().Get("reassign"); id != "" {
				body["reassign"] = id
			}
			if c.IsForm && c.Form.Get("reassign") == "" {
				delete(body, "reassign")
			}
			return sessions.UpdateUser(c.R.Context(), c.Actor(), c.Token, *c.User, id, body, ok)
		},
		Delete: func(c *frame.Call, id string) error {
			to, err := reassignIn(c)
			if err == nil {
				err = users.Remove(c.R.Context(), c.Actor(), id, to)
			}
			return err
		},
		New:     func(*frame.Call) (cms.User, error) { return cms.NewUser(), nil },
		ID:      func(u cms.User) string { return u.ID },
		Name:    func(u cms.User) string { return u.Email },
		Columns: []string{"E-mail", "Name", "Role", "State"},
		Row: func(u cms.User) []ui.Cell {
			return []ui.Cell{ui.Text(u.Email), ui.Text(u.Name), ui.Badge(string(u.Role)),
				ui.YesNo(u.IsActive, "active", "inactive")}
		},
		Detail: func(_ *frame.Call, u cms.User) (*ui.Detail, error) {
			return &ui.Detail{Facts: []ui.Fact{
				{Label: "E-mail", Cells: []ui.Cell{ui.Text(u.Email)}},
				{Label: "Name", Cells: []ui.Cell{ui.Text(u.Name)}},
				{Label: "Role", Cells: []ui.Cell{ui.Badge(string(u.Role))}},
				{Label: "State", Cells: []ui.Cell{ui.YesNo(u.IsActive, "active", "inactive")}},
				{Label: "Created", Cells: []ui.Cell{ui.When(u.CreatedAt)}},
				{Label: "Changed", Cells: []ui.Cell{ui.When(u.UpdatedAt)}},
			}, Actions: []ui.Action{
				{Label: "Open work", Href: ui.Base + "/users/" + u.ID + "/open"},
				{Label: "Sessions", Href: ui.Base + "/users/" + u.ID + "/sessions"},
				{Label: "Access tokens", Href: ui.Base + "/users/" + u.ID + "/tokens"},
				{Label: "Passkeys", Href: ui.Base + "/users/" + u.ID + "/passkeys"},
			}}, nil
		},
		Fields: func(c *frame.Call, u *cms.User) ([]ui.Field, error) { return userFields(c, roles, u) },
	}.On(users).Routes()
}

// reassignIn returns the user who takes what a deleted user leaves: a query parameter, or a key of the
// body.
func reassignIn(c *frame.Call) (string, error) {
	body, err := c.Body()
	if err != nil {
		return "", err
	}
	var in struct {
		Reassign *string `json:"reassign"`
	}
	p := cms.Problems{}
	input.Decode(body, &in, p)
	return input.Given(in.Reassign, c.R.URL.Query().Get("reassign")), p.Err()
}

func userFields(c *frame.Call, roles *access.Roles, u *cms.User) ([]ui.Field, error) {
	options, err := roleOptions(c, roles)
	if err != nil {
		return nil, err
	}
	v := cms.User{Role: cms.RoleEditor, IsActive: true}
	help := "At least 12 characters."
	if u != nil {
		v = *u
		help = "Leave empty to keep the password. A new one signs the user out everywhere."
	}
	return []ui.Field{
		{Name: "email", Label: "E-mail", Kind: "email", Value: v.Email, Required: true},
		{Name: "name", Label: "Name", Kind: "text", Value: v.Name},
		{Name: "role", Label: "Role", Kind: "select", Value: string(v.Role), Options: options},
		{Name: "password", Label: "Password", Kind: "password", Help: help, Required: u == nil},
		ui.Checkbox("is_active", "May sign in", v.IsActive),
	}, nil
}
