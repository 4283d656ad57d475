package planning

import (
	"context"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/planning/undo"
)

// Undoing is a release whose changes are to be taken back.
type Undoing struct {
	Job     string        // that does so; "" if none was begun
	Changes []undo.Change // the last one first

	of    *release
	items []storedItem
}

var errNothingToUndo = cms.Errorf(cms.CodeConflict, "There is nothing that can be taken back: this release has "+
	"changed nothing, or an earlier version of this service published it and kept no record.")

// ToUndo reads a release, published or failed, with those changes by it that were not taken back. Errors: NOT_FOUND,
// FORBIDDEN unless the caller may do the actions of all its items, and CONFLICT for a release that is not published,
// or has no known changes.
func (s *Releases) ToUndo(ctx context.Context, id string) (u Undoing, err error) {
	if u.of, u.items, err = s.openAll(ctx, id); err != nil {
		return u, err
	}
	switch u.of.Status {
	case ReleasePublishing:
		return u, changeable(u.of)
	case ReleaseOpen:
		return u, errNothingToUndo
	}
	if u.Job, err = undo.Job(ctx, s.Store, id); err != nil {
		return u, err
	}
	u.Changes, err = undo.Of(ctx, s.Store, id, "")
	if err == nil && len(u.Changes) == 0 {
		err = errNothingToUndo
	}
	return u, err
}

// BeginUndo lets a job take the changes back, in the transaction that begins it. Until the job has ended, the release
// counts as published, so it cannot be changed. Its items are bound to the present content of their entries again.
func (s *Releases) BeginUndo(ctx context.Context, tx *db.Tx, u Undoing, job string) error {
	u.of.Status = ReleasePublished
	undo.SetJob(tx, u.of.ID, job)
	tx.Do(u.of.putOp(), db.ErrOvertaken)
	for i := range u.items {
		u.items[i].bound = true
	}
	return s.bind(ctx, u.of.ID, u.items)
}

// EndUndo makes a release open again, in the transaction that ends the job. Items whose changes are left, because
// somebody has changed the entries since or they cannot be changed, stay done.
func (s *Releases) EndUndo(ctx context.Context, tx *db.Tx, actor cms.Actor, id string) error {
	r, items, err := s.readRelease(ctx, id)
	if err != nil || r.Status != ReleasePublished {
		return err
	}
	left, err := undo.Of(ctx, s.Store, id, "")
	r.Done = nil
	for i, item := range items {
		if slices.ContainsFunc(left, func(c undo.Change) bool { return c.ID == item.ID }) {
			r.setDone(i)
		}
	}
	r.Status, r.PublishedAt, r.Problems, r.UpdatedAt = ReleaseOpen, cms.Time{}, 0, tx.At()
	tx.Do(r.putOp(), db.ErrOvertaken)
	tx.Activity(actor, "release.undone", "release "+r.Name, r.ID)
	tx.Then(func(ctx context.Context) error { return undo.Drop(ctx, s.Store, id) })
	return err
}
