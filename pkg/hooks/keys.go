package hooks

import (
	"strconv"
	"time"

	"headless/pkg/db"
	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	delivery; its body; its attempts                 DL#<delivery id>                    d | b | n<attempt>
//	deliveries of a subscription, by time            DLS#<webhook id>                    <time><delivery id>
//	pending deliveries, by when to check them        DUE#<shard>                         <time><delivery id>
//	deliveries that wait for a paused subscription   PARK#<webhook id>                   <delivery id>
//	state of a receiver; its slots for workers       RCV#<webhook id>                    h | l<slot>
//	turns of a subscription with a limit of requests TURN#<webhook id>                   t
//	findings of the latest sweep                     PIPELINE                            h

const (
	deliverySort  = "d"
	bodySort      = "b"
	attemptPrefix = "n"
	receiverSort  = "h"
	slotPrefix    = "l"
)

func deliveryPartition(id string) string { return "DL#" + id }

func deliveryKey(id string) table.Key {
	return table.Key{Partition: deliveryPartition(id), Sort: deliverySort}
}

func deliveryBodyKey(id string) table.Key {
	return table.Key{Partition: deliveryPartition(id), Sort: bodySort}
}

func attemptKey(id string, attempt int) table.Key {
	return table.Key{Partition: deliveryPartition(id), Sort: attemptPrefix + db.VersionBytes(int64(attempt))}
}

func deliveryListPartition(webhookID string) string { return "DLS#" + webhookID }

func deliveryListKey(webhookID string, created time.Time, id string) table.Key {
	return table.Key{Partition: deliveryListPartition(webhookID), Sort: db.TimeBytes(created) + id}
}

func duePartition(shard int) string { return "DUE#" + strconv.Itoa(shard) }

// dueKey spreads deliveries by the last hexadecimal digit of their ids.
func dueKey(due time.Time, id string) table.Key {
	return table.Key{Partition: duePartition(int(id[len(id)-1]) % db.Shards), Sort: db.TimeBytes(due) + id}
}

func parkPartition(webhookID string) string { return "PARK#" + webhookID }

func parkKey(webhookID, id string) table.Key {
	return table.Key{Partition: parkPartition(webhookID), Sort: id}
}

func receiverPartition(webhookID string) string { return "RCV#" + webhookID }

func receiverKey(webhookID string) table.Key {
	return table.Key{Partition: receiverPartition(webhookID), Sort: receiverSort}
}

func slotKey(webhookID string, slot int) table.Key {
	return table.Key{Partition: receiverPartition(webhookID), Sort: slotPrefix + strconv.Itoa(slot)}
}

func turnsKey(webhookID string) table.Key {
	return table.Key{Partition: "TURN#" + webhookID, Sort: "t"}
}

func pipelineKey() table.Key { return table.Key{Partition: "PIPELINE", Sort: "h"} }
