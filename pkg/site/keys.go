package site

import (
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	version of the configuration (8 equal copies)    CONFIG#<n>                          v
//	rows that writes of entries check (128)          X#locales#<row>                     x
//	documents of the site, all at once or by id      D#site                              <kind>/<id>
//	generations of indexes to be removed             INDEXGONE                           <model id>.<generation>

func ConfigKey(shard int) table.Key {
	return table.Key{Partition: "CONFIG#" + strconv.Itoa(shard), Sort: "v"}
}

// fenceKey is the key of a fence row; see RequireFence. Its name is from a time when each model had rows
// of its own.
func fenceKey(row int) table.Key {
	return table.Key{Partition: "X#locales#" + strconv.Itoa(row), Sort: "x"}
}

// GonePartition lists the generations of indexes to be removed.
const GonePartition = "INDEXGONE"

func goneKey(modelID string, gen int) table.Key {
	return table.Key{Partition: GonePartition, Sort: IndexName(modelID, gen)}
}

func isConfigKey(key table.Key) bool { return strings.HasPrefix(key.Partition, "CONFIG#") }

// entrySpace returns the space of the entries of a model that are listed together.
func entrySpace(modelID string, gen int, locale string, status cms.Status) string {
	return IndexName(modelID, gen) + "#" + locale + "#" + string(status)
}
