package fulltext

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"headless/pkg/table"
)

// Every search reads all pending changes of an index, so writers keep them few: one in paceEvery
// looks how many there are before it saves. Where they are many it merges some, and where they are
// too many it waits until others have.
const (
	paceEvery = 16
	manyRows  = 64 // from so many pending changes on a writer merges
	manyBytes = 96 << 10
	fullRows  = 256 // and from so many on it waits
	fullBytes = 384 << 10
	paceTime  = 15 * time.Second       // that it waits at most: a merge takes no longer
	pacePause = 100 * time.Millisecond // between two looks
)

// pace remembers which indexes were full a moment ago: then all writers of the process look.
type pace struct {
	mu   sync.Mutex
	full map[string]time.Time
}

func (p *pace) looks(name string, now time.Time) bool {
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

// Pace is asked before a change of texts is saved. It may take a while, and ends with ErrMerging
// where there is no room for the change.
func (s *Texts) Pace(ctx context.Context, name string) error {
	if !s.pace.looks(name, s.Clock()) {
		return nil
	}
	for end := s.Clock().Add(paceTime); ; {
		full, merged, err := s.help(ctx, name)
		switch {
		case !full: // what was not merged is left to the others
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

// help merges some of many pending changes, unless others do. It reports whether there were too
// many.
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
	most := manyRows
	if full {
		most = fullRows // many together cost less each
	}
	merged, _, err = s.mergeSome(ctx, name, most, fullBytes)
	return full, merged, err
}

// awaitMerge waits until the merge that is under way has ended, or for the last time at end.
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
