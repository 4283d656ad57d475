package site

import (
	"context"

	"headless/pkg/db"
	"headless/pkg/table"
)

// A write that depends on a model or a locale must not commit after that was closed or its index
// changed. So it checks one of the fence rows, and each such change raises all of them right after its
// commit. The expected number counts these changes. Missing rows count as 0. There are many rows
// because DynamoDB refuses even two concurrent checks of one item; with many, writers rarely conflict
// (see db.Tx.DoSpread).
//
// The whole site has one fence, since models change rarely: then the writes that are under way to
// other models are tried again, too. One fence for each model would cost every write a second check,
// and a change of many models would have to raise many fences.
const fenceRows = db.MaxShards

// RequireFence makes the commit fail if a model or a locale was changed after site was read, in a way
// that a write under way must know.
func RequireFence(t *db.Tx, site *Site) {
	op := table.Op{Kind: table.Check, If: table.VersionIs, Version: site.fence}
	if site.fence == 0 {
		op.If = table.Absent
	}
	t.DoSpread(op, fenceKey, &db.Repair{Do: site.repairFence})
}

// raiseFence raises the fence rows that have a lower number. Until it returns, writes that read the
// site before its change may still commit. When two changes raise the fence at the same time, the write
// of the lower number may come last: so the one who wrote looks whether the site has changed again.
func raiseFence(ctx context.Context, s *db.DB, number int64) error {
	keys := make([]table.Key, fenceRows)
	for row := range keys {
		keys[row] = fenceKey(row)
	}
	for {
		rows, err := s.Table.Get(ctx, table.Strong, keys...)
		if err != nil {
			return err
		}
		var raised []table.Item
		for i, row := range rows {
			if number > 0 && (row == nil || row.Version < number) {
				raised = append(raised, table.Item{Key: keys[i], Version: number})
			}
		}
		if len(raised) == 0 {
			return nil
		}
		if err := s.Table.BatchWrite(ctx, raised, nil); err != nil {
			return err
		}
		now, err := s.Get(ctx, ConfigKey(db.RandomShard()))
		if err != nil {
			return err
		}
		number = now.Count
	}
}

// ConfirmFence makes sure that the fence is raised: from then on, writes that read the site before its
// change fail. It writes only if the process that changed the site could not.
func (s *Site) ConfirmFence(ctx context.Context) error { return raiseFence(ctx, s.store.DB, s.fence) }

// repairFence raises the fence if the process that changed the site ended before it could. It always
// returns an error, so that the use case tries again.
func (s *Site) repairFence(ctx context.Context) error {
	now, err := s.store.Site(ctx)
	if err != nil {
		return err
	}
	if now.fence == s.fence {
		if err := s.ConfirmFence(ctx); err != nil {
			return err
		}
	}
	return db.ErrOvertaken
}
