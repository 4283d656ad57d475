package cms

import "slices"

// Role is what some users of the admin area may do (extensions §11). There are three that are
// always there, see BuiltinRoles.
type Role struct {
	Slug  UserRole `json:"slug"`
	Name  string   `json:"name"`
	Rules []Rule   `json:"rules"` // what any of them permits is permitted; no rule permits nothing
	// RequireTOTP shuts out whoever has no second factor, but from their own account.
	RequireTOTP bool `json:"require_totp"`
}

// BuiltinRoles are the roles that are always there, from most to least. All about them is fixed but
// RequireTOTP.
func BuiltinRoles() []Role {
	all := func(actions ...Action) []Rule {
		return []Rule{{Models: []string{}, Locales: []string{}, Actions: append([]Action{}, actions...)}}
	}
	return []Role{
		{Slug: RoleUserAdmin, Name: "Admin", Rules: all()},
		{Slug: RoleEditor, Name: "Editor", Rules: all()},
		{Slug: RoleViewer, Name: "Viewer", Rules: all(ActionRead)},
	}
}

// BuiltinRole finds a role that is always there by its slug.
func BuiltinRole(slug UserRole) (Role, bool) {
	roles := BuiltinRoles()
	i := slices.IndexFunc(roles, func(r Role) bool { return r.Slug == slug })
	if i < 0 {
		return Role{}, false
	}
	return roles[i], true
}

// IsBuiltin reports whether the role is one that is always there.
func (r UserRole) IsBuiltin() bool {
	_, ok := BuiltinRole(r)
	return ok
}

// Permissions returns what the role may do with content; nil for a role that is always there, which
// goes by the routes that it may use.
func (r *Role) Permissions() *Permissions {
	if r.Slug.IsBuiltin() {
		return nil
	}
	return NewPermissions(r.Rules)
}
