// Package sim is an in-memory table that behaves like DynamoDB as AWS documents it, in ways that
// emulators do not: transactions lock their items for a while and refuse overlapping ones, reads
// see part of a transaction, eventual reads lag, keys and tables have a limited throughput, and
// connections break.
//
// It uses the clock and sleeps, so under testing/synctest an hour of load takes seconds. It retries
// errors like package dynamo.
package sim

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"headless/pkg/table"
)

// Options define the behavior of the table. The zero value responds at once, never refuses and
// never lags.
type Options struct {
	Trip        time.Duration // duration of a request
	HoldMin     time.Duration // how long a transaction locks its items, minimum
	HoldMax     time.Duration // and maximum
	Lag         time.Duration // maximum delay of eventual reads
	Late        time.Duration // how long an expired item stays in the table
	KeyReads    float64       // read units a second of one partition key; 0: no limit
	KeyWrites   float64       // write units a second of one partition key
	TableReads  float64       // read units a second of the table
	TableWrites float64       // write units a second of the table
	Unprocessed float64       // share of the keys in a batch that are not processed
	NoStream    bool          // keeps no changes for Changes and Deliver
	Seed        uint64
}

// AWS returns the documented limits of a new on-demand table. The durations of requests and
// transactions are those measured within a region.
func AWS() Options {
	return Options{
		Trip: 4 * time.Millisecond, HoldMin: 10 * time.Millisecond, HoldMax: 40 * time.Millisecond,
		Lag: time.Second, Late: 48 * time.Hour,
		KeyReads: 3000, KeyWrites: 1000, TableReads: 12000, TableWrites: 4000, Unprocessed: 0.01,
	}
}

// Usage is the cost of requests, including refused ones.
type Usage struct {
	Requests, Conflicts, Throttled int
	ReadUnits, WriteUnits          float64
}

// Table is a table.Table. It is safe for concurrent use.
type Table struct {
	opts Options

	mu         sync.Mutex // never locked during a sleep
	random     *rand.Rand
	partitions map[string]*partition
	reads      bucket // of the whole table
	writes     bucket
	usage      Usage
	dead       int // broken connections
	stream     []Record
	recent     map[table.Key]*recent
	changes    []change // that eventual reads may not see yet, the oldest first
	closed     bool
}

var _ table.Table = (*Table)(nil)

// New returns an empty table.
func New(opts Options) *Table {
	return &Table{
		opts: opts, random: rand.New(rand.NewPCG(opts.Seed, 1)), partitions: map[string]*partition{},
		recent: map[table.Key]*recent{},
	}
}

// Usage returns the cost so far.
func (t *Table) Usage() Usage {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.usage
}

// Reset sets the cost to zero.
func (t *Table) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.usage = Usage{}
}

// Freeze makes the next n requests fail as if their connections broke while the process was frozen.
func (t *Table) Freeze(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.dead = n
}

// Close implements table.Table.
func (t *Table) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	return nil
}

// The temporary failures of a request.
var (
	errConflict  = errors.New("sim: another transaction has locked an item")
	errThrottled = errors.New("sim: throttled")
	errLost      = errors.New("sim: connection lost")
)

const (
	maxAttempts  = 6 // as in package dynamo
	maxConflicts = 20
	firstDelay   = 20 * time.Millisecond
	longestDelay = 500 * time.Millisecond
)

// request makes a request until it is neither refused nor lost. With noRepeat, a lost request is
// not repeated.
func (t *Table) request(ctx context.Context, noRepeat bool, call func() error) error {
	conflicts := 0
	for attempt := 0; ; attempt++ {
		err := t.try(ctx, call)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errConflict):
			conflicts++
			table.Evade(ctx)
		case errors.Is(err, errLost) && noRepeat:
			return fmt.Errorf("%w: %w", table.ErrUnavailable, err)
		case !errors.Is(err, errThrottled) && !errors.Is(err, errLost):
			return err
		}
		if conflicts >= maxConflicts || attempt-conflicts >= maxAttempts-1 {
			return fmt.Errorf("%w: %w", table.ErrUnavailable, err)
		}
		if err := pause(ctx, t.jitter(min(firstDelay<<min(attempt, 10), longestDelay))); err != nil {
			return err
		}
	}
}

func (t *Table) try(ctx context.Context, call func() error) error {
	if err := pause(ctx, t.opts.Trip); err != nil {
		return err
	}
	t.mu.Lock()
	t.usage.Requests++
	closed, dead := t.closed, t.dead > 0
	if dead {
		t.dead--
	}
	t.mu.Unlock()
	switch {
	case closed:
		return fmt.Errorf("%w: sim: closed", table.ErrUnavailable)
	case dead:
		return errLost
	}
	return call()
}

func (t *Table) jitter(most time.Duration) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Duration(t.random.Int64N(int64(most) + 1))
}

func pause(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	return table.Pause(ctx, d)
}
