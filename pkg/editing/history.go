package editing

import (
	"cmp"
	"context"
	"errors"
	"iter"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing/standing"
	"headless/pkg/groups"
	"headless/pkg/input"
	"headless/pkg/markdown"
	"headless/pkg/site"
)

// Revisions returns how many revisions of an entry and of its drafts are kept, and reads them, newest first. Those of
// drafts are laid over the current entry. Errors: MODEL_NOT_FOUND, ENTRY_NOT_FOUND.
func (s *Entries) Revisions(ctx context.Context, model, id string) (kept int,
	each iter.Seq2[content.Revision, error], err error) {
	m, id, err := s.Locate(ctx, (*site.Site).Model, model, id)
	if err != nil {
		return 0, nil, err
	}
	live, draft, err := s.Store.EntryAndDraft(ctx, m, id)
	if err != nil {
		return 0, nil, content.EntryNotFound(err)
	}
	kept, saves, err := s.Store.Revisions(ctx, m, live.ID)
	more, drafts := s.Store.DraftRevisions(ctx, m, live.ID, draft.Number)
	return kept + more, func(yield func(content.Revision, error) bool) {
		next, stop := iter.Pull2(drafts)
		defer stop()
		d, failed, left := next()
		// drain yields the revisions of drafts after a save. At the same millisecond those that are based on it are later.
		drain := func(save content.Revision) bool {
			for left && (failed != nil ||
				cmp.Or(d.Time.Compare(save.Time.Time), cmp.Compare(d.Info.BaseVersion+1, save.Version)) > 0) {
				r, err := laidOver(m, live, d)
				if !yield(r, cmp.Or(failed, err)) {
					return false
				}
				d, failed, left = next()
			}
			return true
		}
		for r, err := range saves {
			if err == nil && !drain(r) || !yield(r, err) {
				return
			}
		}
		drain(content.Revision{})
	}, err
}

// Locate returns the model with a slug and the canonical id of an entry in it, which may not exist. find is Model or
// ActiveModel of site.Site. Errors: MODEL_NOT_FOUND, ENTRY_NOT_FOUND for a text that is no id.
func (s *Entries) Locate(ctx context.Context, find func(*site.Site, string) (*site.Model, error),
	model, id string) (*site.Model, string, error) {
	now, err := s.Store.Site(ctx)
	if err != nil {
		return nil, "", err
	}
	m, err := find(now, model)
	if err != nil {
		return nil, "", err
	}
	id, valid := input.CanonicalID(id)
	if !valid {
		return nil, "", content.ErrEntryNotFound
	}
	return m, id, nil
}

// laidOver returns a revision of a draft as one of the entry.
func laidOver(m *site.Model, live *cms.Entry, r content.DraftRevision) (content.Revision, error) {
	e := *live
	r.Changes.ForModel(&m.Model).Apply(&e)
	raw, err := cms.Marshal(e.Stored())
	return content.Revision{Version: r.Info.BaseVersion, Actor: r.Actor, Time: r.Time,
		Event: "entry.draft_saved", Entry: raw, Draft: r.Number}, err
}

// RestoreRevision saves title, slug, data and seo of a revision as a new version; status and locale
// do not change (decisions §2). Errors: NOT_FOUND if the revision is not stored any more,
// SLUG_CONFLICT, and VALIDATION_FAILED if the content does not fit the model any more.
func (s *Entries) RestoreRevision(ctx context.Context, actor cms.Actor, model, id string,
	version int64) (*cms.Entry, error) {
	var restored *cms.Entry
	err := s.Change(ctx, model, func(_ *site.Site, m *site.Model) (*db.Tx, error) {
		rec, err := s.forChange(ctx, m, id, nil)
		if err != nil {
			return nil, err
		}
		old, err := s.Store.Revision(ctx, m, rec.Entry.ID, version)
		if err != nil {
			return nil, input.NotFound(err, "revision")
		}
		if err := m.Permit(ctx, cms.ActionWrite, rec.Entry, nil); err != nil {
			return nil, err
		}
		e := *rec.Entry
		e.Title, e.Slug, e.Data, e.SEO = old.Title, old.Slug, old.Data, old.SEO
		if err := markdown.Checks.Entry(&m.Model, &e, old, e.Status == cms.StatusPublished).Err(); err != nil {
			return nil, err
		}
		restored = &e
		tx := s.saveEntry(actor, m, rec, &e)
		if err := s.ShareChange(ctx, actor, m, tx, rec.Entry, &e); err != nil {
			return nil, err
		}
		return tx, s.callUnapproved(ctx, m, tx, actor, rec.Entry, &e)
	}, never)
	return restored, err
}

// Trash lists the entries in the trash that keep accepts, the last deleted first; all if keep is nil.
func (s *Entries) Trash(ctx context.Context, keep func(content.Trashed) bool,
	p db.Paging) (db.Page[content.Trashed], error) {
	site, err := s.Store.Site(ctx)
	if err != nil {
		return db.Page[content.Trashed]{}, err
	}
	return s.Store.Trash(ctx, site, keep, p)
}

