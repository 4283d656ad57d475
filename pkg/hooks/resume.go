package hooks

import (
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// resumeBatch is how many deliveries one message of the queue resumes.
const resumeBatch = 50

// Resume wakes one batch of the deliveries that waited while a subscription was paused. It sends a
// message for the next batch.
func (d *Deliveries) Resume(ctx context.Context, webhookID string) error {
	hook, err := d.Store.Webhook(ctx, webhookID)
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	if err != nil || !hook.IsActive {
		return err
	}
	ids, err := d.Store.Parked(ctx, webhookID, resumeBatch)
	if err != nil || len(ids) == 0 {
		return err
	}
	var wakes []delayedWake
	for _, id := range ids {
		wake, ok, err := d.unpark(ctx, webhookID, id)
		if err != nil {
			return err
		}
		if ok {
			wakes = append(wakes, wake)
		}
	}
	if len(ids) == resumeBatch {
		wakes = append(wakes, delayedWake{Wake: Wake{Webhook: webhookID}})
	}
	d.sendWakes(ctx, wakes...)
	return nil
}

func (d *Deliveries) unpark(ctx context.Context, webhookID, id string) (wake delayedWake, ok bool, err error) {
	err = d.Store.Retry(ctx, func() error {
		ok = false
		dl, err := d.Store.Delivery(ctx, id)
		if errors.Is(err, db.ErrNotFound) || err == nil && dl.ParkedAt.IsZero() {
			return d.Store.Table.BatchWrite(ctx, nil, []table.Key{parkKey(webhookID, id)}) // it does not wait
		}
		if err != nil {
			return err
		}
		tx := d.Store.Begin()
		dl.ParkedAt = cms.Time{}
		dl.Wakes++
		plan(&dl, tx.At(), tx.At())
		PutDelivery(tx, &dl)
		wake, ok = wakeFor(dl, tx.At()), true
		return d.Store.Commit(ctx, tx)
	})
	return wake, ok && err == nil, err
}
