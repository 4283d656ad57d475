package editing

import (
	"cmp"
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/markdown"
	"headless/pkg/site"
)

// ErrNothingReplaced says that neither an entry nor its draft has the text or target to replace.
var ErrNothingReplaced = errors.New("editing: nothing to replace")

// Rewrite changes the content of an entry and of its draft in one save (extensions §6, §7). It does not make a
// draft outdated. edit returns the new entry, or the same pointer if it stays, and the new changes of the draft. It
// is called again for each try. Content that the entry had before is former: its references are not checked. Errors:
// that of edit, and those of Update.
func (s *Entries) Rewrite(ctx context.Context, actor cms.Actor, model, id string, former bool,
	edit func(*site.Model, *cms.Entry, *content.Draft) (*cms.Entry, cms.EntryPatch, error)) error {
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
		e, changes, err := edit(m, before, d)
		if err != nil {
			return nil, err
		}
		tx, saved := s.Store.Begin(), d
		if e != before {
			if tx, err = s.saveReplaced(ctx, actor, siteNow, m, rec, e, former); err != nil {
				return nil, err
			}
		} else if err := cms.PermissionsOf(ctx).Check(cms.ActionWrite, m.Slug, before.Locale, "entry"); err != nil {
			return nil, err
		} else {
			content.RequireEntry(tx, m, before.ID)
			rec.Drafted(d)
		}
		if d.Open {
			to := following(d, before, e)
			saved, _ = content.SaveDraft(tx, m, before, d, changes, d.RowIDs, to.Info.BaseVersion, to.Base, actor)
		} else {
			d.Require(tx, m, before.ID)
		}
		return tx, s.callUnapproved(ctx, m, tx, actor, Lay(m, before, d).Entry, Lay(m, e, saved).Entry)
	}, never)
}

// saveReplaced returns the transaction that saves an entry with replaced references.
func (s *Entries) saveReplaced(ctx context.Context, actor cms.Actor, siteNow *site.Site, m *site.Model,
	rec *content.EntryRecord, e *cms.Entry, former bool) (*db.Tx, error) {
	problems := markdown.Checks.Entry(&m.Model, e, rec.Entry, e.Status == cms.StatusPublished)
	err := m.Permit(ctx, cms.ActionWrite, rec.Entry, e)
	if err == nil && !former {
		err = s.checkReferences(ctx, problems, siteNow, m, rec.Entry, e)
	}
	if err = cmp.Or(err, problems.Err()); err != nil {
		return nil, err
	}
	tx := s.saveEntry(actor, m, rec, e)
	return tx, s.ShareChange(ctx, actor, m, tx, rec.Entry, e)
}
