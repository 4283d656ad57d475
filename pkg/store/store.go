// Package store keeps the content of the service on the table port: typed documents, entries with their index rows, counters and
// text postings, events and logs. It knows how things are stored and listed; the rules are in pkg/service.
package store

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// Store is safe for concurrent use.
type Store struct {
	table    table.Table
	now      func() time.Time
	site     siteCache
	slugs    slugCache
	words    wordCache
	onEvents func()
	binSize  int // entries in a bin of ranks that is split
	maxScan  int // documents of earlier generations of an index that a query may look at one by one
}

// New makes a store on a table; now is the clock, time.Now outside tests.
func New(t table.Table, now func() time.Time) *Store {
	return &Store{table: t, now: now, maxScan: maxCollect, binSize: binSize}
}

// OnEvents sets what is called after each commit that raised events. Set it before the first commit; it must not block.
func (s *Store) OnEvents(call func()) { s.onEvents = call }

// Now is the time of the store's clock, as the API can express it.
func (s *Store) Now() cms.Time { return cms.At(s.now()) }

// Close closes the table.
func (s *Store) Close() error { return s.table.Close() }

// ErrNotFound is returned for a document that does not exist.
var ErrNotFound = errors.New("store: not found")

// ErrOvertaken is returned by a commit whose optimistic read was overtaken; Retry runs the use case again.
var ErrOvertaken = errors.New("store: overtaken by another write")

// retries is how often a use case is tried when other writers keep overtaking it.
const retries = 40

// Retry runs a use case that reads, decides and commits, again from the start whenever another writer was faster.
// After many tries it gives up with SERVICE_UNAVAILABLE.
func (s *Store) Retry(ctx context.Context, use func() error) error {
	for i := range retries {
		err := use()
		if !errors.Is(err, ErrOvertaken) {
			return err
		}
		pause := time.Duration(rand.Int64N(int64(time.Millisecond) << min(i, 6)))
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return &cms.Error{Code: cms.CodeUnavailable, Message: "Too many changes at once. Try again.", RetryAfter: time.Second}
}

// get reads one item; ErrNotFound when it is absent.
func (s *Store) get(ctx context.Context, key table.Key) (*table.Item, error) {
	items, err := s.table.Get(ctx, table.Strong, key)
	if err != nil {
		return nil, err
	}
	if items[0] == nil {
		return nil, ErrNotFound
	}
	return items[0], nil
}
