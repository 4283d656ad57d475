package drafted

import (
	"github.com/google/uuid"

	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	entries of a model that have a draft             DRAFTS#<model id>                   <entry id>
//	entries whose locale was changed                 MOVED#<model id>                    <entry id>

// Partition returns the partition of the entries of a model that have a draft.
func Partition(modelID string) string { return "DRAFTS#" + modelID }

// Key returns the key of an entry in the list of those that have a draft.
func Key(modelID, id string) table.Key {
	raw := uuid.MustParse(id)
	return table.Key{Partition: Partition(modelID), Sort: string(raw[:])}
}

func movedPartition(modelID string) string { return "MOVED#" + modelID }

func movedKey(modelID, id string) table.Key {
	return table.Key{Partition: movedPartition(modelID), Sort: id}
}

// Keys returns the keys of all rows of an entry.
func Keys(modelID, id string) []table.Key {
	return []table.Key{Key(modelID, id), movedKey(modelID, id)}
}
