package access

import (
	"strconv"

	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	signed-in session by the hash of its token       SESSION#<hash>                      s
//	sessions of a user                               USESS#<user id>                     <session id>
//	wrong sign-ins of an account                     SIGNIN#<hash of the address>        s
//	tries of an account in a window of time          TRIES#<hash>#<window>               n
//	browser that a user has signed in from           BROWSER#<user id>                   <hash of the cookie>
//	reset of a password by the hash of its token     RESET#<hash>                        r

func sessionKey(tokenHash string) table.Key {
	return table.Key{Partition: "SESSION#" + tokenHash, Sort: "s"}
}

func signInsKey(account string) table.Key {
	return table.Key{Partition: "SIGNIN#" + account, Sort: "s"}
}

func userSessionKey(userID, id string) table.Key {
	return table.Key{Partition: "USESS#" + userID, Sort: id}
}

func accountTriesKey(account string, window int64) table.Key {
	return table.Key{Partition: "TRIES#" + account + "#" + strconv.FormatInt(window, 10), Sort: "n"}
}

func browserKey(userID, browserHash string) table.Key {
	return table.Key{Partition: "BROWSER#" + userID, Sort: browserHash}
}

func resetKey(tokenHash string) table.Key {
	return table.Key{Partition: "RESET#" + tokenHash, Sort: "r"}
}
