package targets

import (
	"headless/pkg/db"
	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                  partition              sort
//	targets, all or by id           D#target               <id>
//	builds of a target, by id       BUILD#<target id>      <build id>

func docs(d *db.DB) db.Docs[stored] { return db.Docs[stored]{DB: d, Kind: "target"} }

func buildPartition(target string) string { return "BUILD#" + target }

func buildKey(target, id string) table.Key {
	return table.Key{Partition: buildPartition(target), Sort: id}
}
