package access

import (
	"context"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/site"
)

// StageRole applies the body of a role's admin routes, without the slug, and reports the problems
// of the result. target is the configuration after the change: rules may name its models and
// locales.
func StageRole(p cms.Problems, role *cms.Role, body map[string]any, target *site.Site) {
	in, problems := input.Decode[roleInput](body)
	p.Merge(problems)
	if problem := cms.SlugProblem(string(role.Slug)); problem != "" {
		p.Add("slug", "%s", problem)
	}
	if role.Rules == nil {
		role.Rules = []cms.Rule{}
	}
	in.applyTo(role, target, p)
}

// RoleUsers returns the users, or CONFLICT if a user or an invitation has the role.
func (s *Store) RoleUsers(ctx context.Context, slug cms.UserRole) (UserList, error) {
	users, err := s.Users(ctx)
	if err != nil {
		return UserList{}, err
	}
	if slices.ContainsFunc(users.List, func(u User) bool { return u.Role == slug }) {
		return UserList{}, errRoleInUse
	}
	invited, err := s.Invitations(ctx)
	if err != nil {
		return UserList{}, err
	}
	if slices.ContainsFunc(invited, func(v Invitation) bool { return v.Role == slug }) {
		return UserList{}, errRoleInUse
	}
	return users, nil
}