var errRestoredNowhere = cms.Errorf(cms.CodeConflict,
	"The model or the locale of this entry does not exist any more or is inactive.")

// RestoreFromTrash restores an entry with its former status. Errors: NOT_FOUND, SLUG_CONFLICT, and
// CONFLICT if a unique value is taken, or if a single type has another entry.
func (s *Entries) RestoreFromTrash(ctx context.Context, actor cms.Actor, id string) (*cms.Entry, error) {
	var restored *cms.Entry
	err := s.changeTrash(ctx, id, func(siteNow *site.Site, rec *content.TrashRecord) (*db.Tx, error) {
		m := siteNow.ModelByID(rec.ModelID)
		if m == nil {
			return nil, errRestoredNowhere
		}
		_, noModel := siteNow.ActiveModel(m.Slug)
		if err := cmp.Or(noModel, siteNow.RequireLocale(rec.Entry.Locale)); cms.CodeOf(err) == cms.CodeUnavailable {
			return nil, err
		} else if err != nil {
			return nil, errRestoredNowhere
		}
		if err := m.Permit(ctx, cms.ActionWrite, rec.Entry, nil); err != nil {
			return nil, err
		}
		if err := s.Store.FinishDeletion(ctx, m, rec); err != nil {
			return nil, err
		}
		group, err := groups.ForChange(ctx, s.Store, m, rec.Entry.ID)
		if err != nil {
			return nil, err
		}
		tx := s.Store.Begin()
		e := *rec.Entry
		e.Version, e.UpdatedAt = e.Version+1, tx.At()
		if err := s.rejoinShared(ctx, m, group, &e); err != nil {
			return nil, err
		}
		stands, err := standing.Return(ctx, s.Store, m, &e)
		if err != nil {
			return nil, err
		}
		stands.Apply(tx)
		groups.Rejoin(tx, s.Store, m, group, &e)
		events := []string{cms.EventEntryUpdated}
		if e.Status == cms.StatusPublished {
			events = append(events, cms.EventEntryPublished)
		}
		content.RestoreEntry(tx, m, rec, &e, actor, "entry.restored")
		site.RequireFence(tx, siteNow)
		Record(tx, actor, m, &e, events...)
		restored = &e
		return tx, nil
	})
	return restored, err
}

// Purge deletes an entry in the trash for good; NOT_FOUND if it is not in the trash.
func (s *Entries) Purge(ctx context.Context, actor cms.Actor, id string) error {
	var purged *content.TrashRecord
	err := s.changeTrash(ctx, id, func(site *site.Site, rec *content.TrashRecord) (*db.Tx, error) {
		if m := site.ModelByID(rec.ModelID); m != nil {
			if err := m.Permit(ctx, cms.ActionDelete, rec.Entry, nil); err != nil {
				return nil, err
			}
		}
		tx := s.Store.Begin()
		content.PurgeEntry(tx, rec)
		tx.Activity(actor, "entry.purged", rec.Entry.Slug+" ("+rec.Entry.Locale+")", rec.Entry.ID)
		purged = rec
		return tx, nil
	})
	if err != nil {
		return err
	}
	return s.Store.DeleteRevisions(ctx, purged.ModelID, purged.Entry.ID)
}

func (s *Entries) changeTrash(ctx context.Context, id string,
	use func(*site.Site, *content.TrashRecord) (*db.Tx, error)) error {
	missing := cms.Errorf(cms.CodeNotFound, "There is no such entry in the trash.")
	id, valid := input.CanonicalID(id)
	if !valid {
		return missing
	}
	return s.Store.Retry(ctx, func() error {
		site, err := s.Store.Site(ctx)
		if err != nil {
			return err
		}
		rec, err := s.Store.FromTrash(ctx, site, id)
		if err != nil {
			return db.Missing(err, missing)
		}
		if !content.ReadableTrash(ctx, site, rec) {
			return missing
		}
		tx, err := use(site, rec)
		if err != nil {
			return err
		}
		if m := site.ModelByID(rec.ModelID); m != nil {
			if err := s.callFollow(ctx, m, tx); err != nil {
				return err
			}
		}
		return slugConflict(s.Store.Commit(ctx, tx), false)
	})
}

// purgeLimit is how many entries one run of PurgeExpired deletes.
const purgeLimit = 500

// PurgeExpired deletes entries for good that have been in the trash for longer than
// content.TrashDays.
func (s *Entries) PurgeExpired(ctx context.Context) error {
	if err := s.Store.DeleteLeftRevisions(ctx, purgeLimit); err != nil {
		return err
	}
	ids, err := s.Store.ExpiredTrash(ctx, s.Store.Now().AddDate(0, 0, -content.TrashDays), purgeLimit)
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
