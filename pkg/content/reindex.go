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
	"headless/pkg/table"
)

// After a change of a model, the new generation of its index is built beside the former one, which
// goes on serving. The building goes through all entries of the former one. An entry that is
// changed meanwhile is marked as stale in its transaction and built again, by its writer or by
// whoever builds. When nothing is left to build, the new generation takes over.

// reindexBatch is how many entries are built together.
const reindexBatch = 200

// progress is how far the building of a generation has come.
type progress struct {
	Gen   int    `json:"gen"`
	Space string `json:"space"` // of the former generation, which is being gone through; "" when all are done
	From  []byte `json:"from"`  // the first row that is not built
}

// Reindex builds the new generation of a model's index, until it serves or ctx ends. It goes on
// where an earlier run stopped, and may be run by several at once. It returns how many entries it
// built.
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
		if _, err := s.MergeText(ctx, m); err != nil {
			return built, err
		}
		if err := s.takeOver(ctx, m.ID, m.Gen); err != nil {
			return built, err
		}
	}
}

// buildSome builds the next entries of the former generation; more reports whether there are
// others. One that cannot be built is left as stale.
func (s *Store) buildSome(ctx context.Context, siteNow *site.Site, m *site.Model) (n int, more bool,
	err error) {
	at, err := s.progress(ctx, siteNow, m)
	if err != nil || at.Space == "" {
		return 0, false, err
	}
	rows, err := s.Table.Query(ctx,
		table.Range{Partition: index.RowPartition(at.Space, index.DefaultPath),
			From: string(at.From), Limit: reindexBatch})
	if err != nil {
		return 0, false, err
	}
	ids := make([]uuid.UUID, len(rows))
	for i, row := range rows {
		ids[i] = index.RowID(row.Key)
	}
	failed, err := s.buildEach(ctx, m.ID, ids)
	if ctx.Err() != nil {
		return 0, false, err
	}
	stale := make([]table.Item, len(failed))
	for i, id := range failed {
		stale[i] = table.Item{Key: staleKey(m.ID, id), Version: rand.Int64()}
	}
	if err := s.Table.BatchWrite(ctx, stale, nil); err != nil {
		return 0, false, err
	}
	if _, err := s.texts.MergeText(ctx, m.Next().IndexName()); err != nil {
		return 0, false, err
	}
	if len(rows) == reindexBatch {
		at.From = []byte(rows[len(rows)-1].Sort + "\x00")
	} else {
		at.Space, at.From = m.FormerSpaceAfter(siteNow, at.Space), nil
	}
	return len(ids) - len(failed), at.Space != "", s.saveProgress(ctx, m.ID, at)
}

// progress reads how far the building has come. Before it begins, nobody may save by the definition
// before the change any more.
func (s *Store) progress(ctx context.Context, siteNow *site.Site, m *site.Model) (at progress, err error) {
	item, err := s.Get(ctx, progressKey(m.ID))
	if err == nil {
		err = json.Unmarshal(item.Body, &at)
	}
	if err != nil && !errors.Is(err, db.ErrNotFound) || at.Gen == m.Gen {
		return at, err
	}
	if err := site.RaiseFence(ctx, s.DB, siteNow.FenceOf(m)); err != nil {
		return at, err
	}
	at = progress{Gen: m.Gen, Space: m.FormerSpaces(siteNow)[0]}
	return at, s.saveProgress(ctx, m.ID, at)
}

func (s *Store) saveProgress(ctx context.Context, modelID string, at progress) error {
	return s.Table.BatchWrite(ctx, []table.Item{{Key: progressKey(modelID), Body: db.MustMarshal(at)}}, nil)
}

// buildEach builds some entries and returns those that it could not.
func (s *Store) buildEach(ctx context.Context, modelID string, ids []uuid.UUID) (failed []uuid.UUID,
	err error) {
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

// buildStale builds the entries that were changed meanwhile, until none is left. Where some cannot
// be built, it returns an error after the others.
func (s *Store) buildStale(ctx context.Context, modelID string) (built int, err error) {
	from, skipped := "\x00\x00", error(nil)
	for {
		rows, err := s.Table.Query(ctx, table.Range{Partition: stalePartition(modelID), From: from,
			Limit: reindexBatch})
		if err != nil || len(rows) == 0 {
			return built, errors.Join(err, skipped)
		}
		ids := make([]uuid.UUID, len(rows))
		for i, row := range rows {
			ids[i] = index.RowID(row.Key)
		}
		failed, err := s.buildEach(ctx, modelID, ids)
		if skipped = errors.Join(skipped, err); ctx.Err() != nil {
			return built, ctx.Err()
		}
		built += len(ids) - len(failed)
		from = rows[len(rows)-1].Sort + "\x00"
	}
}

// takeOver makes the new generation serve, where nothing is left to be built. What commits at the
// same time by the former one is built by its writer.
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
