package jobs

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks"
)

// countLimit is how many pending deliveries are counted.
const countLimit = 5000

// inspect measures the backlog between events and receivers.
func (s Sweeper) inspect(ctx context.Context, lost int) (hooks.Pipeline, error) {
	st := s.Dispatcher.Deliveries.Store
	p := hooks.Pipeline{At: st.Now(), Lost: lost}
	rows, err := st.Outbox(ctx, outboxLimit)
	if err != nil {
		return p, err
	}
	p.Undispatched = len(rows)
	for _, row := range rows {
		if e, err := db.DecodePendingEvent(row); err == nil {
			p.OldestEvent = earlier(p.OldestEvent, e.OccurredAt)
			p.OverdueStep = earlier(p.OverdueStep, e.OccurredAt)
		}
	}
	if err := s.inspectDeliveries(ctx, &p); err != nil {
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

// inspectDeliveries measures pending deliveries. It reads the longest overdue delivery of each
// subscription.
func (s Sweeper) inspectDeliveries(ctx context.Context, p *hooks.Pipeline) error {
	d := s.Dispatcher.Deliveries
	pending, err := d.Store.DueDeliveries(ctx, p.At.AddDate(1, 0, 0), countLimit)
	if err != nil {
		return err
	}
	hooksNow, err := d.Store.Webhooks(ctx)
	if err != nil {
		return err
	}
	exists := map[string]bool{}
	for _, h := range hooksNow {
		exists[h.ID] = true
	}
	first := map[string]hooks.DueDelivery{}
	for _, row := range pending {
		if !exists[row.WebhookID] {
			continue // the subscription was deleted; the delivery ends at its next attempt
		}
		p.Pending++
		p.OldestEvent = earlier(p.OldestEvent, row.CreatedAt)
		if f, ok := first[row.WebhookID]; row.Next.Before(p.At.Time) &&
			(!ok || row.Next.Before(f.Next.Time)) {
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

// emit writes the measurements as one line of CloudWatch's embedded metric format.
func (s Sweeper) emit(ctx context.Context, p hooks.Pipeline) {
	if s.Metrics == nil {
		return
	}
	seconds := func(since cms.Time) float64 {
		if since.IsZero() {
			return 0
		}
		return p.At.Sub(since.Time).Seconds()
	}
	type metric struct{ Name, Unit string }
	directive := map[string]any{
		"Timestamp": p.At.UnixMilli(),
		"CloudWatchMetrics": []any{map[string]any{
			"Namespace": "HeadlessContentService", "Dimensions": [][]string{{"Stack"}},
			"Metrics": []metric{
				{"OldestUndeliveredEvent", "Seconds"}, {"LongestOverdueStep", "Seconds"},
				{"UndispatchedEvents", "Count"},
				{"PendingDeliveries", "Count"}, {"LostWakeUps", "Count"}, {"DeadLetters", "Count"},
			},
		}},
	}
	s.Metrics.InfoContext(ctx, "pipeline", "_aws", directive, "Stack", s.Stack,
		"OldestUndeliveredEvent", seconds(p.OldestEvent),
		"LongestOverdueStep", seconds(p.OverdueStep), "UndispatchedEvents", p.Undispatched,
		"PendingDeliveries", p.Pending,
		"LostWakeUps", p.Lost, "DeadLetters", p.DeadLetters)
}
