package planning

import (
	"cmp"
	"context"
	"errors"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/input"
	"headless/pkg/planning/lease"
	"headless/pkg/planning/mails"
	"headless/pkg/planning/reach"
	"headless/pkg/planning/undo"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Releases has the use cases of releases: lists of entries that are published and unpublished
// together (extensions §4).
type Releases struct {
	Store   *content.Store
	Entries *editing.Entries

	Mails mails.Mails // to who publishes
}

// Get reads a release; NOT_FOUND if there is none.
func (s *Releases) Get(ctx context.Context, id string) (Release, error) {
	r, items, err := s.openRelease(ctx, id)
	if err != nil {
		return Release{}, err
	}
	return s.show(ctx, r, items)
}

// List lists the releases whose items the caller may read, newest first, at most 25 per page.
func (s *Releases) List(ctx context.Context, p db.Paging) (db.Page[Release], error) {
	p.PerPage = min(p.PerPage, 25)
	rows, err := s.Store.Table.Query(ctx, table.Range{Partition: releasesPartition, Reverse: true,
		Limit: maxReleases})
	if err != nil {
		return db.Page[Release]{Paging: p}, err
	}
	now, err := s.Store.Site(ctx)
	if err != nil {
		return db.Page[Release]{Paging: p}, err
	}
	var shown []table.Item
	for _, row := range rows {
		var targets []reach.Target
		if len(row.Body) == 0 { // from a former version: Get decides
			shown = append(shown, row)
			continue
		}
		if err := db.Unpack(row.Body, &targets); err != nil {
			return db.Page[Release]{Paging: p}, err
		}
		for i, t := range targets {
			if m := now.ModelByID(t.Model); m != nil { // else a slug, from a former version
				targets[i].Model = m.Slug
			}
		}
		if reach.Shows(ctx, targets...) {
			shown = append(shown, row)
		}
	}
	cut := db.PageOf(shown, p)
	page := db.Page[Release]{Paging: p, Total: cut.Total}
	for _, row := range cut.Items {
		r, err := s.Get(ctx, row.Sort)
		if errors.Is(err, errNoRelease) {
			continue // deleted meanwhile
		}
		if err != nil {
			return page, err
		}
		page.Items = append(page.Items, r)
	}
	return page, nil
}

// Create creates a release from its body. Errors: VALIDATION_FAILED, and CONFLICT if there are too
// many releases.
func (s *Releases) Create(ctx context.Context, actor cms.Actor, body map[string]any) (Release, error) {
	now := s.Store.Now()
	r := &release{ID: uuid.Must(uuid.NewV7()).String(), Status: ReleaseOpen, CreatedAt: now, UpdatedAt: now}
	items, err := s.decodeRelease(ctx, actor, body, r, []storedItem{}, now)
	if err != nil {
		return Release{}, err
	}
	if err := reach.Check(ctx, ItemActions, targetsOf(items)...); err != nil {
		return Release{}, err
	}
	r.By = planner(actor)
	if err := s.bind(ctx, r.ID, items); err != nil {
		return Release{}, err
	}
	put := r.putOp()
	err = s.Store.Retry(ctx, func() error {
		tx := s.Store.Begin()
		tx.LimitRows(table.Range{Partition: releasesPartition, Limit: maxReleases}, errManyStored)
		tx.Do(put, nil)
		tx.Put(table.Item{Key: releaseItemsKey(r.ID), Body: db.Pack(items)})
		tx.Do(putListed(r.ID, items), nil)
		if !r.PublishAt.IsZero() {
			tx.SetTimer(r.timer())
		}
		tx.Activity(actor, "release.created", "release "+r.Name, r.ID)
		return s.Store.Commit(ctx, tx)
	})
	if err != nil {
		return Release{}, err
	}
	return s.show(ctx, r, items)
}

var errManyStored = cms.Errorf(cms.CodeConflict,
	"There are already %d releases, which is the maximum. Delete some first.", maxReleases)

// Update changes the fields of a release that the body holds. Errors: NOT_FOUND, VALIDATION_FAILED,
// FORBIDDEN, and CONFLICT while it is publishing or after it was published.
func (s *Releases) Update(ctx context.Context, actor cms.Actor, id string, body map[string]any,
	pre input.Precondition[Release]) (Release, error) {
	var shown Release
	err := s.Store.Retry(ctx, func() error {
		r, was, err := s.openRelease(ctx, id)
		if err != nil {
			return err
		}
		if pre != nil {
			if shown, err = s.show(ctx, r, was); err != nil {
				return err
			}
			if err := pre(shown); err != nil {
				return err
			}
		}
		if err := changeable(r); err != nil {
			return err
		}
		marks, err := s.changedItems(ctx, id) // before the versions that the items are bound to
		if err != nil {
			return err
		}
		tx, before := s.Store.Begin(), *r
		items, err := s.decodeRelease(ctx, actor, body, r, was, tx.At())
		if err != nil {
			return err
		}
		if err := mayChange(ctx, &before, r, was, items); err != nil {
			return err
		}
		if r.moveTimer(tx, before.timer()) {
			r.By = planner(actor)
		}
		if err := s.bind(ctx, id, items); err != nil {
			return err
		}
		rebind(tx, id, marks, items)
		r.keepDone(was, items)
		r.UpdatedAt = tx.At()
		tx.Do(r.putOp(), db.ErrOvertaken)
		tx.Put(table.Item{Key: releaseItemsKey(r.ID), Body: db.Pack(items)})
		tx.Do(putListed(r.ID, items), nil)
		old, new := changeOf(&before, r, was, items)
		tx.Audit(actor, "release.updated", "release "+r.Name, r.ID, old, new)
		if err := s.Store.Commit(ctx, tx); err != nil {
			return err
		}
		if err := s.unbind(ctx, id, withoutItems(was, items)); err != nil {
			return err
		}
		shown, err = s.show(ctx, r, items)
		return err
	})
	return shown, err
}

// changeable returns CONFLICT if a release may not be changed.
func changeable(r *release) error {
	switch r.Status {
	case ReleasePublishing:
		return cms.Errorf(cms.CodeConflict, "This release is being published. Wait until that has ended.")
	case ReleasePublished:
		return cms.Errorf(cms.CodeConflict, "This release has been published and cannot be changed any more.")
	}
	return nil
}

// Delete removes a release. Its entries do not change. Errors: NOT_FOUND, and CONFLICT while it is
// publishing.
func (s *Releases) Delete(ctx context.Context, actor cms.Actor, id string) error {
	var items []storedItem
	err := s.Store.Retry(ctx, func() error {
		r, was, err := s.openAll(ctx, id)
		if err != nil {
			return err
		}
		items = was
		if r.Status == ReleasePublishing {
			return changeable(r)
		}
		tx := s.Store.Begin()
		tx.Remove(releaseKey(r.ID), r.version)
		tx.Delete(releaseItemsKey(r.ID))
		tx.Delete(releaseListKey(r.ID))
		if !r.PublishAt.IsZero() {
			tx.ClearTimer(r.timer())
		}
		tx.Activity(actor, "release.deleted", "release "+r.Name, r.ID)
		return s.Store.Commit(ctx, tx)
	})
	if err != nil {
		return err
	}
	if err := s.unbind(ctx, id, items); err != nil {
		return err
	}
	return cmp.Or(s.drop(ctx, id, problemPrefix), s.drop(ctx, id, changedPrefix), undo.Drop(ctx, s.Store, id))
}

// drop removes the problems or marks of a release.
func (s *Releases) drop(ctx context.Context, id, prefix string) error {
	rows, err := s.Store.Table.Query(ctx, table.Range{Partition: releasePartition(id), Prefix: prefix})
	if err != nil || len(rows) == 0 {
		return err
	}
	return s.Store.Table.BatchWrite(ctx, nil, slice.Map(rows, func(row table.Item) table.Key { return row.Key }))
}

// Publish starts to publish a release; workers publish its items after the answer. Errors:
// NOT_FOUND, and CONFLICT while it is publishing or after it was published.
func (s *Releases) Publish(ctx context.Context, actor cms.Actor, id string) (Release, error) {
	var shown Release
	err := s.Store.Retry(ctx, func() error {
		r, items, err := s.openAll(ctx, id)
		if err != nil {
			return err
		}
		if err := changeable(r); err != nil {
			return err
		}
		r.By = actor
		tx := s.Store.Begin()
		if err := s.beginRelease(ctx, tx, r); err != nil {
			return err
		}
		tx.SetTimer(db.Timer{At: tx.At(), Kind: KindRelease, Ref: r.ID})
		if err := s.Store.Commit(ctx, tx); err != nil {
			return err
		}
		shown, err = s.show(ctx, r, items)
		return err
	})
	return shown, err
}

// beginRelease gives a release the status publishing, in a transaction.
func (s *Releases) beginRelease(ctx context.Context, tx *db.Tx, r *release) error {
	if err := s.drop(ctx, r.ID, problemPrefix); err != nil {
		return err
	}
	r.Status, r.PublishAt, r.Checked, r.Next, r.Problems, r.Lease = ReleasePublishing, cms.Time{},
		false, 0, 0, lease.Lease{}
	tx.Do(r.putOp(), db.ErrOvertaken)
	return nil
}
