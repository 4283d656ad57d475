package accounts

import (
	"net/http"

	"headless/pkg/access"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// UserRoutes returns the routes of users.
func UserRoutes(users *access.Users, sessions *access.Sessions, roles *access.Roles) []frame.Route {
	return resource.Kind[access.Profile]{
		Path: "/users", Title: "Users", One: "user", Event: "user.updated", Confirm: true,
		Update: func(c *frame.Call, id string, body map[string]any,
			ok input.Precondition[access.Profile]) (access.Profile, error) {
			if c.IsForm && c.Form.Get("password") == "" {
				delete(body, "password") // an empty field keeps the password
			}
			takeReassign(c, body)
			return sessions.UpdateUser(c.R.Context(), c.Actor(), c.Token, *c.User, id, body,
				resource.Through(ok, shownUser))
		},
		Pending: func(u access.Profile) bool { return u.PendingEmail != "" },
		List: func(c *frame.Call, p db.Paging) (db.Page[access.Profile], error) {
			page, err := users.List(c.R.Context(), p)
			return frame.MapPage(page, shownUser), err
		},
		Get: func(c *frame.Call, id string) (access.Profile, error) { return users.Get(c.R.Context(), id) },
		Create: func(c *frame.Call, body map[string]any) (access.Profile, error) {
			u, err := users.Create(c.R.Context(), c.Actor(), body)
			return shownUser(u), err
		},
		Delete: func(c *frame.Call, id string) error {
			to, err := reassignIn(c)
			if err == nil {
				err = users.Remove(c.R.Context(), c.Actor(), id, to)
			}
			return err
		},
		New:     func(*frame.Call) (access.Profile, error) { return shownUser(cms.NewUser()), nil },
		ID:      func(u access.Profile) string { return u.ID },
		Name:    func(u access.Profile) say.Text { return say.Data(u.Email) },
		Columns: []say.Text{"E-mail", "Name", "Role", "State"},
		Row: func(u access.Profile) []ui.Cell {
			return []ui.Cell{ui.Text(u.Email), ui.Text(u.Name), ui.Badge(say.Data(string(u.Role))),
				ui.YesNo(u.IsActive, "active", "inactive")}
		},
		Complete: func(c *frame.Call, page *ui.Page, _ []access.Profile) error {
			return nameRoles(c, roles, page.List)
		},
		Detail: func(c *frame.Call, u access.Profile) (*ui.Detail, error) {
			names, err := roleOptions(c, roles)
			if err != nil {
				return nil, err
			}
			detail := &ui.Detail{Facts: []ui.Fact{
				ui.NewFact("E-mail", ui.Text(u.Email)),
				ui.NewFact("Name", ui.Text(u.Name)),
				ui.NewFact("Role", roleBadge(names, string(u.Role))),
				ui.NewFact("State", ui.YesNo(u.IsActive, "active", "inactive")),
				ui.NewFact("Created", ui.When(u.CreatedAt)),
				ui.NewFact("Changed", ui.When(u.UpdatedAt)),
			}, Actions: []ui.Action{
				{Label: "Open work", Href: ui.Base + "/users/" + u.ID + "/open"},
				{Label: "Sessions", Href: ui.Base + "/users/" + u.ID + "/sessions"},
				{Label: "Access tokens", Href: ui.Base + "/users/" + u.ID + "/tokens"},
				{Label: "Passkeys", Href: ui.Base + "/users/" + u.ID + "/passkeys"},
			}}
			if u.HasTOTP {
				detail.Actions = append(detail.Actions, ui.Action{Label: "Remove second factor", Method: http.MethodDelete,
					Href: ui.Base + "/users/" + u.ID + "/totp", Danger: true,
					Confirm: "Remove the second factor of this user? The password alone signs in then."})
			}
			return detail, nil
		},
		Fields: func(c *frame.Call, u *access.Profile) ([]ui.Field, error) { return userFields(c, roles, u) },
	}.Routes()
}

func shownUser(u cms.User) access.Profile { return access.Profile{User: u} }

// takeReassign puts the query parameter reassign, which names a user, into the body. An empty field of a form
// and null name nobody.
func takeReassign(c *frame.Call, body map[string]any) {
	if body["reassign"] == nil || c.IsForm && c.Form.Get("reassign") == "" {
		delete(body, "reassign")
	}
	if q := c.R.URL.Query(); q.Has("reassign") {
		body["reassign"] = q.Get("reassign")
	}
}

// reassignIn returns the user who takes what a deleted user leaves; nil if the request names none.
func reassignIn(c *frame.Call) (*string, error) {
	body, err := c.Body()
	if err != nil {
		return nil, err
	}
	takeReassign(c, body)
	in, p := input.Decode[struct {
		Reassign *string `json:"reassign"`
	}](body)
	return in.Reassign, p.Err()
}

func userFields(c *frame.Call, roles *access.Roles, u *access.Profile) ([]ui.Field, error) {
	options, err := roleOptions(c, roles)
	if err != nil {
		return nil, err
	}
	v := cms.User{Role: cms.RoleEditor, IsActive: true}
	help := say.Text("At least 12 characters.")
	if u != nil {
		v = u.User
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
