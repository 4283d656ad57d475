package content

import (
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"headless/pkg/db"
	"headless/pkg/index/totals"
	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	entry; its manifests; its revisions              E#<model id>#<entry id>             a | m<generation> | r<version>
//	entries that the index being built lacks         STALE#<model id>                    <entry id>
//	how far the building of an index has come        STALE#<model id>                    0
//	draft beside an entry; the draft's revisions     E#<model id>#<entry id>             d | x<slot>
//	comments on an entry; how many                   E#<model id>#<entry id>             c<comment id> | n
//	copy of an entry's translation group              E#<model id>#<entry id>             t
//	entry by slug                                    S#<model id>#<locale>#<slug>        s
//	unique value, entry of a single-type model       U#<model id>#<locale>#<field>#<h>   u
//	entry in the trash, by its id                    T#<entry id>                        t
//	purged entries with something left               ENTRYGONE                           <model id>/<entry id>
//	trash, by time of deletion                       TRASH                               <time><id>

func entryPartition(modelID, id string) string { return "E#" + modelID + "#" + id }

func entryKey(modelID, id string) table.Key {
	return table.Key{Partition: entryPartition(modelID, id), Sort: "a"}
}

// manifestPrefix starts the sort keys of an entry's manifests.
const manifestPrefix = "m"

// manifestKey returns the key of an entry's manifest in a generation of the model's index.
func manifestKey(modelID, id string, gen int) table.Key {
	return table.Key{Partition: entryPartition(modelID, id), Sort: manifestPrefix + strconv.Itoa(gen)}
}

// restName names the rest (db.Rest) of a change of an entry in a generation of the index.
func restName(modelID, id string, gen int) string {
	return modelID + "/" + id + "/" + strconv.Itoa(gen)
}

func stalePartition(modelID string) string { return "STALE#" + modelID }

// staleKey is the key of the mark of a stale entry.
func staleKey(modelID string, id uuid.UUID) table.Key {
	return table.Key{Partition: stalePartition(modelID), Sort: string(id[:])}
}

// progressKey sorts before all stale entries.
func progressKey(modelID string) table.Key {
	return table.Key{Partition: stalePartition(modelID), Sort: "\x00"}
}

// revisionPrefix starts the sort keys of an entry's revisions, which sort by version.
const revisionPrefix = "r"

func revisionKey(modelID, id string, version int64) table.Key {
	return table.Key{Partition: entryPartition(modelID, id), Sort: revisionPrefix + db.VersionBytes(version)}
}

func draftKey(modelID, id string) table.Key {
	return table.Key{Partition: entryPartition(modelID, id), Sort: "d"}
}

// draftRevisionPrefix starts the sort keys of the revisions of an entry's drafts.
const draftRevisionPrefix = "x"

// draftRevisionKey returns the key of one of DraftRevisions slots: a new revision overwrites the
// oldest.
func draftRevisionKey(modelID, id string, number int64) table.Key {
	slot := number % DraftRevisions
	return table.Key{Partition: entryPartition(modelID, id), Sort: draftRevisionPrefix + string(rune('a'+slot))}
}

// RowsOfSavers returns the rows that name who saved an entry.
func RowsOfSavers(modelID, id string) db.Rows {
	return db.RowsOf(entryPartition(modelID, id), revisionPrefix, draftRevisionPrefix, draftKey(modelID, id).Sort)
}

// CommentPrefix starts the sort keys of the comments on an entry; see package comments. Their ids sort
// by time.
const CommentPrefix = "c"

// CommentKey returns the key of a comment on an entry. With the id "" it is the start of all.
func CommentKey(modelID, id, comment string) table.Key {
	return table.Key{Partition: entryPartition(modelID, id), Sort: CommentPrefix + comment}
}

// CommentsKey returns the key of the number of comments on an entry. Its version changes with each
// change of a comment.
func CommentsKey(modelID, id string) table.Key {
	return table.Key{Partition: entryPartition(modelID, id), Sort: "n"}
}

// MemberKey returns the key of an entry's copy of its translation group; see package groups.
func MemberKey(modelID, id string) table.Key {
	return table.Key{Partition: entryPartition(modelID, id), Sort: "t"}
}

func slugKey(modelID, locale, slug string) table.Key {
	return table.Key{Partition: "S#" + modelID + "#" + locale + "#" + slug, Sort: "s"}
}

// IsClaim reports whether the key is that of a row that reserves a slug, a unique value or the place of the one entry.
func IsClaim(k table.Key) bool {
	return strings.HasPrefix(k.Partition, "S#") || strings.HasPrefix(k.Partition, "U#")
}

func uniqueKey(modelID, locale, field string, hash string) table.Key {
	return table.Key{Partition: "U#" + modelID + "#" + locale + "#" + field + "#" + hash, Sort: "u"}
}

const trashPartition = "TRASH"

// entryGonePartition lists purged entries whose revisions are not deleted yet.
const entryGonePartition = "ENTRYGONE"

func entryGoneKey(modelID, id string) table.Key {
	return table.Key{Partition: entryGonePartition, Sort: modelID + "/" + id}
}

func trashKey(deleted time.Time, id string) table.Key {
	return table.Key{Partition: trashPartition, Sort: db.TimeBytes(deleted) + id}
}

func trashIDKey(id string) table.Key { return table.Key{Partition: "T#" + id, Sort: "t"} }

// TrashSpace holds all deleted entries.
const TrashSpace = "trash"

// trashCounter counts the entries in the trash.
var trashCounter = db.Counter{Space: TrashSpace, Name: totals.All}
