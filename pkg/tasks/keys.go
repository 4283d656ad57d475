package tasks

import (
	"strings"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                         partition          sort
//	tasks of a user, by kind               TASKS#<user id>    <kind>/<model id>/<entry id>/<comment id>
//	lines of the next mail to a user       NEWS#<user id>     l<time><task>
//	time of the last mail to a user        NEWS#<user id>     s

// KindNews is the kind of timers that send mails. Their ref is the id of a user.
const KindNews = "news"

func tasksPartition(userID string) string { return "TASKS#" + userID }

func (t Task) rowKey(userID string) table.Key {
	return table.Key{Partition: tasksPartition(userID), Sort: t.sortName()}
}

func (t Task) sortName() string {
	return string(t.Kind) + "/" + t.ModelID + "/" + t.EntryID + "/" + t.Comment
}

// kindOf returns the kind of the task in a row.
func kindOf(row table.Key) Kind {
	kind, _, _ := strings.Cut(row.Sort, "/")
	return Kind(kind)
}

const linePrefix = "l"

func newsPartition(userID string) string { return "NEWS#" + userID }

func lineKey(userID string, at cms.Time, t Task) table.Key {
	return table.Key{Partition: newsPartition(userID), Sort: linePrefix + db.TimeBytes(at.Time) + t.sortName()}
}

// taskName returns the name of the task that a line is about.
func taskName(line table.Key) string {
	return line.Sort[len(linePrefix)+len(db.TimeBytes(time.Time{})):]
}

func sentKey(userID string) table.Key { return table.Key{Partition: newsPartition(userID), Sort: "s"} }
