package presence

import "headless/pkg/table"

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	windows that have an entry open                  HERE#<entry id>                     <user id>#<window>

func herePartition(entryID string) string { return "HERE#" + entryID }

func windowKey(entryID, userID, window string) table.Key {
	return table.Key{Partition: herePartition(entryID), Sort: userID + "#" + window}
}
