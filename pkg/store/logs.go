package store

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

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

// maxLogTotal is how many lines a listing counts beyond its page; past them the total is an estimate.
const maxLogTotal = 1000

// Activity is a line of the activity log (decisions §9).
type Activity struct {
	Time    cms.Time `json:"time"`
	Actor   *string  `json:"actor"` // nil when anonymous
	Source  string   `json:"source"`
	Event   string   `json:"event"`
	Subject string   `json:"subject"`
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
	id := uuid.New()
	return table.Item{
		Key:     table.Key{Partition: logPartition(kind, at, shard), Sort: timeBytes(at) + string(id[:8])},
		Body:    mustMarshal(line),
		Expires: at.AddDate(0, 0, days).Unix(),
	}
}

// ListActivity lists the activity log, newest first.
func (s *Store) ListActivity(ctx context.Context, p Paging) (Page[Activity], error) {
	return listLog[Activity](ctx, s, logActivity, activityDays, p)
}

// ListRequests lists the request log, newest first.
func (s *Store) ListRequests(ctx context.Context, p Paging) (Page[RequestLine], error) {
	return listLog[RequestLine](ctx, s, logRequest, requestDays, p)
}

func listLog[T any](ctx context.Context, s *Store, kind string, days int, p Paging) (Page[T], error) {
	page := Page[T]{Paging: p, Items: []T{}}
	skip, limit := p.Offset(), p.Offset()+p.PerPage+maxLogTotal
	oldest := s.now().AddDate(0, 0, -days)
	for month := s.now(); logPartition(kind, month, 0) >= logPartition(kind, oldest, 0); month = monthBefore(month) {
		items, err := s.logMonth(ctx, kind, month, limit-page.Total)
		if err != nil {
			return page, err
		}
		for _, item := range items {
			page.Total++
			if page.Total <= skip || len(page.Items) >= p.PerPage {
				continue
			}
			var line T
			if err := json.Unmarshal(item.Body, &line); err != nil {
				return page, err
			}
			page.Items = append(page.Items, line)
		}
		if page.Total >= limit {
			page.Estimate = true
			break
		}
	}
	return page, nil
}

func monthBefore(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, -1, 0)
}

// logMonth reads the lines of one month from all shards, newest first.
func (s *Store) logMonth(ctx context.Context, kind string, month time.Time, limit int) ([]table.Item, error) {
	var parts [shards][]table.Item
	g, ctx := errgroup.WithContext(ctx)
	for shard := range shards {
		g.Go(func() (err error) {
			parts[shard], err = s.table.Query(ctx, table.Range{
				Partition: logPartition(kind, month, shard), Reverse: true, Limit: limit,
			})
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	all := slices.Concat(parts[:]...)
	slices.SortFunc(all, func(a, b table.Item) int { return strings.Compare(b.Sort, a.Sort) })
	return all[:min(len(all), limit)], nil
}
