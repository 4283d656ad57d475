package bulk

import (
	"crypto/sha256"
	"fmt"

	"headless/pkg/db"
	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                          partition                     sort
//	job; its ids, 500 a row; its failures   JOB#<job id>                  h | c<row> | f<position>
//	its save of one of its ids              JOB#<job id>                  r<id>
//	entries that it left as they were       JOB#<job id>                  l<position>
//	claims as a dry run would leave them    JOB#<job id>                  t<digest of the key>
//	entries below those that it let leave   JOB#<job id>                  b<position><number>
//	jobs by age                             JOBS                          <job id>

// KindJob is the kind of the timers of jobs. Their ref is the id of the job.
const KindJob = "job"

const listPartition = "JOBS"

func jobPartition(id string) string { return "JOB#" + id }

func jobKey(id string) table.Key { return table.Key{Partition: jobPartition(id), Sort: "h"} }

// RowsOfStarter returns the row that names who started a job.
func RowsOfStarter(id string) db.Rows { return db.RowsOf(jobPartition(id), jobKey(id).Sort) }

func listKey(id string) table.Key { return table.Key{Partition: listPartition, Sort: id} }

func chunkKey(id string, n int) table.Key {
	return table.Key{Partition: jobPartition(id), Sort: fmt.Sprintf("c%08d", n)}
}

const failurePrefix = "f"

func failureKey(id string, position int) table.Key {
	return table.Key{Partition: jobPartition(id), Sort: fmt.Sprintf("%s%08d", failurePrefix, position)}
}

func rewrittenKey(id, entry string) table.Key {
	return table.Key{Partition: jobPartition(id), Sort: "r" + entry}
}

func leftKey(id string, position int) table.Key {
	return table.Key{Partition: jobPartition(id), Sort: "l" + padded(position)}
}

// triedKey is the key of the row in which a dry run keeps a claim as the rows tried so far would leave it.
func triedKey(id string, claim table.Key) table.Key {
	sum := sha256.Sum256([]byte(claim.Partition + "\x00" + claim.Sort))
	return table.Key{Partition: jobPartition(id), Sort: "t" + string(sum[:16])}
}

const belowPrefix = "b"

func belowKey(id string, position, number int) table.Key {
	return table.Key{Partition: jobPartition(id), Sort: belowPrefix + padded(position) + padded(number)}
}

// padded returns a number of eight digits, since keys are compared as texts. The keys of the changes of a job begin
// with the position of their entry: those below it go before it.
func padded(n int) string { return fmt.Sprintf("%08d", n) }

// afterBelow ends the key of the change of an entry itself.
const afterBelow = "~"
