// Package bolt stores the table in one file of the embedded engine bbolt, for one process.
//
// Items are in one bucket, ordered by partition and sort key; a second bucket orders items that
// expire by time. Reads are snapshots and never wait for the disk writes of others. Concurrent
// writers share a commit.
package bolt

import (
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"sync"
	"time"

	"go.etcd.io/bbolt"

	"headless/pkg/table"
)

const (
	queueLength = 1024
	lockTimeout = 2 * time.Second // to wait for another process that has the file open
)

var (
	itemsBucket  = []byte("items")
	expiryBucket = []byte("expiry")
)

var errClosed = fmt.Errorf("%w: bolt: closed", table.ErrUnavailable)

// Table is a table.Table in a file. Counters changed by Add are kept in memory, separate from the
// items: Get and Query do not see them.
type Table struct {
	db       *bbolt.DB
	now      func() time.Time
	counters *counters

	queue  chan *request
	done   chan struct{} // closed when the writer has ended
	mu     sync.RWMutex  // guards closed and sending to queue
	closed bool
}

var _ table.Table = (*Table)(nil)

// Option changes how a Table works.
type Option func(*Table)

// WithClock sets the clock by which items expire.
func WithClock(now func() time.Time) Option { return func(t *Table) { t.now = now } }

// WithoutSync does not wait until writes reach the disk. It is for tests and for bulk loads that
// can be repeated.
func WithoutSync() Option { return func(t *Table) { t.db.NoSync = true } }

// Open opens the file, and creates a missing one. It fails if another process has it open.
func Open(path string, opts ...Option) (*Table, error) {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{
		Timeout:         lockTimeout,
		InitialMmapSize: initialMmap(),
		FreelistType:    bbolt.FreelistMapType,
	})
	if err != nil {
		return nil, fmt.Errorf("bolt: open %s: %w", path, err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		_, err1 := tx.CreateBucketIfNotExists(itemsBucket)
		_, err2 := tx.CreateBucketIfNotExists(expiryBucket)
		return errors.Join(err1, err2)
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("bolt: prepare %s: %w", path, err), db.Close())
	}
	t := &Table{
		db: db, now: time.Now, counters: newCounters(),
		queue: make(chan *request, queueLength), done: make(chan struct{}),
	}
	for _, opt := range opts {
		opt(t)
	}
	go t.writeLoop()
	return t, nil
}

// initialMmap is the address space to map at once. A file that outgrows its map is mapped again,
// which waits for all readers and blocks new ones. Address space costs nothing, except on Windows,
// where the file is extended to the size of the map.
func initialMmap() int {
	switch {
	case bits.UintSize == 32:
		return 256 << 20
	case runtime.GOOS == "windows":
		return 64 << 20
	}
	big := 64
	return big << 30
}

// Close waits for accepted writes and closes the file. It may be called twice.
func (t *Table) Close() error {
	t.mu.Lock()
	if !t.closed {
		t.closed = true
		close(t.queue)
	}
	t.mu.Unlock()
	<-t.done
	return t.db.Close()
}
