package hooks

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks/webhook"
	"headless/pkg/queue"
	"headless/pkg/slice"
)

// batchTime is how long the requests of a batch take together, unless the last one is slow.
const batchTime = 100 * time.Millisecond

// attempt is one request of a batch and how it ended.
type attempt struct {
	work   *Work
	url    string
	start  cms.Time
	result webhook.Result
	made   bool // false: the worker stopped before it had an answer
}

// errApart says that the deliveries of several messages cannot be claimed together.
var errApart = errors.New("hooks: each of these attempts needs a claim of its own")

// Attempt makes the attempts that wake-ups of one subscription ask for, if they are still due: it
// claims the deliveries together, sends one after the other, and stores the outcomes together with
// the deliveries' next states. After an error the queue must deliver the messages again.
func (d *Deliveries) Attempt(ctx context.Context, wakes ...Wake) error {
	wakes = latestWakes(wakes)
	batch, err := d.claim(ctx, wakes)
	if errors.Is(err, errApart) {
		var g errgroup.Group
		for _, wake := range wakes {
			g.Go(func() error { return d.Attempt(ctx, wake) })
		}
		return g.Wait()
	}
	if len(batch) == 0 || err != nil {
		return err
	}
	canceled := d.sendBatch(ctx, batch)
	return errors.Join(canceled, d.finishBatch(context.WithoutCancel(ctx), batch))
}

// Batch returns how many deliveries of a subscription one worker should send, one after the other.
// It is more than one if the receiver answers quickly.
func (d *Deliveries) Batch(webhookID string) int { return d.batches.Size(webhookID) }

// sendBatch makes the attempts of a batch until one fails or batchTime is over. It returns
// context.Canceled if the process stops before the answer to one.
func (d *Deliveries) sendBatch(ctx context.Context, batch []attempt) error {
	begin, made, ok := time.Now(), 0, true
	for i := range batch {
		a := &batch[i]
		a.start = d.Store.Now()
		if a.work.Delivery.Test {
			a.result = webhook.Result{Terminal: true, Err: "The test was interrupted."}
		} else {
			a.result = d.post(ctx, a.work, a.start)
		}
		if a.result.Code == 0 && errors.Is(ctx.Err(), context.Canceled) {
			return context.Canceled
		}
		a.made = true
		made++
		if ok = a.result.OK(); !ok || time.Since(begin) > batchTime {
			break
		}
	}
	each := batchTime // a receiver that fails gets its requests one by one
	if ok {
		each = time.Since(begin) / time.Duration(made)
	}
	d.batches.Note(batch[0].work.Delivery.WebhookID, batchTime, each)
	return nil
}

// claim leases the deliveries and one slot to this worker. It returns none if there is nothing to
// do now.
func (d *Deliveries) claim(ctx context.Context, wakes []Wake) (batch []attempt, err error) {
	ids := slice.Map(wakes, func(wake Wake) string { return wake.Delivery })
	turn := false
	err = d.Store.Retry(ctx, func() error {
		batch = nil
		works, err := d.Store.Works(ctx, wakes[0].Webhook, ids...)
		if err != nil {
			return err
		}
		if len(wakes) > 1 && slices.ContainsFunc(works, needsOwnClaim) {
			return errApart
		}
		now := d.Store.Now()
		due := make([]*Work, 0, len(works))
		ours := make([]Wake, 0, len(works))
		for i, w := range works {
			if w == nil {
				continue
			}
			ready, err := d.isReady(ctx, w, wakes[i], now)
			if err != nil {
				return err
			}
			if ready {
				due, ours = append(due, w), append(ours, wakes[i])
			}
		}
		if len(due) == 0 {
			return nil
		}
		slot, ok := freeSlot(due[0])
		if !ok {
			for _, wake := range ours {
				d.postpone(ctx, wake, d.backOff(wake.Postponed))
			}
			return nil
		}
		if !turn {
			if turn, err = d.takeTurn(ctx, due[0], ours[0]); !turn || err != nil {
				return err
			}
		}
		lease := Lease{ID: newLeaseID(), Until: cms.At(now.Add(leaseTime)), Slot: slot}
		taken, err := d.lease(ctx, due, lease)
		if errors.Is(err, ErrLeaseTaken) {
			return db.ErrOvertaken
		}
		batch = taken
		return err
	})
	return batch, err
}

// lease stores the lease of some deliveries and takes its slot.
func (d *Deliveries) lease(ctx context.Context, due []*Work, lease Lease) ([]attempt, error) {
	batch := make([]attempt, len(due))
	tx := d.Store.Begin()
	for i, w := range due {
		var err error
		if w.Secrets, err = d.Store.Secrets(w.Webhook); err != nil {
			return nil, err
		}
		w.Delivery.Lease, w.Delivery.ParkedAt = lease, cms.Time{}
		PutDelivery(tx, &w.Delivery)
		batch[i] = attempt{work: w, url: w.Webhook.URL}
	}
	takeSlot(tx, due[0].Delivery.WebhookID, lease)
	if err := d.Store.Commit(ctx, tx); err != nil {
		return nil, err
	}
	return batch, nil
}

// needsOwnClaim reports whether a delivery cannot share a claim: it needs no slot, or a turn of its
// own, or its receiver fails all the time.
func needsOwnClaim(w *Work) bool {
	return w != nil && (w.Delivery.Manual || w.Delivery.Test ||
		w.Receiver.ConsecutiveFailures >= breakerFrom ||
		w.Webhook != nil && w.Webhook.RequestsPerSecond > 0)
}

// latestWakes returns the newest message of each delivery.
func latestWakes(wakes []Wake) (latest []Wake) {
	for _, wake := range wakes {
		i := slices.IndexFunc(latest, func(w Wake) bool { return w.Delivery == wake.Delivery })
		if i < 0 {
			latest = append(latest, wake)
		} else if was := latest[i]; cmp.Or(cmp.Compare(wake.Attempt, was.Attempt),
			cmp.Compare(wake.Wakes, was.Wakes)) > 0 {
			latest[i] = wake
		}
	}
	return latest
}

func newLeaseID() int64 { return 1 + rand.Int64N(1<<52) }

// isReady reports whether the attempt of a message is due now. If not, it postpones the message, or
// parks or abandons the delivery.
func (d *Deliveries) isReady(ctx context.Context, w *Work, wake Wake, now cms.Time) (bool, error) {
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
	endDelivery(dl, cms.DeliveryFailed)
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

// finishBatch stores the outcome of a batch.
func (d *Deliveries) finishBatch(ctx context.Context, batch []attempt) error {
	o := outcome{d: d, batch: batch, lease: batch[0].work.Delivery.Lease}
	store := func() error { return o.storeOutcome(ctx) }
	return d.Store.Finish(ctx, func() error { return d.Store.Retry(ctx, store) })
}
