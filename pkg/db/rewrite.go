package db

import (
	"bytes"
	"context"

	"headless/pkg/table"
)

// maxRewritten is how many rows of a prefix RewriteRows reads at most.
const maxRewritten = 1000

// Rows name the rows that RewriteRows replaces; see RowsOf.
type Rows struct {
	partition string
	prefixes  []string
}

// RowsOf returns the rows of a partition whose keys begin with one of the prefixes.
func RowsOf(partition string, prefixes ...string) Rows { return Rows{partition, prefixes} }

// RewriteRows replaces the documents of rows.
func (s *DB) RewriteRows(ctx context.Context, rows Rows, replace func(doc []byte) ([]byte, error)) error {
	var items []table.Item
	for _, prefix := range rows.prefixes {
		found, err := s.Table.Query(ctx, table.Range{Partition: rows.partition, Prefix: prefix, Limit: maxRewritten})
		if err != nil {
			return err
		}
		items = append(items, found...)
	}
	for _, item := range items {
		raw, err := UnpackBytes(item.Body)
		if err != nil {
			return err
		}
		now, err := replace(raw)
		if err != nil {
			return err
		}
		if bytes.Equal(now, raw) {
			continue
		}
		tx := s.Begin()
		item.Body = PackSeldom(now)
		if item.Version == 0 {
			tx.Put(item)
		} else {
			item.Version++
			tx.Replace(item, item.Version-1)
		}
		if err := s.Commit(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}
