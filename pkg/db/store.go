package db

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db/waiting"
	"headless/pkg/seal"
	"headless/pkg/slice"
	"headless/pkg/table"
)

func RandomShard() int { return rand.IntN(Shards) }

// DB stores items in the table with transactions. It is safe for concurrent use.
type DB struct {
	Table    table.Table
	Clock    func() time.Time
	onEvents func()
	onTimers func()
	shards   shards
	sealer   seal.Sealer // nil: secrets are stored as they are
	onPurge  func(Purge)
	records  committing
	cursors  atomic.Pointer[cursorSealer] // nil until the first cursor
	askedKey atomic.Bool                  // see AskCursorKey
	// AloneSince is the start of this process if no other process uses the table: anything that an
	// earlier process was doing has ended. It is zero if other processes may use the table.
	AloneSince time.Time
	// ActivityDays is how many days the activity log is kept; set it before the first commit.
	ActivityDays int
	expect       func(spaces ...string) // see Over
	// Counting is what this process remembers about the merges of counters; see package totals.
	Counting waiting.Counting
}

// New opens a database on a table; now is the clock, time.Now outside tests.
func New(t table.Table, now func() time.Time) *DB {
	return &DB{Table: t, Clock: now, ActivityDays: activityDays}
}

// Over returns a database for reads from another table, over which something is laid. It seals and
// opens cursors as s does. expect is called before counters of spaces are read, whose change rows do not say
// in their keys of which spaces they are; nil for nothing.
func (s *DB) Over(t table.Table, expect func(spaces ...string)) *DB {
	over := &DB{Table: t, Clock: s.Clock, ActivityDays: s.ActivityDays, AloneSince: s.AloneSince, sealer: s.sealer,
		expect: expect}
	over.cursors.Store(s.cursors.Load())
	return over
}

// OnEvents sets a function that is called after each commit that raised events. Set it before the
// first commit; it must not block.
func (s *DB) OnEvents(call func()) { s.onEvents = call }

// Expect says that counters of some spaces are read next.
func (s *DB) Expect(spaces ...string) {
	if s.expect != nil {
		s.expect(spaces...)
	}
}

// Now returns the time of the store's clock, with the precision of the API.
func (s *DB) Now() cms.Time { return cms.At(s.Clock()) }

// Abandoned reports whether an operation that began at a time was run by an earlier process, which
// has ended. Nobody needs to wait for it.
func (s *DB) Abandoned(began time.Time) bool { return began.Before(s.AloneSince) }

// Close closes the table.
func (s *DB) Close() error { return s.Table.Close() }

// ErrNotFound is returned for a document that does not exist.
var ErrNotFound = errors.New("db: not found")

// ErrOvertaken is returned by a commit if another writer changed the data that it is based on.
// Retry runs the use case again.
var ErrOvertaken = errors.New("db: overtaken by another write")

// Get reads one item. It returns ErrNotFound if there is none.
func (s *DB) Get(ctx context.Context, key table.Key) (*table.Item, error) {
	if key.Validate() != nil { // no item can have it: it is made of what somebody sent
		return nil, ErrNotFound
	}
	items, err := s.Table.Get(ctx, table.Strong, key)
	if err != nil {
		return nil, err
	}
	if items[0] == nil {
		return nil, ErrNotFound
	}
	return items[0], nil
}

// Read reads and decodes an item whose body Pack or Marshal made. It returns ErrNotFound, and version 0, if there is
// none.
func Read[T any](ctx context.Context, s *DB, key table.Key) (v T, version int64, err error) {
	item, err := s.Get(ctx, key)
	if err != nil {
		return v, 0, err
	}
	return v, item.Version, Unpack(item.Body, &v)
}

// Missing returns instead if err is ErrNotFound, and err otherwise.
func Missing(err, instead error) error {
	if errors.Is(err, ErrNotFound) {
		return instead
	}
	return err
}

// Find is Read without the error: the zero value and version 0 stand for an item that does not exist.
func Find[T any](ctx context.Context, s *DB, key table.Key) (v T, version int64, err error) {
	v, version, err = Read[T](ctx, s, key)
	return v, version, Missing(err, nil)
}

// deleteTogether is how many items of a partition are deleted together.
const deleteTogether = 500

// DeleteAll removes every item of a partition.
func (s *DB) DeleteAll(ctx context.Context, partition string) error {
	for {
		items, err := s.Table.Query(ctx, table.Range{Partition: partition, Limit: deleteTogether})
		if err != nil || len(items) == 0 {
			return err
		}
		keys := slice.Map(items, func(i table.Item) table.Key { return i.Key })
		if err := s.Table.BatchWrite(ctx, nil, keys); err != nil {
			return err
		}
	}
}
