package hooks

import (
	"context"
	"errors"

	"headless/pkg/db"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// errDispatched says that another dispatcher has dispatched the events.
var errDispatched = errors.New("hooks: events already dispatched")

// NewDelivery is a delivery that is not stored yet.
type NewDelivery struct {
	Delivery
	Body []byte
}

// Dispatch creates the deliveries of the events in a row of the outbox and then removes the row. After a
// crash or an error in between, the row is still in the outbox and Dispatch can be repeated. It
// returns the deliveries that this call created. It creates none if another dispatcher has finished
// the row.
func (s *Store) Dispatch(ctx context.Context, row table.Key, deliveries []NewDelivery) ([]Delivery, error) {
	const chunk = (table.MaxOps - 1) / deliveryOps
	var made []Delivery
	for len(deliveries) > chunk {
		part, err := s.createDeliveries(ctx, nil, deliveries[:chunk])
		if err != nil {
			return made, err
		}
		made = append(made, part...)
		deliveries = deliveries[chunk:]
	}
	part, err := s.createDeliveries(ctx, &row, deliveries)
	return append(made, part...), err
}

// createDeliveries creates the deliveries that do not exist yet and, if finish is not nil, removes
// that row from the outbox in the same transaction.
func (s *Store) createDeliveries(ctx context.Context, finish *table.Key,
	all []NewDelivery) (made []Delivery, err error) {
	var existing map[string]Delivery // read after a conflict only, since usually none exist
	attempts := 0
	err = s.Retry(ctx, func() (err error) {
		if attempts++; attempts > 1 {
			ids := slice.Map(all, func(d NewDelivery) string { return d.ID })
			if existing, err = s.Deliveries(ctx, ids...); err != nil {
				return err
			}
		}
		made = nil
		tx := s.Begin()
		for _, n := range all {
			if _, ok := existing[n.ID]; !ok {
				d := n.Delivery
				CreateDelivery(tx, &d, n.Body, db.ErrOvertaken)
				made = append(made, d)
			}
		}
		if finish != nil {
			tx.Take(*finish, errDispatched)
		}
		if len(tx.Ops) == 0 {
			return nil
		}
		return s.Commit(ctx, tx)
	})
	if errors.Is(err, errDispatched) {
		return nil, nil
	}
	return made, err
}
