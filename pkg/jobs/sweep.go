package jobs

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"headless/pkg/db"
	"headless/pkg/hooks"
	"headless/pkg/table"
)

// Sweeper resumes what a crash, a purged queue or a long wait left undone.
type Sweeper struct {
	Dispatcher  Dispatcher
	DeadLetters func(context.Context) (int, error) // messages that were given up; nil where nobody knows
	Metrics     *slog.Logger                       // gets one line of metrics a run; nil for none
	// Dimension of the metrics: the stacks of an account share a namespace.
	Stack string
	Tasks []func(context.Context) error // what else is to be done in each run
}

// Report tells what a run did and found.
type Report struct {
	Dispatched int // events
	Woken      hooks.Woken
	Resumed    int // subscriptions with deliveries that waited although they are active
	Pipeline   hooks.Pipeline
}

const (
	outboxGrace = time.Minute // how long an event stands in the outbox before the sweeper dispatches it
	outboxLimit = 800
	dueLimit    = 2000
	dueRounds   = 5
)

// Run makes one sweep. It does all it can, and reports what failed together.
func (s Sweeper) Run(ctx context.Context) (Report, error) {
	var r Report
	var errs []error
	check := func(err error) { errs = append(errs, err) }
	d := s.Dispatcher.Deliveries
	rows, err := d.Store.Outbox(ctx, outboxLimit)
	check(err)
	late := lateRows(rows, d.Store.Now().Add(-outboxGrace))
	failed := s.Dispatcher.Handle(ctx, late)
	if r.Dispatched = len(late) - len(failed); len(failed) > 0 {
		check(errPartial)
	}
	check(s.wake(ctx, &r.Woken))
	r.Resumed, err = s.resume(ctx)
	check(err)
	for i, task := range s.Tasks {
		check(runTask(ctx, task, len(s.Tasks)-i))
	}
	r.Pipeline, err = s.inspect(ctx, r.Woken.Lost)
	check(err)
	return r, errors.Join(errs...)
}

// Restart re-queues the deliveries that the previous process left pending. It is for single-process
// deployments. Call it once, before the workers start; dispatch the events that wait in the outbox
// afterwards, since Hold waits for the workers.
func (s Sweeper) Restart(ctx context.Context) error {
	d := s.Dispatcher.Deliveries
	due, err := d.Store.DueDeliveries(ctx, d.Store.Now().AddDate(1, 0, 0), 0)
	if err != nil {
		return err
	}
	_, err = d.WakeOverdue(ctx, due, true)
	_, err2 := s.resume(ctx)
	return errors.Join(err, err2)
}

func lateRows(rows []table.Item, before time.Time) (late []table.Item) {
	for _, row := range rows {
		if e, err := db.DecodePendingEvent(row); err != nil || e.OccurredAt.Before(before) {
			late = append(late, row)
		}
	}
	return late
}

// wake enqueues what is due. Rows that it handled get a later time, so the next round finds others.
func (s Sweeper) wake(ctx context.Context, total *hooks.Woken) error {
	d := s.Dispatcher.Deliveries
	for range dueRounds {
		due, err := d.Store.DueDeliveries(ctx, d.Store.Now().Time, dueLimit)
		if err != nil || len(due) == 0 {
			return err
		}
		woken, err := d.WakeOverdue(ctx, due, false)
		total.Sent += woken.Sent
		total.Lost += woken.Lost
		if err != nil || woken.Sent < dueLimit/2 {
			return err
		}
	}
	return nil
}

// resume finds active subscriptions for which deliveries still wait: the message that should have
// brought them back was lost.
func (s Sweeper) resume(ctx context.Context) (resumed int, err error) {
	d := s.Dispatcher.Deliveries
	hooks, err := d.Store.Webhooks(ctx)
	var errs []error
	for _, h := range hooks {
		if !h.IsActive {
			continue
		}
		ids, err := d.Store.Parked(ctx, h.ID, 1)
		if err == nil && len(ids) > 0 {
			resumed++
			err = d.Resume(ctx, h.ID)
		}
		errs = append(errs, err)
	}
	return resumed, errors.Join(append(errs, err)...)
}
