package service

import (
	"context"
	"errors"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/store"
	"headless/pkg/webhook"
)

// outcome is the end of an attempt, to be stored.
type outcome struct {
	d         *Deliveries
	lease     store.Lease
	url       string
	start     cms.Time
	result    webhook.Result
	reload    bool // what was read before is out of date
	placeLost bool // the place went to another worker: the lease ran out
}

// store logs the attempt and sets the state of the delivery, of the receiver and, where it must be paused, of the subscription, in one
// transaction. It gives up silently when another worker has taken over.
func (o *outcome) store(ctx context.Context, w *store.Work) error {
	s := o.d.Store
	if o.reload {
		fresh, err := s.Work(ctx, w.Delivery.ID, w.Delivery.WebhookID)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
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
	dl.Lease = store.Lease{}
	tx := s.Begin()
	tx.PutAttempt(dl, o.attempt(dl.Attempts))
	wasTest := dl.Test
	wake := o.advance(&dl, tx.At())
	tx.PutDelivery(&dl)
	if !o.placeLost {
		tx.LeavePlace(dl.WebhookID, o.lease)
	}
	if w.Webhook != nil && !wasTest {
		o.judge(tx, w)
	}
	if err := s.Commit(ctx, tx); err != nil {
		if errors.Is(err, store.ErrLeaseTaken) {
			o.placeLost = true
			return store.ErrOvertaken
		}
		return err
	}
	o.d.Log.Info("webhook attempt", "webhook", dl.WebhookID, "delivery", dl.ID, "event", dl.Event, "attempt", dl.Attempts,
		"code", o.result.Code, "latency_ms", o.result.Latency.Milliseconds(), "status", dl.Status)
	if wake {
		o.d.sendWakes(ctx, wakeFor(dl, tx.At()))
	}
	return nil
}

func (o *outcome) attempt(n int) cms.DeliveryAttempt {
	a := cms.DeliveryAttempt{
		Attempt: n, TargetURL: o.url, ResponseBody: o.result.Body, LatencyMS: o.result.Latency.Milliseconds(), Time: o.start,
	}
	if o.result.Code != 0 {
		a.ResponseCode = &o.result.Code
	}
	if o.result.Err != "" {
		a.Error = &o.result.Err
	}
	return a
}

// advance sets the delivery's state after the attempt and tells whether to send a message for the next one.
func (o *outcome) advance(dl *store.Delivery, now cms.Time) (wake bool) {
	again := dl.Again && !o.result.Gone()
	next, retry := o.d.Schedule.Next(dl.Attempts, o.result, now.Time, o.d.Rand)
	retry = retry && !dl.Once && !dl.Test
	status := cms.DeliveryFailed
	if o.result.OK() {
		status = cms.DeliveryDelivered
	}
	switch {
	case again:
		end(dl, cms.DeliveryPending)
		dl.Manual, dl.Once = true, !retry
		return plan(dl, now, now)
	case retry:
		dl.Manual, dl.Wakes = false, 0
		return plan(dl, cms.At(next), now)
	}
	end(dl, status)
	return false
}

// judge updates what is known of the receiver, and pauses the subscription where it is gone for good.
func (o *outcome) judge(tx *store.Tx, w *store.Work) {
	r := w.Receiver
	if o.result.OK() {
		r.Failures, r.InARow = 0, 0
		tx.PutReceiver(w.Webhook.ID, r)
		return
	}
	if r.Failures == 0 {
		r.Since = tx.At()
	}
	r.Failures++
	r.InARow++
	if len(r.Events) < badEvents && !slices.Contains(r.Events, w.Delivery.EventID) {
		r.Events = append(slices.Clone(r.Events), w.Delivery.EventID)
	}
	tx.PutReceiver(w.Webhook.ID, r)
	switch {
	case !w.Webhook.IsActive:
	case o.result.Gone():
		pause(tx, *w.Webhook, "The receiver answered 410 Gone.")
	case r.Failures >= badFailures && len(r.Events) >= badEvents && !tx.At().Before(r.Since.Add(badFor)):
		pause(tx, *w.Webhook, "No delivery has succeeded for 5 days.")
	}
}

// pause stops a subscription on the service's own decision.
func pause(tx *store.Tx, hook store.Webhook, reason string) {
	hook.IsActive, hook.PausedReason, hook.UpdatedAt = false, &reason, tx.At()
	tx.PutWebhook(hook)
	tx.Activity(cms.Actor{Source: cms.SourceAdmin}, "webhook.paused", webhookSubject(hook.Webhook)+": "+reason)
}
