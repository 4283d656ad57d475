// Package table is the port to the ordered key-value table that holds all content.
//
// Items are addressed by a partition and a sort key. Within one partition, items are ordered by the
// bytes of the sort key. Two adapters implement the port: table/bolt (embedded) and table/dynamo
// (AWS); table/tabletest holds their conformance suite.
package table

import (
	"context"
	"errors"
	"fmt"
)

// Limits that hold on every adapter; they are those of DynamoDB.
const (
	MaxOps       = 100        // operations in one Write
	MaxItemBytes = 400 * 1024 // an item with its keys
	MaxSortBytes = 1024       // a sort key
)

// Key addresses one item. Partition is valid UTF-8 without NUL, not empty, at most 1 KiB.
// Sort holds any bytes, at least one and at most MaxSortBytes.
type Key struct{ Partition, Sort string }

// Item is one row of the table.
type Item struct {
	Key
	Version int64  // for optimistic locking: compared by VersionIs, set by the caller
	Count   int64  // changed atomically by Add operations
	Body    []byte // a document; nil where there is none
	Expires int64  // Unix seconds from which the item reads as absent; 0: never
}

// Condition of an operation on the item it names, evaluated before any operation of the same Write
// is applied.
type Condition int

// The conditions. An expired item counts as absent.
const (
	Always    Condition = iota
	Absent              // the item must not exist
	Present             // the item must exist
	VersionIs           // the item must exist with Op.Version
)

// OpKind is what an operation does.
type OpKind int

// The kinds of operation.
const (
	Put    OpKind = iota // store Item whole
	Delete               // remove Item.Key; removing an absent item succeeds
	// Add Item.Count to the item's Count, creating the item if absent; one that never expires takes
	// Item.Expires; Body and Version stay.
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

// Strong reads see every write that was acknowledged before; Eventual ones cost half and may lag.
const (
	Strong   Consistency = false
	Eventual Consistency = true
)

// Table is implemented by bolt.Table, dynamo.Table and the wrappers Counting and Faulty.
//
// Every method returns ctx.Err() (wrapped or not) when ctx ends first, and an error for which
// errors.Is(err, ErrUnavailable) holds when the store is throttled or away after the adapter's own
// retries.
type Table interface {
	// Get reads up to any number of distinct keys; the result has one element a key, in order, nil
	// where absent or expired. On DynamoDB up to 100 keys are one round trip; more are read in
	// parallel.
	Get(ctx context.Context, c Consistency, keys ...Key) ([]*Item, error)

	// Query returns the live items of a range in order. The adapter pages until Limit or the end.
	Query(ctx context.Context, r Range) ([]Item, error)

	// Write applies up to MaxOps operations atomically, each on a distinct key. When a condition
	// does not hold it changes nothing and returns *ConditionError with the index of the first such
	// operation. Conflicts with concurrent writes are retried inside, with jitter. An item over
	// MaxItemBytes is ErrTooLarge.
	Write(ctx context.Context, ops []Op) error

	// Add adds delta to the Count of key if the sum is at most max, and returns the new count.
	// Otherwise it changes nothing and returns ErrLimit. The item is created with expires if
	// absent. Counters changed by Add may be lost when the embedded engine stops, and only Add sees
	// them: use keys that Get, Query and Write do not touch. When it is unknown whether delta was
	// added, as after a lost connection, the error is ErrUnavailable and it was added at most once.
	Add(ctx context.Context, key Key, delta, max, expires int64) (int64, error)

	// BatchWrite puts and deletes items without atomicity: on an error some may have been applied.
	// All keys are distinct.
	BatchWrite(ctx context.Context, puts []Item, deletes []Key) error

	Close() error
}

// The errors of the port.
var (
	ErrUnavailable = errors.New("table: unavailable")
	ErrTooLarge    = errors.New("table: item too large")
	ErrLimit       = errors.New("table: counter at its limit")
)

// ConditionError tells which operation's condition did not hold.
type ConditionError struct{ Index int }

func (e *ConditionError) Error() string {
	return fmt.Sprintf("table: condition of operation %d does not hold", e.Index)
}
