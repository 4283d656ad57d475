package store

import (
	"encoding/binary"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// Every key of the table is made in this file.
//
//	access pattern                                   partition                           sort
//	version of the configuration (8 equal copies)    CONFIG#<n>                          v
//	small documents of a kind, all or by id          D#<kind>                            <id>
//	documents of the site, all at once or by id      D#site                              <kind>/<id>
//	a name that must be unique within a kind         N#<kind>#<name>                     n
//	API key by its public part                       KEY#<public key>                    k
//	requests of a key in a minute                    LIMIT#<key id>#<minute>             n
//	signed-in session by the hash of its token       SESSION#<hash>                      s
//	wrong sign-ins of an account                     SIGNIN#<hash of the address>        s
//	entry; its manifest; its revisions               E#<model id>#<entry id>             a | m | r<version>
//	entry by slug                                    S#<model id>#<locale>#<slug>        s
//	unique value, single-type place                  U#<model id>#<locale>#<field>#<h>   u
//	index rows of a space and field                  I#<space>#<field>                   <value><default order><id>
//	counters of a space                              C#<space>                           <name><shard>
//	text postings of a space, in blocks               P#<space>#<first rune>              <stem> 0 [<first id>]
//	words of a dictionary, for prefixes              W#<dictionary>#<first rune>         <word> 0 <stem>
//	texts that are not merged yet; their merges      Q#<model id>                        <entry id> | 0
//	ranks of the default order of a space            R#<space>                           r
//	entry in the trash, by its id                    T#<entry id>                        t
//	trash, by time of deletion                       TRASH                               <time><id>
//	undispatched events                              OUT#<shard>                         <event id>
//	delivery; its body; its attempts                 DL#<delivery id>                    d | b | n<attempt>
//	deliveries of a subscription, by time            DLS#<webhook id>                    <time><delivery id>
//	pending deliveries, by when to look at them      DUE#<shard>                         <time><delivery id>
//	deliveries that wait for a paused subscription   PARK#<webhook id>                   <delivery id>
//	state of a receiver; its places for workers      RCV#<webhook id>                    h | l<place>
//	findings of the latest sweep                     PIPELINE                            h
//	form posts of an address in the last minute      SUBMITS#<address>                   s
//	submission; its mails                            F#<form id>#<submission id>         a | e<number>
//	mails that are not sent yet, by when to look     MAILDUE#<shard>                     <time><form id>/<submission id>/<number>
//	deleted forms whose submissions are to go        FORMGONE                            <form id>
//	media file; its direct upload while it runs      M#<id>                              a | u
//	objects that may have no record, by when to look MEDIACHECK                          <time><id>
//	how far the objects are compared with records    MEDIASWEEP                          c
//	log lines of a kind and month                    L#<kind>#<month>#<shard>            <time><unique>
//
// A space is a set of documents listed together: <model id>.<generation>#<locale>#<status> for entries, F.<form id> for submissions, media.

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

func sessionKey(tokenHash string) table.Key {
	return table.Key{Partition: "SESSION#" + tokenHash, Sort: "s"}
}

func signInsKey(account string) table.Key {
	return table.Key{Partition: "SIGNIN#" + account, Sort: "s"}
}

func outboxPartition(shard int) string { return "OUT#" + strconv.Itoa(shard) }

func logPartition(kind string, month time.Time, shard int) string {
	return "L#" + kind + "#" + month.UTC().Format("2006-01") + "#" + strconv.Itoa(shard)
}

func rowPartition(space, path string) string { return "I#" + space + "#" + path }

func rowKey(space, path string, value, order []byte, id uuid.UUID) table.Key {
	return table.Key{Partition: rowPartition(space, path), Sort: string(value) + string(order) + string(id[:])}
}

func rankKey(space string) table.Key { return table.Key{Partition: "R#" + space, Sort: "r"} }

func counterPartition(space string) string { return "C#" + space }

func counterKey(space, name string, shard int) table.Key {
	return table.Key{Partition: counterPartition(space), Sort: name + "\x00" + string(rune('0'+shard))}
}

func entryPartition(modelID, id string) string { return "E#" + modelID + "#" + id }

func entryKey(modelID, id string) table.Key {
	return table.Key{Partition: entryPartition(modelID, id), Sort: "a"}
}

func manifestKey(modelID, id string) table.Key {
	return table.Key{Partition: entryPartition(modelID, id), Sort: "m"}
}

// revisionPrefix starts the sort keys of an entry's revisions, which order by version.
const revisionPrefix = "r"

func revisionKey(modelID, id string, version int64) table.Key {
	return table.Key{Partition: entryPartition(modelID, id), Sort: revisionPrefix + versionBytes(version)}
}

func slugKey(modelID, locale, slug string) table.Key {
	return table.Key{Partition: "S#" + modelID + "#" + locale + "#" + slug, Sort: "s"}
}

func uniqueKey(modelID, locale, field string, hash string) table.Key {
	return table.Key{Partition: "U#" + modelID + "#" + locale + "#" + field + "#" + hash, Sort: "u"}
}

// entrySpace is the set of a model's entries that are listed together.
func entrySpace(modelID string, gen int, locale string, status cms.Status) string {
	return modelID + "." + strconv.Itoa(gen) + "#" + locale + "#" + string(status)
}

const trashPartition = "TRASH"

func trashKey(deleted time.Time, id string) table.Key {
	return table.Key{Partition: trashPartition, Sort: timeBytes(deleted) + id}
}

func trashIDKey(id string) table.Key { return table.Key{Partition: "T#" + id, Sort: "t"} }

func trashCountKey(shard int) table.Key { return counterKey("trash", counterTotal, shard) }

const (
	deliverySort  = "d"
	bodySort      = "b"
	attemptPrefix = "n"
	receiverSort  = "h"
	placePrefix   = "l"
)

func deliveryPartition(id string) string { return "DL#" + id }

func deliveryKey(id string) table.Key {
	return table.Key{Partition: deliveryPartition(id), Sort: deliverySort}
}

func deliveryBodyKey(id string) table.Key {
	return table.Key{Partition: deliveryPartition(id), Sort: bodySort}
}

func attemptKey(id string, attempt int) table.Key {
	return table.Key{Partition: deliveryPartition(id), Sort: attemptPrefix + versionBytes(int64(attempt))}
}

func deliveryListPartition(webhookID string) string { return "DLS#" + webhookID }

func deliveryListKey(webhookID string, created time.Time, id string) table.Key {
	return table.Key{Partition: deliveryListPartition(webhookID), Sort: timeBytes(created) + id}
}

func duePartition(shard int) string { return "DUE#" + strconv.Itoa(shard) }

// dueKey spreads deliveries by the last hexadecimal digit of their ids.
func dueKey(due time.Time, id string) table.Key {
	return table.Key{Partition: duePartition(int(id[len(id)-1]) % shards), Sort: timeBytes(due) + id}
}

func parkPartition(webhookID string) string { return "PARK#" + webhookID }

func parkKey(webhookID, id string) table.Key {
	return table.Key{Partition: parkPartition(webhookID), Sort: id}
}

func receiverPartition(webhookID string) string { return "RCV#" + webhookID }

func receiverKey(webhookID string) table.Key {
	return table.Key{Partition: receiverPartition(webhookID), Sort: receiverSort}
}

func placeKey(webhookID string, place int) table.Key {
	return table.Key{Partition: receiverPartition(webhookID), Sort: placePrefix + strconv.Itoa(place)}
}

func pipelineKey() table.Key { return table.Key{Partition: "PIPELINE", Sort: "h"} }

// blockPrefix begins the keys of all blocks of a list of postings, and is the key of the first.
func blockPrefix(space, stem string) table.Key {
	return table.Key{Partition: "P#" + space + "#" + firstRune(stem), Sort: stem + "\x00"}
}

// blockKey is the key of the block that holds the postings from an entry on.
func blockKey(space, stem string, from uuid.UUID) table.Key {
	key := blockPrefix(space, stem)
	key.Sort += string(from[:])
	return key
}

// dictionaryOf is the space without the status: the entries of a model and locale share their words.
func dictionaryOf(space string) string {
	parts := strings.SplitN(space, "#", 4)
	if len(parts) == 4 {
		return parts[0] + "#" + parts[1] + "#" + parts[3]
	}
	return parts[0] + "#" + parts[1]
}

func wordKey(dictionary, word, stem string) table.Key {
	return table.Key{Partition: "W#" + dictionary + "#" + firstRune(word), Sort: word + "\x00" + stem}
}

func firstRune(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return s[:n]
}

func pendingPartition(modelID string) string { return "Q#" + modelID }

func pendingKey(modelID string, id uuid.UUID) table.Key {
	return table.Key{Partition: pendingPartition(modelID), Sort: string(id[:])}
}

// pendingEntry is the entry of a pending change; ok is false for the state of the merges.
func pendingEntry(key table.Key) (id uuid.UUID, ok bool) {
	return id, copy(id[:], key.Sort) == len(id)
}

// mergesKey sorts before all pending changes.
func mergesKey(modelID string) table.Key {
	return table.Key{Partition: pendingPartition(modelID), Sort: "\x00"}
}

func submitsKey(address string) table.Key {
	return table.Key{Partition: "SUBMITS#" + address, Sort: "s"}
}

// mailPrefix starts the sort keys of a submission's mails.
const mailPrefix = "e"

func submissionPartition(formID, id string) string { return "F#" + formID + "#" + id }

func submissionKey(formID, id string) table.Key {
	return table.Key{Partition: submissionPartition(formID, id), Sort: "a"}
}

func submissionSpace(formID string) string { return "F." + formID }

func mailKey(r MailRef) table.Key {
	return table.Key{Partition: submissionPartition(r.FormID, r.SubmissionID), Sort: mailPrefix + strconv.Itoa(r.N)}
}

func mailDuePartition(shard int) string { return "MAILDUE#" + strconv.Itoa(shard) }

// mailDueKey spreads mails by the last hexadecimal digit of the submission's id.
func mailDueKey(due time.Time, r MailRef) table.Key {
	shard := int(r.SubmissionID[len(r.SubmissionID)-1]) % shards
	return table.Key{Partition: mailDuePartition(shard), Sort: timeBytes(due) + r.FormID + "/" + r.SubmissionID + "/" + strconv.Itoa(r.N)}
}

const formGonePartition = "FORMGONE"

func formGoneKey(formID string) table.Key {
	return table.Key{Partition: formGonePartition, Sort: formID}
}

func mediaPartition(id string) string { return "M#" + id }

func mediaKey(id string) table.Key { return table.Key{Partition: mediaPartition(id), Sort: "a"} }

func directUploadKey(id string) table.Key {
	return table.Key{Partition: mediaPartition(id), Sort: "u"}
}

// mediaSpace holds all media files.
const mediaSpace = "media"

const mediaCheckPartition = "MEDIACHECK"

func mediaCheckKey(due time.Time, id string) table.Key {
	return table.Key{Partition: mediaCheckPartition, Sort: timeBytes(due) + id}
}

func mediaSweepKey() table.Key { return table.Key{Partition: "MEDIASWEEP", Sort: "c"} }

// timeBytes orders as t does, to the microsecond.
func timeBytes(t time.Time) string {
	return string(binary.BigEndian.AppendUint64(nil, uint64(t.UnixMicro())^(1<<63)))
}

// timeOf is the time at the start of a sort key that timeBytes made.
func timeOf(sort string) cms.Time {
	return cms.At(time.UnixMicro(int64(binary.BigEndian.Uint64([]byte(sort[:8])) ^ (1 << 63))))
}

func versionBytes(v int64) string {
	return string(binary.BigEndian.AppendUint64(nil, uint64(v)))
}
