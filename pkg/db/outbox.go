package db

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// PendingEvents are events of one transaction that are not dispatched yet, with the key of their row.
type PendingEvents struct {
	Events []cms.Event // at least one
	Key    table.Key
}

// DecodePendingEvents reads the events of a row of the outbox. An error names the row.
func DecodePendingEvents(item table.Item) (PendingEvents, error) {
	p := PendingEvents{Key: item.Key}
	raw, err := UnpackBytes(item.Body)
	if err == nil && len(raw) > 0 && raw[0] == '[' {
		err = json.Unmarshal(raw, &p.Events)
	} else if err == nil {
		p.Events = make([]cms.Event, 1)
		err = json.Unmarshal(raw, &p.Events[0])
	}
	if err == nil && len(p.Events) == 0 {
		err = errNoEvents
	}
	if err != nil {
		err = fmt.Errorf("the row %s of the outbox: %w", p.Row(), err)
	}
	return p, err
}

// Row returns the key of the row in readable form.
func (p PendingEvents) Row() string {
	return p.Key.Partition + "/" + hex.EncodeToString([]byte(p.Key.Sort))
}

var errNoEvents = errors.New("it has no events")

// outboxRow is the row to which a transaction adds its events: a list if there are several.
type outboxRow struct {
	op   int    // position of its operation
	list []byte // the events, as in JSON
}

// maxEvents is the size in bytes up to which events share a row: seven of most kinds, which then are less
// than a KB, since they have much in common.
const maxEvents = 3000

// putEvent adds an event to the row of those before it, or begins another row.
func (t *Tx) putEvent(e cms.Event) {
	raw := MustMarshal(e)
	if row := &t.outbox; len(row.list) > 0 && len(row.list)+len(raw) < maxEvents {
		row.list = slices.Concat(row.list, []byte{','}, raw)
		t.Ops[row.op].Item.Body = t.DB.PackWaiting(slices.Concat([]byte{'['}, row.list, []byte{']'}))
		return
	}
	t.outbox = outboxRow{len(t.Ops), raw}
	t.Put(table.Item{Key: table.Key{Partition: outboxPartition(t.Shard), Sort: e.ID}, Body: PackBytes(raw)})
}

// Outbox lists up to limit rows of undispatched events, the oldest of each shard first.
func (s *DB) Outbox(ctx context.Context, limit int) ([]table.Item, error) {
	parts, err := s.QueryShards(ctx, outboxPartition, table.Range{Limit: ShardLimit(limit)}, Shards)
	return slices.Concat(parts...), err
}

// DropEvents removes rows whose events need no delivery from the outbox.
func (s *DB) DropEvents(ctx context.Context, rows ...table.Key) error {
	return s.Table.BatchWrite(ctx, nil, rows)
}

// Mailer adds a mail to a transaction; it is sent after the commit. An invalid address gets none.
type Mailer interface {
	Notify(tx *Tx, actor cms.Actor, to string, notice cms.Notice)
}
