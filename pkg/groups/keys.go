package groups

import "headless/pkg/table"

// Every key of this package is made in this file, but for the copies beside members: see
// content.MemberKey.
//
//	access pattern                                   partition                           sort
//	group by id                                      TR#<model id>#<group id>            g

func groupKey(modelID, id string) table.Key {
	return table.Key{Partition: "TR#" + modelID + "#" + id, Sort: "g"}
}
