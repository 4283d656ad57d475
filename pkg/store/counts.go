package store

import (
	"context"

	"golang.org/x/sync/errgroup"

	"headless/pkg/table"
)

// counts adds up counters by name over some spaces, in one round trip.
func (s *Store) counts(ctx context.Context, spaces []string, names ...string) ([]int, error) {
	parts := make([][]int64, len(names))
	g, ctx := errgroup.WithContext(ctx)
	for i, name := range names {
		parts[i] = make([]int64, len(spaces))
		for j, space := range spaces {
			g.Go(func() error {
				items, err := s.table.Query(ctx, table.Range{Partition: counterPartition(space), Prefix: name + "\x00"})
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
