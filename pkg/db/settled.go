package db

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// Who follows the activity log must know up to which time it is complete: a record whose
// transaction began earlier may be committed later. So each commit bounds how old its records are.
const (
	// A record that is older than this when its commit begins gets the time of the commit.
	restampAfter = time.Second
	// The longest time that the commit of a change with a record takes.
	commitTime = 20 * time.Second
	// How far clocks of processes differ, and how long a write may go on after its context ended.
	settleMargin = 5 * time.Second
)

// logged is an activity record of a transaction; op is the index of its operation.
type logged struct {
	op   int
	line Activity
}

// committing holds when the commits of this process began that write records.
type committing struct {
	mu     sync.Mutex
	starts map[*Tx]time.Time
}

// beginRecords notes that records are being committed, and renews the times of old ones. The
// returned function ends it, and turns the end of the time for a commit into ErrUnavailable.
func (s *DB) beginRecords(ctx context.Context, t *Tx) (context.Context, func(error) error) {
	if len(t.logged) == 0 {
		return ctx, func(err error) error { return err }
	}
	s.records.mu.Lock()
	defer s.records.mu.Unlock()
	if s.records.starts == nil {
		s.records.starts = map[*Tx]time.Time{}
	}
	now := s.Now()
	s.records.starts[t] = now.Time
	if now.Sub(t.Time.Time) > restampAfter {
		for _, l := range t.logged {
			l.line.Time = now
			t.Ops[l.op].Item = logItem(LogActivity, t.Shard, now.Time, s.ActivityDays, l.line)
		}
	}
	bounded, cancel := context.WithTimeout(ctx, commitTime)
	return bounded, func(err error) error {
		if bounded.Err() != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("%w: %w", table.ErrUnavailable, err)
		}
		cancel()
		s.records.mu.Lock()
		defer s.records.mu.Unlock()
		delete(s.records.starts, t)
		return err
	}
}

// settledBefore returns a time before which no activity record will be committed any more. It is
// some seconds ago if this process is the only one, else half a minute.
func (s *DB) settledBefore() time.Time {
	margin := restampAfter + settleMargin
	if s.AloneSince.IsZero() {
		return s.Clock().Add(-commitTime - margin)
	}
	s.records.mu.Lock()
	defer s.records.mu.Unlock()
	oldest := s.Clock()
	for _, start := range s.records.starts {
		if start.Before(oldest) {
			oldest = start
		}
	}
	return oldest.Add(-margin)
}

// ActivityRecord is a record of the activity log with its place in the log.
type ActivityRecord struct {
	Activity
	Position string // records are ordered by it
}

// ID returns a UUID that identifies the record.
func (r ActivityRecord) ID() string {
	id, err := uuid.FromBytes([]byte(r.Position[8:]))
	if err != nil {
		panic("db: a position has no id: " + err.Error())
	}
	return id.String()
}

// ActivityPosition returns the position before all records of a time.
func ActivityPosition(at cms.Time) string { return TimeBytes(at.Time) }

// ActivityAfter lists about limit records after a position, the oldest first. It leaves out records
// that are so new that earlier ones may still be committed: no later call returns a record that
// stands before one of these.
func (s *DB) ActivityAfter(ctx context.Context, position string, limit int) ([]ActivityRecord, error) {
	until := s.settledBefore()
	from := TimeOf(position).Time
	if oldest := s.Clock().AddDate(0, 0, -s.ActivityDays); from.Before(oldest) {
		from = oldest
	}
	for month := from.UTC(); LogPartition(LogActivity, month, 0) <= LogPartition(LogActivity, until, 0); {
		items, err := s.activityInMonth(ctx, month, table.Range{From: position + "\x00", To: TimeBytes(until),
			Limit: SpreadLimit(limit)})
		if len(items) > 0 || err != nil {
			return items, err
		}
		month = time.Date(month.Year(), month.Month()+1, 1, 0, 0, 0, 0, time.UTC)
	}
	return nil, nil
}

// activityInMonth reads a range from all shards of a month. It keeps only records that are older
// than all records not read yet.
func (s *DB) activityInMonth(ctx context.Context, month time.Time, r table.Range) ([]ActivityRecord, error) {
	parts, err := s.QueryShards(ctx, func(shard int) string { return LogPartition(LogActivity, month, shard) }, r, Shards)
	if err != nil {
		return nil, err
	}
	sure := r.To
	for _, part := range parts {
		if len(part) == r.Limit {
			sure = min(sure, part[r.Limit-1].Sort)
		}
	}
	var all []ActivityRecord
	for _, item := range slices.Concat(parts...) {
		if item.Sort > sure {
			continue
		}
		record := ActivityRecord{Position: item.Sort}
		if err := Unmarshal(item.Body, &record.Activity); err != nil {
			return nil, err
		}
		all = append(all, record)
	}
	cms.Sort(all, func(a, b ActivityRecord) int { return strings.Compare(a.Position, b.Position) })
	return all, nil
}
