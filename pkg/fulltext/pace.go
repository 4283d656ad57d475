package fulltext

import (
	"context"
	"slices"

	"headless/pkg/db/waiting"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Every search reads the pending rows of its models, so writers keep their number small.
const (
	manyRows  = 128 // with more in the two partitions of an index, a writer flushes
	manyBytes = 192 << 10
	fullRows  = 512 // with more, it waits
	fullBytes = 768 << 10
)

// Pace slows writers down if too many rows of an index are pending; see waiting.Pace. In each process,
// one writer at a time helps. Call it before saving a change of texts. It returns ErrMerging if there
// is still no room for the change.
func (s *Texts) Pace(ctx context.Context, name string) error {
	return s.pace.Hold(ctx, waiting.Rows{Name: "texts", Clock: s.Clock, Busy: ErrMerging,
		Help: func(ctx context.Context) (bool, int, error) { return s.help(ctx, name) },
		Merging: func(ctx context.Context) (bool, error) {
			items, err := s.Table.Get(ctx, table.Strong, flushLease)
			return err == nil && s.isLeased(items[0]), err
		}})
}

// help flushes if many rows are pending and no other process flushes. full reports whether there were
// too many.
func (s *Texts) help(ctx context.Context, name string) (full bool, flushed int, err error) {
	rows, err := s.readItems(ctx, []string{name})
	if err != nil {
		return true, 0, err
	}
	size := storedBytes(rows)
	if len(rows) <= manyRows && size < manyBytes {
		return false, 0, nil
	}
	full = len(rows) > fullRows || size >= fullBytes
	if flushed, _, err = s.flush(ctx, flushRows, flushBytes); err != nil || flushed == 0 {
		return full, flushed, err
	}
	_, err = s.mergeSome(ctx, false)
	return full, flushed, err
}

// Drop removes the texts of an index from searches; merges delete them. Nobody may write texts of the
// index any more.
func (s *Texts) Drop(ctx context.Context, name string) error {
	for {
		v, err := s.current(ctx)
		if err != nil {
			return err
		}
		held := slices.ContainsFunc(v.segs, func(g *seg) bool { return len(g.Of(name+"#")) > 0 })
		if !held || slices.Contains(v.Dropped, name) {
			break
		}
		next := *v.root
		next.Dropped = append(slices.Clone(next.Dropped), name)
		if done, err := s.swap(ctx, v.root, next); err != nil {
			return err
		} else if done {
			break
		}
	}
	rows, err := s.readItems(ctx, []string{name})
	if err != nil {
		return err
	}
	return s.Table.BatchWrite(ctx, nil, slice.Map(rows, func(r table.Item) table.Key { return r.Key }))
}
