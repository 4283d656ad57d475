package store

import (
	"encoding/binary"
	"strconv"
	"time"

	"headless/pkg/table"
)

// Every key of the table is made in this file.
//
//	access pattern                                   partition                           sort
//	version of the configuration (8 equal copies)    CONFIG#<n>                          v
//	small documents of a kind, all or by id          D#<kind>                            <id>
//	a name that must be unique within a kind         N#<kind>#<name>                     n
//	API key by its public part                       KEY#<public key>                    k
//	requests of a key in a minute                    LIMIT#<key id>#<minute>             n
//	entry; its manifest; its revisions               E#<model id>#<entry id>             a | m | r<version>
//	entry by slug                                    S#<model id>#<locale>#<slug>        s
//	unique value, single-type place                  U#<model id>#<locale>#<field>#<h>   u
//	index rows of a space and field                  I#<space>#<field>                   <value><default order><id>
//	counters of a space                              C#<space>                           <name><shard>
//	text postings of a space                         P#<space>#<first rune>              <term> 0 <weight><id>
//	words of a dictionary, for prefixes              W#<space>#<first rune>              <word> 0 <term>
//	writes whose postings may be half done           Q#<space>                           <entry id>
//	trash, by time of deletion                       TRASH                               <time><id>
//	undispatched events                              OUT#<shard>                         <event id>
//	log lines of a kind and month                    L#<kind>#<month>#<shard>            <time><unique>
//
// A space is a set of documents listed together: <model id>.<generation>#<locale>#<status> for entries.

// shards is over how many items hot counters, the outbox and the configuration version are spread.
const shards = 8

func configKey(shard int) table.Key {
	return table.Key{Partition: "CONFIG#" + strconv.Itoa(shard), Sort: "v"}
}

func docPartition(kind string) string { return "D#" + kind }

func docKey(kind, id string) table.Key {
	return table.Key{Partition: docPartition(kind), Sort: id}
}

func nameKey(kind, name string) table.Key {
	return table.Key{Partition: "N#" + kind + "#" + name, Sort: "n"}
}

func publicKeyKey(public string) table.Key {
	return table.Key{Partition: "KEY#" + public, Sort: "k"}
}

func limitKey(keyID string, minute int64) table.Key {
	return table.Key{Partition: "LIMIT#" + keyID + "#" + strconv.FormatInt(minute, 10), Sort: "n"}
}

func outboxPartition(shard int) string { return "OUT#" + strconv.Itoa(shard) }

func logPartition(kind string, month time.Time, shard int) string {
	return "L#" + kind + "#" + month.UTC().Format("2006-01") + "#" + strconv.Itoa(shard)
}

func trashKey(deleted time.Time, id string) table.Key {
	return table.Key{Partition: "TRASH", Sort: timeBytes(deleted) + id}
}

// timeBytes orders as t does, to the microsecond.
func timeBytes(t time.Time) string {
	return string(binary.BigEndian.AppendUint64(nil, uint64(t.UnixMicro())^(1<<63)))
}

func versionBytes(v int64) string {
	return string(binary.BigEndian.AppendUint64(nil, uint64(v)))
}
