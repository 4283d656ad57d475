package files

import "headless/pkg/table"

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	lone files, by time                              FORMFILES                           <file id>
//	bytes of all files of a form                     FORMBYTES                           <form id>

const partition = "FORMFILES"

func fileKey(id string) table.Key { return table.Key{Partition: partition, Sort: id} }

// BytesKey is the key of the row that goes with the last of what is stored of a form.
func BytesKey(formID string) table.Key { return table.Key{Partition: "FORMBYTES", Sort: formID} }
