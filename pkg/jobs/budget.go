package jobs

import (
	"context"
	"errors"
	"time"
)

const (
	taskTime = 30 * time.Second // time of a task if the run has no deadline
	// taskReserve is reserved for the steps after the tasks, and for a merge of texts, which does not end
	// with its task and takes up to a minute.
	taskReserve = time.Minute
)

// runTask runs a task with its share of the remaining time, so that no task starves another. left
// is the number of tasks to run, with this one. A task that uses up its share continues in the next
// run.
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
