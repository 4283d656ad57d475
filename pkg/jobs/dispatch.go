// Package jobs has the background work: events become deliveries, deliveries become requests, and a
// sweep repairs what a crash left half done. Each job takes items and reports failures item by
// item; repeating an item does no harm.
package jobs

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks"
	"headless/pkg/hooks/bundle"
	"headless/pkg/table"
)

// Dispatcher turns committed events into deliveries.
type Dispatcher struct {
	Deliveries *hooks.Deliveries

	// OnEvent does what follows from an event beside deliveries, such as mail; nil does nothing. It
	// is called before the event leaves the outbox, possibly more than once for an event.
	OnEvent func(context.Context, cms.Event) error

	// Hold blocks while the workers are overloaded: events are safe in the outbox. nil never
	// blocks.
	Hold func(context.Context) error
}

// parallel is how many events are dispatched at a time.
const parallel = 16

// Handle dispatches the events in rows of the outbox and gives the positions of those that failed,
// ascending. Rows that are no longer in the outbox are dispatched already.
func (d Dispatcher) Handle(ctx context.Context, rows []table.Item) (failed []int) {
	if len(rows) == 0 {
		return nil
	}
	st, log := d.Deliveries.Store, d.Deliveries.Log
	events := make([]db.PendingEvent, len(rows))
	errs := make([]error, len(rows))
	for i, row := range rows {
		events[i], errs[i] = db.DecodePendingEvent(row)
	}
	out, err := st.Undispatched(ctx, events...)
	var hooks []hooks.Webhook
	if err == nil {
		hooks, err = st.Webhooks(ctx)
	}
	if err != nil {
		log.Error("dispatch", "error", err.Error())
		return all(len(rows))
	}
	unwanted := make([]bool, len(rows))
	each(len(rows), parallel, func(i int) {
		if errs[i] == nil && out[i] {
			unwanted[i], errs[i] = d.one(ctx, events[i], hooks)
		}
	})
	d.drop(ctx, events, unwanted, errs)
	return report(errs, log, "dispatch")
}

// one dispatches an event and reports whether no webhook wants it: such events are many, and are
// deleted from the outbox together.
func (d Dispatcher) one(ctx context.Context, e db.PendingEvent,
	hooks []hooks.Webhook) (unwanted bool, err error) {
	if d.OnEvent != nil {
		if err := d.OnEvent(ctx, e.Event); err != nil {
			return false, err
		}
	}
	if err := (bundle.Bundles{Deliveries: d.Deliveries}).Gather(ctx, e.Event, hooks); err != nil {
		return false, err
	}
	planned := d.Deliveries.Plan(e, hooks)
	if len(planned) == 0 {
		return true, nil
	}
	return false, d.Deliveries.Dispatch(ctx, e, planned)
}

// drop deletes from the outbox the events that no webhook wants.
func (d Dispatcher) drop(ctx context.Context, events []db.PendingEvent, unwanted []bool, errs []error) {
	var dropped []db.PendingEvent
	for i, e := range events {
		if unwanted[i] {
			dropped = append(dropped, e)
		}
	}
	if err := d.Deliveries.Store.DropEvents(ctx, dropped...); err != nil {
		for i := range events {
			if unwanted[i] {
				errs[i] = err
			}
		}
	}
}

// drainBatch is how many events Drain takes at a time.
const drainBatch = 800

// Drain dispatches all that is in the outbox. It stops when nothing is left or an event failed,
// which the next call tries again.
func (d Dispatcher) Drain(ctx context.Context) error {
	for {
		if d.Hold != nil {
			if err := d.Hold(ctx); err != nil {
				return err
			}
		}
		rows, err := d.Deliveries.Store.Outbox(ctx, drainBatch)
		if err != nil || len(rows) == 0 {
			return err
		}
		if failed := d.Handle(ctx, rows); len(failed) > 0 {
			return errPartial
		}
	}
}

// each calls do for 0 to n-1, at most limit at a time, and returns when all are done.
func each(n, limit int, do func(int)) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, limit)
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			do(i)
		})
	}
	wg.Wait()
}

func all(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// report gives the positions of errors and logs them, save where the process is told to stop.
func report(errs []error, log *slog.Logger, job string) (failed []int) {
	for i, err := range errs {
		if err == nil {
			continue
		}
		if failed = append(failed, i); !errors.Is(err, context.Canceled) {
			log.Error(job, "item", i, "error", err.Error())
		}
	}
	return failed
}
