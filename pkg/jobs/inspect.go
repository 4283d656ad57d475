package jobs

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// countLimit is the maximum number of pending deliveries that are counted.
const countLimit = 5000

// backlog holds the pending events and deliveries that a sweep reads. It is read again only if the
// sweep changed any of them, since each read costs eight partitions of each kind.
type backlog struct {
	events   []table.Item // of the outbox
	pending  []hooks.DueDelivery
	webhooks []hooks.Webhook
}

func readBacklog(ctx context.Context, st *hooks.Store) (b backlog, err error) {
	if b.events, err = st.Outbox(ctx, outboxLimit); err == nil {
		err = b.readDeliveries(ctx, st)
	}
	return b, err
}

// readDeliveries reads the pending deliveries and the subscriptions. An error of one read does not
// prevent the other.
func (b *backlog) readDeliveries(ctx context.Context, st *hooks.Store) error {
	var errDue, err error
	b.pending, errDue = st.DueDeliveries(ctx, st.Now().AddDate(1, 0, 0), countLimit)
	b.webhooks, err = st.Webhooks(ctx)
	return errors.Join(errDue, err)
}

// due returns the deliveries that are due at now.
func (b *backlog) due(now cms.Time) (due []hooks.DueDelivery) {
	return slice.Filter(b.pending, func(row hooks.DueDelivery) bool { return row.Due.Before(now.Time) })
}

// inspect measures the backlog between the outbox and the receivers, writes it to the metrics and
// stores it. lost is the number of deliveries whose messages were lost.
func (s Sweeper) inspect(ctx context.Context, seen backlog, lost int) (hooks.Pipeline, error) {
	st := s.Dispatcher.Deliveries.Store
	p := hooks.Pipeline{At: st.Now(), Lost: lost}
	for _, row := range seen.events {
		pending, err := db.DecodePendingEvents(row)
		if err != nil {
			p.Undispatched++
			continue
		}
		p.Undispatched += len(pending.Events)
		p.OldestEvent = earlier(p.OldestEvent, pending.Events[0].OccurredAt)
		p.OverdueStep = earlier(p.OverdueStep, pending.Events[0].OccurredAt)
	}
	err := s.inspectDeliveries(ctx, seen, &p)
	if err != nil {
		return p, err
	}
	if s.DeadLetters != nil {
		if p.DeadLetters, err = s.DeadLetters(ctx); err != nil {
			return p, err
		}
	}
	s.emit(ctx, p)
	return p, st.PutPipeline(ctx, p)
}

// inspectDeliveries measures pending deliveries. It reads the most overdue delivery of each
// subscription.
func (s Sweeper) inspectDeliveries(ctx context.Context, seen backlog, p *hooks.Pipeline) error {
	d := s.Dispatcher.Deliveries
	exists := map[string]bool{}
	for _, h := range seen.webhooks {
		exists[h.ID] = true
	}
	first := map[string]hooks.DueDelivery{}
	for _, row := range seen.pending {
		if !exists[row.WebhookID] {
			continue // the subscription was deleted; the delivery ends at its next attempt
		}
		p.Pending++
		p.OldestEvent = earlier(p.OldestEvent, row.CreatedAt)
		if f, ok := first[row.WebhookID]; row.Next.Before(p.At.Time) && (!ok || row.Next.Before(f.Next.Time)) {
			first[row.WebhookID] = row
		}
	}
	for _, row := range first {
		since, err := d.OverdueSince(ctx, row)
		if err != nil {
			return err
		}
		p.OverdueStep = earlier(p.OverdueStep, since)
	}
	return nil
}

// earlier returns the earlier of two times; a zero time does not count.
func earlier(a, b cms.Time) cms.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a.Time) {
		return b
	}
	return a
}

// emit writes the measurements to the metrics.
func (s Sweeper) emit(ctx context.Context, p hooks.Pipeline) {
	seconds := func(since cms.Time) float64 {
		if since.IsZero() {
			return 0
		}
		return p.At.Sub(since.Time).Seconds()
	}
	measure(ctx, s.Metrics, "pipeline", s.Stack, p.At.Time,
		metric{"OldestUndeliveredEvent", "Seconds", seconds(p.OldestEvent)},
		metric{"LongestOverdueStep", "Seconds", seconds(p.OverdueStep)},
		metric{"UndispatchedEvents", "Count", float64(p.Undispatched)},
		metric{"PendingDeliveries", "Count", float64(p.Pending)},
		metric{"LostWakeUps", "Count", float64(p.Lost)},
		metric{"DeadLetters", "Count", float64(p.DeadLetters)})
}

type metric struct {
	Name  string
	Unit  string
	value float64
}

// measure writes metrics of a stack as one line in CloudWatch's embedded metric format. It leaves out
// those that are 0, since each hour with a value costs, and alarms take no value for 0. log may be
// nil.
func measure(ctx context.Context, log *slog.Logger, message, stack string, at time.Time, all ...metric) {
	all = slices.DeleteFunc(all, func(m metric) bool { return m.value == 0 })
	if log == nil || len(all) == 0 {
		return
	}
	line := []any{"_aws", map[string]any{
		"Timestamp": at.UnixMilli(),
		"CloudWatchMetrics": []any{map[string]any{
			"Namespace": "HeadlessContentService", "Dimensions": [][]string{{"Stack"}}, "Metrics": all,
		}},
	}, "Stack", stack}
	for _, m := range all {
		line = append(line, m.Name, m.value)
	}
	log.InfoContext(ctx, message, line...)
}
