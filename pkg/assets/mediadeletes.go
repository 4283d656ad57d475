package assets

import (
	"context"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/table"
)

// Delete deletes a file permanently: first the record, together with a row for the pending removal
// of the object, then the object. If the latter fails, the sweeper repeats it. Entries that refer
// to the file keep its id. FILE_NOT_FOUND if there is none.
func (s *Media) Delete(ctx context.Context, actor cms.Actor, id string, ok input.Precondition[cms.Media]) error {
	return s.deleteRecord(ctx, actor, id, nil, ok)
}

// DeleteUnused deletes a file to which nothing refers. Errors: IN_USE, and those of Delete.
func (s *Media) DeleteUnused(ctx context.Context, actor cms.Actor, id string, all bool,
	ok input.Precondition[cms.Media]) error {
	if err := input.PermitPublic(ctx, cms.ActionDelete, cms.AreaMedia, "file"); err != nil {
		return err
	}
	m, err := s.read(ctx, id)
	if err != nil {
		return err
	}
	return s.Uses.DeleteUnused(ctx, m.ID, all,
		func(d *db.Deletion) error { return s.deleteRecord(ctx, actor, id, d, ok) })
}

// deleteRecord deletes the record. unused, if not nil, is the deletion that ensures that nothing refers
// to the file.
func (s *Media) deleteRecord(ctx context.Context, actor cms.Actor, id string, unused *db.Deletion,
	ok input.Precondition[cms.Media]) error {
	if err := input.PermitPublic(ctx, cms.ActionDelete, cms.AreaMedia, "file"); err != nil {
		return err
	}
	var check ObjectCheck
	err := s.Store.Retry(ctx, func() error {
		m, _, shown, err := s.readToChange(ctx, id, ok)
		if err != nil {
			return err
		}
		tx := s.Store.Begin()
		DeleteMedia(tx, m)
		if unused != nil {
			tx.FinishDeletion(unused)
		}
		check = RemoveObject(tx, m.ID, tx.At())
		if m.Direct { // an imported file may be newer than its created_at
			RemoveObject(tx, m.ID,
				cms.At(tx.At().Add(directTime+time.Hour))) // a completion that is still running may copy it again
		}
		tx.Event(actor, cms.EventMediaDeleted, "", shown)
		tx.Activity(actor, cms.EventMediaDeleted, "file "+m.Name, m.ID)
		return s.Store.Commit(ctx, tx)
	})
	if err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	if err := s.removeObject(ctx, check); err != nil {
		s.Log.WarnContext(ctx, "an object is left to the sweeper", "file", check.ID, "error", err.Error())
	}
	return nil
}

// removeObject removes an orphaned object, the temporary object of a direct upload, or both, and
// then the check.
func (s *Media) removeObject(ctx context.Context, c ObjectCheck) error {
	err := s.Blobs.Delete(ctx, incomingKey(c.ID))
	if err == nil && !c.Incoming {
		if err = s.Blobs.Delete(ctx, objectKey(c.ID)); err == nil {
			err = s.removeVariants(ctx, c.ID)
		}
	}
	if err != nil {
		return err
	}
	if !c.seen {
		return s.Store.Table.BatchWrite(ctx, nil, []table.Key{c.key()})
	}
	tx := s.Store.Begin()
	tx.TouchFile(c.ID)
	tx.Delete(c.key())
	return s.Store.Commit(ctx, tx)
}
