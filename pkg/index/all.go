package index

import (
	"context"

	"headless/pkg/db"
)

// All reads all documents of some spaces with their bodies, in the default order. It returns
// ErrNotIndexed if there are more than limit.
func All(ctx context.Context, s *db.DB, c *Collection, spaces []string, limit int) ([]*Record, error) {
	l := &lister{db: s, c: c, spaces: spaces}
	m := l.orderedStream()
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
		ok, err := l.locate(r)
		if err != nil {
			return nil, err
		}
		if ok {
			kept = append(kept, r)
		}
	}
	return kept, nil
}
