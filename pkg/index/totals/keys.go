package totals

import (
	"hash/fnv"
	"strconv"
	"strings"

	"headless/pkg/db"
	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	far counters of a space                          C#<space>#<part>                    <name>
//	near counters, last merge of a collection        that of its change rows, see db     s

// parts is the number of partitions over which the counters of a space are spread, by their names.
const parts = 16

func partition(space, name string) string {
	h := fnv.New32a()
	if strings.HasPrefix(name, Label) { // the counters of all labels are read together
		name = Label
	}
	_, _ = h.Write([]byte(name))
	return part(space, int(h.Sum32()%parts))
}

func part(space string, n int) string { return "C#" + space + "#" + strconv.Itoa(n) }

func keyOf(c db.Counter) table.Key {
	return table.Key{Partition: partition(c.Space, c.Name), Sort: c.Name}
}

// counterOf returns the counter of a key.
func counterOf(key table.Key) db.Counter {
	space := strings.TrimPrefix(key.Partition, part("", 0)[:2])
	return db.Counter{Space: space[:strings.LastIndexByte(space, '#')], Name: key.Sort}
}

// stateKey sorts after all change rows.
func stateKey(collection string) table.Key {
	return table.Key{Partition: db.ChangesPartition(collection), Sort: "s"}
}
