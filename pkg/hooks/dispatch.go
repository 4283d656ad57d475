package hooks

import (
	"context"
	"errors"

	"headless/pkg/db"
	"headless/pkg/table"
)

// errDispatched tells that another dispatcher was faster.
var errDispatched = errors.New("store: event is dispatched already")

// NewDelivery is a delivery that is to be made.
type NewDelivery struct {
	Delivery
	Body []byte
}

// Dispatch turns an event into its deliveries: either all of them exist and the event is no longer
// in the outbox, or, after a crash, it is there still. It returns the deliveries that this call
// made: none when another dispatcher was faster.
func (s *Store) Dispatch(ctx context.Context, e db.PendingEvent,
	deliveries []NewDelivery) ([]Delivery, error) {
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
	part, err := s.createDeliveries(ctx, &e, deliveries)
	return append(made, part...), err
}

// createDeliveries makes the deliveries that do not exist yet and, where finish is given, takes
// that event from the outbox.
func (s *Store) createDeliveries(ctx context.Context, finish *db.PendingEvent,
	all []NewDelivery) (made []Delivery, err error) {
	var existing map[string]Delivery // none is the rule
	tries := 0
	err = s.Retry(ctx, func() (err error) {
		if tries++; tries > 1 {
			if existing, err = s.Deliveries(ctx, idsOf(all)...); err != nil {
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
			tx.Do(table.Op{Kind: table.Delete, Item: table.Item{Key: finish.Key},
				If: table.Present}, errDispatched)
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

func idsOf(all []NewDelivery) []string {
	ids := make([]string, len(all))
	for i, d := range all {
		ids[i] = d.ID
	}
	return ids
}
