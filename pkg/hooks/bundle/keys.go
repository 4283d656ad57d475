package bundle

import "headless/pkg/table"

// Every key of this package is made in this file.
//
//	access pattern                                partition            sort
//	bundled events; their window; their fence     BUNDLE#<webhook id>  e<event id> | w | f

const eventPrefix = "e"

func partition(webhookID string) string { return "BUNDLE#" + webhookID }

func eventKey(webhookID, eventID string) table.Key {
	return table.Key{Partition: partition(webhookID), Sort: eventPrefix + eventID}
}

func windowKey(webhookID string) table.Key {
	return table.Key{Partition: partition(webhookID), Sort: "w"}
}

func fenceKey(webhookID string) table.Key {
	return table.Key{Partition: partition(webhookID), Sort: "f"}
}
