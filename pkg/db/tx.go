package db

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/table"
)

func MustMarshal(v any) []byte {
	raw, err := Marshal(v)
	if err != nil {
		panic("store: cannot be encoded: " + err.Error())
	}
	return raw
}

// Tx collects the operations of one atomic change: documents, index rows, how counters move, events
// and the activity record. It is committed by Store.Commit. A Tx is used by one goroutine, once.
type Tx struct {
	DB  *DB
	Ops []table.Op
	// Made is what the change makes, for the answer to a request with an Idempotency-Key (Once).
	Made any
	// What a commit returns when the condition of the operation of the same index does not hold.
	failure     []error
	spread      map[int]func(shard int) table.Key // operations on one of equal items; see shards
	counts      map[string]map[Counter]int64      // by how much they move, by collection
	Shard       int
	Time        cms.Time
	events      []cms.Event
	SiteChanged bool
	checks      []func(context.Context) error
	Needs       []Need                        // permissions
	trace       Trace                         // of the next activity record
	timers      bool                          // a timer was set
	after       []func(context.Context) error // the commit
	touched     Purge                         // whose answers may differ afterwards
	feeds       []feedLine                    // for those who follow changes
	rests       []lateRest                    // to be placed
	later       []*Rest                       // that are done behind the commit
}

// Begin starts a transaction.
func (s *DB) Begin() *Tx {
	return &Tx{DB: s, spread: map[int]func(int) table.Key{}, Shard: rand.IntN(Shards), Time: s.Now()}
}

// At is the time of the change: every record of the transaction carries it.
func (t *Tx) At() cms.Time { return t.Time }

// Events are the events raised so far.
func (t *Tx) Events() []cms.Event { return t.events }

// Check adds what is asked right before the commit; its error stops the change.
func (t *Tx) Check(ask func(context.Context) error) { t.checks = append(t.checks, ask) }

// Then adds what is done right after the commit. A crash may come in between; its error is that of
// the commit.
func (t *Tx) Then(do func(context.Context) error) { t.after = append(t.after, do) }

// Repair is the failure of an operation after which something is put right; its error is that of
// the commit.
type Repair struct{ Do func(context.Context) error }

func (r *Repair) Error() string { return "store: to be repaired" }

func (t *Tx) Do(op table.Op, failure error) {
	t.Ops = append(t.Ops, op)
	t.failure = append(t.failure, failure)
}

func (t *Tx) Put(item table.Item) { t.Do(table.Op{Kind: table.Put, Item: item}, nil) }

// Create puts an item that must not exist yet; taken is returned by the commit when it does.
func (t *Tx) Create(item table.Item, taken error) {
	t.Do(table.Op{Kind: table.Put, Item: item, If: table.Absent}, taken)
}

// Replace puts an item that must still have the version it was read with.
func (t *Tx) Replace(item table.Item, version int64) {
	t.Do(table.Op{Kind: table.Put, Item: item, If: table.VersionIs, Version: version}, ErrOvertaken)
}

func (t *Tx) Delete(key table.Key) {
	t.Do(table.Op{Kind: table.Delete, Item: table.Item{Key: key}}, nil)
}

// Remove deletes an item that must still have the version it was read with.
func (t *Tx) Remove(key table.Key, version int64) {
	t.Do(table.Op{Kind: table.Delete, Item: table.Item{Key: key}, If: table.VersionIs,
		Version: version}, ErrOvertaken)
}

// Event raises an event of actor in this transaction: it is delivered to webhooks if, and only if,
// the change is committed. model is the slug of the entry's model for entry events, else "".
func (t *Tx) Event(actor cms.Actor, kind, model string, data any) {
	t.raise(actor, cms.Event{Kind: kind, Model: model, Data: MustMarshal(data)})
}

// eventsOfVersion is more than the events that one version of an entry may raise.
const eventsOfVersion = 8

// NoNewVersion is the place of an event that comes without a new version of its entry.
const NoNewVersion = eventsOfVersion - 1

// EntryEvent is Event for an entry, with its version after the change. nth counts the events of
// that version from 0, or is NoNewVersion.
func (t *Tx) EntryEvent(actor cms.Actor, kind, model string, data any, version int64, nth int) {
	sequence := version*eventsOfVersion + int64(min(nth, NoNewVersion))
	t.raise(actor, cms.Event{Kind: kind, Model: model, Data: MustMarshal(data), Version: version,
		Sequence: sequence})
}

func (t *Tx) raise(actor cms.Actor, e cms.Event) {
	e.ID, e.OccurredAt, e.RequestID = uuid.Must(uuid.NewV7()).String(), t.Time, actor.RequestID
	t.events = append(t.events, e)
	t.Put(table.Item{Key: table.Key{Partition: outboxPartition(t.Shard), Sort: e.ID},
		Body: PackBytes(MustMarshal(e))})
}

// Commit applies the transaction. A failed condition is reported as the error that its operation
// was given, ErrOvertaken (see Retry) where another writer was faster.
func (s *DB) Commit(ctx context.Context, t *Tx) error {
	if err := t.permitted(cms.PermissionsOf(ctx)); err != nil {
		return err
	}
	for _, check := range t.checks {
		if err := check(cms.WithPermissions(ctx, nil)); err != nil { // what one may not read still holds its slug
			return err
		}
	}
	t.putPurge()
	t.putFeeds()
	t.putCounts()
	t.placeRests()
	ops, noted := noteOnce(ctx, t.Ops, t.Made)
	err := s.write(ctx, ops, t.spread)
	noted(err)
	var cond *table.ConditionError
	failed := errors.As(err, &cond)
	if !failed && s.onPurge != nil && t.touched.ID != "" {
		s.onPurge(t.touched) // also where it is unknown whether the change was made
	}
	if failed {
		if cond.Index >= len(t.failure) {
			return ErrOvertaken // another request has taken the place of this one
		}
		return refused(ctx, t.failure[cond.Index])
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
	if s.onTimers != nil && t.timers {
		s.onTimers()
	}
	for _, do := range t.after {
		if err := do(context.WithoutCancel(ctx)); err != nil {
			return err
		}
	}
	return nil
}

// refused is the error of a commit one of whose conditions did not hold, by what its operation was
// given.
func refused(ctx context.Context, failure error) error {
	switch f := failure.(type) {
	case nil:
		return ErrOvertaken
	case *Repair:
		return f.Do(ctx)
	default:
		return f
	}
}

// Marshal encodes as the API writes JSON: no escaping of HTML characters, no trailing newline.
func Marshal(v any) ([]byte, error) { return cms.Marshal(v) }

func Unmarshal(body []byte, v any) error {
	raw, err := UnpackBytes(body)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, v)
}
