package fulltext

import (
	"context"

	"headless/pkg/db/waiting"
	"headless/pkg/table"
)

// Every search reads all pending changes of an index, so writers keep their number small.
const (
	manyRows  = 64 // with more pending changes, a writer merges some
	manyBytes = 96 << 10
	fullRows  = 256 // with more, it waits
	fullBytes = 384 << 10
)

// Pace slows writers down if too many changes are pending; see waiting.Pace. Call it before saving
// a change of texts. It returns ErrMerging if there is still no room for the change.
func (s *Texts) Pace(ctx context.Context, name string) error {
	return s.pace.Hold(ctx, waiting.Rows{Name: name, Clock: s.Clock, Busy: ErrMerging,
		Help: func(ctx context.Context) (bool, int, error) { return s.help(ctx, name) },
		Merging: func(ctx context.Context) (bool, error) {
			items, err := s.Table.Get(ctx, table.Strong, mergesKey(name))
			return err == nil && s.merging(items[0]), err
		}})
}

// help merges some pending changes if there are many and no other merge is running. full reports
// whether there were too many.
func (s *Texts) help(ctx context.Context, name string) (full bool, merged int, err error) {
	rows, err := s.Table.Query(ctx, table.Range{Partition: PendingPartition(name), Limit: fullRows + 1})
	if err != nil {
		return true, 0, err
	}
	size := 0
	for i := range rows {
		size += len(rows[i].Body)
	}
	if len(rows) <= manyRows && size < manyBytes {
		return false, 0, nil
	}
	full = len(rows) > fullRows || size >= fullBytes
	if rows[0].Key == mergesKey(name) && s.merging(&rows[0]) {
		return full, 0, nil
	}
	limit := manyRows
	if full {
		limit = fullRows // a larger merge costs less per change
	}
	merged, _, err = s.mergeSome(ctx, name, limit, fullBytes)
	return full, merged, err
}
