package waiting

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"headless/pkg/table"
)

const (
	Lease = 30 * time.Second // how long others wait for a merge
	// MergeTime is how long a merge may take. It ends well before its lease.
	MergeTime = 15 * time.Second

	// The first pause is about this long. Each further one is twice as long as the one before.
	throttledPause = 50 * time.Millisecond
)

// Begin begins a merge: next replaces the state was, which is nil if there was none. The Count of
// the new state is the time, in Unix milliseconds, when others may take over. Begin returns the new
// state, or nil if another process was faster.
func Begin(ctx context.Context, t table.Table, was *table.Item, next table.Item,
	now time.Time) (*table.Item, error) {
	next.Count = now.Add(Lease).UnixMilli()
	op := Succeed(was, next)
	err := t.Write(ctx, []table.Op{op})
	if cond := (*table.ConditionError)(nil); errors.As(err, &cond) {
		return nil, nil
	}
	return &op.Item, err
}

// Merging reports whether a merge is in progress. state is nil if there was no merge yet. abandoned
// reports whether an operation that began at a time was run by a process that has ended.
func Merging(state *table.Item, now time.Time, abandoned func(time.Time) bool) bool {
	if state == nil {
		return false
	}
	end := time.UnixMilli(state.Count)
	return end.After(now) && !abandoned(end.Add(-Lease))
}

// Patiently repeats a step of a merge while the table is throttled. A merge that gave up would
// leave its lease behind, and writers would have to wait for the end of that lease.
func Patiently(ctx context.Context, step func() error) error {
	for pause := throttledPause; ; pause *= 2 {
		err := step()
		if !errors.Is(err, table.ErrUnavailable) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause/2 + rand.N(pause)):
		}
	}
}
