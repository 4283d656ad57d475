package db

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// maxLogTotal is how many lines a listing without filters counts beyond its page; if there are
// more, the total is an estimate.
const maxLogTotal = 1000

// maxLogScan is about how many lines a listing with filters reads: logs are ordered by time, and no
// index finds the lines that match. The cursor Next continues from there.
const maxLogScan = 20_000

// firstLogRead is about how many lines a listing with filters reads first; each further read is
// twice as large.
const firstLogRead = 1000

// LogQuery asks for a page of a log, newest first.
type LogQuery struct {
	Paging                    // from the cursor on
	Cursor  string            // Next of the previous page
	Filters map[string]string // equality, by the log's filter names
	From    cms.Time          // lines from this time on; zero: all that are kept
	Until   cms.Time          // lines before this time; zero: up to now

	allowed func(logLine) bool // nil: all lines
}

// filtered reports whether lines must be decoded to know whether they match.
func (q *LogQuery) filtered() bool { return len(q.Filters) > 0 || q.allowed != nil }

// ListActivity lists the activity log.
func (s *DB) ListActivity(ctx context.Context, q LogQuery) (Page[Activity], error) {
	if p := cms.PermissionsOf(ctx); p != nil {
		q.allowed = func(line logLine) bool { return readableSubject(p, line.(Activity)) }
	}
	return listLog[Activity](ctx, s, logActivity, s.ActivityDays, q)
}

// ListRequests lists the request log.
func (s *DB) ListRequests(ctx context.Context, q LogQuery) (Page[RequestLine], error) {
	return listLog[RequestLine](ctx, s, logRequest, requestDays, q)
}

// logLine is a line of a log. value returns the value that a filter compares.
type logLine interface{ value(name string) string }

// listLog lists the lines that match. With filters, a page may be short and still have a Next,
// because the older lines were not read.
func listLog[T logLine](ctx context.Context, s *DB, kind string, days int, q LogQuery) (Page[T], error) {
	page := Page[T]{Paging: q.Paging, Items: []T{}}
	check := logCheck(kind, q)
	before, err := s.DecodeCursor(ctx, check, q.Cursor)
	if err != nil {
		return page, err
	}
	walk := newLogWalk(s, kind, days, before)
	walk.between(q.From, q.Until)
	from, to := q.Offset(), q.Offset()+q.PerPage
	read, enough, seen := to+maxLogTotal, to+maxLogTotal, 0
	if q.filtered() {
		read, enough = firstLogRead, to+1
	}
	last, end := "", false // key of the page's last line; the end of the log was reached
	for page.Total < enough && (!q.filtered() || seen < maxLogScan) {
		items, err := walk.next(ctx, read)
		if err != nil {
			return page, err
		}
		if end = len(items) == 0; end {
			break
		}
		if seen += len(items); q.filtered() {
			read = min(2*read, maxLogScan-seen)
		}
		for _, item := range items {
			shown := page.Total >= from && page.Total < to
			if shown || q.filtered() {
				var line T
				if err := json.Unmarshal(item.Body, &line); err != nil {
					return page, err
				}
				if !matchesAll(line, q.Filters) || q.allowed != nil && !q.allowed(line) {
					continue
				}
				if shown {
					page.Items, last = append(page.Items, line), item.Sort
				}
			}
			page.Total++
		}
	}
	page.Estimate = !end || q.Cursor != ""
	switch {
	case page.Total > to:
		page.Next, err = s.EncodeCursor(ctx, check, last)
	case !end:
		page.Next, err = s.EncodeCursor(ctx, check, walk.before)
	}
	return page, err
}

func matchesAll(line logLine, filters map[string]string) bool {
	for name, want := range filters {
		if line.value(name) != want {
			return false
		}
	}
	return true
}

// logCheck returns a digest of everything that decides which lines a list contains.
func logCheck(kind string, q LogQuery) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %q %s %s", kind, q.Filters, q.From, q.Until))
	return sum[:]
}

// logWalk reads a log backwards from its newest line.
type logWalk struct {
	s      *DB
	kind   string
	month  time.Time // the month to read next
	oldest time.Time
	before string // key of the line that was read last; "" at the start
	from   string // the smallest key to read
}

func newLogWalk(s *DB, kind string, days int, before string) *logWalk {
	w := &logWalk{s: s, kind: kind, month: s.Clock(), oldest: s.Clock().AddDate(0, 0, -days), before: before}
	if len(before) > len(TimeBytes(w.month)) {
		w.startAt(TimeOf(before))
	}
	return w
}

// startAt skips the months after a time.
func (w *logWalk) startAt(at cms.Time) {
	if at.Before(w.month) {
		w.month = at.Time
	}
}

// between limits the walk to lines from the time from on and before until. A zero time is no limit.
func (w *logWalk) between(from, until cms.Time) {
	if !from.IsZero() {
		if w.from = TimeBytes(from.Time); from.After(w.oldest) {
			w.oldest = from.Time
		}
	}
	if !until.IsZero() && w.before == "" {
		w.before = TimeBytes(until.Time)
		w.startAt(until)
	}
}

// next reads about n further lines. It returns none at the end of the log.
func (w *logWalk) next(ctx context.Context, n int) ([]table.Item, error) {
	if w.from != "" && w.before != "" && w.before <= w.from {
		return nil, nil
	}
	for logPartition(w.kind, w.month, 0) >= logPartition(w.kind, w.oldest, 0) {
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
func (w *logWalk) inMonth(ctx context.Context, n int) (all []table.Item, more bool, err error) {
	each := n/Shards + n/(4*Shards) + 8 // more than a share: lines are spread at random
	parts, err := w.s.QueryShards(ctx, func(shard int) string { return logPartition(w.kind, w.month, shard) },
		table.Range{From: w.from, To: w.before, Reverse: true, Limit: each}, Shards)
	if err != nil {
		return nil, false, err
	}
	sure := "" // before this key, lines of some shard may be missing
	for _, part := range parts {
		if len(part) == each {
			more, sure = true, max(sure, part[each-1].Sort)
		}
	}
	all = slices.DeleteFunc(slices.Concat(parts...),
		func(item table.Item) bool { return item.Sort < sure })
	cms.Sort(all, func(a, b table.Item) int { return strings.Compare(b.Sort, a.Sort) })
	return all, more, nil
}
