package schema

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/site/renames"
)

// modelChange is a planned change of a model.
type modelChange struct {
	at   string // in the schema
	was  *site.Model
	now  site.Model
	from string // its current slug, "" for a new model
}

// models plans the changes of models. It reads all definitions first, so that they may relate to
// one another, and then prepares the indexes.
func (w *work) models() error {
	w.target.Models = maps.Clone(w.st.site.Models)
	for _, slug := range w.in.deletes["models"] {
		delete(w.target.Models, slug)
	}
	var changed []*modelChange
	err := w.forEachPart("models", "slug", func(at, slug string, body map[string]any) error {
		c := w.changeModel(at, slug, body)
		w.target.Models[slug] = &c.now
		changed = append(changed, c)
		return nil
	})
	if err != nil {
		return err
	}
	changed = w.followRenames(changed)
	w.checkRenames(changed)
	for _, c := range changed {
		if err := w.planModel(c); err != nil {
			return err
		}
	}
	return w.deleteModels()
}

// changeModel applies a body to a model. slug is its new slug, which may differ from the current
// one.
func (w *work) changeModel(at, slug string, body map[string]any) *modelChange {
	c := &modelChange{at: at, from: slug}
	for i, r := range w.in.renames {
		if r.model != "" || r.to != slug {
			continue
		}
		if w.st.site.Models[slug] != nil {
			w.problems.Add("renames."+strconv.Itoa(i)+".to", "there is a model %q already", slug)
		} else if w.st.site.Models[r.from] != nil {
			c.from = r.from
			delete(w.target.Models, r.from)
		}
	}
	if c.was = w.st.site.Models[c.from]; c.was == nil {
		c.from = ""
		c.now = site.Model{Model: cms.NewModel()}
		c.now.ID = site.NewModelID()
	} else {
		c.now = *c.was
	}
	p := cms.Problems{}
	site.StageModel(p, &c.now.Model, body)
	w.addProblems(at, p)
	return c
}

// planModel lists the changes of one model and prepares its index.
func (w *work) planModel(c *modelChange) error {
	p := cms.Problems{}
	site.StageAmong(p, &c.now.Model, w.target)
	w.addProblems(c.at, p)
	if other := w.st.site.Models[c.now.Slug]; c.was != nil && other != nil && other.ID != c.was.ID {
		w.addRefusal("There is a model %q already.", c.now.Slug)
	}
	if c.was != nil {
		if path := c.was.RenamesTo(&c.now); path != "" {
			w.rewriting = true
			w.addRefusal("The field %q of the model %q was renamed or removed, and its entries are still being rewritten. "+
				"Try again soon.",
				path, c.now.Slug)
		}
	}
	if len(w.problems) > 0 {
		return nil
	}
	if c.was != nil && c.from == c.now.Slug && isSame(part(c.was.Model), part(c.now.Model)) {
		return nil
	}
	if c.was != nil {
		changes := renames.Changes{Fields: w.renamedFields(c.now.Slug), Slugs: w.newSlugs()}
		c.now.RenameFields(changes.Between(c.was.Fields, c.now.Fields, true)...)
	}
	if err := w.invalid(c.at, w.Models.StageIndex(w.ctx, w.st.site, c.from, &c.now)); err != nil {
		return err
	}
	w.listModel(c)
	w.reindex = w.reindex || c.now.Building()
	put := func(tx *db.Tx) {
		m := c.now
		if c.was == nil {
			m.CreatedAt = tx.At()
		}
		m.UpdatedAt, m.Version = tx.At(), m.Version+1
		site.PutModel(tx, w.st.site, c.from, m)
	}
	if c.was != nil {
		w.stage(put)
		return nil
	}
	w.create(put, func(tx *db.Tx) { site.DeleteModel(tx, w.st.site, c.now.Slug) })
	return nil
}

// listModel adds the lines for a changed model.
func (w *work) listModel(c *modelChange) {
	path := "models." + c.now.Slug
	if c.was == nil {
		w.addChange("create", "model", path, Safe, fmt.Sprintf("New model %q. Its fields: %d.",
			c.now.Name, len(c.now.Fields)))
		return
	}
	if c.from != c.now.Slug {
		w.addChange("rename", "model", path, Safe,
			fmt.Sprintf("The model %q gets the slug %q; its entries, and the relations, keys, roles and webhooks that name "+
				"it, follow.",
				c.from, c.now.Slug))
	}
	own := differences(part(c.was.Model), part(c.now.Model), "fields", "slug")
	if len(own) > 0 {
		risk := Safe
		if slices.ContainsFunc(own, func(key string) bool {
			return key == "default_sort" || key == "indexes" || key == "localized"
		}) && c.now.Gen != c.was.Gen {
			risk = Reindex
		}
		w.addChange("update", "model", path, risk, namedChanges(own))
	}
	before := len(w.changes)
	was := w.followFields(c.was.Fields)
	w.compareFields(path+".fields", "", was, c.now.Fields, w.renamedFields(c.now.Slug))
	switch {
	case len(w.changes) > before || len(own) > 0 || c.from != c.now.Slug:
	case isSame(was, c.now.Fields):
		w.addChange("update", "model", path, Safe, "Its relations follow the new slug of a model.")
	default:
		w.addChange("update", "model", path, Safe, "Changes: order of fields.")
	}
}

// followFields returns fields whose relations have the new slugs of models.
func (w *work) followFields(fields []cms.Field) []cms.Field {
	for _, r := range w.in.renames {
		if r.model == "" {
			fields = site.FollowRename(fields, r.from, r.to)
		}
	}
	return fields
}

// deleteModels plans the deletion of models. A model with entries, or to which another one has a
// relation, cannot be deleted.
func (w *work) deleteModels() error {
	for _, slug := range w.in.deletes["models"] {
		m := w.st.site.Models[slug]
		if m == nil {
			continue
		}
		message := "The model is deleted."
		n, err := w.Store.Site.CountEntries(w.ctx, m, w.st.site.Codes())
		if err != nil {
			return err
		}
		risk := Safe
		if n > 0 {
			risk, message = LosesData, w.addRefusal("The model %q cannot be deleted. Entries in it: %d.", slug, n)
		}
		for _, other := range sortedModels(w.target) {
			if other.ID != m.ID && site.RelatesTo(other.Fields, slug) {
				message = w.addRefusal("The model %q has a relation to %q, which cannot be deleted.",
					other.Slug, slug)
			}
		}
		w.addChange("delete", "model", "models."+slug, risk, message)
		w.closing = append(w.closing, m.ID)
		w.stage(func(tx *db.Tx) { site.DeleteModel(tx, w.st.site, slug) })
	}
	return nil
}
