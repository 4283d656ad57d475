package hooks

import (
	"context"
	"errors"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks/webhook"
	"headless/pkg/slice"
)

// outcome is the result of a batch of attempts that is to be stored.
type outcome struct {
	d        *Deliveries
	batch    []attempt
	lease    Lease
	reload   bool // what was read before may be stale
	slotLost bool // the lease expired and another worker has the slot
}

// storeOutcome logs the attempts and updates the deliveries, the receiver and, if it must be paused, the
// subscription, in one transaction. It gives up the leases of deliveries that were not sent. It
// leaves out deliveries that another worker has taken over.
func (o *outcome) storeOutcome(ctx context.Context) error {
	if o.reload {
		if err := o.refresh(ctx); err != nil || len(o.batch) == 0 {
			return err
		}
	}
	o.reload = true
	tx := o.d.Store.Begin()
	stored := make([]Delivery, len(o.batch))
	var wakes []delayedWake
	for i := range o.batch {
		stored[i] = o.batch[i].work.Delivery
		dl := &stored[i]
		dl.Lease = Lease{}
		wake := true
		if a := &o.batch[i]; a.made {
			dl.Attempts++
			putAttempt(tx, *dl, a.toLogged(dl.Attempts))
			wake = o.advance(dl, a.result, tx.At())
		}
		PutDelivery(tx, dl)
		if wake {
			wakes = append(wakes, wakeFor(*dl, tx.At()))
		}
	}
	if !o.slotLost {
		leaveSlot(tx, stored[0].WebhookID, o.lease)
	}
	o.judge(ctx, tx)
	if err := o.d.Store.Commit(ctx, tx); err != nil {
		if errors.Is(err, ErrLeaseTaken) {
			o.slotLost = true
			return db.ErrOvertaken
		}
		return err
	}
	for i, dl := range stored {
		if a := o.batch[i]; a.made {
			o.d.Log.Info("webhook attempt", "request_id", dl.RequestID, "webhook", dl.WebhookID,
				"delivery", dl.ID, "event", dl.Event, "attempt", dl.Attempts, "code", a.result.Code,
				"latency_ms", a.result.Latency.Milliseconds(), "status", dl.Status)
		}
	}
	if len(wakes) > 0 {
		o.d.sendWakes(ctx, wakes...)
	}
	return nil
}

// refresh reads the deliveries again and drops those that are no longer under the lease.
func (o *outcome) refresh(ctx context.Context) error {
	ids := slice.Map(o.batch, func(a attempt) string { return a.work.Delivery.ID })
	fresh, err := o.d.Store.Works(ctx, o.batch[0].work.Delivery.WebhookID, ids...)
	if err != nil {
		return err
	}
	var kept []attempt
	for i, a := range o.batch {
		if fresh[i] == nil || fresh[i].Delivery.Lease.ID != o.lease.ID {
			o.d.Log.Warn("webhook attempt overtaken", "delivery", ids[i])
			continue
		}
		a.work = fresh[i]
		kept = append(kept, a)
	}
	o.batch = kept
	return nil
}

// toLogged is the attempt as the log shows it, with its number.
func (a *attempt) toLogged(n int) cms.DeliveryAttempt {
	line := cms.DeliveryAttempt{
		Attempt: n, TargetURL: a.url, ResponseBody: a.result.Body,
		LatencyMS: a.result.Latency.Milliseconds(), Time: a.start,
	}
	if a.result.Code != 0 {
		line.ResponseCode = &a.result.Code
	}
	if a.result.Err != "" {
		line.Error = &a.result.Err
	}
	return line
}

// advance sets the delivery's state after the attempt and reports whether to send a message for the
// next one.
func (o *outcome) advance(dl *Delivery, result webhook.Result, now cms.Time) (wake bool) {
	repeat := dl.Repeat && !result.Gone()
	next, retry := o.d.Schedule.Next(dl.Attempts, result, now.Time, o.d.Rand)
	retry = retry && !dl.NoRetry && !dl.Test
	status := cms.DeliveryFailed
	if result.OK() {
		status = cms.DeliveryDelivered
	}
	switch {
	case repeat:
		endDelivery(dl, cms.DeliveryPending)
		dl.Manual, dl.NoRetry = true, !retry
		return plan(dl, now, now)
	case retry:
		dl.Manual, dl.Wakes = false, 0
		return plan(dl, cms.At(next), now)
	}
	endDelivery(dl, status)
	return false
}

// judge updates the state of the receiver, and pauses the subscription if the receiver is gone or
// has failed for too long.
func (o *outcome) judge(ctx context.Context, tx *db.Tx) {
	r, hook := o.batch[0].work.Receiver, o.batch[0].work.Webhook
	if hook == nil {
		return
	}
	judged := false
	for _, a := range o.batch {
		switch {
		case !a.made || a.work.Delivery.Test:
			continue
		case a.result.OK():
			r.Failures, r.ConsecutiveFailures = 0, 0
		default:
			o.fail(ctx, tx, &r, a)
		}
		judged = true
	}
	if judged {
		putReceiver(tx, hook.ID, r)
	}
}

// fail counts a failure of a receiver, and pauses the subscription after too many.
func (o *outcome) fail(ctx context.Context, tx *db.Tx, r *Receiver, a attempt) {
	if r.Failures == 0 {
		r.Since, r.Events = tx.At(), nil
	}
	r.Failures++
	if r.ConsecutiveFailures++; a.result.Latency >= slowAttempt {
		// A receiver that hangs gets one request at a time from its first failure on.
		r.ConsecutiveFailures = max(r.ConsecutiveFailures, breakerFrom)
	}
	if len(r.Events) < pauseEvents && !slices.Contains(r.Events, a.work.Delivery.EventID) {
		r.Events = append(slices.Clone(r.Events), a.work.Delivery.EventID)
	}
	switch hook := *a.work.Webhook; {
	case !hook.IsActive:
	case a.result.Gone():
		o.d.Pause(ctx, tx, hook, cms.Phrased("The receiver answered 410 Gone."))
	case r.Failures >= pauseFailures && len(r.Events) >= pauseEvents && !tx.At().Before(r.Since.Add(pauseAfter)):
		o.d.Pause(ctx, tx, hook, cms.Phrased("No delivery has succeeded for 5 days."))
	}
}
