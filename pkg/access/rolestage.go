package access

import (
	"context"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/site"
)

// StageRole changes a role as the body of its admin routes says, slug left out, and reports what is
// wrong with the result. target is the site as it will be: rules may name its models and locales.
func StageRole(p cms.Problems, role *cms.Role, body map[string]any, target *site.Site) {
	var in roleInput
	input.Decode(body, &in, p)
	if problem := cms.SlugProblem(string(role.Slug)); problem != "" {
		p.Add("slug", "%s", problem)
	}
	if role.Rules == nil {
		role.Rules = []cms.Rule{}
	}
	in.apply(role, target, p)
}

// RoleUsers are the users, where none of them and no invitation has a role; CONFLICT otherwise.
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
