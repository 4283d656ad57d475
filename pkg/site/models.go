package site

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/cms/validation"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/site/renames"
)

// Models are the use cases of content models.
type Models struct {
	Store *Store
	// HasEntries reports whether a model has entries, outside the trash.
	HasEntries func(ctx context.Context, m *Model) (bool, error)
	// FollowSlug, if not nil, adds to the transaction that changes a model's slug. It updates the
	// other places that name the model by its slug.
	FollowSlug func(ctx context.Context, tx *db.Tx, was, slug string) error
	// OnReindex, if not nil, is called when a model's entries must move to a new generation of its
	// index. It must not block.
	OnReindex func()
}

// List lists all models by name, including inactive ones.
func (m *Models) List(ctx context.Context, p db.Paging) (db.Page[cms.Model], error) {
	site, err := m.Store.Site(ctx)
	if err != nil {
		return db.Page[cms.Model]{}, err
	}
	list := make([]cms.Model, 0, len(site.Models))
	for _, model := range site.Models {
		list = append(list, model.Model)
	}
	cms.SortBy(list, func(m cms.Model) string { return cms.NameOrder(m.Name) + "\x00" + m.Slug })
	return db.PageOf(list, p), nil
}

// Get reads a model by its slug; MODEL_NOT_FOUND if there is none.
func (m *Models) Get(ctx context.Context, slug string) (cms.Model, error) {
	site, err := m.Store.Site(ctx)
	if err != nil {
		return cms.Model{}, err
	}
	model, err := modelOf(site, slug)
	return model.Model, err
}

func modelOf(site *Site, slug string) (Model, error) {
	if model := site.Models[slug]; model != nil {
		return *model, nil
	}
	return Model{}, input.NotFound(db.ErrNotFound, "model")
}

// Create adds a model. CONFLICT if its slug is taken.
func (m *Models) Create(ctx context.Context, actor cms.Actor, body map[string]any) (cms.Model, error) {
	id := NewModelID()
	return m.changeModel(ctx, actor, "model.created", "", body, func(_ *Site, tx *db.Tx) (Model, error) {
		model := Model{Model: cms.NewModel()}
		model.ID, model.CreatedAt = id, tx.At()
		return model, nil
	})
}

// Update changes a model; its slug can change too. Stored entries are not changed, and are
// validated when they are next saved.
func (m *Models) Update(ctx context.Context, actor cms.Actor, slug string, body map[string]any,
	ok input.Precondition[cms.Model]) (cms.Model, error) {
	return m.changeModel(ctx, actor, "model.updated", slug, body, func(site *Site, _ *db.Tx) (Model, error) {
		model, err := modelOf(site, slug)
		if err != nil {
			return model, err
		}
		return model, ok.Check(model.Model)
	})
}

// changeModel applies a body to a model and commits it. was is the current slug, "" for a new model.
func (m *Models) changeModel(ctx context.Context, actor cms.Actor, event, was string, body map[string]any,
	read func(*Site, *db.Tx) (Model, error)) (cms.Model, error) {
	var model Model
	building := false
	err := ChangeSite(ctx, m.Store, func(site *Site, tx *db.Tx) (err error) {
		if model, err = read(site, tx); err != nil {
			return err
		}
		model.Fields = cloneFields(model.Fields) // the cached site is shared and must not change
		p := input.Apply(body, &model.Model)
		renameRelations(model.Fields, was, model.Slug)
		model.Normalize()
		p.Merge(validation.Model(&model.Model))
		StageAmong(p, &model.Model, site)
		if err := p.Err(); err != nil {
			return err
		}
		if other := site.Models[model.Slug]; other != nil && other.ID != model.ID {
			return cms.Errorf(cms.CodeConflict, "There is a model %q already.", model.Slug)
		}
		if err := checkRename(site, was, model.Model); err != nil {
			return err
		}
		if old := site.Models[was]; old != nil {
			changes := renames.Changes{Slugs: map[string]string{was: model.Slug}}
			model.RenameFields(changes.Between(old.Fields, model.Fields, false)...)
		}
		if err := m.StageIndex(ctx, site, was, &model); err != nil {
			return err
		}
		if old := site.Models[was]; old == nil || !sameModel(old.Model, model.Model) {
			slugs := []string{model.Slug}
			if was != "" && was != model.Slug {
				slugs = append(slugs, was)
			}
			NoteSchema(tx, actor, slugs, nil)
		}
		model.UpdatedAt = tx.At()
		model.Version++
		PutModel(tx, site, was, model)
		building = followRename(tx, site, was, model.Model) || model.Building()
		if m.FollowSlug != nil && was != "" && was != model.Slug {
			if err := m.FollowSlug(ctx, tx, was, model.Slug); err != nil {
				return err
			}
		}
		tx.Activity(actor, event, "model "+model.Slug, model.Slug)
		return nil
	})
	if err == nil && building && m.OnReindex != nil {
		m.OnReindex()
	}
	return model.Model, err
}

