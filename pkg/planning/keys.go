package planning

import (
	"fmt"
	"strings"

	"headless/pkg/db"
	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                          partition                     sort
//	plan of an entry                        PLAN#<model id>#<entry id>    p
//	releases that publish it; last mail     PLAN#<model id>#<entry id>    r<release id> | m
//	release; its items; its problems        RELEASE#<release id>          h | i | p<position>
//	items changed after they were planned   RELEASE#<release id>          c<entry id>
//	releases by age                         RELEASES                      <release id>

// The kinds of timers of this package.
const (
	KindSchedule = "schedule" // ref: <model id>/<entry id>
	KindRelease  = "release"  // ref: <release id>
)

const releasesPartition = "RELEASES"

func releasePartition(id string) string { return "RELEASE#" + id }

func releaseKey(id string) table.Key { return table.Key{Partition: releasePartition(id), Sort: "h"} }

func releaseListKey(id string) table.Key { return table.Key{Partition: releasesPartition, Sort: id} }

func releaseItemsKey(id string) table.Key {
	return table.Key{Partition: releasePartition(id), Sort: "i"}
}

const problemPrefix = "p"

func problemKey(id string, position int) table.Key {
	return table.Key{Partition: releasePartition(id), Sort: fmt.Sprintf("%s%08d", problemPrefix, position)}
}

func planPartition(modelID, entryID string) string { return "PLAN#" + modelID + "#" + entryID }

func planKey(modelID, entryID string) table.Key {
	return table.Key{Partition: planPartition(modelID, entryID), Sort: "p"}
}

func planOfReleaseKey(modelID, entryID, releaseID string) table.Key {
	return table.Key{Partition: planPartition(modelID, entryID), Sort: "r" + releaseID}
}

// releaseOfPlan is the inverse of planOfReleaseKey; ok is false for other rows.
func releaseOfPlan(key table.Key) (id string, ok bool) { return strings.CutPrefix(key.Sort, "r") }

const mailedSort = "m"

func mailedKey(modelID, entryID string) table.Key {
	return table.Key{Partition: planPartition(modelID, entryID), Sort: mailedSort}
}

// RowsOfPlanner returns the rows that name who planned a change of an entry.
func RowsOfPlanner(modelID, entryID string) db.Rows {
	return db.RowsOf(planPartition(modelID, entryID), planKey(modelID, entryID).Sort)
}

// RowsOfRelease returns the rows that name who added items to a release or set its time.
func RowsOfRelease(id string) db.Rows {
	return db.RowsOf(releasePartition(id), releaseKey(id).Sort, releaseItemsKey(id).Sort)
}

const changedPrefix = "c"

func changedItemKey(releaseID, entryID string) table.Key {
	return table.Key{Partition: releasePartition(releaseID), Sort: changedPrefix + entryID}
}

func planRef(modelID, entryID string) string { return modelID + "/" + entryID }

// parsePlanRef is the inverse of planRef; ok is false if ref has another form.
func parsePlanRef(ref string) (modelID, entryID string, ok bool) { return strings.Cut(ref, "/") }
