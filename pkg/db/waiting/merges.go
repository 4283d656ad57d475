package waiting

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"headless/pkg/table"
)

const (
	Lease        = 30 * time.Second // how long others wait for a merge
	giveBackTime = 2 * time.Second

	// The first pause is about this long. Each further one is twice as long as the one before.
	throttledPause = 50 * time.Millisecond
)

// Merge is MergeFor with a lease of the time Lease.
func Merge(ctx context.Context, t table.Table, was *table.Item, next table.Item, now time.Time,
	run func(ctx context.Context, state table.Item) error) (begun bool, err error) {
	return MergeFor(ctx, t, was, next, now, Lease, run)
}

// MergeFor takes the lease of a merge and runs it: next replaces the state was, which is nil if there
// was none. The Count of the new state is the time, in Unix milliseconds, when others may take over.
// begun is false if another process was faster.
//
// From before the lease is taken, nothing ends with ctx: a client that disconnected in between would
// leave the lease behind, and all writers would wait until it expires. A merge that fails gives the
// lease back. It may take half of the time of its lease.
func MergeFor(ctx context.Context, t table.Table, was *table.Item, next table.Item, now time.Time,
	lease time.Duration,
	run func(ctx context.Context, state table.Item) error) (begun bool, err error) {
	ctx = context.WithoutCancel(ctx)
	merging, cancel := context.WithTimeout(ctx, lease/2)
	defer cancel()
	next.Count = now.Add(lease).UnixMilli()
	op := Succeed(was, next)
	if taken, err := table.TryWrite(merging, t, op); !taken {
		return false, err
	}
	if err := run(merging, op.Item); err != nil {
		giveBack(ctx, t, op.Item)
		return true, err
	}
	return true, nil
}

// giveBack ends the lease of a failed merge. If that fails too, the lease expires.
func giveBack(ctx context.Context, t table.Table, state table.Item) {
	ctx, cancel := context.WithTimeout(ctx, giveBackTime)
	defer cancel()
	next := state
	next.Count = 0
	_ = t.Write(ctx, []table.Op{table.PutNext(next, state.Version)})
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
		if table.Pause(ctx, pause/2+rand.N(pause)) != nil {
			return err
		}
	}
}
