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

// follower is a role, a webhook or a key that names models which get another slug.
type follower struct {
	kind, name string
	put        func(*db.Tx)
}

// followers plans the changes of keys, and of roles and webhooks that are not mentioned, which name
// models that get another slug: they go on seeing the same entries.
func (w *work) followers() error {
	now := w.newSlugs()
	if len(now) == 0 {
		return nil
	}
	keys, err := w.Store.Keys.Keys(w.ctx)
	if err != nil {
		return err
	}
	for _, f := range w.st.following(now, keys) {
		switch {
		case f.kind == "key": // keys are no part of a schema
		case f.kind == "role" && w.treated("roles", "slug", f.name),
			f.kind == "webhook" && w.treated("webhooks", "name", f.name):
			continue
		default:
			w.change("update", f.kind, f.kind+"s."+f.name, Safe, followsSlug)
		}
		w.stage(f.put)
	}
	return nil
}

// FollowSlug puts what names a model by its slug into the transaction that gives it another one.
func (s *Schemas) FollowSlug(ctx context.Context, tx *db.Tx, was, slug string) error {
	st, err := s.state(ctx)
	if err != nil {
		return err
	}
	keys, err := s.Store.Keys.Keys(ctx)
	if err != nil {
		return err
	}
	following := st.following(slugs{was: slug}, keys)
	if len(following) > maxParts/2 { // models that relate to it are in the transaction, too
		return cms.Errorf(cms.CodeConflict,
			"%d keys, roles and webhooks name this model; its slug can be changed while there are at most %d.",
			len(following), maxParts/2)
	}
	for _, f := range following {
		f.put(tx)
	}
	return nil
}

// following are the roles, webhooks and keys that name a model which gets another slug.
func (st *state) following(now slugs, keys []apikeys.Key) (list []follower) {
	for _, role := range st.roles {
		if now.follow(&role.Role) {
			list = append(list, follower{"role", string(role.Slug),
				func(tx *db.Tx) { access.PutRole(tx, role, db.ErrOvertaken) }})
		}
	}
	for _, named := range st.hooks {
		hook := named.hook
		if models, any := now.of(hook.Models); any {
			hook.Models = models
			list = append(list,
				follower{"webhook", named.name, func(tx *db.Tx) { hooks.PutWebhook(tx, hook) }})
		}
	}
	for _, key := range keys {
		if models, any := now.of(key.Models); any {
			key.Models = models
			list = append(list, follower{"key", key.ID, func(tx *db.Tx) { apikeys.Put(tx, key) }})
		}
	}
	return list
}

// slugs are the new slugs of models by their former ones.
type slugs map[string]string

// newSlugs are those that the schema gives to models.
func (w *work) newSlugs() slugs {
	now := slugs{}
	for _, r := range w.in.renames {
		if r.model == "" {
			now[r.from] = r.to
		}
	}
	return now
}

// follow gives the models of a role's rules their new slugs; it reports whether that changes one.
func (now slugs) follow(role *cms.Role) bool {
	changed := false
	role.Rules = slices.Clone(role.Rules)
	for i := range role.Rules {
		models, any := now.of(role.Rules[i].Models)
		role.Rules[i].Models, changed = models, changed || any
	}
	return changed
}

// of are models by the slugs that they get; any reports whether that changes one.
func (now slugs) of(models []string) (renamed []string, any bool) {
	renamed = slices.Clone(models)
	for i, slug := range models {
		if to, ok := now[slug]; ok {
			renamed[i], any = to, true
		}
	}
	return renamed, any
}

// treated reports whether the schema says what becomes of a part.
func (w *work) treated(kind, key, name string) bool {
	return slices.Contains(w.in.deletes[kind], name) ||
		slices.ContainsFunc(w.in.parts[kind], func(body map[string]any) bool { return body[key] == name })
}
