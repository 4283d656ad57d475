package store

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// Tx collects the operations of one atomic change: documents, index rows, counters, events and the activity record.
// It is committed by Store.Commit. A Tx is used by one goroutine, once.
type Tx struct {
	s           *Store
	ops         []table.Op
	failure     []error // what a commit returns when the condition of the operation of the same index does not hold
	adds        map[table.Key]int
	shard       int
	at          cms.Time
	events      []cms.Event
	siteChanged bool
	claims      []claim
}

// Begin starts a transaction.
func (s *Store) Begin() *Tx {
	return &Tx{s: s, adds: map[table.Key]int{}, shard: rand.IntN(shards), at: s.Now()}
}

// At is the time of the change: every record of the transaction carries it.
func (t *Tx) At() cms.Time { return t.at }

// Events are the events raised so far.
func (t *Tx) Events() []cms.Event { return t.events }

func (t *Tx) do(op table.Op, failure error) {
	t.ops = append(t.ops, op)
	t.failure = append(t.failure, failure)
}

func (t *Tx) put(item table.Item) { t.do(table.Op{Kind: table.Put, Item: item}, nil) }

// create puts an item that must not exist yet; taken is returned by the commit when it does.
func (t *Tx) create(item table.Item, taken error) {
	t.do(table.Op{Kind: table.Put, Item: item, If: table.Absent}, taken)
}

// replace puts an item that must still have the version it was read with.
func (t *Tx) replace(item table.Item, version int64) {
	t.do(table.Op{Kind: table.Put, Item: item, If: table.VersionIs, Version: version}, ErrOvertaken)
}

func (t *Tx) delete(key table.Key) {
	t.do(table.Op{Kind: table.Delete, Item: table.Item{Key: key}}, nil)
}

// remove deletes an item that must still have the version it was read with.
func (t *Tx) remove(key table.Key, version int64) {
	t.do(table.Op{Kind: table.Delete, Item: table.Item{Key: key}, If: table.VersionIs, Version: version}, ErrOvertaken)
}

// add changes a counter; several changes of one counter in a transaction are merged.
func (t *Tx) add(key table.Key, n int64) {
	if i, ok := t.adds[key]; ok {
		t.ops[i].Item.Count += n
		return
	}
	t.adds[key] = len(t.ops)
	t.do(table.Op{Kind: table.Add, Item: table.Item{Key: key, Count: n}}, nil)
}

// Event raises an event in this transaction: it is delivered to webhooks if, and only if, the change is committed.
// model is the slug of the entry's model for entry events, else "".
func (t *Tx) Event(kind, model string, data any) {
	e := cms.Event{ID: uuid.Must(uuid.NewV7()).String(), Kind: kind, OccurredAt: t.at, Model: model, Data: mustMarshal(data)}
	t.events = append(t.events, e)
	t.put(table.Item{Key: table.Key{Partition: outboxPartition(t.shard), Sort: e.ID}, Body: pack(mustMarshal(e))})
}

// Commit applies the transaction. A failed condition is reported as the error that its operation was given,
// ErrOvertaken (see Retry) where another writer was faster.
func (s *Store) Commit(ctx context.Context, t *Tx) error {
	for _, c := range t.claims {
		if err := s.check(ctx, c); err != nil {
			return err
		}
	}
	ops, failure := t.ops, t.failure
	kept := ops[:0:0]
	var keptFailure []error
	for i, op := range ops {
		if op.Kind == table.Add && op.Item.Count == 0 {
			continue
		}
		kept = append(kept, op)
		keptFailure = append(keptFailure, failure[i])
	}
	err := s.table.Write(ctx, kept)
	var cond *table.ConditionError
	if errors.As(err, &cond) {
		if f := keptFailure[cond.Index]; f != nil {
			return f
		}
		return ErrOvertaken
	}
	if errors.Is(err, table.ErrTooLarge) {
		return cms.Errorf(cms.CodePayloadTooLarge, "This is larger than one stored item can hold.")
	}
	if err != nil {
		return err
	}
	if s.onEvents != nil && len(t.events) > 0 {
		s.onEvents()
	}
	return nil
}

// marshal encodes as the API writes JSON: no escaping of HTML characters, no trailing newline.
func marshal(v any) ([]byte, error) { return cms.Marshal(v) }

func unmarshal(body []byte, v any) error {
	raw, err := unpack(body)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, v)
}
