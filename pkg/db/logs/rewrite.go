package logs

import (
	"bytes"
	"context"
	"encoding/json"

	"headless/pkg/db"
	"headless/pkg/table"
)

// Rewrite replaces lines of the activity log. before is called with each line that changes, before any
// line of its part of the log is stored.
func Rewrite(ctx context.Context, s *db.DB, replace func(body []byte) []byte, before func(db.Activity) error) error {
	walk := newWalk(s, db.LogActivity, s.ActivityDays, "")
	for {
		items, err := walk.nextLines(ctx, maxScan)
		if err != nil || len(items) == 0 {
			return err
		}
		var changed []table.Item
		for _, item := range items {
			body := replace(item.Body)
			if bytes.Equal(body, item.Body) {
				continue
			}
			var line db.Activity
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
