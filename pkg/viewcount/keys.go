package viewcount

import (
	"strconv"

	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                                   partition              sort
//	views of an entry; of all entries of a model     VIEWS#<model id>       <entry id>
//	part of a batch that was added                   VIEWSADDED#<batch>     <number of the part>

func viewsPartition(modelID string) string { return "VIEWS#" + modelID }

func viewsKey(modelID, entryID string) table.Key {
	return table.Key{Partition: viewsPartition(modelID), Sort: entryID}
}

func addedKey(batch string, part int) table.Key {
	return table.Key{Partition: "VIEWSADDED#" + batch, Sort: strconv.Itoa(part)}
}
