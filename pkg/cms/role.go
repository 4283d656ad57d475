package cms

import "slices"

// Role is a named set of permissions for users of the admin area (extensions §11). Three roles are
// built in, see BuiltinRoles.
type Role struct {
	Slug  UserRole `json:"slug"`
	Name  string   `json:"name"`
	Rules []Rule   `json:"rules"` // an action is permitted if one rule permits it; without rules nothing is permitted
	// RequireTOTP limits users without a second factor to their own account.
	RequireTOTP bool `json:"require_totp"`
}

// BuiltinRoles returns the built-in roles, from most to fewest permissions. Only their RequireTOTP
// can be changed.
func BuiltinRoles() []Role {
	all := func(actions ...Action) Rule {
		return Rule{Models: []string{}, Locales: []string{}, Actions: append([]Action{}, actions...)}
	}
	return []Role{
		{Slug: RoleUserAdmin, Name: "Admin", Rules: []Rule{all(), all(ActionApprove, ActionSkipReview)}},
		{Slug: RoleEditor, Name: "Editor", Rules: []Rule{all(), all(ActionApprove)}},
		{Slug: RoleViewer, Name: "Viewer", Rules: []Rule{all(ActionRead)}},
	}
}

// BuiltinRole finds a built-in role by its slug.
func BuiltinRole(slug UserRole) (Role, bool) {
	roles := BuiltinRoles()
	i := slices.IndexFunc(roles, func(r Role) bool { return r.Slug == slug })
	if i < 0 {
		return Role{}, false
	}
	return roles[i], true
}

// IsBuiltin reports whether the role is built in.
func (r UserRole) IsBuiltin() bool {
	_, ok := BuiltinRole(r)
	return ok
}

// Permissions returns the role's permissions for content. It is nil for a built-in role, which is
// restricted by the routes it may use.
func (r *Role) Permissions() *Permissions {
	if r.Slug.IsBuiltin() {
		return nil
	}
	return NewPermissions(r.Rules)
}
