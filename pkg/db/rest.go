package db

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"golang.org/x/sync/errgroup"

	"headless/pkg/table"
)

// MaxOps is the largest number of operations in the transaction of a save. DynamoDB allows 100; the
// other 40 are reserved for future features.
const MaxOps = 60

// Rest holds the deletions of a change: index rows and claims that led to the former state of a
// thing. The transaction of a large change has no room for them. It then stores them in one row,
// and a second transaction makes them directly after the first, before the change is confirmed.
// Between the two, the rows of the old and the new state exist together.
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

// AddTo adds the deletions to a transaction.
func (r *Rest) AddTo(t *Tx) {
	for i := range r.lines {
		t.Delete(r.lines[i].key())
	}
}

// lateRest is a rest that is done in the transaction if it has room, else after it.
type lateRest struct {
	*Rest
	name     string
	deferred func()
}

// Finally does the rest of a change: in this transaction if all of it fits, else in a second one
// after it. name identifies the thing that is changed. If a second transaction is needed, deferred
// is called before the commit, and the next change of the thing must call FinishRest first.
func (t *Tx) Finally(name string, r *Rest, deferred func()) {
	t.rests = append(t.rests, lateRest{r, name, deferred})
}

// Size returns how many operations the transaction has, including its rests.
func (t *Tx) Size() int {
	n := len(t.Ops)
	for _, r := range t.rests {
		n += len(r.lines)
	}
	return n
}

// placeRests adds those rests to the transaction for which it has room. For each of the others it
// adds a row that stores it, and a step after the commit that does it.
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
		r.deferred()
		row := table.Item{Key: restKey(r.name), Version: rand.Int64(), Body: PackSeldom(MustMarshal(r.lines))}
		t.Create(row, ErrOvertaken)
		t.later = append(t.later, r.Rest)
		t.Then(func(ctx context.Context) error { return t.DB.finishCommitted(ctx, row) })
	}
}

// FinishRest does the rest that a crash, or a change in progress, has left for the thing of a name.
func (s *DB) FinishRest(ctx context.Context, name string) error {
	row, err := s.Get(ctx, restKey(name))
	if err != nil {
		return Missing(err, nil)
	}
	return s.finishRest(ctx, *row)
}

// restTogether is how many rests of a shard are read together.
const restTogether = 50

// FinishRests does all rests that crashes have left.
func (s *DB) FinishRests(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	for shard := range Shards {
		g.Go(func() error {
			for {
				rows, err := s.Table.Query(ctx, table.Range{Partition: restPartition(shard), Limit: restTogether})
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

// restTries is how often a rest is tried directly after its transaction. The change is committed by
// then, so an error would be misleading.
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

// finishRest does a rest, unless it was done by others since its row was read.
func (s *DB) finishRest(ctx context.Context, row table.Item) error {
	var r Rest
	if err := Unmarshal(row.Body, &r.lines); err != nil {
		return err
	}
	t := s.Begin()
	t.Remove(row.Key, row.Version)
	r.AddTo(t)
	_, err := table.TryWrite(ctx, s.Table, t.Ops...)
	return err
}
