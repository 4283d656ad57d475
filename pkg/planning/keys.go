package planning

import (
	"fmt"
	"strings"

	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                          partition                     sort
//	plan of an entry                        PLAN#<model id>#<entry id>    p
//	release; its items; its problems        RELEASE#<release id>          h | i | p<position>
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

func planKey(modelID, entryID string) table.Key {
	return table.Key{Partition: "PLAN#" + modelID + "#" + entryID, Sort: "p"}
}

func planRef(modelID, entryID string) string { return modelID + "/" + entryID }

// parsePlanRef is the inverse of planRef; ok is false if ref has another form.
func parsePlanRef(ref string) (modelID, entryID string, ok bool) { return strings.Cut(ref, "/") }
