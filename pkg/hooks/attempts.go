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

// Attempt makes the attempt that a wake-up asks for, if it is still due: it claims the delivery,
// sends it, and stores the outcome together with the delivery's next state. After an error the
// queue must deliver the message again.
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

// claim leases the delivery and a slot to this worker. It returns nil if there is nothing to do
// now.
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

// ready reports whether the attempt of a message is due now. If not, it postpones the message, or
// parks or abandons the delivery.
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

// freeSlot chooses a free slot of the subscription. While the receiver keeps failing, only one slot
// may be used. An attempt that a user requested, and the end of a test, need no slot: they get -1.
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
		return 0, true // every worker tries the same slot, so only one gets it
	}
	return free[rand.IntN(len(free))], true
}

// backOff returns how long a message waits for a free slot after it was postponed some times: about
// 1 s to 1 min.
func (d *Deliveries) backOff(times int) time.Duration {
	wait := min(time.Second<<min(times, 6), time.Minute)
	return wait/2 + time.Duration(float64(wait)*d.Rand())
}

func (d *Deliveries) postpone(ctx context.Context, wake Wake, wait time.Duration) {
	wake.Postponed++
	d.sendWakes(ctx, delayedWake{wake, wait})
}

// abandon ends a delivery as failed without another attempt.
func (d *Deliveries) abandon(ctx context.Context, dl *Delivery) error {
	end(dl, cms.DeliveryFailed)
	tx := d.Store.Begin()
	PutDelivery(tx, dl)
	return d.Store.Commit(ctx, tx)
}

// park marks a delivery as waiting until its subscription is active again, and abandons it after
// parkedFor.
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

// release gives up the lease of a delivery that was not sent because the process is stopping.
func (d *Deliveries) release(ctx context.Context, w *Work) error {
	lease := w.Delivery.Lease
	w.Delivery.Lease = Lease{}
	tx := d.Store.Begin()
	PutDelivery(tx, &w.Delivery)
	LeaveSlot(tx, w.Delivery.WebhookID, lease)
	err := d.Store.Commit(ctx, tx)
	return errors.Join(context.Canceled, err)
}

// finish stores the outcome of an attempt. It retries for a while, since an attempt that is not
// stored will be repeated.
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
