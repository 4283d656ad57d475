package tries

import (
	"strconv"

	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	wrong tries of a bucket                          SIGNIN#<hash of the bucket>         s
//	tries of an account or a network in a window     TRIES#<hash>#<window>               n
//	browser or network that a user signed in from    BROWSER#<user id>                   <hash>

func bucketKey(bucket string) table.Key {
	return table.Key{Partition: "SIGNIN#" + bucket, Sort: "s"}
}

func windowKey(counted string, window int64) table.Key {
	return table.Key{Partition: "TRIES#" + counted + "#" + strconv.FormatInt(window, 10), Sort: "n"}
}

func browserKey(userID, hash string) table.Key {
	return table.Key{Partition: "BROWSER#" + userID, Sort: hash}
}
