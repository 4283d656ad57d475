package content

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// After a change of a model, the new generation of its index is built, while the former one still
// serves queries. Reindex builds all entries of the former generation. An entry that is changed in
// the meantime is marked as stale in its transaction and built again, by its writer or by Reindex.
// When nothing is left to build, the new generation takes over.

// reindexBatch is how many entries are built together.
const reindexBatch = 200

// progress is how far Reindex has come with a generation.
type progress struct {
	Gen   int    `json:"gen"`
	Space string `json:"space"` // of the former generation, now being built; "" when all are done
	From  []byte `json:"from"`  // the first row that is not built
}

// Reindex builds the new generation of a model's index, until that serves queries or ctx ends. It
// continues where an earlier run stopped. Several processes may run it at the same time. It returns
// how many entries it built.
func (s *Store) Reindex(ctx context.Context, modelID string) (built int, err error) {
	for {
		siteNow, err := s.Site(ctx)
		if err != nil {
			return built, err
		}
		m := siteNow.ModelByID(modelID)
		if m == nil || !m.Building() {
			return built, nil
		}
		n, more, err := s.buildSome(ctx, siteNow, m)
		built += n
		if err != nil {
			return built, err
		}
		if more {
			continue
		}
		n, err = s.buildStale(ctx, m.ID)
		built += n
		if err != nil {
			return built, err
		}
		if err := s.takeOver(ctx, m.ID, m.Gen); err != nil {
			return built, err
		}
	}
}

// buildSome builds the next entries of the former generation; more reports whether there are
// others. It marks an entry that cannot be built as stale.
func (s *Store) buildSome(ctx context.Context, siteNow *site.Site, m *site.Model) (n int, more bool, err error) {
	at, err := s.progress(ctx, siteNow, m)
	if err != nil || at.Space == "" {
		return 0, false, err
	}
	rows, err := s.Table.Query(ctx, table.Range{Partition: index.RowPartition(at.Space, index.DefaultPath),
		From: string(at.From), Limit: reindexBatch})
	if err != nil {
		return 0, false, err
	}
	ids := slice.Map(rows, func(row table.Item) uuid.UUID { return index.RowID(row.Key) })
	failed, err := s.buildEach(ctx, m.ID, ids)
	if ctx.Err() != nil {
		return 0, false, err
	}
	stale := slice.Map(failed,
		func(id uuid.UUID) table.Item { return table.Item{Key: staleKey(m.ID, id), Version: rand.Int64()} })
	if err := s.Table.BatchWrite(ctx, stale, nil); err != nil {
		return 0, false, err
	}
	if _, err := s.texts.Settle(ctx); err != nil {
		return 0, false, err
	}
	if len(rows) == reindexBatch {
		at.From = []byte(rows[len(rows)-1].Sort + "\x00")
	} else {
		at.Space, at.From = m.FormerSpaceAfter(siteNow, at.Space), nil
	}
	return len(ids) - len(failed), at.Space != "", s.saveProgress(ctx, m.ID, at)
}

// progress reads how far Reindex has come. Before the first entry is built, it confirms the fence
// of the site, so that nobody saves with the former definition any more.
func (s *Store) progress(ctx context.Context, siteNow *site.Site, m *site.Model) (at progress, err error) {
	item, err := s.Get(ctx, progressKey(m.ID))
	if err == nil {
		err = json.Unmarshal(item.Body, &at)
	}
	if err != nil && !errors.Is(err, db.ErrNotFound) || at.Gen == m.Gen {
		return at, err
	}
	if err := siteNow.ConfirmFence(ctx); err != nil {
		return at, err
	}
	at = progress{Gen: m.Gen, Space: m.FormerSpaces(siteNow)[0]}
	return at, s.saveProgress(ctx, m.ID, at)
}

func (s *Store) saveProgress(ctx context.Context, modelID string, at progress) error {
	return s.Table.BatchWrite(ctx, []table.Item{{Key: progressKey(modelID), Body: db.MustMarshal(at)}}, nil)
}

// buildEach builds some entries and returns those that it could not build.
func (s *Store) buildEach(ctx context.Context, modelID string, ids []uuid.UUID) (failed []uuid.UUID, err error) {
	errs := make([]error, len(ids))
	var g errgroup.Group
	g.SetLimit(8)
	for i, id := range ids {
		g.Go(func() error {
			errs[i] = s.build(ctx, modelID, id)
			return nil
		})
	}
	_ = g.Wait()
	for i := range errs {
		if errs[i] != nil {
			failed, err = append(failed, ids[i]), errs[i]
		}
	}
	return failed, err
}

// buildStale builds the stale entries until none is left. If some cannot be built, it builds the
// others and then returns an error.
func (s *Store) buildStale(ctx context.Context, modelID string) (built int, err error) {
	from, skipped := "\x00\x00", error(nil)
	for {
		rows, err := s.Table.Query(ctx, table.Range{Partition: stalePartition(modelID), From: from,
			Limit: reindexBatch})
		if err != nil || len(rows) == 0 {
			return built, errors.Join(err, skipped)
		}
		ids := slice.Map(rows, func(row table.Item) uuid.UUID { return index.RowID(row.Key) })
		failed, err := s.buildEach(ctx, modelID, ids)
		if skipped = errors.Join(skipped, err); ctx.Err() != nil {
			return built, ctx.Err()
		}
		built += len(ids) - len(failed)
		from = rows[len(rows)-1].Sort + "\x00"
	}
}

// takeOver makes the new generation serve queries if nothing is left to be built. A change that
// commits at the same time with the former generation is built by its writer.
func (s *Store) takeOver(ctx context.Context, modelID string, gen int) error {
	return s.Retry(ctx, func() error {
		siteNow, err := s.Site(ctx)
		if err != nil {
			return err
		}
		m := siteNow.ModelByID(modelID)
		if m == nil || m.Gen != gen || !m.Building() {
			return nil
		}
		stale, err := s.Table.Query(ctx, table.Range{Partition: stalePartition(modelID), Limit: 2})
		if err != nil || len(stale) > 1 { // the first is the progress
			return err
		}
		done := *m
		done.Former = nil
		tx := s.Begin()
		site.PutModel(tx, siteNow, m.Slug, done)
		tx.Delete(progressKey(modelID))
		return s.Commit(ctx, tx)
	})
}
