package waiting

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"headless/pkg/table"
)

const (
	Lease = 30 * time.Second // how long others leave a merge alone
	// MergeTime is how long a merge may take. It ends well before its lease.
	MergeTime = 15 * time.Second

	// The first pause is about this long, and each is twice as long as the one before.
	throttledPause = 50 * time.Millisecond
)

// Begin puts the state of a merge that begins in place of the one that was read, nil where there
// was none. The state's Count is when others may take over. It returns nil where others were
// faster.
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

// Merging reports whether a merge is under way by its state, nil where there was none yet.
// abandoned reports whether what began at a time was under way in a process that is gone.
func Merging(state *table.Item, now time.Time, abandoned func(time.Time) bool) bool {
	if state == nil {
		return false
	}
	end := time.UnixMilli(state.Count)
	return end.After(now) && !abandoned(end.Add(-Lease))
}

// Patiently repeats a step of a merge while the table is throttled. A merge that gave up would
// leave its lease behind, and writers would have to wait until it ends.
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
