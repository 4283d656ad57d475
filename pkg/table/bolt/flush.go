package bolt

import (
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"go.etcd.io/bbolt"
)

// flush is a layer to put into the file, and the last segment of the log that has its changes.
type flush struct {
	changes *layer
	segment uint64
}

// How full the pages of the file are made where changes overflow one. A run is the changes that come
// between two keys of the file: most runs are long, since most keys come in the order of their
// partition. Their pages are made full. Pages of short runs are cut in halves: the next key may come
// anywhere, and a full page would be cut again, each time with a nearly empty one beside it.
const (
	fillOfRuns      = 1.0
	fillOfScattered = 0.5
	runBytes        = pageSize / 8 // of a long run

	// scatteredTogether is how many scattered changes one transaction makes. Each may replace a page,
	// and the file keeps as many free pages as a transaction replaced.
	scatteredTogether = 1000
)

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
		err := t.writeFlush(f)
		if err == nil {
			recycle(t.path, f.segment)
			removeSegments(t.path, f.segment)
		}
		if err == nil || t.isClosing() {
			return err
		}
		time.Sleep(flushRetry)
	}
}

func (t *Table) isClosing() bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.closed
}

// writeFlush puts the changes of a flush into the file, in several transactions. Their segments of the log
// can go after the last: after a crash in between, all changes are made again.
func (t *Table) writeFlush(f flush) error {
	runs, scattered, err := t.runs(f.changes)
	if err != nil {
		return err
	}
	for part := range slices.Chunk(scattered, scatteredTogether) {
		err := t.db.Update(func(tx *bbolt.Tx) error { return putChanges(tx, part, fillOfScattered) })
		if err != nil {
			return err
		}
	}
	return t.db.Update(func(tx *bbolt.Tx) error {
		return errors.Join(putChanges(tx, runs, fillOfRuns),
			tx.Bucket(flushBucket).Put(flushedKey, binary.BigEndian.AppendUint64(nil, f.segment)))
	})
}

// keyValue is a change: a key with its value, nil if the item is deleted.
type keyValue struct {
	key   string
	value []byte
}

// runs divides changes into those of long runs and the others. Both stay in the order of keys.
func (t *Table) runs(changes *layer) (long, scattered []keyValue, err error) {
	err = t.db.View(func(tx *bbolt.Tx) error {
		cursor := tx.Bucket(itemsBucket).Cursor()
		var run []keyValue
		size, next := 0, []byte{} // the key of the file after the run; nil at its end
		end := func() {
			if size >= runBytes {
				long = append(long, run...)
			} else {
				scattered = append(scattered, run...)
			}
			run, size = run[:0], 0
		}
		changes.Scan(func(key string, value []byte) bool {
			if next != nil && key >= string(next) {
				end()
				next, _ = cursor.Seek([]byte(key))
			}
			run, size = append(run, keyValue{key, value}), size+len(key)+len(value)
			return true
		})
		end()
		return nil
	})
	return long, scattered, err
}

// putChanges makes changes in the file.
func putChanges(tx *bbolt.Tx, changes []keyValue, fill float64) error {
	items, expiry := tx.Bucket(itemsBucket), tx.Bucket(expiryBucket)
	items.FillPercent, expiry.FillPercent = fill, fill
	for _, c := range changes {
		if err := changeItem(items, expiry, []byte(c.key), c.value); err != nil {
			return err
		}
	}
	return nil
}

// changeItem stores a value in the file, or deletes the item if the value is nil.
func changeItem(items, expiry *bbolt.Bucket, key, value []byte) error {
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
	if err := t.log.nextSegment(); err != nil {
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
