// Package table is the port to the ordered key-value table that stores all content.
//
// An item is identified by a partition key and a sort key. The items of a partition are ordered by
// the bytes of the sort key. Two adapters implement the port: table/bolt (embedded) and
// table/dynamo (AWS). Package table/tabletest has their conformance suite.
package table

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// The limits of every adapter; they are those of DynamoDB.
const (
	MaxOps       = 100        // operations in one Write
	MaxItemBytes = 400 * 1024 // an item, including its keys
	MaxSortBytes = 1024       // a sort key
)

// Key identifies one item. Partition is valid UTF-8 without NUL, not empty, at most 1 KiB. Sort is
// 1 to MaxSortBytes arbitrary bytes.
type Key struct{ Partition, Sort string }

// Item is one row of the table.
type Item struct {
	Key
	Version int64  // for optimistic locking: compared by VersionIs, set by the caller
	Count   int64  // changed atomically by Add operations
	Body    []byte // a document; nil: none
	Expires int64  // Unix seconds from which the item reads as absent; 0: never
}

// Condition is a condition of an operation on its item. It is evaluated before any operation of the
// same Write is applied.
type Condition int

// The conditions. An expired item counts as absent.
const (
	Always    Condition = iota
	Absent              // the item must not exist
	Present             // the item must exist
	VersionIs           // the item must exist with Op.Version
)

// OpKind is the kind of an operation.
type OpKind int

// The kinds of operation.
const (
	Put    OpKind = iota // store Item whole
	Delete               // remove Item.Key; removing an absent item succeeds
	// Add adds Item.Count to the item's Count and creates a missing item. An item without expiry
	// gets Item.Expires. Body and Version do not change.
	Add
	Check // change nothing, only evaluate If
)

// Op is one operation of a Write.
type Op struct {
	Kind    OpKind
	Item    Item
	If      Condition
	Version int64 // for VersionIs
}

// PutNext returns the operation that puts an item in the place of the version that was read, 0 for none. It gives
// the item the next version.
func PutNext(item Item, was int64) Op {
	item.Version = was + 1
	op := Op{Kind: Put, Item: item, If: VersionIs, Version: was}
	if was == 0 {
		op.If = Absent
	}
	return op
}

// BatchOps returns the puts and deletes of a BatchWrite as operations without conditions.
func BatchOps(puts []Item, deletes []Key) []Op {
	ops := make([]Op, 0, len(puts)+len(deletes))
	for i := range puts {
		ops = append(ops, Op{Kind: Put, Item: puts[i]})
	}
	for _, k := range deletes {
		ops = append(ops, Op{Kind: Delete, Item: Item{Key: k}})
	}
	return ops
}

// Range selects items of one partition in the order of their sort keys.
type Range struct {
	Partition string
	Prefix    string // only sort keys with this prefix
	From      string // inclusive lower bound; "" is none
	To        string // exclusive upper bound; "" is none
	Reverse   bool   // descending
	Limit     int    // at most this many items; 0 means all
	Eventual  bool   // allow a read that may miss the latest writes, at half the cost
}

// Consistency of a Get.
type Consistency bool

// Strong reads see every write that was acknowledged before; Eventual reads cost half and may be
// stale.
const (
	Strong   Consistency = false
	Eventual Consistency = true
)

// Table is implemented by bolt.Table, dynamo.Table and the wrappers Counting and Faulty.
//
// Every method returns ctx.Err() (wrapped or not) if ctx ends first, and an error that wraps
// ErrUnavailable if the store is throttled or unavailable after the adapter's retries.
type Table interface {
	// Get reads any number of distinct keys. The result has one element for each key, in order, nil
	// if the item is absent or expired. On DynamoDB, up to 100 keys take one round trip; more are
	// read in parallel.
	Get(ctx context.Context, c Consistency, keys ...Key) ([]*Item, error)

	// Query returns the live items of a range in order. The adapter pages until Limit or the end.
	Query(ctx context.Context, r Range) ([]Item, error)

	// Write applies up to MaxOps operations atomically, each on a distinct key. If a condition does
	// not hold, it changes nothing and returns *ConditionError with the index of the first such
	// operation. It retries conflicts with concurrent writes, with jitter. ErrTooLarge for an item
	// over MaxItemBytes.
	Write(ctx context.Context, ops []Op) error

	// Add adds delta to the Count of key if the sum is at most max, and returns the new count.
	// Otherwise it changes nothing and returns ErrLimit. A missing item is created with expires.
	// Counters changed by Add may be lost when the embedded engine stops, and only Add sees them:
	// use keys that Get, Query and Write do not use. ErrUnavailable if it is unknown whether delta
	// was added, as after a lost connection; it was added at most once.
	Add(ctx context.Context, key Key, delta, max, expires int64) (int64, error)

	// BatchWrite puts and deletes items, but not atomically: after an error, some may have been
	// applied. All keys must be distinct.
	BatchWrite(ctx context.Context, puts []Item, deletes []Key) error

	Close() error
}

// The errors of the port.
var (
	ErrUnavailable = errors.New("table: unavailable")
	ErrTooLarge    = errors.New("table: item too large")
	ErrLimit       = errors.New("table: counter is at its limit")
)

// ConditionError has the index of the operation whose condition did not hold.
type ConditionError struct{ Index int }

func (e *ConditionError) Error() string {
	return fmt.Sprintf("table: condition of operation %d does not hold", e.Index)
}

// TryWrite applies operations, or reports that it did not because a condition does not hold.
func TryWrite(ctx context.Context, t Table, ops ...Op) (done bool, err error) {
	err = t.Write(ctx, ops)
	if _, refused := errors.AsType[*ConditionError](err); refused {
		return false, nil
	}
	return err == nil, err
}

// Pause waits for d, or until the context ends, and returns the context's error then.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
