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

// Sweeper resumes work that a crash, a purged queue or a long wait left unfinished.
type Sweeper struct {
	Dispatcher  Dispatcher
	DeadLetters func(context.Context) (int, error) // counts the messages in the dead-letter queues; may be nil
	Metrics     *slog.Logger                       // gets a line of the metrics that are not 0; may be nil
	// Stack is the dimension of the metrics, since the stacks of an account share a namespace.
	Stack string
	// Tasks are further tasks of each run. Each may take an equal share of the time that is left, so the
	// longest one comes last.
	Tasks []func(context.Context) error
}

// Report holds the results of a run.
type Report struct {
	Dispatched int // events
	Woken      hooks.Woken
	Resumed    int // active subscriptions whose deliveries were still waiting
	Pipeline   hooks.Pipeline
}

const (
	outboxGrace = time.Minute // how old an event in the outbox is before the sweeper dispatches it
	outboxLimit = 800
	dueLimit    = 2000
	dueRounds   = 5
)

// Run makes one sweep. It continues after errors and returns all of them joined.
func (s Sweeper) Run(ctx context.Context) (Report, error) {
	var r Report
	var errs []error
	check := func(err error) { errs = append(errs, err) }
	d := s.Dispatcher.Deliveries
	var seen backlog
	var err error
	seen.events, err = d.Store.Outbox(ctx, outboxLimit)
	check(err)
	late := lateRows(seen.events, d.Store.Now().Add(-outboxGrace))
	failed := s.Dispatcher.Handle(ctx, rowKeys(late))
	if r.Dispatched = len(late) - len(failed); len(failed) > 0 {
		check(errPartial)
	}
	check(seen.readDeliveries(ctx, d.Store))
	woke, err := s.wake(ctx, seen.due(d.Store.Now()), &r.Woken)
	check(err)
	r.Resumed, err = s.resume(ctx, seen.webhooks)
	check(err)
	isQuiet := len(late) == 0 && !woke && r.Resumed == 0 && errors.Join(errs...) == nil
	for i, task := range s.Tasks {
		check(runTask(ctx, task, len(s.Tasks)-i))
	}
	if !isQuiet { // the backlog has changed since it was read
		seen, err = readBacklog(ctx, d.Store)
	}
	if err == nil {
		r.Pipeline, err = s.inspect(ctx, seen, r.Woken.Lost)
	}
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
	subscriptions, errRead := d.Store.Webhooks(ctx)
	_, errResume := s.resume(ctx, subscriptions)
	return errors.Join(err, errRead, errResume)
}

func lateRows(rows []table.Item, before time.Time) (late []table.Item) {
	for _, row := range rows {
		if p, err := db.DecodePendingEvents(row); err != nil || p.Events[0].OccurredAt.Before(before) {
			late = append(late, row)
		}
	}
	return late
}

// wake sends messages for due deliveries; found reports whether there were any. It moves the rows
// that it has handled to a later time, so the next round finds others.
func (s Sweeper) wake(ctx context.Context, due []hooks.DueDelivery, total *hooks.Woken) (found bool, err error) {
	d := s.Dispatcher.Deliveries
	for range dueRounds {
		if len(due) == 0 {
			return found, nil
		}
		found = true
		woken, err := d.WakeOverdue(ctx, due, false)
		total.Sent += woken.Sent
		total.Lost += woken.Lost
		if err != nil || woken.Sent < dueLimit/2 {
			return found, err
		}
		if due, err = d.Store.DueDeliveries(ctx, d.Store.Now().Time, dueLimit); err != nil {
			return found, err
		}
	}
	return found, nil
}

// resume wakes the deliveries that still wait although their subscription is active: the message
// that should have resumed them was lost. It returns the number of these subscriptions.
func (s Sweeper) resume(ctx context.Context, subscriptions []hooks.Webhook) (resumed int, err error) {
	d := s.Dispatcher.Deliveries
	var errs []error
	for _, h := range subscriptions {
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
	return resumed, errors.Join(errs...)
}
