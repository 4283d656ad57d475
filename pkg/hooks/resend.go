package hooks

import (
	"context"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// LoggedID identifies a delivery in the log of a subscription.
type LoggedID struct {
	ID       string
	Position string // its position in the log, see DeliveryIDs
}

// Position returns the position in the log of the first delivery made at that time or later.
func Position(at cms.Time) string { return db.TimeBytes(at.Time) }

// DeliveryIDs lists up to limit deliveries of a subscription that were made before a time, oldest
// first, from the position from (inclusive) on.
func (s *Store) DeliveryIDs(ctx context.Context, webhookID, from string, before time.Time,
	limit int) ([]LoggedID, error) {
	rows, err := s.Table.Query(ctx, table.Range{Partition: deliveryListPartition(webhookID),
		From: from, To: db.TimeBytes(before), Limit: limit})
	return slice.Map(rows, func(row table.Item) LoggedID { return LoggedID{row.Sort[8:], row.Sort} }), err
}

// Resend makes a finished delivery due for one more attempt, which waits for a slot and for its
// turn like any other.
func (d *Delivery) Resend(now cms.Time) {
	d.Status, d.NoRetry = cms.DeliveryPending, true
	d.Wakes++
	plan(d, now, now)
}

// Wake sends a message for the next attempt of each delivery.
func (d *Deliveries) Wake(ctx context.Context, due ...Delivery) {
	now := d.Store.Now()
	wakes := slice.Map(due, func(dl Delivery) delayedWake { return wakeFor(dl, now) })
	d.sendWakes(ctx, wakes...)
}
