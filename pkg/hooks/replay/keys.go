package replay

import "headless/pkg/table"

// Every key of this package is made in this file.
//
//	access pattern                       partition            sort
//	latest replay of a subscription      REPLAY#<webhook id>  r

func replayKey(webhookID string) table.Key {
	return table.Key{Partition: "REPLAY#" + webhookID, Sort: "r"}
}
