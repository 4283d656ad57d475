package index

import (
	"github.com/google/uuid"

	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	index rows of a space and field                  I#<space>#<field>                   <value><default order><id>
//
// A space is a set of documents that are listed together: <model id>.<generation>#<locale>#<status>
// for entries, F.<form id> for submissions, media.

func RowPartition(space, path string) string { return "I#" + space + "#" + path }

func rowKey(space, path string, value, order []byte, id uuid.UUID) table.Key {
	return table.Key{Partition: RowPartition(space, path), Sort: string(value) + string(order) + string(id[:])}
}

// RowID returns the id of the document to which an index row belongs.
func RowID(key table.Key) (id uuid.UUID) {
	copy(id[:], key.Sort[len(key.Sort)-len(id):])
	return id
}
