package hooks

import (
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// Pipeline is what the latest sweep found of the way from events to receivers.
type Pipeline struct {
	At cms.Time `json:"at"` // zero: there was no sweep yet
	// When the oldest event that is not delivered everywhere was raised; zero: none.
	OldestEvent cms.Time `json:"oldest_event"`
	// When the longest overdue step of ours was due: the dispatch of an event or an attempt; zero:
	// none.
	OverdueStep  cms.Time `json:"overdue_step"`
	Undispatched int      `json:"undispatched"` // events in the outbox
	// Deliveries to subscriptions that exist, at most as many as the sweep counts.
	Pending     int `json:"pending"`
	Lost        int `json:"lost"`         // deliveries that were due and had no message in the queue
	DeadLetters int `json:"dead_letters"` // messages that were given up: faults of our own
}

// PutPipeline stores the findings of a sweep.
func (s *Store) PutPipeline(ctx context.Context, p Pipeline) error {
	body, err := db.Marshal(p)
	if err != nil {
		return err
	}
	return s.Table.BatchWrite(ctx, []table.Item{{Key: pipelineKey(), Body: body}}, nil)
}

// Pipeline reads the findings of the latest sweep.
func (s *Store) Pipeline(ctx context.Context) (Pipeline, error) {
	var p Pipeline
	item, err := s.Get(ctx, pipelineKey())
	if errors.Is(err, db.ErrNotFound) {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	return p, db.Unmarshal(item.Body, &p)
}
