package table

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// MaxWriteBytes is the maximum size of all items of one Write, as in a DynamoDB transaction.
const MaxWriteBytes = 4 << 20

const maxPartitionBytes = 1024

// Live reports whether the item has not expired at a time.
func (i *Item) Live(at time.Time) bool { return i.Expires == 0 || i.Expires > at.Unix() }

// Validate returns an error for a key that the port does not allow.
func (k Key) Validate() error {
	switch {
	case k.Partition == "" || len(k.Partition) > maxPartitionBytes:
		return fmt.Errorf("table: partition of %d bytes, want 1 to %d", len(k.Partition), maxPartitionBytes)
	case strings.IndexByte(k.Partition, 0) >= 0 || !utf8.ValidString(k.Partition):
		return errors.New("table: partition is not valid UTF-8 without NUL")
	case k.Sort == "" || len(k.Sort) > MaxSortBytes:
		return fmt.Errorf("table: sort key of %d bytes, want 1 to %d", len(k.Sort), MaxSortBytes)
	}
	return nil
}

// CheckKeys checks that keys are valid and distinct, which DynamoDB requires for every batch.
func CheckKeys(keys []Key) error {
	for i, k := range keys {
		if err := k.Validate(); err != nil {
			return fmt.Errorf("key %d: %w", i, err)
		}
	}
	return distinct(len(keys), func(i int) Key { return keys[i] })
}

// CheckOps validates the operations of a Write; every adapter calls it first. Errors are
// ErrTooLarge, or a mistake of the caller without a sentinel.
func CheckOps(ops []Op) error {
	if len(ops) > MaxOps {
		return fmt.Errorf("table: %d operations, at most %d", len(ops), MaxOps)
	}
	total := 0
	for i := range ops {
		op := &ops[i]
		if err := op.Item.Validate(); err != nil {
			return fmt.Errorf("operation %d: %w", i, err)
		}
		if op.Kind == Check && op.If == Always {
			return fmt.Errorf("table: operation %d checks nothing", i)
		}
		size, err := checkedSize(op.Item)
		if err != nil {
			return fmt.Errorf("operation %d: %w", i, err)
		}
		total += size
	}
	if total > MaxWriteBytes {
		return fmt.Errorf("%w: %d bytes in one write", ErrTooLarge, total)
	}
	return distinct(len(ops), func(i int) Key { return ops[i].Item.Key })
}

// CheckBatch validates the arguments of a BatchWrite.
func CheckBatch(puts []Item, deletes []Key) error {
	for i := range puts {
		if err := puts[i].Validate(); err != nil {
			return fmt.Errorf("put %d: %w", i, err)
		}
		if _, err := checkedSize(puts[i]); err != nil {
			return fmt.Errorf("put %d: %w", i, err)
		}
	}
	for i, k := range deletes {
		if err := k.Validate(); err != nil {
			return fmt.Errorf("delete %d: %w", i, err)
		}
	}
	return distinct(len(puts)+len(deletes), func(i int) Key {
		if i < len(puts) {
			return puts[i].Key
		}
		return deletes[i-len(puts)]
	})
}

func checkedSize(item Item) (int, error) {
	size := item.Size()
	if size > MaxItemBytes {
		return 0, fmt.Errorf("%w: %d bytes", ErrTooLarge, size)
	}
	return size, nil
}

// distinct compares pairwise if there are few keys, since that needs no memory.
func distinct(n int, key func(int) Key) error {
	if n <= 8 {
		for i := 1; i < n; i++ {
			for j := range i {
				if key(i) == key(j) {
					return fmt.Errorf("table: keys %d and %d are the same", j, i)
				}
			}
		}
		return nil
	}
	seen := make(map[Key]int, n)
	for i := range n {
		k := key(i)
		if j, ok := seen[k]; ok {
			return fmt.Errorf("table: keys %d and %d are the same", j, i)
		}
		seen[k] = i
	}
	return nil
}

// Bounds returns the sort keys of the range as lo <= key < hi; "" means no bound. ok is false if
// nothing can match.
//
// Bounds that are longer than a key can be, as in a forged cursor, are shortened so that they
// select the same keys.
func (r Range) Bounds() (lo, hi string, ok bool) {
	if len(r.Prefix) > MaxSortBytes {
		return "", "", false
	}
	from, to := r.From, r.To
	if len(from) > MaxSortBytes {
		if from = PrefixEnd(from[:MaxSortBytes]); from == "" {
			return "", "", false
		}
	}
	if len(to) > MaxSortBytes {
		to = PrefixEnd(to[:MaxSortBytes])
	}
	lo, hi = max(from, r.Prefix), PrefixEnd(r.Prefix)
	if to != "" && (hi == "" || to < hi) {
		hi = to
	}
	return lo, hi, hi == "" || lo < hi
}

// PrefixEnd returns the smallest key after all keys with the prefix, "" if there is none.
func PrefixEnd(prefix string) string {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xff {
			return prefix[:i] + string([]byte{prefix[i] + 1})
		}
	}
	return ""
}

// Plain reports whether a Write of this operation alone needs no transaction. That costs half on
// DynamoDB, and a retry does no harm.
func (o *Op) Plain() bool {
	return o.Kind == Put || o.Kind == Delete && o.If == Always
}
