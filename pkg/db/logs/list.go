package logs

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"headless/pkg/cms"
	"headless/pkg/db"
)

// maxTotal is how many lines a listing counts beyond its page; if there are more, the total is an
// estimate.
const maxTotal = 10_000

// maxScan is about how many lines a listing with filters reads: logs are ordered by time, and no
// index finds the lines that match. The cursor Next continues from there.
const maxScan = 20_000

// firstRead is about how many lines a listing with filters reads first; each further read is
// twice as large.
const firstRead = 1000

// Query asks for a page of a log, newest first.
type Query struct {
	db.Paging                   // from the cursor on
	Cursor    string            // Next of the previous page
	Filters   map[string]string // equality, by the log's filter names
	From      cms.Time          // lines from this time on; zero: all that are kept
	Until     cms.Time          // lines before this time; zero: up to now
	Uncounted bool              // the total is not needed, and may be an estimate
	// Content leaves out activity of accounts, keys, webhooks and roles.
	Content bool
}

// log is a log with the rules by which its lines are listed.
type log[T any] struct {
	kind    string
	days    int                                // for which lines are kept
	value   func(line T, filter string) string // that a filter compares
	allowed func(line T) bool                  // nil: all lines
}

// Activity lists the activity log, as far as the permissions of the context allow to read the
// subjects of its lines.
func Activity(ctx context.Context, s *db.DB, q Query) (db.Page[db.Activity], error) {
	l := log[db.Activity]{kind: db.LogActivity, days: s.ActivityDays, value: valueOfActivity}
	if p := cms.PermissionsOf(ctx); p != nil || q.Content {
		l.allowed = func(line db.Activity) bool { return Readable(p, line) && !(q.Content && isOfAccounts(line)) }
	}
	return l.list(ctx, s, q)
}

// Requests lists the request log.
func Requests(ctx context.Context, s *db.DB, q Query) (db.Page[db.RequestLine], error) {
	l := log[db.RequestLine]{kind: db.LogRequest, days: db.RequestDays, value: valueOfRequest}
	return l.list(ctx, s, q)
}

// list lists the lines that match. With filters, a page may be short and still have a Next, because
// the older lines were not read.
func (l log[T]) list(ctx context.Context, s *db.DB, q Query) (db.Page[T], error) {
	page := db.Page[T]{Paging: q.Paging, Items: []T{}}
	filtered := len(q.Filters) > 0 || l.allowed != nil // lines are decoded to know whether they match
	check := digest(l.kind, q)
	before, err := s.DecodeCursor(ctx, check, q.Cursor)
	if err != nil {
		return page, err
	}
	walk := newWalk(s, l.kind, l.days, before)
	walk.between(q.From, q.Until)
	from, to := q.Offset(), q.Offset()+q.PerPage
	enough, seen := to+maxTotal, 0
	if q.Uncounted || q.Cursor != "" { // behind a cursor, the newer lines are missing in the total
		enough = to + 1
	}
	read := enough
	if filtered {
		read = firstRead
	}
	last, end := "", false // key of the page's last line; the end of the log was reached
	for page.Total < enough && (!filtered || seen < maxScan) {
		items, err := walk.nextLines(ctx, read)
		if err != nil {
			return page, err
		}
		if end = len(items) == 0; end {
			break
		}
		if seen += len(items); filtered {
			read = min(2*read, maxScan-seen)
		}
		for _, item := range items {
			shown := page.Total >= from && page.Total < to
			if shown || filtered {
				var line T
				if err := json.Unmarshal(item.Body, &line); err != nil {
					return page, err
				}
				if !l.matches(line, q.Filters) {
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

func (l log[T]) matches(line T, filters map[string]string) bool {
	for name, want := range filters {
		if l.value(line, name) != want {
			return false
		}
	}
	return l.allowed == nil || l.allowed(line)
}

// digest returns a digest of everything that decides which lines a list contains.
func digest(kind string, q Query) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %q %s %s", kind, q.Filters, q.From, q.Until))
	return sum[:]
}
