package db

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"headless/pkg/cms"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Where used (extensions §6). A row of REF#<target> says that a holder may refer to the target. The
// rows of a save are written before its transaction, so there may be rows without a reference.
// Readers therefore check the holder itself.
//
// A deletion that is refused while its target is used first puts a mark on the target, then reads
// the target's rows. A save first writes its rows, then reads the marks. So at least one of the two
// sees the other. The deletion cannot see whether a save that wrote its row will still commit.
// Therefore each save has a ticket, a row that its transaction removes, and the deletion removes
// the tickets of the holders before it reads the holders. A save without its ticket starts again,
// and then finds the mark. Saves of different holders share no item.

// Holder is a thing that may refer to a target.
type Holder struct {
	Kind    string // one of the kinds below
	ModelID string // of an entry or draft
	ID      string

	version int64 // of the row
}

// The kinds of holders.
const (
	HolderEntry    = "e"
	HolderDraft    = "d"
	HolderSettings = "s"
	HolderMenu     = "m" // its ID is the slug
)

func (h Holder) name() string { return h.Kind + h.ModelID + "/" + h.ID }

func parseHolder(row table.Item) Holder {
	model, id, _ := strings.Cut(row.Sort[1:], "/")
	return Holder{Kind: row.Sort[:1], ModelID: model, ID: id, version: row.Version}
}

func refPartition(target string) string { return "REF#" + target }

func (h Holder) key(target string) table.Key {
	return table.Key{Partition: refPartition(target), Sort: h.name()}
}

func (h Holder) ticketKey() table.Key {
	return table.Key{Partition: "REFTICKET#" + h.name(), Sort: "t"}
}

func markKey(target string) table.Key {
	return table.Key{Partition: "REFMARK#" + target, Sort: "m"}
}

const (
	ticketLife = time.Hour
	// markLife is how long the mark of a finished deletion is kept: longer than any save runs.
	markLife = time.Hour
	// deletionTime is the age at which an unfinished deletion counts as dead.
	deletionTime = time.Minute
)

// gain holds the targets to which the transaction of a holder adds references.
type gain struct {
	holder  Holder
	targets []string
	// places returns the paths in the content that refer to a target. It is nil if the holder may
	// refer to deleted targets.
	places func(target string) []string
}

// Refer records the targets to which a holder may refer after the change but not before. places
// returns the paths in the content that refer to a target. It is nil if the holder may refer to
// deleted targets.
func (t *Tx) Refer(h Holder, before, now map[string]bool, places func(target string) []string) {
	gained := slice.Filter(slices.Sorted(maps.Keys(now)), func(target string) bool { return !before[target] })
	if len(gained) > 0 {
		g := gain{h, gained, places}
		t.Check(func(ctx context.Context) error { return t.DB.prepareReferences(ctx, t, g) })
	}
}

// TouchIfUsed touches tags if something may refer to a target that is made under an id that was known before.
func (t *Tx) TouchIfUsed(target string, tags ...string) {
	t.Check(func(ctx context.Context) error {
		holders, err := t.DB.Holders(ctx, target, nil, 1)
		if len(holders) > 0 {
			t.Touch(tags...)
		}
		return err
	})
}

// Unmark allows saves to refer again to a target that was deleted and is restored.
func (t *Tx) Unmark(target string) { t.Delete(markKey(target)) }

// prepareReferences writes the rows and the ticket of a save, then checks whether one of its
// targets is being deleted. It returns ErrOvertaken while a deletion is undecided, and
// VALIDATION_FAILED if a target is deleted.
func (s *DB) prepareReferences(ctx context.Context, t *Tx, g gain) error {
	nonce, now := rand.Int64(), s.Clock()
	rows := []table.Item{{Key: g.holder.ticketKey(), Version: nonce, Expires: now.Add(ticketLife).Unix()}}
	marks := make([]table.Key, len(g.targets))
	for i, target := range g.targets {
		rows = append(rows, table.Item{Key: g.holder.key(target), Version: now.UnixMicro()})
		marks[i] = markKey(target)
	}
	if err := s.Table.BatchWrite(ctx, rows, nil); err != nil {
		return err
	}
	found, err := s.Table.Get(ctx, table.Strong, marks...)
	if err != nil {
		return err
	}
	problems := cms.Problems{}
	for i, target := range g.targets {
		if err := checkMark(found[i], now, g, target, problems); err != nil {
			return err
		}
	}
	t.Remove(g.holder.ticketKey(), nonce)
	return problems.Err()
}

