package passkeys

import "headless/pkg/table"

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	ceremony under way by who may finish it          CEREMONY#<hash>                     c

func ceremonyKey(hash string) table.Key {
	return table.Key{Partition: "CEREMONY#" + hash, Sort: "c"}
}
