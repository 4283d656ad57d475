package service

import (
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/store"
)

// Revisions lists the revisions of an entry, newest first. ENTRY_NOT_FOUND when there is no such entry.
func (s *Entries) Revisions(ctx context.Context, model, id string, p store.Paging) (store.Page[store.Revision], error) {
	m, id, err := s.entryOf(ctx, model, id)
	if err != nil {
		return store.Page[store.Revision]{}, err
	}
	return s.Store.Revisions(ctx, m, id, p)
}

// entryOf finds model and entry, also of a model that is not active.
func (s *Entries) entryOf(ctx context.Context, model, id string) (*store.Model, string, error) {
	site, err := s.Store.Site(ctx)
	if err != nil {
		return nil, "", err
	}
	m := site.Models[model]
	if m == nil {
		return nil, "", cms.Errorf(cms.CodeModelNotFound, "There is no model %q.", shorten(model))
	}
	id, valid := canonicalID(id)
	if !valid {
		return nil, "", errEntryNotFound
	}
	_, err = s.Store.EntryJSON(ctx, m, id)
	return m, id, entryNotFound(err)
}

// RestoreRevision saves title, slug, data and seo of a revision as a new version; status and locale stay (decisions §2).
// Errors: NOT_FOUND for a revision that is not kept, SLUG_CONFLICT, VALIDATION_FAILED where the model no longer accepts the content.
func (s *Entries) RestoreRevision(ctx context.Context, actor cms.Actor, model, id string, version int64) (*cms.Entry, error) {
	var restored *cms.Entry
	err := s.change(ctx, model, func(_ *store.Site, m *store.Model) (*store.Tx, error) {
		rec, err := s.forChange(ctx, m, id, nil)
		if err != nil {
			return nil, err
		}
		old, err := s.Store.Revision(ctx, m, rec.Entry.ID, version)
		if errors.Is(err, store.ErrNotFound) {
			return nil, cms.Errorf(cms.CodeNotFound, "There is no such revision.")
		}
		if err != nil {
			return nil, err
		}
		e := *rec.Entry
		e.Title, e.Slug, e.Data, e.SEO = old.Title, old.Slug, old.Data, old.SEO
		if err := cms.ValidateEntry(&m.Model, &e, old, e.Status == cms.StatusPublished).Err(); err != nil {
			return nil, err
		}
		restored = &e
		return s.save(actor, m, rec, &e, cms.EventEntryUpdated), nil
	}, false)
	return restored, err
}

// Trash lists deleted entries, what was deleted last first.
func (s *Entries) Trash(ctx context.Context, p store.Paging) (store.Page[store.Trashed], error) {
	site, err := s.Store.Site(ctx)
	if err != nil {
		return store.Page[store.Trashed]{}, err
	}
	return s.Store.Trash(ctx, site, p)
}

// RestoreFromTrash brings an entry back as it was, status included. Errors: NOT_FOUND, SLUG_CONFLICT, CONFLICT for a taken unique value or single place.
func (s *Entries) RestoreFromTrash(ctx context.Context, actor cms.Actor, id string) (*cms.Entry, error) {
	var restored *cms.Entry
	err := s.changeTrash(ctx, id, func(site *store.Site, rec *store.TrashRecord) (*store.Tx, error) {
		m := site.ModelByID(rec.ModelID)
		if m == nil || site.Locale(rec.Entry.Locale) == nil {
			return nil, cms.Errorf(cms.CodeConflict, "The model or the locale of this entry no longer exists.")
		}
		tx := s.Store.Begin()
		e := *rec.Entry
		e.Version, e.UpdatedAt = e.Version+1, tx.At()
		events := []string{cms.EventEntryUpdated}
		if e.Status == cms.StatusPublished {
			events = append(events, cms.EventEntryPublished)
		}
		tx.RestoreEntry(m, rec, &e, actor, "entry.restored")
		record(tx, actor, m, &e, events...)
		restored = &e
		return tx, nil
	})
	return restored, err
}

// Purge deletes an entry in the trash for good. NOT_FOUND when it is not there.
func (s *Entries) Purge(ctx context.Context, actor cms.Actor, id string) error {
	var purged *store.TrashRecord
	err := s.changeTrash(ctx, id, func(_ *store.Site, rec *store.TrashRecord) (*store.Tx, error) {
		tx := s.Store.Begin()
		tx.PurgeEntry(rec)
		tx.Activity(actor, "entry.purged", rec.Entry.Slug+" ("+rec.Entry.Locale+")")
		purged = rec
		return tx, nil
	})
	if err != nil {
		return err
	}
	return s.Store.DeleteRevisions(ctx, purged.ModelID, purged.Entry.ID)
}

func (s *Entries) changeTrash(ctx context.Context, id string, use func(*store.Site, *store.TrashRecord) (*store.Tx, error)) error {
	missing := cms.Errorf(cms.CodeNotFound, "There is no such entry in the trash.")
	id, valid := canonicalID(id)
	if !valid {
		return missing
	}
	return s.Store.Retry(ctx, func() error {
		site, err := s.Store.Site(ctx)
		if err != nil {
			return err
		}
		rec, err := s.Store.FromTrash(ctx, id)
		if errors.Is(err, store.ErrNotFound) {
			return missing
		}
		if err != nil {
			return err
		}
		tx, err := use(site, rec)
		if err != nil {
			return err
		}
		tx.HoldSite(site)
		return slugConflict(s.Store.Commit(ctx, tx), false)
	})
}

// purgeLimit is how many entries one run of PurgeExpired removes.
const purgeLimit = 500

// PurgeExpired removes what was in the trash for longer than store.TrashDays.
func (s *Entries) PurgeExpired(ctx context.Context) error {
	ids, err := s.Store.ExpiredTrash(ctx, s.Store.Now().AddDate(0, 0, -store.TrashDays), purgeLimit)
	if err != nil {
		return err
	}
	for _, id := range ids {
		err := s.Purge(ctx, cms.Actor{Source: cms.SourceAdmin}, id)
		var known *cms.Error
		if err != nil && !(errors.As(err, &known) && known.Code == cms.CodeNotFound) {
			return err
		}
	}
	return nil
}
