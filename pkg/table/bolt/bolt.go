// Package bolt keeps the table in one file of the embedded engine bbolt, for one process.
//
// Items live in one bucket ordered by partition and sort key; a second bucket orders what expires
// by time. Reads are snapshots and never wait for the disk writes of others; concurrent writers
// share a commit.
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
	lockTimeout = 2 * time.Second // for another process to let go of the file
)

var (
	itemsBucket  = []byte("items")
	expiryBucket = []byte("expiry")
)

var errClosed = fmt.Errorf("%w: bolt: closed", table.ErrUnavailable)

// Table is a table.Table in a file. Counters changed by Add are kept in memory, apart from the
// items: Get and Query do not see them.
type Table struct {
	db       *bbolt.DB
	now      func() time.Time
	counters *counters

	queue  chan *request
	done   chan struct{} // closed when the writer has ended
	mu     sync.RWMutex  // guards closed, and with it sending on queue
	closed bool
}

var _ table.Table = (*Table)(nil)

// Option changes how a Table works.
type Option func(*Table)

// WithClock sets the time by which items expire.
func WithClock(now func() time.Time) Option { return func(t *Table) { t.now = now } }

// WithoutSync leaves it to the system when writes reach the disk: for tests and for bulk loads that
// can be started over.
func WithoutSync() Option { return func(t *Table) { t.db.NoSync = true } }

// Open opens the file, creating it if absent. It fails when another process has it open.
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

// initialMmap is the address space to map at once. A file that outgrows its map is mapped anew,
// which waits for all readers and holds up new ones; address space costs nothing, except on
// Windows, where the file is extended to the map's size.
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

// Close waits for the writes that were accepted, then closes the file. It may be called twice.
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
