package db

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// MustMarshal encodes a value that can always be encoded; it panics if it cannot.
func MustMarshal(v any) []byte {
	raw, err := cms.Marshal(v)
	if err != nil {
		panic("db: cannot be encoded: " + err.Error())
	}
	return raw
}

// Tx collects the operations of one atomic change: documents, index rows, changes of counters,
// events and the activity record. DB.Commit commits it. A Tx is used by one goroutine, once.
type Tx struct {
	DB  *DB
	Ops []table.Op
	// Made is the result of the change. The answer to a request with an Idempotency-Key is made
	// from it (see Once).
	Made any
	// failure[i] is the error that the commit returns if the condition of Ops[i] fails.
	failure     []error
	spread      map[int]func(shard int) table.Key // keys of operations on shards, by index in Ops
	counts      map[string]map[Counter]int64      // changes of counters, by collection
	Shard       int
	Time        cms.Time
	events      []cms.Event
	outbox      outboxRow
	SiteChanged bool
	checks      []func(context.Context) error
	Needs       []Need                        // that the commit requires
	logged      []logged                      // the activity records
	trace       Trace                         // of the next activity record only
	timers      bool                          // a timer was set
	after       []func(context.Context) error // run after the commit
	touched     Purge                         // tags whose cached answers may change
	feeds       []feedLine                    // lines for the change feeds
	rests       []lateRest                    // not placed yet; see placeRests
	later       []*Rest                       // done in a second transaction
}

// Begin starts a transaction.
func (s *DB) Begin() *Tx {
	return &Tx{DB: s, spread: map[int]func(int) table.Key{}, Shard: rand.IntN(Shards), Time: s.Now()}
}

// At returns the time of the change, which every record of the transaction carries.
func (t *Tx) At() cms.Time { return t.Time }

// Events returns the events raised so far.
func (t *Tx) Events() []cms.Event { return t.events }

// Check adds a function that runs directly before the commit. Its error cancels the change.
func (t *Tx) Check(ask func(context.Context) error) { t.checks = append(t.checks, ask) }

// CheckAlone is Check for a condition on rows that other transactions add, such as how many there are. If another
// transaction with the same name is committed after the check, the commit returns ErrOvertaken.
func (t *Tx) CheckAlone(name string, ask func(context.Context) error) {
	t.Check(func(ctx context.Context) error {
		last := table.Item{Key: aloneKey(name)}
		found, err := t.DB.Table.Get(ctx, table.Strong, last.Key)
		if err != nil {
			return err
		}
		if found[0] != nil {
			last = *found[0]
		}
		t.Save(last, last.Version)
		return ask(ctx)
	})
}

// LimitRows makes the commit return full if there are as many rows as the limit of a range already.
func (t *Tx) LimitRows(rows table.Range, full error) {
	t.CheckAlone(rows.Partition+"#"+rows.Prefix, func(ctx context.Context) error {
		found, err := t.DB.Table.Query(ctx, rows)
		if err == nil && len(found) >= rows.Limit {
			err = full
		}
		return err
	})
}

// Then adds a function that runs after the commit, unless the process crashes. Commit returns its
// error.
func (t *Tx) Then(do func(context.Context) error) { t.after = append(t.after, do) }

// Repair is a failure to give with an operation if something must be repaired when its condition
// fails. Commit then calls Do and returns its error.
type Repair struct{ Do func(context.Context) error }

func (r *Repair) Error() string { return "db: to be repaired" }

// CheckReserved returns the error of the first row that the transaction would reserve and another owner has. It is for
// transactions that are made later: the commit finds out by itself.
func (t *Tx) CheckReserved(ctx context.Context) error {
	for i, op := range t.Ops {
		if reserved, ok := t.failure[i].(*Repair); ok && op.If == table.Absent {
			if err := reserved.Do(ctx); err != nil && !errors.Is(err, ErrOvertaken) {
				return err
			}
		}
	}
	return nil
}

func (t *Tx) Do(op table.Op, failure error) {
	t.Ops = append(t.Ops, op)
	t.failure = append(t.failure, failure)
}

func (t *Tx) Put(item table.Item) { t.Do(table.Op{Kind: table.Put, Item: item}, nil) }

// Create puts an item that must not exist yet. If it exists, the commit returns taken.
func (t *Tx) Create(item table.Item, taken error) {
	t.Do(table.Op{Kind: table.Put, Item: item, If: table.Absent}, taken)
}

// Replace puts an item that must still have the version it was read with.
func (t *Tx) Replace(item table.Item, version int64) {
	t.Do(table.Op{Kind: table.Put, Item: item, If: table.VersionIs, Version: version}, ErrOvertaken)
}

