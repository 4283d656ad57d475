// Package bolt stores the table in one file of the embedded engine bbolt, for one process.
//
// A write is on disk as soon as it is in the write-ahead log beside the file: one small write and
// one disk sync, which concurrent writers share. Until a background task puts many of them into
// the file together, the changes are also kept in memory, in a layer above the file. Items that
// are written and soon deleted never reach the file.
//
// An item is stored as it is, so that a read takes one look-up and no decompression. This takes disk: of
// 9.1 KB of keys and values of an entry of 1.4 KB with 14 index rows, 2.2 are the values of the entry,
// which each index row has, and 0.7 its first revision. The pages are five sixths full, and a
// twentieth of the file is free for the next flush: 11.3 KB an entry.
//
// In the file, items are in one bucket, ordered by partition and sort key; a second bucket orders
// items that expire by time. Reads are snapshots and never wait for the disk writes of others.
package bolt

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"

	"headless/pkg/table"
)

const (
	queueLength = 1024
	lockTimeout = 2 * time.Second // to wait for another process that has the file open

	// flushBytes is the size of the log from which its changes are put into the file. It bounds the
	// memory of a layer, and the log that is read after a crash.
	flushBytes = 8 << 20
	// maxLogBytes is the size of the log at which writers wait for the file.
	maxLogBytes = 4 * flushBytes
)

var (
	itemsBucket  = []byte("items")
	expiryBucket = []byte("expiry")
	flushBucket  = []byte("flush")
)

var errClosed = fmt.Errorf("%w: bolt: closed", table.ErrUnavailable)

// Table is a table.Table in a file. Counters changed by Add are kept in memory, separate from the
// items: Get and Query do not see them.
type Table struct {
	path     string
	db       *bbolt.DB
	now      func() time.Time
	noSync   bool
	progress func(percent int) // nil: nobody is told
	counters *counters
	view     atomic.Pointer[view] // stored by the writer only

	log         *wal   // used by the writer only
	record      []byte // memory for the next record, likewise
	flushFrom   int64
	toFlush     chan flush
	flushed     chan error // how a flush ended
	flushFailed error      // the flush that failed when the table was closed; used by the writer only

	queue  chan *request
	done   chan struct{} // closed when the writer and the flusher have ended
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
func WithoutSync() Option { return func(t *Table) { t.noSync = true } }

// WithProgress is told now and then how much of a file of an earlier format is converted by Open, in
// percent.
func WithProgress(tell func(percent int)) Option { return func(t *Table) { t.progress = tell } }

// flushingFrom sets another size of the log from which it is flushed, for tests.
func flushingFrom(size int64) Option { return func(t *Table) { t.flushFrom = size } }

// Open opens the file, and creates a missing one. Changes that a crash left in the log are put into
// the file. Open fails if another process has the file open.
func Open(path string, opts ...Option) (*Table, error) {
	t := &Table{
		path: path, now: time.Now, counters: newCounters(),
		record: make([]byte, recordHeader), flushFrom: flushBytes,
		toFlush: make(chan flush, 1), flushed: make(chan error, 1),
		queue: make(chan *request, queueLength), done: make(chan struct{}),
	}
	for _, opt := range opts {
		opt(t)
	}
	var err error
	if t.db, err = openFile(path, t.progress); err != nil {
		return nil, fmt.Errorf("bolt: open %s: %w", path, err)
	}
	t.db.NoSync = t.noSync
	if err := t.replayLog(); err != nil {
		return nil, errors.Join(fmt.Errorf("bolt: prepare %s: %w", path, err), t.db.Close())
	}
	go t.flushLoop()
	go t.writeLoop()
	return t, nil
}

// replayLog puts what a crash left in the log into the file, and starts a new log.
func (t *Table) replayLog() error {
	var flushed uint64
	err := t.db.Update(func(tx *bbolt.Tx) error {
		_, err1 := tx.CreateBucketIfNotExists(itemsBucket)
		_, err2 := tx.CreateBucketIfNotExists(expiryBucket)
		bucket, err3 := tx.CreateBucketIfNotExists(flushBucket)
		if err3 == nil {
			flushed = flushedSegment(bucket)
		}
		return errors.Join(err1, err2, err3)
	})
	if err != nil {
		return err
	}
	removeSegments(t.path, flushed)
	left := flush{changes: newLayer()}
	if left.segment, err = replay(t.path, flushed, left.changes); err != nil {
		return err
	}
	if left.segment > flushed {
		if err := t.writeFlush(left); err != nil {
			return err
		}
		removeSegments(t.path, left.segment)
	}
	t.view.Store(&view{recent: newLayer()})
	t.log = &wal{path: t.path, noSync: t.noSync, segment: left.segment}
	return t.log.nextSegment()
}

// Close waits for accepted writes, puts them into the file and closes it. It may be called twice.
func (t *Table) Close() error {
	t.mu.Lock()
	if !t.closed {
		t.closed = true
		close(t.queue)
	}
	t.mu.Unlock()
	<-t.done
	return errors.Join(t.flushFailed, t.db.Close())
}
