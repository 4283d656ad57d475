package groups

import "headless/pkg/table"

// Every key of this package is made in this file, except the keys of copies beside members: see
// content.MemberKey.
//
//	access pattern                                   partition                           sort
//	group by id, all groups of a model               TR#<model id>                       <group id>

func groupPartition(modelID string) string { return "TR#" + modelID }

func groupKey(modelID, id string) table.Key {
	return table.Key{Partition: groupPartition(modelID), Sort: id}
}