// Save puts an item in the place of the version it was read with, or a new one if that is 0.
func (t *Tx) Save(item table.Item, was int64) { t.Do(table.PutNext(item, was), ErrOvertaken) }

func (t *Tx) Delete(key table.Key) {
	t.Do(table.Op{Kind: table.Delete, Item: table.Item{Key: key}}, nil)
}

// Remove deletes an item that must still have the version it was read with.
func (t *Tx) Remove(key table.Key, version int64) {
	t.Do(table.Op{Kind: table.Delete, Item: table.Item{Key: key}, If: table.VersionIs,
		Version: version}, ErrOvertaken)
}

// Take deletes an item that must exist. If it does not, the commit returns gone.
func (t *Tx) Take(key table.Key, gone error) {
	t.Do(table.Op{Kind: table.Delete, Item: table.Item{Key: key}, If: table.Present}, gone)
}

// Require makes the commit fail with ErrOvertaken unless an item still has the version it was read with, or is still
// absent if that is 0.
func (t *Tx) Require(key table.Key, version int64) {
	op := table.PutNext(table.Item{Key: key}, version)
	op.Kind, op.Item.Version = table.Check, 0
	t.Do(op, ErrOvertaken)
}

// RequireAbsent makes the commit return exists if there is an item.
func (t *Tx) RequireAbsent(key table.Key, exists error) {
	t.Do(table.Op{Kind: table.Check, Item: table.Item{Key: key}, If: table.Absent}, exists)
}

// Event raises an event of actor in this transaction: it is delivered to webhooks if, and only if,
// the change is committed. model is the slug of the entry's model for entry events, else "".
func (t *Tx) Event(actor cms.Actor, kind, model string, data any) {
	t.raise(actor, cms.Event{Kind: kind, Model: model, Data: MustMarshal(data)})
}

// eventsOfVersion is how many sequence numbers each version of an entry has, more than it needs.
const eventsOfVersion = 8

// NoNewVersion is the number of an event that is raised without a new version of its entry.
const NoNewVersion = eventsOfVersion - 1

// EntryEvent is Event for an entry. version is the version of the entry after the change. nth
// counts the events of that version from 0, or is NoNewVersion.
func (t *Tx) EntryEvent(actor cms.Actor, kind, model string, data any, version int64, nth int) {
	sequence := version*eventsOfVersion + int64(min(nth, NoNewVersion))
	t.raise(actor, cms.Event{Kind: kind, Model: model, Data: MustMarshal(data), Version: version, Sequence: sequence})
}

func (t *Tx) raise(actor cms.Actor, e cms.Event) {
	e.ID, e.OccurredAt, e.RequestID = uuid.Must(uuid.NewV7()).String(), t.Time, actor.RequestID
	t.events = append(t.events, e)
	t.putEvent(e)
}

// Commit applies the transaction. If the condition of an operation fails, it returns the error
// given with that operation, or ErrOvertaken (see Retry) if none was given.
func (s *DB) Commit(ctx context.Context, t *Tx) error {
	if err := t.checkPermitted(cms.PermissionsOf(ctx)); err != nil {
		return err
	}
	for _, check := range t.checks {
		// An entry that the user may not read still reserves its slug.
		if err := check(cms.WithPermissions(ctx, nil)); err != nil {
			return err
		}
	}
	t.putPurge()
	t.putFeeds()
	t.putCounts()
	t.placeRests()
	writing, ended := s.beginRecords(ctx, t)
	ops, noted, err := noteOnce(ctx, t.Ops, t.Made)
	if err != nil {
		return ended(err)
	}
	err = ended(s.writeOps(writing, ops, t.spread))
	noted(err)
	var cond *table.ConditionError
	failed := errors.As(err, &cond)
	if !failed && s.onPurge != nil && t.touched.ID != "" {
		s.onPurge(t.touched) // even if it is unknown whether the change was stored
	}
	if failed {
		if cond.Index >= len(t.failure) {
			return ErrOvertaken // a repeat of this request has taken over
		}
		return refusedCommit(ctx, t.failure[cond.Index])
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

// refusedCommit returns the error of a commit after a failed condition. failure is the one given with the
// operation of the condition.
func refusedCommit(ctx context.Context, failure error) error {
	switch f := failure.(type) {
	case nil:
		return ErrOvertaken
	case *Repair:
		return f.Do(ctx)
	default:
		return f
	}
}

// Need is a permission that the commit of a transaction requires.
type Need struct {
	Action        cms.Action
	Model, Locale string
}

func (t *Tx) checkPermitted(p *cms.Permissions) error {
	for _, n := range t.Needs {
		if err := p.Check(n.Action, n.Model, n.Locale, "entry"); err != nil {
			return err
		}
	}
	return nil
}
