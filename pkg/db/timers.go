package db

import (
	"cmp"
	"context"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// Timer is a time at which something must be checked. Its row is only a pointer: the state of the
// thing that Ref names decides what to do, and the timer is cleared if that thing is gone. A timer
// is kept until it is cleared, so work that a crash interrupts is checked again.
type Timer struct {
	At   cms.Time
	Kind string // what Ref names: a word without "/"
	Ref  string
	Note string // for lists of timers: what the thing was when the timer was set; may be ""
}

// item returns the row of a timer.
func (t Timer) item() table.Item {
	item := table.Item{Key: timerKey(t)}
	if t.Note != "" {
		item.Body = []byte(t.Note)
	}
	return item
}

// timerKey spreads timers over the shards by their references.
func timerKey(t Timer) table.Key {
	h := fnv.New32a()
	_, _ = h.Write([]byte(t.Ref)) // never fails
	return table.Key{Partition: timerPartition(int(h.Sum32() % Shards)),
		Sort: TimeBytes(t.At.Time) + t.Kind + "/" + t.Ref}
}

// DecodeTimer reads a timer from the key of its row; ok is false for other rows.
func DecodeTimer(key table.Key) (t Timer, ok bool) {
	if !strings.HasPrefix(key.Partition, timerPrefix) || len(key.Sort) < 8 {
		return Timer{}, false
	}
	kind, ref, ok := strings.Cut(key.Sort[8:], "/")
	at := cms.Time{Time: time.UnixMicro(microsOf(key.Sort)).UTC()} // not cut to milliseconds: it names the row
	return Timer{At: at, Kind: kind, Ref: ref}, ok
}

// SetTimer adds a timer to the transaction, unless it is in it already.
func (t *Tx) SetTimer(timer Timer) {
	t.timers = true
	item := timer.item()
	if !slices.ContainsFunc(t.Ops, func(op table.Op) bool { return op.Item.Key == item.Key }) {
		t.Put(item)
	}
}

// ClearTimer removes a timer in the transaction.
func (t *Tx) ClearTimer(timer Timer) { t.Delete(timerKey(timer)) }

// MoveTimers replaces timers by others, outside any transaction: a crash may leave both.
func (s *DB) MoveTimers(ctx context.Context, from, to []Timer) error {
	puts, deletes := make([]table.Item, len(to)), make([]table.Key, len(from))
	for i, t := range to {
		puts[i] = t.item()
	}
	for i, t := range from {
		deletes[i] = timerKey(t)
	}
	err := s.Table.BatchWrite(ctx, puts, deletes)
	if err == nil && s.onTimers != nil && len(to) > 0 {
		s.onTimers()
	}
	return err
}

// ClaimTimer replaces a timer by another one. claimed is false if the timer is not set any more: another
// worker has claimed it.
func (s *DB) ClaimTimer(ctx context.Context, from, to Timer) (claimed bool, err error) {
	return table.TryWrite(ctx, s.Table,
		table.Op{Kind: table.Delete, Item: table.Item{Key: timerKey(from)}, If: table.Present},
		table.Op{Kind: table.Put, Item: to.item()})
}

// HasTimer reports whether a timer is set.
func (s *DB) HasTimer(ctx context.Context, t Timer) (bool, error) {
	items, err := s.Table.Get(ctx, table.Strong, timerKey(t))
	return err == nil && items[0] != nil, err
}

// Timers lists up to about limit timers whose time is before a time, the earliest first. From each
// shard it takes an equal share of limit at most.
func (s *DB) Timers(ctx context.Context, before time.Time, limit int) ([]Timer, error) {
	return s.timers(ctx, table.Range{To: TimeBytes(before), Limit: ShardLimit(limit)}, 1)
}

// TimersBetween lists the first timers from a time on and before another, limit of each shard, in one round
// trip.
func (s *DB) TimersBetween(ctx context.Context, from, to time.Time, limit int) ([]Timer, error) {
	return s.timers(ctx, table.Range{From: TimeBytes(from), To: TimeBytes(to), Limit: limit}, Shards)
}

// NextTimer returns the earliest timer of all; ok is false if there is none.
func (s *DB) NextTimer(ctx context.Context) (t Timer, ok bool, err error) {
	first, err := s.timers(ctx, table.Range{Limit: 1}, 1)
	if err != nil || len(first) == 0 {
		return Timer{}, false, err
	}
	return first[0], true, nil
}

// timers reads a range of each shard, so many at once. The sweeper, which reads them each minute in a new
// process, reads one after the other: else it would open a connection for each.
func (s *DB) timers(ctx context.Context, r table.Range, atOnce int) ([]Timer, error) {
	found, err := s.QueryShards(ctx, timerPartition, r, atOnce)
	if err != nil {
		return nil, err
	}
	var all []Timer
	for _, row := range slices.Concat(found...) {
		if t, ok := DecodeTimer(row.Key); ok {
			t.Note = string(row.Body)
			all = append(all, t)
		}
	}
	cms.Sort(all, func(a, b Timer) int { return cmp.Or(a.At.Compare(b.At.Time), cmp.Compare(a.Ref, b.Ref)) })
	return all, nil
}

// OnTimers sets a function that is called after each commit that set a timer. Set it before the
// first commit; it must not block.
func (s *DB) OnTimers(call func()) { s.onTimers = call }
