package hooks

import (
	"context"
	"errors"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks/webhook"
)

// outcome is the result of an attempt that is to be stored.
type outcome struct {
	d        *Deliveries
	lease    Lease
	url      string
	start    cms.Time
	result   webhook.Result
	reload   bool // what was read before may be stale
	slotLost bool // the lease expired and another worker has the slot
}

// store logs the attempt and updates the delivery, the receiver and, if it must be paused, the
// subscription, in one transaction. If another worker has taken over the delivery, it only logs a
// warning.
func (o *outcome) store(ctx context.Context, w *Work) error {
	s := o.d.Store
	if o.reload {
		fresh, err := s.Work(ctx, w.Delivery.ID, w.Delivery.WebhookID)
		if err != nil && !errors.Is(err, db.ErrNotFound) {
			return err
		}
		if err != nil || fresh.Delivery.Lease.ID != o.lease.ID {
			o.d.Log.Warn("webhook attempt overtaken", "delivery", w.Delivery.ID)
			return nil
		}
		*w = *fresh
	}
	o.reload = true

	dl := w.Delivery
	dl.Attempts++
	dl.Lease = Lease{}
	tx := s.Begin()
	PutAttempt(tx, dl, o.attempt(dl.Attempts))
	wasTest := dl.Test
	wake := o.advance(&dl, tx.At())
	PutDelivery(tx, &dl)
	if !o.slotLost {
		LeaveSlot(tx, dl.WebhookID, o.lease)
	}
	if w.Webhook != nil && !wasTest {
		o.judge(tx, w)
	}
	if err := s.Commit(ctx, tx); err != nil {
		if errors.Is(err, ErrLeaseTaken) {
			o.slotLost = true
			return db.ErrOvertaken
		}
		return err
	}
	o.d.Log.Info("webhook attempt", "request_id", dl.RequestID, "webhook", dl.WebhookID,
		"delivery", dl.ID, "event", dl.Event, "attempt", dl.Attempts, "code", o.result.Code,
		"latency_ms", o.result.Latency.Milliseconds(), "status", dl.Status)
	if wake {
		o.d.sendWakes(ctx, wakeFor(dl, tx.At()))
	}
	return nil
}

func (o *outcome) attempt(n int) cms.DeliveryAttempt {
	a := cms.DeliveryAttempt{
		Attempt: n, TargetURL: o.url, ResponseBody: o.result.Body,
		LatencyMS: o.result.Latency.Milliseconds(), Time: o.start,
	}
	if o.result.Code != 0 {
		a.ResponseCode = &o.result.Code
	}
	if o.result.Err != "" {
		a.Error = &o.result.Err
	}
	return a
}

// advance sets the delivery's state after the attempt and reports whether to send a message for the
// next one.
func (o *outcome) advance(dl *Delivery, now cms.Time) (wake bool) {
	repeat := dl.Repeat && !o.result.Gone()
	next, retry := o.d.Schedule.Next(dl.Attempts, o.result, now.Time, o.d.Rand)
	retry = retry && !dl.NoRetry && !dl.Test
	status := cms.DeliveryFailed
	if o.result.OK() {
		status = cms.DeliveryDelivered
	}
	switch {
	case repeat:
		end(dl, cms.DeliveryPending)
		dl.Manual, dl.NoRetry = true, !retry
		return plan(dl, now, now)
	case retry:
		dl.Manual, dl.Wakes = false, 0
		return plan(dl, cms.At(next), now)
	}
	end(dl, status)
	return false
}

// judge updates the state of the receiver, and pauses the subscription if the receiver is gone or
// has failed for too long.
func (o *outcome) judge(tx *db.Tx, w *Work) {
	r := w.Receiver
	if o.result.OK() {
		r.Failures, r.ConsecutiveFailures = 0, 0
		PutReceiver(tx, w.Webhook.ID, r)
		return
	}
	if r.Failures == 0 {
		r.Since = tx.At()
	}
	r.Failures++
	if r.ConsecutiveFailures++; o.result.Latency >= slowAttempt {
		// A receiver that hangs gets one request at a time from its first failure on.
		r.ConsecutiveFailures = max(r.ConsecutiveFailures, breakerFrom)
	}
	if len(r.Events) < pauseEvents && !slices.Contains(r.Events, w.Delivery.EventID) {
		r.Events = append(slices.Clone(r.Events), w.Delivery.EventID)
	}
	PutReceiver(tx, w.Webhook.ID, r)
	switch {
	case !w.Webhook.IsActive:
	case o.result.Gone():
		o.d.pause(tx, *w.Webhook, "The receiver answered 410 Gone.")
	case r.Failures >= pauseFailures && len(r.Events) >= pauseEvents &&
		!tx.At().Before(r.Since.Add(pauseAfter)):
		o.d.pause(tx, *w.Webhook, "No delivery has succeeded for 5 days.")
	}
}
