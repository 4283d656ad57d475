package index

import (
	"context"

	"golang.org/x/sync/errgroup"

	"headless/pkg/db"
	"headless/pkg/table"
)

// CounterKeys are the keys of all counters of a space.
func CounterKeys(ctx context.Context, s *db.DB, space string) ([]table.Key, error) {
	var keys []table.Key
	for part := range counterParts {
		items, err := s.Table.Query(ctx, table.Range{Partition: counterPart(space, part)})
		if err != nil {
			return nil, err
		}
		for i := range items {
			keys = append(keys, items[i].Key)
		}
	}
	return keys, nil
}

// Counts adds up counters by name over some spaces, in one round trip.
func Counts(ctx context.Context, s *db.DB, spaces []string, names ...string) ([]int, error) {
	parts := make([][]int64, len(names))
	g, ctx := errgroup.WithContext(ctx)
	for i, name := range names {
		parts[i] = make([]int64, len(spaces))
		for j, space := range spaces {
			g.Go(func() error {
				items, err := s.Table.Query(ctx,
					table.Range{Partition: counterPartition(space, name), Prefix: db.CounterPrefix(name)})
				for _, item := range items {
					parts[i][j] += item.Count
				}
				return err
			})
		}
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	totals := make([]int, len(names))
	for i := range parts {
		for _, n := range parts[i] {
			totals[i] += int(n)
		}
	}
	return totals, nil
}
