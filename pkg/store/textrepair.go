package store

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"headless/pkg/table"
)

// RepairText finishes changes of a model's text index that a crash left half done for longer than age: postings that no committed entry holds are deleted.
// It returns how many it finished.
func (s *Store) RepairText(ctx context.Context, modelID string, age time.Duration, limit int) (int, error) {
	rows, err := s.table.Query(ctx, table.Range{Partition: pendingPartition(modelID), Limit: limit})
	if err != nil {
		return 0, err
	}
	done := 0
	for _, row := range rows {
		if s.now().Sub(time.UnixMilli(row.Version)) < age {
			continue
		}
		if err := s.repairText(ctx, modelID, row); err != nil {
			return done, err
		}
		done++
	}
	return done, nil
}

func (s *Store) repairText(ctx context.Context, modelID string, row table.Item) error {
	var change pendingText
	if err := unmarshal(row.Body, &change); err != nil {
		return err
	}
	var id uuid.UUID
	copy(id[:], row.Sort)
	held := map[table.Key]bool{}
	item, err := s.get(ctx, manifestKey(modelID, id.String()))
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	if err := addHeld(held, item); err != nil {
		return err
	}
	var obsolete []table.Key
	for _, key := range append(keysOf(change.Put, id), keysOf(change.Delete, id)...) {
		if !held[key] {
			obsolete = append(obsolete, key)
		}
	}
	if err := s.table.BatchWrite(ctx, nil, obsolete); err != nil {
		return err
	}
	return s.table.BatchWrite(ctx, nil, []table.Key{row.Key})
}