// sameModel reports whether two definitions differ in nothing but when and how often they were saved.
func sameModel(a, b cms.Model) bool {
	a.UpdatedAt, a.Version = b.UpdatedAt, b.Version
	return isSame(a, b)
}

// NewModelID returns a short id, since it is part of the key of every index row.
func NewModelID() string {
	random := uuid.New()
	return hex.EncodeToString(random[:5])
}

// cloneFields returns a copy of definitions that can be changed. It shares the defaults, which
// never change.
func cloneFields(fields []cms.Field) []cms.Field {
	out := slices.Clone(fields)
	for i := range out {
		out[i].Fields = cloneFields(out[i].Fields)
	}
	return out
}

// checkRelations reports relations to models that do not exist. self is the slug of the model that
// is being saved.
func checkRelations(p cms.Problems, path string, fields []cms.Field, site *Site, self string) {
	for i, f := range fields {
		at := fmt.Sprintf("%s.%d", path, i)
		for _, slug := range f.Targets() {
			place := at + ".model"
			if len(f.Models) > 0 {
				place += "s"
			}
			if f.Type == cms.TypeRelation && slug != "" && slug != self && site.Models[slug] == nil && len(p[place]) == 0 {
				p.Add(place, "there is no model %q", slug)
			}
		}
		checkRelations(p, at+".fields", f.Fields, site, self)
	}
}

// Delete deletes a model. CONFLICT if it has entries or another model has a relation to it.
func (m *Models) Delete(ctx context.Context, actor cms.Actor, slug string) error {
	closed := "" // the id of the model that this call closed
	err := m.Store.Retry(ctx, func() error {
		site, err := m.Store.Site(ctx)
		if err != nil {
			return err
		}
		model, err := modelOf(site, slug)
		if err != nil {
			return err
		}
		if err := m.checkUnused(ctx, site, model); err != nil {
			return err
		}
		// An entry may be saved after the check. Inactive models accept none, so close the model and
		// check again.
		if model.IsActive {
			closed = model.ID
			return cmp.Or(m.setOpen(ctx, closed, false), db.ErrOvertaken)
		}
		tx := m.Store.Begin()
		DeleteModel(tx, site, slug)
		tx.Activity(actor, "model.deleted", "model "+slug, slug)
		NoteSchema(tx, actor, []string{slug}, nil)
		return m.Store.Commit(ctx, tx)
	})
	if err != nil && closed != "" {
		// A request that has ended must not leave the model closed either.
		return cmp.Or(m.setOpen(context.WithoutCancel(ctx), closed, true), err)
	}
	return err
}

func (m *Models) checkUnused(ctx context.Context, site *Site, model Model) error {
	for _, other := range site.Models {
		if other.ID != model.ID && RelatesTo(other.Fields, model.Slug) {
			return cms.Errorf(cms.CodeConflict, "The model %q has a relation to this one.", other.Slug)
		}
	}
	has, err := m.HasEntries(ctx, &model)
	if err == nil && has {
		return cms.Errorf(cms.CodeConflict, "The model %q has entries.", model.Slug)
	}
	return err
}

// setOpen opens or closes a model, if it still exists; see PutOpen.
func (m *Models) setOpen(ctx context.Context, id string, open bool) error {
	return ChangeSite(ctx, m.Store, func(site *Site, tx *db.Tx) error {
		if model := site.ModelByID(id); model != nil {
			PutOpen(tx, site, *model, open)
		}
		return nil
	})
}

// closedUntil returns until when a model or a locale that is being deleted is unavailable instead of missing.
func closedUntil(tx *db.Tx, open bool) time.Time {
	if open {
		return time.Time{}
	}
	return tx.Time.Add(time.Minute)
}

// PutOpen deactivates a model that is to be deleted, or activates it again if it cannot be deleted.
func PutOpen(tx *db.Tx, site *Site, m Model, open bool) {
	m.IsActive, m.ClosedUntil = open, closedUntil(tx, open)
	PutModel(tx, site, m.Slug, m)
}

// RelatesTo reports whether fields have a relation to a model.
func RelatesTo(fields []cms.Field, slug string) bool {
	return slices.ContainsFunc(fields, func(f cms.Field) bool {
		return f.Type == cms.TypeRelation && slices.Contains(f.Targets(), slug) || RelatesTo(f.Fields, slug)
	})
}
