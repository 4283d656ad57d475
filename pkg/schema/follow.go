package schema

import (
	"slices"

	"headless/pkg/access"
	"headless/pkg/apikeys"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks"
)

const followsSlug = "It follows the new slug of a model."

// followers plans the changes of keys, and of roles and webhooks that are not mentioned, which name
// models that get another slug: they go on seeing the same entries.
func (w *work) followers() error {
	if !slices.ContainsFunc(w.in.renames, func(r rename) bool { return r.model == "" }) {
		return nil
	}
	for _, role := range w.st.roles {
		if w.treated("roles", "slug", string(role.Slug)) || !w.followRules(&role.Role) {
			continue
		}
		w.change("update", "role", "roles."+string(role.Slug), Safe, followsSlug)
		w.stage(func(tx *db.Tx) { access.PutRole(tx, role, db.ErrOvertaken) })
	}
	for _, named := range w.st.hooks {
		hook := named.hook
		models, any := w.newSlugs(hook.Models)
		if !any || w.treated("webhooks", "name", named.name) {
			continue
		}
		hook.Models = models
		w.change("update", "webhook", "webhooks."+named.name, Safe, followsSlug)
		w.stage(func(tx *db.Tx) { hooks.PutWebhook(tx, hook) })
	}
	keys, err := w.Store.Keys.Keys(w.ctx)
	if err != nil {
		return err
	}
	for _, key := range keys { // keys are no part of a schema
		models, any := w.newSlugs(key.Models)
		if key.Models = models; any {
			w.stage(func(tx *db.Tx) { apikeys.Put(tx, key) })
		}
	}
	return nil
}

// treated reports whether the schema says what becomes of a part.
func (w *work) treated(kind, key, name string) bool {
	return slices.Contains(w.in.deletes[kind], name) ||
		slices.ContainsFunc(w.in.parts[kind], func(body map[string]any) bool { return body[key] == name })
}

// newSlugs are models by the slugs that they get; any reports whether that changes one.
func (w *work) newSlugs(models []string) (now []string, any bool) {
	now = slices.Clone(models)
	for i, slug := range models {
		for _, r := range w.in.renames {
			if r.model == "" && r.from == slug {
				now[i], any = r.to, true
			}
		}
	}
	return now, any
}

// followRules gives the models of a role's rules their new slugs; it reports whether that changes
// one.
func (w *work) followRules(role *cms.Role) bool {
	changed := false
	role.Rules = slices.Clone(role.Rules)
	for i := range role.Rules {
		models, any := w.newSlugs(role.Rules[i].Models)
		role.Rules[i].Models, changed = models, changed || any
	}
	return changed
}
