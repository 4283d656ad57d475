package hooks

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks/webhook"
	"headless/pkg/queue"
	"headless/pkg/table"
)

// Attempt does what a wake-up asks for, if that is still to be done: it claims the delivery, sends
// it, and stores the outcome together with the delivery's next state. An error means that the
// message should come again.
func (d *Deliveries) Attempt(ctx context.Context, wake Wake) error {
	work, err := d.claim(ctx, wake)
	if work == nil || err != nil {
		return err
	}
	start := d.Store.Now()
	var result webhook.Result
	if work.Delivery.Test {
		result = webhook.Result{Terminal: true, Err: "The test was interrupted."}
	} else {
		result = d.post(ctx, work, start)
	}
	if result.Code == 0 && errors.Is(ctx.Err(), context.Canceled) {
		return d.release(context.WithoutCancel(ctx), work)
	}
	return d.finish(context.WithoutCancel(ctx), work, start, result)
}

// claim takes the delivery for this worker; nil when there is nothing to do now.
func (d *Deliveries) claim(ctx context.Context, wake Wake) (claimed *Work, err error) {
	turn := false
	err = d.Store.Retry(ctx, func() error {
		claimed = nil
		work, err := d.Store.Work(ctx, wake.Delivery, wake.Webhook)
		if errors.Is(err, db.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		now := d.Store.Now()
		if ready, err := d.ready(ctx, work, wake, now); !ready || err != nil {
			return err
		}
		slot, ok := freeSlot(work)
		if !ok {
			d.postpone(ctx, wake, d.backOff(wake.Postponed))
			return nil
		}
		if !turn {
			if turn, err = d.takeTurn(ctx, work, wake); !turn || err != nil {
				return err
			}
		}
		if work.Secrets, err = d.Store.Secrets(work.Webhook); err != nil {
			return err
		}
		dl := &work.Delivery
		dl.Lease = Lease{ID: newLeaseID(), Until: cms.At(now.Add(leaseTime)), Slot: slot}
		dl.ParkedAt = cms.Time{}
		tx := d.Store.Begin()
		PutDelivery(tx, dl)
		TakeSlot(tx, dl.WebhookID, dl.Lease)
		err = d.Store.Commit(ctx, tx)
		switch {
		case errors.Is(err, ErrLeaseTaken):
			return db.ErrOvertaken
		case err == nil:
			claimed = work
		}
		return err
	})
	return claimed, err
}

func newLeaseID() int64 { return 1 + rand.Int64N(1<<52) }

// ready reports whether the attempt that a message is for is to be made now. Where it is not, it
// does what is to be done instead.
func (d *Deliveries) ready(ctx context.Context, w *Work, wake Wake, now cms.Time) (bool, error) {
	dl := &w.Delivery
	switch {
	case dl.Finished() || wake.Attempt != dl.Attempts+1 || wake.Wakes < dl.Wakes:
		return false, nil // done, or a newer message is on its way
	case dl.Lease.Active(now):
		d.postpone(ctx, wake, dl.Lease.Until.Sub(now.Time)+time.Second)
		return false, nil
	case now.Before(dl.Next.Time):
		if wait := dl.Next.Sub(now.Time); wait <= queue.MaxDelay {
			d.postpone(ctx, wake, wait)
		}
		return false, nil
	case w.Webhook == nil:
		return false, d.abandon(ctx, dl)
	case !w.Webhook.IsActive && !dl.Test:
		return false, d.park(ctx, dl, now)
	}
	return true, nil
}

// freeSlot finds a slot among those that workers may occupy for the subscription: one while its
// receiver fails all the time. An attempt that was asked for by hand, and the end of a test, need
// none.
func freeSlot(w *Work) (slot int, ok bool) {
	if w.Delivery.Manual || w.Delivery.Test {
		return -1, true
	}
	var free []int
	for i, taken := range w.Taken {
		if !taken {
			free = append(free, i)
		}
	}
	if len(free) == 0 || w.Receiver.ConsecutiveFailures >= breakerFrom && len(free) < len(w.Taken) {
		return 0, false
	}
	if w.Receiver.ConsecutiveFailures >= breakerFrom {
		return 0, true // all take the same one, so that only one gets it
	}
	return free[rand.IntN(len(free))], true
}

// backOff is how long a message waits for a free slot when it was put back some times already: 1 s
// to a minute or so.
func (d *Deliveries) backOff(times int) time.Duration {
	wait := min(time.Second<<min(times, 6), time.Minute)
	return wait/2 + time.Duration(float64(wait)*d.Rand())
}

func (d *Deliveries) postpone(ctx context.Context, wake Wake, wait time.Duration) {
	wake.Postponed++
	d.sendWakes(ctx, delayedWake{wake, wait})
}

// abandon ends a delivery whose subscription is gone.
func (d *Deliveries) abandon(ctx context.Context, dl *Delivery) error {
	end(dl, cms.DeliveryFailed)
	tx := d.Store.Begin()
	PutDelivery(tx, dl)
	return d.Store.Commit(ctx, tx)
}

// park lets a delivery wait until its subscription is active again, and ends it when it has waited
// long enough.
func (d *Deliveries) park(ctx context.Context, dl *Delivery, now cms.Time) error {
	switch {
	case dl.ParkedAt.IsZero():
		dl.ParkedAt = now
		dl.Due = cms.At(now.Add(parkedFor))
	case !now.Before(dl.ParkedAt.Add(parkedFor)):
		return d.abandon(ctx, dl)
	default:
		return nil
	}
	tx := d.Store.Begin()
	PutDelivery(tx, dl)
	return d.Store.Commit(ctx, tx)
}

func (d *Deliveries) post(ctx context.Context, w *Work, at cms.Time) webhook.Result {
	m := webhook.Message{
		Event: w.Delivery.Event, Delivery: w.Delivery.ID, Attempt: w.Delivery.Attempts + 1,
		Body: w.Body, Extra: w.Webhook.Headers, Ed25519: w.Webhook.Ed25519,
		Secrets: w.Secrets,
	}
	return d.Client.Post(ctx, webhook.Request{URL: w.Webhook.URL, Header: m.Headers(at.Time), Body: w.Body})
}

// release gives a delivery back that this worker could not send, since the process is stopping.
func (d *Deliveries) release(ctx context.Context, w *Work) error {
	lease := w.Delivery.Lease
	w.Delivery.Lease = Lease{}
	tx := d.Store.Begin()
	PutDelivery(tx, &w.Delivery)
	LeaveSlot(tx, w.Delivery.WebhookID, lease)
	err := d.Store.Commit(ctx, tx)
	return errors.Join(context.Canceled, err)
}

// finish stores the outcome of an attempt. It tries for a while: an attempt that is not logged will
// be repeated.
func (d *Deliveries) finish(ctx context.Context, w *Work, start cms.Time, r webhook.Result) error {
	o := outcome{d: d, lease: w.Delivery.Lease, url: w.Webhook.URL, start: start, result: r}
	for try := 0; ; try++ {
		err := d.Store.Retry(ctx, func() error { return o.store(ctx, w) })
		if err == nil || !errors.Is(err, table.ErrUnavailable) || try == db.FinishTries {
			return err
		}
		o.reload = true
		select {
		case <-time.After(db.FinishPause << try):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
