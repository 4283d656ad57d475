package store

import (
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// OutEvent is a committed event that is not dispatched yet, with the place where it stands.
type OutEvent struct {
	cms.Event
	key table.Key
}

// DecodeOutEvent reads an event from the row of the outbox.
func DecodeOutEvent(item table.Item) (OutEvent, error) {
	e := OutEvent{key: item.Key}
	return e, unmarshal(item.Body, &e.Event)
}

// Outbox lists up to limit undispatched events as rows, the oldest of each shard first.
func (s *Store) Outbox(ctx context.Context, limit int) ([]table.Item, error) {
	var parts [shards][]table.Item
	g, ctx := errgroup.WithContext(ctx)
	for shard := range shards {
		g.Go(func() (err error) {
			parts[shard], err = s.table.Query(ctx, table.Range{
				Partition: outboxPartition(shard), Limit: (limit + shards - 1) / shards,
			})
			return err
		})
	}
	err := g.Wait()
	return slices.Concat(parts[:]...), err
}

// StillOut tells which of the events are not dispatched yet.
func (s *Store) StillOut(ctx context.Context, events ...OutEvent) ([]bool, error) {
	keys := make([]table.Key, len(events))
	for i, e := range events {
		keys[i] = e.key
	}
	items, err := s.table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, err
	}
	out := make([]bool, len(items))
	for i, item := range items {
		out[i] = item != nil
	}
	return out, nil
}

// errDispatched tells that another dispatcher was faster.
var errDispatched = errors.New("store: event is dispatched already")

// DropEvents takes events from the outbox that nobody waits for.
func (s *Store) DropEvents(ctx context.Context, events ...OutEvent) error {
	keys := make([]table.Key, len(events))
	for i, e := range events {
		keys[i] = e.key
	}
	return s.table.BatchWrite(ctx, nil, keys)
}

// NewDelivery is a delivery that is to be made.
type NewDelivery struct {
	Delivery
	Body []byte
}

// Dispatch turns an event into its deliveries: either all of them exist and the event is no longer in the outbox, or, after a
// crash, it is there still. It returns the deliveries that this call made: none when another dispatcher was faster.
func (s *Store) Dispatch(ctx context.Context, e OutEvent, deliveries []NewDelivery) ([]Delivery, error) {
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

// createDeliveries makes the deliveries that do not exist yet and, where finish is given, takes that event from the outbox.
func (s *Store) createDeliveries(ctx context.Context, finish *OutEvent, all []NewDelivery) (made []Delivery, err error) {
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
				tx.CreateDelivery(&d, n.Body, ErrOvertaken)
				made = append(made, d)
			}
		}
		if finish != nil {
			tx.do(table.Op{Kind: table.Delete, Item: table.Item{Key: finish.key}, If: table.Present}, errDispatched)
		}
		if len(tx.ops) == 0 {
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
