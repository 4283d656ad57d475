package hooks

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// Pipeline holds the findings of the latest sweep: what is pending, lost or overdue between the
// outbox and the receivers.
type Pipeline struct {
	At cms.Time `json:"at"` // zero if there was no sweep yet
	// When the oldest event with a pending delivery was raised; zero if there is none.
	OldestEvent cms.Time `json:"oldest_event"`
	// When the most overdue step of the service was due, the dispatch of an event or an attempt;
	// zero if there is none.
	OverdueStep  cms.Time `json:"overdue_step"`
	Undispatched int      `json:"undispatched"` // events in the outbox
	// Pending deliveries to existing subscriptions, up to the number that a sweep counts.
	Pending     int `json:"pending"`
	Lost        int `json:"lost"`         // deliveries that were due and had no message in the queue
	DeadLetters int `json:"dead_letters"` // messages in the dead-letter queue: faults of the service itself
}

// PutPipeline stores the findings of a sweep.
func (s *Store) PutPipeline(ctx context.Context, p Pipeline) error {
	return s.Table.BatchWrite(ctx, []table.Item{{Key: pipelineKey(), Body: db.MustMarshal(p)}}, nil)
}

// Pipeline reads the findings of the latest sweep.
func (s *Store) Pipeline(ctx context.Context) (Pipeline, error) {
	p, _, err := db.Find[Pipeline](ctx, s.DB, pipelineKey())
	return p, err
}