func checkMark(mark *table.Item, now time.Time, g gain, target string, problems cms.Problems) error {
	switch m := decodeMark(mark); {
	case mark == nil:
	case !m.gone && now.Sub(m.at) < deletionTime:
		return ErrOvertaken
	case m.gone && now.Sub(m.at) < markLife && g.places != nil:
		for _, path := range g.places(target) {
			problems.Add(path, "refers to what was deleted")
		}
	}
	return nil
}

// mark says that a target is being deleted, or was deleted. The version of its row is unique.
type mark struct {
	gone bool
	at   time.Time
}

func decodeMark(item *table.Item) mark {
	if item == nil || len(item.Body) < 9 {
		return mark{}
	}
	return mark{gone: item.Body[0] == 'g', at: TimeOf(string(item.Body[1:])).Time}
}

func (s *DB) markItem(target string, gone bool, version int64) table.Item {
	state := "d"
	if gone {
		state = "g"
	}
	now := s.Clock()
	return table.Item{Key: markKey(target), Version: version, Body: []byte(state + TimeBytes(now)),
		Expires: now.Add(markLife).Unix()}
}

// Deletion is the deletion of a target that nothing may refer to.
type Deletion struct {
	target  string
	version int64
}

// BeginDeletion marks a target: from now on, no save that adds a reference to it commits, except
// those that have read the marks already (see Interrupt). End the deletion with FinishDeletion in
// the transaction that deletes the target, or with CancelDeletion, also after an error. It returns ErrOvertaken
// while another deletion of the target runs.
func (s *DB) BeginDeletion(ctx context.Context, target string) (*Deletion, error) {
	found, err := s.Table.Get(ctx, table.Strong, markKey(target))
	if err != nil {
		return nil, err
	}
	if m := decodeMark(found[0]); found[0] != nil && !m.gone && s.Clock().Sub(m.at) < deletionTime {
		return nil, ErrOvertaken
	}
	d := &Deletion{target: target, version: rand.Int64()}
	tx := s.Begin()
	if found[0] == nil {
		tx.Create(s.markItem(target, false, d.version), ErrOvertaken)
	} else {
		tx.Replace(s.markItem(target, false, d.version), found[0].Version)
	}
	return d, s.Commit(ctx, tx)
}

// FinishDeletion keeps the mark, so that no save that began earlier commits a reference. The commit
// fails with ErrOvertaken if another deletion has taken over because this one took too long.
func (t *Tx) FinishDeletion(d *Deletion) {
	t.Replace(t.DB.markItem(d.target, true, rand.Int64()), d.version)
}

// CancelDeletion removes the mark, if there is one; d may be nil. While the table is unavailable for long, the mark
// stays and expires after a minute.
func (s *DB) CancelDeletion(ctx context.Context, d *Deletion) {
	if d == nil {
		return
	}
	_ = s.Finish(ctx, func() error {
		tx := s.Begin()
		tx.Remove(markKey(d.target), d.version)
		return s.Commit(ctx, tx)
	})
}

// Holders lists up to limit holders that may refer to a target, in a fixed order. It starts after
// the holder after, or at the first one if that is nil.
func (s *DB) Holders(ctx context.Context, target string, after *Holder, limit int) ([]Holder, error) {
	r := table.Range{Partition: refPartition(target), Limit: limit}
	if after != nil {
		r.From = after.name() + "\x00"
	}
	rows, err := s.Table.Query(ctx, r)
	return slice.Map(rows, parseHolder), err
}

// Interrupt makes running saves of the holders start again. They then find the mark of the
// Deletion, so the holders, if they are read afterwards, get no new references to its target.
func (s *DB) Interrupt(ctx context.Context, holders []Holder) error {
	return s.Table.BatchWrite(ctx, nil, slice.Map(holders, Holder.ticketKey))
}

// forgetAfter is the age from which a row without a reference is removed: no save runs that long.
const forgetAfter = 15 * time.Minute

// Forget removes old rows of holders that do not refer to a target. A row that was written again in
// the meantime stays.
func (s *DB) Forget(ctx context.Context, target string, holders []Holder) error {
	before := s.Clock().Add(-forgetAfter).UnixMicro()
	for _, h := range holders[:min(len(holders), maxForget)] {
		if h.version > before {
			continue
		}
		tx := s.Begin()
		tx.Remove(h.key(target), h.version)
		if err := s.Commit(ctx, tx); err != nil && !errors.Is(err, ErrOvertaken) {
			return err
		}
	}
	return nil
}

// maxForget is the largest number of rows that one call of Forget removes.
const maxForget = 20
