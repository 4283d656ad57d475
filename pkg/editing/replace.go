package editing

import (
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/markdown"
	"headless/pkg/refs"
	"headless/pkg/site"
)

// ErrNothingReplaced says that neither an entry nor its draft refers to the target.
var ErrNothingReplaced = errors.New("editing: nothing refers to the target")

// ReplaceTarget replaces every reference of an entry and its draft to the file from by a reference
// to the file to, in one save (extensions §6). It does not make a draft outdated. Both ids are in
// lower case. Errors: those of Update, and ErrNothingReplaced, for example if it is repeated.
func (s *Entries) ReplaceTarget(ctx context.Context, actor cms.Actor, model, id, from, to string) error {
	return s.Change(ctx, model, func(siteNow *site.Site, m *site.Model) (*db.Tx, error) {
		rec, err := s.forChange(ctx, m, id, nil)
		if err != nil {
			return nil, err
		}
		before := rec.Entry
		d, err := s.Store.Draft(ctx, m, before.ID)
		if err != nil {
			return nil, err
		}
		e, inEntry := refs.Replace(&m.Model, before, from, to)
		changes, inDraft := refs.ReplaceInPatch(&m.Model, d.Changes.ForModel(&m.Model), from, to)
		inDraft = inDraft && d.Open
		if !inEntry && !inDraft {
			return nil, ErrNothingReplaced
		}
		tx := s.Store.Begin()
		if inEntry {
			if tx, err = s.saveReplaced(ctx, actor, siteNow, m, rec, e); err != nil {
				return nil, err
			}
		} else if err := cms.PermissionsOf(ctx).Check(cms.ActionWrite, m.Slug, before.Locale,
			"entry"); err != nil {
			return nil, err
		} else {
			content.RequireEntry(tx, m, before.ID)
			rec.Drafted(d)
		}
		if d.Open {
			base, digest := d.Info.BaseVersion, d.Base
			if checkOutdated(before, d, PublishOptions{}) == nil {
				base = e.Version
				if digest, err = contentDigest(e); err != nil {
					return nil, err
				}
			}
			content.SaveDraft(tx, m, before.ID, d, changes, base, digest, actor)
		}
		return tx, nil
	}, never)
}

// saveReplaced returns the transaction that saves an entry with replaced references.
func (s *Entries) saveReplaced(ctx context.Context, actor cms.Actor, siteNow *site.Site, m *site.Model,
	rec *content.EntryRecord, e *cms.Entry) (*db.Tx, error) {
	if err := m.Permit(ctx, cms.ActionWrite, rec.Entry, e); err != nil {
		return nil, err
	}
	problems := markdown.Checks.Entry(&m.Model, e, rec.Entry, e.Status == cms.StatusPublished)
	if err := s.checkReferences(ctx, problems, siteNow, m, rec.Entry, e); err != nil {
		return nil, err
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	tx := s.save(actor, m, rec, e, cms.EventEntryUpdated)
	return tx, s.share(ctx, actor, m, tx, nil, rec.Entry, e)
}
