package logs

import (
	"context"
	"slices"
	"strings"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// walk reads a log backwards from its newest line.
type walk struct {
	s      *db.DB
	kind   string
	month  time.Time // the month to read next
	oldest time.Time
	before string // key of the line that was read last; "" at the start
	from   string // the smallest key to read
}

func newWalk(s *db.DB, kind string, days int, before string) *walk {
	w := &walk{s: s, kind: kind, month: s.Clock(), oldest: s.Clock().AddDate(0, 0, -days), before: before}
	if len(before) > len(db.TimeBytes(w.month)) {
		w.startAt(db.TimeOf(before))
	}
	return w
}

// startAt skips the months after a time.
func (w *walk) startAt(at cms.Time) {
	if at.Before(w.month) {
		w.month = at.Time
	}
}

// between limits the walk to lines from the time from on and before until. A zero time is no limit.
func (w *walk) between(from, until cms.Time) {
	if !from.IsZero() {
		if w.from = db.TimeBytes(from.Time); from.After(w.oldest) {
			w.oldest = from.Time
		}
	}
	if !until.IsZero() && w.before == "" {
		w.before = db.TimeBytes(until.Time)
		w.startAt(until)
	}
}

// nextLines reads about n further lines. It returns none at the end of the log.
func (w *walk) nextLines(ctx context.Context, n int) ([]table.Item, error) {
	if w.from != "" && w.before != "" && w.before <= w.from {
		return nil, nil
	}
	for db.LogPartition(w.kind, w.month, 0) >= db.LogPartition(w.kind, w.oldest, 0) {
		items, more, err := w.inMonth(ctx, n)
		if err != nil {
			return nil, err
		}
		if !more {
			w.month = monthBefore(w.month)
		}
		if len(items) > 0 {
			w.before = items[len(items)-1].Sort
			return items, nil
		}
	}
	return nil, nil
}

func monthBefore(t time.Time) time.Time {
	t = t.UTC()
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, -1, 0)
}

// inMonth reads about n lines of the month from all shards. It keeps only lines that are newer than
// all lines not read yet.
func (w *walk) inMonth(ctx context.Context, n int) (all []table.Item, more bool, err error) {
	each := db.SpreadLimit(n)
	parts, err := w.s.QueryShards(ctx, func(shard int) string { return db.LogPartition(w.kind, w.month, shard) },
		table.Range{From: w.from, To: w.before, Reverse: true, Limit: each}, db.Shards)
	if err != nil {
		return nil, false, err
	}
	sure := "" // before this key, lines of some shard may be missing
	for _, part := range parts {
		if len(part) == each {
			more, sure = true, max(sure, part[each-1].Sort)
		}
	}
	all = slices.DeleteFunc(slices.Concat(parts...), func(item table.Item) bool { return item.Sort < sure })
	cms.Sort(all, func(a, b table.Item) int { return strings.Compare(b.Sort, a.Sort) })
	return all, more, nil
}

// RequestPartitions returns the partitions that have the lines of the request log at a time.
func RequestPartitions(now time.Time) (partitions []string) {
	for _, month := range []time.Time{now, monthBefore(now)} {
		for shard := range db.Shards {
			partitions = append(partitions, db.LogPartition(db.LogRequest, month, shard))
		}
	}
	return partitions
}
