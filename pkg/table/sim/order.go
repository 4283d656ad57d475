package sim

import (
	"encoding/binary"
	"iter"
	"slices"
	"sort"
	"strings"

	"headless/pkg/table"
)

// order has the rows of a partition by sort key. It keeps them in chunks, so that an insertion
// among a million moves few of them.
type order struct {
	chunks [][]row // none is empty
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

// chunkSize is the most rows of a chunk.
const chunkSize = 512

// findRow returns the chunk and the position in it at which a key is or would be.
func (o *order) findRow(key string) (chunk, at int, found bool) {
	if len(o.chunks) == 0 {
		return 0, 0, false
	}
	chunk = max(0, sort.Search(len(o.chunks), func(i int) bool { return o.chunks[i][0].sort() > key })-1)
	at, found = slices.BinarySearchFunc(o.chunks[chunk], key,
		func(r row, key string) int { return strings.Compare(r.sort(), key) })
	return chunk, at, found
}

// getRow returns the row of a key.
func (o *order) getRow(key string) (r row, ok bool) {
	if chunk, at, found := o.findRow(key); found {
		return o.chunks[chunk][at], true
	}
	return "", false
}

// putRow adds a row or replaces the one of its key.
func (o *order) putRow(r row) {
	chunk, at, found := o.findRow(r.sort())
	switch {
	case found:
		o.chunks[chunk][at] = r
		return
	case len(o.chunks) == 0:
		o.chunks = [][]row{{r}}
		return
	}
	rows := slices.Insert(o.chunks[chunk], at, r)
	o.chunks[chunk] = rows
	if len(rows) > chunkSize {
		half := len(rows) / 2
		o.chunks = slices.Insert(o.chunks, chunk+1, slices.Clone(rows[half:]))
		o.chunks[chunk] = slices.Clone(rows[:half])
	}
}

// removeRow removes the row of a key.
func (o *order) removeRow(key string) {
	chunk, at, found := o.findRow(key)
	if !found {
		return
	}
	if o.chunks[chunk] = slices.Delete(o.chunks[chunk], at, at+1); len(o.chunks[chunk]) == 0 {
		o.chunks = slices.Delete(o.chunks, chunk, chunk+1)
	}
}

// between yields the rows from lo on and before hi, if that is not empty, in their order or in
// reverse.
func (o *order) between(lo, hi string, reverse bool) iter.Seq[row] {
	if len(o.chunks) == 0 {
		return func(func(row) bool) {}
	}
	first, from, _ := o.findRow(lo)
	last := len(o.chunks) - 1
	to := len(o.chunks[last])
	if hi != "" {
		last, to, _ = o.findRow(hi)
	}
	return func(yield func(row) bool) {
		for n := range last - first + 1 {
			chunk := first + n
			if reverse {
				chunk = last - n
			}
			start, end := 0, len(o.chunks[chunk])
			if chunk == first {
				start = from
			}
			if chunk == last {
				end = to
			}
			for k := range max(0, end-start) {
				at := start + k
				if reverse {
					at = end - 1 - k
				}
				if !yield(o.chunks[chunk][at]) {
					return
				}
			}
		}
	}
}
