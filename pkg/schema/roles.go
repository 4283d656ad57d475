package schema

import (
	"errors"
	"slices"

	"headless/pkg/access"
	"headless/pkg/cms"
	"headless/pkg/db"
)

// roles plans the changes of roles. Only require_totp of a built-in role can be changed.
func (w *work) roles() error {
	err := w.forEachPart("roles", "slug", func(at, slug string, body map[string]any) error {
		stored, was := w.role(slug), Part(nil)
		role := access.Role{Role: cms.Role{Slug: cms.UserRole(slug)}}
		if stored != nil {
			role, was = *stored, part(stored.Role)
			w.newSlugs().followRole(&role.Role)
		}
		if role.Slug.IsBuiltin() {
			body = w.builtinRole(at, objectOf(was), body)
		}
		p := cms.Problems{}
		access.StageRole(p, &role.Role, body, w.target)
		w.addProblems(at, p)
		if !w.listChange("role", slug, was, part(role.Role), "New role.") {
			return nil
		}
		w.stage(func(tx *db.Tx) {
			access.PutRole(tx, role, db.ErrOvertaken)
			if stored == nil {
				tx.Audit(w.actor, "role.created", "role "+slug, slug, nil, role.Role)
			} else {
				tx.Audit(w.actor, "role.changed", "role "+slug, slug, stored.Role, role.Role)
			}
		})
		return nil
	})
	if err != nil {
		return err
	}
	return w.deleteRoles()
}

// role returns the stored role with a slug, nil if there is none.
func (w *work) role(slug string) *access.Role {
	i := slices.IndexFunc(w.st.roles, func(r access.Role) bool { return string(r.Slug) == slug })
	if i < 0 {
		return nil
	}
	return &w.st.roles[i]
}

// builtinRole returns the part of a body that can be changed in a built-in role. It reports other
// changes.
func (w *work) builtinRole(at string, was, body map[string]any) map[string]any {
	kept := map[string]any{}
	for key, v := range body {
		switch {
		case key != "name" && key != "rules":
			kept[key] = v
		case !isSame(was[key], v):
			w.problems.Add(at+"."+key, "is built in: only require_totp can be changed")
		}
	}
	return kept
}

func (w *work) deleteRoles() error {
	for i, slug := range w.in.deletes["roles"] {
		role := w.role(slug)
		if role == nil {
			continue
		}
		if role.Slug.IsBuiltin() {
			w.problems.Add("deletes.roles", "%q is built in", w.in.deletes["roles"][i])
			continue
		}
		message := "The role is deleted."
		users, err := w.Store.Access.RoleUsers(w.ctx, role.Slug)
		var used *cms.Error
		switch {
		case errors.As(err, &used):
			message = w.addRefusal("The role %s is in use. Give its users another role first.", slug)
		case err != nil:
			return err
		}
		w.addChange("delete", "role", "roles."+slug, Safe, message)
		w.stage(func(tx *db.Tx) {
			access.DeleteRole(tx, users, *role)
			tx.Audit(w.actor, "role.deleted", "role "+slug, slug, role.Role, nil)
		})
	}
	return nil
}
