package db

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	small documents of a kind, all or by id          D#<kind>                            <id>
//	a name that must be unique within a kind         N#<kind>#<name>                     n
//	last transaction of some that come one by one    ALONE#<name>                        a
//	undispatched events                              OUT#<shard>                         <id of the first>
//	timers, by when to look at what they name        TIMER#<shard>                       <time><kind>/<ref>
//	what large changes have left to do               REST#<shard>                        <name>
//	how counters move, until that is merged          CH#<collection>                     c<time><unique> | s
//	how far secrets are sealed                       SECRETS                             s
//	key that seals cursors                           CURSORKEY                           k
//	value that the next request takes                HANDED#<kind>#<hash of a secret>    h
//	log lines of a kind and month                    L#<kind>#<month>#<shard>            <time><unique>

// Shards is the number of partitions over which the outbox, timers and logs are spread.
const Shards = 8

func DocPartition(kind string) string { return "D#" + kind }

func DocKey(kind, id string) table.Key {
	return table.Key{Partition: DocPartition(kind), Sort: id}
}

func NameKey(kind, name string) table.Key {
	return table.Key{Partition: "N#" + kind + "#" + name, Sort: "n"}
}

func aloneKey(name string) table.Key { return table.Key{Partition: "ALONE#" + name, Sort: "a"} }

// NameDigest returns a name for NameKey that stands for some texts of any length and with any characters.
func NameDigest(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:])
}

// cursorKey is the key of the row with the key that seals cursors.
var cursorKey = table.Key{Partition: "CURSORKEY", Sort: "k"}

func handedKey(kind, hash string) table.Key {
	return table.Key{Partition: "HANDED#" + kind + "#" + hash, Sort: "h"}
}

// SealingKey is the key of the row in which package secrets stores how far secrets are sealed.
func SealingKey() table.Key { return table.Key{Partition: "SECRETS", Sort: "s"} }

// OutboxPrefix begins the partition of every event that no worker has taken yet.
const OutboxPrefix = "OUT#"

func outboxPartition(shard int) string { return OutboxPrefix + strconv.Itoa(shard) }

func restPartition(shard int) string { return "REST#" + strconv.Itoa(shard) }

// ChangesPartition returns the partition with the change rows of a collection and their state (see
// package totals).
func ChangesPartition(collection string) string { return "CH#" + collection }

func changeKey(collection, unique string) table.Key {
	return table.Key{Partition: ChangesPartition(collection), Sort: "c" + unique}
}

// restKey spreads rests over the shards by their names.
func restKey(name string) table.Key {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // never fails
	return table.Key{Partition: restPartition(int(h.Sum32() % Shards)), Sort: name}
}

const timerPrefix = "TIMER#"

func timerPartition(shard int) string { return timerPrefix + strconv.Itoa(shard) }

// LogPartition returns the partition of the lines of a log in a month.
func LogPartition(kind string, month time.Time, shard int) string {
	return "L#" + kind + "#" + month.UTC().Format("2006-01") + "#" + strconv.Itoa(shard)
}

// TimeBytes encodes a time, to the microsecond, so that the bytes sort in the order of the times.
func TimeBytes(t time.Time) string {
	return string(binary.BigEndian.AppendUint64(nil, uint64(t.UnixMicro())^(1<<63)))
}

// TimeOf returns the time at the start of a sort key, where TimeBytes encoded it.
func TimeOf(sort string) cms.Time {
	return cms.At(time.UnixMicro(microsOf(sort)))
}

func microsOf(sort string) int64 {
	return int64(binary.BigEndian.Uint64([]byte(sort[:8])) ^ (1 << 63))
}

func VersionBytes(v int64) string {
	return string(binary.BigEndian.AppendUint64(nil, uint64(v)))
}
