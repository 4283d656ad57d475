package bolt

import (
	"bytes"
	"encoding/binary"
	"time"

	"go.etcd.io/bbolt"
)

const (
	purgeInterval = 2 * time.Second
	purgeBatch    = 1000 // expired items deleted in one commit
)

// purge deletes what has expired, up to a batch; the rest waits for the next time.
func (t *Table) purge() {
	now := t.now()
	t.counters.purge(now)
	// An error leaves the items for the next time; they read as absent anyway.
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

// dueKeys are the entries of the expiry index up to now, at most a batch.
func dueKeys(expiry *bbolt.Bucket, now time.Time) [][]byte {
	var due [][]byte
	cursor := expiry.Cursor()
	for k, _ := cursor.First(); k != nil && len(due) < purgeBatch; k, _ = cursor.Next() {
		if binary.BigEndian.Uint64(k) > uint64(now.Unix()) {
			break
		}
		due = append(due, bytes.Clone(k)) // deleting moves what k points to
	}
	return due
}

// purgeItem deletes an item if it has expired. The index may name one that was overwritten since,
// so the item's own time decides.
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
