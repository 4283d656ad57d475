package fulltext

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"time"

	"headless/pkg/db/waiting"
	"headless/pkg/fulltext/segment"
	"headless/pkg/table"
)

// Leases save work only: two processes that flush or merge at the same time are safe. A lease names
// the segment that its holder writes, so that the next holder can delete the pages of one that was
// given up.

const (
	flushTime   = 20 * time.Second // of a lease; the work may take half of it
	mergeTime   = 2 * time.Minute
	garbageTime = 2 * time.Minute // longer than a search takes
	maxVoid     = 64

	garbageTogether = 100
)

// isLeased reports whether another process holds a lease.
func (s *Texts) isLeased(lease *table.Item) bool {
	return waiting.Merging(lease, s.Clock(), s.Abandoned)
}

// withLease takes a lease and runs some work, which writes the segment id. It does
// nothing if another process holds the lease.
func (s *Texts) withLease(ctx context.Context, key table.Key, lease time.Duration,
	work func(ctx context.Context, id segment.ID) error) error {
	items, err := s.Table.Get(ctx, table.Strong, key)
	if err != nil || s.isLeased(items[0]) {
		return err
	}
	was := items[0]
	id := segment.ID(rand.Uint64())
	_, err = waiting.MergeFor(ctx, s.Table, was, table.Item{Key: key, Body: idBytes(id)}, s.Clock(), lease,
		func(ctx context.Context, state table.Item) error {
			if was != nil && len(was.Body) == len(state.Body) {
				if err := s.giveUp(ctx, segment.ID(binary.BigEndian.Uint64(was.Body))); err != nil {
					return err
				}
			}
			if err := work(ctx, id); err != nil {
				return err
			}
			// Does nothing if another process took the lease over.
			_, err := table.TryWrite(ctx, s.Table, table.PutNext(table.Item{Key: key}, state.Version))
			return err
		})
	return err
}

// giveUp deletes the pages of a segment that the holder of an expired lease was writing, unless it is
// live. Before, it makes sure that the segment cannot become live any more.
func (s *Texts) giveUp(ctx context.Context, id segment.ID) error {
	for {
		r, err := s.readRoot(ctx)
		if err != nil {
			return err
		}
		if r.hasSegment(id) {
			return nil
		}
		next := *r
		next.Void = append(slices.Clone(r.Void[max(0, len(r.Void)-maxVoid):]), id)
		done, err := s.swap(ctx, r, next)
		if err != nil {
			return err
		}
		if done {
			return s.deleteUnknown(ctx, id)
		}
	}
}

// deleteGarbage deletes the pages of segments that are not live for so long that nobody reads them.
func (s *Texts) deleteGarbage(ctx context.Context) error {
	rows, err := s.Table.Query(ctx, table.Range{Partition: rootPartition, From: garbagePrefix,
		To: garbageBefore(s.Clock().Add(-garbageTime)), Limit: garbageTogether})
	if err != nil {
		return err
	}
	for _, item := range rows {
		var old []live
		if err := json.Unmarshal(item.Body, &old); err != nil {
			return err
		}
		for _, l := range old {
			if err := s.deletePages(ctx, l); err != nil {
				return err
			}
		}
		if err := s.Table.BatchWrite(ctx, nil, []table.Key{item.Key}); err != nil {
			return err
		}
	}
	return nil
}
