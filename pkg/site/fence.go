package site

import (
	"context"

	"headless/pkg/db"
	"headless/pkg/table"
)

// A write that depends on a model must not commit once the model is closed or listed elsewhere. So
// it checks one of the model's fence rows, which a change of the model raises right after its
// commit. There are many rows, so that writers of one model seldom meet (see db.Tx.DoSpread);
// DynamoDB refuses even two checks of one item at the same time.
//
// The locales have a fence of their own, which every such write checks too: raising the fences of
// all models would take long on a site of many. The number that a row must show counts the changes.
// Rows that are absent show 0.
const fenceRows = db.MaxShards

// localesFence stands for the locales in place of a model's id.
const localesFence = "locales"

// fence is the number that the fence rows of a model must show.
type fence struct {
	modelID string
	number  int64
}

// FenceOf is the number that the fence rows of a model must show.
func (s *Site) FenceOf(m *Model) fence { return fence{m.ID, m.Fence} }

// RequireModel makes the commit fail if the model or the locales changed after site was read.
func RequireModel(t *db.Tx, site *Site, m *Model) {
	require(t, site, site.FenceOf(m))
	require(t, site, fence{localesFence, site.epoch})
}

// require makes the commit fail if a fence has another number.
func require(t *db.Tx, site *Site, f fence) {
	op := table.Op{Kind: table.Check, If: table.VersionIs, Version: f.number}
	if f.number == 0 {
		op.If = table.Absent
	}
	key := func(row int) table.Key { return fenceKey(f.modelID, row) }
	t.DoSpread(op, key,
		&db.Repair{Do: func(ctx context.Context) error { return site.store.repairFence(ctx, f) }})
}

// raise adds to the commit what raises the fence of a model.
func raise(t *db.Tx, f fence) {
	t.Then(func(ctx context.Context) error { return RaiseFence(ctx, t.DB, f) })
}

// RaiseFence writes the number to all fence rows of a model. Until it returns, writes that read the
// model before its change may still commit.
func RaiseFence(ctx context.Context, s *db.DB, f fence) error {
	var rows []table.Item
	for row := range fenceRows {
		rows = append(rows, table.Item{Key: fenceKey(f.modelID, row), Version: f.number})
	}
	return s.Table.BatchWrite(ctx, rows, nil)
}

// repairFence raises the fence if the process that changed the model ended before it did. Its error
// makes the use case retry.
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
		if err := RaiseFence(ctx, s.DB, held); err != nil {
			return err
		}
	}
	return db.ErrOvertaken
}

// DropFence removes the fence rows of a deleted model. Writes that read the model before still
// fail, unless its number was 0.
func DropFence(ctx context.Context, s *db.DB, modelID string) error {
	var keys []table.Key
	for row := range fenceRows {
		keys = append(keys, fenceKey(modelID, row))
	}
	return s.Table.BatchWrite(ctx, nil, keys)
}
