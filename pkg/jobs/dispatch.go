// Package jobs does the background work: it turns events into deliveries and deliveries into
// requests, and a sweep finishes what a crash interrupted. Each job handles a list of items and
// reports which of them failed. Repeating an item is safe.
package jobs

import (
	"context"
	"errors"
	"log/slog"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks"
	"headless/pkg/hooks/bundle"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Dispatcher turns committed events into deliveries.
type Dispatcher struct {
	Deliveries *hooks.Deliveries

	// OnEvent is called for every event before it leaves the outbox, for example to send mails. It
	// may be called more than once for an event. It may be nil.
	OnEvent func(context.Context, cms.Event) error

	// Hold blocks while the workers are overloaded; meanwhile events stay in the outbox. It may be
	// nil.
	Hold func(context.Context) error
}

// parallel is how many rows are dispatched concurrently.
const parallel = 16

// Handle dispatches the events in the rows of the outbox with these keys, and returns the positions
// of the rows that failed, ascending. It reads the rows, and skips those that are no longer in the
// outbox, since their events are already dispatched.
func (d Dispatcher) Handle(ctx context.Context, keys []table.Key) (failed []int) {
	if len(keys) == 0 {
		return nil
	}
	st, log := d.Deliveries.Store, d.Deliveries.Log
	rows, err := st.Table.Get(ctx, table.Strong, keys...)
	var hooks []hooks.Webhook
	if err == nil {
		hooks, err = st.Webhooks(ctx)
	}
	if err != nil {
		log.Error("dispatch", "error", err.Error())
		return positions(len(keys))
	}
	errs := make([]error, len(rows))
	unwanted := make([]bool, len(rows))
	eachLimited(len(rows), parallel, func(i int) {
		if rows[i] == nil {
			return
		}
		var pending db.PendingEvents
		if pending, errs[i] = db.DecodePendingEvents(*rows[i]); errs[i] == nil {
			unwanted[i], errs[i] = d.one(ctx, pending, hooks)
		}
	})
	d.drop(ctx, keys, unwanted, errs)
	return reportErrors(errs, log, "dispatch")
}

// one dispatches the events of a row. unwanted reports whether no webhook wants them; the caller then
// removes the row from the outbox, together with the many others.
func (d Dispatcher) one(ctx context.Context, row db.PendingEvents,
	subscriptions []hooks.Webhook) (unwanted bool, err error) {
	var planned []hooks.NewDelivery
	for _, e := range row.Events {
		if d.OnEvent != nil {
			if err := d.OnEvent(ctx, e); err != nil {
				return false, err
			}
		}
		if err := (bundle.Bundles{Deliveries: d.Deliveries}).Gather(ctx, e, subscriptions); err != nil {
			return false, err
		}
		planned = append(planned, d.Deliveries.Plan(e, subscriptions)...)
	}
	if len(planned) == 0 {
		return true, nil
	}
	return false, d.Deliveries.Dispatch(ctx, row.Key, planned)
}

// drop removes the rows of unwanted events from the outbox.
func (d Dispatcher) drop(ctx context.Context, rows []table.Key, unwanted []bool, errs []error) {
	var dropped []table.Key
	for i, key := range rows {
		if unwanted[i] {
			dropped = append(dropped, key)
		}
	}
	if err := d.Deliveries.Store.DropEvents(ctx, dropped...); err != nil {
		for i := range rows {
			if unwanted[i] {
				errs[i] = err
			}
		}
	}
}

// drainBatch is how many rows Drain reads at a time.
const drainBatch = 800

// Drain dispatches all events that are in the outbox when it is called. It stops at the first batch with an
// error; the next call retries that batch.
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
		if failed := d.Handle(ctx, rowKeys(rows)); len(failed) > 0 {
			return errPartial
		}
		if len(rows) < db.ShardLimit(drainBatch) { // no shard has more
			return nil
		}
	}
}

// rowKeys returns the keys of rows.
func rowKeys(rows []table.Item) []table.Key {
	return slice.Map(rows, func(row table.Item) table.Key { return row.Key })
}

// eachLimited calls do for 0 to n-1, at most limit calls at a time, and returns when all are done.
func eachLimited(n, limit int, do func(int)) {
	var g errgroup.Group
	g.SetLimit(limit)
	for i := range n {
		g.Go(func() error {
			do(i)
			return nil
		})
	}
	_ = g.Wait() // do returns no errors
}

// positions returns 0 to n-1.
func positions(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// reportErrors returns the positions of errors, and logs all errors except cancellation, which means that
// the process is stopping.
func reportErrors(errs []error, log *slog.Logger, job string) (failed []int) {
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
