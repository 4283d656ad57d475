package approval

import (
	"github.com/google/uuid"

	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                        partition                        sort
//	review of an entry                    REVIEW#<model id>#<entry id>     v
//	entries of a model in review          REVIEWS#<model id>               <entry id>

// Key returns the key of the review of an entry.
func Key(modelID, id string) table.Key {
	return table.Key{Partition: "REVIEW#" + modelID + "#" + id, Sort: "v"}
}

func listPartition(modelID string) string { return "REVIEWS#" + modelID }

func listKey(modelID string, id uuid.UUID) table.Key {
	return table.Key{Partition: listPartition(modelID), Sort: string(id[:])}
}
