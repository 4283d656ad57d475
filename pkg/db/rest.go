package db

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"golang.org/x/sync/errgroup"

	"headless/pkg/table"
)

// MaxOps is how many operations the transaction of a save has at most. DynamoDB takes 100: the
// others are left free for what saves are to do one day.
const MaxOps = 60

// Rest is what a change takes away of what led to a thing before: rows and claims. A large
// change has no room for it in its transaction. The rest is then kept in a row of the
// transaction and done by a second one, right behind the first and before the change is confirmed.
// Between the two, old and new stand side by side.
type Rest struct{ lines []restLine }

// restLine is an item to be deleted.
type restLine struct {
	Partition string `json:"p"`
	Sort      []byte `json:"s"`
}

func (l *restLine) key() table.Key { return table.Key{Partition: l.Partition, Sort: string(l.Sort)} }

// Delete adds an item to be deleted.
func (r *Rest) Delete(key table.Key) {
	r.lines = append(r.lines, restLine{key.Partition, []byte(key.Sort)})
}

// AddTo does the rest in a transaction.
func (r *Rest) AddTo(t *Tx) {
	for i := range r.lines {
		t.Delete(r.lines[i].key())
	}
}

// lateRest is a rest that is done where there is room for it.
type lateRest struct {
	*Rest
	name   string
	behind func()
}

// Finally does the rest of a change of something, which name says: in this transaction where all of
// it fits, else behind it. Then behind is called before the commit, and whoever changes the thing
// next has to call FinishRest before.
func (t *Tx) Finally(name string, r *Rest, behind func()) {
	t.rests = append(t.rests, lateRest{r, name, behind})
}

// Size is how many operations the transaction has, with its rests.
func (t *Tx) Size() int {
	n := len(t.Ops)
	for _, r := range t.rests {
		n += len(r.lines)
	}
	return n
}

// placeRests adds the rests as far as there is room, and for the others what keeps them.
func (t *Tx) placeRests() {
	rests := t.rests
	size := t.Size()
	t.rests = nil
	for _, r := range rests {
		if size <= MaxOps {
			r.AddTo(t)
			continue
		}
		size -= len(r.lines) - 1
		r.behind()
		row := table.Item{Key: restKey(r.name), Version: rand.Int64(), Body: PackSeldom(MustMarshal(r.lines))}
		t.Create(row, ErrOvertaken)
		t.later = append(t.later, r.Rest)
		t.Then(func(ctx context.Context) error { return t.DB.finishCommitted(ctx, row) })
	}
}

// FinishRest does what a crash, or a change that is under way, has left to do of a thing.
func (s *DB) FinishRest(ctx context.Context, name string) error {
	row, err := s.Get(ctx, restKey(name))
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.finishRest(ctx, *row)
}

// restTogether is how many rests of a shard are read together.
const restTogether = 50

// FinishRests does what crashes have left to do of anything.
func (s *DB) FinishRests(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	for shard := range Shards {
		g.Go(func() error {
			for {
				rows, err := s.Table.Query(ctx, table.Range{Partition: restPartition(shard),
					Limit: restTogether})
				if err != nil || len(rows) == 0 {
					return err
				}
				for _, row := range rows {
					if err := s.finishRest(ctx, row); err != nil {
						return err
					}
				}
			}
		})
	}
	return g.Wait()
}

// restTries is how often a rest is tried right behind its transaction: the change is made, so an
// error would say less than is known.
const restTries = 5

func (s *DB) finishCommitted(ctx context.Context, row table.Item) (err error) {
	for i := range restTries {
		if err = s.finishRest(ctx, row); !errors.Is(err, table.ErrUnavailable) {
			return err
		}
		time.Sleep(rand.N(10 * time.Millisecond << i))
	}
	return err
}

// finishRest does a rest, unless that was done since its row was read.
func (s *DB) finishRest(ctx context.Context, row table.Item) error {
	var r Rest
	if err := Unmarshal(row.Body, &r.lines); err != nil {
		return err
	}
	t := s.Begin()
	t.Remove(row.Key, row.Version)
	r.AddTo(t)
	err := s.Table.Write(ctx, t.Ops)
	if cond := (*table.ConditionError)(nil); errors.As(err, &cond) {
		return nil
	}
	return err
}
