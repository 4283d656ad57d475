package apikeys

import (
	"strconv"

	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	API key by its public part                       KEY#<public key>                    k
//	requests of a key in a minute                    LIMIT#<key id>#<minute>             n
//	requests of an address with a key                LIMIT#<hash of both>#<minute>       n

func publicKeyKey(public string) table.Key {
	return table.Key{Partition: "KEY#" + public, Sort: "k"}
}

func limitKey(name string, minute int64) table.Key {
	return table.Key{Partition: "LIMIT#" + name + "#" + strconv.FormatInt(minute, 10), Sort: "n"}
}
