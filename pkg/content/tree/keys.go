package tree

import "headless/pkg/table"

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	address of an entry, by its id alone             ADDRESS#<entry id>                  a

// Key is the key of the address of an entry.
func Key(id string) table.Key { return table.Key{Partition: "ADDRESS#" + id, Sort: "a"} }
