package index

import (
	"context"

	"headless/pkg/db"
)

// All reads all documents of some spaces with their bodies, in the default order. It returns
// ErrNotIndexed if there are more than limit.
func All(ctx context.Context, s *db.DB, c *Collection, spaces []string, limit int) ([]*Record, error) {
	from := source{cursor: &cursor{order: order{c: c}}, t: s.Table, spaces: spaces, chunk: 1}
	m := from.ordered()
	m.expect(limit + 1)
	records, err := takeRecords(ctx, m.nextRecord, nil, limit+1)
	if err != nil {
		return nil, err
	}
	if len(records) > limit {
		return nil, ErrNotIndexed
	}
	records = newestEach(records)
	if err := c.loadBodies(ctx, s.Table, records); err != nil {
		return nil, err
	}
	kept := records[:0]
	for _, r := range records {
		ok, err := c.locate(r, spaces)
		if err != nil {
			return nil, err
		}
		if ok {
			kept = append(kept, r)
		}
	}
	return kept, nil
}
