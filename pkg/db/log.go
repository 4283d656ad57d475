package db

import (
	"context"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// The kinds of log.
const (
	LogActivity = "activity"
	LogRequest  = "request"
)

// What the partitions of each log begin with.
const (
	ActivityPrefix   = "L#" + LogActivity + "#"
	RequestLogPrefix = "L#" + LogRequest + "#"
)

// How many days log lines are kept; activityDays is the default of DB.ActivityDays.
const (
	activityDays = 365
	RequestDays  = 30
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
	t.Put(logItem(LogActivity, t.Shard, t.Time.Time, t.DB.ActivityDays, line))
}

// LogRequests writes lines of the request log, outside any transaction.
func (s *DB) LogRequests(ctx context.Context, lines ...RequestLine) error {
	items := make([]table.Item, len(lines))
	for i, line := range lines {
		items[i] = logItem(LogRequest, RandomShard(), line.Time.Time, RequestDays, line)
	}
	return s.Table.BatchWrite(ctx, items, nil)
}

func logItem(kind string, shard int, at time.Time, days int, line any) table.Item {
	id := uuid.Must(uuid.NewV7()) // the lines of a millisecond stay in their order
	return table.Item{
		Key:     table.Key{Partition: LogPartition(kind, at, shard), Sort: TimeBytes(at) + string(id[:])},
		Body:    MustMarshal(line),
		Expires: at.AddDate(0, 0, days).Unix(),
	}
}
