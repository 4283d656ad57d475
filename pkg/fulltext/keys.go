package fulltext

import (
	"encoding/binary"
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"headless/pkg/fulltext/segment"
	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	texts of a model that no segment has yet         Q#<0 to 7>                          <index name> 0 <entry id>
//	live segments; leases; segments to delete        FT                                  r | f, m, n | g<time><id>
//	page of a segment                                FT#<segment id>#<section><n / 64>   <n % 64>

const (
	pendingPartitions = 8
	pagesTogether     = 64 // pages of a partition
	rootPartition     = "FT"
	garbagePrefix     = "g"
)

var rootKey = table.Key{Partition: rootPartition, Sort: "r"}

// The leases of the work that only one process should do at a time.
var (
	flushLease = table.Key{Partition: rootPartition, Sort: "f"}
	smallLease = table.Key{Partition: rootPartition, Sort: "m"} // merges of small segments
	largeLease = table.Key{Partition: rootPartition, Sort: "n"} // merges of large segments
)

// garbageKey is the key of the row that names segments which are not live since a time.
func garbageKey(at time.Time, id segment.ID) table.Key {
	return table.Key{Partition: rootPartition, Sort: garbageBefore(at) + string(idBytes(id))}
}

// garbageBefore returns the sort key that follows those of all older garbage.
func garbageBefore(at time.Time) string {
	return garbagePrefix + string(binary.BigEndian.AppendUint64(nil, uint64(at.UnixMilli())))
}

func idBytes(id segment.ID) []byte { return binary.BigEndian.AppendUint64(nil, uint64(id)) }

// pendingNumbers returns the two partitions that the pending rows of an index are in. Together they
// take twice the writes of one partition, and the rows of most other indexes are elsewhere.
func pendingNumbers(name string) [2]int {
	h := fnv.New32a()
	h.Write([]byte(name))
	n := int(h.Sum32() % (pendingPartitions * (pendingPartitions - 1)))
	first := n % pendingPartitions
	return [2]int{first, (first + 1 + n/pendingPartitions) % pendingPartitions}
}

func pendingPartition(n int) string { return "Q#" + strconv.Itoa(n) }

// PendingPartitions returns the partitions of the pending rows of an index.
func PendingPartitions(name string) []string {
	numbers := pendingNumbers(name)
	return []string{pendingPartition(numbers[0]), pendingPartition(numbers[1])}
}

// pendingPrefix starts the sort keys of the pending rows of an index.
func pendingPrefix(name string) string { return name + "\x00" }

func pendingKey(name string, id uuid.UUID) table.Key {
	return table.Key{Partition: PendingPartitions(name)[id[len(id)-1]&1], Sort: pendingPrefix(name) + string(id[:])}
}

// pendingOf returns the index and the entry of a pending row.
func pendingOf(key table.Key) (name string, id uuid.UUID) {
	name, rest, _ := strings.Cut(key.Sort, "\x00")
	copy(id[:], rest)
	return name, id
}

// pageRef names a page of a segment.
type pageRef struct {
	id      segment.ID
	section segment.Section
	n       int
}

func (p pageRef) key() table.Key {
	return table.Key{Partition: rootPartition + "#" + strconv.FormatUint(uint64(p.id), 36) + "#" +
		string(p.section) + strconv.Itoa(p.n/pagesTogether), Sort: string([]byte{byte(p.n % pagesTogether)})}
}

// dictionaryOf returns the part of a space that names its locale: its words are kept apart from
// those of other locales.
func dictionaryOf(space string) string {
	parts := strings.SplitN(space, "#", 3)
	return parts[min(1, len(parts)-1)]
}

// indexOf returns the index name that a space begins with.
func indexOf(space string) string {
	name, _, _ := strings.Cut(space, "#")
	return name
}
