// Package jobs has what runs behind the answers: events become deliveries, deliveries become requests, and a sweep repairs what a crash
// left half done. Each job takes items and reports failures item by item; a repeated item does no harm.
package jobs

import (
	"context"
	"log/slog"
	"sync"

	"headless/pkg/cms"
	"headless/pkg/service"
	"headless/pkg/store"
	"headless/pkg/table"
)

// Dispatcher turns committed events into deliveries.
type Dispatcher struct {
	Deliveries *service.Deliveries

	// Also is what else follows from an event, such as mail; nil where nothing does. It is called before the event leaves the outbox,
	// possibly more than once for an event.
	Also func(context.Context, cms.Event) error
}

// parallel is how many events are dispatched at a time.
const parallel = 16

// Handle dispatches the events in rows of the outbox and gives the positions of those that failed, ascending. Rows that are no longer in
// the outbox are dispatched already.
func (d Dispatcher) Handle(ctx context.Context, rows []table.Item) (failed []int) {
	if len(rows) == 0 {
		return nil
	}
	st, log := d.Deliveries.Store, d.Deliveries.Log
	events := make([]store.OutEvent, len(rows))
	errs := make([]error, len(rows))
	for i, row := range rows {
		events[i], errs[i] = store.DecodeOutEvent(row)
	}
	out, err := st.StillOut(ctx, events...)
	var hooks []store.Webhook
	if err == nil {
		hooks, err = st.Webhooks(ctx)
	}
	if err != nil {
		log.Error("dispatch", "error", err.Error())
		return all(len(rows))
	}
	each(len(rows), parallel, func(i int) {
		if errs[i] == nil && out[i] {
			errs[i] = d.one(ctx, events[i], hooks)
		}
	})
	return report(errs, log, "dispatch")
}

func (d Dispatcher) one(ctx context.Context, e store.OutEvent, hooks []store.Webhook) error {
	if d.Also != nil {
		if err := d.Also(ctx, e.Event); err != nil {
			return err
		}
	}
	return d.Deliveries.Dispatch(ctx, e, hooks)
}

// drainBatch is how many events Drain takes at a time.
const drainBatch = 400

// Drain dispatches all that is in the outbox. It stops when nothing is left or an event failed, which the next call tries again.
func (d Dispatcher) Drain(ctx context.Context) error {
	for {
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

// report logs the errors and gives their positions.
func report(errs []error, log *slog.Logger, job string) (failed []int) {
	for i, err := range errs {
		if err != nil {
			log.Error(job, "item", i, "error", err.Error())
			failed = append(failed, i)
		}
	}
	return failed
}
