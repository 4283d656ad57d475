package access

import "headless/pkg/table"

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	signed-in session by the hash of its token       SESSION#<hash>                      s
//	sessions of a user                               USESS#<user id>                     <session id>
//	reset of a password by the hash of its token     RESET#<hash>                        r

func sessionKey(tokenHash string) table.Key {
	return table.Key{Partition: "SESSION#" + tokenHash, Sort: "s"}
}

func userSessionKey(userID, id string) table.Key {
	return table.Key{Partition: "USESS#" + userID, Sort: id}
}

func resetKey(tokenHash string) table.Key {
	return table.Key{Partition: "RESET#" + tokenHash, Sort: "r"}
}
