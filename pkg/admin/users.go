package admin

import (
	"headless/pkg/access"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// userRoutes are the routes of users.
func userRoutes(users *access.Users, sessions *access.Sessions, roles *access.Roles) []Route {
	return Resource[cms.User]{
		Path: "/users", Title: "Users", One: "user", Confirm: true,
		List: func(c *Call, p db.Paging) (db.Page[cms.User], error) { return users.List(c.R.Context(), p) },
		Get:  func(c *Call, id string) (cms.User, error) { return users.Get(c.R.Context(), id) },
		Create: func(c *Call, body map[string]any) (cms.User, error) {
			return users.Create(c.R.Context(), c.Actor(), body)
		},
		Update: func(c *Call, id string, body map[string]any,
			ok input.Precondition[cms.User]) (cms.User, error) {
			if c.isForm && c.form.Get("password") == "" {
				delete(body, "password") // an empty field keeps the password
			}
			return sessions.UpdateUser(c.R.Context(), c.Actor(), c.token, *c.User, id, body, ok)
		},
		Delete:  func(c *Call, id string) error { return users.Delete(c.R.Context(), c.Actor(), id) },
		New:     func(*Call) (cms.User, error) { return cms.NewUser(), nil },
		ID:      func(u cms.User) string { return u.ID },
		Name:    func(u cms.User) string { return u.Email },
		Columns: []string{"E-mail", "Name", "Role", "State"},
		Row: func(u cms.User) []Cell {
			return []Cell{Text(u.Email), Text(u.Name), Badge(string(u.Role)),
				YesNo(u.IsActive, "active", "inactive")}
		},
		Detail: func(_ *Call, u cms.User) (*Detail, error) {
			return &Detail{Facts: []Fact{
				{Label: "E-mail", Cells: []Cell{Text(u.Email)}}, {Label: "Name", Cells: []Cell{Text(u.Name)}},
				{Label: "Role", Cells: []Cell{Badge(string(u.Role))}},
				{Label: "State", Cells: []Cell{YesNo(u.IsActive, "active", "inactive")}},
				{Label: "Created", Cells: []Cell{When(u.CreatedAt)}},
				{Label: "Changed", Cells: []Cell{When(u.UpdatedAt)}},
			}}, nil
		},
		Fields: func(c *Call, u *cms.User) ([]Field, error) { return userFields(c, roles, u) },
	}.Routes()
}

func userFields(c *Call, roles *access.Roles, u *cms.User) ([]Field, error) {
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
	return []Field{
		{Name: "email", Label: "E-mail", Kind: "email", Value: v.Email, Required: true},
		{Name: "name", Label: "Name", Kind: "text", Value: v.Name},
		{Name: "role", Label: "Role", Kind: "select", Value: string(v.Role), Options: options},
		{Name: "password", Label: "Password", Kind: "password", Help: help, Required: u == nil},
		checkbox("is_active", "May sign in", v.IsActive),
	}, nil
}

// checkbox is a field that sends true or false.
func checkbox(name, label string, on bool) Field {
	f := Field{Name: name, Label: label, Kind: "checkbox", Value: "false"}
	if on {
		f.Value = "true"
	}
	return f
}
