package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"time"

	"go.etcd.io/bbolt"
)

const (
	purgeInterval = 2 * time.Second
	purgeBatch    = 1000 // expired items deleted in one commit
)

// errNothing rolls back a transaction without changes, which saves its disk sync.
var errNothing = errors.New("bolt: nothing changed")

// purge deletes expired items from the file, at most one batch; the rest is deleted the next time.
// Readers see no difference: an expired item reads as absent, and newer ones are in a layer above.
func (t *Table) purge() {
	now := t.now()
	t.counters.purge(now)
	// After an error, the items are deleted the next time; they already read as absent.
	_ = t.db.Update(func(tx *bbolt.Tx) error {
		items, expiry := tx.Bucket(itemsBucket), tx.Bucket(expiryBucket)
		due := dueKeys(expiry, now)
		if len(due) == 0 {
			return errNothing
		}
		for _, k := range due {
			if err := purgeItem(items, k[8:], now); err != nil {
				return err
			}
			if err := expiry.Delete(k); err != nil {
				return err
			}
		}
		return nil
	})
}

// dueKeys returns the entries of the expiry index up to now, at most one batch.
func dueKeys(expiry *bbolt.Bucket, now time.Time) [][]byte {
	var due [][]byte
	cursor := expiry.Cursor()
	for k, _ := cursor.First(); k != nil && len(due) < purgeBatch; k, _ = cursor.Next() {
		if binary.BigEndian.Uint64(k) > uint64(now.Unix()) {
			break
		}
		due = append(due, bytes.Clone(k)) // deleting changes the memory of k
	}
	return due
}

// purgeItem deletes an item if it has expired. The index may have an entry for an item that was
// overwritten, so the item's own expiry decides.
func purgeItem(items *bbolt.Bucket, key []byte, now time.Time) error {
	value := items.Get(key)
	if value == nil {
		return nil
	}
	item, err := decodeValue(value)
	if err != nil || item.Live(now) {
		return err
	}
	return items.Delete(key)
}
