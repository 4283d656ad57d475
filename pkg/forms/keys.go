package forms

import (
	"strconv"
	"time"

	"headless/pkg/db"
	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	latest posts and direct uploads of a client      SUBMITS#<address>                   s | u
//	submission; its mails                            F#<form id>#<submission id>         a | e<number>
//	mails not sent yet, by when to check them        MAILDUE#<shard>                     <time><form>/<submission>/<n>
//	deleted forms that may have submissions          FORMGONE                            <form id>

func submitsKey(address string) table.Key {
	return table.Key{Partition: "SUBMITS#" + address, Sort: "s"}
}

func uploadsKey(address string) table.Key {
	return table.Key{Partition: "SUBMITS#" + address, Sort: "u"}
}

// mailPrefix starts the sort keys of a submission's mails.
const mailPrefix = "e"

func submissionPartition(formID, id string) string { return "F#" + formID + "#" + id }

func submissionKey(formID, id string) table.Key {
	return table.Key{Partition: submissionPartition(formID, id), Sort: "a"}
}

func submissionSpace(formID string) string { return "F." + formID }

func mailKey(r MailRef) table.Key {
	return table.Key{Partition: submissionPartition(r.FormID, r.SubmissionID), Sort: mailPrefix + strconv.Itoa(r.N)}
}

func mailDuePartition(shard int) string { return "MAILDUE#" + strconv.Itoa(shard) }

// mailDueKey spreads mails by the last hexadecimal digit of the submission's id.
func mailDueKey(due time.Time, r MailRef) table.Key {
	shard := int(r.SubmissionID[len(r.SubmissionID)-1]) % db.Shards
	return table.Key{Partition: mailDuePartition(shard), Sort: db.TimeBytes(due) + r.FormID + "/" +
		r.SubmissionID + "/" + strconv.Itoa(r.N)}
}

const formGonePartition = "FORMGONE"

func formGoneKey(formID string) table.Key {
	return table.Key{Partition: formGonePartition, Sort: formID}
}
