package undo

import (
	"fmt"

	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                          partition                     sort
//	changes by a release                    MADE#<release id>             c<entry id><time>
//	job that takes them back                MADE#<release id>             j

func partition(releaseID string) string { return "MADE#" + releaseID }

func key(releaseID string, c Change) table.Key {
	return table.Key{Partition: partition(releaseID), Sort: fmt.Sprintf("%s%s%020d", changePrefix, c.ID, c.At)}
}

const changePrefix = "c"

func jobKey(releaseID string) table.Key { return table.Key{Partition: partition(releaseID), Sort: "j"} }
