package hooks

import (
	"context"
	"errors"
	"sync"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/queue"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Woken counts the messages that WakeOverdue sent.
type Woken struct {
	Sent int // all messages
	Lost int // messages for deliveries that were due already: their former messages must have been lost
}

// WakeOverdue checks rows of the due-time index. It sends a message for each delivery that is due
// soon or whose message must have been lost. restarted says that this process is the only worker
// and has just started, so that all earlier messages and leases are void.
func (d *Deliveries) WakeOverdue(ctx context.Context, due []DueDelivery, restarted bool) (Woken, error) {
	found, err := d.Store.Deliveries(ctx, slice.Map(due, func(row DueDelivery) string { return row.ID })...)
	if err != nil {
		return Woken{}, err
	}
	var mu sync.Mutex
	var woken Woken
	var wakes []delayedWake
	var g errgroup.Group
	g.SetLimit(16)
	for _, row := range due {
		g.Go(func() error {
			dl, ok := found[row.ID]
			if !ok || !dl.Due.Equal(row.Due.Time) {
				return d.Store.Table.BatchWrite(ctx, nil, []table.Key{row.key}) // the row is stale
			}
			wake, err := d.wakeOverdue(ctx, dl, restarted)
			if wake == nil || err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			wakes = append(wakes, *wake)
			if wake.delay <= 0 && dl.ParkedAt.IsZero() && !restarted {
				woken.Lost++
			}
			return nil
		})
	}
	err = g.Wait()
	d.sendWakes(ctx, wakes...)
	woken.Sent = len(wakes)
	return woken, err
}

// wakeOverdue returns a message for a delivery and sets when the sweeper checks it next. It returns
// nil if no message is needed or if another process changed the delivery.
func (d *Deliveries) wakeOverdue(ctx context.Context, dl Delivery, restarted bool) (*delayedWake, error) {
	now := d.Store.Now()
	waits := now.Before(dl.Due.Time) && (!dl.ParkedAt.IsZero() || dl.Next.Sub(now.Time) > queue.MaxDelay)
	if waits || dl.Lease.Active(now) && !restarted {
		return nil, nil
	}
	lease := dl.Lease
	if restarted && lease.ID == 0 { // no write: there is no earlier message to invalidate
		wake := wakeFor(dl, now)
		return &wake, nil
	}
	if restarted {
		dl.Lease = Lease{}
	}
	dl.Wakes++
	next := dl.Next
	if now.After(next.Time) {
		next = now
	}
	dl.Due = cms.At(next.Add(min(queue.Grace<<min(dl.Wakes, 6), maxGrace)))
	err := d.putOverdue(ctx, dl, lease, restarted && lease.ID != 0)
	if errors.Is(err, ErrLeaseTaken) {
		err = d.putOverdue(ctx, dl, lease, false)
	}
	if errors.Is(err, db.ErrOvertaken) {
		return nil, nil
	}
	wake := wakeFor(dl, now)
	return &wake, err
}

// putOverdue stores a delivery. With leave set, it frees the slot of its former lease.
func (d *Deliveries) putOverdue(ctx context.Context, dl Delivery, lease Lease, leave bool) error {
	tx := d.Store.Begin()
	PutDelivery(tx, &dl)
	if leave {
		leaveSlot(tx, dl.WebhookID, lease)
	}
	return d.Store.Commit(ctx, tx)
}

// OverdueSince returns when the next attempt of a delivery was due, if the service should have made
// it by now, and zero otherwise. A delivery that waits because of its receiver is not overdue: the
// receiver keeps failing, all of its slots are taken, or its requests are limited.
func (d *Deliveries) OverdueSince(ctx context.Context, row DueDelivery) (cms.Time, error) {
	w, err := d.Store.Work(ctx, row.ID, row.WebhookID)
	if err != nil {
		return cms.Time{}, db.Missing(err, nil)
	}
	now, dl := d.Store.Now(), w.Delivery
	waits := dl.Finished() || now.Before(dl.Next.Time) || dl.Lease.Active(now) ||
		w.Webhook == nil || !w.Webhook.IsActive
	if _, free := freeSlot(w); waits || !free || w.Receiver.ConsecutiveFailures >= breakerFrom ||
		w.Webhook.RequestsPerSecond > 0 {
		return cms.Time{}, nil
	}
	return dl.Next, nil
}
