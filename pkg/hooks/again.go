package hooks

import (
	"context"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// LoggedID is a delivery in the log of a subscription.
type LoggedID struct {
	ID       string
	Position string // in the log, for DeliveryIDs
}

// Position is where the deliveries of the log begin that were made at a time.
func Position(at cms.Time) string { return db.TimeBytes(at.Time) }

// DeliveryIDs lists up to limit deliveries of a subscription that were made before a time, the
// oldest first, from a position on that belongs to it.
func (s *Store) DeliveryIDs(ctx context.Context, webhookID, from string, before time.Time,
	limit int) ([]LoggedID, error) {
	rows, err := s.Table.Query(ctx, table.Range{Partition: deliveryListPartition(webhookID),
		From: from, To: db.TimeBytes(before), Limit: limit})
	ids := make([]LoggedID, len(rows))
	for i, row := range rows {
		ids[i] = LoggedID{row.Sort[8:], row.Sort}
	}
	return ids, err
}

// SendAgain makes a finished delivery due for one more attempt, which waits for a slot and for its
// turn like any other.
func (d *Delivery) SendAgain(now cms.Time) {
	d.Status, d.Once = cms.DeliveryPending, true
	d.Wakes++
	plan(d, now, now)
}

// Wake sends messages for the next attempts of deliveries.
func (d *Deliveries) Wake(ctx context.Context, due ...Delivery) {
	now := d.Store.Now()
	wakes := make([]delayedWake, len(due))
	for i, dl := range due {
		wakes[i] = wakeFor(dl, now)
	}
	if len(wakes) > 0 {
		d.sendWakes(ctx, wakes...)
	}
}
