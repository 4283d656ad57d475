package schema

import (
	"context"
	"slices"

	"headless/pkg/access"
	"headless/pkg/apikeys"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks"
)

const followsSlug = "It follows the new slug of a model."

// follower is a role, a webhook or a key that names a model whose slug changes.
type follower struct {
	kind, name string
	put        func(*db.Tx)
}

// followers plans the changes of followers: keys, and roles and webhooks that the schema does not
// mention. They keep access to the same entries.
func (w *work) followers() error {
	now := w.newSlugs()
	if len(now) == 0 {
		return nil
	}
	keys, err := w.Store.Keys.Keys(w.ctx)
	if err != nil {
		return err
	}
	for _, f := range w.st.followersOf(now, keys) {
		switch {
		case f.kind == "key": // keys are not part of a schema
		case f.kind == "role" && w.isTreated("roles", "slug", f.name),
			f.kind == "webhook" && w.isTreated("webhooks", "name", f.name):
			continue
		default:
			w.addChange("update", f.kind, f.kind+"s."+f.name, Safe, followsSlug)
		}
		w.stage(f.put)
	}
	return nil
}

// maxFollowing is how many keys, roles and webhooks may name a model whose slug is changed. The
// transaction also has the models that relate to it.
const maxFollowing = 40

// FollowSlug updates, in the transaction that changes a model's slug, the keys, roles and webhooks
// that name it.
func (s *Schemas) FollowSlug(ctx context.Context, tx *db.Tx, was, slug string) error {
	st, err := s.state(ctx)
	if err != nil {
		return err
	}
	keys, err := s.Store.Keys.Keys(ctx)
	if err != nil {
		return err
	}
	following := st.followersOf(slugs{was: slug}, keys)
	if len(following) > maxFollowing {
		return cms.Errorf(cms.CodeConflict,
			"%d keys, roles and webhooks name this model; its slug can be changed while there are at most %d.",
			len(following), maxFollowing)
	}
	for _, f := range following {
		f.put(tx)
	}
	return nil
}

// followersOf returns the roles, webhooks and keys that name a model whose slug changes.
func (st *state) followersOf(now slugs, keys []apikeys.Key) (list []follower) {
	for _, role := range st.roles {
		if now.followRole(&role.Role) {
			list = append(list, follower{"role", string(role.Slug),
				func(tx *db.Tx) { access.PutRole(tx, role, db.ErrOvertaken) }})
		}
	}
	for _, named := range st.hooks {
		hook := named.hook
		if models, any := now.renamedOf(hook.Models); any {
			hook.Models = models
			list = append(list, follower{"webhook", named.name, func(tx *db.Tx) { hooks.PutWebhook(tx, hook) }})
		}
	}
	for _, key := range keys {
		if models, any := now.renamedOf(key.Models); any {
			key.Models = models
			list = append(list, follower{"key", key.ID, func(tx *db.Tx) { apikeys.Put(tx, key) }})
		}
	}
	return list
}

// slugs maps the current slugs of models to the new ones.
type slugs map[string]string

// newSlugs returns the new slugs that the schema gives to models.
func (w *work) newSlugs() slugs {
	now := slugs{}
	for _, r := range w.in.renames {
		if r.model == "" {
			now[r.from] = r.to
		}
	}
	return now
}

// followRole replaces slugs in a role's rules; it reports whether it changed any.
func (now slugs) followRole(role *cms.Role) bool {
	changed := false
	role.Rules = slices.Clone(role.Rules)
	for i := range role.Rules {
		models, any := now.renamedOf(role.Rules[i].Models)
		role.Rules[i].Models, changed = models, changed || any
	}
	return changed
}

// renamedOf replaces slugs in a list; any reports whether it changed any.
func (now slugs) renamedOf(models []string) (renamed []string, any bool) {
	renamed = slices.Clone(models)
	for i, slug := range models {
		if to, ok := now[slug]; ok {
			renamed[i], any = to, true
		}
	}
	return renamed, any
}

// isTreated reports whether the schema mentions or deletes a part.
func (w *work) isTreated(kind, key, name string) bool {
	return slices.Contains(w.in.deletes[kind], name) ||
		slices.ContainsFunc(w.in.parts[kind], func(body map[string]any) bool { return body[key] == name })
}
