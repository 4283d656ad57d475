package stream

import "headless/pkg/table"

// Every key of this package is made in this file.
//
//	access pattern                                   partition            sort
//	place of a subscription in the activity log      STREAM#<webhook id>  s

func placeKey(webhookID string) table.Key {
	return table.Key{Partition: "STREAM#" + webhookID, Sort: "s"}
}
