package sim

import (
	"encoding/binary"
	"iter"

	"github.com/tidwall/btree"

	"headless/pkg/table"
)

// order has the rows of a partition by sort key.
type order = btree.BTreeG[row]

func newOrder() *order {
	return btree.NewBTreeGOptions(func(a, b row) bool { return a.sort() < b.sort() }, btree.Options{NoLocks: true})
}

// row is an item in one piece of memory, so that many millions fit: the length of the sort key in
// two bytes, the sort key, version, count and expiry as varints, and the body. It ends after the
// sort key if the item is deleted.
type row string

// pack returns the row of an item, nil for a deleted one.
func pack(sort string, item *table.Item) row {
	b := binary.BigEndian.AppendUint16(make([]byte, 0, 128), uint16(len(sort)))
	b = append(b, sort...)
	if item != nil {
		for _, n := range [...]int64{item.Version, item.Count, item.Expires} {
			b = binary.AppendVarint(b, n)
		}
		b = append(b, item.Body...)
	}
	return row(b)
}

func (r row) sort() string { return string(r[2:r.sortEnd()]) }

func (r row) sortEnd() int { return 2 + int(r[0])<<8 + int(r[1]) }

// itemCopy returns a copy of the item, nil if it is deleted.
func (r row) itemCopy(partition string) *table.Item {
	rest := []byte(r[r.sortEnd():])
	if len(rest) == 0 {
		return nil
	}
	item := &table.Item{Key: table.Key{Partition: partition, Sort: r.sort()}}
	for _, field := range [...]*int64{&item.Version, &item.Count, &item.Expires} {
		n, size := binary.Varint(rest)
		*field, rest = n, rest[size:]
	}
	if len(rest) > 0 {
		item.Body = rest
	}
	return item
}

// at returns a row of a key, to find those at it.
func at(sort string) row { return pack(sort, nil) }

// between yields the rows from lo on and before hi, if that is not empty, in their order or in
// reverse.
func between(o *order, lo, hi string, reverse bool) iter.Seq[row] {
	return func(yield func(row) bool) {
		switch {
		case !reverse:
			o.Ascend(at(lo), func(r row) bool { return (hi == "" || r.sort() < hi) && yield(r) })
		case hi == "":
			o.Reverse(func(r row) bool { return r.sort() >= lo && yield(r) })
		default:
			o.Descend(at(hi), func(r row) bool { return r.sort() == hi || r.sort() >= lo && yield(r) })
		}
	}
}
