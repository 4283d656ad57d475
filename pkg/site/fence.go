package site

import (
	"context"
	"slices"

	"headless/pkg/db"
	"headless/pkg/table"
)

// A write that depends on a model must not commit after the model was closed or its index changed.
// So it checks one of the model's fence rows, and a change of the model raises all of them right
// after its commit. There are many rows because DynamoDB refuses even two concurrent checks of one
// item; with many, writers of one model rarely conflict (see db.Tx.DoSpread).
//
// The locales have their own fence, which every such write checks too. Raising the fences of all
// models instead would take long on a site with many. The expected number counts the changes.
// Missing rows count as 0.
const fenceRows = db.MaxShards

// localesFence is used instead of a model's id for the fence of the locales.
const localesFence = "locales"

// fence is the number expected in the fence rows of a model.
type fence struct {
	modelID string
	number  int64
}

// FenceOf returns the number expected in the fence rows of a model.
func (s *Site) FenceOf(m *Model) fence { return fence{m.ID, m.Fence} }

// FenceOfLocales returns the number expected in the fence rows of the locales.
func (s *Site) FenceOfLocales() fence { return fence{localesFence, s.epoch} }

// RequireModel makes the commit fail if the model or the locales changed after site was read.
func RequireModel(t *db.Tx, site *Site, m *Model) {
	require(t, site, site.FenceOf(m))
	require(t, site, fence{localesFence, site.epoch})
}

// require makes the commit fail if the fence has another number.
func require(t *db.Tx, site *Site, f fence) {
	op := table.Op{Kind: table.Check, If: table.VersionIs, Version: f.number}
	if f.number == 0 {
		op.If = table.Absent
	}
	key := func(row int) table.Key { return fenceKey(f.modelID, row) }
	t.DoSpread(op, key,
		&db.Repair{Do: func(ctx context.Context) error { return site.store.repairFence(ctx, f) }})
}

// raise raises the fence of a model after the commit.
func raise(t *db.Tx, f fence) {
	t.Then(func(ctx context.Context) error { return raiseFence(ctx, t.DB, f) })
}

// raiseFence writes the number to all fence rows of a model. Until it returns, writes that read the
// model before its change may still commit.
func raiseFence(ctx context.Context, s *db.DB, f fence) error {
	if f.number == 0 { // then there are no rows
		return nil
	}
	var rows []table.Item
	for row := range fenceRows {
		rows = append(rows, table.Item{Key: fenceKey(f.modelID, row), Version: f.number})
	}
	return s.Table.BatchWrite(ctx, rows, nil)
}

// ConfirmFence makes sure that all fence rows of a model have the number: from then on, writes that read
// the model before its change fail. It writes only if the process that changed the model could not.
func ConfirmFence(ctx context.Context, s *db.DB, f fence) error {
	if f.number == 0 {
		return nil
	}
	keys := make([]table.Key, fenceRows)
	for row := range keys {
		keys[row] = fenceKey(f.modelID, row)
	}
	rows, err := s.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(rows, func(row *table.Item) bool { return row == nil || row.Version < f.number }) {
		return raiseFence(ctx, s, f)
	}
	return nil
}

// repairFence raises the fence if the process that changed the model ended before it could. It
// always returns an error, so that the use case retries.
func (s *Store) repairFence(ctx context.Context, held fence) error {
	site, err := s.Site(ctx)
	if err != nil {
		return err
	}
	current := fence{localesFence, site.epoch}
	if m := site.ModelByID(held.modelID); m != nil {
		current = site.FenceOf(m)
	}
	if current == held {
		if err := raiseFence(ctx, s.DB, held); err != nil {
			return err
		}
	}
	return db.ErrOvertaken
}

// DropFence deletes the fence rows of a deleted model. Writes that read the model before still
// fail, unless its number was 0.
func DropFence(ctx context.Context, s *db.DB, modelID string) error {
	var keys []table.Key
	for row := range fenceRows {
		keys = append(keys, fenceKey(modelID, row))
	}
	return s.Table.BatchWrite(ctx, nil, keys)
}
