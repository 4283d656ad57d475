package db

import (
	"context"
	"strconv"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// The kinds of log.
const (
	logActivity = "activity"
	logRequest  = "request"
)

// What the partitions of each log begin with.
const (
	ActivityPrefix   = "L#" + logActivity + "#"
	RequestLogPrefix = "L#" + logRequest + "#"
)

// How many days log lines are kept; activityDays is the default of DB.ActivityDays.
const (
	activityDays = 365
	requestDays  = 30
)

// Activity is a line of the activity log (decisions §9).
type Activity struct {
	Time    cms.Time `json:"time"`
	Actor   *string  `json:"actor"` // nil when anonymous
	Source  string   `json:"source"`
	Event   string   `json:"event"`
	Subject string   `json:"subject"`
	// SubjectID is the id of the subject, or its slug or code if it has no id. It is nil if nothing
	// can be named (extensions §1).
	SubjectID *string `json:"subject_id"`
	Trace
}

// ActivityFilters returns the names of the filters of the activity log.
func ActivityFilters() []string {
	return []string{"actor", "event", "source", "subject", "subject_id", "address", "request_id"}
}

// Anonymous is the value of the filter actor for lines without an actor.
const Anonymous = "anonymous"

func (a Activity) value(name string) string {
	switch name {
	case "actor":
		if a.Actor == nil {
			return Anonymous
		}
		return *a.Actor
	case "event":
		return a.Event
	case "source":
		return a.Source
	case "request_id":
		return a.RequestID
	case "address":
		return textOf(a.Address)
	case "subject_id":
		return textOf(a.SubjectID)
	}
	return a.Subject
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// RequestLine is a line of the request log (decisions §7).
type RequestLine struct {
	Time      cms.Time `json:"time"`
	Method    string   `json:"method"`
	Path      string   `json:"path"`
	Status    int      `json:"status"`
	LatencyMS float64  `json:"latency_ms"`
	Address   string   `json:"address"`
	Key       string   `json:"key"` // name of the key
	RequestID string   `json:"request_id"`
}

// RequestFilters returns the names of the filters of the request log.
func RequestFilters() []string { return []string{"key", "method", "path", "status"} }

func (r RequestLine) value(name string) string {
	switch name {
	case "key":
		return r.Key
	case "method":
		return r.Method
	case "status":
		return strconv.Itoa(r.Status)
	}
	return r.Path
}

// Activity records who did what in the transaction of the change itself. id is the id of the
// subject, if it has one.
func (t *Tx) Activity(actor cms.Actor, event, subject string, id ...string) {
	line := Activity{Time: t.Time, Source: actor.Source, Event: event, Subject: subject}
	if len(id) > 0 {
		line.SubjectID = &id[0]
	}
	if actor.Name != "" {
		line.Actor = &actor.Name
	}
	line.Trace, line.RequestID, line.Program = t.trace, actor.RequestID, actor.Program
	if actor.Address != "" {
		line.Address = &actor.Address
	}
	t.logged = append(t.logged, logged{len(t.Ops), line})
	t.Put(logItem(logActivity, t.Shard, t.Time.Time, t.DB.ActivityDays, line))
}

// LogRequests writes lines of the request log, outside any transaction.
func (s *DB) LogRequests(ctx context.Context, lines ...RequestLine) error {
	items := make([]table.Item, len(lines))
	for i, line := range lines {
		items[i] = logItem(logRequest, RandomShard(), line.Time.Time, requestDays, line)
	}
	return s.Table.BatchWrite(ctx, items, nil)
}

// RequestLogPartitions returns the partitions that have the lines of the request log at a time.
func RequestLogPartitions(now time.Time) (partitions []string) {
	for _, month := range []time.Time{now, monthBefore(now)} {
		for shard := range Shards {
			partitions = append(partitions, logPartition(logRequest, month, shard))
		}
	}
	return partitions
}

func logItem(kind string, shard int, at time.Time, days int, line any) table.Item {
	id := uuid.Must(uuid.NewV7()) // the lines of a millisecond stay in their order
	return table.Item{
		Key:     table.Key{Partition: logPartition(kind, at, shard), Sort: TimeBytes(at) + string(id[:])},
		Body:    MustMarshal(line),
		Expires: at.AddDate(0, 0, days).Unix(),
	}
}
