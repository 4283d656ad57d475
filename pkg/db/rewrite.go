package db

import (
	"bytes"
	"context"
	"encoding/json"

	"headless/pkg/table"
)

// RewriteActivity replaces lines of the activity log. before is called with each line that changes, before any
// line of its part of the log is stored.
func (s *DB) RewriteActivity(ctx context.Context, replace func(body []byte) []byte,
	before func(Activity) error) error {
	walk := newLogWalk(s, logActivity, s.ActivityDays, "")
	for {
		items, err := walk.next(ctx, maxLogScan)
		if err != nil || len(items) == 0 {
			return err
		}
		var changed []table.Item
		for _, item := range items {
			body := replace(item.Body)
			if bytes.Equal(body, item.Body) {
				continue
			}
			var line Activity
			if err := json.Unmarshal(item.Body, &line); err != nil {
				return err
			}
			if err := before(line); err != nil {
				return err
			}
			item.Body = body
			changed = append(changed, item)
		}
		if err := s.Table.BatchWrite(ctx, changed, nil); err != nil {
			return err
		}
	}
}

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
