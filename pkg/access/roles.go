package access

import (
	"context"
	"errors"
	"reflect"

	"headless/pkg/access/rules"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// Roles are the use cases of roles of the admin area (extensions §11).
type Roles struct{ Store *Store }

// roleInput is the body of a role's create and update.
type roleInput struct {
	Slug        *string        `json:"slug"`
	Name        *string        `json:"name"`
	Rules       *[]rules.Input `json:"rules"`
	RequireTOTP *bool          `json:"require_totp"`
}

var (
	errRoleTaken   = cms.Errorf(cms.CodeConflict, "Another role has this slug.")
	errRoleBuiltin = cms.Errorf(cms.CodeConflict, "This role is built in: only require_totp can be changed.")
	errRoleInUse   = cms.Errorf(cms.CodeConflict, "This role is in use. Give its users another role first.")
)

// List lists all roles, the built-in ones first.
func (r *Roles) List(ctx context.Context, p db.Paging) (db.Page[cms.Role], error) {
	stored, err := r.Store.Roles(ctx)
	return db.PageOf(slice.Map(stored, func(s Role) cms.Role { return s.Role }), p), err
}

// Get reads a role; NOT_FOUND if there is none.
func (r *Roles) Get(ctx context.Context, slug string) (cms.Role, error) {
	role, err := r.Store.Role(ctx, cms.UserRole(slug))
	return role.Role, input.NotFound(err, "role")
}

// Create makes a role; without rules it permits nothing. CONFLICT if the slug is taken.
func (r *Roles) Create(ctx context.Context, actor cms.Actor, body map[string]any) (cms.Role, error) {
	in, p := input.Decode[roleInput](body)
	site, err := r.Store.Site(ctx)
	if err != nil {
		return cms.Role{}, err
	}
	role := Role{Role: cms.Role{Slug: cms.UserRole(input.Given(in.Slug, "")), Rules: []cms.Rule{}}}
	if problem := cms.SlugProblem(string(role.Slug)); problem != "" && len(p["slug"]) == 0 {
		p.Add("slug", "%s", problem)
	}
	in.applyTo(&role.Role, site, p)
	if err := p.Err(); err != nil {
		return cms.Role{}, err
	}
	if role.Slug.IsBuiltin() {
		return cms.Role{}, errRoleTaken
	}
	tx := r.Store.Begin()
	PutRole(tx, role, errRoleTaken)
	tx.Audit(actor, "role.created", "role "+string(role.Slug), string(role.Slug), nil, role.Role)
	return role.Role, r.Store.Commit(ctx, tx)
}

// Update changes a role. The change applies to the next request of its users. CONFLICT for a change
// of a built-in role, except of require_totp.
func (r *Roles) Update(ctx context.Context, actor cms.Actor, slug string, body map[string]any,
	ok input.Precondition[cms.Role]) (cms.Role, error) {
	in, p := input.Decode[roleInput](body)
	var result cms.Role
	err := r.Store.Retry(ctx, func() error {
		site, err := r.Store.Site(ctx)
		if err != nil {
			return err
		}
		role, err := r.Store.Role(ctx, cms.UserRole(slug))
		if err != nil {
			return input.NotFound(err, "role")
		}
		was := role.Role
		if err := ok.Check(was); err != nil {
			return err
		}
		problems := cms.Problems{}
		problems.Merge(p)
		if in.Slug != nil && cms.UserRole(*in.Slug) != was.Slug {
			problems.Add("slug", "cannot be changed")
		}
		in.applyTo(&role.Role, site, problems)
		if was.Slug.IsBuiltin() && (role.Name != was.Name || !reflect.DeepEqual(role.Rules, was.Rules)) {
			return errRoleBuiltin
		}
		if err := problems.Err(); err != nil {
			return err
		}
		tx := r.Store.Begin()
		PutRole(tx, role, db.ErrOvertaken)
		tx.Audit(actor, "role.changed", "role "+slug, slug, was, role.Role)
		result = role.Role
		return r.Store.Commit(ctx, tx)
	})
	return result, err
}

// Delete deletes a role. CONFLICT for a built-in role, and while users or invitations have it.
func (r *Roles) Delete(ctx context.Context, actor cms.Actor, slug string) error {
	return r.Store.Retry(ctx, func() error {
		role, err := r.Store.Role(ctx, cms.UserRole(slug))
		if err != nil {
			return input.NotFound(err, "role")
		}
		if role.Slug.IsBuiltin() {
			return errRoleBuiltin
		}
		users, err := r.Store.RoleUsers(ctx, role.Slug)
		if err != nil {
			return err
		}
		tx := r.Store.Begin()
		DeleteRole(tx, users, role)
		tx.Audit(actor, "role.deleted", "role "+slug, slug, role.Role, nil)
		return r.Store.Commit(ctx, tx)
	})
}

// applyTo applies the input to a role and reports the problems of the result.
func (in *roleInput) applyTo(role *cms.Role, site *site.Site, p cms.Problems) {
	role.Name = input.Given(in.Name, role.Name)
	role.RequireTOTP = input.Given(in.RequireTOTP, role.RequireTOTP)
	input.CheckName(p, role.Name)
	if in.Rules == nil {
		return
	}
	role.Rules = rules.Check(p, site, *in.Rules, role.Rules)
}

func roleDocs(s *db.DB) db.Docs[cms.Role] { return db.Docs[cms.Role]{DB: s, Kind: "role"} }

// Role is a role as stored.
type Role struct {
	cms.Role
	version int64
}

func role(d db.Doc[cms.Role]) Role {
	r := Role{d.Value, d.Version}
	if b, ok := cms.BuiltinRole(r.Slug); ok { // only their RequireTOTP is stored
		b.RequireTOTP = r.RequireTOTP
		r.Role = b
	}
	return r
}

// Role reads a role by its slug; ErrNotFound if there is none. The built-in roles always exist.
func (s *Store) Role(ctx context.Context, slug cms.UserRole) (Role, error) {
	d, err := roleDocs(s.DB).Get(ctx, string(slug))
	if errors.Is(err, db.ErrNotFound) {
		if b, ok := cms.BuiltinRole(slug); ok {
			return Role{Role: b}, nil
		}
	}
	return role(d), err
}

// Roles lists all roles, the built-in ones first.
func (s *Store) Roles(ctx context.Context) ([]Role, error) {
	docs, err := roleDocs(s.DB).All(ctx)
	roles, own := slice.Map(cms.BuiltinRoles(), func(b cms.Role) Role { return Role{Role: b} }), []Role(nil)
	for _, d := range docs {
		r := role(d)
		if !r.Slug.IsBuiltin() {
			own = append(own, r)
			continue
		}
		for i := range roles {
			if roles[i].Slug == r.Slug {
				roles[i] = r
			}
		}
	}
	return append(roles, own...), err
}

// PutRole creates a role, or changes one that was read before. The commit fails with taken if the
// slug is taken.
func PutRole(t *db.Tx, r Role, taken error) {
	docs := roleDocs(t.DB)
	if r.version == 0 {
		docs.Create(t, string(r.Slug), r.Role, taken)
		return
	}
	docs.Update(t, db.Doc[cms.Role]{ID: string(r.Slug), Version: r.version, Value: r.Role})
}

// DeleteRole deletes a role that none of users has. The commit fails with ErrOvertaken if a user
// gets the role in the meantime.
func DeleteRole(t *db.Tx, users UserList, r Role) {
	requireUsers(t, users)
	roleDocs(t.DB).Delete(t, db.Doc[cms.Role]{ID: string(r.Slug), Version: r.version})
}
