package assets

import (
	"time"

	"headless/pkg/db"
	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	media file; its direct upload while it runs      M#<id>                              a | u
//	objects that may have no record, by when to look MEDIACHECK                          <time><id>
//	how far the objects are compared with records    MEDIASWEEP                          c
//	addresses below which files were served          MEDIAURLS                           a

func mediaPartition(id string) string { return "M#" + id }

func mediaKey(id string) table.Key { return table.Key{Partition: mediaPartition(id), Sort: "a"} }

func directUploadKey(id string) table.Key {
	return table.Key{Partition: mediaPartition(id), Sort: "u"}
}

// MediaSpace holds all media files.
const MediaSpace = "media"

const mediaCheckPartition = "MEDIACHECK"

func mediaCheckKey(due time.Time, id string) table.Key {
	return table.Key{Partition: mediaCheckPartition, Sort: db.TimeBytes(due) + id}
}

func mediaSweepKey() table.Key { return table.Key{Partition: "MEDIASWEEP", Sort: "c"} }

// addressesKey is the key of the row in which Own keeps addresses.
func addressesKey() table.Key { return table.Key{Partition: "MEDIAURLS", Sort: "a"} }
