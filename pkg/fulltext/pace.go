package fulltext

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"headless/pkg/table"
)

// Every search reads all pending changes of an index, so writers keep their number small: one in
// paceEvery writers counts them before it saves. If there are many it merges some. If there are too
// many it waits until another merge is done.
const (
	paceEvery = 16
	manyRows  = 64 // with more pending changes, a writer merges some
	manyBytes = 96 << 10
	fullRows  = 256 // with more, it waits
	fullBytes = 384 << 10
	paceTime  = 15 * time.Second       // the longest wait: a merge takes no longer
	pacePause = 100 * time.Millisecond // between two checks
)

// pace remembers which indexes were full a moment ago. For these, every writer of the process
// counts.
type pace struct {
	mu   sync.Mutex
	full map[string]time.Time
}

// checks reports whether a writer counts the pending changes.
func (p *pace) checks(name string, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return now.Before(p.full[name]) || rand.IntN(paceEvery) == 0
}

func (p *pace) note(name string, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.full == nil {
		p.full = map[string]time.Time{}
	}
	p.full[name] = until
}

// Pace slows writers down if too many changes are pending. Call it before saving a change of texts.
// It may merge or wait for up to about 15 seconds, and returns ErrMerging if there is still no room
// for the change.
func (s *Texts) Pace(ctx context.Context, name string) error {
	if !s.pace.checks(name, s.Clock()) {
		return nil
	}
	for end := s.Clock().Add(paceTime); ; {
		full, merged, err := s.help(ctx, name)
		switch {
		case !full: // if the merge failed, other writers will merge
			return nil
		case err != nil:
			return err
		case s.Clock().After(end):
			return ErrMerging
		case merged > 0:
			continue
		}
		s.pace.note(name, s.Clock().Add(time.Second))
		if err := s.awaitMerge(ctx, name, end); err != nil {
			return err
		}
	}
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

// awaitMerge waits until the running merge has ended, or until the time end.
func (s *Texts) awaitMerge(ctx context.Context, name string, end time.Time) error {
	for s.Clock().Before(end) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pacePause + time.Duration(rand.Int64N(int64(pacePause)))):
		}
		items, err := s.Table.Get(ctx, table.Strong, mergesKey(name))
		if err != nil || !s.merging(items[0]) {
			return err
		}
	}
	return nil
}
