package db

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// Counter is a number that transactions change: how many documents of a space share a property.
type Counter struct{ Space, Name string }

// CollectionOf returns the part of a space before its first #. The spaces of a collection share
// their change rows, so a document that moves from one space to another needs only one row.
func CollectionOf(space string) string {
	collection, _, _ := strings.Cut(space, "#")
	return collection
}

// Count adds n to a counter, and reports whether it is the first of its collection in this
// transaction. The transaction does not write the counter itself. It writes one change row for each
// collection, with the changes of all its counters. Package totals merges such rows.
func (t *Tx) Count(c Counter, n int64) (first bool) {
	collection := CollectionOf(c.Space)
	moves := t.counts[collection]
	if first = moves == nil; first {
		if t.counts == nil {
			t.counts = map[string]map[Counter]int64{}
		}
		moves = map[Counter]int64{}
		t.counts[collection] = moves
	}
	moves[c] += n
	return first
}

// putCounts adds the change rows.
func (t *Tx) putCounts() {
	for collection, moves := range t.counts {
		maps.DeleteFunc(moves, func(_ Counter, n int64) bool { return n == 0 })
		if len(moves) == 0 {
			continue
		}
		var random [8]byte
		_, _ = rand.Read(random[:]) // never fails
		t.Put(table.Item{Key: changeKey(collection, TimeBytes(t.DB.Clock())+string(random[:])),
			Body: EncodeMoves(nil, collection, moves)})
	}
}

// Written returns the operations of a transaction that is never committed, with those that count.
func (t *Tx) Written() []table.Op {
	t.putCounts()
	return t.Ops
}

// EncodeMoves appends the changes of a collection's counters to b. For each space it writes the
// part of its name after the collection and the number of its counters, then the name and the
// change of each counter.
func EncodeMoves(b []byte, collection string, moves map[Counter]int64) []byte {
	counters := slices.Collect(maps.Keys(moves))
	cms.Sort(counters, compareCounters)
	for len(counters) > 0 {
		space, n := counters[0].Space, 1
		for n < len(counters) && counters[n].Space == space {
			n++
		}
		b = appendText(b, space[len(collection):])
		b = binary.AppendUvarint(b, uint64(n))
		for _, c := range counters[:n] {
			b = binary.AppendVarint(appendText(b, c.Name), moves[c])
		}
		counters = counters[n:]
	}
	return b
}

func compareCounters(a, b Counter) int {
	if a.Space != b.Space {
		return strings.Compare(a.Space, b.Space)
	}
	return strings.Compare(a.Name, b.Name)
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

var errMoves = errors.New("db: damaged change row")

// EachMove calls do for each change that EncodeMoves wrote. rest is the name of the space without
// its collection. rest and name are valid only during the call.
func EachMove(b []byte, do func(rest, name []byte, n int64)) error {
	text := func() []byte {
		length, size := binary.Uvarint(b)
		if size <= 0 || length > uint64(len(b)-size) {
			return nil
		}
		part := b[size : size+int(length)]
		b = b[size+int(length):]
		return part
	}
	for len(b) > 0 {
		rest := text()
		counters, size := binary.Uvarint(b)
		if rest == nil || size <= 0 {
			return errMoves
		}
		b = b[size:]
		for range counters {
			name := text()
			n, size := binary.Varint(b)
			if name == nil || size <= 0 {
				return errMoves
			}
			b = b[size:]
			do(rest, name, n)
		}
	}
	return nil
}
