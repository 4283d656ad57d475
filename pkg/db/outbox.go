package db

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// PendingEvent is a committed event that is not dispatched yet, with the key of its row.
type PendingEvent struct {
	cms.Event
	Key table.Key
}

// DecodePendingEvent reads an event from the row of the outbox. An error names the row.
func DecodePendingEvent(item table.Item) (PendingEvent, error) {
	e := PendingEvent{Key: item.Key}
	if err := Unmarshal(item.Body, &e.Event); err != nil {
		return e, fmt.Errorf("the row %s of the outbox: %w", e.Row(), err)
	}
	return e, nil
}

// Row returns the key of the event's row in readable form.
func (e PendingEvent) Row() string {
	return e.Key.Partition + "/" + hex.EncodeToString([]byte(e.Key.Sort))
}

// Outbox lists up to limit undispatched events as rows, the oldest of each shard first.
func (s *DB) Outbox(ctx context.Context, limit int) ([]table.Item, error) {
	parts, err := s.QueryShards(ctx, outboxPartition, table.Range{Limit: ShardLimit(limit)}, Shards)
	return slices.Concat(parts...), err
}

// OutboxRows reads rows of the outbox; nil for events that are dispatched already.
func (s *DB) OutboxRows(ctx context.Context, keys ...table.Key) ([]*table.Item, error) {
	return s.Table.Get(ctx, table.Strong, keys...)
}

// DropEvents removes events that need no delivery from the outbox.
func (s *DB) DropEvents(ctx context.Context, events ...PendingEvent) error {
	return s.Table.BatchWrite(ctx, nil, slice.Map(events, func(e PendingEvent) table.Key { return e.Key }))
}
