package grants

import "headless/pkg/table"

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	grants of a user, and a grant by its token       GRANT#<user id>                     <grant id>
//	program that registered itself                   PROGRAM#<id>                        p

func grantKey(userID, id string) table.Key {
	return table.Key{Partition: "GRANT#" + userID, Sort: id}
}

func programKey(id string) table.Key {
	return table.Key{Partition: "PROGRAM#" + id, Sort: "p"}
}
