package bolt

import (
	"encoding/binary"
	"time"

	"go.etcd.io/bbolt"
)

// flush is a layer to put into the file, and the last segment of the log that has its changes.
type flush struct {
	changes *layer
	segment uint64
}

// fillPercent is how full the pages of the file are made. Most keys come in the order of their
// partition, so few pages are split again.
const fillPercent = 0.9

// flushRetry is how long a flush waits after an error, as of a full disk.
const flushRetry = time.Second

var flushedKey = []byte("segment")

// flushedSegment returns the number of the last segment whose changes are in the file.
func flushedSegment(bucket *bbolt.Bucket) uint64 {
	if b := bucket.Get(flushedKey); len(b) == 8 {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

// flushLoop is the only writer of the file.
func (t *Table) flushLoop() {
	ticker := time.NewTicker(purgeInterval)
	defer ticker.Stop()
	for {
		select {
		case f, ok := <-t.toFlush:
			if !ok {
				close(t.done)
				return
			}
			t.flushed <- t.flush(f)
		case <-ticker.C:
			t.purge()
		}
	}
}

// flush puts a layer into the file. After an error it tries again, until the table is closed: the
// log keeps the changes for the next process.
func (t *Table) flush(f flush) error {
	for {
		err := t.write(f)
		if err == nil {
			recycle(t.path, f.segment)
			removeSegments(t.path, f.segment)
		}
		if err == nil || t.closing() {
			return err
		}
		time.Sleep(flushRetry)
	}
}

func (t *Table) closing() bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.closed
}

// write puts the changes of a flush into the file. Their segments of the log can go then.
func (t *Table) write(f flush) error {
	return t.db.Update(func(tx *bbolt.Tx) (err error) {
		items, expiry := tx.Bucket(itemsBucket), tx.Bucket(expiryBucket)
		items.FillPercent, expiry.FillPercent = fillPercent, fillPercent
		f.changes.Scan(func(key string, value []byte) bool {
			err = change(items, expiry, []byte(key), value)
			return err == nil
		})
		if err != nil {
			return err
		}
		return tx.Bucket(flushBucket).Put(flushedKey, binary.BigEndian.AppendUint64(nil, f.segment))
	})
}

// change stores a value in the file, or deletes the item if the value is nil.
func change(items, expiry *bbolt.Bucket, key, value []byte) error {
	if value == nil {
		return items.Delete(key)
	}
	item, err := decodeValue(value)
	if err != nil {
		return err
	}
	if item.Expires > 0 {
		if err := expiry.Put(expiryKey(item.Expires, key), nil); err != nil {
			return err
		}
	}
	return items.Put(key, value)
}

// flushLarge begins to put the recent changes into the file if there are many. If the file does not
// keep up with the writers, they wait. After a flush has failed there are no others: the segments
// must reach the file in order.
func (t *Table) flushLarge() {
	if t.log.size < t.flushFrom || t.flushFailed != nil {
		return
	}
	if t.view.Load().flushing != nil && t.log.size >= maxLogBytes {
		t.endFlush(<-t.flushed)
	}
	t.startFlush()
}

// startFlush gives the recent changes to the flusher, unless it is at work. Without a new segment of
// the log, they stay where they are.
func (t *Table) startFlush() {
	v := t.view.Load()
	if v.flushing != nil {
		return
	}
	segment := t.log.segment
	if err := t.log.next(); err != nil {
		return
	}
	t.view.Store(&view{recent: newLayer(), flushing: v.recent, flushes: v.flushes})
	t.toFlush <- flush{v.recent, segment}
}

// endFlush takes the layer that is in the file now out of the view.
func (t *Table) endFlush(err error) {
	if t.flushFailed = err; err != nil {
		return
	}
	v := t.view.Load()
	t.view.Store(&view{recent: v.recent, flushes: v.flushes + 1})
}

// flushAll puts everything into the file before the table is closed.
func (t *Table) flushAll() {
	for t.flushFailed == nil {
		if t.view.Load().flushing != nil {
			t.endFlush(<-t.flushed)
			continue
		}
		before := t.log.segment
		if !t.log.empty() {
			t.startFlush()
		}
		if t.log.segment == before {
			break
		}
	}
	t.log.close()
	close(t.toFlush)
}
