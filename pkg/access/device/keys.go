package device

import "headless/pkg/table"

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	login by the hash of its device code             DEVICE#<hash>                       d
//	device code's hash by the hash of a user code    USERCODE#<hash>                     c

func loginKey(hash string) table.Key {
	return table.Key{Partition: "DEVICE#" + hash, Sort: "d"}
}

func userCodeKey(hash string) table.Key {
	return table.Key{Partition: "USERCODE#" + hash, Sort: "c"}
}
