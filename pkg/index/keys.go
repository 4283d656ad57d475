package index

import (
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	index rows of a space and field                  I#<space>#<field>                   <value><default order><id>
//	counters of a space                              C#<space>                           <name><shard>
//
// A space is a set of documents that are listed together: <model id>.<generation>#<locale>#<status>
// for entries, F.<form id> for submissions, media.

func RowPartition(space, path string) string { return "I#" + space + "#" + path }

func rowKey(space, path string, value, order []byte, id uuid.UUID) table.Key {
	return table.Key{Partition: RowPartition(space, path),
		Sort: string(value) + string(order) + string(id[:])}
}

// RowID is the id of the document that an index row leads to.
func RowID(key table.Key) (id uuid.UUID) {
	copy(id[:], key.Sort[len(key.Sort)-len(id):])
	return id
}

// counterParts is over how many partitions the counters of a space are spread, by their names.
const counterParts = 16

func counterPartition(space, name string) string {
	h := fnv.New32a()
	if strings.HasPrefix(name, counterLabel) { // those of all labels are read together
		name = counterLabel
	}
	_, _ = h.Write([]byte(name))
	return counterPart(space, int(h.Sum32()%counterParts))
}

func counterPart(space string, part int) string { return "C#" + space + "#" + strconv.Itoa(part) }

// CounterKey is the key of a counter, which db.Tx.Count spreads over shards.
func CounterKey(space, name string) table.Key {
	return table.Key{Partition: counterPartition(space, name), Sort: name}
}
