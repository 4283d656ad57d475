package editing

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing/standing"
	"headless/pkg/groups"
	"headless/pkg/input"
	"headless/pkg/site"
)

// Delete moves an entry to the trash. Errors: MODEL_NOT_FOUND, ENTRY_NOT_FOUND, and the error of
// the precondition.
func (s *Entries) Delete(ctx context.Context, actor cms.Actor, model, id string,
	ok input.Precondition[*cms.Entry]) error {
	return s.moveToTrash(ctx, actor, model, id, ok, nil)
}

// DeleteUnused is Delete for an entry that no entry, draft or setting refers to. all reports
// whether IN_USE lists all uses or only public ones. Errors: IN_USE, and those of Delete.
func (s *Entries) DeleteUnused(ctx context.Context, actor cms.Actor, model, id string, all bool,
	ok input.Precondition[*cms.Entry]) error {
	m, canonical, err := s.Locate(ctx, (*site.Site).Model, model, id)
	if err != nil {
		return err
	}
	rec, err := s.forChange(ctx, m, canonical, ok)
	if err != nil {
		return err
	}
	if err := m.Permit(ctx, cms.ActionDelete, rec.Entry, nil); err != nil {
		return err
	}
	return s.Uses.DeleteUnused(ctx, canonical, all,
		func(d *db.Deletion) error { return s.moveToTrash(ctx, actor, model, id, ok, d) })
}

// moveToTrash moves the entry to the trash. unused is the deletion of DeleteUnused, or nil.
func (s *Entries) moveToTrash(ctx context.Context, actor cms.Actor, model, id string,
	ok input.Precondition[*cms.Entry], unused *db.Deletion) error {
	return s.Change(ctx, model, func(_ *site.Site, m *site.Model) (*db.Tx, error) {
		rec, err := s.forChange(ctx, m, id, ok)
		if err != nil {
			return nil, err
		}
		if err := m.Permit(ctx, cms.ActionDelete, rec.Entry, nil); err != nil {
			return nil, err
		}
		group, err := s.groupToLeave(ctx, m, rec.Entry.ID)
		if err != nil {
			return nil, err
		}
		stands, err := standing.Delete(ctx, s.Store, m, rec.Entry)
		if err != nil {
			return nil, err
		}
		tx, e := s.Store.Begin(), *rec.Entry
		stands.Apply(tx)
		e.Version, e.UpdatedAt = e.Version+1, tx.At()
		groups.LeaveForTrash(tx, s.Store, m, group, e.ID)
		content.TrashEntry(tx, m, rec, &e, actor, cms.EventEntryDeleted)
		if unused != nil {
			tx.FinishDeletion(unused)
		}
		Record(tx, actor, m, &e, cms.EventEntryDeleted)
		return tx, nil
	}, never)
}
