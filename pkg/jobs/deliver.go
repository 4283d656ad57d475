package jobs

import (
	"context"
	"errors"
	"fmt"

	"headless/pkg/db"
	"headless/pkg/hooks"
	"headless/pkg/queue"
)

// errPartial says that some items of a batch failed; each was logged.
var errPartial = errors.New("jobs: some items failed and will be tried again")

// Deliverer works off the webhook queue.
type Deliverer struct {
	Deliveries *hooks.Deliveries
	Timers     *Timers // whose messages come by the same queue; nil where there are none
}

// Handle does what the messages ask for, all at the same time, and gives the positions of those
// that must come again, ascending.
func (d Deliverer) Handle(ctx context.Context, messages []queue.Message) (failed []int) {
	errs := make([]error, len(messages))
	each(len(messages), max(len(messages), 1), func(i int) { errs[i] = d.guarded(ctx, messages[i]) })
	return report(errs, d.Deliveries.Log, "webhook worker")
}

// guarded keeps a message that makes the worker panic from failing the rest of its batch.
func (d Deliverer) guarded(ctx context.Context, m queue.Message) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return d.One(ctx, m)
}

// One handles a single message; on an error it must come again.
func (d Deliverer) One(ctx context.Context, m queue.Message) error {
	if d.Timers != nil && IsTimerWake(m) {
		return d.Timers.One(ctx, m)
	}
	wake, err := hooks.ParseWake(m.Body)
	if err != nil {
		return err
	}
	if wake.Delivery == "" {
		return d.Deliveries.Resume(ctx, wake.Webhook)
	}
	err = d.Deliveries.Attempt(ctx, wake)
	if errors.Is(err, db.ErrOvertaken) {
		return nil
	}
	return err
}
