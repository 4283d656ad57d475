package sim

import (
	"iter"
	"slices"
	"sort"
	"strings"
)

// order has the records of a partition by sort key. It keeps them in chunks, so that an insertion
// among a million moves few of them.
type order struct {
	chunks [][]row // none is empty
}

// row is a record and its sort key.
type row struct {
	sort string
	*stored
}

// chunkSize is the most rows of a chunk.
const chunkSize = 512

// find returns the chunk and the position in it at which a key is or would be.
func (o *order) find(key string) (chunk, at int, found bool) {
	if len(o.chunks) == 0 {
		return 0, 0, false
	}
	chunk = max(0, sort.Search(len(o.chunks), func(i int) bool { return o.chunks[i][0].sort > key })-1)
	at, found = slices.BinarySearchFunc(o.chunks[chunk], key,
		func(r row, key string) int { return strings.Compare(r.sort, key) })
	return chunk, at, found
}

// get returns the record of a key, nil if there is none.
func (o *order) get(key string) *stored {
	if chunk, at, found := o.find(key); found {
		return o.chunks[chunk][at].stored
	}
	return nil
}

// make returns the record of a key, which is made if there is none.
func (o *order) make(key string) *stored {
	chunk, at, found := o.find(key)
	if found {
		return o.chunks[chunk][at].stored
	}
	made := row{key, &stored{}}
	if len(o.chunks) == 0 {
		o.chunks = [][]row{{made}}
		return made.stored
	}
	rows := slices.Insert(o.chunks[chunk], at, made)
	o.chunks[chunk] = rows
	if len(rows) > chunkSize {
		half := len(rows) / 2
		o.chunks = slices.Insert(o.chunks, chunk+1, slices.Clone(rows[half:]))
		o.chunks[chunk] = slices.Clone(rows[:half])
	}
	return made.stored
}

// remove removes the record of a key, which must be there.
func (o *order) remove(key string) {
	chunk, at, _ := o.find(key)
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
	first, from, _ := o.find(lo)
	last := len(o.chunks) - 1
	to := len(o.chunks[last])
	if hi != "" {
		last, to, _ = o.find(hi)
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
