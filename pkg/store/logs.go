package store

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

// How long log lines are kept.
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
}

// ActivityFilters are the names that the activity log is filtered by.
func ActivityFilters() []string { return []string{"actor", "event", "source", "subject"} }

// Anonymous is what a filter on actor calls nobody.
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
	}
	return a.Subject
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

// RequestFilters are the names that the request log is filtered by.
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

// Activity records who did what in the transaction of the change itself.
func (t *Tx) Activity(actor cms.Actor, event, subject string) {
	line := Activity{Time: t.at, Source: actor.Source, Event: event, Subject: subject}
	if actor.Name != "" {
		line.Actor = &actor.Name
	}
	t.put(logItem(logActivity, t.shard, t.at.Time, activityDays, line))
}

// LogRequests writes lines of the request log, outside any transaction.
func (s *Store) LogRequests(ctx context.Context, lines ...RequestLine) error {
	items := make([]table.Item, len(lines))
	for i, line := range lines {
		items[i] = logItem(logRequest, randomShard(), line.Time.Time, requestDays, line)
	}
	return s.table.BatchWrite(ctx, items, nil)
}

func logItem(kind string, shard int, at time.Time, days int, line any) table.Item {
	id := uuid.Must(uuid.NewV7()) // the lines of a millisecond stay in their order
	return table.Item{
		Key:     table.Key{Partition: logPartition(kind, at, shard), Sort: timeBytes(at) + string(id[:])},
		Body:    mustMarshal(line),
		Expires: at.AddDate(0, 0, days).Unix(),
	}
}
