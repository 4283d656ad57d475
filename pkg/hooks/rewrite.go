package hooks

import (
	"context"
	"slices"

	"headless/pkg/db"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Rewrite replaces the bodies and the logged attempts of the deliveries of some kinds of events. It looks at all
// deliveries to subscriptions that exist, at most 30 days old. It may be repeated.
func (s *Store) Rewrite(ctx context.Context, kinds []string, replace func(doc []byte) ([]byte, error)) error {
	hooks, err := s.Webhooks(ctx)
	if err != nil {
		return err
	}
	for _, hook := range hooks {
		rows, err := s.Table.Query(ctx, table.Range{Partition: deliveryListPartition(hook.ID)})
		if err != nil {
			return err
		}
		for some := range slices.Chunk(rows, deliveriesAtOnce) {
			items, err := s.Table.Get(ctx, table.Strong,
				slice.Map(some, func(row table.Item) table.Key { return deliveryKey(row.Sort[8:]) })...)
			if err != nil {
				return err
			}
			for _, item := range items {
				if item == nil { // it has expired, but not yet its row of the list
					continue
				}
				d, err := decodeDelivery(item)
				if err == nil && slices.Contains(kinds, d.Event) {
					err = s.RewriteRows(ctx, db.RowsOf(deliveryPartition(d.ID), bodySort, attemptPrefix), replace)
				}
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// deliveriesAtOnce is how many deliveries Rewrite reads in one call.
const deliveriesAtOnce = 100
