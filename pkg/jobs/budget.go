package jobs

import (
	"context"
	"errors"
	"time"
)

const (
	taskTime    = 30 * time.Second // of a task where the run has no end
	taskReserve = 10 * time.Second // kept for what comes after the tasks
)

// runTask gives a task its share of the remaining time, so that no task starves another. A task
// that uses up its share continues in the next run.
func runTask(ctx context.Context, task func(context.Context) error, left int) error {
	share := taskTime
	if end, ok := ctx.Deadline(); ok {
		share = max(0, time.Until(end)-taskReserve) / time.Duration(left)
	}
	inner, cancel := context.WithTimeout(ctx, share)
	defer cancel()
	err := task(inner)
	if inner.Err() != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}
